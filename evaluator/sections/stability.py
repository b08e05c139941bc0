"""Stability of the answer: training beside test loss, from when on training pays, and the evidence over time."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, List, Optional, Sequence, Tuple

import numpy as np
import numpy.typing as npt

from ..algorithms.algorithm import Parametric
from ..fitting.predictor import Predictor
from ..interval import OWN_PARAMETERS, RARE, TOO_FEW, Interval
from ..metrics.scores import log_loss_per_review
from ..report import Comparison
from ..statistics.confidence_sequence import Sequence as ConfidenceSequence
from ..statistics.confidence_sequence import confidence_sequence
from ..statistics.learning_curve import LearningCurve, learning_curve
from ..statistics.paired import comparison
from .section import Section

if TYPE_CHECKING:
    from ..evidence import Evidence
    from ..progress import Progress
    from ..report import Report

Floats = npt.NDArray[np.float64]

#: Days in the evidence over time: more could not be told apart in a graph.
MOST_POINTS = 200
#: What the trained parameters are compared with, which need not have a row of its own.
DEFAULT_PARAMETERS = "default"


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
    difference: Interval  #: its mean over these; without an interval while too little was there


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


def compute(report: Report, evidence: Evidence, _names: Sequence[str], progress: Progress) -> Stability:
    """All of it; what there is nothing to say of is None or empty."""
    trained = trained_algorithms(evidence)
    found: List[_Losses] = []
    for done, algorithm in enumerate(trained):
        share = 1 / (len(trained) + 1)
        found.append(_losses(algorithm, evidence, progress.part(done * share, (done + 1) * share)))
    progress(0.95)
    learner = next((one for one in found if one.row.algorithm == report.verdict.algorithm), found[0] if found else None)
    learning = None if learner is None else _learning(learner, evidence)
    progress(0.98)
    return Stability(tuple(one.row for one in found), learning, _over_time(report, evidence))


def trained_algorithms(evidence: Evidence) -> List[Parametric]:
    """The finished algorithms that learn from the person's reviews, in catalogue order."""
    finished = (evidence.algorithm(name) for name in evidence.fitted)
    return [algorithm for algorithm in finished if isinstance(algorithm, Parametric) and algorithm.trained]


@dataclass(frozen=True)
class _Losses:
    """Of one algorithm."""

    row: TrainAndTest
    default: Floats  #: with the default parameters, of each tested review


def _losses(algorithm: Parametric, evidence: Evidence, progress: Progress) -> _Losses:
    """Training and test loss of each fold: a replay for each, and one with the default parameters."""
    data, fitted = evidence.data, evidence.fitted[algorithm.name]
    recalled = data.reviews.recalled
    data.forget_all_but({algorithm.inputs})
    progress(0.0)
    predictor = Predictor(algorithm, data.histories(algorithm.inputs))
    first, last = data.folds[0].test_start, data.folds[-1].test_stop

    def loss(w: Floats, stop: int) -> Floats:
        return log_loss_per_review(predictor.predict(w, slice(stop)), recalled[:stop])

    progress(0.1)
    default = loss(np.array([p.default for p in algorithm.parameters]), last)
    test = evidence.scoring.loss(fitted.predicted)
    if algorithm.training is not None and algorithm.training.by is not None:
        means = float(test.mean()), float(default[first:].mean())
        row = TrainAndTest(algorithm.name, (), None, means[0], None, None, means[1], OWN_PARAMETERS)
        return _Losses(row, default[first:])
    folds = []
    for number, (fold, w) in enumerate(zip(data.folds, fitted.parameters)):
        progress(0.2 + 0.8 * number / len(data.folds))
        before, after = slice(fold.test_start), slice(fold.test_start, fold.test_stop)
        trained_loss = float(loss(w, fold.test_start).mean())
        test_loss = float(test[fold.test_start - first : fold.test_stop - first].mean())
        folds.append(
            FoldLoss(
                training_reviews=fold.test_start,
                tested_reviews=fold.test_stop - fold.test_start,
                train=trained_loss,
                test=test_loss,
                gap=test_loss - trained_loss,
                default_train=float(default[before].mean()),
                default_test=float(default[after].mean()),
            )
        )
    return _Losses(_row(algorithm.name, folds), default[first:])


def _row(name: str, folds: Sequence[FoldLoss]) -> TrainAndTest:
    means = {
        field: sum(getattr(fold, field) for fold in folds) / len(folds)
        for field in ("train", "test", "gap", "default_train", "default_test")
    }
    return TrainAndTest(name, tuple(folds), **means)


def _learning(learner: _Losses, evidence: Evidence) -> Learning:
    name, folds = learner.row.algorithm, evidence.data.folds
    training_reviews = np.repeat(
        [fold.test_start for fold in folds], [fold.test_stop - fold.test_start for fold in folds]
    )
    difference = evidence.scoring.loss(evidence.fitted[name].predicted) - learner.default
    clusters = evidence.scoring.clusters
    overall = comparison(name, DEFAULT_PARAMETERS, difference, clusters)
    return Learning(name, learning_curve(difference, training_reviews, clusters), overall)


def _over_time(report: Report, evidence: Evidence) -> Optional[EvidenceOverTime]:
    a, b = report.verdict.algorithm, report.verdict.baseline
    if a is None or b is None or not {a, b} <= set(evidence.fitted):
        return None
    losses = [evidence.scoring.loss(evidence.fitted[name].predicted) for name in (a, b)]
    sequence = confidence_sequence(losses[0] - losses[1], evidence.scoring.clusters)
    dates = [evidence.clock.date_of(int(day)).isoformat() for day in np.unique(evidence.tested.day)]
    decided = sequence.decided
    return EvidenceOverTime(
        algorithm=a,
        baseline=b,
        confidence=sequence.confidence,
        days=len(dates),
        points=tuple(_point(sequence, dates, day) for day in _thinned(len(dates), decided)),
        decided=None if decided is None else _point(sequence, dates, decided),
    )


def _thinned(days: int, decided: Optional[int]) -> Tuple[int, ...]:
    chosen = set(np.linspace(0, days - 1, min(days, MOST_POINTS - 1)).round().astype(int).tolist())
    return tuple(sorted(chosen if decided is None else chosen | {decided}))


def _point(sequence: ConfidenceSequence, dates: Sequence[str], day: int) -> EvidencePoint:
    mean, low, high = (float(of[day]) for of in (sequence.mean, sequence.low, sequence.high))
    lacking = RARE if sequence.rare[day] else TOO_FEW
    difference = Interval(mean, reason=lacking) if math.isnan(low) else Interval(mean, low, high)
    return EvidencePoint(dates[day], int(sequence.reviews[day]), difference)


SECTION = Section("stability", Stability, compute)
