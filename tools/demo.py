"""``python3 tools demo``: the whole way on a simulated collection."""

from __future__ import annotations

import shutil
import sys

from evaluator.options import Options
from tools.arguments import Parser
from tools.environment import ROOT, alone
from tools.evaluate import evaluate_file
from tools.outputs import Outputs, listing
from tools.simulate import Learner, simulate, write_collection
from tools.table import render

FOLDER = ROOT / "demo"


def main(arguments: list[str]) -> int:
    """Make the collection, evaluate it, write everything to ``demo/``, and say where."""
    Parser(
        prog="python3 tools demo",
        description=f"Simulate a learner, evaluate the collection, and write graphs and reports to {FOLDER.name}/.",
    ).parse_args(arguments)
    with alone(FOLDER.with_name(FOLDER.name + ".lock")):
        return _make()


def _make() -> int:
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir()
    print("Making a simulated collection ...", file=sys.stderr)
    collection = write_collection(simulate(Learner()), FOLDER / "collection.anki2")
    outputs = Outputs(
        json=FOLDER / "report.json",
        predictions=FOLDER / "predictions.csv",
        charts=FOLDER / "charts",
        html=FOLDER / "report.html",
    )
    evaluation = evaluate_file(collection, Options(), outputs)
    written = outputs.write(evaluation)
    print("A simulated learner (an FSRS-like memory, scheduled by FSRS): it shows what a report looks like, and proves")
    print("nothing about any algorithm.\n")
    print(render(evaluation.report))
    print(listing([collection, *written]))
    print(f"\nThe same again: python3 tools evaluate {collection}")
    return 0
