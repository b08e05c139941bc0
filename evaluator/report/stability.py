"""How stable the answer is: training beside test, from when on training pays, and the evidence as it came in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Tuple

from ..interval import Interval
from .values import Comparison


@dataclass(frozen=True)
class FoldLoss:
    """Mean log loss of one fold, with the parameters trained for it.

    ``train`` is over all reviews of the table before the fold, none weighted: nearly what the training minimised (it
    adds a prior, weighs recent reviews more where that is asked for, and leaves out very long histories), and of the
    same kind as those that are tested.
    """

    training_reviews: int  #: before the fold
    tested_reviews: int  #: of the fold
    train: float  #: log loss on the former
    test: float  #: log loss on the latter
    gap: float  #: test - train
    default_train: float  #: the same with the default parameters, which have learned from neither
    default_test: float  #: the same of the test


@dataclass(frozen=True)
class TrainAndTest:
    """One trained algorithm. The means are over the folds, each counted once."""

    algorithm: str
    folds: Tuple[FoldLoss, ...]  #: empty where ``reason`` says why
    train: Optional[float]  #: log loss on the reviews that it learned from
    test: float  #: on the later ones, which it had not seen
    gap: Optional[float]  #: test - train
    #: With the default parameters. They have learned nothing, so their gap is that of later reviews being harder, or
    #: easier; and train - default_train is what was gained where it was learned, test - default_test what held later.
    default_train: Optional[float]
    default_test: float  #: likewise of the test
    reason: Optional[str] = None  #: "own_parameters": those of each deck or preset are not kept


@dataclass(frozen=True)
class LearningPoint:
    """One fold."""

    training_reviews: int  #: before the fold
    reviews: int  #: tested ones, with their cards and days
    cards: int
    days: int
    difference: Interval  #: trained - default, mean loss; below 0 where training helped


@dataclass(frozen=True)
class LearningCurve:
    """The folds by their number of training reviews."""

    points: Tuple[LearningPoint, ...]
    #: training reviews from which on every interval lies below 0; None where the last does not
    pays_from: Optional[int]


@dataclass(frozen=True)
class Learning:
    """What training was worth."""

    algorithm: str
    curve: LearningCurve
    overall: Comparison  #: all folds together: trained minus default parameters


@dataclass(frozen=True)
class EvidencePoint:
    """What was known at the end of one day."""

    date: str  #: ISO
    reviews: int  #: scored ones until then
    difference: Interval  #: its mean over these; without an interval while there were too few cards or days


@dataclass(frozen=True)
class EvidenceOverTime:
    """The verdict's difference as it came in, ``algorithm`` minus ``baseline``, with intervals that hold for all days.

    See :mod:`evaluator.statistics.confidence_sequence`.
    """

    algorithm: str
    baseline: str
    confidence: float  #: of the intervals
    days: int  #: with scored reviews
    points: Tuple[EvidencePoint, ...]  #: of these the first, the last, the deciding one, and others evenly between
    decided: Optional[EvidencePoint]  #: the first day whose interval leaves out 0


@dataclass(frozen=True)
class Stability:
    """Whether the answer would have been another one with other reviews."""

    losses: Tuple[TrainAndTest, ...]  #: of the trained algorithms, in catalogue order
    learning: Optional[Learning]  #: None where nothing was trained
    evidence: Optional[EvidenceOverTime]  #: None where the verdict compares nothing
