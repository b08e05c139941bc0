"""Damped Fisher scoring within bounds, the optimizer for all algorithms."""

from __future__ import annotations

from typing import List, NamedTuple, Tuple

import numpy as np

from ..derivatives import Floats
from ..progress import Progress
from .objective import LossEvaluation, PenalizedLogLoss

#: The search ends if the quadratic model predicts a gain of less than this per parameter, or of less than this share of
#: the loss. A gain is in nats, summed over all training reviews, and chance alone makes half a nat. The last step is
#: taken without checking its gain.
TOLERANCE = 1e-2
TOLERANCE_SHARE = 1.5e-6
#: The search also ends if the last STALL_PASSES passes gained something, but together less than this in nats or as a
#: share of the loss. Then it creeps along a kink, which changes no single prediction noticeably.
STALL = 0.05
STALL_SHARE = 3e-5
STALL_PASSES = 5
#: The search also ends if even steps with this damping gain nothing.
MAX_DAMPING = 1e5
#: Largest number of evaluations of the loss.
MAX_PASSES = 250

#: Estimated share of the remaining work that still remains after a pass, for the progress.
REMAINING_SHARE = 0.9

#: Largest length of the first step, in widths of the prior. Good steps increase the limit, and bad ones decrease it.
FIRST_TRUST_RADIUS = 1.0

#: The information is computed again after a step with a predicted gain above this share of the loss, or with less than
#: half of the predicted gain.
LARGE_GAIN = 3e-3

_MIN_DAMPING = 1e-9


class Minimum(NamedTuple):
    """Result of a search for a minimum."""

    x: Floats  #: the variables (P,)
    converged: bool  #: whether the search ended before MAX_PASSES


class _Search:
    """State of a search, with a quadratic model of the loss around the best point."""

    def __init__(self, x: Floats, point: LossEvaluation, widths: Floats) -> None:
        self.x = x
        self.point = point
        self.widths = widths
        self.trust_radius = FIRST_TRUST_RADIUS
        self.update_information()
        self.damping = 1e-3
        self.damping_growth = 2.0
        self.losses: List[float] = [point.loss]

    def update_information(self) -> None:
        """Compute the Fisher information at the best point."""
        self.information = self.point.information
        self.information_is_current = True
        self.curvature_correction = np.zeros_like(self.information)

    def propose(self, lower: Floats, upper: Floats) -> Tuple[Floats, float]:
        """Return the next point to try, and the predicted reduction of the loss there."""
        curvature = self.information + self.curvature_correction
        damped_curvature = curvature + np.diag(self.damping * self.information.diagonal() + 1e-12)
        gradient = self.point.gradient
        step = _step_within(gradient, damped_curvature, lower - self.x, upper - self.x)
        step *= min(1.0, self.trust_radius / max(self._length(step), 1e-300))
        predicted_reduction = -(gradient @ step) - 0.5 * step @ curvature @ step
        return np.clip(self.x + step, lower, upper), float(predicted_reduction)

    def _length(self, step: Floats) -> float:
        """Return the largest component of a step, in widths of the prior."""
        return float(np.abs(step / self.widths).max(initial=0.0))

    def learn(self, x: Floats, predicted_reduction: float, point: LossEvaluation) -> None:
        """Move to a tried point if its loss is lower, and correct the quadratic model.

        Args:
            x: the tried point (P,).
            predicted_reduction: the reduction of the loss that was predicted for it.
            point: the loss there.
        """
        previous_point = self.point
        step = x - self.x
        ratio = (previous_point.loss - point.loss) / predicted_reduction
        # All comparisons with NaN are false, so a loss that is NaN is not accepted.
        if ratio > 1e-4:
            self.x = x
            self.point = point
            self.information_is_current = False
            self.curvature_correction = np.zeros_like(self.information)
        if not self.information_is_current and (ratio < 0.5 or predicted_reduction > LARGE_GAIN * abs(self.point.loss)):
            self.update_information()
        else:
            residual = point.gradient - previous_point.gradient - (self.information + self.curvature_correction) @ step
            curvature = float(residual @ step)
            if curvature > 1e-8 * np.linalg.norm(residual) * np.linalg.norm(step):
                self.curvature_correction += np.outer(residual, residual) / curvature
        length = self._length(step)
        if ratio > 0.5 and length > 0.9 * self.trust_radius:
            self.trust_radius *= 2.0
        elif not ratio > 0.1 and length > 0.0:
            self.trust_radius = 0.5 * length
        if ratio > 0.1:
            self.damping = max(self.damping * (0.2 if ratio > 0.5 else 1.0), _MIN_DAMPING)
            self.damping_growth = 2.0
        else:
            self.damping *= self.damping_growth
            self.damping_growth *= 2.0
        self.losses.append(self.point.loss)

    def is_settled(self, predicted_reduction: float) -> bool:
        """Return whether the predicted gain of a step is too small to matter."""
        return predicted_reduction < max(TOLERANCE * len(self.x), TOLERANCE_SHARE * abs(self.point.loss))

    def is_stalled(self, stall_share: float) -> bool:
        """Return whether the last passes gained too little to continue."""
        gain = self.losses[-1 - STALL_PASSES :][0] - self.point.loss
        min_gain = max(STALL, stall_share * self.point.loss)
        return self.damping > MAX_DAMPING or (len(self.losses) > STALL_PASSES and 0 < gain < min_gain)


def minimize(
    objective: PenalizedLogLoss,
    start: Floats,
    lower: Floats,
    upper: Floats,
    *,
    widths: Floats,
    stall_share: float,
    progress: Progress,
) -> Minimum:
    """Minimize a loss.

    Args:
        objective: the loss.
        start: initial variables (P,).
        lower: lower bound of each variable (P,).
        upper: upper bound of each variable (P,).
        widths: how far each variable is expected to move (P,), as the unit of the length of a step. It may be infinite.
        stall_share: see :data:`STALL_SHARE`.
        progress: called after each pass except the last.
    """
    start = np.clip(start, lower, upper)
    search = _Search(start, objective.evaluate(start), widths)
    passes = 1
    while True:
        x, predicted_reduction = search.propose(lower, upper)
        if search.is_settled(predicted_reduction):
            return Minimum(x, True)
        if search.is_stalled(stall_share):
            return Minimum(search.x, True)
        if passes >= MAX_PASSES:
            return Minimum(search.x, False)
        progress(1 - REMAINING_SHARE**passes)
        search.learn(x, predicted_reduction, objective.evaluate(x))
        passes += 1


def _step_within(gradient: Floats, curvature: Floats, low: Floats, high: Floats) -> Floats:
    """Return the step d that minimizes gradient.d + d.curvature.d / 2 within low <= d <= high.

    The bounds contain 0. The method is a primal active set.
    """
    step = np.zeros(len(gradient))
    slope = gradient
    is_free = ~((low >= 0) & (gradient >= 0)) & ~((high <= 0) & (gradient <= 0))
    for _ in range(4 * len(gradient)):
        index = is_free.nonzero()[0]
        # ``share`` is the part of the direction that each variable can go before it reaches its bound.
        direction = np.zeros(len(step))
        share = np.full(len(step), np.inf)
        direction[index] = np.linalg.solve(curvature.take(index, axis=0).take(index, axis=1), -slope[index])
        np.divide(np.where(direction > 0, high, low) - step, direction, out=share, where=direction != 0)
        blocking_index = int(share.argmin())
        if share[blocking_index] < 1:
            step += share[blocking_index] * direction
            step[blocking_index] = high[blocking_index] if direction[blocking_index] > 0 else low[blocking_index]
            is_free[blocking_index] = False
            slope = gradient + curvature @ step
            continue
        step += direction
        slope = gradient + curvature @ step
        pull = np.where(step <= low, -slope, slope)
        pull[is_free | (low >= high)] = 0.0
        released_index = int(pull.argmax())
        if pull[released_index] <= 1e-12 * abs(gradient).max():
            break
        is_free[released_index] = True
    return step
