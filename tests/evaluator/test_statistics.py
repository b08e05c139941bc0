"""What the numbers can bear: quantiles, clustered variance, and intervals that cover what they should."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist
from typing import Any, List, Tuple

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.interval import MIN_GROUPS, Interval
from evaluator.statistics import paired
from evaluator.statistics.paired import Clusters, paired_difference, smallest_detectable
from evaluator.statistics.student_t import student_t_quantile

Sample = Tuple[npt.NDArray[np.float64], npt.NDArray[np.int64], npt.NDArray[np.int64]]


@pytest.mark.parametrize(
    ("probability", "degrees", "published"),
    [
        (0.975, 39, 2.0227),
        (0.975, 60, 2.0003),
        (0.975, 100, 1.9840),
        (0.975, 120, 1.9799),
        (0.95, 40, 1.6839),
        (0.995, 40, 2.7045),
        (0.995, 100, 2.6259),
    ],
)
def test_quantiles_of_published_tables(probability: float, degrees: int, published: float) -> None:
    assert student_t_quantile(probability, degrees) == pytest.approx(published, abs=5.1e-5)


def test_quantiles_approach_the_normal_ones() -> None:
    normal = NormalDist().inv_cdf(0.975)
    assert student_t_quantile(0.975, 10**6) == pytest.approx(normal, abs=1e-5)
    assert student_t_quantile(0.975, 40) > student_t_quantile(0.975, 80) > normal


def test_quantiles_are_symmetric() -> None:
    """About 0."""
    assert student_t_quantile(0.025, 50) == pytest.approx(-student_t_quantile(0.975, 50))
    assert student_t_quantile(0.5, 50) == pytest.approx(0, abs=1e-12)


def test_few_degrees_have_no_quantile() -> None:
    with pytest.raises(ValueError, match="9 degrees of freedom; at least 10 are needed"):
        student_t_quantile(0.975, 9)


def sample(*reviews: Tuple[float, int, int]) -> Sample:
    """(difference, card, day) of each review."""
    difference, card, day = zip(*reviews, strict=True)
    return np.array(difference, dtype=float), np.array(card), np.array(day)


def compare(difference: npt.NDArray[np.float64], card: npt.NDArray[Any], day: npt.NDArray[Any]) -> Interval:
    """The paired difference of reviews of these cards on these days."""
    return paired_difference(difference, Clusters.of(card, day))


@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(-2, 2))))
def test_clusters_are_numbered_by_their_labels(labels: List[Tuple[int, int]]) -> None:
    """Cards, days and pairs of both, each in sorted order, in whatever order the reviews come."""
    card, day = np.array(labels, dtype=np.int64).reshape(-1, 2).T
    clusters = Clusters.of(card, day)
    cards, days, pairs = (sorted(set(column)) for column in (card.tolist(), day.tolist(), labels))
    assert clusters.card.tolist() == [cards.index(c) for c, _ in labels]
    assert clusters.day.tolist() == [days.index(d) for _, d in labels]
    assert clusters.both.tolist() == [pairs.index(pair) for pair in labels]
    assert (clusters.cards, clusters.days) == (len(cards), len(days))


def test_six_reviews_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three cards on three days; the mean is 1.

    Deviations: card 7: 2, 1 (days 0, 0); card 8: -1, 0 (days 0, 1); card 9: -3, 1 (days 1, 2).
    V_card = ((2 + 1)^2 + (-1 + 0)^2 + (-3 + 1)^2) / 36, V_day = ((2 + 1 - 1)^2 + (0 - 3)^2 + 1^2) / 36,
    V_both = ((2 + 1)^2 + (-1)^2 + 0 + (-3)^2 + 1^2) / 36, each times G / (G - 1) for 3, 3 and 5 groups.
    """
    monkeypatch.setattr(paired, "MIN_GROUPS", 3)
    monkeypatch.setattr(paired, "student_t_quantile", lambda probability, degrees: 100 * probability + degrees)
    d = compare(*sample((3, 7, 0), (2, 7, 0), (0, 8, 0), (1, 8, 1), (-2, 9, 1), (2, 9, 2)))
    by_card, by_day = (9 + 1 + 4) / 36 * 3 / 2, (4 + 9 + 1) / 36 * 3 / 2
    by_both = (9 + 1 + 0 + 9 + 1) / 36 * 5 / 4
    assert by_card + by_day - by_both < by_card  # so the larger one-way variance counts
    assert d.estimate == pytest.approx((3 + 2 + 0 + 1 - 2 + 2) / 6)
    assert d.standard_error == pytest.approx(sqrt(max(by_card, by_day)))
    reach = (97.5 + (3 - 1)) * sqrt(14 / 36 * 3 / 2)
    assert (d.low, d.high) == pytest.approx((1 - reach, 1 + reach))


def test_two_way_variance_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deviations 1, 1 (card 1, days 0, 1), -1 (card 2, day 0), -1 (card 3, day 1), and 3 -3 that cancel on one card.

    V_card = (2^2 + 1 + 1 + 0) / 36, V_day = (0 + 0 + (3 - 3)^2) / 36 and V_both = (1 + 1 + 1 + 1 + 0) / 36. Then
    with deviations that agree within days: V_card = (2^2 + 4 * 1) / 36, V_day = (2^2 + 0 + 2^2) / 36, V_both = 6 / 36.
    Each times G / (G - 1): first for 4 cards, 3 days and 5 pairs, then for 5 cards, 3 days and 6 pairs.
    """
    monkeypatch.setattr(paired, "MIN_GROUPS", 3)
    monkeypatch.setattr(paired, "student_t_quantile", lambda probability, degrees: float(degrees))
    d = compare(*sample((1, 1, 0), (1, 1, 1), (-1, 2, 0), (-1, 3, 1), (3, 4, 2), (-3, 4, 2)))
    assert d.estimate == 0
    assert d.standard_error == pytest.approx(sqrt(6 / 36 * 4 / 3))
    d = compare(*sample((1, 1, 0), (1, 1, 1), (1, 2, 0), (-1, 3, 1), (-1, 4, 2), (-1, 5, 2)))
    assert d.standard_error == pytest.approx(sqrt((8 * 5 / 4 + 8 * 3 / 2 - 6 * 6 / 5) / 36))


@st.composite
def samples(draw: st.DrawFn) -> Sample:
    """Differences of reviews on enough cards and days."""
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n = draw(st.integers(MIN_GROUPS * 4, 600))
    card, day = np.arange(n) % draw(st.integers(MIN_GROUPS, 90)), np.arange(n) // 3 % draw(st.integers(MIN_GROUPS, 50))
    return random.normal(0.1, 1, n), card, random.permutation(day)


@given(samples())
def test_swapping_flips_the_sign(s: Sample) -> None:
    difference, card, day = s
    ab, ba = compare(difference, card, day), compare(-difference, card, day)
    assert ba.estimate == pytest.approx(-ab.known)
    assert ba.standard_error == pytest.approx(ab.standard_error)
    assert (ba.low, ba.high) == pytest.approx((-(ab.high or 0), -(ab.low or 0)))


@given(samples())
def test_a_against_a_is_exactly_0(s: Sample) -> None:
    """With an interval of exactly 0."""
    d = compare(s[0] - s[0], s[1], s[2])
    assert (d.estimate, d.standard_error, d.low, d.high) == (0, 0, 0, 0)


@given(samples(), st.integers(2, 1000))
def test_names_of_cards_and_days_do_not_matter(s: Sample, factor: int) -> None:
    order = np.random.default_rng(1).permutation(len(s[0]))
    a, b = compare(*s), compare(s[0][order], s[1][order] * factor - 5, s[2][order] - factor)
    assert (a.estimate, a.low, a.high) == pytest.approx((b.estimate, b.low, b.high))


@given(samples(), st.floats(0.001, 1000))
def test_scale_carries_over(s: Sample, factor: float) -> None:
    a, b = compare(*s), compare(s[0] * factor, s[1], s[2])
    assert b.standard_error == pytest.approx(factor * (a.standard_error or 0))


@given(samples())
def test_a_review_alone_on_its_card_and_day_is_as_independent(s: Sample) -> None:
    """With a card and a day of its own for every review the variance is the plain one of a mean."""
    own = np.arange(len(s[0]))
    d = compare(s[0], own, own)
    assert d.standard_error == pytest.approx(s[0].std(ddof=1) / sqrt(len(own)))


@given(samples())
def test_never_less_than_either_way_alone(s: Sample) -> None:
    difference, card, day = s
    own = np.arange(len(card))
    both = compare(*s).standard_error or 0
    for cluster in (card, day):
        sums = np.bincount(cluster, difference - difference.mean())
        assert both >= sqrt((sums**2).sum()) / len(own) - 1e-12


@pytest.mark.parametrize(("cards", "days"), [(MIN_GROUPS - 1, 200), (200, MIN_GROUPS - 1), (1, 1)])
def test_too_few_cards_or_days_give_no_interval(cards: int, days: int) -> None:
    n = np.arange(200)
    d = compare(n / 200, n % cards, n % days)
    assert d.estimate == pytest.approx(199 / 2 / 200)
    assert (d.standard_error, d.low, d.high) == (None, None, None)


def test_enough_cards_and_days_give_one() -> None:
    n = np.arange(200)
    d = compare(n / 200, n % MIN_GROUPS, n % MIN_GROUPS)
    assert d.low < d.estimate < d.high


def test_intervals_cover_the_truth() -> None:
    """Of 1,000 simulated people with effects of card and day, 90 to 97 % of the 95 % intervals hold the true 0.3.

    The same without clustering, one review one group, holds it far less often: that is why there is clustering.
    """
    random = np.random.default_rng(2023)
    cards, days, reviews, people = 90, 60, 700, 1000
    covered = naive = 0
    for _ in range(people):
        card, day = random.integers(cards, size=reviews), random.integers(days, size=reviews)
        effects = random.normal(0, 0.6, cards)[card] + random.normal(0, 0.4, days)[day]
        difference = 0.3 + effects + random.normal(0, 1, reviews)
        d = compare(difference, card, day)
        assert d.low is not None
        assert d.high is not None
        covered += d.low <= 0.3 <= d.high
        naive += abs(difference.mean() - 0.3) <= 1.96 * difference.std() / sqrt(reviews)
    assert 0.90 <= covered / people <= 0.97
    assert naive / people < 0.8


def test_few_unequal_cards_are_covered_too() -> None:
    """60 cards, some reviewed ten times as often as others, on 45 days, with strong effects of both: 93 to 97 %."""
    random = np.random.default_rng(11)
    cards, days, reviews, people = 60, 45, 1500, 2000
    covered = 0
    for _ in range(people):
        weight = random.gamma(2, 1, cards)
        card, day = random.choice(cards, reviews, p=weight / weight.sum()), random.integers(days, size=reviews)
        effects = random.normal(0, 0.6, cards)[card] + random.normal(0, 0.4, days)[day]
        d = compare(effects + random.normal(0, 1, reviews), card, day)
        assert d.low is not None
        assert d.high is not None
        covered += d.low <= 0 <= d.high
    assert 0.93 <= covered / people <= 0.97


def test_smallest_detectable_by_hand() -> None:
    """From the t table: 1.9600 + 0.8416 for many, 2.0227 + 0.8509 for 39, 1.9840 + 0.8452 for 100 degrees."""
    for degrees, upper, power in ((10**7, 1.9600, 0.8416), (39, 2.0227, 0.8509), (100, 1.9840, 0.8452)):
        assert smallest_detectable(0.01, degrees) == pytest.approx(0.01 * (upper + power), abs=1.1e-6)


def test_a_difference_of_that_size_is_found_four_times_in_five() -> None:
    """Simulated: 20,000 means with an estimated standard error, 40 degrees."""
    random = np.random.default_rng(28)
    groups, true_error = 41, 1 / np.sqrt(41)
    values = random.normal(smallest_detectable(true_error, groups - 1), 1, (20_000, groups))
    t = values.mean(axis=1) / (values.std(axis=1, ddof=1) / np.sqrt(groups))
    assert (t > 2.0211).mean() == pytest.approx(0.80, abs=0.01)
