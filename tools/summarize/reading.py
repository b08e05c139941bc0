"""Reader of results files of `benchmark`, and of the original benchmark's folders with a file for each algorithm."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from tools.arguments import BadResults, ResultSource
from tools.sources.limits import TooLarge, limited_text
from tools.summarize.result_lines import ResultLine, is_result, parse
from ui.text.sanitize import elide_middle

#: Ending of the names of results files.
ENDING = ".jsonl"
#: Byte order mark, which some editors put at the beginning of a file.
BOM = "\ufeff"


def read(sources: Sequence[ResultSource]) -> Iterator[ResultLine]:
    """Yield the lines of all sources, in their order.

    Raises:
        BadResults: if a source has no results or is damaged, two sources have an algorithm of the same name, or results
            with the same label have different settings.
    """
    # The source of each table and algorithm, and the settings of each table and label.
    owners: dict[tuple[str, str], ResultSource] = {}
    settings: dict[tuple[str, str], str] = {}
    for source in sources:
        for file in files(source.path):
            for unlabeled_line in _lines(file):
                line = _with_label(unlabeled_line, source.label)
                if line.algorithm is not None:
                    owner = owners.setdefault((line.table, line.algorithm), source)
                    if owner is not source:
                        name = elide_middle(line.algorithm)
                        raise BadResults(
                            f"Both {owner.path} and {source.path} have {name}. Put a label before one of them, as in "
                            f"published={source.path}"
                        )
                key = line.table, source.label
                if line.settings is not None and settings.setdefault(key, line.settings) != line.settings:
                    raise BadResults(
                        f"{file} holds results of other options, or of another version, than those before them. "
                        f"Give each file by itself with a label, as in other={file}"
                    )
                yield line


def _with_label(line: ResultLine, label: str) -> ResultLine:
    """Return the line with the label added to its algorithm."""
    if not label or line.algorithm is None:
        return line
    return replace(line, algorithm=sys.intern(f"{line.algorithm} ({label})"))


def files(path: Path) -> list[Path]:
    """Return the results files at a path, which is a file, or a folder that may also contain other files.

    Raises:
        BadResults: if there are none.
    """
    if path.is_file():
        candidates = [path]
    elif path.is_dir():
        candidates = sorted(filter(Path.is_file, path.glob("*" + ENDING)))
    else:
        raise BadResults(f"There is nothing at {path}.")
    results_files = [file for file in candidates if _has_results(file)]
    if not results_files:
        raise BadResults(f"There are no results in {path}.")
    return results_files


def _has_results(file: Path) -> bool:
    """Return whether the first line of a file is a result."""
    first_line = next((line for _, line in _numbered_lines(file)), "")
    try:
        return is_result(json.loads(first_line))
    except (ValueError, RecursionError):
        return False


def _lines(file: Path) -> Iterator[ResultLine]:
    """Yield the result lines of a file. Raises BadResults for a line that is not one."""
    name = file.name.removesuffix(ENDING)
    for number, text in _numbered_lines(file):
        try:
            tree = json.loads(text)
            if not is_result(tree):
                raise ValueError("no result")
            yield parse(tree, name)
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
            if text.endswith("\n"):
                raise BadResults(f"Line {number:,} of {file} is not a result of a benchmark.") from None
            # The run was stopped while it wrote this line. When it is resumed, it writes the line again.
            return


def _numbered_lines(file: Path) -> Iterator[tuple[int, str]]:
    """Yield the number and the text of each line that is not empty. Raises BadResults if the file is too large."""
    try:
        with limited_text(file.open("rb"), "utf-8", errors="replace") as lines:
            yield from ((number, text.lstrip(BOM)) for number, text in enumerate(lines, 1) if text.strip())
    except TooLarge as error:
        raise BadResults(f"{file} is not read: {error}.") from None
