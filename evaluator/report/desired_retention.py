"""What calibration means at the desired retention, the one place where a scheduler decides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Tuple

from ..interval import Interval


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
