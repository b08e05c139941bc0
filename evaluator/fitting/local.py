"""Values and derivatives of an algorithm's element-wise formulas, at many elements at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Callable, List, Tuple

import numpy as np

from ..derivatives import Floats, Tape, value_of

if TYPE_CHECKING:
    from ..algorithms.algorithm import Array, State

#: Elements (nodes or places) whose derivatives are taken in one sweep: what stays in a processor's cache.
CHUNK = 16_384


@dataclass(frozen=True)
class Local:
    """The derivatives of a few element-wise formulas (outputs k) at n elements.

    ``by_state[k][j]`` is d output k / d state j, shape (n,); ``by_parameter[k]`` lists (p, d output k / d parameter
    p) for the parameters that it depends on.
    """

    values: List[Floats]
    by_state: List[List[Floats]]
    by_parameter: List[List[Tuple[int, Floats]]]


def differentiate(
    formula: Callable[..., Tuple[Array, ...]], w: Floats, state: State, extra: Tuple[Array, ...]
) -> Local:
    """The values and derivatives of ``formula(w, state, *extra)``, element by element."""
    elements = len(extra[0])
    found: Local = Local([], [], [])
    for start in range(0, max(elements, 1), CHUNK):
        part = slice(start, min(start + CHUNK, elements))
        tape = Tape()
        ws = [tape.variable(np.asarray(value)) for value in w]
        states = [tape.variable(s[part]) for s in state]
        outputs = formula(ws, tuple(states), *(x[part] for x in extra))
        for k, output in enumerate(outputs):
            derivatives = tape.derivatives(output, states + ws)
            if start == 0:
                found.values.append(np.empty(elements))
                found.by_state.append([np.zeros(elements) for _ in states])
                used = [p for p, d in enumerate(derivatives[len(states) :]) if d is not None]
                found.by_parameter.append([(p, np.empty(elements)) for p in used])
            found.values[k][part] = value_of(output)
            for j, kept in enumerate(found.by_state[k]):
                kept[part] = 0.0 if derivatives[j] is None else derivatives[j]
            for p, kept in found.by_parameter[k]:
                kept[part] = derivatives[len(states) + p]
    return found
