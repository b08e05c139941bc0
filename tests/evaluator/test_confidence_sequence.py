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

from evaluator.interval import MIN_GROUPS
from evaluator.statistics import confidence_sequence as module
from evaluator.statistics.confidence_sequence import NARROWEST, Sequence, confidence_sequence
from evaluator.statistics.paired import Clusters
from evaluator.statistics.student_t import student_t_p_value
from tools.simulate.reviews import log_loss, overconfident_minus_optimistic, simulate, true_difference

Floats = npt.NDArray[np.float64]
Sample = Tuple[Floats, npt.NDArray[np.int64], npt.NDArray[np.int64]]


def test_by_hand() -> None:
    """One review of its own card on each of 50 days, 1 and -1 in turn.

    On day T the variance of the sum is T * T / (T - 1).
    """
    n = np.arange(50)
    s = confidence_sequence(np.where(n % 2, -1.0, 1.0), Clusters.of(n, n))
    assert list(s.day) == list(n)
    assert list(s.reviews) == list(n + 1)
    assert s.mean[:4] == pytest.approx([1, 0, 1 / 3, 0])
    assert np.isnan(s.low[: MIN_GROUPS - 1]).all()
    x = 8.2120  # solves x = ln(1 + x) - 2 ln 0.05
    assert x == pytest.approx(log(1 + x) - 2 * log(0.05), abs=3e-4)
    r = x / (10 * 40 * 40 / 39)  # 10 times what the variance is on day 40
    # After 41 days the mean is 1 / 41 and the variance (41 - 41 / 41^2) * 41 / 40.
    for days, mean, variance in ((40, 0, 40 * 40 / 39), (41, 1 / 41, (41 - 1 / 41) * 41 / 40), (50, 0, 50 * 50 / 49)):
        errors = sqrt((variance + 1 / r) * log((variance * r + 1) / 0.05**2) / variance)
        low, high = ((end - mean) * days / sqrt(variance) for end in (s.low[days - 1], s.high[days - 1]))
        assert low == pytest.approx(-high)
        assert student_t_p_value(high, days - 1) == pytest.approx(2 * NormalDist().cdf(-errors), rel=1e-3)
    assert s.confidence == 0.95
    assert s.decided is None


def test_width_in_standard_errors() -> None:
    """3.8 at first, 3.0 where narrowest, 3.2 at a hundred times the first variance; of Student's t 4.2 on day 40."""
    variance = np.array([1, NARROWEST, 100])
    assert module._reach(variance, 0.05) / np.sqrt(variance) == pytest.approx([3.82, 3.035, 3.246], abs=0.005)
    assert module._reach_by_student_t(np.array([4.0]), np.array([39]), 0.05)[0] / 2 == pytest.approx(4.24, abs=0.005)


def test_its_variance_never_falls() -> None:
    """After 40 days of 1 and -1 in turn 40 days of 0: the sum of the squares stays 40, and G / (G - 1) falls.

    So the variance stays at its highest, 40 * 40 / 39 of day 40, where the last day alone would give 40 * 80 / 79.
    """
    n = np.arange(80)
    s = confidence_sequence(np.where(n < 40, np.where(n % 2, -1.0, 1.0), 0.0), Clusters.of(n, n))
    variance = 40 * 40 / 39
    x = 8.2120 / 10  # as above, at the first variance
    errors = sqrt((1 + 1 / x) * log((1 + x) / 0.05**2))
    p_value = student_t_p_value(s.high[-1] * 80 / sqrt(variance), 79)
    assert p_value == pytest.approx(2 * NormalDist().cdf(-errors), rel=1e-3)


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
    n, cards, days = (draw(st.integers(low, high)) for low, high in ((300, 500), (40, 90), (40, 70)))
    card, day = random.integers(cards, size=n), np.sort(random.integers(days, size=n))
    return random.normal(draw(st.sampled_from([0, 0.3, 5])), 1, n), card, day


def variance_of_sum(difference: Floats, clusters: Clusters) -> float:
    """Both ways, days independent: of cards plus of days minus of both, never below one of the first two."""
    parts = []
    for group in (clusters.card, clusters.day, clusters.both):
        total = np.bincount(group, difference - difference.mean())
        parts.append(len(total) / (len(total) - 1) * float(total @ total))
    return max(parts[0], parts[1], parts[0] + parts[1] - parts[2])


@given(samples())
def test_its_variance_is_clustered_both_ways(sample: Sample) -> None:
    difference, card, day = sample
    s = confidence_sequence(difference, Clusters.of(card, day))
    variance, degrees = [], []
    for last, mean, low in zip(np.unique(day), s.mean, s.low, strict=True):
        so_far = day <= last
        assert mean == pytest.approx(difference[so_far].mean())
        groups = min(len(np.unique(card[so_far])), len(np.unique(day[so_far])))
        assert np.isnan(low) == (groups < MIN_GROUPS)
        if groups >= MIN_GROUPS:
            variance.append(variance_of_sum(difference[so_far], Clusters.of(card[so_far], day[so_far])))
            degrees.append(groups - 1)
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
    n = np.arange(60)
    s = confidence_sequence(np.zeros(60), Clusters.of(n, n))
    assert (s.mean == 0).all()
    assert (s.low[39:] == 0).all()
    assert (s.high[39:] == 0).all()
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


def ever(people: int, cards: int, days: int, reviews: int, card_sd: float, day_sd: float) -> Tuple[float, float, float]:
    """The share of people whose sequence ever leaves out the truth.

    The same if only daily sums are counted, and if ordinary intervals (1.96 standard errors) are looked at daily.
    """
    random = np.random.default_rng(2024)
    truth = true_difference(card_sd=card_sd, day_sd=day_sd)
    found = np.zeros(3)
    for _ in range(people):
        r = simulate(random, cards=cards, days=days, reviews=reviews, card_sd=card_sd, day_sd=day_sd)
        difference, clusters = overconfident_minus_optimistic(r), Clusters.of(r.card, r.day)
        s = confidence_sequence(difference, clusters)
        each_its_card = Clusters.of(np.arange(reviews), r.day)
        cells = module._cells(difference - truth, clusters)
        variance = module._running_variance(cells, s.mean - truth)
        with_interval = ~np.isnan(s.low)
        error = np.abs(s.mean - truth) * s.reviews / np.sqrt(np.maximum(variance, 1e-12))
        found += (
            leaves_out(s, truth),
            leaves_out(confidence_sequence(difference, each_its_card), truth),
            (error[with_interval] > 1.96).any(),
        )
    two_way, days_only, pointwise = found / people
    return float(two_way), float(days_only), float(pointwise)


@pytest.mark.parametrize(("cards", "days", "reviews"), [(1000, 400, 4000), (200, 200, 4000), (100, 600, 3000)], ids=str)
@pytest.mark.parametrize(("card_sd", "day_sd"), [(0, 0.3), (0, 0.8), (0.8, 0.3)], ids=str)
def test_the_truth_is_seldom_ever_left_out(cards: int, days: int, reviews: int, card_sd: float, day_sd: float) -> None:
    """By at most 5 % of 200 people; looking daily at ordinary intervals, by at least three times as many."""
    two_way, _, pointwise = ever(200, cards, days, reviews, card_sd, day_sd)
    assert two_way <= 0.05
    assert pointwise >= 0.15


def test_cards_that_come_back_need_to_be_counted() -> None:
    """60 cards over 600 days with strong effects of cards (sd 1.5): daily sums alone fail twice as often as allowed."""
    two_way, days_only, _ = ever(200, 60, 600, 9000, 1.5, 0.3)
    assert two_way <= 0.05
    assert days_only >= 0.075
