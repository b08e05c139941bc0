"""``python3 tools measure intervals``: coverage of the intervals on simulated people, whose truth is known."""

from __future__ import annotations

import sys
import zlib
from collections.abc import Callable, Iterator
from dataclasses import astuple
from functools import partial
from math import sqrt

import numpy as np

from evaluator import __version__
from evaluator.errors import BadOption, EvaluatorError
from tools import parsers
from tools.arguments import INPUT_AT_FAULT, check_minimum
from tools.development.measure.coverage_tables import COVERAGE, EQUALS, RARE_OUTCOMES, SHORT, CoverageTable
from tools.development.measure.optimizing import optimizing
from tools.development.measure.table import BenchTable, Value
from tools.development.measure.words import CLAIM_TABLE
from tools.output.progress import ProgressLine
from tools.output.streams import say
from tools.output.terminal import format_columns, paragraph, spaced
from ui.text.errors import error_sentence

#: Tables by name.
TABLES = {"coverage": COVERAGE, "equals": EQUALS, "rare": RARE_OUTCOMES, "short": SHORT, "words": CLAIM_TABLE}
NAMES = (*TABLES, "optimizing")


def main(arguments: list[str]) -> int:
    """Simulate and print. Return 2 for a bad option."""
    options = parsers.measure_intervals().parse_args(arguments)
    people, seed, names = options.people, options.seed, options.tables or NAMES
    try:
        check_minimum(options, people=1, seed=0)
        for name in names:
            if name not in NAMES:
                raise BadOption(option="--tables", value=name, allowed=", ".join(NAMES))
    except EvaluatorError as error:
        say(error_sentence(error))
        return INPUT_AT_FAULT
    parts = [
        paragraph(
            f"SRS Evaluator {__version__}; {people:,} simulated people in each row, seed {seed}. Shares near 5 or "
            f"95% are known to about {100 * 1.96 * sqrt(0.05 * 0.95 / people):.1f} points."
        )
    ]
    with ProgressLine() as line:
        for index, name in enumerate(names):
            tell = partial(_tell, line, index, len(names), name)
            make = partial(counted, TABLES[name]) if name in TABLES else optimizing
            parts += make(people, seed, tell).parts
    print(format_columns(spaced(parts), sys.stdout), end="")
    return 0


def _tell(line: ProgressLine, position: int, tables: int, name: str, done: float) -> None:
    line.show((position + done) / tables, name)


def counted(
    what: CoverageTable, people: int, seed: int, tell: Callable[[float], object] = lambda _: None
) -> BenchTable:
    """Return the table with a row for each kind of people: its fields, and the counts over this many of them.

    Each row has its own random numbers, which depend on the seed and the kind, not on its place in the table.
    """

    def rows() -> Iterator[tuple[Value, ...]]:
        for index, kind in enumerate(what.kinds):
            tell(index / len(what.kinds))
            random = np.random.default_rng([seed, zlib.crc32(repr(kind).encode())])
            yield *astuple(kind), *of_many(what, kind, people, random)

    return BenchTable(what.caption, {**what.about, **what.columns}, list(rows()))


def of_many(what: CoverageTable, kind: object, people: int, random: np.random.Generator) -> tuple[float | None, ...]:
    """Return the mean of each column over this many people, None if no one has a number."""
    result = np.array([what.person(kind, random) for _ in range(people)], dtype=float)
    return tuple(None if np.isnan(column).all() else float(np.nanmean(column)) for column in result.T)
