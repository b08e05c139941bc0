"""The prepared table of reviews, cut so that both sides split it alike."""

from __future__ import annotations

import numpy as np

from evaluator.evaluation import prepare
from evaluator.fitting.dataset import Dataset
from evaluator.folds import split
from evaluator.options import Options
from evaluator.revlog import Snapshot

#: What fsrs-rs evaluates with; it cannot be told otherwise.
FOLDS = 5


def prepared(snapshot: Snapshot) -> Dataset:
    """The table that training starts from, with its folds, before anything is computed from it.

    Where the number of reviews is no multiple of six, ours (as scikit-learn's ``TimeSeriesSplit``) gives the first
    training set the rest and fsrs-rs the last test set. So that both have the same folds, the oldest reviews beyond a
    multiple of six, at most five, are left out; they stay in the histories of later ones.

    Raises:
        EvaluatorError: the snapshot cannot be evaluated.
    """
    data, _ = prepare(snapshot, Options(folds=FOLDS))
    reviews = data.reviews
    reviews = reviews.take(np.arange(len(reviews)) >= len(reviews) % (FOLDS + 1))
    return Dataset(data.rows, reviews, split(len(reviews), FOLDS))


def fresh(data: Dataset) -> Dataset:
    """The same table, without anything computed from it."""
    return Dataset(data.rows, data.reviews, data.folds)
