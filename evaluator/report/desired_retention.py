"""What calibration means at the desired retention, the one place where a scheduler decides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Tuple


@dataclass(frozen=True)
class Near:
    """Observed recall among the predictions near the desired retention. Probabilities all.

    The interval is that of observed minus predicted, put around the observed: what differs between the predictions
    of the window is no uncertainty.
    """

    from_predicted: float  #: the window's edges
    to_predicted: float  #: and to which
    reviews: int
    cards: int
    days: int
    predicted: Optional[float]  #: the mean prediction; None where no review is near, like all that follows
    recalled: Optional[float]  #: share of them that was recalled
    low: Optional[float]  #: None where there are too few cards or days too
    high: Optional[float]


@dataclass(frozen=True)
class IntervalFactor:
    """By what the intervals would have to be multiplied. Where that is not known, ``reason`` says why.

    Reasons: those of :class:`evaluator.report.CalibrationLine`, "not_increasing" (recall does not rise with the
    prediction), "out_of_reach" (recall is the desired one only beyond the predictions that occur), "no_curve" (the
    algorithm has no forgetting curve that one number stretches).
    """

    predicted: Optional[float]  #: p*: the prediction at which recall is the desired retention
    predicted_low: Optional[float]  #: None also where there are too few cards or days for an interval
    predicted_high: Optional[float]
    factor: Optional[float]  #: below 1: intervals are too long
    low: Optional[float]
    high: Optional[float]
    reason: Optional[str]
    experimental: bool = True


@dataclass(frozen=True)
class AtDesiredRetention:
    """Recall and intervals at a desired retention, by the calibration line."""

    desired_retention: float  #: as in the group
    near: Near
    by_line: IntervalFactor
    experimental: bool = True


@dataclass(frozen=True)
class HeldOut:
    """The correction of earlier folds, tried on each next one, see :mod:`evaluator.statistics.held_out`."""

    folds: int  #: in which it could be tried
    reviews: int  #: near the desired retention, as predicted
    deviation: float  #: root of the mean squared difference of recall and prediction in them, as predicted
    corrected: float  #: the same of the corrected predictions
    chance: float  #: what predictions that are exactly right would have


@dataclass(frozen=True)
class RetentionOfAlgorithm:
    """One algorithm at one desired retention."""

    algorithm: str
    in_sample: bool  #: its parameters may have been fitted on these very reviews
    found: AtDesiredRetention
    held_out: Optional[HeldOut]  #: None where it could not be tried in any fold


@dataclass(frozen=True)
class RetentionGroup:
    """The reviews of the presets with one desired retention."""

    desired_retention: float  #: as set in these presets
    assumed: bool  #: the source does not say it; Anki's default was taken
    presets: Tuple[str, ...]  #: their names; none where they are not known
    reviews: int
    algorithms: Tuple[RetentionOfAlgorithm, ...]  #: the verdict's, the best, and the person's own parameters
