"""Evidence over time: by hand, against the paired interval's variance, and how often the truth is ever left out."""

from __future__ import annotations

from math import exp, log, sqrt
from statistics import NormalDist
from typing import Tuple

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.interval import MIN_CARDS, MIN_DAYS_OF_EVIDENCE
from evaluator.statistics import confidence_sequence as module
from evaluator.statistics.confidence_sequence import NARROWEST, Sequence, confidence_sequence
from evaluator.statistics.paired import Clusters, degrees_of_freedom, spread
from evaluator.statistics.student_t import student_t_p_value
from tools.simulate.reviews import log_loss, overconfident_minus_optimistic, simulate, true_difference

Floats = npt.NDArray[np.float64]
Sample = Tuple[Floats, npt.NDArray[np.int64], npt.NDArray[np.int64]]


def test_by_hand() -> None:
    """One review of its own card on each of 70 days, 1 and -1 in turn: by cards the variance of the sum is that of the
    days, T * T / (T - 1), and over time next to nothing, as what is 1 today is -1 tomorrow.
    """
    n = np.arange(70)
    s = confidence_sequence(np.where(n % 2, -1.0, 1.0), Clusters.of(n, n))
    assert list(s.day) == list(n)
    assert list(s.reviews) == list(n + 1)
    assert s.mean[:4] == pytest.approx([1, 0, 1 / 3, 0])
    assert np.isnan(s.low[: MIN_DAYS_OF_EVIDENCE - 1]).all()
    x = 8.2120  # solves x = ln(1 + x) - 2 ln 0.05
    assert x == pytest.approx(log(1 + x) - 2 * log(0.05), abs=3e-4)
    r = x / (10 * 60 * 60 / 59)  # 10 times what the variance is on day 60
    for days, variance in ((60, 60 * 60 / 59), (70, 70 * 70 / 69)):
        errors = sqrt((variance + 1 / r) * log((variance * r + 1) / 0.05**2) / variance)
        high = s.high[days - 1] * days / sqrt(variance)
        assert s.low[days - 1] == pytest.approx(-s.high[days - 1])
        assert student_t_p_value(high, days - 1) == pytest.approx(2 * NormalDist().cdf(-errors), rel=0.01)
    assert s.confidence == 0.95
    assert s.decided is None


def test_width_in_standard_errors() -> None:
    """3.8 at first, 3.0 where narrowest, 3.2 at a hundred times the first variance; of t 4.2 at 39 degrees."""
    variance = np.array([1, NARROWEST, 100])
    assert module._reach(variance, 0.05) / np.sqrt(variance) == pytest.approx([3.82, 3.035, 3.246], abs=0.005)
    assert module._reach_by_student_t(np.array([4.0]), np.array([39.0]), 0.05)[0] / 2 == pytest.approx(4.24, abs=0.005)


def test_its_variance_never_falls() -> None:
    """After 60 days of 1 and -1 in turn 60 days of 0: the sum of the squares stays 60, and G / (G - 1) falls.

    So the variance stays at its highest, 60 * 60 / 59 of day 60, where the last day alone would give 60 * 120 / 119.
    """
    n = np.arange(120)
    s = confidence_sequence(np.where(n < 60, np.where(n % 2, -1.0, 1.0), 0.0), Clusters.of(n, n))
    variance = 60 * 60 / 59
    x = 8.2120 / 10  # as above, at the first variance
    errors = sqrt((1 + 1 / x) * log((1 + x) / 0.05**2))
    p_value = student_t_p_value(s.high[-1] * 120 / sqrt(variance), 119)
    assert p_value == pytest.approx(2 * NormalDist().cdf(-errors), rel=0.01)


def test_a_rare_outcome_is_waited_for() -> None:
    """Ten forgotten reviews, one on each of the days 60 to 69: enough when the last is there, and rare until then."""
    n = np.arange(80)
    s = confidence_sequence(np.sin(n), Clusters.of(n, n, ((n < 60) | (n >= 70)).astype(np.int64)))
    assert np.flatnonzero(~np.isnan(s.low)).tolist() == list(range(69, 80))
    assert np.flatnonzero(s.rare).tolist() == list(range(59, 69))


def test_the_boundary_is_robbins_mixture() -> None:
    """At it, the likelihood ratio mixed over N(0, r) is 1 / alpha: exp(r s^2 / 2 (1 + r v)) / sqrt(1 + r v) = 20."""
    variance = np.array([1.0, 3, 10, 500])
    r = module._narrowest(0.05) / NARROWEST
    for v, s in zip(variance, module._reach(variance, 0.05), strict=True):
        assert exp(r * s**2 / (2 * (1 + r * v))) / sqrt(1 + r * v) == pytest.approx(20)


@st.composite
def samples(draw: st.DrawFn) -> Sample:
    """Differences, cards and days in the order of time; cards come back, several reviews of one on a day too."""
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    n, cards, days = (draw(st.integers(low, high)) for low, high in ((300, 500), (20, 90), (60, 90)))
    card, day = random.integers(cards, size=n), np.sort(random.integers(days, size=n))
    return random.normal(draw(st.sampled_from([0, 0.3, 5])), 1, n), card, day


def variance_of_sum(difference: Floats, clusters: Clusters) -> Tuple[float, float]:
    """Of cards plus of time less of both, never below one of the first two; and its degrees of freedom."""
    deviation, n = difference - difference.mean(), len(difference)
    card, both = (
        len(total) / (len(total) - 1) * float(total @ total) / n**2
        for total in (np.bincount(group, deviation) for group in (clusters.card, clusters.both))
    )
    found = spread(difference, clusters)
    assert found is not None
    degrees = degrees_of_freedom(np.array(card), np.array(found.time), np.array(both), *clusters.worth)
    return n**2 * max(card, found.time, card + found.time - both), float(degrees)


@given(samples())
def test_its_variance_is_by_cards_and_time(sample: Sample) -> None:
    difference, card, day = sample
    s = confidence_sequence(difference, Clusters.of(card, day))
    variance, degrees = [], []
    for last, mean, low in zip(np.unique(day), s.mean, s.low, strict=True):
        so_far = day <= last
        assert mean == pytest.approx(difference[so_far].mean())
        cards, days = (len(np.unique(of[so_far])) for of in (card, day))
        assert np.isnan(low) == (cards < MIN_CARDS or days < MIN_DAYS_OF_EVIDENCE)
        if not np.isnan(low):
            found = variance_of_sum(difference[so_far], Clusters.of(card[so_far], day[so_far]))
            variance.append(found[0])
            degrees.append(found[1])
    with_interval = ~np.isnan(s.low)
    expected = module._reach_by_student_t(np.array(variance), np.array(degrees), 0.05) / s.reviews[with_interval]
    assert (s.high - s.mean)[with_interval] == pytest.approx(expected)


@given(samples(), st.integers(1, 30))
def test_the_past_stays_as_it_was(sample: Sample, later: int) -> None:
    """More days add to the sequence and change nothing of it; nor does the order of reviews within it."""
    difference, card, day = sample
    whole = confidence_sequence(difference, Clusters.of(card, day))
    early = day < day.max() - later
    order = np.random.default_rng(later).permutation(early.sum())
    part = confidence_sequence(difference[early][order], Clusters.of(card[early][order], day[early][order]))
    for name in ("day", "reviews", "mean", "low", "high"):
        assert getattr(part, name) == pytest.approx(getattr(whole, name)[: len(part.day)], nan_ok=True)


@given(samples(), st.sampled_from([0.5, 3]), st.floats(-2, 2))
def test_units_signs_and_shifts(sample: Sample, factor: float, shift: float) -> None:
    """Swapping the two algorithms mirrors it; a shift of all differences moves it."""
    difference, *labels = sample
    clusters = Clusters.of(*labels)
    before = confidence_sequence(difference, clusters)
    after = confidence_sequence(shift - factor * difference, clusters)
    assert after.low == pytest.approx(shift - factor * before.high, nan_ok=True)
    assert after.high == pytest.approx(shift - factor * before.low, nan_ok=True)


def test_an_algorithm_against_itself() -> None:
    """Exactly 0 with an interval of exactly 0, and nothing is decided."""
    n = np.arange(70)
    s = confidence_sequence(np.zeros(70), Clusters.of(n, n))
    assert (s.mean == 0).all()
    assert (s.low[59:] == 0).all()
    assert (s.high[59:] == 0).all()
    assert s.decided is None


def test_nothing_and_nonsense() -> None:
    nothing = np.empty(0, dtype=np.int64)
    s = confidence_sequence(np.empty(0), Clusters.of(nothing, nothing))
    assert [len(values) for values in (s.day, s.reviews, s.mean, s.low, s.high)] == [0] * 5
    assert s.decided is None
    with pytest.raises(ValueError, match="a difference is not finite"):
        confidence_sequence(np.array([np.inf]), Clusters.of(np.array([1]), np.array([1])))


@pytest.mark.parametrize("sign", [1, -1])
def test_decided_is_the_first_day_without_0(sign: int) -> None:
    n = np.arange(400)
    s = confidence_sequence(sign * (0.5 + np.where(n % 2, -1.0, 1.0)), Clusters.of(n, n))
    assert s.decided is not None
    away = np.minimum(np.abs(s.low), np.abs(s.high)) * np.where(s.low * s.high > 0, 1, -1)
    assert away[s.decided] > 0
    assert not (away[: s.decided] > 0).any()


def test_a_perfect_model_is_found_better() -> None:
    """Than one that is off by 0.7 in the logit, within 300 days, and never worse."""
    reviews = simulate(np.random.default_rng(9), cards=800, days=300, reviews=12_000, card_sd=0, day_sd=0)
    perfect, other = (log_loss(reviews.known + shift, reviews.recalled) for shift in (0, -0.7))
    s = confidence_sequence(perfect - other, Clusters.of(reviews.card, reviews.day))
    assert s.decided is not None
    assert not (s.low > 0).any()


def test_beginners_with_good_and_bad_days() -> None:
    """Cards are added day by day, so days become longer, and they differ much: at most 5 % of 300 people.

    One algorithm says 98 % and the other 90 %; with a mean recall of about 95 % neither is better.
    """
    random, people, cards, days, day_sd = np.random.default_rng(11), 300, 1500, 200, 1.0
    gain, loss = log(0.98 / 0.90), log(0.10 / 0.02)
    node, weight = np.polynomial.hermite_e.hermegauss(60)
    centres = np.arange(0, 9, 0.001)
    recall = 1 / (1 + np.exp(-centres[:, None] - day_sd * node)) @ (weight / weight.sum())
    centre = np.interp(loss / (gain + loss), recall, centres)
    wrong = 0
    for _ in range(people):
        after = np.cumsum([1, 2, 5, 12, 30, 75] * random.uniform(0.8, 1.2, (cards, 6)), axis=1)
        seen = random.integers(days, size=(cards, 1)) + after
        card, day = np.nonzero(seen < days)[0], seen[seen < days].astype(np.int64)
        remembered = random.random(len(day)) < 1 / (1 + np.exp(-centre - random.normal(0, day_sd, days)[day]))
        wrong += leaves_out(confidence_sequence(np.where(remembered, -gain, loss), Clusters.of(card, day)), 0.0)
    assert wrong <= 0.05 * people


def leaves_out(s: Sequence, truth: float) -> bool:
    return bool(((s.low > truth) | (s.high < truth)).any())


def ever(people: int, cards: int, days: int, reviews: int, card_sd: float, day_sd: float) -> Tuple[float, float]:
    """The share of people whose sequence ever leaves out the truth; and the same if only daily sums are counted."""
    random = np.random.default_rng(2024)
    truth = true_difference(card_sd=card_sd, day_sd=day_sd)
    found = np.zeros(2)
    for _ in range(people):
        r = simulate(random, cards=cards, days=days, reviews=reviews, card_sd=card_sd, day_sd=day_sd)
        difference = overconfident_minus_optimistic(r)
        both_ways, days_only = Clusters.of(r.card, r.day), Clusters.of(np.arange(reviews), r.day)
        found += [leaves_out(confidence_sequence(difference, of), truth) for of in (both_ways, days_only)]
    two_way, of_days = (found / people).tolist()
    return two_way, of_days


@pytest.mark.parametrize(("cards", "days", "reviews"), [(1000, 300, 4000), (200, 200, 4000), (100, 300, 3000)], ids=str)
@pytest.mark.parametrize(("card_sd", "day_sd"), [(0, 0.3), (0, 0.8), (0.8, 0.3)], ids=str)
def test_the_truth_is_seldom_ever_left_out(cards: int, days: int, reviews: int, card_sd: float, day_sd: float) -> None:
    """By at most 5 % of 150 people."""
    assert ever(150, cards, days, reviews, card_sd, day_sd)[0] <= 0.05


def test_cards_that_come_back_need_to_be_counted() -> None:
    """40 cards over 300 days with very strong effects of cards (sd 2.5): daily sums alone are wrong too often."""
    two_way, days_only = ever(200, 40, 300, 9000, 2.5, 0.3)
    assert two_way <= 0.05
    assert days_only >= 0.075
