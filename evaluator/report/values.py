"""Values that several parts of a report share, besides :class:`evaluator.interval.ConfidenceInterval`."""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, Optional

from ..errors import EvaluatorError
from ..interval import MIN_RARER, MIN_RARER_GROUPS, ConfidenceInterval

#: The algorithm that guesses the user's average before each fold.
AVERAGE = "AVG"
#: The rows of the parameters in the presets, and of those that Anki uses if no preset has any.
OWN, PUBLISHED = "Your parameters", "FSRS-6 default"
#: The row of Anki's SM-2, with its intervals adjusted to the user's history.
ADJUSTED = "Anki-SM-2 calibrated"


@dataclass(frozen=True)
class CalibrationBin:
    """One group of reviews with similar predictions."""

    left: float  #: edges of the group on the scale of predictions
    right: float
    predicted: float  #: mean predicted probability of recall
    recalled: float  #: share that was recalled
    reviews: int


@dataclass(frozen=True)
class PeerGroup:
    """Other people's collections with about as many scored reviews: whole ones, even if a part is evaluated here."""

    at_least: int  #: minimum number of scored reviews
    below: Optional[int]  #: upper limit, exclusive; None: no limit
    collections: int  #: number of collections


@dataclass(frozen=True)
class ProbabilityBetter:
    """Probability that the algorithm of a comparison is better for this user, from their reviews and published results.

    See :mod:`evaluator.statistics.population`.
    """

    better: float  #: the probability
    median_difference: float  #: median of the true difference
    others: PeerGroup  #: the peer group used
    better_for: int  #: number of these collections in which it is better
    algorithm: str  #: the published algorithm used for the algorithm
    baseline: str  #: the published algorithm used for the baseline


@dataclass(frozen=True)
class PercentileRank:
    """Percentile rank of a number of an algorithm among people with a similar number of reviews."""

    metric: str  #: key of the metric
    better_than: float  #: the share of the others whose number is worse
    algorithm: str  #: the published algorithm used
    others: PeerGroup  #: the peer group used


@dataclass(frozen=True)
class Comparison:
    """Paired difference of log loss, ``algorithm`` minus ``baseline``, on the same reviews (negative: better).

    The interval is clustered by card and by time; there is none if there are too few cards or days, or too few
    reviews of the rarer outcome. ``code`` is what it allows to say, see :func:`evaluator.interval.classify`:
    "equivalent" (all of it within :attr:`Report.margin` of 0), otherwise "better" or "worse" (it excludes 0),
    otherwise "cannot_tell"; "too_few" or "rare_outcome" if there is none.
    """

    algorithm: str
    baseline: str
    difference: ConfidenceInterval  #: mean log loss, algorithm minus baseline
    code: str
    smallest_detectable: Optional[float]  #: the true difference that such reviews would detect with probability 0.8
    #: From published results; None if they do not cover the pair, and in the same-day table.
    chance: Optional[ProbabilityBetter] = None


@dataclass(frozen=True)
class RarerOutcome:
    """The rarer outcome among some reviews, or forgotten if both are equally frequent."""

    outcome: int  #: 0: forgotten, 1: remembered
    reviews: int  #: number of reviews with this outcome
    cards: int  #: number of their cards
    days: int  #: number of their days

    @property
    def enough(self) -> bool:
        """Return whether it occurred often enough, on enough cards and days, for the interval of a difference."""
        return self.reviews >= MIN_RARER and min(self.cards, self.days) >= MIN_RARER_GROUPS


@dataclass(frozen=True)
class Side:
    """Reviews for which an algorithm predicted recall clearly higher (or lower) than the baseline.

    Of two equally good forecasters, the more confident one often looks better on both sides, so a side is described,
    never judged. With too few reviews, cards or days the shares are None.
    """

    reviews: int
    cards: int
    days: int
    recalled: Optional[float]  #: share that was recalled
    predicted: Optional[float]  #: mean prediction of the algorithm
    predicted_by_baseline: Optional[float]  #: prediction of the baseline


@dataclass(frozen=True)
class Disagreement:
    """Outcomes of reviews for which an algorithm and the baseline predicted clearly different things."""

    threshold: float  #: the predictions differ by at least this: 0.10, or 0.05 if too few reviews reach that
    predicted_higher: Side  #: reviews that the algorithm predicted clearly higher than the baseline
    predicted_lower: Side  #: reviews that it predicted clearly lower


@dataclass(frozen=True)
class SampleSize:
    """Sample size of a comparison: number of scored reviews, cards and days, and the rarer outcome."""

    reviews: int
    cards: int
    days: int
    rarer: Optional[RarerOutcome] = None  #: None if it is not known


@dataclass(frozen=True)
class Failure:
    """Why there are no numbers: the code and the facts of one of :mod:`evaluator.errors`.

    Two more codes, both with a ``detail``: "arithmetic" (what was calculated is not a probability) and "mistake" (the
    code of an algorithm or a section failed).
    """

    code: str  #: e.g. "reviews_uncovered"
    facts: Dict[str, Any]  #: numbers and names, by what they are: {"uncovered": 4, ...}

    @classmethod
    def of(cls, error: Exception) -> Failure:
        """Return the code and the facts of an error. The detail of a bug names its line in the code."""
        if isinstance(error, EvaluatorError):
            return cls(error.code, dict(error.facts))
        if isinstance(error, FloatingPointError):
            return cls("arithmetic", {"detail": str(error)})
        position = traceback.extract_tb(error.__traceback__)[-1]
        detail = f"{type(error).__name__}: {error} ({Path(position.filename).name}:{position.lineno})"
        return cls("mistake", {"detail": detail})
