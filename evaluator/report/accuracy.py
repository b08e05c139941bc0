"""The facts behind the headline: is the user's FSRS accurate, or would FSRS predict better than SM-2?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

from ..interval import ConfidenceInterval
from .values import Comparison, PercentileRank


@dataclass(frozen=True)
class RecallNear:
    """Share of reviews remembered among the predictions near a probability, or among all predictions."""

    reviews: int  #: number of predictions
    predicted: Optional[float]  #: their mean; None without reviews
    #: Share remembered. The interval is that of remembered minus predicted, put around the share: the differences
    #: between the predictions themselves are not uncertainty.
    recalled: ConfidenceInterval


@dataclass(frozen=True)
class Accuracy:
    """The facts behind the headline."""

    #: Its form: "target" (the user's FSRS, near the desired retention), "average" (the user's FSRS, over all
    #: predictions, as too few are near it), "too_few" (FSRS is on, with too few reviews for either) or "rivals" (FSRS
    #: against SM-2: FSRS is off, the source does not say, or no row fits).
    form: str
    algorithm: Optional[str]  #: the FSRS whose predictions these are; None if no FSRS has a result
    #: Source of its parameters: "own" (the presets; only reviews made since they were last changed count),
    #: "default" (published with FSRS, like those in the presets) or "retrained" (on the reviews before each fold).
    source: Optional[str] = None
    desired_retention: Optional[float] = None  #: the one with the most scored reviews; None for "rivals"
    share: Optional[float] = None  #: share of the scored reviews with this desired retention
    #: Near the desired retention for "target", over all predictions for "average" and "too_few".
    recall: Optional[RecallNear] = None
    #: Result of comparing remembered with predicted: "as_predicted", "lower" (remembered less than
    #: predicted: by at least 2 points, and by more than chance) or "higher"; None for "too_few" and "rivals".
    code: Optional[str] = None
    #: Newly optimized parameters near the same prediction; only if off by at least 2 points.
    retrained: Optional[RecallNear] = None
    closer: Optional[bool] = None  #: whether these are closer by at least 1 point
    #: Desired retention at which the share that the user aims for would be remembered; only if off by at least 2
    #: points, optimizing would not change that, all reviews have one desired retention, this one corrects it, and the
    #: interval of the calibration line there is within 3 points.
    suggested_retention: Optional[float] = None
    rank: Optional[PercentileRank] = None  #: percentile rank of its RMSE (bins); None below 1,000 scored reviews
    against_sm2: Optional[Comparison] = None  #: log loss of the algorithm minus that of Anki's SM-2
    against_calibrated: Optional[Comparison] = None  #: minus that of Anki-SM-2 calibrated
    needed_reviews: Optional[int] = None  #: for "too_few": scored reviews that are about enough
    more_days: Optional[int] = None  #: for "too_few": about this many more days of study; None if unknown


@dataclass(frozen=True)
class PredictionChange:
    """How much optimizing now would change the predictions of the user's FSRS.

    The FSRS that the presets run is fitted to all reviews of each preset, as Anki's Optimize does, and its predictions
    are compared with those of what the preset runs now.
    """

    mean: float  #: mean absolute change of the predicted probability, over the reviews of all presets together
    reviews: int  #: number of these reviews
