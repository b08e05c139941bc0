"""``python3 tools bench intervals``: how often the intervals hold, on simulated people."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from math import sqrt
from typing import Any, TextIO

from evaluator import __version__
from evaluator.errors import BadOption, EvaluatorError
from tools.arguments import INPUT_AT_FAULT, Parser, refuse_below, typed_names, typed_number, typed_path
from tools.bench.intervals.counted import coverage, drifting, rare_outcomes, slow, steady
from tools.bench.intervals.short import short_histories
from tools.bench.intervals.table import Run, Table
from tools.bench.intervals.words import words
from tools.outputs import Outputs, print_and_write
from tools.progress import ProgressLine
from tools.terminal import laid_out, paragraph, spaced
from ui.text.errors import error_sentence

#: All tables, by the names under which they are asked for and stand in the JSON.
TABLES: dict[str, Callable[[Run], Table]] = {
    "coverage": coverage,
    "drifting": drifting,
    "slow": slow,
    "steady": steady,
    "rare": rare_outcomes,
    "short": short_histories,
    "words": words,
}


def main(arguments: list[str]) -> int:
    """Simulate, print and write. Return 2 for a bad option."""
    options = _parser().parse_args(arguments)
    try:
        refuse_below(options, people=1, seed=0)
        for name in options.tables:
            if name not in TABLES:
                raise BadOption(option="--tables", value=name, allowed=", ".join(TABLES))
        Outputs(json=options.json).check()
    except EvaluatorError as error:
        print(error_sentence(error), file=sys.stderr)
        return INPUT_AT_FAULT
    made = _made(options.tables, options.people, options.seed)
    found = made, options.people, options.seed
    print_and_write(partial(render, *found), as_json(*found), options.json)
    return 0


def _made(names: list[str], people: int, seed: int) -> dict[str, Table]:
    with ProgressLine() as line:

        def tell(place: int, done: float) -> None:
            line.show((place + done) / len(names), names[place])

        return {name: TABLES[name](Run(people, seed, partial(tell, place))) for place, name in enumerate(names)}


def as_json(made: dict[str, Table], people: int, seed: int) -> dict[str, Any]:
    """The tables as plain lists and dicts; shares are from 0 to 1."""
    tables = {name: table.json for name, table in made.items()}
    return {"software": f"SRS Evaluator {__version__}", "people": people, "seed": seed, "tables": tables}


def render(made: dict[str, Table], people: int, seed: int, stream: TextIO | None = None) -> str:
    """The tables below each other, as they are printed to the stream."""
    error = 100 * 1.96 * sqrt(0.05 * 0.95 / people)
    about = (
        f"SRS Evaluator {__version__}; {people:,} simulated people in each row, seed {seed}. Shares near 5 or 95 % are "
        f"known to about {error:.1f} points."
    )
    return laid_out(spaced([paragraph(about), *(part for table in made.values() for part in table.parts)]), stream)


def _parser() -> Parser:
    parser = Parser(
        prog="python3 tools bench intervals",
        description="Count how often the intervals hold the truth, and how often a difference is seen where there is "
        "none, on simulated people: steady ones, and ones who drift. The same seed gives the same tables.",
    )
    add = parser.add_argument
    add("--people", metavar="N", type=typed_number, default=300, help="in each row (default: %(default)s)")
    add("--seed", metavar="N", type=typed_number, default=1, help="(default: %(default)s)")
    add(
        "--tables",
        metavar="NAMES",
        type=typed_names,
        default=list(TABLES),
        help=f"separated by commas: {', '.join(TABLES)} (default: all of them)",
    )
    add("--json", metavar="FILE", type=typed_path, help="write all figures; - for standard output")
    return parser
