"""``python3 tools bench workload``: whether the year ahead is what it is said to be, on simulated people.

It goes on where it was by a file of its own, a line for each person: that of ``benchmark`` holds other things.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from concurrent.futures import as_completed
from dataclasses import asdict
from pathlib import Path
from typing import Any, TextIO

from evaluator import __version__
from evaluator.errors import BadOption, EvaluatorError
from evaluator.names import harmless
from tools.arguments import INPUT_AT_FAULT, Parser, refuse_below, typed_number, typed_path
from tools.bench.workload.figures import mean, tables
from tools.bench.workload.person import Asked, Line, line_of
from tools.benchmark.executors import processes
from tools.progress import ProgressLine
from tools.simulate.command import add_people, check_people
from tools.simulate.memories import FSRS, KINDS
from tools.terminal import laid_out, paragraph, spaced
from ui.text.errors import error_sentence


def main(arguments: list[str]) -> int:
    """Simulate, print, and write what is found of each person. Return 2 for a bad option, 1 where one failed."""
    options = _parser().parse_args(arguments)
    asked = Asked(
        seed=options.seed,
        rows=options.reviews,
        spread=options.spread,
        memory=options.memory,
        short_of_time=options.short_of_time,
        together=options.together,
    )
    try:
        check_people(options)
        refuse_below(options, together=1)
        if options.memory not in KINDS:
            raise BadOption(option="--memory", value=options.memory, allowed=", ".join(KINDS))
        found = known(options.out, asked)
    except EvaluatorError as error:
        print(error_sentence(error), file=sys.stderr)
        return INPUT_AT_FAULT
    numbers = range(1, options.people + 1)
    missing = [number for number in numbers if number not in found]
    with ProgressLine() as line, processes(max(1, min(options.processes, len(missing)))) as crew:
        futures = [crew.submit(line_of, asked, number) for number in missing]
        number_of = dict(zip(futures, missing, strict=True))
        failed: dict[int, BaseException] = {}
        for done, future in enumerate(as_completed(futures), start=1):
            why = future.exception()
            if isinstance(why, crew.lost):
                print("A process ended too soon. With --out, the same command goes on.", file=sys.stderr)
                return 1
            if why is None:
                found[number_of[future]] = future.result()
                if options.out is not None:
                    _append(options.out, future.result())
            else:
                failed[number_of[future]] = why
            line.show(done / len(missing), f"{done + len(numbers) - len(missing):,} of {options.people:,} people")
    print(render([found[number] for number in numbers if number in found], asked, sys.stdout), end="")
    for number, why in sorted(failed.items()):
        print(f"Person {number} failed: {why!r}", file=sys.stderr)
    return 1 if failed else 0


def known(out: Path | None, asked: Asked) -> dict[int, Line]:
    """The lines of people that are in the file, by their numbers; a new file is begun.

    A line that was cut off when a run was killed is removed.

    Raises:
        BadOption: the file is another one, or of a run with other options.
    """
    if out is None:
        return {}
    about = _about(asked)
    if not out.exists():
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(json.dumps(about) + "\n", encoding="utf-8")
        return {}
    try:
        text = out.read_text(encoding="utf-8")
        whole = text[: text.rfind("\n") + 1]
        first, *rest = [json.loads(line) for line in whole.splitlines()]
        if first != about:
            raise ValueError("other options")
        found = {line["number"]: line for line in rest}
    except (OSError, ValueError, KeyError, TypeError):
        allowed = "a new file, or that of a run of this version with the same options"
        raise BadOption(option="--out", value=harmless(str(out)), allowed=allowed) from None
    if whole != text:
        out.write_text(whole, encoding="utf-8")
    return found


def _about(asked: Asked) -> dict[str, Any]:
    return {"software": f"SRS Evaluator {__version__}", **asdict(asked)}


def _append(out: Path, line: Line) -> None:
    with out.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


def render(lines: Sequence[Line], asked: Asked, stream: TextIO | None = None) -> str:
    """The tables as they are printed to the stream."""
    about = (
        f"SRS Evaluator {__version__}; {len(lines):,} simulated people, memory {asked.memory}, seed {asked.seed}; "
        f"{mean([line['seconds'] for line in lines]) or 0:.1f} seconds of a processor for each."
    )
    return laid_out(spaced([paragraph(about), *(part for table in tables(lines) for part in table.parts)]), stream)


def _parser() -> Parser:
    parser = Parser(
        prog="python3 tools bench workload",
        description="Compare what is said of the year ahead with the same year simulated by the true memory, on "
        "simulated people. The same seed gives the same people.",
    )
    add = parser.add_argument
    add_people(parser, rows=6000, spread=0.6)
    add(
        "--memory",
        metavar="KIND",
        default=FSRS,
        help=f"what their memories are like: {', '.join(KINDS)} (default: %(default)s)",
    )
    add("--short-of-time", action="store_true", help="nobody has the time to review all that is due")
    add(
        "--together",
        metavar="N",
        type=typed_number,
        default=5,
        help="of one person in N all memories are fitted, of the others FSRS-6 alone (default: %(default)s)",
    )
    add("--out", metavar="FILE", type=typed_path, help="keep what was found of each person; a stopped run goes on")
    return parser
