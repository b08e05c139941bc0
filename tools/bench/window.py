"""``python3 tools bench window``: how long the window makes Anki wait, measured in the real Anki."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, TextIO

from evaluator.errors import EvaluatorError
from tools.arguments import INPUT_AT_FAULT, Parser, refuse_below, typed_number, typed_path
from tools.bench.machine import machine
from tools.bench.text import table
from tools.environment import ROOT, MachineNotReady, require_packages
from tools.files import scratch_folder
from tools.outputs import Outputs, print_and_write
from tools.progress import ProgressLine
from tools.simulate import Learner, simulate, write_collection
from tools.terminal import laid_out, paragraph, spaced
from tools.test import QT_LIBRARIES
from ui.text.errors import error_sentence

MEASURING = ROOT / "tests" / "anki" / "measuring.py"

#: Of one simulated person: some 30,000 reviews.
DAYS = 400

#: Milliseconds by the clock, and of the main thread's own CPU time where the event loop was blocked by it.
Figure = tuple[float, float | None]


@dataclass(frozen=True)
class Anki:
    """One way to start Anki."""

    title: str
    language: str
    compiled: bool  #: the add-on's modules, as after the first time in an Anki that keeps what it compiles


ANKIS = (
    Anki("English", "en_US", compiled=False),
    Anki("compiled", "en_US", compiled=True),
    Anki("Japanese", "ja_JP", compiled=False),
)

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


@dataclass(frozen=True)
class Measured:
    """All measurements of one way to start Anki."""

    anki: Anki
    runs: tuple[Mapping[str, Figure], ...]

    def median(self, name: str) -> Figure:
        """Medians of a figure: milliseconds by the clock, and of the main thread."""
        clock = median(run[name][0] for run in self.runs)
        thread = [cpu for run in self.runs if (cpu := run[name][1]) is not None]
        return clock, median(thread) if thread else None


def main(arguments: list[str]) -> int:
    """Measure, print and write; 2 where an option is at fault."""
    options = _parser().parse_args(arguments)
    try:
        refuse_below(options, repeat=1)
        Outputs(json=options.json).check()
    except EvaluatorError as error:
        print(error_sentence(error), file=sys.stderr)
        return INPUT_AT_FAULT
    require_packages(QT_LIBRARIES)
    measured = _measure(options.repeat)
    known = machine()
    print_and_write(partial(render, known, measured), as_json(known, measured), options.json)
    return 0


def _measure(repeat: int) -> list[Measured]:
    """Measure all ways in turn, repeatedly."""
    runs: dict[str, list[Mapping[str, Figure]]] = {anki.title: [] for anki in ANKIS}
    with scratch_folder() as folder, ProgressLine() as line:
        line.show(0, "simulating")
        collection = folder / "collection.anki2"
        write_collection(simulate(Learner(seed=3, days=DAYS)), collection)
        for turn in range(repeat):
            for place, anki in enumerate(ANKIS):
                done = turn * len(ANKIS) + place
                line.show(done / (repeat * len(ANKIS)), f"Anki, {anki.title}, {turn + 1} of {repeat}")
                runs[anki.title].append(_run(anki, collection, folder / str(done)))
    return [Measured(anki, tuple(runs[anki.title])) for anki in ANKIS]


def _run(anki: Anki, collection: Path, folder: Path) -> Mapping[str, Figure]:
    """Start Anki once, measure, and end it."""
    folder.mkdir()
    command = [sys.executable, str(MEASURING), str(folder), str(collection), "yes" if anki.compiled else "no"]
    environment = {**os.environ, "TMPDIR": str(folder), "ANKI_LANGUAGE": anki.language}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise MachineNotReady(f"Anki could not be measured:\n{done.stderr.strip()[-2000:]}")
    figures: dict[str, Any] = json.loads((folder / "figures.json").read_text(encoding="utf-8"))
    return {name: (clock, thread) for name, (clock, thread) in figures.items()}


def render(known: Mapping[str, str | int], measured: Sequence[Measured], stream: TextIO | None = None) -> str:
    """The whole text as it is printed to the stream, ending in a newline."""
    about = paragraph(
        f"{known['software']}, Python {known['python']}, Anki {known['anki']}; {known['cpus']} x {known['cpu']}; "
        f"{known['date']}"
    )
    runs = len(measured[0].runs)
    times = f"Medians of {runs} runs, each an Anki of its own. " if runs > 1 else "One run. "
    header = ["milliseconds", *(cell for one in measured for cell in (one.anki.title, "thread"))]
    rows = [[words, *(_cell(value) for one in measured for value in one.median(name))] for name, words in ROWS.items()]
    return laid_out(spaced([about, paragraph(times + EXPLANATION), table(header, rows)]), stream)


def _cell(value: float | None) -> str:
    """Format a number, from ten on without decimals."""
    if value is None:
        return ""
    return f"{value:.1f}" if value < 10 else f"{value:,.0f}"


def as_json(known: Mapping[str, str | int], measured: Sequence[Measured]) -> dict[str, Any]:
    """Everything measured, with the medians beside the single runs: pairs of clock and main thread."""
    ankis = [
        {**asdict(one.anki), "medians": {name: one.median(name) for name in ROWS}, "runs": list(one.runs)}
        for one in measured
    ]
    return {**known, "ankis": ankis}


def _parser() -> Parser:
    parser = Parser(
        prog="python3 tools bench window",
        description="Measure in the real Anki, without a screen, how long the window makes Anki wait: from the click "
        "on the menu item, while it evaluates, draws and is cancelled. Some ten seconds for each of three ways to "
        "start Anki.",
    )
    add = parser.add_argument
    add("--repeat", metavar="N", type=typed_number, default=3, help="runs of each (default: %(default)s)")
    add("--json", metavar="FILE", type=typed_path, help="write all that was measured; - for standard output")
    return parser
