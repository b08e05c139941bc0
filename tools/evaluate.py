"""``python3 tools evaluate PATH``: how well each algorithm would have predicted these reviews."""

from __future__ import annotations

import argparse
import datetime as dt
import sys
import time
from pathlib import Path

from evaluator.algorithms import resolve
from evaluator.errors import EvaluatorError
from evaluator.evaluation import Progress, evaluate, run
from evaluator.options import Options
from evaluator.scope import WHOLE_COLLECTION, ScopeChoice
from evaluator.tally import Evaluation
from evaluator.wording import error_sentence
from tools import sources
from tools.arguments import (
    INPUT_AT_FAULT,
    Parser,
    add_scope_options,
    add_source_options,
    chosen_scope,
    groups,
    typed_names,
    typed_number,
    typed_path,
)
from tools.outputs import STDOUT, Outputs
from tools.progress import ProgressLine
from tools.table import render
from ui.optimiser import anki_optimiser

#: The share of reading in the whole work, for the progress line.
READING = 0.1


def main(arguments: list[str]) -> int:
    """Evaluate, print and write; 2 where the input or an option is at fault."""
    options = _parser().parse_args(arguments)
    outputs = Outputs(json=options.json, predictions=options.predictions, charts=options.charts)
    try:
        evaluation = evaluate_file(
            options.path,
            Options(
                algorithms=tuple(options.algorithms),
                folds=options.folds,
                since=options.since,
                same_day=options.same_day,
                outlier_filter=options.outlier_filter,
            ),
            outputs,
            scope=chosen_scope(options),
            cards=options.cards,
            next_day_at=options.next_day_at,
        )
        written = outputs.write(evaluation)
    except EvaluatorError as error:
        print(error_sentence(error), file=sys.stderr)
        return INPUT_AT_FAULT
    stream = sys.stderr if outputs.json == STDOUT else sys.stdout
    print(render(evaluation.report), end="", file=stream)
    if written:
        print("\nWritten:", *(f"  {path}" for path in written), sep="\n", file=stream)
    return 0


def evaluate_file(
    path: Path,
    options: Options,
    outputs: Outputs,
    *,
    scope: ScopeChoice = WHOLE_COLLECTION,
    cards: Path | None = None,
    next_day_at: int | None = None,
) -> Evaluation:
    """Read and evaluate, with a progress line. What can be known to be wrong is said before the long work.

    Raises:
        EvaluatorError: the input or an option is at fault.
    """
    resolve(options.algorithms)
    outputs.check(path, *([cards] if cards else []))
    with ProgressLine() as line:
        line.show(0.0, "Reading")
        started = time.perf_counter()
        snapshot = sources.read(
            path,
            scope=scope,
            cards=cards,
            next_day_at=next_day_at,
            on_progress=lambda done, total: line.show(READING * done / max(total, 1), _reading(done, total)),
        )
        reading = time.perf_counter() - started
        work = evaluate(snapshot, options, optimiser=anki_optimiser())
        del snapshot  # the review log is needed no longer than for preparing
        evaluation = run(
            work,
            lambda progress: line.show(READING + (1 - READING) * progress.fraction, _words(progress)),
        )
    return Evaluation(evaluation.report, evaluation.predictions, {"reading": reading, **evaluation.timing})


def _reading(done: int, total: int) -> str:
    return f"Reading: {done:,} of {total:,} rows"


def _words(progress: Progress) -> str:
    if progress.stage == "algorithm":
        return f"{progress.algorithm}: {progress.done} of {progress.total} folds"
    return progress.stage.capitalize()


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="python3 tools evaluate",
        description="Replay a review log through several algorithms and say how well each would have predicted it.",
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("path", metavar="PATH", type=typed_path, help="a .anki2, .colpkg or .apkg file, or a review log as CSV")
    add_source_options(parser)
    add_scope_options(parser)
    add(
        "--algorithms",
        metavar="NAMES",
        type=typed_names,
        default=["default"],
        help=f"separated by commas, or {groups()}",
    )
    add("--json", metavar="FILE", type=typed_path, help="write the report; - for standard output")
    add("--predictions", metavar="FILE", type=typed_path, help="write a CSV with every prediction")
    add("--charts", metavar="DIR", type=typed_path, help="write calibration graphs as PNG")
    add(
        "--folds",
        metavar="N",
        type=typed_number,
        default=Options().folds,
        help="how often to train (default: %(default)s)",
    )
    add("--since", metavar="DATE", type=_date, help="score only reviews from that day on, e.g. 2024-05-01")
    add(
        "--no-same-day",
        dest="same_day",
        action="store_false",
        help="tell no algorithm of reviews on the day of an earlier one of the card",
    )
    add(
        "--no-outlier-filter",
        dest="outlier_filter",
        action="store_false",
        help="keep cards whose first interval is rare for their first answer",
    )
    return parser


def _date(text: str) -> dt.date:
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no date like 2024-05-01") from None
