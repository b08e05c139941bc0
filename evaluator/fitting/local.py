"""Values and derivatives of an algorithm's element-wise formulas, at many elements and for several folds at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, List, Tuple

import numpy as np

from ..algorithms.algorithm import Array, State
from ..derivatives import Floats, Tape, value_of

#: Elements (nodes or places, times folds) whose derivatives are taken in one sweep: what stays in a processor's cache.
CHUNK = 16_384


@dataclass(frozen=True)
class Local:
    """The derivatives of a few element-wise formulas (outputs k) at F x n elements.

    ``by_state[k][j]`` is d output k / d state j, shape (F, n); ``by_parameter[k]`` lists (p, d output k / d parameter
    p) for the parameters that it depends on.
    """

    values: List[Floats]
    by_state: List[List[Floats]]
    by_parameter: List[List[Tuple[int, Floats]]]


def columns(w: Floats) -> List[Floats]:
    """Parameters of shape (F, P) as P columns of shape (F, 1), which broadcast against (F, n)."""
    return [w[:, p : p + 1] for p in range(w.shape[1])]


def differentiate(
    formula: Callable[..., Tuple[Array, ...]], w: Floats, state: State, extra: Tuple[Array, ...]
) -> Local:
    """The values and derivatives of ``formula(w, state, *extra)``, element by element."""
    folds, elements = len(w), extra[0].shape[-1]
    chunk = max(1, CHUNK // folds)
    found: Local = Local([], [], [])
    for start in range(0, max(elements, 1), chunk):
        part = slice(start, min(start + chunk, elements))
        tape = Tape()
        ws = [tape.variable(column) for column in columns(w)]
        states = [tape.variable(s[:, part]) for s in state]
        outputs = formula(ws, tuple(states), *(x[..., part] for x in extra))
        for k, output in enumerate(outputs):
            derivatives = tape.derivatives(output, states + ws)
            if start == 0:
                found.values.append(np.empty((folds, elements)))
                found.by_state.append([np.zeros((folds, elements)) for _ in states])
                used = [p for p, d in enumerate(derivatives[len(states) :]) if d is not None]
                found.by_parameter.append([(p, np.empty((folds, elements))) for p in used])
            found.values[k][:, part] = value_of(output)
            for j, kept in enumerate(found.by_state[k]):
                kept[:, part] = 0.0 if derivatives[j] is None else derivatives[j]
            for p, kept in found.by_parameter[k]:
                kept[:, part] = derivatives[len(states) + p]
    return found


@dataclass(frozen=True)
class DenseLinearisation:
    """Predictions at one point, with their derivatives by the parameters."""

    predicted: Floats  #: (F, M)
    by_parameter: Floats  #: (F, P, M)

    def gradient(self, by_predicted: Floats, parameters: int) -> Floats:
        """The gradient (F, P) of L from d L / d predicted (F, M)."""
        gradient: Floats = np.einsum("fpm,fm->fp", self.by_parameter[:, :parameters], by_predicted)
        return gradient

    def jacobian(self, parameters: int) -> Floats:
        """The derivatives of the predictions at each place, shape (F, P, M)."""
        return self.by_parameter[:, :parameters]
