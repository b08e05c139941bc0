"""Read results files: ours, and folders of the original benchmark with a file for each algorithm."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from evaluator.report.sanitize import elide_middle
from tools.arguments import BadResults, parse_path
from tools.sources.limits import TooLarge, limited_text
from tools.summarize.lines import ResultLine, is_result, parse

ENDING = ".jsonl"


@dataclass(frozen=True)
class ResultSource:
    """A file or folder of results. ``label`` is appended to its algorithms' names, in parentheses."""

    path: Path
    label: str = ""

    @classmethod
    def typed(cls, text: str) -> ResultSource:
        """Parse ``PATH`` or ``LABEL=PATH``. A path that exists is never taken for a label."""
        label, equals, path = text.partition("=")
        if equals and label and not parse_path(text).exists():
            return cls(parse_path(path), label.strip())
        return cls(parse_path(text))

    def named(self, line: ResultLine) -> ResultLine:
        """Add the label to a line's algorithm."""
        if not self.label or line.algorithm is None:
            return line
        return replace(line, algorithm=sys.intern(f"{line.algorithm} ({self.label})"))


def read(sources: Sequence[ResultSource]) -> Iterator[ResultLine]:
    """Read the lines of all sources, in their order.

    Raises:
        BadResults: there is nothing, something damaged, the same name in two sources, or results of different settings
            under one label.
    """
    owner: dict[tuple[str, str], ResultSource] = {}  # keyed by table and name
    settings: dict[tuple[str, str], str] = {}  # keyed by table and label
    for source in sources:
        for file in files(source.path):
            for line in _lines(file):
                named = source.named(line)
                if named.algorithm is not None:
                    first = owner.setdefault((line.table, named.algorithm), source)
                    if first is not source:
                        name = elide_middle(named.algorithm)
                        raise BadResults(
                            f"Both {first.path} and {source.path} have {name}. Put a label before one of them, as in "
                            f"published={source.path}"
                        )
                of_label = line.table, source.label
                if line.settings is not None and settings.setdefault(of_label, line.settings) != line.settings:
                    raise BadResults(
                        f"{file} holds results of other options, or of another version, than those before them. "
                        f"Give each file by itself with a label, as in other={file}"
                    )
                yield named


def files(path: Path) -> list[Path]:
    """Return the results files of a path: itself, or those in the folder, which may hold other files.

    Raises:
        BadResults: there are none.
    """
    if path.is_file():
        there = [path]
    elif path.is_dir():
        there = sorted(filter(Path.is_file, path.glob("*" + ENDING)))
    else:
        raise BadResults(f"There is nothing at {path}.")
    result = [file for file in there if _holds_results(file)]
    if not result:
        raise BadResults(f"There are no results in {path}.")
    return result


def _holds_results(file: Path) -> bool:
    first = next((line for _, line in _texts(file)), "")
    try:
        return is_result(json.loads(first))
    except (ValueError, RecursionError):
        return False


def _lines(file: Path) -> Iterator[ResultLine]:
    name = file.name.removesuffix(ENDING)
    for number, text in _texts(file):
        try:
            tree = json.loads(text)
            if not is_result(tree):
                raise ValueError("no result")
            yield parse(tree, name)
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
            if text.endswith("\n"):
                raise BadResults(f"Line {number:,} of {file} is not a result of a benchmark.") from None
            return  # the run was stopped while it wrote this line, and goes on with it when it is resumed


def _texts(file: Path) -> Iterator[tuple[int, str]]:
    """Yield non-empty lines with their numbers. Raises BadResults if there is too much of them."""
    try:
        with limited_text(file.open("rb"), "utf-8", errors="replace") as lines:
            yield from ((number, text) for number, text in enumerate(lines, 1) if text.strip())
    except TooLarge as error:
        raise BadResults(f"{file} is not read: {error}.") from None
