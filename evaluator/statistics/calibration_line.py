"""The calibration line: logit P(recalled) = a + b logit(predicted), with intervals clustered by cards and days.

A perfect model has a = 0 and b = 1. b < 1: overconfident, high predictions too high and low ones too low; b > 1:
underconfident. With b free, a is the bias at predictions of 50%, far from most predictions; the bias
over all reviews is ``in_the_large``, the a of the line with b = 1 held fixed (below 0: recall was lower than
predicted).

References: Cox (1958), Two further applications of a model for binary regression, Biometrika 45:562, doi
10.1093/biomet/45.3-4.562; Van Calster, McLernon, van Smeden, Wynants & Steyerberg (2019), Calibration: the Achilles
heel of predictive analytics, BMC Medicine 17:230, doi 10.1186/s12916-019-1466-7.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Optional, Tuple

import numpy as np

from ..interval import CONSTANT, NO_REVIEWS, ONE_OUTCOME, SEPARATED, ConfidenceInterval
from ..metrics.scores import Floats, Outcomes, chunks, logit
from ..report import CalibrationLine
from .paired import Clusters, paired_difference

#: Newton's steps end with one in which no parameter moves by more than this, which leaves about the square of it to
#: go, or after this many steps.
TOLERANCE = 1e-9
MAX_STEPS = 100
#: Logits that differ by less than this count as the same.
SAME = 1e-10


@dataclass(frozen=True)
class Line:
    """A fitted line, and the influence of each review on it."""

    intercept: float
    slope: float
    influence: Floats  #: (n,), n times by how much each review moves the slope, to first order; sums to 0


def calibration_line(predicted: Floats, recalled: Outcomes, clusters: Clusters) -> CalibrationLine:
    """Return the line through ``predicted`` (n,), probabilities, and ``recalled`` (n,), 0 or 1, by maximum likelihood.

    Predictions of 0 and 1 are clipped by :data:`evaluator.metrics.scores.CLIP` to logits of -36.04 and 36.04, where
    one wrong review has a strong pull. The variance is that of :func:`evaluator.statistics.paired.paired_difference`,
    of each review's influence instead of a difference. It does not rest on the line being the true one.
    """
    x = logit(predicted)
    reason = no_line(x, recalled)
    unknown = ConfidenceInterval(None, reason=reason)
    if reason in {NO_REVIEWS, ONE_OUTCOME}:
        return CalibrationLine(unknown, unknown)
    w, information = _newton(x, recalled, np.array([0.0, 1.0]), free=1)
    influence = _influence(x, recalled, w, np.array([1 / information[0, 0], 0.0]))
    in_the_large = _with_interval(float(w[0]), influence, clusters)
    if reason is not None:
        return CalibrationLine(unknown, in_the_large)
    line = fit_line(x, recalled)
    return CalibrationLine(_with_interval(line.slope, line.influence, clusters), in_the_large)


def no_line(x: Floats, recalled: Outcomes) -> Optional[str]:
    """Return why no line fits logits (n,), as in :class:`evaluator.interval.ConfidenceInterval`, else None."""
    if not len(x):
        return NO_REVIEWS
    if recalled.min() == recalled.max():
        return ONE_OUTCOME
    if np.ptp(x) < SAME:
        return CONSTANT
    passed, failed = x[recalled == 1], x[recalled == 0]
    return SEPARATED if failed.max() <= passed.min() or passed.max() <= failed.min() else None


def fit_line(x: Floats, recalled: Outcomes) -> Line:
    """Return the line of maximum likelihood through logits (n,), if :func:`no_line` gives no reason against it.

    It is found by Newton's method, starting at (0, 1), of centered and scaled logits. The influence of review i is
    A^-1 x_i (y_i - p_i), A = sum p_i (1 - p_i) x_i x_i^T, x_i = (1, logit).
    """
    center, scale = float(x.mean()), float(x.std())
    z = (x - center) / scale
    w, information = _newton(z, recalled, np.array([center, scale]), free=2)  # starts at the line of slope 1 through 0
    to_logits = np.array([[1.0, -center / scale], [0.0, 1 / scale]])
    intercept, slope = to_logits @ w
    weights = to_logits @ np.linalg.inv(information)
    return Line(float(intercept), float(slope), _influence(z, recalled, w, weights[1]))


def _influence(x: Floats, recalled: Outcomes, w: Floats, weights: Floats) -> Floats:
    """Return n (a + b x) (y - p) of each review (n,), with (a, b) = ``weights``."""
    result, (a, b) = np.empty(len(x)), len(x) * weights
    for chunk in chunks(len(x)):
        np.multiply(a + b * x[chunk], recalled[chunk] - _probability(x[chunk], w), out=result[chunk])
    return result


def _newton(x: Floats, recalled: Outcomes, w: Floats, *, free: int) -> Tuple[Floats, Floats]:
    """Return the (intercept, slope) with the lowest log loss, and Fisher's information (2, 2) there.

    The loss is convex: a step at whose end it rises again, half as steeply as it fell at its beginning, is halved.

    Args:
        x: logits (n,).
        recalled: 0 or 1 (n,).
        w: the intercept and the slope to start from.
        free: 1 if only the intercept is fitted, otherwise 2.
    """
    outcomes = np.array([recalled.sum(), x @ recalled])
    downhill, information = _derivatives(x, outcomes, w)
    for _ in range(MAX_STEPS):
        step = np.zeros(2)
        step[:free] = np.linalg.lstsq(information[:free, :free], downhill[:free], rcond=None)[0]
        if np.abs(step).max() <= TOLERANCE:
            return w + step, information
        if np.abs(step).max() > 5:  # far from the optimum the curvature may be almost none
            step *= 5 / np.abs(step).max()
        new, information = _derivatives(x, outcomes, w + step)
        while -2 * new @ step > downhill @ step and np.abs(step).max() > TOLERANCE:
            step = step / 2
            new, information = _derivatives(x, outcomes, w + step)
        w, downhill = w + step, new
    return w, information


def _derivatives(x: Floats, outcomes: Floats, w: Floats) -> Tuple[Floats, Floats]:
    """Return minus the gradient (2,) of the loss at ``w`` and Fisher's information (2, 2).

    Args:
        x: logits (n,).
        outcomes: the sums (2,) of the outcomes and of the outcomes times ``x``.
        w: intercept and slope.
    """
    expected, moments = np.zeros(2), np.zeros(3)
    for chunk in chunks(len(x)):
        z = x[chunk]
        p = _probability(z, w)
        variance = p * (1 - p)
        moment = variance * z
        expected += (p.sum(), p @ z)
        moments += (variance.sum(), moment.sum(), moment @ z)
    return outcomes - expected, moments[[[0, 1], [1, 2]]]


def _probability(x: Floats, w: Floats) -> Floats:
    """Return the recall that the line (intercept, slope) gives for some logits."""
    with np.errstate(over="ignore"):  # 1 / infinity is 0
        probability: Floats = 1 / (1 + np.exp(x * -w[1] - w[0]))
    return probability


def _with_interval(value: float, influence: Floats, clusters: Clusters) -> ConfidenceInterval:
    """Return ``value`` with its clustered interval, from n times each review's influence (n,) on it."""
    around_0 = paired_difference(influence, clusters)
    return replace(around_0.shift_by(value), estimate=value)
