"""The facts behind the headline: is the user's FSRS accurate, and does it predict better than SM-2?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Tuple

from ..interval import BETTER, NO_REVIEWS, WORSE, ConfidenceInterval
from .values import CalibrationBin, Comparison, PercentileRank

#: The states of some predictions, see :class:`Accuracy`.
OFF, RIGHT, OPEN = "off", "right", "open"
#: The sources of the tested predictions, in the order in which they are tried, see :class:`Accuracy`.
DEFAULT, UNSEEN, SEEN, RETRAINED = "default", "unseen", "seen", "retrained"
#: Claims about the reviews at hand, see :class:`Rivalry`.
BETTER_PAST, WORSE_PAST = "better_past", "worse_past"


@dataclass(frozen=True)
class RecallNear:
    """Share of reviews remembered among some predictions."""

    reviews: int  #: number of predictions
    predicted: Optional[float]  #: their mean; None without reviews
    #: Share remembered. The interval is that of remembered minus predicted, put around the share: the differences
    #: between the predictions themselves are not uncertainty.
    recalled: ConfidenceInterval

    @property
    def gap(self) -> float:
        """Share remembered minus mean prediction, or 0 without reviews."""
        return (self.recalled.estimate or 0.0) - (self.predicted or 0.0)


NOTHING_TESTED = RecallNear(0, None, ConfidenceInterval(None, reason=NO_REVIEWS))


@dataclass(frozen=True)
class Accuracy:
    """Whether FSRS was right about the reviews with one desired retention, by the first source that shows it.

    The state is "off" (the gap between remembered and predicted is at least 2 points, and more than chance), "right"
    (its interval is within 3 points) or "open".
    """

    state: str  #: see above
    #: Whose predictions were tested. "default": the parameters in the presets, which are the default ones. "unseen":
    #: those in the presets, on reviews made since they were last changed. "seen": those in the presets, on all reviews,
    #: so the real error may be larger. "retrained": FSRS optimized on the reviews before each fold. None: no source has
    #: enough reviews; the state is "open".
    source: Optional[str]
    algorithm: Optional[str]  #: the row that was tested; without a source the optimized one, if there is one
    desired_retention: float  #: the one with the most scored reviews
    reviews: int  #: number of scored reviews with this desired retention
    near: bool = True  #: True: predictions near the desired retention were tested; False: all predictions
    recall: RecallNear = NOTHING_TESTED  #: the tested predictions; without a source no reviews
    optimized: Optional[RecallNear] = None  #: newly optimized parameters on the same reviews; only if off
    closer: Optional[bool] = None  #: whether these were closer by at least 1 point; None if they cannot be compared
    #: If right at the desired retention: the tenth of the predictions that is furthest off, by at least 5 points and
    #: more than chance.
    elsewhere: Optional[RecallNear] = None
    #: Calibration of "unseen" parameters on just these reviews, in the benchmark's groups. Otherwise that of the row.
    calibration: Tuple[CalibrationBin, ...] = ()
    changed_after_reviews: bool = False  #: True: the parameters were saved after the last scored review


@dataclass(frozen=True)
class Rivalry:
    """A comparison with a rival, and the claim that it allows."""

    comparison: Comparison  #: what would happen on further reviews; slow drift counts as noise
    past: ConfidenceInterval  #: the mean difference that was realized on just these reviews; drift is part of it
    #: "better", "worse" and "equivalent" are decided by the comparison; otherwise "better_past" and "worse_past" by the
    #: past; otherwise "open".
    claim: str
    reviews: int  #: number of reviews compared

    @property
    def is_better(self) -> bool:
        """Return whether the claim is that the algorithm is better, or was better on these reviews."""
        return self.claim in (BETTER, BETTER_PAST)

    @property
    def is_worse(self) -> bool:
        """Return whether the claim is that the algorithm is worse, or was worse on these reviews."""
        return self.claim in (WORSE, WORSE_PAST)

    @property
    def is_past(self) -> bool:
        """Return whether the claim is about these reviews only."""
        return self.claim in (BETTER_PAST, WORSE_PAST)


@dataclass(frozen=True)
class Headline:
    """The facts behind the headline."""

    accuracy: Optional[Accuracy]  #: None if FSRS is off, if the source does not say, and in the same-day table
    #: The tested FSRS minus Anki-SM-2 calibrated; None if one of them has no result.
    against_adjusted: Optional[Rivalry] = None
    against_sm2: Optional[Rivalry] = None  #: minus Anki's SM-2 as it is, or SM-2
    #: Only for "seen" parameters: the optimized row against Anki-SM-2 calibrated, else against SM-2.
    optimized_against: Optional[Rivalry] = None
    skill_rank: Optional[PercentileRank] = None  #: of the optimized row; None below 1,000 scored reviews

    @property
    def decisive(self) -> Optional[Rivalry]:
        """Return the rivalry that decides: with the adjusted SM-2, if that has a result."""
        return self.against_adjusted or self.against_sm2
