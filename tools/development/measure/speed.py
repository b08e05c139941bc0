"""``python3 tools measure``: how fast FSRS-6 is fitted, here and by Anki's own optimizer, or whole evaluations run."""

from __future__ import annotations

import argparse
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
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import partial
from importlib.metadata import distributions
from pathlib import Path
from statistics import median
from typing import Any, TextIO

import numpy as np
from rich.console import RenderableType

from evaluator import __version__
from evaluator.algorithms import resolve
from evaluator.data.dataset import Dataset
from evaluator.data.folds import split
from evaluator.data.revlog import Snapshot
from evaluator.errors import BadOption
from evaluator.evaluation import evaluate, prepare
from evaluator.fitting.fit import fit_and_predict
from evaluator.metrics.scores import log_loss_per_review
from evaluator.options import Options
from tools import parsers, sources
from tools.arguments import check_minimum
from tools.benchmark.executors import processes
from tools.environment import MachineNotReady
from tools.output.progress import ProgressLine
from tools.output.terminal import format_columns, grid, paragraph, spaced
from tools.simulate import Habits, Learner, simulate, write_collection
from ui.anki.optimizer import anki_optimizer
from ui.files import scratch_folder

#: Learners with about 10 thousand, 100 thousand and 1 million reviews that can be predicted.
SIZES = {
    "10k": Learner(days=365, habits=Habits(new_per_day=4.5, reviews_per_day=400)),
    "100k": Learner(days=3 * 365, habits=Habits(new_per_day=10.7, reviews_per_day=600)),
    "1m": Learner(days=10 * 365, habits=Habits(new_per_day=23.4, reviews_per_day=1200)),
}
OURS, RIVAL = "SRS Evaluator", "fsrs-rs"
#: Fsrs-rs always evaluates with this many.
FOLDS = 5
CPU_INFO = Path("/proc/cpuinfo")

#: Reads a log and returns the number of its reviews, and what is timed. That may run several times.
Side = Callable[[Path], tuple[int, Callable[[], Any]]]


@dataclass(frozen=True)
class Run:
    """Result of one run, with its time."""

    seconds: float
    cpu_seconds: float  #: sum over all threads
    result: Any


@dataclass(frozen=True)
class Timed:
    """The runs of one side on one log."""

    log: str
    side: str
    reviews: int
    runs: tuple[Run, ...]
    mebibytes: float  #: the most that the process needed

    @property
    def seconds(self) -> float:
        """Median seconds of a run."""
        return median(run.seconds for run in self.runs)


def main(arguments: list[str]) -> int:
    """Measure and print."""
    options = parsers.measure().parse_args(arguments)
    print(render(_machine(), _measure(options), sys.stdout), end="")
    return 0


def _measure(options: argparse.Namespace) -> list[Timed]:
    """Measure the two sides or algorithms on each log. Bad options are refused before the long work."""
    check_minimum(options, repeat=1)
    for size in options.sizes:
        if size not in SIZES:
            raise BadOption(option="--sizes", value=size, allowed=", ".join(SIZES))
    sides: dict[str, Side] = {OURS: fit_here, RIVAL: fit_with_fsrs_rs}
    if options.algorithms is not None:
        resolve(options.algorithms)
        sides = {", ".join(options.algorithms): partial(evaluate_whole, options.algorithms)}
    sizes = [size for size in SIZES if size in options.sizes]
    measured: list[Timed] = []
    with scratch_folder() as folder, ProgressLine() as line:
        for size in sizes:
            path = folder / f"{size}.anki2"
            line.show(len(measured) / len(sizes) / len(sides), f"{size}: simulating")
            _in_process(_write, SIZES[size], path)
            for name, side in sides.items():
                line.show(len(measured) / len(sizes) / len(sides), f"{size}: {name}")
                measured.append(Timed(size, name, *_in_process(time_runs, side, path, options.repeat)))
    return measured


def _in_process(work: Callable[..., Any], *arguments: object) -> Any:
    """Return the result of work in a process of its own, whose memory is free again afterwards."""
    with processes(1) as pool:
        try:
            return pool.submit(work, *arguments).result()
        except BrokenProcessPool:
            raise MachineNotReady("The process that was measured has ended. There may be too little memory.") from None


def _write(learner: Learner, path: Path) -> None:
    write_collection(simulate(learner), path)


def time_runs(side: Side, path: Path, repeat: int) -> tuple[int, tuple[Run, ...], float]:
    """Return the number of reviews, the runs, and the memory that this process has needed at most."""
    reviews, work = side(path)
    runs = []
    for _ in range(repeat):
        gc.collect()
        cpu, started = time.process_time(), time.perf_counter()
        result = work()
        runs.append(Run(time.perf_counter() - started, time.process_time() - cpu, result))
    unit = 2**20 if sys.platform == "darwin" else 2**10
    return reviews, tuple(runs), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


# --- what is timed ----------------------------------------------------------------------------------------------------


def fit_here(path: Path) -> tuple[int, Callable[[], float]]:
    """Time FSRS-6 with recency weights, from the trie of histories to the log loss of five folds."""
    prepared = equal_folds(sources.read(path))

    def run() -> float:
        data = Dataset(prepared.rows, prepared.reviews, prepared.folds)  # without anything computed from it
        fitted = fit_and_predict(resolve(["FSRS-6 recency"])[0], data)
        return float(log_loss_per_review(fitted.predicted, data.reviews.recalled[data.folds[0].test_start :]).mean())

    return len(prepared.reviews), run


def fit_with_fsrs_rs(path: Path) -> tuple[int, Callable[[], float]]:
    """Time the same in fsrs-rs, Anki's optimizer, through the Python package ``fsrs-rs-python``.

    The folds are those of :func:`equal_folds`, and every review of a test set is scored with equal weight. It trains on
    fewer reviews, because it applies its outlier filter to each training set again. Within its time it also copies its
    input and computes RMSE (bins). It trains the folds side by side, on all processors.
    """
    module: Any = importlib.import_module("fsrs_rs_python")
    data = equal_folds(sources.read(path))
    items, card_ids = fsrs_rs_items(data, module), data.reviews.card_id.tolist()
    return len(items), lambda: float(module.evaluate_with_time_series_splits(items, card_ids=card_ids).log_loss)


def evaluate_whole(algorithms: Sequence[str], path: Path) -> tuple[int, Callable[[], dict[str, float]]]:
    """Time whole evaluations as ``tools evaluate`` does them, without its outputs."""
    options, optimizer = Options(algorithms=tuple(algorithms)), anki_optimizer()
    # Each run reads the log, so that the evaluation can let go of it.
    return 0, lambda: dict(evaluate(sources.read(path), options, optimizer=optimizer).timing)


def equal_folds(snapshot: Snapshot) -> Dataset:
    """Return the table that training starts from, cut so that both sides split it alike.

    If the number of reviews is not a multiple of six, ours (as scikit-learn's ``TimeSeriesSplit``) gives the first
    training set the rest and fsrs-rs the last test set. So the oldest reviews beyond a multiple of six, at most five,
    are left out. They stay in the histories of later ones.
    """
    data, _ = prepare(snapshot, Options(folds=FOLDS))
    reviews = data.reviews
    reviews = reviews.take(np.arange(len(reviews)) >= len(reviews) % (FOLDS + 1))
    return Dataset(data.rows, reviews, split(len(reviews), FOLDS))


def fsrs_rs_items(data: Dataset, module: Any) -> list[Any]:
    """Return the input of fsrs-rs: for each review, its card's rows up to it. Equal rows share one object."""
    rows, row = data.rows, data.reviews.row
    pairs = list(zip(rows.rating.tolist(), rows.elapsed_days.tolist(), strict=True))
    review_of = {pair: module.FSRSReview(*pair) for pair in set(pairs)}
    answers = [review_of[pair] for pair in pairs]
    start = (row - rows.position[row]).tolist()
    return [module.FSRSItem(answers[first : last + 1]) for first, last in zip(start, row.tolist(), strict=True)]


# --- what is printed --------------------------------------------------------------------------------------------------


def render(about: str, measured: Sequence[Timed], stream: TextIO | None = None) -> str:
    """Return the text to print, ending in a newline."""
    runs = len(measured[0].runs)
    medians = f"Medians of {runs} runs." if runs > 1 else "One run."
    is_duel = any(item.side == RIVAL for item in measured)
    table = _duels(measured, medians) if is_duel else _steps(measured, medians)
    return format_columns(spaced([paragraph(about), *table]), stream)


def _duels(measured: Sequence[Timed], medians: str) -> list[RenderableType]:
    text = (
        f"FSRS-6 with recency weights on the same reviews: five folds trained and scored. {medians} ratio: ours / "
        "fsrs-rs; MiB: the most that the process needs."
    )
    rows = []
    for item, rival in zip(measured[::2], measured[1::2], strict=True):
        rows.append((item.log, f"{item.reviews:,}", *_side(item), f"{item.seconds / rival.seconds:.2f}"))
        rows.append(("", "", *_side(rival), ""))
    header = ("log", "reviews", "side", "seconds", "from - to", "CPU s", "log loss", "MiB", "ratio")
    return [paragraph(text), grid(header, rows, (1, *range(3, 9)))]


def _side(item: Timed) -> tuple[str, ...]:
    times = [run.seconds for run in item.runs]
    return (
        item.side,
        _seconds(item.seconds),
        f"{_seconds(min(times))} - {_seconds(max(times))}",
        _seconds(median(run.cpu_seconds for run in item.runs)),
        f"{item.runs[-1].result:.5f}",
        f"{item.mebibytes:,.0f}",
    )


def _steps(measured: Sequence[Timed], medians: str) -> list[RenderableType]:
    """Return the time of each step of an evaluation, with a column for each log. The slowest step comes first."""
    columns = [
        {step: median(run.result[step] for run in item.runs) for step in item.runs[0].result} for item in measured
    ]
    steps = sorted(columns[-1], key=columns[-1].__getitem__, reverse=True)
    rows = [(step, *(_seconds(column[step]) for column in columns)) for step in steps]
    rows.append(("in all, with reading", *(_seconds(item.seconds) for item in measured)))
    rows.append(("MiB", *(f"{item.mebibytes:,.0f}" for item in measured)))
    header = ("seconds", *(item.log for item in measured))
    return [paragraph(f"Evaluation of {measured[0].side}. {medians}"), grid(header, rows, range(1, len(header)))]


def _seconds(value: float) -> str:
    return f"{value:.3f}" if value < 10 else f"{value:.1f}"


def _machine() -> str:
    """Return the versions of the programs, the processor, and the day."""
    names = ("numpy", "fsrs-rs-python", "anki")
    packages = ", ".join(f"{name} {package.version}" for name in names for package in distributions(name=name))
    text = CPU_INFO.read_text(encoding="utf-8", errors="replace") if CPU_INFO.is_file() else ""
    model = re.search(r"^model name\s*:\s*(.*\S)", text, re.MULTILINE)
    processor = model[1] if model else platform.processor() or platform.machine()
    return (
        f"SRS Evaluator {__version__}, Python {platform.python_version()}, {packages}; {os.cpu_count()} x {processor}; "
        f"{dt.datetime.now(dt.UTC):%Y-%m-%d}"
    )
