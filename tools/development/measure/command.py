"""``python3 tools measure``: how fast the fitting is, side by side with Anki's own optimizer."""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Callable, Collection, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import TextIO

from rich.console import RenderableType

from evaluator.algorithms import resolve
from evaluator.errors import BadOption, EvaluatorError
from evaluator.report.sanitize import sanitize_text
from tools import parsers, sources
from tools.arguments import INPUT_AT_FAULT, check_minimum
from tools.development.measure.logs import SIZES, Log
from tools.development.measure.machine import machine
from tools.development.measure.sides import FsrsRs, Ours, Whole
from tools.development.measure.timing import Timed, TimedSide, timed
from tools.output.progress import ProgressLine
from tools.output.terminal import format_columns, grid, paragraph, spaced
from ui.files import scratch_folder
from ui.text.errors import error_sentence

OURS, RIVAL = "SRS Evaluator", "fsrs-rs"


def main(arguments: list[str]) -> int:
    """Measure and print. Return 2 if the input or an option is at fault."""
    options = parsers.measure().parse_args(arguments)
    try:
        measured = _measured(options)
    except EvaluatorError as error:
        print(error_sentence(error), file=sys.stderr)
        return INPUT_AT_FAULT
    print(render(machine(), measured, sys.stdout), end="")
    return 0


def _measured(options: argparse.Namespace) -> list[Timed]:
    """Measure what the options ask for: the two sides, or algorithms. Bad options are refused before the long work."""
    check_minimum(options, repeat=1)
    sides: dict[str, Callable[[Log], TimedSide]] = {OURS: Ours, RIVAL: FsrsRs}
    if options.algorithms is not None:
        resolve(options.algorithms)
        sides = {", ".join(options.algorithms): partial(Whole, options.algorithms)}
    with scratch_folder() as folder, ProgressLine() as line:
        logs = _logs(options, folder)
        steps = sum((log.learner is not None) + 1 + len(sides) * options.repeat for log in logs)
        messages = itertools.count()
        return [
            item
            for log in logs
            for item in timed(log, sides, options.repeat, lambda words: line.show(next(messages) / steps, words))
        ]


def _logs(options: argparse.Namespace, folder: Path) -> list[Log]:
    """Return simulated logs of these sizes, each once and the smallest first, or the given log."""
    sizes: Collection[str] = options.sizes or ([] if options.path else [*SIZES])
    for size in sizes:
        if size not in SIZES:
            raise BadOption(option="--sizes", value=size, allowed=", ".join(SIZES))
    logs = [Log(size, folder / f"{size}.anki2", learner=SIZES[size]) for size in SIZES if size in sizes]
    if options.path is not None:
        sources.check_is_file(options.path)
        logs.append(Log(sanitize_text(options.path.name), options.path, options.cards, options.next_day_at))
    return logs


def render(about: str, measured: Sequence[Timed], stream: TextIO | None = None) -> str:
    """Return the text to print, ending in a newline."""
    of_two = any(item.side == RIVAL for item in measured)
    runs = len(measured[0].runs)
    medians = f"Medians of {runs} runs, in turn." if runs > 1 else "One run."
    parts = _duels(measured, medians) if of_two else _steps(measured, medians)
    return format_columns(spaced([paragraph(about), *parts]), stream)


def _duels(measured: Sequence[Timed], medians: str) -> list[RenderableType]:
    text = (
        f"FSRS-6 with recency weights on the same reviews: five folds trained and scored. {medians} ratio: ours / "
        "fsrs-rs; MiB: the most that the process needs."
    )
    rows = []
    for ours, rival in zip(measured[::2], measured[1::2], strict=True):
        ratio = f"{ours.seconds / rival.seconds:.2f}"
        rows.append((ours.log, f"{ours.reviews:,}", *_side(ours), ratio))
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
        f"{item.runs[-1].found:.5f}",
        _memory(item),
    )


def _steps(measured: Sequence[Timed], medians: str) -> list[RenderableType]:
    """Time the steps of whole evaluations: a column for each log; the slowest step on the last log comes first."""
    columns = [{step: median(run.found[step] for run in item.runs) for step in item.runs[0].found} for item in measured]
    order = sorted(columns[-1], key=columns[-1].__getitem__, reverse=True)
    rows = [(step, *(_seconds(column[step]) for column in columns)) for step in order]
    rows.append(("in all, with reading", *(_seconds(item.seconds) for item in measured)))
    rows.append(("MiB", *map(_memory, measured)))
    header = ("seconds", *(item.log for item in measured))
    return [paragraph(f"Evaluation of {measured[0].side}. {medians}"), grid(header, rows, range(1, len(header)))]


def _seconds(value: float) -> str:
    return f"{value:.3f}" if value < 10 else f"{value:.1f}"


def _memory(item: Timed) -> str:
    peak = item.runs[0].peak_bytes
    return "-" if peak is None else f"{peak / 2**20:,.0f}"
