"""The facts behind the headline: how accurate the user's FSRS is, and whether it predicts better than SM-2."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Tuple

from ..interval import BETTER, NO_REVIEWS, WORSE, ConfidenceInterval
from .values import CalibrationBin, Comparison

#: The states of some predictions, see :class:`Accuracy`.
OFF, RIGHT, OPEN = "off", "right", "open"
#: The sources of the tested predictions, in the order in which they are tried, see :class:`Accuracy`.
DEFAULT, UNSEEN, SEEN, RETRAINED = "default", "unseen", "seen", "retrained"
#: Claims about the reviews at hand, see :class:`Rivalry`.
BETTER_PAST, WORSE_PAST = "better_past", "worse_past"


@dataclass(frozen=True)
class RecallNear:
    """Predicted and observed recall of some reviews."""

    reviews: int  #: number of these reviews
    predicted: Optional[float]  #: mean prediction; None without reviews
    #: Share remembered. Its interval is that of remembered minus predicted, shifted to the share, because the
    #: differences between the predictions are not uncertainty.
    recalled: ConfidenceInterval

    @property
    def gap(self) -> float:
        """Share remembered minus mean prediction, or 0 without reviews."""
        return (self.recalled.estimate or 0.0) - (self.predicted or 0.0)


NOTHING_TESTED = RecallNear(0, None, ConfidenceInterval(None, reason=NO_REVIEWS))


@dataclass(frozen=True)
class Accuracy:
    """Whether FSRS was right about the reviews with one desired retention.

    The state is "off" if the gap between remembered and predicted is at least 2 points and more than chance, "right" if
    its interval is within 3 points, or otherwise "open". Several sources of predictions are tested in order, and the
    first one that is not open decides.
    """

    state: str  #: "off", "right" or "open", see above
    #: Whose predictions were tested. "default": the parameters in the presets, which are published defaults. "unseen":
    #: the parameters in the presets, on reviews made since they were last changed. "seen": the parameters in the
    #: presets, on all reviews, so the real error may be larger. "retrained": FSRS optimized on the reviews before each
    #: fold. None: no source has enough reviews, and the state is "open".
    source: Optional[str]
    algorithm: Optional[str]  #: the row that was tested. Without a source, it is the optimized row, if there is one.
    desired_retention: float  #: the desired retention with the most scored reviews
    reviews: int  #: number of scored reviews with this desired retention
    near: bool = True  #: true if only predictions near the desired retention were tested, false for all predictions
    recall: RecallNear = NOTHING_TESTED  #: the tested predictions, or no reviews without a source
    optimized: Optional[RecallNear] = None  #: newly optimized parameters on the same reviews, only if off
    closer: Optional[bool] = None  #: whether these were closer by at least 1 point; None if they cannot be compared
    #: The tenth of the predictions that is furthest off, only if FSRS was right at the desired retention and this tenth
    #: is off by at least 5 points and more than chance.
    elsewhere: Optional[RecallNear] = None
    #: Calibration of "unseen" parameters on just these reviews, in the benchmark's groups. It is empty for other
    #: sources, because their calibration is that of the row.
    calibration: Tuple[CalibrationBin, ...] = ()
    changed_after_reviews: bool = False  #: whether the parameters were saved after the last scored review
    all_deleted: bool = False  #: whether all reviewed cards are deleted, so that their presets are not known


@dataclass(frozen=True)
class Rivalry:
    """A comparison with a rival, and the claim that it allows."""

    comparison: Comparison  #: the difference to expect on further reviews, for which slow drift counts as noise
    past: ConfidenceInterval  #: the mean difference on just these reviews, which includes drift
    #: "better", "worse" or "equivalent" if the comparison decides. Otherwise "better_past" or "worse_past" if the past
    #: difference decides, or "open".
    claim: str
    reviews: int  #: number of reviews compared

    @property
    def is_better(self) -> bool:
        """Whether the claim is that the algorithm is better, or was better on these reviews."""
        return self.claim in (BETTER, BETTER_PAST)

    @property
    def is_worse(self) -> bool:
        """Whether the claim is that the algorithm is worse, or was worse on these reviews."""
        return self.claim in (WORSE, WORSE_PAST)

    @property
    def is_past(self) -> bool:
        """Whether the claim is about these reviews only."""
        return self.claim in (BETTER_PAST, WORSE_PAST)


@dataclass(frozen=True)
class Headline:
    """The facts behind the headline."""

    accuracy: Optional[Accuracy]  #: None if FSRS is off, if the source does not say, and in the same-day table
    #: The tested FSRS compared with Anki-SM-2 calibrated, or None if one of them has no result.
    against_adjusted: Optional[Rivalry] = None
    #: The tested FSRS compared with Anki's SM-2 as it is, or with SM-2, or None if one of them has no result.
    against_sm2: Optional[Rivalry] = None
    #: The optimized row compared with Anki-SM-2 calibrated, or otherwise with SM-2. Only for "seen" parameters.
    optimized_against: Optional[Rivalry] = None

    @property
    def decisive(self) -> Optional[Rivalry]:
        """The rivalry that decides, with the adjusted SM-2 if that has a result."""
        return self.against_adjusted or self.against_sm2
