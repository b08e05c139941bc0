from __future__ import annotations

from typing import Any, Callable, List

import numpy as np
import pytest
from catalog_helpers import Floats, central_differences

from evaluator.derivatives import _PARTIALS, Tape, differentiate, value_of

RANDOM = np.random.default_rng(7)


def tape_derivatives(formula: Callable[..., Any], *values: Any) -> List[Any]:
    """Return the derivatives of a formula by each of its arguments, from a tape."""
    tape = Tape()
    variables = [tape.variable(np.asarray(value, dtype=float)) for value in values]
    output = formula(*variables)
    result = tape.derivatives(output, variables)
    return [None if d is None else np.broadcast_to(d, value_of(output).shape) for d in result]


def check_derivatives(formula: Callable[..., Any], *values: Floats) -> None:
    """Check that a formula's derivatives by each of its arguments equal finite differences."""
    slopes = central_differences(lambda at: formula(*at), np.array(values))
    np.testing.assert_allclose(tape_derivatives(formula, *values), slopes, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("ufunc", list(_PARTIALS), ids=lambda ufunc: ufunc.__name__)
def test_every_rule_matches_finite_differences(ufunc):
    check_derivatives(ufunc, *(RANDOM.uniform(0.2, 3, 50) for _ in range(ufunc.nin)))


@pytest.mark.parametrize("ufunc", [item for item in _PARTIALS if item.nin == 2], ids=lambda ufunc: ufunc.__name__)
def test_every_rule_of_two_operands_matches_with_a_constant_one(ufunc):
    x = RANDOM.uniform(0.2, 3, 50)
    check_derivatives(lambda a: ufunc(a, 1.7), x)
    check_derivatives(lambda a: ufunc(1.7, a), x)
    check_derivatives(lambda a: ufunc(a, np.linspace(0.3, 2.9, 50)), x)


def test_operators_have_derivatives():
    x, y = RANDOM.uniform(0.2, 3, 50), RANDOM.uniform(0.2, 3, 50)
    check_derivatives(lambda a, b: -(a + 2 * b) / (3 - a) ** 2 + a**b - b**-a, x, y)


def test_derivatives_of_an_input_used_twice_add_up():
    """The derivative of x * x is 2 x, and that of x - x is 0."""
    assert tape_derivatives(lambda x: x * x, [3.0])[0] == pytest.approx([6.0])
    assert tape_derivatives(lambda x: x - x, [3.0])[0] == pytest.approx([0.0])


def test_unused_input_has_no_derivative():
    assert tape_derivatives(lambda x, y: 2 * x, [1.0], [1.0])[1] is None
    tape = Tape()
    assert tape.derivatives(np.array([1.0]), [tape.variable(np.array([2.0]))]) == [None]


def test_formula_without_its_tuple_is_refused():
    with pytest.raises(TypeError, match="`return s,`"):
        differentiate(lambda w, state, age: 1.0 * age, np.ones(1), (), (np.ones(3),))  # type: ignore[arg-type, return-value]


def test_where_takes_the_derivative_of_the_chosen_side():
    """The formula is x^2 if x < 1, otherwise 5 x. Either side may be a plain number."""
    x = np.array([0.5, 1.0, 2.0])
    assert tape_derivatives(lambda x: np.where(x < 1, x**2, 5 * x), x)[0] == pytest.approx([2 * 0.5, 5, 5])
    assert tape_derivatives(lambda x: np.where(x < 1, 7.0, x), x)[0] == pytest.approx([0, 1, 1])
    assert tape_derivatives(lambda x: np.where(x < 1, x, 7.0), x)[0] == pytest.approx([1, 0, 0])


def test_clip_passes_gradients_only_within_limits():
    """The derivative is 1 within the limits and at them, and 0 outside."""
    assert tape_derivatives(lambda x: np.clip(x, 1.0, 2.0), [0.5, 1.0, 1.5, 2.0, 2.5])[0] == pytest.approx(
        [0, 1, 1, 1, 0]
    )


@pytest.mark.parametrize("function", [np.maximum, np.minimum])
def test_ties_go_to_the_first_operand(function):
    assert [float(d[0]) for d in tape_derivatives(function, [2.0], [2.0])] == [1, 0]
    assert float(tape_derivatives(lambda x: function(x, 2.0), [2.0])[0][0]) == 1
    assert float(tape_derivatives(lambda x: function(2.0, x), [2.0])[0][0]) == 0


def test_comparisons_and_roundings_are_constants():
    tape = Tape()
    x = tape.variable(np.array([0.4, 1.6]))
    for constant in (x < 1, x <= 1, x > 1, x >= 1, x == 1, x != 1, np.floor(x), np.rint(x)):
        assert isinstance(constant, np.ndarray)
    assert np.rint(x).tolist() == [0, 2]


@pytest.mark.parametrize(
    "formula",
    [
        np.sin,
        np.sum,
        lambda x: np.add(x, 1.0, out=np.zeros(2)),
        np.multiply.reduce,
        lambda x: np.clip(x, a_min=1.0, a_max=2.0),
        lambda x: np.concatenate([x, x]),
        lambda x: x @ x,
        lambda x: x[0],
    ],
)
def test_functions_without_a_derivative_raise(formula):
    with pytest.raises(TypeError):
        formula(Tape().variable(np.array([0.5, 1.5])))


def test_variable_in_an_array_raises():
    x = Tape().variable(np.array([0.5, 1.5]))
    with pytest.raises((TypeError, ValueError)):
        np.asarray(x, dtype=float)
