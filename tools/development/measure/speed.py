"""``python3 tools measure``: measure the speed of fitting FSRS-6, here and by Anki's optimizer."""

from __future__ import annotations

import datetime as dt
import gc
import importlib
import os
import platform
import re
import resource
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import distributions
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from evaluator import __version__
from evaluator.algorithms import resolve
from evaluator.data.dataset import Dataset
from evaluator.data.folds import split
from evaluator.data.revlog import Snapshot
from evaluator.errors import BadOption
from evaluator.evaluation import prepare
from evaluator.fitting.fit import fit_and_predict
from evaluator.metrics.scores import log_loss_per_review
from evaluator.options import Options
from tools import parsers, sources
from tools.arguments import check_minimum
from tools.output.markdown import markdown_table
from tools.output.progress import ProgressLine
from tools.processes import processes
from tools.simulate import Habits, Learner, simulate, write_collection
from ui.files import scratch_folder

#: Learners with about ten thousand, a hundred thousand and a million scored reviews.
SIZES = {
    "10k": Learner(days=365, habits=Habits(new_per_day=4.5, reviews_per_day=400)),
    "100k": Learner(days=3 * 365, habits=Habits(new_per_day=10.7, reviews_per_day=600)),
    "1m": Learner(days=10 * 365, habits=Habits(new_per_day=23.4, reviews_per_day=1200)),
}
#: Names of the two programs.
OURS, RIVAL = "SRS Evaluator", "fsrs-rs"
#: Number of folds, which is fixed in fsrs-rs.
FOLDS = 5
CPU_INFO = Path("/proc/cpuinfo")

Side = Callable[[Path], tuple[int, Callable[[], float]]]


@dataclass(frozen=True)
class Run:
    """Time and log loss of one run."""

    seconds: float
    #: Processor time in seconds, summed over all threads.
    cpu_seconds: float
    log_loss: float


@dataclass(frozen=True)
class Timing:
    """Runs of one program on one log."""

    #: Name of the log's size.
    log: str
    #: Name of the program.
    side: str
    #: Number of reviews.
    reviews: int
    runs: tuple[Run, ...]
    #: Maximum memory of the process in MiB.
    mebibytes: float

    @property
    def seconds(self) -> float:
        """Median of the seconds of the runs."""
        return median(run.seconds for run in self.runs)


def main(arguments: list[str]) -> int:
    """Time both programs on each log, and print the results. Bad options are refused before the long work."""
    options = parsers.measure().parse_args(arguments)
    check_minimum(options, repeat=1)
    for size in options.sizes:
        if size not in SIZES:
            raise BadOption(option="--sizes", value=size, allowed=", ".join(SIZES))
    sizes = [size for size in SIZES if size in options.sizes]
    timings: list[Timing] = []
    with scratch_folder() as folder, ProgressLine() as line:
        for number, size in enumerate(sizes):
            path = folder / f"{size}.anki2"
            line.show(number / len(sizes), f"{size}: simulating")
            _run_in_process(_write_log, SIZES[size], path)
            for name, side in SIDES.items():
                line.show(number / len(sizes), f"{size}: {name}")
                timings.append(Timing(size, name, *_run_in_process(time_runs, side, path, options.repeat)))
    print(format_timings(_describe_machine(), timings))
    return 0


def _run_in_process(work: Callable[..., Any], *arguments: object) -> Any:
    """Run a function in a process of its own, whose memory is freed afterwards, and return the result."""
    with processes(1) as pool:
        return pool.submit(work, *arguments).result()


def _write_log(learner: Learner, path: Path) -> None:
    write_collection(simulate(learner), path)


def time_runs(side: Side, path: Path, repeat: int) -> tuple[int, tuple[Run, ...], float]:
    """Return the number of reviews, the runs, and the maximum memory of this process in MiB."""
    reviews, work = side(path)
    runs = []
    for _ in range(repeat):
        gc.collect()
        cpu = time.process_time()
        started = time.perf_counter()
        log_loss = work()
        runs.append(Run(time.perf_counter() - started, time.process_time() - cpu, log_loss))
    unit = 2**20 if sys.platform == "darwin" else 2**10
    return reviews, tuple(runs), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


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


#: Function that reads a log, and returns the number of its reviews and the function to time, by program.
SIDES = {OURS: fit_here, RIVAL: fit_with_fsrs_rs}

# --- output -----------------------------------------------------------------------------------------------------------


def format_timings(machine: str, timings: Sequence[Timing]) -> str:
    """Return the text to print."""
    text = (
        "FSRS-6 with recency weights on the same reviews: five folds trained and scored. Medians of runs: "
        f"{len(timings[0].runs)}. ratio: ours / fsrs-rs; MiB: the most that the process needs."
    )
    rows = []
    for timing, rival in zip(timings[::2], timings[1::2], strict=True):
        rows.append((timing.log, f"{timing.reviews:,}", *_side_cells(timing), f"{timing.seconds / rival.seconds:.2f}"))
        rows.append(("", "", *_side_cells(rival), ""))
    header = ("log", "reviews", "side", "seconds", "from - to", "CPU s", "log loss", "MiB", "ratio")
    return "\n\n".join((machine, text, markdown_table(header, rows, text_columns=(0, 2))))


def _side_cells(timing: Timing) -> tuple[str, ...]:
    times = [run.seconds for run in timing.runs]
    return (
        timing.side,
        _format_seconds(timing.seconds),
        f"{_format_seconds(min(times))} - {_format_seconds(max(times))}",
        _format_seconds(median(run.cpu_seconds for run in timing.runs)),
        f"{timing.runs[-1].log_loss:.5f}",
        f"{timing.mebibytes:,.0f}",
    )


def _format_seconds(value: float) -> str:
    return f"{value:.3f}" if value < 10 else f"{value:.1f}"


def _describe_machine() -> str:
    """Return the versions of the programs, the processor, and the date."""
    names = ("numpy", "fsrs-rs-python", "anki")
    packages = ", ".join(f"{name} {package.version}" for name in names for package in distributions(name=name))
    text = CPU_INFO.read_text(encoding="utf-8", errors="replace") if CPU_INFO.is_file() else ""
    model = re.search(r"^model name\s*:\s*(.*\S)", text, re.MULTILINE)
    processor = model[1] if model else platform.processor() or platform.machine()
    return (
        f"SRS Evaluator {__version__}, Python {platform.python_version()}, {packages}; {os.cpu_count()} x {processor}; "
        f"{dt.datetime.now(dt.UTC):%Y-%m-%d}"
    )
