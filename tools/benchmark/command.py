"""``python3 tools benchmark FOLDER``: evaluate many collections with many algorithms."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace

from evaluator import __version__
from evaluator.algorithms.external import ExternalPredictions
from evaluator.errors import BadOption
from evaluator.options import Options
from tools import parsers
from tools.arguments import BadResults, check_minimum, chosen_options, chosen_tables
from tools.benchmark.cluster import WorkerPool, cluster
from tools.benchmark.collections import Folder, find_collections
from tools.benchmark.prediction_folders import resolve_folder
from tools.benchmark.results_file import ResultsFile
from tools.benchmark.results_format import settings
from tools.benchmark.run import run_all
from tools.benchmark.work import Task, TaskResult, create_task
from tools.environment import MachineNotReady, ensure_extras
from tools.output.output_files import Target, check_targets, listing
from tools.output.progress_line import ProgressLine
from tools.output.streams import say, show
from tools.processes import processes, usable_processors
from tools.sources.clock import stated_clock
from tools.sources.predictions import PredictionsFile
from ui.text.phrases import first_of
from ui.text.sanitize import sanitize_text
from ui.views.scope_sentences import TABLES

#: Exit code if some collections failed and all others are done.
SOME_FAILED = 1
#: Maximum number of failures that are named at the end.
MAX_NAMED = 3


def main(arguments: list[str]) -> int:
    """Evaluate all missing results. Return the exit code.

    Bad options are refused before the long work.
    """
    args = parsers.benchmark().parse_args(arguments)
    external = tuple(map(resolve_folder, args.external))
    options_by_table = [replace(chosen_options(args), table=table) for table in chosen_tables(args)]
    runs = [(options, _algorithm_names(options, external)) for options in options_by_table]
    _check_options(args)
    folder = find_collections(args.source, args.next_day_at)
    if folder.is_dataset and args.since is not None:
        raise BadOption(option="--since", value=str(args.since), allowed="nothing: this data set has no dates")
    if folder.is_dataset:
        ensure_extras(["parquet"])
    if args.scheduler is not None:
        ensure_extras(["cluster"])
    has_failures = False
    for number, (options, names) in enumerate(runs):
        if len(runs) > 1:
            show("\n" * min(number, 1))
            say(f"{TABLES[options.table]}\n", sys.stdout)
        has_failures |= _benchmark_table(args, options, names, external, folder)
    return SOME_FAILED if has_failures else 0


def _algorithm_names(options: Options, external: Sequence[PredictionsFile]) -> tuple[str, ...]:
    """Return the names of the algorithms to run, also of the external predictions. Raises BadOption."""
    algorithms_to_run = replace(
        options, external=tuple(ExternalPredictions(item.name) for item in external)
    ).algorithms_to_run()
    return tuple(algorithm.name for algorithm in algorithms_to_run)


def _benchmark_table(
    args: argparse.Namespace,
    options: Options,
    names: tuple[str, ...],
    external: tuple[PredictionsFile, ...],
    folder: Folder,
) -> bool:
    """Evaluate the missing results of one table. Return whether any collection failed."""
    results = ResultsFile(args.out, settings(options, args.next_day_at), __version__)
    _check_output(results, folder, external)
    # Before the shard is taken, because the file may have results of other shards.
    all_names = {collection.name for collection in folder.collections}
    if args.shard is not None:
        folder = folder.shard(*args.shard)
    with results:
        if args.retry:
            results.forget_failures()
        _refuse_other_folder(results, all_names)
        tasks = []
        for collection in folder.collections:
            missing = results.missing_algorithms(collection.name, (*names, *collection.recorded))
            if missing:
                tasks.append(create_task(collection, options, missing, external))
        _report_finished(folder, tasks)
        try:
            if tasks:
                _run(tasks, results, folder, _pool(args, len(tasks)))
        except (KeyboardInterrupt, MachineNotReady):
            say(sanitize_text(f"Finished results are in {results.path}. Run the same command to resume."))
            raise
        failed = {collection.name for collection in folder.collections}.intersection(results.failures.get(None, {}))
        _report_outcome(results, len(folder.collections), len(failed))
        return bool(failed)


def _check_options(args: argparse.Namespace) -> None:
    """Check the options on the start of the day, the workers and the output. Raises BadOption."""
    stated_clock(args.next_day_at)
    check_minimum(args, processes=1)
    if args.processes is not None and args.scheduler is not None:
        raise BadOption(option="--processes", value=args.processes, allowed="nothing together with --scheduler")
    if args.out.suffix != ".jsonl" and args.out.exists() and not args.out.is_dir():
        raise BadOption(option="--out", value=str(args.out), allowed="a folder, or a file that ends in .jsonl")


def _check_output(results: ResultsFile, folder: Folder, external: Sequence[PredictionsFile]) -> None:
    """Check that no input file would be overwritten."""
    inputs = [
        file for collection in folder.collections for file in (collection.path, collection.cards) if file is not None
    ]
    inputs += [file for predictions in external for file in predictions.path.rglob("*")]
    check_targets([Target("--out", results.path.parent, lambda name: name == results.path.name.casefold())], inputs)


def _refuse_other_folder(results: ResultsFile, collections: Container[str]) -> None:
    """Raise BadResults if the file has results of collections that are not in this folder."""
    unknown = sorted(name for name in results.names if name not in collections)
    if unknown:
        raise BadResults(
            f"{results.path} has results of what is not in this folder: {first_of(unknown, 1)}. Give another --out, "
            "or add --retry if they only failed."
        )


def _pool(args: argparse.Namespace, max_width: int) -> AbstractContextManager[WorkerPool]:
    """Return the requested pool, with at most ``max_width`` processes if it is on this machine."""
    if args.scheduler is not None:
        return cluster(args.scheduler)
    return processes(min(args.processes or usable_processors(), max_width))


def _run(tasks: Sequence[Task], results: ResultsFile, folder: Folder, pool: AbstractContextManager[WorkerPool]) -> None:
    """Run the tasks, append their results to the file, and show the progress."""
    bytes_to_read = sum(task.collection.size_bytes for task in tasks)
    bytes_read = 0
    n_collections = len(folder.collections)
    n_finished = n_collections - len(tasks)
    with ProgressLine() as line, pool as workers:
        line.show(0.0, f"collections: {n_finished:,} of {n_collections:,}")

        def on_result(task: Task, result_lines: TaskResult) -> None:
            nonlocal bytes_read, n_finished
            results.append(result_lines)
            bytes_read += task.collection.size_bytes
            n_finished += 1
            line.show(bytes_read / max(bytes_to_read, 1), f"collections: {n_finished:,} of {n_collections:,}")

        run_all(tasks, workers, on_result)


def _report_finished(folder: Folder, tasks: Sequence[Task]) -> None:
    """Print which files are left out, and how many collections were finished before."""
    if folder.other_tables:
        say(sanitize_text(f"Left out because they are not review logs: {first_of(folder.other_tables, 1)}."))
    n_finished = len(folder.collections) - len(tasks)
    if n_finished:
        say(f"Collections done before: {n_finished:,} of {len(folder.collections):,}.")


def _report_outcome(results: ResultsFile, n_collections: int, n_failed: int) -> None:
    """Print how many collections are evaluated, what failed, and the path of the results."""
    show(f"Collections evaluated: {n_collections - n_failed:,} of {n_collections:,}.\n")
    if n_failed:
        say(f'{n_failed:,} failed: see "error" in the results. --retry tries again.', sys.stdout)
    for line in _describe_failures(results.failures):
        say(sanitize_text(line), sys.stdout, indent=4)
    show(f"\n{listing([results.path])}\n")


def _describe_failures(failures: Mapping[str | None, Mapping[str, str]]) -> Iterator[str]:
    """Yield sentences on the first failed collections, and on the first failure of each algorithm."""
    failed_collections = sorted(failures.get(None, {}).items())
    yield from (f"  {collection}: {reason}" for collection, reason in failed_collections[:MAX_NAMED])
    if len(failed_collections) > MAX_NAMED:
        yield f"  and {len(failed_collections) - MAX_NAMED:,} more"
    for algorithm, reasons in failures.items():
        if algorithm is not None:
            names = sorted(reasons)
            yield f"{algorithm!r} has no result on {first_of(names, 1)}: {reasons[names[0]]}"
