"""Damped Fisher scoring within bounds, the optimizer for all algorithms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import List, Optional, Protocol, Tuple

import numpy as np

from ..derivatives import Floats
from ..progress import SILENT, Progress

#: The search ends if the quadratic model promises a gain of less than this per parameter, in nats summed over all
#: training reviews (chance alone makes half a nat), or of less than this share of the loss. The last step is taken
#: without checking its gain.
TOLERANCE = 1e-2
TOLERANCE_SHARE = 1.5e-6
#: It also ends if the last STALL_PASSES passes, at least one of which gained, together gained less than this, in nats
#: and as a share of the loss. Then it creeps along a kink, which changes no single prediction noticeably.
STALL = 0.05
STALL_SHARE = 3e-5
STALL_PASSES = 5
#: It also ends if no step is short enough to gain anything.
MAX_DAMPING = 1e5
MAX_PASSES = 250

#: Estimated share of the remaining work that remains after a pass, for the progress.
EACH_PASS_LEAVES = 0.9

#: Maximum length of the first step, in widths of the prior. Good steps increase it, and bad ones decrease it.
FIRST_TRUST_RADIUS = 1.0

#: Share of the loss above which a promised gain makes the search compute the information again after the step. It also
#: does if less than half of the promised gain came true.
LARGE_GAIN = 3e-3

_MIN_DAMPING = 1e-9


class Point(Protocol):
    """The loss at one point of the search. If both derivatives are needed, ask for the information first."""

    loss: float

    @property
    def gradient(self) -> Floats:
        """Gradient (P,)."""

    @property
    def information(self) -> Floats:
        """Fisher information (P, P)."""


class Objective(Protocol):
    """The loss to minimize."""

    def at(self, x: Floats) -> Point:
        """Return the loss at ``x`` (P,)."""


@dataclass(frozen=True)
class Minimum:
    """Result of a search for a minimum."""

    x: Floats  #: the variables (P,)
    converged: bool  #: whether the search ended before MAX_PASSES
    passes: int


class _Search:
    def __init__(self, x: Floats, at: Point, widths: Floats) -> None:
        self.x, self.at, self.widths = x, at, widths
        self.trust_radius = FIRST_TRUST_RADIUS
        self.update_information()
        self.damping = 1e-3
        self.damping_growth = 2.0
        self.losses: List[float] = [at.loss]

    def update_information(self) -> None:
        """Compute the Fisher information at x."""
        self.information, self.information_is_current = self.at.information, True
        self.curvature_correction = np.zeros_like(self.information)

    def propose(self, lower: Floats, upper: Floats) -> Tuple[Floats, float]:
        """Return the next point to try, and the reduction of the loss that is expected there."""
        curvature = self.information + self.curvature_correction
        damped = curvature + np.diag(self.damping * self.information.diagonal() + 1e-12)
        gradient = self.at.gradient
        step = _step_within(gradient, damped, lower - self.x, upper - self.x)
        step *= min(1.0, self.trust_radius / max(self._length(step), 1e-300))
        predicted_reduction = -(gradient @ step) - 0.5 * step @ curvature @ step
        return np.clip(self.x + step, lower, upper), float(predicted_reduction)

    def _length(self, step: Floats) -> float:
        """Return the length of a step in widths, along the variable in which it is longest."""
        return float(np.abs(step / self.widths).max(initial=0.0))

    def learn(self, x: Floats, predicted_reduction: float, at: Point) -> None:
        """Move to the tried point if its loss is lower, and correct the model of the loss."""
        previous, step = self.at, x - self.x
        gained = (previous.loss - at.loss) / predicted_reduction
        # A loss that is NaN gains nothing.
        if gained > 1e-4:
            self.x, self.at, self.information_is_current = x, at, False
            self.curvature_correction = np.zeros_like(self.information)
        if not self.information_is_current and (gained < 0.5 or predicted_reduction > LARGE_GAIN * abs(self.at.loss)):
            self.update_information()
        else:
            residual = at.gradient - previous.gradient - (self.information + self.curvature_correction) @ step
            curvature = float(residual @ step)
            if curvature > 1e-8 * np.linalg.norm(residual) * np.linalg.norm(step):
                self.curvature_correction = self.curvature_correction + np.outer(residual, residual) / curvature
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
        """Return whether the gain that a step promises is too small to matter."""
        return predicted_reduction < max(TOLERANCE * len(self.x), TOLERANCE_SHARE * abs(self.at.loss))

    def stalled(self, share: float) -> bool:
        """Return whether the last passes gained too little to go on."""
        gained = self.losses[-1 - STALL_PASSES :][0] - self.at.loss
        min_gain = max(STALL, share * self.at.loss)
        return self.damping > MAX_DAMPING or (len(self.losses) > STALL_PASSES and 0 < gained < min_gain)


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
        start: initial variables (P,).
        lower: lower bound of each variable (P,).
        upper: upper bound of each variable (P,).
        widths: how far each variable is expected to move (P,), may be infinite. The length of steps is measured by
            them.
        stall_share: see :data:`STALL_SHARE`.
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
    """Minimize gradient.d + d.curvature.d / 2 over low <= d <= high, which contain 0, by a primal active set."""
    step, slope, unlimited = np.zeros(len(gradient)), gradient, np.full(len(gradient), np.inf)
    free = ~((low >= 0) & (gradient >= 0)) & ~((high <= 0) & (gradient <= 0))
    for _ in range(4 * len(gradient)):
        index = free.nonzero()[0]
        # ``share`` is the part of the direction up to the bound of each variable.
        direction, share = np.zeros(len(step)), unlimited.copy()
        direction[index] = np.linalg.solve(curvature.take(index, axis=0).take(index, axis=1), -slope[index])
        np.divide(np.where(direction > 0, high, low) - step, direction, out=share, where=direction != 0)
        blocking = int(share.argmin())
        if share[blocking] < 1:
            step += share[blocking] * direction
            step[blocking] = high[blocking] if direction[blocking] > 0 else low[blocking]
            free[blocking] = False
            slope = gradient + curvature @ step
            continue
        step += direction
        slope = gradient + curvature @ step
        pull = np.where(step <= low, -slope, slope)
        pull[free | (low >= high)] = 0.0
        release = int(pull.argmax())
        if pull[release] <= 1e-12 * abs(gradient).max():
            break
        free[release] = True
    return step
