"""Damped Fisher scoring inside box bounds: the one optimizer for all algorithms.

Each pass solves (H + S + lambda diag H) d = -g on the parameters that are not held at a bound. g is the gradient of
the penalized log loss and H its Fisher information plus the prior's curvature. The damping lambda falls when the loss
falls as the quadratic model promised, and rises, ever faster, when it does not (Levenberg-Marquardt). S holds
curvature that H cannot see: the algorithms clamp their states, which puts kinks into the loss, and a step across a
kink finds the slope changed. Such changes are learned from the last steps (symmetric rank-one update, positive part),
so that the search does not run into the same kink again. Each pass is one sweep over the trie.

References: Osborne (1992), Fisher's method of scoring, Int. Stat. Rev. 60:99; Nocedal & Wright (2006), Numerical
Optimization, 2nd ed., chapters 6.2 (rank-one update), 10.3 (damping) and 16.7 (bounds); Nielsen (1999),
IMM-REP-1999-05 (the damping's rule).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import List, Optional, Protocol, Tuple

import numpy as np

from ..derivatives import Floats
from ..progress import SILENT, Progress

#: The search has settled when the quadratic model promises less than this per parameter, in nats summed over all
#: training reviews (chance alone makes half a nat), or less than this share of the loss. That last step is taken
#: without checking its gain.
TOLERANCE = 1e-2
TOLERANCE_SHARE = 1.5e-6
#: ... or when the last STALL_PASSES passes, at least one of which gained, together gained less than this, in nats and
#: as a share of the loss: it creeps along a kink, which changes no single prediction noticeably ...
STALL = 0.05
STALL_SHARE = 3e-5
STALL_PASSES = 5
#: ... or when no step is short enough to gain anything.
MAX_DAMPING = 1e5
MAX_PASSES = 250

#: For the progress bar: the share of the remaining work that remains after a pass.
EACH_PASS_LEAVES = 0.9

#: The first step goes no further than this many widths of the prior in any variable. Good steps stretch that, bad ones
#: shorten it.
FIRST_REACH = 1.0

#: The information is taken again after a step that promised more than this share of the loss, or half failed.
FAR = 3e-3

_MIN_DAMPING = 1e-9


class Point(Protocol):
    """The loss at one point of the search. If both derivatives are needed, request the information first."""

    loss: float

    @property
    def gradient(self) -> Floats:
        """Return the gradient, (P,)."""

    @property
    def information(self) -> Floats:
        """The Fisher information, (P, P)."""


class Objective(Protocol):
    """The loss that is minimized."""

    def at(self, x: Floats) -> Point:
        """Return the loss at ``x`` (P,)."""


@dataclass(frozen=True)
class Minimum:
    """Result of a search for a minimum."""

    x: Floats  #: (P,)
    converged: bool  #: False if the passes ran out
    passes: int


class _Search:
    def __init__(self, x: Floats, at: Point, widths: Floats) -> None:
        self.x, self.at, self.widths = x, at, widths
        self.trust_radius = FIRST_REACH
        self.update_information()
        self.damping = 1e-3
        self.damping_growth = 2.0
        self.losses: List[float] = [at.loss]

    def update_information(self) -> None:
        """Take the Fisher information at x."""
        self.information, self.information_is_current = self.at.information, True
        self.curvature_correction = np.zeros_like(self.information)

    def propose(self, lower: Floats, upper: Floats) -> Tuple[Floats, float]:
        """Return the next point to try, and by how much the loss should fall there."""
        curvature = self.information + self.curvature_correction
        damped = curvature + np.diag(self.damping * self.information.diagonal() + 1e-12)
        gradient = self.at.gradient
        step = _step_within(gradient, damped, lower - self.x, upper - self.x)
        step *= min(1.0, self.trust_radius / max(self._length(step), 1e-300))
        predicted_reduction = -(gradient @ step) - 0.5 * step @ curvature @ step
        return np.clip(self.x + step, lower, upper), float(predicted_reduction)

    def _length(self, step: Floats) -> float:
        """Return the length of a step, in widths, along the variable in which it goes furthest."""
        return float(np.abs(step / self.widths).max(initial=0.0))

    def learn(self, x: Floats, predicted_reduction: float, at: Point) -> None:
        """Move to the point that was tried if its loss is lower, and correct the model of the loss."""
        left, step = self.at, x - self.x
        gained = (left.loss - at.loss) / predicted_reduction
        if gained > 1e-4:  # False also if the loss is NaN
            self.x, self.at, self.information_is_current = x, at, False
            self.curvature_correction = np.zeros_like(self.information)
        if not self.information_is_current and (gained < 0.5 or predicted_reduction > FAR * abs(self.at.loss)):
            self.update_information()
        else:
            missing = at.gradient - left.gradient - (self.information + self.curvature_correction) @ step
            curvature = float(missing @ step)
            if curvature > 1e-8 * np.linalg.norm(missing) * np.linalg.norm(step):
                self.curvature_correction = self.curvature_correction + np.outer(missing, missing) / curvature
        length = self._length(step)
        if gained > 0.5 and length > 0.9 * self.trust_radius:
            self.trust_radius *= 2.0
        elif not gained > 0.1 and length > 0.0:
            self.trust_radius = 0.5 * length
        if gained > 0.1:
            self.damping = max(self.damping * (0.2 if gained > 0.5 else 1.0), _MIN_DAMPING)
            self.damping_growth = 2.0
        else:
            self.damping *= self.damping_growth
            self.damping_growth *= 2.0
        self.losses.append(self.at.loss)

    def settled(self, predicted_reduction: float) -> bool:
        """Return whether the gain that a step still promises is too small to matter."""
        return predicted_reduction < max(TOLERANCE * len(self.x), TOLERANCE_SHARE * abs(self.at.loss))

    def stalled(self, share: float) -> bool:
        """Return whether the last passes gained so little that more are not worth it."""
        gained = self.losses[-1 - STALL_PASSES :][0] - self.at.loss
        enough = max(STALL, share * self.at.loss)
        return self.damping > MAX_DAMPING or (len(self.losses) > STALL_PASSES and 0 < gained < enough)


def minimize(
    objective: Objective,
    start: Floats,
    lower: Floats,
    upper: Floats,
    *,
    widths: Optional[Floats] = None,
    stall_share: float = STALL_SHARE,
    progress: Progress = SILENT,
) -> Minimum:
    """Minimize a loss.

    Args:
        objective: the loss.
        start: initial parameters, (P,).
        lower: lower bound of each variable, (P,).
        upper: upper bound of each variable, (P,).
        widths: how far each variable is expected to go, (P,), which may be infinite. Steps are measured by them.
        stall_share: the search ends when its last passes gained less than this share of the loss.
        progress: called after each pass except the last.
    """
    start = np.clip(start, lower, upper)
    search = _Search(start, objective.at(start), np.full(len(start), np.inf) if widths is None else widths)
    passes = 1
    while True:
        x, predicted_reduction = search.propose(lower, upper)
        if search.settled(predicted_reduction):
            return Minimum(x, True, passes)
        if search.stalled(stall_share):
            return Minimum(search.x, True, passes)
        if passes >= MAX_PASSES:
            return Minimum(search.x, False, passes)
        progress(1 - EACH_PASS_LEAVES**passes)
        search.learn(x, predicted_reduction, objective.at(x))
        passes += 1


def _step_within(gradient: Floats, curvature: Floats, low: Floats, high: Floats) -> Floats:
    """Minimize gradient.d + d.curvature.d / 2 for low <= d <= high, which allow 0, by a primal active set."""
    step, slope, unlimited = np.zeros(len(gradient)), gradient, np.full(len(gradient), np.inf)
    free = ~((low >= 0) & (gradient >= 0)) & ~((high <= 0) & (gradient <= 0))
    for _ in range(4 * len(gradient)):
        index = free.nonzero()[0]
        way, share = np.zeros(len(step)), unlimited.copy()  # the share of the way until a bound is met
        way[index] = np.linalg.solve(curvature.take(index, axis=0).take(index, axis=1), -slope[index])
        np.divide(np.where(way > 0, high, low) - step, way, out=share, where=way != 0)
        blocking = int(share.argmin())
        if share[blocking] < 1:
            step += share[blocking] * way
            step[blocking] = high[blocking] if way[blocking] > 0 else low[blocking]
            free[blocking] = False
            slope = gradient + curvature @ step
            continue
        step += way
        slope = gradient + curvature @ step
        pull = np.where(step <= low, -slope, slope)
        pull[free | (low >= high)] = 0.0
        release = int(pull.argmax())
        if pull[release] <= 1e-12 * abs(gradient).max():
            break
        free[release] = True
    return step
