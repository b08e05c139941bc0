"""What a difference means in practice: outcomes by hand, and what sizes can be found."""

from __future__ import annotations

from math import log
from typing import Optional

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.statistics.equivalence import MARGIN, Practical, outcome, practical, smallest_detectable
from evaluator.statistics.paired import Clusters, Difference, paired_difference

SIZES = st.floats(0, 1)


def interval(low: Optional[float], high: Optional[float]) -> Difference:
    """A difference with this interval; its mean is not looked at."""
    return Difference(0.0, None if low is None else 0.001, low, high)


def test_the_margin_is_what_two_points_cost() -> None:
    """Saying 0.88 where 0.90 is true, or 0.92, in nats: rounded, it is the margin."""
    for said, cost in ((0.88, 0.00199), (0.92, 0.00253)):
        assert 0.9 * log(0.9 / said) + 0.1 * log(0.1 / (1 - said)) == pytest.approx(cost, abs=5e-6)
    assert pytest.approx(0.00199, abs=2e-5) == MARGIN


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (-0.0461, -0.0359, "better"),
        (0.0359, 0.0461, "worse"),
        (-0.001, 0.0015, "equivalent"),
        (-0.0015, -0.0005, "equivalent"),  # certainly there, certainly negligible
        (-0.002, 0.002, "equivalent"),  # the ends belong to it
        (-0.003, -0.0001, "better"),  # there, but may be negligible
        (0.0001, 0.003, "worse"),
        (-0.003, 0.0001, "cannot_tell"),
        (-0.001, 0.003, "cannot_tell"),
        (-0.1, 0.1, "cannot_tell"),
        (0.0, 0.003, "cannot_tell"),  # 0 itself is not left out
        (0.0, 0.0, "equivalent"),
        (None, None, "too_few"),
    ],
)
def test_outcomes_of_intervals(low: Optional[float], high: Optional[float], expected: str) -> None:
    """At a margin of 0.002."""
    assert outcome(interval(low, high), margin=0.002) == expected


@given(SIZES, SIZES, SIZES)
def test_swapping_the_two_turns_better_into_worse(a: float, b: float, margin: float) -> None:
    """And leaves the rest as it is."""
    low, high = sorted((a - 0.5, b - 0.5))
    swapped = {"better": "worse", "worse": "better"}
    found = outcome(interval(low, high), margin=margin)
    assert outcome(interval(-high, -low), margin=margin) == swapped.get(found, found)


@given(SIZES, SIZES, SIZES, SIZES)
def test_a_wider_margin_only_adds_equivalence(a: float, b: float, narrow: float, more: float) -> None:
    """What is equivalent stays so; better never turns into worse or cannot tell."""
    low, high = sorted((a - 0.5, b - 0.5))
    before, after = (outcome(interval(low, high), margin=margin) for margin in (narrow, narrow + more))
    assert after in {before, "equivalent"}


def test_without_a_margin_only_an_algorithm_and_itself_are_equivalent() -> None:
    """The plain reading of the interval otherwise."""
    assert outcome(interval(0, 0), margin=0) == "equivalent"
    assert outcome(interval(-1e-9, 1e-9), margin=0) == "cannot_tell"
    assert outcome(interval(-2e-9, -1e-9), margin=0) == "better"


@pytest.mark.parametrize("margin", [-0.001, float("nan")])
def test_a_margin_is_a_size(margin: float) -> None:
    """Neither negative nor undefined."""
    with pytest.raises(ValueError, match="it cannot be below 0"):
        outcome(interval(0, 1), margin=margin)


def test_smallest_detectable_by_hand() -> None:
    """From the t table: 1.9600 + 0.8416 for many, 2.0227 + 0.8509 for 39, 1.9840 + 0.8452 for 100 degrees."""
    for degrees, upper, power in ((10**7, 1.9600, 0.8416), (39, 2.0227, 0.8509), (100, 1.9840, 0.8452)):
        assert smallest_detectable(0.01, degrees) == pytest.approx(0.01 * (upper + power), abs=1.1e-6)


def test_smallest_detectable_refuses_what_has_no_meaning() -> None:
    """A power below one half, or too few degrees for the quantile."""
    with pytest.raises(ValueError, match=r"a power of 0\.2; it must be between"):
        smallest_detectable(0.01, 50, power=0.2)
    with pytest.raises(ValueError, match="9 degrees of freedom"):
        smallest_detectable(0.01, 9)


def test_a_difference_of_that_size_is_found_four_times_in_five() -> None:
    """Simulated: 20,000 means with an estimated standard error, 40 degrees."""
    random = np.random.default_rng(28)
    groups, true_error = 41, 1 / np.sqrt(41)
    values = random.normal(smallest_detectable(true_error, groups - 1), 1, (20_000, groups))
    t = values.mean(axis=1) / (values.std(axis=1, ddof=1) / np.sqrt(groups))
    assert (t > 2.0211).mean() == pytest.approx(0.80, abs=0.01)


def test_practical_puts_both_together() -> None:
    """Nothing to detect where there is no interval."""
    assert practical(interval(None, None), 3) == Practical("too_few", MARGIN, None)
    found = practical(interval(-0.02, -0.01), 39, margin=0.005)
    assert (found.outcome, found.margin) == ("better", 0.005)
    assert found.smallest_detectable == pytest.approx(0.001 * (2.0227 + 0.8509), abs=1e-7)


def test_a_perfect_model_is_equivalent_to_a_nearly_perfect_one() -> None:
    """Off by 0.1 in the logit on 60,000 reviews of 600 cards on 120 days: there, and too small to matter.

    Against one that is off by 0.6 it is better.
    """
    random = np.random.default_rng(7)
    n = np.arange(60_000)
    clusters = Clusters.of(n % 600, n // 500)
    logit = random.normal(2, 0.7, len(n))
    recalled = random.random(len(n)) < 1 / (1 + np.exp(-logit))

    def loss(shift: float) -> np.ndarray:
        return np.logaddexp(0, np.where(recalled, -1, 1) * (logit + shift))

    for shift, expected in ((0.1, "equivalent"), (0.6, "better")):
        assert outcome(paired_difference(loss(0) - loss(shift), clusters)) == expected
