from __future__ import annotations

from math import sqrt
from statistics import NormalDist
from typing import Callable, Tuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from people_predicted_right import Ints, Person, people, person

from evaluator.interval import MIN_CARDS, MIN_DAYS, ConfidenceInterval
from evaluator.statistics import slices
from evaluator.statistics.paired import Clusters, Floats
from evaluator.statistics.slices import RecallSlice, largest_z_quantile, slice_recall

Z = NormalDist().inv_cdf(0.975)


def interval(s: RecallSlice) -> Tuple[float, float]:
    assert s.difference.low_high is not None
    return s.difference.low_high


def band(s: RecallSlice) -> Tuple[float, float]:
    """Return the limits of the simultaneous interval, which must exist."""
    assert s.band.low_high is not None
    return s.band.low_high


def slices_of(predicted: Floats, recalled: Ints, label: Ints, clusters: Clusters) -> Tuple[RecallSlice, ...]:
    """Return the slices, named by their labels."""
    return slice_recall(predicted, recalled, label, [str(n) for n in range(label.max(initial=-1) + 1)], clusters)


def has_band(s: RecallSlice) -> bool:
    return s.band.low_high is not None


def separate_cards(reviews: int) -> Clusters:
    """Return clusters in which each review has a card and a day of its own."""
    return Clusters.of(np.arange(reviews), np.arange(reviews))


def test_two_slices_match_hand_calculation(monkeypatch: pytest.MonkeyPatch) -> None:
    """All predictions are 0.5, in slice 3 cards 1, 1, 2 on days 0, 1, 0 recalled 1, 1, 0, in slice 7 cards 1, 2: 1, 1.

    Deviations of slice 3 from its mean 1/6: 1/3, 1/3, -2/3. V_card = 2 * ((2/3)^2 + (2/3)^2) / 9, V_both = 3/2 * (1/9 +
    1/9 + 4/9) / 9, chance alone: 3/4 / 9. Its two days sum to -1/3 and 1/3, and the cosines 1 to 3 of 1/4 and 3/4 of pi
    are c and -c, 0 and 0, -c and c, c^2 = 1/2: L_1 = -L_3 = -c 2/3, L_2 = 0. V_time = 2/3 * (2/9 + 2/9) / 9.
    The cards, and the days, are worth 3^2 / (2^2 + 1), less than 2, so there is one degree of freedom.
    """
    monkeypatch.setattr(slices, "MINIMUM", 2)
    monkeypatch.setattr(slices, "MIN_CARDS", 2)
    monkeypatch.setattr(slices, "MIN_DAYS", 2)
    monkeypatch.setattr(slices, "student_t_quantile", lambda probability, degrees: 10 * probability + degrees)
    card, day = np.array([1, 1, 2, 1, 2]), np.array([0, 1, 0, 0, 1])
    label, recalled = np.array([3, 3, 3, 7, 7]), np.array([1, 1, 0, 1, 1])
    result = slices_of(np.full(5, 0.5), recalled, label, Clusters.of(card, day))
    assert [s.name for s in result if s.reviews] == ["3", "7"]
    first, second = result[3], result[7]
    by_card, time, by_both = 2 * (4 / 9 + 4 / 9) / 9, 2 / 3 * (2 / 9 + 2 / 9) / 9, 3 / 2 * (6 / 9) / 9
    assert by_card > by_card + time - by_both
    assert by_card > 0.75 / 9
    assert first.reviews == 3
    assert (first.predicted, first.recalled, first.difference.estimate) == pytest.approx((1 / 2, 2 / 3, 2 / 3 - 1 / 2))
    assert first.difference.standard_error == first.band.standard_error == pytest.approx(sqrt(by_card))
    assert interval(first) == pytest.approx((1 / 6 - 10.75 * sqrt(by_card), 1 / 6 + 10.75 * sqrt(by_card)))
    assert second.difference.estimate == second.band.estimate == 1 / 2
    # Without deviations, only chance is left.
    chance_alone = sqrt(2 * 0.25 / 4)
    assert second.difference.standard_error == pytest.approx(chance_alone)
    assert [has_band(s) for s in result if s.reviews] == [True, True]


def test_small_slices_are_blank() -> None:
    label = np.where(np.arange(199) < 99, 0, 1)
    result = slices_of(np.full(199, 0.5), np.arange(199) % 2, label, separate_cards(199))
    unknown = ConfidenceInterval(None, reason="too_few")
    assert result[0] == RecallSlice("0", 99, None, None, unknown, unknown)
    assert result[1].reviews == 100
    assert band(result[1]) == interval(result[1])
    assert not has_band(result[0])


def test_few_days_or_cards_give_no_interval() -> None:
    n = np.arange(400)
    for clusters in (Clusters.of(n, n % (MIN_DAYS - 1)), Clusters.of(n % (MIN_CARDS - 1), n)):
        result = slices_of(np.full(400, 0.5), n % 2, n // 200, clusters)
        assert [(s.difference, s.band) for s in result] == [(ConfidenceInterval(0.0, reason="too_few"),) * 2] * 2


def test_slices_are_empty_without_reviews() -> None:
    none = np.zeros(0, dtype=np.int64)
    assert slices_of(np.zeros(0), none, none, separate_cards(0)) == ()
    unknown = ConfidenceInterval(None, reason="no_reviews")
    empty = slice_recall(np.zeros(0), none, none, ("some",), separate_cards(0))
    assert empty == (RecallSlice("some", 0, None, None, unknown, unknown),)


def test_certain_and_right_predictions_have_no_width() -> None:
    n = np.arange(400)
    predicted = np.where(n < 200, 1.0, 0.5)
    recalled = np.where(n < 200, 1, n % 2)
    result = slices_of(predicted, recalled, n // 200, separate_cards(400))
    assert (interval(result[0]), band(result[0])) == ((0.0, 0.0), (0.0, 0.0))
    assert interval(result[1])[0] < 0


def test_slice_without_lapses_is_not_certain() -> None:
    zeros = np.zeros(100, dtype=np.int64)
    result = slices_of(np.full(100, 0.99), zeros + 1, zeros, separate_cards(100))
    assert result[0].difference.standard_error == pytest.approx(sqrt(0.99 * 0.01 / 100))
    assert interval(result[0])[0] < 0 < interval(result[0])[1]


@pytest.fixture(autouse=True)
def _few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slices, "DRAWS", 500)


def sliced(p: Person, label: Ints) -> Tuple[RecallSlice, ...]:
    return slices_of(p.predicted, p.recalled, label, p.clusters)


@given(st.integers(0, 2**32 - 1))
def test_slices_add_up_and_bands_are_wider(seed: int) -> None:
    random = np.random.default_rng(seed)
    p = person(random, 1500)
    result = sliced(p, p.level)
    assert result == sliced(p, p.level)
    for s in result:
        assert band(s)[0] < interval(s)[0] < interval(s)[1] < band(s)[1]
    mean_difference = sum(s.difference.value * s.reviews for s in result) / 1500
    assert mean_difference == pytest.approx((p.recalled - p.predicted).mean(), abs=1e-12)
    order = random.permutation(1500)
    clusters = Clusters.of(p.clusters.card[order] * 3 - 7, p.clusters.day[order])
    reordered = slices_of(p.predicted[order], p.recalled[order], p.level[order], clusters)
    for s, t in zip(result, reordered, strict=True):
        assert (*interval(s), *band(s)) == pytest.approx((*interval(t), *band(t)))


def test_blocks_do_not_change_results(monkeypatch: pytest.MonkeyPatch) -> None:
    p = person(np.random.default_rng(5))
    undivided = sliced(p, p.level)
    monkeypatch.setattr(slices, "_BLOCK", 50)
    parts = sliced(p, p.level)
    for s, t in zip(undivided, parts, strict=True):
        assert (*interval(s), *band(s)) == pytest.approx((*interval(t), *band(t)))


def test_largest_of_independent_values_matches_its_formula() -> None:
    """P(all |z| <= c) = P(|z| <= c)^S. Fully dependent ones are as one, and impossible correlations do no harm."""
    independent = NormalDist().inv_cdf(0.5 + 0.95 ** (1 / 8) / 2)
    assert largest_z_quantile(np.eye(8), 40_000, 1) == pytest.approx(independent, abs=0.02)
    assert largest_z_quantile(np.ones((8, 8)), 40_000, 1) == pytest.approx(Z, abs=0.02)
    odd = np.array([[1, 0.9, -0.9], [0.9, 1, 0.9], [-0.9, 0.9, 1]])
    assert Z < largest_z_quantile(odd, 2_000, 1) < 2.4


def by_level(p: Person) -> Ints:
    return p.level


def by_card(p: Person) -> Ints:
    return p.clusters.card // 20


def by_month(p: Person) -> Ints:
    """Put each day into one slice of 25 days."""
    return p.clusters.day // 25


@pytest.mark.parametrize(
    ("label", "reviews", "days"), [(by_level, 3000, 60), (by_card, 3000, 60), (by_month, 5000, 150)]
)
def test_bands_cover_all_slices_at_once(label: Callable[[Person], Ints], reviews: int, days: int) -> None:
    count = 300
    all_in_band = all_in_interval = pointwise = 0.0
    for p in people(np.random.default_rng(2023), count, reviews, days=days):
        result = sliced(p, label(p))
        inside = [interval(s)[0] <= 0 <= interval(s)[1] for s in result]
        pointwise += sum(inside) / len(inside)
        all_in_interval += all(inside)
        all_in_band += all(band(s)[0] <= 0 <= band(s)[1] for s in result)
    assert 0.92 <= pointwise / count <= 0.99
    assert 0.92 <= all_in_band / count <= 0.99
    assert all_in_interval / count < 0.85
