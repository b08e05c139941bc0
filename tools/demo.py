"""``python3 tools demo``: the whole way on a simulated collection."""

from __future__ import annotations

import shutil
import sys

from evaluator.options import Options
from evaluator.report import Report
from tools.arguments import Parser
from tools.environment import ROOT, alone
from tools.evaluate import evaluate_file
from tools.outputs import Outputs, listing
from tools.simulate import Learner, simulate, write_collection
from tools.table import render

FOLDER = ROOT / "demo"
#: What a reader of the results must know.
SIMULATED = "This is a simulated learner, with an FSRS-like memory, scheduled by FSRS: it proves nothing."


def main(arguments: list[str]) -> int:
    """Make the collection, evaluate it, print the comparison, write everything to ``demo/``, and say where."""
    Parser(
        prog="python3 tools demo",
        description=f"Simulate a learner, evaluate the collection, and write graphs and reports to {FOLDER.name}/.",
    ).parse_args(arguments)
    with alone(FOLDER.with_name(FOLDER.name + ".lock")):
        return _make()


def _make() -> int:
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir()
    _say("Simulating a learner, and writing the reviews as a collection that Anki opens ...")
    collection = write_collection(simulate(Learner()), FOLDER / "collection.anki2")
    _say("Evaluating it: each algorithm predicts reviews that it has not seen ...")
    outputs = (
        ("Writing the report as JSON", Outputs(json=FOLDER / "report.json")),
        ("Writing every prediction", Outputs(predictions=FOLDER / "predictions.csv")),
        ("Drawing the web page", Outputs(html=FOLDER / "report.html", note=SIMULATED)),
        ("Drawing the graphs", Outputs(charts=FOLDER / "charts")),
    )
    sections = [name for _, output in outputs for name in output.sections()]
    evaluation = evaluate_file(collection, Options(), Outputs(), sections=sections, evaluated=_show)
    written = [collection]
    for words, output in outputs:
        _say(f"{words} ...")
        written += output.write(evaluation)
    print(f"\n{listing(written)}")
    print(f"\nThe same again: python3 tools evaluate {collection}")
    return 0


def _show(report: Report) -> None:
    """Print the comparison as soon as it is known."""
    print(f"\n{SIMULATED}\n\n{render(report)}", flush=True)
    _say("Looking closer: where predictions are wrong by more than chance, and more ...")


def _say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)
