"""Values that several parts of a report share, besides :class:`evaluator.interval.ConfidenceInterval`."""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, Optional

from ..errors import EvaluatorError
from ..interval import MIN_RARER, MIN_RARER_GROUPS, ConfidenceInterval

#: Anki's default desired retention, which presets without a valid one have.
DEFAULT_RETENTION = 0.9
#: The desired retentions that Anki accepts.
MIN_RETENTION, MAX_RETENTION = 0.7, 0.99
#: The algorithm that always predicts the user's average before the fold.
AVERAGE = "AVG"
#: The row of the parameters in the presets.
OWN = "Your parameters"
#: The row of the parameters that Anki uses for presets without any.
PUBLISHED = "FSRS-6 default"
#: The row of Anki's SM-2, with its intervals adjusted to the user's history.
ADJUSTED = "Anki-SM-2 calibrated"


@dataclass(frozen=True)
class CalibrationBin:
    """One group of reviews with similar predictions."""

    left: float  #: minimum prediction of the group
    right: float  #: maximum prediction of the group
    predicted: float  #: mean predicted probability of recall
    recalled: float  #: share that was recalled
    reviews: int


@dataclass(frozen=True)
class PeerGroup:
    """Other people's whole collections with about as many scored reviews."""

    at_least: int  #: minimum number of scored reviews
    below: Optional[int]  #: upper limit of that number, exclusive; None if there is no limit
    collections: int  #: number of collections


@dataclass(frozen=True)
class ProbabilityBetter:
    """Probability that the algorithm of a comparison is better for this user.

    It is estimated from the user's reviews and published results, see :mod:`evaluator.statistics.published_results`.
    """

    better: float  #: the probability
    others: PeerGroup  #: the peer group that the published results are from
    better_for: int  #: number of these collections in which the algorithm is better
    algorithm: str  #: the algorithm whose published results stand for the algorithm
    baseline: str  #: the algorithm whose published results stand for the baseline


@dataclass(frozen=True)
class Comparison:
    """Paired difference of the log loss of two algorithms on the same reviews.

    The interval is about just these reviews. There is none if there are too few cards or days, or too few reviews of
    the rarer outcome. The code is the claim that the interval allows, see :func:`evaluator.interval.classify`. It is
    "equivalent" if the whole interval is within :attr:`Report.margin` of 0. Otherwise it is "better" or "worse" if the
    interval excludes 0, or "cannot_tell" if it does not. Without an interval it is "too_few" or "rare_outcome".
    """

    algorithm: str
    baseline: str
    difference: ConfidenceInterval  #: mean log loss of the algorithm minus that of the baseline; negative is better
    code: str
    #: From published results. None if they do not cover the pair, and in the same-day table.
    chance: Optional[ProbabilityBetter] = None


@dataclass(frozen=True)
class RarerOutcome:
    """The rarer outcome among some reviews, or forgotten if both are equally frequent."""

    outcome: int  #: 0 for forgotten, 1 for remembered
    reviews: int  #: number of reviews with this outcome
    cards: int  #: number of their cards
    days: int  #: number of their days

    @property
    def is_enough(self) -> bool:
        """Whether it occurred often enough, on enough cards and days, for the interval of a difference."""
        return self.reviews >= MIN_RARER and min(self.cards, self.days) >= MIN_RARER_GROUPS


@dataclass(frozen=True)
class SampleSize:
    """Sample size of a comparison."""

    reviews: int
    cards: int
    days: int
    rarer: Optional[RarerOutcome] = None  #: None if it is not known


@dataclass(frozen=True)
class Failure:
    """Reason for missing numbers.

    It is the code and the facts of one of :mod:`evaluator.errors`. Two more codes have a ``detail`` as their fact:
    "arithmetic" means that a calculated number is not a probability, and "mistake" that an algorithm or a section has a
    bug.
    """

    code: str  #: such as "reviews_uncovered"
    facts: Dict[str, Any]  #: numbers and names by their meaning, such as {"uncovered": 4}

    @classmethod
    def of(cls, error: Exception) -> Failure:
        """Return the code and the facts of an error. The detail of a bug names its file and line."""
        if isinstance(error, EvaluatorError):
            return cls(error.code, dict(error.facts))
        if isinstance(error, FloatingPointError):
            return cls("arithmetic", {"detail": str(error)})
        position = traceback.extract_tb(error.__traceback__)[-1]
        detail = f"{type(error).__name__}: {error} ({Path(position.filename).name}:{position.lineno})"
        return cls("mistake", {"detail": detail})
