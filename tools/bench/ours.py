"""Our side: FSRS-6 with recency weights, from the prepared table to the log loss."""

from __future__ import annotations

import time

import numpy as np

from evaluator.algorithms import resolve
from evaluator.fitting.fit import Fitted, fit_and_predict
from evaluator.metrics import bins
from evaluator.metrics.scores import log_loss_per_review
from tools.bench.contestant import Score, Stopwatch
from tools.bench.logs import Log
from tools.bench.table import fresh, prepared

ALGORITHM = "FSRS-6 recency"


class Ours:
    """Builds the trie of histories, trains on five folds, predicts and scores; all of that is timed."""

    def __init__(self, log: Log) -> None:
        watch = Stopwatch()
        snapshot = log.read()
        watch.lap("reading")
        self._data = prepared(snapshot)
        watch.lap("preparing")
        self.preparing = watch.seconds
        self.reviews = len(self._data.reviews)
        reviews = self._data.reviews
        self._tested = reviews.take(np.arange(len(reviews)) >= self._data.folds[0].test_start)
        self._fitted: Fitted | None = None

    def run(self) -> Score:
        """Train and score, from the prepared table alone."""
        self._fitted = None  # the last run's, which is none of this run's memory
        self._fitted = fit_and_predict(resolve([ALGORITHM])[0], fresh(self._data))
        return Score(float(log_loss_per_review(self._fitted.predicted, self._tested.recalled).mean()))

    def facts(self) -> dict[str, float]:
        """RMSE (bins), and our seconds for it: fsrs-rs computes it within its time."""
        if self._fitted is None:
            return {}
        started = time.perf_counter()
        tested = self._tested
        cells = bins.cells(bins.BENCHMARK, tested.elapsed_days, tested.review_number, tested.lapses)
        rmse = bins.rmse_bins(self._fitted.predicted, tested.recalled, cells)
        return {"rmse_bins": rmse, "rmse_bins_seconds": time.perf_counter() - started}
