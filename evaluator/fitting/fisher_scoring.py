"""Damped Fisher scoring inside box bounds: the one optimiser for all algorithms.

Each pass solves (H + lambda diag H) d = -g on the parameters that are not held at a bound, where g is the gradient of
the penalised log loss and H its Fisher information plus the prior's curvature. The damping lambda falls when the loss
falls as the quadratic model promised, and rises when it does not (Levenberg-Marquardt). Several independent problems (the
folds) run side by side, so that each pass is one sweep over the trie for all of them.

References: Osborne (1992), Fisher's method of scoring, Int. Stat. Rev. 60:99; Nocedal & Wright (2006), Numerical
Optimization, chapters 10.3 and 16.7 (bounds).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generator, Protocol, Tuple

import numpy as np

from ..derivatives import Floats

#: A fold has settled when the quadratic model promises less than this, in nats summed over all training reviews.
TOLERANCE = 1e-5
MAX_PASSES = 60
_EASE, _STIFFEN = 0.2, 8.0
_LEAST_DAMPING, _MOST_DAMPING = 1e-9, 1e6


class Objective(Protocol):
    """The loss of F independent problems at once."""

    def __call__(self, w: Floats, which: Floats) -> Tuple[Floats, Floats, Floats]:
        """Loss (n,), gradient (n, P) and information (n, P, P) at ``w`` (n, P) of the problems ``which`` (n,)."""
        ...


@dataclass(frozen=True)
class Minimum:
    """Where the search ended, for each problem."""

    w: Floats  #: (F, P)
    loss: Floats  #: (F,)
    information: Floats  #: (F, P, P): Fisher information plus prior, the inverse of the parameters' covariance
    converged: Floats  #: (F,) bool
    passes: int


def minimise(
    objective: Objective, start: Floats, lower: Floats, upper: Floats
) -> Generator[int, None, Minimum]:
    """Minimise F problems side by side from ``start`` (F, P) within ``lower`` and ``upper`` (P,).

    Yields, after each pass, how many problems have settled.
    """
    w = np.clip(start, lower, upper)
    folds = len(w)
    loss, gradient, information = objective(w, np.arange(folds))
    damping = np.full(folds, 1e-3)
    converged = np.zeros(folds, dtype=bool)
    stuck = np.zeros(folds, dtype=bool)
    passes = 1
    while True:
        steps = np.zeros_like(w)
        promised = np.zeros(folds)
        active = np.flatnonzero(~converged & ~stuck)
        for f in active:
            room = (lower - w[f], upper - w[f])
            steps[f], promised[f] = _step(gradient[f], information[f], damping[f], *room)
        converged[active] = promised[active] < TOLERANCE
        active = active[promised[active] >= TOLERANCE]
        yield int(folds - len(active))
        if not len(active) or passes >= MAX_PASSES:
            return Minimum(w, loss, information, converged, passes)

        trial = np.clip(w[active] + steps[active], lower, upper)
        new_loss, new_gradient, new_information = objective(trial, active)
        passes += 1
        gained = (loss[active] - new_loss) / promised[active]
        better = gained > 1e-4  # False too where the loss is not a number
        keep = active[better]
        w[keep], loss[keep] = trial[better], new_loss[better]
        gradient[keep], information[keep] = new_gradient[better], new_information[better]
        damping[active] *= np.where(gained > 0.5, _EASE, np.where(gained > 0.1, 1.0, _STIFFEN))
        damping = np.maximum(damping, _LEAST_DAMPING)
        stuck |= damping > _MOST_DAMPING


def _step(gradient: Floats, information: Floats, damping: float, low: Floats, high: Floats) -> Tuple[Floats, float]:
    """The damped step within [low, high], and the decrease of the loss that the (undamped) quadratic model promises.

    Parameters that the step would carry out of their bounds are put on the bound, and the rest solved again.
    """
    damped = information + np.diag(damping * np.diag(information) + 1e-12)
    step = np.zeros_like(gradient)
    free = ~((low >= 0) & (gradient > 0)) & ~((high <= 0) & (gradient < 0))
    for _ in range(len(gradient)):
        index = np.flatnonzero(free)
        right = -gradient[index] - damped[np.ix_(index, ~free)] @ step[~free]
        step[index] = np.linalg.solve(damped[np.ix_(index, index)], right)
        outside = free & ((step < low) | (step > high))
        if not outside.any():
            break
        step[outside] = np.clip(step, low, high)[outside]
        free &= ~outside
    return step, float(-(gradient @ step) - 0.5 * step @ information @ step)
