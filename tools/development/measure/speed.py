"""``python3 tools measure``: measure the speed of fitting FSRS-6, here and by Anki's optimizer."""

from __future__ import annotations

import importlib
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from evaluator.algorithms import resolve
from evaluator.data.dataset import Dataset
from evaluator.data.folds import split
from evaluator.data.revlog import Snapshot
from evaluator.evaluation import prepare
from evaluator.fitting.fit import fit_and_predict
from evaluator.metrics.scores import log_loss_per_review
from evaluator.options import Options
from tools import sources
from tools.output.markdown import markdown_table
from tools.output.progress_line import ProgressLine
from tools.processes import processes
from tools.simulate import Habits, Learner, simulate, write_collection
from ui.drafts import scratch_folder

#: Learners with about ten thousand, a hundred thousand and a million scored reviews.
SIZES = {
    "10k": Learner(days=365, habits=Habits(new_per_day=4.5, reviews_per_day=400)),
    "100k": Learner(days=3 * 365, habits=Habits(new_per_day=10.7, reviews_per_day=600)),
    "1m": Learner(days=10 * 365, habits=Habits(new_per_day=23.4, reviews_per_day=1200)),
}
#: Number of runs of each program on each log.
RUNS = 3
#: Number of folds, which is fixed in fsrs-rs.
FOLDS = 5
#: Names of the columns.
HEADER = ("log", "side", "reviews", "seconds", "log loss", "MiB")

#: Function that reads a log, and returns the number of its reviews and the function to time.
Side = Callable[[Path], tuple[int, Callable[[], float]]]


def main(_arguments: list[str]) -> int:
    """Time both programs on each log, and print the median of the seconds and the maximum memory."""
    rows = []
    with scratch_folder() as folder, ProgressLine() as line:
        for number, (size, learner) in enumerate(SIZES.items()):
            line.show(number / len(SIZES), f"{size} reviews")
            path = folder / f"{size}.anki2"
            _run_in_process(_write_log, learner, path)
            rows += [(size, name, *_run_in_process(time_runs, side, path)) for name, side in SIDES.items()]
    print(markdown_table(HEADER, rows, text_columns=(0, 1)))
    return 0


def _run_in_process(work: Callable[..., Any], *arguments: object) -> Any:
    """Run a function in a process of its own, whose memory is freed afterwards, and return the result."""
    with processes(1) as pool:
        return pool.submit(work, *arguments).result()


def _write_log(learner: Learner, path: Path) -> None:
    write_collection(simulate(learner), path)


def time_runs(side: Side, path: Path) -> tuple[str, ...]:
    """Return the number of reviews, the median time, the log loss, and the maximum memory of this process, as text."""
    reviews, work = side(path)
    seconds = []
    for _ in range(RUNS):
        started = time.perf_counter()
        log_loss = work()
        seconds.append(time.perf_counter() - started)
    unit = 2**20 if sys.platform == "darwin" else 2**10
    mebibytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
    return f"{reviews:,}", f"{median(seconds):.3f}", f"{log_loss:.5f}", f"{mebibytes:,.0f}"


# --- timed functions --------------------------------------------------------------------------------------------------


def fit_here(path: Path) -> tuple[int, Callable[[], float]]:
    """Read a log, and return the number of reviews and a function that fits and scores FSRS-6 with recency weights.

    The function begins with the trie of histories, and returns the log loss of the five folds.
    """
    prepared = equal_folds(sources.read(path))

    def run() -> float:
        # A new object has none of the cached values of the last run.
        data = Dataset(prepared.rows, prepared.reviews, prepared.folds)
        fitted = fit_and_predict(resolve(["FSRS-6 recency"])[0], data)
        return float(log_loss_per_review(fitted.predicted, data.reviews.recalled[data.folds[0].test_start :]).mean())

    return len(prepared.reviews), run


def fit_with_fsrs_rs(path: Path) -> tuple[int, Callable[[], float]]:
    """Do as :func:`fit_here` with fsrs-rs, Anki's optimizer, in the Python package ``fsrs-rs-python``.

    The folds are those of :func:`equal_folds`, and all reviews of a test set have equal weights. fsrs-rs trains on
    fewer reviews, because it applies its outlier filter to each training set again. Its time includes copying the input
    and computing RMSE (bins). It trains the folds in parallel on all processors.
    """
    module: Any = importlib.import_module("fsrs_rs_python")
    data = equal_folds(sources.read(path))
    items = fsrs_rs_items(data, module)
    card_ids = data.reviews.card_id.tolist()
    return len(items), lambda: float(module.evaluate_with_time_series_splits(items, card_ids=card_ids).log_loss)


def equal_folds(snapshot: Snapshot) -> Dataset:
    """Return the prepared reviews without the oldest ones beyond a multiple of six, so that both programs split alike.

    Otherwise the remainder would be in the first training set here, as with scikit-learn's ``TimeSeriesSplit``, and in
    the last test set of fsrs-rs. The reviews that are left out, at most five, are still in the histories of later ones.
    """
    data, _ = prepare(snapshot, Options(folds=FOLDS))
    reviews = data.reviews
    reviews = reviews.take(np.arange(len(reviews)) >= len(reviews) % (FOLDS + 1))
    return Dataset(data.rows, reviews, split(len(reviews), FOLDS))


def fsrs_rs_items(data: Dataset, module: Any) -> list[Any]:
    """Return the items for fsrs-rs. The item of a review has its card's rows up to it. Equal rows share one object."""
    rows = data.rows
    row = data.reviews.row
    pairs = list(zip(rows.rating.tolist(), rows.elapsed_days.tolist(), strict=True))
    objects = {pair: module.FSRSReview(*pair) for pair in set(pairs)}
    answers = [objects[pair] for pair in pairs]
    start = (row - rows.position[row]).tolist()
    return [module.FSRSItem(answers[first : last + 1]) for first, last in zip(start, row.tolist(), strict=True)]


#: Both programs, by name.
SIDES = {"SRS Evaluator": fit_here, "fsrs-rs": fit_with_fsrs_rs}
