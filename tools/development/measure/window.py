"""``python3 tools measure window``: how long the window makes Anki wait, measured in the real Anki."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import TextIO

from evaluator.errors import EvaluatorError
from tools import parsers
from tools.arguments import INPUT_AT_FAULT, check_minimum
from tools.development.measure.machine import machine
from tools.development.test import QT_LIBRARIES
from tools.environment import ROOT, MachineNotReady, require_packages
from tools.output.progress import ProgressLine
from tools.output.streams import say
from tools.output.terminal import format_columns, grid, paragraph, spaced
from tools.simulate import Learner, simulate, write_collection
from ui.files import scratch_folder
from ui.text.errors import error_sentence

MEASURING = ROOT / "tests" / "anki" / "measuring.py"

#: Length of the simulated log: about 30,000 reviews.
DAYS = 400

#: Milliseconds by the clock, and of the main thread's CPU time if the event loop was blocked by it; by name.
Run = Mapping[str, tuple[float, float | None]]

#: The ways to start Anki: the language, and whether the add-on's modules are compiled, as after the first start.
ANKIS = {"English": ("en_US", False), "compiled": ("en_US", True), "Japanese": ("ja_JP", False)}

#: What is measured, by the name that ``tests/anki/measuring.py`` gives it.
ROWS = {
    "start_without": "Anki loads its add-ons without this one",
    "start_with": "Anki loads it, too",
    "click": "From the click until the window is painted",
    "whole": "From the click until the evaluation begins",
    "first_result": "From the click until the first result",
    "running": "Longest block until the first graph is drawn",
    "graphs": "Longest block while each graph is drawn",
    "pages": "Longest block while each page is opened",
    "cancel": "From Cancel until that is painted",
    "background": "From Cancel until the background has ended",
}

EXPLANATION = (
    "Milliseconds by the clock, and beside it how long Anki's main thread itself was computing: on a busy machine the "
    "clock also counts what others do. A block is the time between two turns of the event loop, in which Anki does not "
    "answer. English and Japanese: nothing of the add-on is compiled, as after installing; compiled: English, later."
)


def main(arguments: list[str]) -> int:
    """Measure and print; 2 if an option is at fault."""
    options = parsers.measure_window().parse_args(arguments)
    try:
        check_minimum(options, repeat=1)
    except EvaluatorError as error:
        say(error_sentence(error))
        return INPUT_AT_FAULT
    require_packages(QT_LIBRARIES)
    measured = _measure(options.repeat)
    print(render(machine(), measured, sys.stdout), end="")
    return 0


def _measure(repeat: int) -> dict[str, list[Run]]:
    """Measure all ways in turn, repeatedly."""
    runs: dict[str, list[Run]] = {title: [] for title in ANKIS}
    with scratch_folder() as folder, ProgressLine() as line:
        line.show(0, "simulating")
        collection = write_collection(simulate(Learner(seed=3, days=DAYS)), folder / "collection.anki2")
        for turn in range(repeat):
            for index, title in enumerate(ANKIS):
                done = turn * len(ANKIS) + index
                line.show(done / (repeat * len(ANKIS)), f"Anki, {title}, {turn + 1} of {repeat}")
                runs[title].append(_run(title, collection, folder / str(done)))
    return runs


def _run(title: str, collection: Path, folder: Path) -> Run:
    """Start Anki once, measure, and end it."""
    folder.mkdir()
    language, compiled = ANKIS[title]
    command = [sys.executable, str(MEASURING), str(folder), str(collection), "yes" if compiled else "no"]
    environment = {**os.environ, "TMPDIR": str(folder), "ANKI_LANGUAGE": language}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise MachineNotReady(f"Anki could not be measured:\n{done.stderr.strip()[-2000:]}")
    figures: Run = json.loads((folder / "figures.json").read_text(encoding="utf-8"))
    return figures


def render(about: str, measured: Mapping[str, Sequence[Run]], stream: TextIO | None = None) -> str:
    """Return the text to print, ending in a newline: the medians of each figure."""
    runs = len(next(iter(measured.values())))
    times = f"Medians of {runs} runs, each an Anki of its own. " if runs > 1 else "One run. "
    header = ["milliseconds", *(cell for title in measured for cell in (title, "thread"))]
    rows = []
    for name, words in ROWS.items():
        columns = [
            column for of_one in measured.values() for column in zip(*(run[name] for run in of_one), strict=True)
        ]
        rows.append([words, *(_median(column) for column in columns)])
    table = grid(header, rows, range(1, len(header)))
    return format_columns(spaced([paragraph(about), paragraph(times + EXPLANATION), table]), stream)


def _median(column: Sequence[float | None]) -> str:
    """Format the median, from ten without decimals; nothing if there is none."""
    known = [value for value in column if value is not None]
    if not known:
        return ""
    value = median(known)
    return f"{value:.1f}" if value < 10 else f"{value:,.0f}"
