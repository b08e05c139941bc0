"""``python3 tools fuzz``: attack the commands for some minutes, and say what they did not bear."""

from __future__ import annotations

import argparse
import contextlib
import itertools
import shutil
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from tools.arguments import INPUT_AT_FAULT, Parser, typed_names, typed_number, typed_path
from tools.fuzz import case, collections, csv_logs, foreign, kills, material, options, packages, results
from tools.fuzz.case import SECONDS, Attack, Place
from tools.fuzz.material import Material
from tools.fuzz.worker import Lost, Worker
from tools.progress import ProgressLine

ATTACKS: dict[str, Attack] = {
    "csv": csv_logs.attack,
    "foreign": foreign.attack,
    "package": packages.attack,
    "collection": collections.attack,
    "options": options.attack,
    "results": results.attack,
}
KILL = "kill"
KINDS = (*ATTACKS, KILL)

#: One case in so many is a benchmark that is ended: each takes as long as hundreds of others.
KILL_EVERY = 1000
#: And one runs as a process of its own; the others take turns in one.
APART_EVERY = 50

SOME_FAILED = 1


def main(arguments: list[str]) -> int:
    """Attack the commands. Return 1 if a command failed, 2 for a bad option."""
    asked = _parser().parse_args(arguments)
    unknown = [kind for kind in asked.only if kind not in KINDS]
    if unknown:
        print(f"--only cannot be {unknown[0]!r}. Allowed: {', '.join(KINDS)}.", file=sys.stderr)
        return INPUT_AT_FAULT
    folder = asked.folder.absolute()
    good = material.make(folder / "material")
    names = [asked.case] if asked.case else _names(asked.only, asked.seed, asked.minutes)
    done: Counter[str] = Counter()
    failed = 0
    with ProgressLine() as line, contextlib.closing(Worker()) as worker:
        for name in names:
            line.show(0, f"{name}, {done.total():,} cases, {failed:,} failed")
            faults = judged(name, good, folder / name, worker)
            done[_parts(name)[0]] += 1
            if faults:
                failed += 1
                line.clear()
                print(f"{name}: {'; '.join(faults)}\n  python3 tools fuzz --case {name}", flush=True)
            else:
                shutil.rmtree(folder / name)
    print(f"{done.total():,} cases ({', '.join(f'{done[kind]:,} {kind}' for kind in done)}): {failed:,} failed.")
    if failed:
        print(f"What each was given, and what it printed, is kept in {folder}.")
    return SOME_FAILED if failed else 0


def judged(name: str, good: Material, folder: Path, worker: Worker) -> list[str]:
    """Make and run the case of that name in the folder, which stays; return what is wrong."""
    shutil.rmtree(folder, ignore_errors=True)
    place = Place.made(folder)
    kind, number = _parts(name)
    if kind == KILL:
        return kills.judge(Random(name), good, place)
    is_apart = number % APART_EVERY == 0
    try:
        faults: list[str] = worker.call(judge_by_name, name, good, place, is_apart, seconds=2 * SECONDS)
    except Lost as lost:
        return [str(lost)]
    return faults


def judge_by_name(name: str, good: Material, place: Place, is_apart: bool = False) -> list[str]:
    """Run the case whose kind, seed and number are in the name, see :func:`tools.fuzz.case.judge`."""
    return case.judge(ATTACKS[_parts(name)[0]], Random(name), good, place, apart=is_apart)


def _names(kinds: Sequence[str], seed: int, minutes: int) -> Iterator[str]:
    """Names of cases, of all kinds in turn, until the time is over."""
    end = time.monotonic() + 60 * minutes
    quick = [kind for kind in kinds if kind != KILL]
    for number in itertools.count(1):
        if time.monotonic() > end:
            return
        if KILL in kinds and (number % KILL_EVERY == 0 or not quick):
            yield f"{KILL}-{seed}-{number}"
        for kind in quick:
            yield f"{kind}-{seed}-{number}"


def _parts(name: str) -> tuple[str, int]:
    """Split the name of a case into its kind and number. Raises ValueError."""
    kind, _seed, number = name.split("-")
    if kind not in KINDS:
        raise ValueError(kind)
    return kind, int(number)


def _case(typed: str) -> str:
    try:
        _parts(typed)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{typed!r} is no case like csv-1-42") from None
    return typed


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="python3 tools fuzz",
        description="Attack the commands with damaged collections, packages, CSVs and results, with odd options, and "
        "by ending them at any moment. Each case has to end in success or in one sentence, change nothing that it "
        "reads, and leave nothing behind.",
    )
    add = parser.add_argument
    add(
        "--seed", metavar="N", type=typed_number, default=1, help="another one gives other cases (default: %(default)s)"
    )
    add("--minutes", metavar="N", type=typed_number, default=10, help="how long (default: %(default)s)")
    add("--only", metavar="KINDS", type=typed_names, default=KINDS, help=f"separated by commas, of {', '.join(KINDS)}")
    add("--case", metavar="NAME", type=_case, help="repeat that one")
    add(
        "--folder",
        metavar="FOLDER",
        type=typed_path,
        default=Path("fuzz"),
        help="for the good files, made once, and for the cases that failed (default: %(default)s)",
    )
    return parser
