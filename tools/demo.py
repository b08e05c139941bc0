"""``python3 tools demo``: the whole way on a simulated collection."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

from evaluator.names import harmless
from evaluator.options import Options
from evaluator.report import Report
from tools import parsers
from tools.arguments import INPUT_AT_FAULT
from tools.environment import ROOT, alone
from tools.evaluate import evaluate_file
from tools.files import listing, scratch_folder
from tools.outputs import Outputs
from tools.simulate import Learner, simulate, write_collection
from tools.streams import say
from tools.table import render

FOLDER = ROOT / "demo"
#: What the demo makes there, and what SQLite and Anki keep beside a collection.
_OWN = re.compile(
    r"collection\.(anki2(-wal|-shm|-journal)?|media|media\.db2|log)|report\.(json|html)|predictions\.csv|charts(/[^/]+\.png)?"
)
#: What a reader of the results must know.
SIMULATED = "This is a simulated learner, with an FSRS-like memory, scheduled by FSRS: it proves nothing."


def main(arguments: list[str]) -> int:
    """Make the collection, evaluate it, print the comparison, write everything to ``demo/``, and say where."""
    parsers.demo().parse_args(arguments)
    with alone(FOLDER.with_name(FOLDER.name + ".lock")):
        return _make()


def _make() -> int:
    names = sorted(path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*"))
    others = [name for name in names if not _OWN.fullmatch(name)]
    if others:
        shown = ", ".join(map(harmless, others[:3]))
        say(f"{FOLDER} is made anew, but holds what the demo has not made: {shown}. Move it first.")
        return INPUT_AT_FAULT
    with scratch_folder(FOLDER.parent) as place:
        made = place / FOLDER.name
        made.mkdir()
        written = _fill(made)
        shutil.rmtree(FOLDER, ignore_errors=True)
        made.replace(FOLDER)
    print(f"\n{listing([FOLDER / path.relative_to(made) for path in written])}")
    print(f"\nThe table again: python3 tools evaluate {FOLDER / written[0].name}")
    return 0


def _fill(folder: Path) -> list[Path]:
    """Write the collection and all outputs into the folder; return the files, the collection first."""
    say("Simulating a learner, and writing the reviews as a collection that Anki opens ...")
    collection = write_collection(simulate(Learner()), folder / "collection.anki2")
    say("Evaluating it: each algorithm predicts reviews that it has not seen ...")
    outputs = (
        ("Writing the report as JSON", Outputs(json=folder / "report.json")),
        ("Writing every prediction", Outputs(predictions=folder / "predictions.csv")),
        ("Drawing the web page", Outputs(html=folder / "report.html", note=SIMULATED)),
        ("Drawing the graphs", Outputs(charts=folder / "charts")),
    )
    sections = [name for _, output in outputs for name in output.sections()]
    evaluation = evaluate_file(collection, Options(), Outputs(), sections=sections, evaluated=_show)
    written = [collection]
    for words, output in outputs:
        say(f"{words} ...")
        written += output.write(evaluation)
    return written


def _show(report: Report) -> None:
    """Print the comparison as soon as it is known."""
    print()
    say(f"{SIMULATED}\n\n{render(report, sys.stdout)}", sys.stdout)
    say("Looking closer: where predictions are wrong by more than chance, and more ...")
