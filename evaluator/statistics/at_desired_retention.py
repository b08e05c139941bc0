"""Experimental: what calibration means at the desired retention, the one place where a scheduler decides.

"When it said 90 %, you remembered 87 % (85 to 89)", and by what factor its intervals would have to be multiplied for
90 % to be remembered. Labelled experimental wherever it shows: the factor is an approximation that still has to prove
itself on reviews that were not used for it, and it says nothing of intervals that were never chosen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Optional

import numpy as np

from ..interval import NO_CURVE, NO_REVIEWS, NOT_INCREASING, OUT_OF_REACH, Interval
from ..metrics.resampling import logit
from ..metrics.scores import Floats, Outcomes
from .calibration_line import fit_line, no_line
from .paired import Clusters, paired_difference

#: Predictions within so many logits of the desired retention count as near: 87.5 to 92.0 % for 90 %. In logits the
#: window gets narrower near 1, as intervals do. Wider windows hold more reviews, and more of what is not 90 %.
NEAR = 0.25


@dataclass(frozen=True)
class Near:
    """Observed recall among the predictions near the desired retention. Probabilities all."""

    from_predicted: float  #: the window's edges
    to_predicted: float  #: and to which
    reviews: int
    cards: int
    days: int
    predicted: Optional[float]  #: the mean prediction; None where no review is near
    #: Share of them that was recalled. The interval is that of observed minus predicted, put around the observed: what
    #: differs between the predictions of the window is no uncertainty.
    recalled: Interval


@dataclass(frozen=True)
class IntervalFactor:
    """By what the intervals would have to be multiplied."""

    predicted: Interval  #: p*: the prediction at which recall is the desired retention
    factor: Interval  #: below 1: intervals are too long
    experimental: bool = True


@dataclass(frozen=True)
class AtDesiredRetention:
    """Recall and intervals at a desired retention, by the calibration line."""

    desired_retention: float  #: as in the group
    near: Near
    by_line: IntervalFactor
    experimental: bool = True

    @property
    def disagree(self) -> bool:
        """Whether the line through all predictions and the reviews near the desired retention say opposite things."""
        factor, predicted, recalled = self.by_line.factor.estimate, self.near.predicted, self.near.recalled.estimate
        if factor is None or predicted is None or recalled is None:
            return False
        return (factor - 1) * (recalled - predicted) < 0


def at_desired_retention(
    predicted: Floats,
    recalled: Outcomes,
    clusters: Clusters,
    *,
    desired_retention: float,
    decay: Optional[float],
) -> AtDesiredRetention:
    """Recall near the desired retention and the factor of intervals, of predictions (n,) and outcomes (n,), 0 or 1.

    ``decay`` is that of the forgetting curve, above 0: FSRS-6's parameter w20, 0.5 for FSRS-4.5 and FSRS-5; None where
    the algorithm has no such curve, and so no factor. A perfect model has the desired retention as recall and a factor
    of 1. Raises ValueError where the desired retention is not
    between 0 and 1, or the decay not above 0.
    """
    return AtDesiredRetention(
        desired_retention,
        recall_near(predicted, recalled, clusters, desired_retention),
        factor_by_line(predicted, recalled, clusters, desired_retention=desired_retention, decay=decay),
    )


def recall_near(predicted: Floats, recalled: Outcomes, clusters: Clusters, desired_retention: float) -> Near:
    """Observed recall among the predictions within :data:`NEAR` logits of the desired retention.

    The interval is clustered by the cards and the days of these reviews. It may reach beyond 0 and 1 where recall
    is close to either. Raises ValueError where the desired retention is not between 0 and 1.
    """
    _check(desired_retention, 1.0)
    centre = float(logit(np.array([desired_retention]))[0])
    edges = [_probability(centre + side * NEAR) for side in (-1, 1)]
    inside = np.abs(logit(predicted) - centre) <= NEAR
    some = clusters.take(inside)
    reviews, mean, share = int(inside.sum()), None, Interval(None, reason=NO_REVIEWS)
    if reviews:
        p, y = predicted[inside], recalled[inside]
        mean = float(p.mean())
        share = paired_difference(y - p, some).moved(mean)
    return Near(edges[0], edges[1], reviews, some.cards, some.days, mean, share)


def factor_by_line(
    predicted: Floats, recalled: Outcomes, clusters: Clusters, *, desired_retention: float, decay: Optional[float]
) -> IntervalFactor:
    """The factor by the calibration line, logit p* = (logit q - a) / b, with the interval of the delta method.

    The interval of logit p* has the variance of -(1, logit p*) / b times (a, b), clustered likewise, and is carried
    over to p* and the factor, both monotone in it. Arguments and errors as in :func:`at_desired_retention`.
    """
    _check(desired_retention, decay)
    reason = no_line(predicted, recalled)
    if reason is not None:
        return _unknown(reason)
    line = fit_line(predicted, recalled)
    if line.slope <= 0:
        return _unknown(NOT_INCREASING)
    target = (float(logit(np.array([desired_retention]))[0]) - line.intercept) / line.slope
    occurring = logit(predicted)
    if not occurring.min() <= target <= occurring.max():
        return _unknown(OUT_OF_REACH)
    found = line.estimate(target, -1 / line.slope, -target / line.slope, clusters)
    return _factor(found, desired_retention, decay)


def interval_factor(predicted: float, desired_retention: float, decay: float) -> float:
    """I(p*) / I(q) for FSRS's forgetting curve, I(r) = S (r^(-1 / decay) - 1) / F, in which S and F cancel.

    The interval at which the model predicts p*, in units of that at which it predicts q. Infinite at p* = 0. Raises
    ValueError as :func:`at_desired_retention`.
    """
    _check(desired_retention, decay)
    with np.errstate(over="ignore", divide="ignore"):
        longer, usual = np.expm1(-np.log(np.array([predicted, desired_retention])) / decay)
    return float(longer / usual)


def _check(desired_retention: float, decay: Optional[float]) -> None:
    if not 0 < desired_retention < 1:
        raise ValueError(f"desired retention {desired_retention} is not between 0 and 1")
    if decay is not None and not decay > 0:
        raise ValueError(f"decay {decay} is not above 0")


def _probability(x: float) -> float:
    """The probability that has this logit, which is first kept within the range of :func:`logit`."""
    return float(1 / (1 + np.exp(-np.clip(x, *logit(np.array([0.0, 1.0]))))))


def _unknown(reason: str) -> IntervalFactor:
    return IntervalFactor(Interval(None, reason=reason), Interval(None, reason=reason))


def _factor(found: Interval, desired_retention: float, decay: Optional[float]) -> IntervalFactor:
    """The prediction p* and the factor of intervals, from logit p* with its interval."""
    predicted = _carried_over(found, _probability)
    if decay is None:
        return IntervalFactor(predicted, Interval(None, reason=NO_CURVE))
    return IntervalFactor(predicted, _carried_over(predicted, lambda p: interval_factor(p, desired_retention, decay)))


def _carried_over(found: Interval, to: Callable[[float], float]) -> Interval:
    """The interval of ``to(number)``, for a function that only rises or only falls; it has no standard error."""
    low, high = (None, None) if found.ends is None else sorted(map(to, found.ends))
    return Interval(to(found.known), low, high, reason=found.reason)
