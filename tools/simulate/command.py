"""``python3 tools simulate FOLDER``: write logs of simulated learners as collections, as CSV, or as a data set."""

from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Callable
from concurrent.futures import as_completed
from pathlib import Path

from evaluator.errors import BadOption
from tools import parsers
from tools.arguments import check_minimum
from tools.environment import MachineNotReady, ensure_extras
from tools.output.output_files import Target, check_targets
from tools.output.progress_line import ProgressLine
from tools.processes import processes
from tools.simulate.collection_writer import write_collection
from tools.simulate.csv_files import write_csv
from tools.simulate.dataset_writer import write_user
from tools.simulate.people import learner
from tools.simulate.study import simulate
from tools.simulate.trace import Simulation
from ui.anki.collection import database_message
from ui.drafts import Drafts
from ui.text.sanitize import sanitize_text

#: Function that writes a simulation, with the number of its learner, into a folder, by format.
FORMATS: dict[str, Callable[[Simulation, Path, int], object]] = {
    "collections": lambda simulation, folder, number: write_collection(simulation, folder / f"{number}.anki2"),
    "csv": write_csv,
    "parquet": write_user,
}


def main(arguments: list[str]) -> int:
    """Simulate learners, and write their logs."""
    options = parsers.simulate().parse_args(arguments)
    _check_options(options)
    if options.format == "parquet":
        ensure_extras(["parquet"])
    rows = 0
    with Drafts() as drafts:
        path = drafts.draft_folder(options.folder)
        with ProgressLine() as line, processes(min(options.processes, options.people)) as pool:
            futures = [pool.submit(write_log, number, options, path) for number in range(1, options.people + 1)]
            line.show(0.0, f"0 of {len(futures):,} people")
            for finished, future in enumerate(as_completed(futures), start=1):
                rows += future.result()
                line.show(finished / len(futures), f"people: {finished:,} of {len(futures):,}; rows: {rows:,}")
        for draft in sorted(path.iterdir()):
            drafts.add(draft, options.folder / draft.name)
        drafts.put_in_place()
    print(f"Simulated people: {options.people:,}; rows of review logs: {rows:,}; seed {options.seed}.")
    folder = sanitize_text(str(options.folder))
    print(f"\nWritten:\n  {folder}\n\nNext: python3 tools benchmark {shlex.quote(folder)}")
    return 0


def write_log(number: int, options: argparse.Namespace, folder: Path) -> int:
    """Simulate the learner of that number, write the log, and return its number of rows.

    Raises:
        MachineNotReady: if the log cannot be written.
    """
    utc = options.format == "csv"
    person = learner(number, seed=options.seed, rows=options.reviews, drift=options.drift, utc=utc)
    simulation = simulate(person)
    try:
        FORMATS[options.format](simulation, folder, number)
    # Errors of Anki's backend cannot be passed to the main process.
    except Exception as error:  # noqa: BLE001 - each format has errors of its own
        reason = (
            os.strerror(error.errno)
            if isinstance(error, OSError) and error.errno
            else database_message(error) or str(error)
        )
        raise MachineNotReady(f"The log of person {number} cannot be written to {options.folder}: {reason}.") from None
    return len(simulation.revlog)


def _check_options(options: argparse.Namespace) -> None:
    """Check the options and the folder. Raises BadOption."""
    check_minimum(options, people=1, reviews=1, processes=1, seed=0)
    if not 0 <= options.drift <= 2:
        raise BadOption(option="--drift", value=options.drift, allowed="a number from 0 to 2")
    if options.folder.is_dir() and any(options.folder.iterdir()):
        raise BadOption(option="FOLDER", value=str(options.folder), allowed="a new or an empty folder")
    check_targets([Target("FOLDER", options.folder, lambda _: True)])
