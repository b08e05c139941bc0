"""Programs timed on one log: each is constructed once, reading and preparing the log, then run repeatedly."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from evaluator.algorithms import resolve
from evaluator.data.dataset import Dataset
from evaluator.data.folds import split
from evaluator.data.revlog import Snapshot
from evaluator.evaluation import evaluate, prepare
from evaluator.fitting.fit import fit_and_predict
from evaluator.metrics.scores import log_loss_per_review
from evaluator.options import Options
from tools.development.measure.logs import Log
from tools.environment import MachineNotReady
from ui.anki.optimizer import anki_optimizer

ALGORITHM = "FSRS-6 recency"
#: fsrs-rs always evaluates with this many.
FOLDS = 5


class Ours:
    """FSRS-6 with recency weights: builds the trie of histories, trains on five folds, predicts and scores."""

    def __init__(self, log: Log) -> None:
        self._data = prepared(log.read())
        self.reviews = len(self._data.reviews)

    def run(self) -> float:
        """Return the log loss, from the prepared table alone."""
        data = Dataset(self._data.rows, self._data.reviews, self._data.folds)  # without anything computed from it
        tested = data.reviews.recalled[data.folds[0].test_start :]
        fitted = fit_and_predict(resolve([ALGORITHM])[0], data)
        return float(log_loss_per_review(fitted.predicted, tested).mean())


class FsrsRs:
    """The same by fsrs-rs, Anki's optimizer, from the Python package ``fsrs-rs-python``.

    What its evaluation does, found by experiment and in the source of fsrs-rs 6:

    * The folds are those of :func:`prepared`, and every review of a test set is scored, with equal weights.
    * It trains on fewer: the outlier filter, which has been over the table once, is applied to each training set again.
      Nothing else is dropped: its limit of 256 reviews a card is above ours of 128.
    * Within its time it also copies its input and computes RMSE (bins).
    * The folds are trained side by side, on all processors.
    """

    def __init__(self, log: Log) -> None:
        try:
            self._module: Any = importlib.import_module("fsrs_rs_python")
        except ImportError as error:
            raise MachineNotReady(f"fsrs-rs-python cannot be loaded: {error}") from None
        data = prepared(log.read())
        self._items = items(data, self._module)
        self._card_ids = data.reviews.card_id.tolist()
        self.reviews = len(self._items)

    def run(self) -> float:
        """Return the log loss, in one call of the package."""
        try:
            result = self._module.evaluate_with_time_series_splits(self._items, card_ids=self._card_ids)
        except ValueError as error:
            raise MachineNotReady(f"fsrs-rs failed: {error}") from None
        return float(result.log_loss)


class Whole:
    """A whole evaluation as ``tools evaluate`` does it, without its outputs."""

    reviews = 0  # each run reads the log, so that the evaluation can let go of it

    def __init__(self, algorithms: Sequence[str], log: Log) -> None:
        self._log = log
        self._options = Options(algorithms=tuple(algorithms))
        self._optimizer = anki_optimizer()

    def run(self) -> dict[str, float]:
        """Return seconds of each step and each algorithm."""
        evaluation = evaluate(self._log.read(), self._options, optimizer=self._optimizer)
        return dict(evaluation.timing)


def prepared(snapshot: Snapshot) -> Dataset:
    """Return the table that training starts from, cut so that both sides split it alike.

    If the number of reviews is not a multiple of six, ours (as scikit-learn's ``TimeSeriesSplit``) gives the first
    training set the rest and fsrs-rs the last test set. So that both have the same folds, the oldest reviews beyond a
    multiple of six, at most five, are left out; they stay in the histories of later ones.
    """
    data, _ = prepare(snapshot, Options(folds=FOLDS))
    reviews = data.reviews
    reviews = reviews.take(np.arange(len(reviews)) >= len(reviews) % (FOLDS + 1))
    return Dataset(data.rows, reviews, split(len(reviews), FOLDS))


def items(data: Dataset, module: Any) -> list[Any]:
    """Return the input of fsrs-rs: for each review, its card's rows up to it. Equal rows share one object."""
    rows, row = data.rows, data.reviews.row
    known: dict[tuple[int, int], Any] = {}
    answers = []
    for key in zip(rows.rating.tolist(), rows.elapsed_days.tolist(), strict=True):
        if key not in known:
            known[key] = module.FSRSReview(*key)
        answers.append(known[key])
    start = (row - rows.position[row]).tolist()
    return [module.FSRSItem(answers[a : b + 1]) for a, b in zip(start, row.tolist(), strict=True)]
