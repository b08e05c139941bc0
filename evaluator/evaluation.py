"""The evaluation from end to end: a snapshot of a collection in, progress and reports out."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field
from typing import Callable, Dict, Generator, Optional, Tuple

import numpy as np
import numpy.typing as npt

from .report import Report
from .revlog import Snapshot


@dataclass(frozen=True)
class Options:
    """What to evaluate and how."""

    algorithms: Tuple[str, ...] = ("default",)  #: names or groups of the catalogue
    folds: int = 5
    since: Optional[datetime.date] = None  #: reviews before that day are history only


@dataclass(frozen=True)
class Predictions:
    """One row per scored review, in review order: what was asked, what was answered, what each algorithm predicted."""

    review_id: npt.NDArray[np.int64]
    card_id: npt.NDArray[np.int64]
    elapsed_days: npt.NDArray[np.int64]
    fold: npt.NDArray[np.int64]  #: 1, 2, ...
    recalled: npt.NDArray[np.int64]  #: 1 where the answer was not Again
    predicted: Dict[str, npt.NDArray[np.float64]]  #: probability of recall by algorithm


@dataclass(frozen=True)
class Evaluation:
    """What has been found out so far."""

    report: Report
    predictions: Predictions
    timing: Dict[str, float] = field(default_factory=dict)  #: seconds by stage and by algorithm


@dataclass(frozen=True)
class Progress:
    """A step of long work was done."""

    stage: str  #: "reading", "preparing" or "algorithm"
    fraction: float  #: of the whole work, 0 to 1, never falling
    algorithm: str = ""  #: in the stage "algorithm": which one
    done: int = 0  #: of the stage: folds settled
    total: int = 0
    evaluation: Optional[Evaluation] = None  #: given each time another algorithm is finished


def evaluate(snapshot: Snapshot, options: Options = Options()) -> Generator[Progress, None, Evaluation]:
    """Replay the snapshot through every algorithm asked for.

    A generator: between two steps (a fraction of a second each) the caller may show the progress, or stop asking, which
    cancels the work. It returns the whole evaluation; each finished algorithm has been yielded as a partial one before.

    Raises:
        EvaluatorError: the snapshot cannot be evaluated, see :mod:`evaluator.errors`.
    """
    raise NotImplementedError
    yield


def run(
    work: Generator[Progress, None, Evaluation],
    on_progress: Callable[[Progress], None] = lambda progress: None,
) -> Evaluation:
    """Drive :func:`evaluate` to its end and return what it returns. What ``on_progress`` raises ends the work."""
    while True:
        try:
            progress = next(work)
        except StopIteration as end:
            evaluation: Evaluation = end.value
            return evaluation
        on_progress(progress)
