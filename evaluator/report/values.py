"""Values that several parts of a report share, besides :class:`evaluator.interval.ConfidenceInterval`."""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, Optional

from ..errors import EvaluatorError
from ..interval import MIN_RARER, MIN_RARER_GROUPS, ConfidenceInterval

#: The algorithm that guesses the person's average before each fold.
AVERAGE = "AVG"


@dataclass(frozen=True)
class PeerGroup:
    """The collections of others with about as many scored reviews, whole ones, whatever part is evaluated here."""

    at_least: int  #: scored reviews of each
    below: Optional[int]  #: and fewer than these; None: however many
    collections: int  #: how many they are


@dataclass(frozen=True)
class ProbabilityBetter:
    """How likely the algorithm of a comparison is better for this person, by their own reviews and by others'.

    ``code`` is the word for it: "almost_certainly" (at least 99 %), "very_probably" (95 %), "probably" (80 %), else
    "cannot_tell"; below 50 % it is said of the baseline. See :mod:`evaluator.statistics.population`.
    """

    better: float  #: the chance
    code: str  #: the word for it
    median_difference: float  #: as likely as not, the true difference is below this
    others: PeerGroup  #: that it rests on
    better_for: int  #: in so many of these collections it is better
    algorithm: str  #: of theirs, that stands for the algorithm
    baseline: str  #: of theirs, that stands for the baseline


@dataclass(frozen=True)
class PercentileRank:
    """Where a number of an algorithm stands among those of others with about as many reviews."""

    metric: str  #: its key
    better_than: float  #: the share of the others whose number is worse
    algorithm: str  #: whose numbers theirs are
    others: PeerGroup  #: among which it stands


@dataclass(frozen=True)
class Comparison:
    """Paired difference of log loss, ``algorithm`` minus ``baseline``, on the same reviews (negative: better).

    The interval is clustered by card and by time; there is none where there are too few cards or days, or too few
    reviews of the rarer outcome. ``code`` is what it allows to say, see :func:`evaluator.interval.judge`: "equivalent"
    (all of it within :attr:`Report.margin` of 0), else "better" or "worse" (it leaves out 0), else "cannot_tell";
    "too_few" or "rare_outcome" where there is none.
    """

    algorithm: str
    baseline: str
    difference: ConfidenceInterval  #: mean log loss, algorithm minus baseline
    code: str
    smallest_detectable: Optional[float]  #: the true difference that such reviews would have shown four times in five
    #: With what is known of others; None where nothing is, of such a pair or in the same-day table.
    chance: Optional[ProbabilityBetter] = None


@dataclass(frozen=True)
class RarerOutcome:
    """Forgotten or remembered, whichever is the rarer among some reviews; forgotten where they are equal."""

    outcome: int  #: 0: forgotten, 1: remembered
    reviews: int  #: with this outcome
    cards: int  #: among them
    days: int  #: likewise

    @property
    def enough(self) -> bool:
        """Whether it occurred often enough, on enough cards and days, for the interval of a difference of losses."""
        return self.reviews >= MIN_RARER and min(self.cards, self.days) >= MIN_RARER_GROUPS


@dataclass(frozen=True)
class Side:
    """The reviews for which an algorithm was surer of recall than the baseline, or less sure, by so much or more.

    The surer of two equally good forecasters often looks nearer on both sides, so a side is described, never judged.
    Where it has too few reviews, cards or days to be described, the shares are None.
    """

    reviews: int
    cards: int
    days: int
    recalled: Optional[float]  #: share that was recalled
    predicted: Optional[float]  #: mean prediction of the algorithm
    predicted_by_baseline: Optional[float]  #: likewise of the baseline


@dataclass(frozen=True)
class Disagreement:
    """What happened where an algorithm and the baseline predicted different things."""

    threshold: float  #: so far apart are the predictions, or further: 0.10, or 0.05 where too few reviews reach that
    predicted_higher: Side  #: the algorithm was surer
    predicted_lower: Side  #: the algorithm was less sure


@dataclass(frozen=True)
class SampleSize:
    """What a comparison rests on: how many scored reviews, how many cards and days, and the rarer outcome."""

    reviews: int
    cards: int
    days: int
    rarer: Optional[RarerOutcome] = None  #: None where it is not known


@dataclass(frozen=True)
class Failure:
    """Why there are no numbers: the code and the facts of one of :mod:`evaluator.errors`.

    Two more codes, both with a ``detail``: "arithmetic" (what was calculated is no probability) and "mistake" (the
    code of an algorithm or a section failed).
    """

    code: str  #: e.g. "reviews_uncovered"
    facts: Dict[str, Any]  #: numbers and names, by what they are: {"uncovered": 4, ...}

    @classmethod
    def of(cls, error: Exception) -> Failure:
        """Return the code and the facts of an error; the detail of a mistake says where in the code it is."""
        if isinstance(error, EvaluatorError):
            return cls(error.code, dict(error.facts))
        if isinstance(error, FloatingPointError):
            return cls("arithmetic", {"detail": str(error)})
        position = traceback.extract_tb(error.__traceback__)[-1]
        detail = f"{type(error).__name__}: {error} ({Path(position.filename).name}:{position.lineno})"
        return cls("mistake", {"detail": detail})
