"""``python3 tools demo``: evaluate a simulated collection, and write all outputs."""

from __future__ import annotations

import shlex
import sys
import time

from evaluator.options import Options
from evaluator.report import Report
from tools.environment import ROOT
from tools.evaluate import evaluate_file
from tools.output.output_files import listing
from tools.output.outputs import Outputs
from tools.output.streams import say, show
from tools.output.table import render
from tools.simulate import Learner, simulate, write_collection
from ui.exports import JSON, PNG

FOLDER = ROOT / "demo"
#: Note for readers of the results.
SIMULATED = "This learner is simulated, with a memory that follows FSRS: the result says nothing about real people."


def main(_arguments: list[str]) -> int:
    """Write a simulated collection and all outputs of its evaluation to ``demo/``, and print the table."""
    FOLDER.mkdir(exist_ok=True)
    say("Simulating a learner, and writing the reviews as an Anki collection ...")
    collection = FOLDER / "collection.anki2"
    collection.unlink(missing_ok=True)
    # Anki counts days by the machine's UTC offset, whatever the collection says.
    offset = time.localtime().tm_gmtoff // 60
    write_collection(simulate(Learner(utc_offset_minutes=offset)), collection)
    say("Evaluating it: each algorithm predicts reviews that it has not seen ...")
    outputs = Outputs(
        {
            "html": FOLDER / "report.html",
            JSON: FOLDER / "report.json",
            "csv": FOLDER / "predictions.csv",
            PNG: FOLDER / "charts",
        },
        note=SIMULATED,
    )
    evaluation = evaluate_file(collection, Options(), sections=outputs.sections(), on_report=_show_report)
    say("Writing the report, every prediction, the web page and the graphs ...")
    show(f"\n{listing([collection, *outputs.write(evaluation)])}\n")
    show(f"\nTo see the table again: python3 tools evaluate {shlex.quote(str(collection))}\n")
    return 0


def _show_report(report: Report) -> None:
    """Print the first screen, before the sections are computed."""
    show("\n")
    say(f"{SIMULATED}\n\n{render(report, sys.stdout)}", sys.stdout)
    say("Adding details, such as where predictions are off by more than chance ...")
