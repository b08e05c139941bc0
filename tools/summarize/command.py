"""``python3 tools summarize RESULTS``: the published tables, from one or several files of results."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path

from evaluator.report.sanitize import elide_middle, escape_for_json
from evaluator.scope import TABLES, WHOLE_DAY_TABLE
from tools import parsers
from tools.arguments import BadResults, check_minimum
from tools.output.files import DRAWN, listing, of_table
from tools.output.progress import ProgressLine
from tools.output.streams import say, show
from tools.summarize import text
from tools.summarize.lines import ResultLine
from tools.summarize.reading import ResultSource, files, read
from tools.summarize.results import BenchmarkResults, join
from tools.summarize.summary import Summary, summarize, to_dict
from ui.files import Drafts, Target, check_targets
from ui.views.scope import TABLES as TABLE_WORDS

#: Minimum number of resamples for the intervals of :mod:`~tools.summarize.bca`.
MIN_RESAMPLES = 999

#: The files of text by name.
TEXTS: Mapping[str, Callable[[Summary], str]] = {
    "summary.md": text.markdown,
    "summary.json": lambda summary: (
        escape_for_json(json.dumps(to_dict(summary), ensure_ascii=False, indent=1, allow_nan=False)) + "\n"
    ),
    "means.csv": text.means_csv,
    "pairs.csv": text.pairs_csv,
    "failures.csv": text.failures_csv,
}
#: The names of the files of text of both tables.
OURS = tuple(of_table(Path(name), table).name for table in TABLES for name in TEXTS)


def main(arguments: list[str]) -> int:
    """Read, join, summarize, print and write."""
    options = parsers.summarize().parse_args(arguments)
    check_minimum(options, resamples=MIN_RESAMPLES, seed=0)
    if options.out is not None:
        _check(options.out, options.results)
    chosen = list(_chosen(list(read(options.results)), options.algorithms, options.without))
    tables = {line.table for line in chosen if line.algorithm is not None} or {line.table for line in chosen}
    summaries = []
    for table in sorted(tables, key=TABLES.index):
        results = join(line for line in chosen if line.table == table)
        summaries.append(summarize(results, table=table, resamples=options.resamples, seed=options.seed))
    for number, (summary, _) in enumerate(summaries):
        if len(summaries) > 1 and summary.table == WHOLE_DAY_TABLE:
            say(f"{TABLE_WORDS[summary.table]}\n", sys.stdout)
        show("\n" * min(number, 1) + text.printed(summary, sys.stdout))
    if options.out is not None:
        with Drafts() as drafts:
            for summary, results in summaries:
                _write(summary, results, options.out, drafts, figures=options.figures)
            written = drafts.put_in_place()
        show(f"\n{listing(written)}\n")
    return 0


def _chosen(lines: Sequence[ResultLine], only: list[str] | None, without: list[str]) -> Iterator[ResultLine]:
    """Yield the results of the algorithms to show, without those to leave out.

    Raises:
        BadResults: there are no results of one of them.
    """
    algorithms = dict.fromkeys(line.algorithm for line in lines if line.algorithm is not None)
    chosen, left_out = ({_find_name(name, algorithms) for name in names} for names in (only or algorithms, without))
    return (line for line in lines if line.algorithm is None or line.algorithm in chosen - left_out)


def _find_name(typed: str, names: Collection[str]) -> str:
    """Return the algorithm of that name, in any case."""
    for name in (typed, *names):
        if name in names and name.casefold() == typed.casefold():
            return name
    raise BadResults(
        f"There are no results of {elide_middle(typed)!r}, only of {elide_middle(', '.join(names), 500, 100)}."
    )


def _check(folder: Path, sources: Sequence[ResultSource]) -> None:
    """Check that the output can be written, and that no input or other file would be lost."""
    read_files = [file for source in sources for file in files(source.path)]
    check_targets([Target("--out", folder, lambda name: name in OURS or name.endswith(DRAWN))], read_files)


def _write(summary: Summary, results: BenchmarkResults, folder: Path, drafts: Drafts, *, figures: bool) -> None:
    for name, content in TEXTS.items():
        drafts.write(of_table(folder / name, summary.table), [content(summary)])
    if figures:
        from tools.summarize.figures import save_figures

        with ProgressLine() as line:
            path = drafts.draft_folder(folder)
            for draft in save_figures(summary, results, path, lambda done: line.show(done, "Drawing the figures")):
                drafts.add(draft, of_table(folder / draft.name, summary.table))
