"""``python3 tools summarize RESULTS``: compute tables as published ones, from one or several files of results."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path

from evaluator.report import escape_for_json
from evaluator.scope import TABLES, WHOLE_DAY_TABLE
from tools import parsers
from tools.arguments import BadResults, ResultSource
from tools.output.output_files import GRAPH_ENDINGS, Target, check_targets, listing, table_path
from tools.output.streams import say, show
from tools.summarize import text
from tools.summarize.joined_results import BenchmarkResults, join
from tools.summarize.reading import files, read
from tools.summarize.result_lines import ResultLine
from tools.summarize.summary import Summary, summarize, to_dict
from ui.drafts import Drafts
from ui.text.sanitize import elide_middle
from ui.views.scope_sentences import TABLES as TABLE_WORDS

#: Text of each file by its name.
TEXTS: Mapping[str, Callable[[Summary], str]] = {
    "summary.md": text.markdown,
    "summary.json": lambda summary: (
        escape_for_json(json.dumps(to_dict(summary), ensure_ascii=False, indent=1, allow_nan=False)) + "\n"
    ),
    "means.csv": text.means_csv,
    "pairs.csv": text.pairs_csv,
    "failures.csv": text.failures_csv,
}
#: Names of the files of text for both tables.
TEXT_NAMES = tuple(table_path(Path(name), table).name for table in TABLES for name in TEXTS)


def main(arguments: list[str]) -> int:
    """Print the summary of the results, and write it to files if requested."""
    options = parsers.summarize().parse_args(arguments)
    if options.out is not None:
        _check_output(options.out, options.results)
    lines = list(_leave_out(list(read(options.results)), options.without))
    tables = {line.table for line in lines if line.algorithm is not None} or {line.table for line in lines}
    summaries = []
    for table in sorted(tables, key=TABLES.index):
        results = join(line for line in lines if line.table == table)
        summaries.append(summarize(results, table))
    for number, (summary, _) in enumerate(summaries):
        if len(summaries) > 1 and summary.table == WHOLE_DAY_TABLE:
            say(f"{TABLE_WORDS[summary.table]}\n", sys.stdout)
        show("\n" * min(number, 1) + text.short_text(summary))
    if options.out is not None:
        with Drafts() as drafts:
            for summary, results in summaries:
                _write(summary, results, options.out, drafts)
            written = drafts.put_in_place()
        show(f"\n{listing(written)}\n")
    return 0


def _leave_out(lines: Sequence[ResultLine], names: Sequence[str]) -> Iterator[ResultLine]:
    """Yield all lines but those of the named algorithms.

    Raises:
        BadResults: if there are no results of one of the algorithms, or all algorithms are left out.
    """
    algorithms = dict.fromkeys(line.algorithm for line in lines if line.algorithm is not None)
    left_out = {_find_name(name, algorithms) for name in names}
    if algorithms and left_out == {*algorithms}:
        raise BadResults("--without leaves out all algorithms. Leave out fewer.")
    return (line for line in lines if line.algorithm not in left_out)


def _find_name(requested: str, names: Collection[str]) -> str:
    """Return the name that equals the requested one, or that differs from it only in case."""
    for name in (requested, *names):
        if name in names and name.casefold() == requested.casefold():
            return name
    raise BadResults(
        f"There are no results of {elide_middle(requested)!r}, only of {elide_middle(', '.join(names), 500, 100)}."
    )


def _check_output(folder: Path, sources: Sequence[ResultSource]) -> None:
    """Check that the output can be written, and that no input or other file would be lost."""
    input_files = [file for source in sources for file in files(source.path)]
    check_targets(
        [Target("--out", folder, lambda name: name in TEXT_NAMES or name.endswith(GRAPH_ENDINGS))], input_files
    )


def _write(summary: Summary, results: BenchmarkResults, folder: Path, drafts: Drafts) -> None:
    """Write drafts of all files about the summary of one table."""
    from tools.summarize.figures import save_figures

    for name, content in TEXTS.items():
        drafts.write(table_path(folder / name, summary.table), [content(summary)])
    for draft in save_figures(summary, results, drafts.draft_folder(folder)):
        drafts.add(draft, table_path(folder / draft.name, summary.table))
