from __future__ import annotations

from math import comb
from typing import List, Tuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.findings.thresholds import MIN_DOT_OFF, MIN_OF_DOT
from evaluator.statistics.slices import BIN_NAMES, NORMAL_FROM, RecallSlice, calibration_slices, slice_recall


def slices_of(groups: List[Tuple[float, int, int]], *, min_reviews: int = MIN_OF_DOT) -> Tuple[RecallSlice, ...]:
    """Return a slice for each group, given its prediction, its number of reviews, and how many were remembered."""
    sizes = [reviews for _predicted, reviews, _remembered in groups]
    predicted = np.repeat([predicted for predicted, _reviews, _remembered in groups], sizes)
    outcomes = [np.arange(reviews) < remembered for _predicted, reviews, remembered in groups]
    label = np.repeat(np.arange(len(groups)), sizes)
    names = [str(number) for number in range(len(groups))]
    recalled = np.concatenate(outcomes).astype(np.int64)
    return slice_recall(predicted, recalled, label, names, min_reviews=min_reviews, min_off=MIN_DOT_OFF)


def test_small_slices_are_blank():
    small, empty, shown = slices_of([(0.5, 99, 50), (0.5, 0, 0), (0.75, 100, 50)])
    assert small == RecallSlice("0", 99, None, None, None, None, is_off=False)
    assert empty == RecallSlice("1", 0, None, None, None, None, is_off=False)
    assert (small.difference, small.is_outside) == (0, False)
    assert (shown.reviews, shown.predicted, shown.recalled, shown.difference) == (100, 0.75, 0.5, -0.25)


@given(
    st.sampled_from([0.001, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.97, 0.99, 0.999]),
    st.integers(100, 3000),
    st.integers(1, 20),
)
def test_ends_are_quantiles_of_the_summed_binomial_probabilities(p, reviews, n_shown):
    """Chance puts the share above the band, and below it, with at most the probability of Sidak's level each.

    A narrower band would have more. If at least 50 of the rarer outcome are expected, the tails are nearly equal.
    """
    item = slices_of([(p, reviews, reviews)] * n_shown)[0]
    assert 0 <= item.low <= p + 1e-12
    assert p - 1e-12 <= item.high <= 1
    probability = np.array(
        [comb(reviews, k) * p**k * (1 - p) ** (reviews - k) if reviews < 1000 else 0.0 for k in range(reviews + 1)]
    )
    if reviews >= 1000:
        steps = np.log((reviews - np.arange(reviews)) / (1 + np.arange(reviews)) * p / (1 - p))
        probability = np.exp(reviews * np.log(1 - p) + np.concatenate([[0.0], np.cumsum(steps)]))
    share = np.arange(reviews + 1) / reviews
    tail = (1 - 0.95 ** (1 / n_shown)) / 2
    below = probability[share < item.low - 1e-9].sum()
    above = probability[share > item.high + 1e-9].sum()
    if reviews * min(p, 1 - p) >= NORMAL_FROM:
        assert max(below, above) <= 2 * tail
        assert below + above <= 2.5 * tail
    else:
        assert max(below, above) <= tail + 1e-9
        assert probability[share <= item.low + 1e-9].sum() > tail - 1e-9 or item.low == pytest.approx(p)
        assert probability[share >= item.high - 1e-9].sum() > tail - 1e-9 or item.high == pytest.approx(p)


def test_certain_and_right_predictions_leave_no_room_for_chance():
    certain, impossible, wrong = slices_of([(1.0, 200, 200), (0.0, 200, 0), (1.0, 200, 199)])
    assert [(item.low, item.high, item.is_outside) for item in (certain, impossible)] == [(1, 1, False), (0, 0, False)]
    assert (wrong.is_outside, wrong.is_off) == (True, False)


def test_no_lapse_is_within_chance_at_a_prediction_of_almost_1():
    (item,) = slices_of([(0.999, 100, 100)])
    assert (item.high, item.is_outside) == (1.0, False)


def test_slice_is_off_beyond_chance_and_a_minimum():
    """With 9 slices of 20,000 reviews at 90%, chance explains sqrt(0.9 * 0.1 / 20,000) * 2.77 = 0.6 points."""
    gaps = (-0.07, -0.021, -0.019, -0.007, -0.005, 0.005, 0.007, 0.019, 0.021)
    slices = slices_of([(0.9, 20_000, round(20_000 * (0.9 + gap))) for gap in gaps])
    assert [item.difference for item in slices] == pytest.approx(gaps)
    assert [item.is_outside for item in slices] == [True, True, True, True, False, False, True, True, True]
    assert [item.is_off for item in slices] == [True, True, False, False, False, False, False, False, True]


@pytest.mark.parametrize("center", [0.7, 0.9, 0.99, 0.999])
@pytest.mark.parametrize("reviews", [100, 3000, 100_000])
@pytest.mark.parametrize("groups", [1, 7, 19])
def test_perfect_forecaster_rarely_has_a_dot_outside(groups, reviews, center):
    logits = np.log(center / (1 - center)) + np.linspace(-0.6, 0.6, groups + 2)[1:-1]
    slices = slices_of([(float(p), reviews, 0) for p in 1 / (1 + np.exp(-logits))])
    predicted, low, high = np.array([(item.predicted, item.low, item.high) for item in slices]).T
    share = np.random.default_rng(2025).binomial(reviews, predicted, (20_000, groups)) / reviews
    assert 0.001 < ((share < low) | (share > high)).any(axis=1).mean() <= 0.07


def test_predictions_are_in_the_benchmarks_groups():
    predicted = np.repeat([0.04, 0.9, 1.0], [100, 300, 99])
    recalled = np.arange(499) % 2
    group, slices = calibration_slices(predicted, recalled, min_reviews=MIN_OF_DOT, min_off=MIN_DOT_OFF)
    assert group.tolist() == [0] * 100 + [14] * 300 + [19] * 99
    assert [item.name for item in slices] == list(BIN_NAMES)
    assert [item.reviews for item in slices if item.reviews] == [100, 300, 99]
    assert slices == slice_recall(predicted, recalled, group, BIN_NAMES, min_reviews=MIN_OF_DOT, min_off=MIN_DOT_OFF)
