"""The other side: fsrs-rs, the optimiser of Anki, as the Python package ``fsrs-rs-python`` brings it."""

from __future__ import annotations

import importlib
import time
from collections.abc import Sequence
from typing import Any, Protocol

from evaluator.fitting.dataset import Dataset
from tools.bench.contestant import Score, Stopwatch
from tools.bench.logs import Log
from tools.bench.table import prepared
from tools.environment import MachineNotReady


class FsrsRsModule(Protocol):
    """The functions of ``fsrs_rs_python`` 0.9 that are used."""

    def FSRSReview(self, rating: int, delta_t: int) -> Any: ...  # noqa: N802 - its name
    def FSRSItem(self, reviews: Sequence[Any]) -> Any: ...  # noqa: N802 - its name
    def evaluate_with_time_series_splits(self, items: Sequence[Any], card_ids: Sequence[int]) -> Any: ...
    def filter_outlier(self, first_items: Sequence[Any], items: Sequence[Any]) -> tuple[list[Any], list[Any]]: ...


class FsrsRs:
    """Trains on five folds with its recency weights, predicts and scores.

    What its evaluation does, found by experiment and in the source of fsrs-rs 6:

    * The folds are those of :func:`tools.bench.table.prepared`, and every review of a test set is scored, with equal
      weights: training on each fold with ``FSRS.compute_parameters`` and predicting what follows gives the same log
      loss, to the six digits that its single precision has.
    * It trains on fewer: the outlier filter, which has been over the table once, is applied to each training set again
      (``FSRS.compute_parameters`` equals ``FSRS.benchmark`` on what ``filter_outlier`` leaves). Nothing else is
      dropped: its limit of 256 reviews a card is above ours of 128.
    * The folds are trained side by side, on all processors.
    """

    def __init__(self, log: Log, module: FsrsRsModule | None = None) -> None:
        self._module = module or load()
        watch = Stopwatch()
        snapshot = log.read()
        watch.lap("reading")
        data = prepared(snapshot)
        watch.lap("preparing")
        self._items = items(data, self._module)
        self._card_ids: list[int] = data.reviews.card_id.tolist()
        watch.lap("converting")
        self.preparing = watch.seconds
        self.reviews = len(self._items)
        self._last_training_set = data.folds[-1].test_start
        self._rmse_bins: float | None = None

    def run(self) -> Score:
        """Train and score, in one call of the package.

        Raises:
            MachineNotReady: it gives an error.
        """
        try:
            found = self._module.evaluate_with_time_series_splits(self._items, card_ids=self._card_ids)
        except ValueError as error:
            raise MachineNotReady(f"fsrs-rs failed: {error}") from None
        return Score(float(found.log_loss), float(found.rmse_bins))

    def facts(self) -> dict[str, float]:
        """What the rival leaves out of the largest training set, and its seconds spent copying input."""
        known = self._items[: self._last_training_set]
        first = [item for item in known if item.long_term_review_cnt() == 1]
        kept = self._module.filter_outlier(first, known)[1]
        return {
            "last_training_set": len(known),
            "left_out_of_last_training_set": len(known) - len(kept),
            "copying_seconds": self._copying(),
        }

    def _copying(self) -> float:
        """Seconds spent copying the input: a call with too few card ids ends right after that."""
        started = time.perf_counter()
        try:
            self._module.evaluate_with_time_series_splits(self._items, card_ids=[])
        except ValueError:
            return time.perf_counter() - started
        return 0.0


def load() -> FsrsRsModule:
    """Import the package.

    Raises:
        MachineNotReady: it is not installed.
    """
    try:
        module: FsrsRsModule = importlib.import_module("fsrs_rs_python")
    except ImportError as error:
        raise MachineNotReady(f"fsrs-rs-python cannot be loaded: {error}") from None
    return module


def items(data: Dataset, module: FsrsRsModule) -> list[Any]:
    """The input of fsrs-rs: for each review, the rows of its card up to that one. Equal rows share one object."""
    rows, row = data.rows, data.reviews.row
    known: dict[tuple[int, int], Any] = {}
    answers = []
    for key in zip(rows.rating.tolist(), rows.elapsed_days.tolist(), strict=True):
        if key not in known:
            known[key] = module.FSRSReview(*key)
        answers.append(known[key])
    start = (row - rows.position[row]).tolist()
    return [module.FSRSItem(answers[a : b + 1]) for a, b in zip(start, row.tolist(), strict=True)]
