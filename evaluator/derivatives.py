"""Derivatives of element-wise NumPy formulas, by reverse accumulation.

An algorithm is written as plain NumPy on arrays. Called with :class:`Variable` instead of arrays, the same lines leave
a record of what was computed, because NumPy calls the operand's own ``__array_ufunc__`` and ``__array_function__``.
Walking the record backwards gives the derivative of an output with respect to each input, for all elements at once.
That suffices for recurrences, because the derivatives of one step are element-wise, and the chain rule over the steps
is a few products (see :mod:`evaluator.fitting.recurrence`).

Reference: Griewank & Walther (2008), Evaluating Derivatives, 2nd ed., chapter 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
#: Derivative of a result by one of its operands.
Partial = Union[float, npt.NDArray[Any]]

#: The derivative of a sum, by which nothing has to be multiplied.
ONE = 1.0

#: For each ufunc, functions that return the derivatives of its result ``out`` by each operand.
_PARTIALS: Dict[np.ufunc, Tuple[Callable[..., Partial], ...]] = {
    np.add: (lambda out, a, b: ONE, lambda out, a, b: ONE),
    np.subtract: (lambda out, a, b: ONE, lambda out, a, b: -1.0),
    np.multiply: (lambda out, a, b: b, lambda out, a, b: a),
    np.true_divide: (lambda out, a, b: 1.0 / b, lambda out, a, b: -out / b),
    np.power: (lambda out, a, b: b * np.power(a, b - 1.0), lambda out, a, b: out * np.log(a)),
    np.negative: (lambda out, a: -1.0,),
    np.exp: (lambda out, a: out,),
    np.expm1: (lambda out, a: out + 1.0,),
    np.log: (lambda out, a: 1.0 / a,),
    np.log1p: (lambda out, a: 1.0 / (1.0 + a),),
    np.sqrt: (lambda out, a: 0.5 / out,),
    np.tanh: (lambda out, a: 1.0 - out * out,),
    np.maximum: (lambda out, a, b: a >= b, lambda out, a, b: a < b),
    np.minimum: (lambda out, a, b: a <= b, lambda out, a, b: a > b),
}
_WITHOUT_DERIVATIVE = {np.less, np.less_equal, np.greater, np.greater_equal, np.equal, np.not_equal, np.floor, np.rint}


class Tape:
    """Record of a computation, from which derivatives are computed."""

    def __init__(self) -> None:
        self._steps: List[Tuple[Tuple[int, Partial], ...]] = []

    def variable(self, value: Floats, partials: Tuple[Tuple[int, Partial], ...] = ()) -> Variable:
        """Record an input, or a result with pairs of the index of an operand and the derivative by it."""
        self._steps.append(partials)
        return Variable(value, self, len(self._steps) - 1)

    def derivatives(self, output: Any, inputs: Sequence[Variable]) -> List[Optional[Partial]]:
        """Return the derivative of the output by each input, element by element.

        It is None if the output does not depend on the input.
        """
        result: Dict[int, Partial] = {}
        if isinstance(output, Variable):
            result[output.index] = ONE
            for index in range(output.index, -1, -1):
                if index in result:
                    outer = result[index]
                    for operand, partial in self._steps[index]:
                        through = outer if partial is ONE else outer * partial
                        result[operand] = result[operand] + through if operand in result else through
        return [result.get(variable.index) for variable in inputs]


class Variable(np.lib.mixins.NDArrayOperatorsMixin):
    """Array that is recorded on a tape. :meth:`Tape.variable` creates it."""

    def __init__(self, value: Floats, tape: Tape, index: int) -> None:
        self.value = value
        self.tape = tape
        self.index = index

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *operands: Any, **options: Any) -> Any:
        values = [value_of(operand) for operand in operands]
        if method != "__call__" or options:
            return NotImplemented
        if ufunc in _WITHOUT_DERIVATIVE:
            return ufunc(*values)
        rules = _PARTIALS.get(ufunc)
        if rules is None:
            return NotImplemented
        out = ufunc(*values)
        partials = [(o.index, rule(out, *values)) for o, rule in zip(operands, rules) if isinstance(o, Variable)]
        return self.tape.variable(out, tuple(partials))

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if kwargs:
            return NotImplemented
        if function is np.where:
            condition, a, b = args
            sides = ((a, condition), (b, np.logical_not(condition)))
            out = np.where(condition, value_of(a), value_of(b))
            partials = tuple((x.index, chosen) for x, chosen in sides if isinstance(x, Variable))
            return self.tape.variable(out, partials)
        if function is np.clip:
            value, low, high = args
            return np.minimum(np.maximum(value, low), high)
        return NotImplemented


def value_of(operand: Any) -> Any:
    """Return the plain array of a variable, and anything else unchanged."""
    return operand.value if isinstance(operand, Variable) else operand


#: Number of nodes or queries whose derivatives are computed together, so that they fit into the processor's cache.
CHUNK = 16_384


@dataclass(frozen=True)
class LocalDerivatives:
    """Values and derivatives of some element-wise outputs at n elements.

    ``values[k]`` is output k (n,). ``by_state[k][j]`` is its derivative by state j (n,). ``by_parameter[k]`` has a pair
    (p, derivative by parameter p (n,)) for each parameter p on which the output depends.
    """

    values: List[Floats]
    by_state: List[List[Floats]]
    by_parameter: List[List[Tuple[int, Floats]]]


def differentiate(
    formula: Callable[..., Tuple[Any, ...]], w: Floats, state: Sequence[Floats], extra: Tuple[Any, ...]
) -> LocalDerivatives:
    """Compute the outputs of ``formula(w, state, *extra)`` and their derivatives, element by element.

    Args:
        formula: returns a tuple of outputs.
        w: the parameters (P,), which the formula gets one by one as scalars.
        state: arrays (n,) by which derivatives are computed.
        extra: further arrays (n,), at least one.

    Raises:
        TypeError: if the formula does not return a tuple.
    """
    n_elements = len(extra[0])
    result = LocalDerivatives([], [], [])
    for start in range(0, max(n_elements, 1), CHUNK):
        part = slice(start, min(start + CHUNK, n_elements))
        tape = Tape()
        ws = [tape.variable(np.asarray(value)) for value in w]
        states = [tape.variable(s[part]) for s in state]
        outputs = formula(ws, tuple(states), *(x[part] for x in extra))
        if not isinstance(outputs, tuple):
            raise TypeError("a state is a tuple, also of one number: `return s,`")
        for k, output in enumerate(outputs):
            derivatives = tape.derivatives(output, states + ws)
            if start == 0:
                result.values.append(np.empty(n_elements))
                result.by_state.append([np.zeros(n_elements) for _ in states])
                used = [p for p, d in enumerate(derivatives[len(states) :]) if d is not None]
                result.by_parameter.append([(p, np.empty(n_elements)) for p in used])
            result.values[k][part] = value_of(output)
            for j, by_state in enumerate(result.by_state[k]):
                by_state[part] = 0.0 if derivatives[j] is None else derivatives[j]
            for p, by_parameter in result.by_parameter[k]:
                by_parameter[part] = derivatives[len(states) + p]
    return result
