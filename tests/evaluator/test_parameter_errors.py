"""Errors of parameters from the Fisher information."""

from __future__ import annotations

from math import exp, log, sqrt
from statistics import NormalDist
from typing import List, Optional, Sequence, Tuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.interval import Interval
from evaluator.statistics import parameter_errors as module
from evaluator.statistics.paired import Floats

Z = NormalDist().inv_cdf(0.975)


def array(*values: float) -> Floats:
    return np.array(values, dtype=float)


def parameter_errors(
    information: Floats, prior: Floats, value: Floats, lower: Floats, upper: Floats, **which: Sequence[bool]
) -> List[Tuple[Interval, Optional[float]]]:
    """None is fitted by its logarithm, none is fixed, unless said otherwise."""
    none = {"log": [False] * len(value), "fixed": [False] * len(value)}
    return module.parameter_errors(information, prior, value, lower, upper, **{**none, **which})


def test_two_by_hand() -> None:
    """[[4, 2], [2, 5]] + diag(0, 4) = [[4, 2], [2, 9]], its inverse [[9, -2], [-2, 4]] / 32."""
    (first, of_first), (second, of_second) = parameter_errors(
        np.array([[4.0, 2], [2, 5]]), array(0, 4), array(1, 0.5), array(-10, 0), array(10, 1)
    )
    assert first.standard_error == pytest.approx(sqrt(9 / 32))
    assert (first.low, first.high) == pytest.approx((1 - Z * sqrt(9 / 32), 1 + Z * sqrt(9 / 32)))
    assert of_first == 1
    assert second.standard_error == pytest.approx(sqrt(4 / 32))
    assert (second.low, second.high) == (0, 1)  # not beyond the bounds
    assert of_second == pytest.approx(1 - (4 / 32) / (1 / 4))
    assert (first.reason, second.reason) == (None, None)


def test_logarithms() -> None:
    """Error 1 / sqrt(25) of the logarithm of 8: 8 / 5, and an interval by factors."""
    found, _ = parameter_errors(np.array([[25.0]]), array(0), array(8), array(0.001), array(100), log=[True])[0]
    assert found.standard_error == pytest.approx(8 / 5)
    assert (found.low, found.high) == pytest.approx((8 * exp(-Z / 5), 8 * exp(Z / 5)))


def test_bounds_hold_the_others_still() -> None:
    """The second is on its upper bound, the third on its lower, so the first has 1 / sqrt(4) alone."""
    information = np.array([[4.0, 2, 1], [2, 5, 1], [1, 1, 3]])
    value, lower, upper = array(1, 2 - 1e-6, 1e-7), array(-1, 0, 0), array(5, 2, 1)
    found = parameter_errors(information, np.zeros(3), value, lower, upper)
    assert [v.reason for v, _ in found] == [None, "upper", "lower"]
    assert found[0][0].standard_error == pytest.approx(1 / 2)
    assert found[1] == (Interval(2 - 1e-6, reason="upper"), None)
    inside = parameter_errors(information, np.zeros(3), array(1, 2 - 3e-6, 2e-6), lower, upper)
    assert [v.reason for v, _ in inside] == [None, None, None]


def test_bounds_of_logarithms() -> None:
    """A millionth of the range of logarithms: 0.001 to 100 is 11.5 of them."""
    near, far = 0.001 * exp(1.1e-5), 0.001 * exp(1.2e-5)
    assert log(100 / 0.001) * 1e-6 == pytest.approx(1.15e-5, rel=0.01)
    for value, held in ((near, "lower"), (far, None)):
        found = parameter_errors(np.eye(1), array(0), array(value), array(0.001), array(100), log=[True])
        assert found[0][0].reason == held


def test_fixed() -> None:
    found = parameter_errors(
        np.ones((3, 3)) + np.eye(3), np.zeros(3), array(1, 1, 1), array(0, 0, 1), array(9, 9, 1), fixed=[0, 1, 0]
    )
    assert [v.reason for v, _ in found] == [None, "fixed", "fixed"]
    assert found[0][0].standard_error == pytest.approx(1 / sqrt(2))


def test_undetermined() -> None:
    """The first two only by their sum, the fourth by nothing; the third is not affected. A prior settles it."""
    information = np.array([[1.0, 1, 0, 0], [1, 1, 0, 0], [0, 0, 4, 0], [0, 0, 0, 0]])
    bounds = np.full(4, -9.0), np.full(4, 9.0)
    found = parameter_errors(information, np.zeros(4), np.ones(4), *bounds)
    assert [v.reason for v, _ in found] == ["undetermined", "undetermined", None, "undetermined"]
    assert found[2][0].standard_error == pytest.approx(1 / 2)
    found = parameter_errors(information, np.ones(4), np.ones(4), *bounds)
    assert [v.standard_error for v, _ in found] == pytest.approx([sqrt(2 / 3)] * 2 + [sqrt(1 / 5), 1])
    assert found[3][1] == 0


def test_none() -> None:
    assert parameter_errors(np.zeros((0, 0)), array(), array(), array(), array()) == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"prior": array(1)}, "2 parameters, but shapes"),
        ({"information": np.full((2, 2), np.nan)}, "not a number"),
        ({"prior": array(0, -1)}, "must be at least 0"),
        ({"value": array(0, 2)}, "outside its bounds"),
        ({"log": [True, False]}, "logarithm of a parameter that may be 0"),
    ],
)
def test_what_is_refused(change: dict[str, object], message: str) -> None:
    usual = {
        "information": np.eye(2),
        "prior": array(0, 0),
        "value": array(0.5, 0.5),
        "lower": array(0, 0),
        "upper": array(1, 1),
    }
    with pytest.raises(ValueError, match=message):
        parameter_errors(**{**usual, **change})  # type: ignore[arg-type]


@given(st.integers(0, 2**32 - 1), st.integers(1, 21))
def test_errors_are_those_of_the_inverse(seed: int, size: int) -> None:
    """More reviews make them smaller, as does a prior; the parameter's unit carries over."""
    random = np.random.default_rng(seed)
    root = random.normal(0, 1, (size, 3 * size))
    information, prior = root @ root.T, random.uniform(0, 2, size)
    value, bounds = random.uniform(1, 2, size), (np.full(size, 0.5), np.full(size, 3.0))

    def errors(*given_: Floats) -> Floats:
        return np.array([v.standard_error for v, _ in parameter_errors(*given_, value, *bounds)])

    found = errors(information, prior)
    assert found == pytest.approx(np.sqrt(np.diag(np.linalg.inv(information + np.diag(prior)))))
    assert (errors(4 * information, prior) < found).all()
    assert errors(4 * information, 4 * prior) == pytest.approx(found / 2)
    assert (found <= errors(information, 0 * prior) * (1 + 1e-9)).all()
    by_log = parameter_errors(information, prior, value, *bounds, log=[True] * size)
    assert [v.standard_error for v, _ in by_log] == pytest.approx(value * found)


def test_true_parameters_are_covered() -> None:
    """Simulated logistic regressions, fitted in full: 93 to 97 % of the 95 % intervals hold the truth."""
    random = np.random.default_rng(2023)
    truth, people = array(1.5, -0.4, 0.2), 600
    covered = 0
    for _ in range(people):
        x = np.column_stack([np.ones(500), random.normal(0, 1, (500, 2))])
        recalled = random.random(500) < 1 / (1 + np.exp(-x @ truth))
        w = truth.copy()
        for _ in range(6):
            p = 1 / (1 + np.exp(-x @ w))
            information = x.T @ (x * (p * (1 - p))[:, None])
            w = w + np.linalg.solve(information, x.T @ (recalled - p))
        found = parameter_errors(information, np.zeros(3), w, np.full(3, -9.0), np.full(3, 9.0))
        covered += sum(v.side(true) == 0 for (v, _), true in zip(found, truth, strict=True))
    assert 0.93 <= covered / (3 * people) <= 0.97
