"""The calibration line: logit P(recalled) = a + b logit(predicted), with intervals that know cards and days.

A perfect model has a = 0 and b = 1. b < 1: too sure of itself, high predictions too high and low ones too low; b > 1:
too timid. With b free, a is the bias where the prediction is 50 %, far from where most predictions are; the bias over
all reviews is ``in_the_large``, the a of the line with b = 1 held fixed (below 0: recall was lower than predicted).

References: Cox (1958), Two further applications of a model for binary regression, Biometrika 45:562, doi
10.1093/biomet/45.3-4.562; Van Calster, McLernon, van Smeden, Wynants & Steyerberg (2019), Calibration: the Achilles
heel of predictive analytics, BMC Medicine 17:230, doi 10.1186/s12916-019-1466-7.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Tuple

import numpy as np

from ..metrics.resampling import logit
from ..metrics.scores import Floats, Outcomes
from ..report import CalibrationLine, Estimate
from .paired import Clusters, paired_difference

#: Newton's steps end when none of the parameters moves by more, or after so many.
TOLERANCE = 1e-10
MOST_STEPS = 100


@dataclass(frozen=True)
class Line:
    """A fitted line, and how each review pulls at it."""

    intercept: float
    slope: float
    influence: Floats  #: (n, 2), by how much each review moves (intercept, slope), to first order; sums to 0

    def estimate(self, value: float, intercept: float, slope: float, clusters: Clusters) -> Estimate:
        """``value`` with the interval of a quantity that has these derivatives by intercept and slope."""
        return _estimate(value, self.influence @ np.array([intercept, slope]), clusters)


def calibration_line(predicted: Floats, recalled: Outcomes, clusters: Clusters) -> CalibrationLine:
    """The line through ``predicted`` (n,), probabilities, and ``recalled`` (n,), 0 or 1, by maximum likelihood.

    Predictions of 0 and 1 are clipped by :data:`evaluator.metrics.scores.CLIP` to logits of -36.04 and 36.04, where
    one wrong review has a strong pull. The variance is that of :func:`evaluator.statistics.paired.paired_difference`,
    of each review's influence instead of a difference; it does not rest on the line being the true one. Raises
    nothing.
    """
    reason = no_line(predicted, recalled)
    if reason in {"no_reviews", "one_outcome"}:
        return CalibrationLine(None, None, None, reason)
    large = _in_the_large(logit(predicted), recalled, clusters)
    if reason is not None:
        return CalibrationLine(None, None, large, reason)
    line = fit_line(predicted, recalled)
    return CalibrationLine(
        intercept=line.estimate(line.intercept, 1, 0, clusters),
        slope=line.estimate(line.slope, 0, 1, clusters),
        in_the_large=large,
        reason=None,
    )


def no_line(predicted: Floats, recalled: Outcomes) -> Optional[str]:
    """Why there is no line, as in :class:`evaluator.report.CalibrationLine`; None where there is one."""
    if not len(predicted):
        return "no_reviews"
    if recalled.min() == recalled.max():
        return "one_outcome"
    x = logit(predicted)
    if np.ptp(x) < TOLERANCE:
        return "constant"
    of_recalled, of_forgotten = x[recalled == 1], x[recalled == 0]
    if of_forgotten.max() <= of_recalled.min() or of_recalled.max() <= of_forgotten.min():
        return "separated"
    return None


def fit_line(predicted: Floats, recalled: Outcomes) -> Line:
    """The line of maximum likelihood, where :func:`no_line` gives no reason against it.

    Newton's method from (0, 1) on logits that are centred and scaled, halving steps that raise the loss, which is
    convex. The influence of review i is A^-1 x_i (y_i - p_i), A = sum p_i (1 - p_i) x_i x_i^T, x_i = (1, logit).
    """
    x = logit(predicted)
    centre, scale = float(x.mean()), float(x.std())
    design = np.column_stack((np.ones(len(x)), (x - centre) / scale))
    w = _newton(design, recalled, np.array([centre, scale]))  # the line of slope 1 through 0
    residual, information = _residual(design, recalled, w)
    influence = np.linalg.solve(information, (design * residual[:, None]).T).T
    back = np.array([[1.0, 0.0], [-centre / scale, 1 / scale]])  # to (intercept, slope) on the logits themselves
    intercept, slope = w @ back
    return Line(float(intercept), float(slope), influence @ back)


def _in_the_large(x: Floats, recalled: Outcomes, clusters: Clusters) -> Estimate:
    """a in logit P = a + x, the line of slope 1."""
    ones = np.ones((len(x), 1))
    w = _newton(ones, recalled, np.zeros(1), x)
    residual, information = _residual(ones, recalled, w, x)
    return _estimate(float(w[0]), residual / information[0, 0], clusters)


def _newton(design: Floats, recalled: Outcomes, w: Floats, offset: Optional[Floats] = None) -> Floats:
    """The weights (k,) of least log loss for a design (n, k)."""
    loss = _loss(design, recalled, w, offset)
    for _ in range(MOST_STEPS):
        residual, information = _residual(design, recalled, w, offset)
        step = np.linalg.lstsq(information, design.T @ residual, rcond=None)[0]
        if np.abs(step).max() > 5:  # far from the optimum the curvature may be almost none
            step *= 5 / np.abs(step).max()
        new, new_loss = w + step, _loss(design, recalled, w + step, offset)
        while new_loss > loss and np.abs(step).max() > TOLERANCE:
            step = step / 2
            new, new_loss = w + step, _loss(design, recalled, w + step, offset)
        w, loss = new, new_loss
        if np.abs(step).max() <= TOLERANCE:
            break
    return w


def _linear(design: Floats, w: Floats, offset: Optional[Floats]) -> Floats:
    linear: Floats = design @ w if offset is None else design @ w + offset
    return linear


def _loss(design: Floats, recalled: Outcomes, w: Floats, offset: Optional[Floats]) -> float:
    linear = _linear(design, w, offset)
    softplus = np.log1p(np.exp(-np.abs(linear))) + np.maximum(linear, 0.0)  # several times as fast as logaddexp
    return float((softplus - recalled * linear).sum())


def _residual(design: Floats, recalled: Outcomes, w: Floats, offset: Optional[Floats] = None) -> Tuple[Floats, Floats]:
    """y - p (n,), and the Fisher information (k, k)."""
    linear = _linear(design, w, offset)
    p = 0.5 + 0.5 * np.tanh(0.5 * linear)
    information: Floats = (design * (p * (1 - p))[:, None]).T @ design
    return np.asarray(recalled - p, dtype=np.float64), information


def _estimate(value: float, influence: Floats, clusters: Clusters) -> Estimate:
    """The sum of influences has the variance of a mean of n times as much."""
    d = paired_difference(len(influence) * influence, clusters)
    if d.low is None or d.high is None:
        return Estimate(value, None, None, None)
    return Estimate(value, d.standard_error, value + d.low, value + d.high)
