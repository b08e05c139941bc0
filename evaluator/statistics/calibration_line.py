"""The calibration line: logit P(recalled) = a + b logit(predicted), with intervals clustered by cards and days.

A perfect model has a = 0 and b = 1. With b < 1 it is overconfident: high predictions are too high and low ones too low.
With b > 1 it is underconfident. If both are fitted, a is the bias at predictions of 50%, far from most predictions. The
bias over all reviews is ``in_the_large``, the a of the line whose b is held fixed at 1. It is below 0 if recall was
lower than predicted.

References: Cox (1958), Two further applications of a model for binary regression, Biometrika 45:562, doi
10.1093/biomet/45.3-4.562; Van Calster, McLernon, van Smeden, Wynants & Steyerberg (2019), Calibration: the Achilles
heel of predictive analytics, BMC Medicine 17:230, doi 10.1186/s12916-019-1466-7.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Optional, Tuple

import numpy as np

from ..data.revlog import Ints
from ..derivatives import Floats
from ..interval import CONSTANT, NO_REVIEWS, ONE_OUTCOME, SEPARATED, ConfidenceInterval
from ..metrics.scores import chunks, logit
from ..report import CalibrationLine
from .paired import Clusters, paired_difference

#: Newton's method ends with the first step that moves no parameter by more than this. The remaining error is about its
#: square.
TOLERANCE = 1e-9
#: Maximum number of Newton's steps.
MAX_STEPS = 100
#: Maximum change of a parameter by one step. Far from the optimum the curvature may be tiny, and the step too long.
MAX_STEP_LENGTH = 5
#: Minimum range of logits that are not constant.
MIN_RANGE = 1e-10


@dataclass(frozen=True)
class Line:
    """A fitted line, with the influence of each review on its slope."""

    intercept: float
    slope: float
    influence: Floats  #: (n,), n times the change of the slope by each review, to first order, with sum 0


def calibration_line(predicted: Floats, recalled: Ints, clusters: Clusters) -> CalibrationLine:
    """Fit the line by maximum likelihood, with intervals that do not assume that it is the true one.

    Predictions of 0 and 1 are clipped by :data:`evaluator.metrics.scores.CLIP` to logits of -36.04 and 36.04, where
    one wrong review has a strong pull. The variance is that of :func:`evaluator.statistics.paired.paired_difference`
    with each review's influence as its difference.

    Args:
        predicted: the probabilities of recall (n,).
        recalled: the outcomes, 0 or 1 (n,).
        clusters: the reviews' cards and days.
    """
    x = logit(predicted)
    reason = no_line_reason(x, recalled)
    unknown = ConfidenceInterval(None, reason=reason)
    if reason in {NO_REVIEWS, ONE_OUTCOME}:
        return CalibrationLine(unknown, unknown)
    w, information = _fit_by_newton(x, recalled, np.array([0.0, 1.0]), free=1)
    influence = _influence(x, recalled, w, np.array([1 / information[0, 0], 0.0]))
    in_the_large = _with_interval(float(w[0]), influence, clusters)
    if reason is not None:
        return CalibrationLine(unknown, in_the_large)
    line = fit_line(x, recalled)
    return CalibrationLine(_with_interval(line.slope, line.influence, clusters), in_the_large)


def no_line_reason(x: Floats, recalled: Ints) -> Optional[str]:
    """Return the reason why no line can be fitted to logits (n,), or None if one can.

    The reasons are those of :class:`evaluator.interval.ConfidenceInterval`.
    """
    if not len(x):
        return NO_REVIEWS
    if recalled.min() == recalled.max():
        return ONE_OUTCOME
    if np.ptp(x) < MIN_RANGE:
        return CONSTANT
    passed_x = x[recalled == 1]
    failed_x = x[recalled == 0]
    return SEPARATED if failed_x.max() <= passed_x.min() or passed_x.max() <= failed_x.min() else None


def fit_line(x: Floats, recalled: Ints) -> Line:
    """Return the line of maximum likelihood through logits (n,), for which :func:`no_line_reason` must return None.

    It is found by Newton's method on centered and scaled logits. The influence of review i is A^-1 x_i (y_i - p_i),
    where A = sum p_i (1 - p_i) x_i x_i^T and x_i = (1, logit).
    """
    center = float(x.mean())
    scale = float(x.std())
    z = (x - center) / scale
    # The start is the line with intercept 0 and slope 1.
    w, information = _fit_by_newton(z, recalled, np.array([center, scale]), free=2)
    to_logits = np.array([[1.0, -center / scale], [0.0, 1 / scale]])
    intercept, slope = to_logits @ w
    weights = to_logits @ np.linalg.inv(information)
    return Line(float(intercept), float(slope), _influence(z, recalled, w, weights[1]))


def _influence(x: Floats, recalled: Ints, w: Floats, weights: Floats) -> Floats:
    """Return each review's influence (n,) on a number of the fitted line, n (a + b x) (y - p).

    Args:
        x: the logits (n,).
        recalled: the outcomes y, 0 or 1 (n,).
        w: the intercept and the slope of the line, which predicts p.
        weights: a and b, the row of the inverse of Fisher's information that belongs to the number.
    """
    result = np.empty(len(x))
    (a, b) = len(x) * weights
    for chunk in chunks(len(x)):
        np.multiply(a + b * x[chunk], recalled[chunk] - _probability(x[chunk], w), out=result[chunk])
    return result


def _fit_by_newton(x: Floats, recalled: Ints, w: Floats, *, free: int) -> Tuple[Floats, Floats]:
    """Return the intercept and slope with the lowest log loss, and Fisher's information (2, 2) there.

    A step is halved if the loss rises at its end at least half as steeply as it fell at its beginning. This suffices
    because the loss is convex.

    Args:
        x: the logits (n,).
        recalled: the outcomes, 0 or 1 (n,).
        w: the intercept and the slope to start from.
        free: number of fitted parameters: 1 for the intercept alone, or 2.
    """
    outcomes = np.array([recalled.sum(), x @ recalled])
    downhill, information = _derivatives(x, outcomes, w)
    for _ in range(MAX_STEPS):
        step = np.zeros(2)
        step[:free] = np.linalg.lstsq(information[:free, :free], downhill[:free], rcond=None)[0]
        if np.abs(step).max() <= TOLERANCE:
            return w + step, information
        if np.abs(step).max() > MAX_STEP_LENGTH:
            step *= MAX_STEP_LENGTH / np.abs(step).max()
        new_downhill, information = _derivatives(x, outcomes, w + step)
        while -2 * new_downhill @ step > downhill @ step and np.abs(step).max() > TOLERANCE:
            step = step / 2
            new_downhill, information = _derivatives(x, outcomes, w + step)
        w = w + step
        downhill = new_downhill
    return w, information


def _derivatives(x: Floats, outcomes: Floats, w: Floats) -> Tuple[Floats, Floats]:
    """Return the negative gradient (2,) of the loss and Fisher's information (2, 2).

    Args:
        x: the logits (n,).
        outcomes: the sums of the outcomes and of the outcomes times ``x``, (2,).
        w: the intercept and the slope.
    """
    expected = np.zeros(2)
    moments = np.zeros(3)
    for chunk in chunks(len(x)):
        z = x[chunk]
        p = _probability(z, w)
        variance = p * (1 - p)
        moment = variance * z
        expected += (p.sum(), p @ z)
        moments += (variance.sum(), moment.sum(), moment @ z)
    return outcomes - expected, moments[[[0, 1], [1, 2]]]


def _probability(x: Floats, w: Floats) -> Floats:
    """Return the recall that the line (intercept, slope) gives for these logits."""
    # After an overflow, 1 / infinity is 0 as it should be.
    with np.errstate(over="ignore"):
        probability: Floats = 1 / (1 + np.exp(x * -w[1] - w[0]))
    return probability


def _with_interval(value: float, influence: Floats, clusters: Clusters) -> ConfidenceInterval:
    """Return the value with its clustered interval, given n times each review's influence (n,) on it."""
    centered = paired_difference(influence, clusters)
    return replace(centered.shift_by(value), estimate=value)
