from __future__ import annotations

from math import cos, pi, sqrt
from typing import Any, Tuple

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.interval import MIN_CARDS, MIN_DAYS, ConfidenceInterval
from evaluator.report import RarerOutcome
from evaluator.statistics import paired
from evaluator.statistics.paired import (
    Clusters,
    VarianceComponents,
    paired_difference,
    realized_difference,
    skewness_corrected_t,
    variance_components,
)

Sample = Tuple[npt.NDArray[np.float64], npt.NDArray[np.int64], npt.NDArray[np.int64]]


def sample(*reviews: Tuple[float, int, int]) -> Sample:
    """Return the columns of reviews given as (difference, card, day)."""
    difference, card, day = zip(*reviews, strict=True)
    return np.array(difference, dtype=float), np.array(card), np.array(day)


def compare(difference: npt.NDArray[np.float64], card: npt.NDArray[Any], day: npt.NDArray[Any]) -> ConfidenceInterval:
    """Return the mean difference of reviews of these cards on these days, with its interval."""
    return paired_difference(difference, Clusters.of(card, day))


@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(-2, 2))))
def test_clusters_are_numbered_by_their_labels(labels):
    card, day = np.array(labels, dtype=np.int64).reshape(-1, 2).T
    clusters = Clusters.of(card, day)
    cards, days, pairs = (sorted(set(column)) for column in (card.tolist(), day.tolist(), labels))
    assert clusters.card.tolist() == [cards.index(c) for c, _ in labels]
    assert clusters.day.tolist() == [days.index(d) for _, d in labels]
    assert clusters.both.tolist() == [pairs.index(pair) for pair in labels]
    assert (clusters.cards, clusters.days) == (len(cards), len(days))


@pytest.fixture
def few_are_enough(monkeypatch):
    """Let three cards on four days be enough for an interval."""
    monkeypatch.setattr(paired, "MIN_CARDS", 3)
    monkeypatch.setattr(paired, "MIN_DAYS", 4)


def components_of(*reviews: Tuple[float, int, int]) -> VarianceComponents:
    """Return the variance components of reviews given as (difference, card, day)."""
    difference, card, day = sample(*reviews)
    return variance_components(difference, Clusters.of(card, day))


@pytest.mark.usefixtures("few_are_enough")
def test_interval_from_time_alone_matches_hand_calculation():
    """Three cards on four days have a mean of 1. Time alone counts.

    Deviations: card 7: 2, 1 (day 0); card 8: -1, 0 (days 1, 2); card 9: -3, 1 (days 2, 3). The days' sums are 3, -1, -3
    and 1. Their cosine sums, with c = cos(pi / 8) and d = cos(3 pi / 8), are sqrt(1 / 2) times 3 c - d + 3 d - c,
    sqrt(1 / 2) (3 + 1 + 3 + 1) and 3 d + c - 3 c - d.
    """
    reviews = ((3, 7, 0), (2, 7, 0), (0, 8, 1), (1, 8, 2), (-2, 9, 2), (2, 9, 3))
    result = components_of(*reviews)
    c, d = cos(pi / 8), cos(3 * pi / 8)
    sums = [sqrt(1 / 2) * x for x in (2 * c + 2 * d, 8 * sqrt(1 / 2), 2 * d - 2 * c)]
    card = 2 / 3 * ((3 / 4) ** 2 + (-1 / 4) ** 2 + (-2 / 4) ** 2)
    time = 4 / 3 * sum(x**2 for x in sums) / 6**2
    both = 4 / 5 * ((3 / 4) ** 2 + (-1 / 5) ** 2 + 0 + (-3 / 5) ** 2 + (1 / 5) ** 2)
    assert (result.card, result.time, result.both) == pytest.approx((card, time, both))
    assert card + time - both < card < time
    assert result.standard_error == pytest.approx(sqrt(time))
    # There are three cards, three cosines and effectively 6^2 / (2^2 + 1 + 2^2 + 1) = 3.6 days.
    assert result.degrees == 3 - 1
    k = ((3 / 6) ** 3 + (-1 / 6) ** 3 + (-2 / 6) ** 3) / sqrt(time) ** 3
    assert result.skewness == pytest.approx(k)
    # The quantile of Student's t with 2 degrees of freedom.
    t = 4.302653
    difference, *labels = sample(*reviews)
    interval = paired_difference(difference, Clusters.of(*labels))
    assert interval.low == pytest.approx(1 - t * sqrt(time))
    x = ((interval.high or 0) - 1) / sqrt(time)
    assert x - k * (x**2 / 3 + 1 / 6) + k**2 * x**3 / 27 == pytest.approx(t)
    assert x > t


@pytest.mark.usefixtures("few_are_enough")
def test_realized_difference_matches_hand_calculation():
    """The mean is 1 and the deviations are -1, -1, -1, -1, 0 and 4. Cards and days do not matter."""
    difference, card, day = sample((0, 7, 0), (0, 7, 0), (0, 8, 1), (0, 8, 2), (1, 9, 2), (5, 9, 3))
    d = realized_difference(difference, Clusters.of(card, day))
    error = sqrt(20 / 6 / 6)
    k = (4**3 - 4) / 20**1.5
    assert (d.estimate, d.standard_error) == pytest.approx((1, error))
    assert d.low == pytest.approx(1 - 1.959964 * error)
    x = ((d.high or 0) - 1) / error
    assert x - k * (x**2 / 3 + 1 / 6) + k**2 * x**3 / 27 == pytest.approx(1.959964)
    assert x > 1.96


@given(st.floats(-13, 13), st.floats(-1, 1))
def test_correction_for_skewness_inverts_its_formula(t, skewness):
    x = skewness_corrected_t(t, skewness)
    assert x + skewness * (x**2 / 3 + 1 / 6) + skewness**2 * x**3 / 27 == pytest.approx(t, abs=1e-5)
    assert skewness_corrected_t(t, -skewness) == pytest.approx(-skewness_corrected_t(-t, skewness))
    assert skewness_corrected_t(t, skewness) < skewness_corrected_t(t + 0.1, skewness)
    assert skewness_corrected_t(t, 0.0) == t
    if 0.01 < skewness < 0.5:
        assert skewness_corrected_t(-2.0, skewness) < -2 < skewness_corrected_t(2.0, skewness) < 2


@pytest.mark.usefixtures("few_are_enough")
def test_card_and_time_variances_match_hand_calculation():
    reviews = [(1, 1, 0), (1, 1, 1), (1, 2, 0), (1, 2, 1), (-1, 3, 2), (-1, 3, 3), (-1, 4, 2), (-1, 4, 3)]
    result = components_of(*reviews)
    c, d = cos(pi / 8), cos(3 * pi / 8)
    sums = [sqrt(1 / 2) * x for x in (4 * c + 4 * d, 0, 4 * d - 4 * c)]
    card = 3 / 4 * 4 * (2 / 6) ** 2
    time = 4 / 3 * sum(x**2 for x in sums) / 8**2
    both = 7 / 8 * 8 * (1 / 7) ** 2
    assert (result.card, result.time, result.both) == pytest.approx((card, time, both))
    assert result.standard_error == pytest.approx(sqrt(card + time - both))
    card_variance = card - both
    assert (card_variance + time) ** 2 / (card_variance**2 / (4 - 1) + time**2 / 3) > 3
    assert result.degrees == pytest.approx(4 - 1)


@pytest.mark.usefixtures("few_are_enough")
def test_cards_alone_match_hand_calculation():
    result = components_of(*[(sign, 2 * day + (sign > 0), day) for day in range(4) for sign in (1, -1)])
    assert result.time == pytest.approx(0)
    assert result.card == pytest.approx(7 / 8 * 8 * (1 / 7) ** 2)
    assert result.both == pytest.approx(result.card)
    assert result.standard_error == pytest.approx(sqrt(result.card))
    assert result.degrees == min(8, 4) - 1


@pytest.mark.parametrize(("days", "cosines"), [(8, 3), (13, 3), (14, 4), (17, 4), (18, 5), (22, 6), (400, 6)])
def test_number_of_cosines_follows_the_days(days, cosines):
    """The number is a quarter of the days, rounded, but at least 3 and at most 6."""
    assert len(paired.cosine_sums(np.zeros(days))) == paired.cosine_count(days) == cosines


def test_cosine_sums_isolate_a_cosine():
    """Days that follow the second cosine have only that component, sqrt(2 / T) * T / 2."""
    daily = np.cos(np.pi * 2 * (np.arange(40) + 0.5) / 40)
    assert paired.cosine_sums(daily) == pytest.approx([0, sqrt(40 / 2), 0, 0, 0, 0])


def test_effective_number_of_groups_matches_hand_calculation():
    day = np.repeat(np.arange(9), [60] + [5] * 8)
    sizes = Clusters.of(np.arange(100) // 4, day).effective_sizes
    assert sizes == pytest.approx((25, 100**2 / (60**2 + 8 * 5**2), 3))


@st.composite
def samples(draw: st.DrawFn) -> Sample:
    """Draw differences of reviews on enough cards and days."""
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n = draw(st.integers(160, 600))
    card = np.arange(n) % draw(st.integers(MIN_CARDS, 90))
    day = np.arange(n) // 3 % draw(st.integers(MIN_DAYS, 50))
    return random.normal(0.1, 1, n), card, random.permutation(day)


@given(samples(), st.integers(2, 1000))
def test_names_of_cards_and_order_within_days_do_not_matter(s, factor):
    random = np.random.default_rng(1)
    order = random.permutation(len(s[0]))
    names = random.permutation(1000)
    original = compare(*s)
    changed = compare(s[0][order], names[s[1][order]], s[2][order] * factor - 5)
    assert (changed.estimate, changed.low, changed.high) == pytest.approx(
        (original.estimate, original.low, original.high)
    )


@given(samples())
def test_degrees_of_freedom_match_hand_calculation(s):
    result = variance_components(s[0], Clusters.of(s[1], s[2]))
    cards, days = (len(s[0]) ** 2 / (np.bincount(group) ** 2).sum() for group in (s[1], s[2]))
    card_variance = max(result.card - result.both, 0)
    cosines = min(max(round(len(set(s[2].tolist())) / 4 + 1e-9), 3), 6)
    expected = (card_variance + result.time) ** 2 / (card_variance**2 / (cards - 1) + result.time**2 / cosines)
    if result.standard_error == sqrt(result.card):
        expected = cards - 1
    assert result.degrees == pytest.approx(min(expected, cards - 1, days - 1))


@pytest.mark.parametrize(("cards", "days"), [(MIN_CARDS - 1, 200), (200, MIN_DAYS - 1), (1, 1)])
def test_too_few_cards_or_days_give_no_interval(cards, days):
    n = np.arange(200)
    for function in (paired_difference, realized_difference):
        d = function(n / 200, Clusters.of(n % cards, n % days))
        assert d.estimate == pytest.approx(199 / 2 / 200)
        assert (d.standard_error, d.low, d.high, d.reason) == (None, None, None, "too_few")


@pytest.mark.parametrize("common", [0, 1])
@pytest.mark.parametrize(
    ("rare", "cards", "days", "reason"),
    [(10, 5, 5, None), (9, 9, 9, "rare_outcome"), (10, 4, 10, "rare_outcome"), (10, 10, 4, "rare_outcome")],
)
def test_rare_outcome_gives_no_interval(common, rare, cards, days, reason):
    """The rarer outcome needs at least 10 reviews, 5 cards and 5 days."""
    n = np.arange(400)
    card = n % 40
    day = n // 40
    recalled = np.full(400, common)
    card[:rare] = n[:rare] % cards
    day[:rare] = n[:rare] % days
    recalled[:rare] = 1 - common
    clusters = Clusters.of(card, day, recalled)
    assert clusters.rarer == RarerOutcome(1 - common, rare, cards, days)
    assert paired_difference(n / 400, clusters).reason == realized_difference(n / 400, clusters).reason == reason
    assert paired_difference(n / 400, Clusters.of(card, day)).reason is None


def test_clusters_of_a_subset_are_numbered_anew():
    clusters = Clusters.of(np.array([5, 6, 5, 9]), np.array([1, 2, 2, 3]), np.array([1, 0, 1, 1]))
    for subset in (clusters.take(np.array([0, 2, 3])), clusters.take(np.array([True, False, True, True]))):
        assert (subset.card.tolist(), subset.day.tolist()) == ([0, 0, 1], [0, 1, 2])
        assert subset.rarer == RarerOutcome(0, 0, 0, 0)
