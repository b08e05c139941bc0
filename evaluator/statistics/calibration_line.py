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
    of each review's influence instead of a difference; it does not rest on the line being the true one. Raises
    nothing.
    """
    x = logit(predicted)
    reason = no_line(x, recalled)
    unknown = ConfidenceInterval(None, reason=reason)
    if reason in {NO_REVIEWS, ONE_OUTCOME}:
        return CalibrationLine(unknown, unknown)
    large = _in_the_large(x, recalled, clusters)
    if reason is not None:
        return CalibrationLine(unknown, large)
    line = fit_line(x, recalled)
    return CalibrationLine(_with_interval(line.slope, line.influence, clusters), large)


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

    Newton's method from (0, 1) logits that are centered and scaled. The loss is convex: a step at whose end it rises
    again, half as steeply as it fell at its beginning, is halved. The influence of review i is A^-1 x_i (y_i - p_i), A
    = sum p_i (1 - p_i) x_i x_i^T, x_i = (1, logit).
    """
    center, scale = float(x.mean()), float(x.std())
    z = (x - center) / scale
    w, pull = _newton(z, recalled, np.array([center, scale]), free=2)  # start from the line of slope 1 through 0
    back = np.array(
        [[1.0, -center / scale], [0.0, 1 / scale]]
    )  # matrix that turns them into (intercept, slope) on the logits themselves
    intercept, slope = back @ w
    by = back @ np.linalg.inv(pull.information)
    return Line(float(intercept), float(slope), _influence(z, recalled, w, by[1]))


def _in_the_large(x: Floats, recalled: Outcomes, clusters: Clusters) -> ConfidenceInterval:
    """Return the intercept a of the line of slope 1, logit P = a + x, with its interval."""
    w, pull = _newton(x, recalled, np.array([0.0, 1.0]), free=1)
    influence = _influence(x, recalled, w, np.array([1 / pull.information[0, 0], 0.0]))
    return _with_interval(float(w[0]), influence, clusters)


def _influence(x: Floats, recalled: Outcomes, w: Floats, by: Floats) -> Floats:
    """n (a + b x) (y - p) of each review (n,), with (a, b) = ``by``."""
    result, (a, b) = np.empty(len(x)), len(x) * by
    for chunk in chunks(len(x)):
        np.multiply(a + b * x[chunk], recalled[chunk] - _probability(x[chunk], w), out=result[chunk])
    return result


@dataclass(frozen=True)
class _Pull:
    downhill: Floats  #: (2,), minus the derivatives of the loss by intercept and slope
    information: Floats  #: (2, 2), Fisher's


def _newton(x: Floats, recalled: Outcomes, w: Floats, *, free: int) -> Tuple[Floats, _Pull]:
    """Return the (intercept, slope) with the lowest log loss, of which only the first ``free`` move, and the pull
    there.
    """
    outcomes = np.array([recalled.sum(), x @ recalled])
    pull = _pull(x, outcomes, w)
    for _ in range(MAX_STEPS):
        step = np.zeros(2)
        step[:free] = np.linalg.lstsq(pull.information[:free, :free], pull.downhill[:free], rcond=None)[0]
        if np.abs(step).max() <= TOLERANCE:
            return w + step, pull
        if np.abs(step).max() > 5:  # far from the optimum the curvature may be almost none
            step *= 5 / np.abs(step).max()
        new = _pull(x, outcomes, w + step)
        while -2 * new.downhill @ step > pull.downhill @ step and np.abs(step).max() > TOLERANCE:
            step = step / 2
            new = _pull(x, outcomes, w + step)
        w, pull = w + step, new
    return w, pull


def _pull(x: Floats, outcomes: Floats, w: Floats) -> _Pull:
    """Return the pull at ``w``, from the sums (2,) of the outcomes and of the outcomes times ``x``."""
    expected, moments = np.zeros(2), np.zeros(3)
    for chunk in chunks(len(x)):
        z = x[chunk]
        p = _probability(z, w)
        variance = p * (1 - p)
        along = variance * z
        expected += (p.sum(), p @ z)
        moments += (variance.sum(), along.sum(), along @ z)
    return _Pull(outcomes - expected, moments[[[0, 1], [1, 2]]])


def _probability(x: Floats, w: Floats) -> Floats:
    """Return what the line (intercept, slope) makes of some logits."""
    odds_against = x * -w[1]
    odds_against -= w[0]
    with np.errstate(over="ignore"):  # 1 / infinity is 0
        np.exp(odds_against, out=odds_against)
    odds_against += 1
    probability: Floats = np.divide(1.0, odds_against, out=odds_against)
    return probability


def _with_interval(value: float, influence: Floats, clusters: Clusters) -> ConfidenceInterval:
    """``value`` with its clustered interval, from n times the influence of each review (n,) on it, which sum to 0."""
    around_0 = paired_difference(influence, clusters)
    return replace(around_0.shift_by(value), estimate=value)
