"""``python3 tools bench``: how fast the fitting is, side by side with Anki's own optimiser."""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from evaluator.algorithms import ALGORITHM_GROUPS, resolve
from evaluator.errors import BadOption, EvaluatorError
from evaluator.names import harmless
from tools import sources
from tools.arguments import (
    INPUT_AT_FAULT,
    Parser,
    add_source_options,
    quoted,
    refuse_below,
    typed_names,
    typed_number,
    typed_path,
)
from tools.bench import measure
from tools.bench.logs import SIZES, Log, simulated
from tools.bench.machine import machine
from tools.bench.results import Results, as_json
from tools.bench.text import render
from tools.files import scratch_folder
from tools.outputs import Outputs, print_and_write
from tools.progress import ProgressLine
from ui.text.errors import error_sentence

#: Evaluated once beside the duels, on the last log, for its time and memory.
WHOLE = ("default",)

#: Of simulated logs, where algorithms are named and no size is: all of them on a million reviews take long.
SIZES_OF_SURVEYS = ("10k", "100k")


def main(arguments: list[str]) -> int:
    """Measure, print and write. Return 2 if the input or an option is at fault."""
    options = _parser().parse_args(arguments)
    try:
        results = _measured(options)
    except EvaluatorError as error:
        print(error_sentence(error), file=sys.stderr)
        return INPUT_AT_FAULT
    print_and_write(partial(render, results), as_json(results), options.json)
    return 0


def _measured(options: argparse.Namespace) -> Results:
    """Measure what the options ask for. Bad options are refused before the long work."""
    refuse_below(options, repeat=1)
    algorithms = tuple(options.algorithms or ())
    if options.algorithms is not None:
        resolve(algorithms)
    read = [file for file in (options.path, options.cards) if file is not None]
    Outputs(json=options.json).check(*read)
    with scratch_folder() as folder, ProgressLine() as line:
        logs = _logs(options, folder)
        runs = options.repeat if algorithms else 1 + 2 * options.repeat
        steps = sum(log.learner is not None for log in logs) + len(logs) * runs + (not algorithms)
        told = itertools.count()
        return _results(logs, algorithms, options.repeat, lambda words: line.show(next(told) / steps, words))


def _logs(options: argparse.Namespace, folder: Path) -> list[Log]:
    sizes: Sequence[str] = options.sizes or ()
    if options.sizes is None and options.path is None:
        sizes = SIZES_OF_SURVEYS if options.algorithms else list(SIZES)
    logs = simulated(sizes, folder)
    if options.path is None:
        for option, value in (("--cards", options.cards), ("--next-day-at", options.next_day_at)):
            if value is not None:
                raise BadOption(option=option, value=str(value), allowed="only together with a PATH")
    else:
        sources.check_is_file(options.path)
        logs.append(Log(harmless(options.path.name), options.path, options.cards, options.next_day_at))
    if not logs:
        raise BadOption(option="--sizes", value="", allowed=", ".join(SIZES))
    return logs


def _results(logs: Sequence[Log], algorithms: tuple[str, ...], repeat: int, tell: measure.Tell) -> Results:
    """Time these algorithms on all logs; without any the duels, and in the end one whole evaluation."""
    duels, evaluations = [], []
    for log in logs:
        measure.make(log, tell)
        if algorithms:
            evaluations.append(measure.survey(log, algorithms, repeat, tell))
        else:
            duels.append(measure.duel(log, repeat, tell))
    if not algorithms:
        evaluations.append(measure.survey(logs[-1], WHOLE, 1, tell))
    return Results(machine(), tuple(duels), tuple(evaluations))


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="python3 tools bench",
        description="Measure how fast FSRS-6 is fitted here and by fsrs-rs, Anki's own optimiser, on the same reviews; "
        "or how long any algorithms take.",
    )
    add = parser.add_argument
    add("path", metavar="PATH", nargs="?", type=typed_path, help="a collection, package or CSV to measure on")
    add_source_options(parser)
    add(
        "--sizes",
        metavar="SIZES",
        type=typed_names,
        help=f"simulated logs, separated by commas: {', '.join(SIZES)} reviews (default: all of them, with "
        f"--algorithms {' and '.join(SIZES_OF_SURVEYS)}, with a PATH none)",
    )
    add(
        "--algorithms",
        metavar="NAMES",
        type=typed_names,
        help=f"time these instead, without fsrs-rs: separated by commas, or {quoted(ALGORITHM_GROUPS)}",
    )
    add("--repeat", metavar="N", type=typed_number, default=3, help="runs of each (default: %(default)s)")
    add("--json", metavar="FILE", type=typed_path, help="write all that was measured; - for standard output")
    return parser
