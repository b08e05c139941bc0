"""Reads results files: ours, and folders of the original benchmark with a file for each algorithm."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tools.summarise.lines import Line, is_result, parse

ENDING = ".jsonl"


class Unreadable(Exception):
    """What was given holds no results, or damaged ones; the message is a sentence."""


@dataclass(frozen=True)
class Source:
    """A file or folder of results. ``label`` goes behind the names of its algorithms, in parentheses."""

    path: Path
    label: str = ""

    @classmethod
    def typed(cls, text: str) -> Source:
        """From ``PATH`` or ``LABEL=PATH``; a path that exists is never taken for a label."""
        label, equals, path = text.partition("=")
        if equals and label and not Path(text).expanduser().exists():
            return cls(Path(path).expanduser(), label.strip())
        return cls(Path(text).expanduser())

    def named(self, line: Line) -> Line:
        """The line with the label at its algorithm."""
        if not self.label or line.algorithm is None:
            return line
        return replace(line, algorithm=f"{line.algorithm} ({self.label})")


def read(sources: Sequence[Source]) -> Iterator[Line]:
    """The lines of all sources, in the order in which they stand.

    Raises:
        Unreadable: there is nothing, something damaged, the same name in two sources, or results of different settings
            under one label.
    """
    owner: dict[str, Source] = {}
    settings: dict[str, str] = {}  # by label
    for source in sources:
        for file in _files(source.path):
            for line in _lines(file):
                named = source.named(line)
                if named.algorithm is not None and owner.setdefault(named.algorithm, source) is not source:
                    raise Unreadable(
                        f"Both {owner[named.algorithm].path} and {source.path} have {named.algorithm}. Put a label "
                        f"before one of them, as in published={source.path}"
                    )
                if line.settings is not None and settings.setdefault(source.label, line.settings) != line.settings:
                    raise Unreadable(
                        f"{file} holds results of other options, or of another version, than what stands before them. "
                        f"Give each file by itself with a label, as in other={file}"
                    )
                yield named


def _files(path: Path) -> list[Path]:
    """The file itself, or those of a folder that hold results; beside them others may lie, of timings for example."""
    if path.is_file():
        files = [path]
    elif path.is_dir():
        files = sorted(path.glob("*" + ENDING))
    else:
        raise Unreadable(f"There is nothing at {path}.")
    found = [file for file in files if _holds_results(file)]
    if not found:
        raise Unreadable(f"There are no results in {path}.")
    return found


def _holds_results(file: Path) -> bool:
    with file.open(encoding="utf-8", errors="replace") as lines:
        first = next((line for line in lines if line.strip()), "")
    try:
        return is_result(json.loads(first))
    except ValueError:
        return False


def _lines(file: Path) -> Iterator[Line]:
    name = file.name.removesuffix(ENDING)
    with file.open(encoding="utf-8", errors="replace") as lines:
        for number, text in enumerate(lines, start=1):
            if not text.strip():
                continue
            try:
                tree = json.loads(text)
                if not is_result(tree):
                    raise ValueError("no result")
                yield parse(tree, name)
            except (ValueError, TypeError, KeyError, AttributeError, OverflowError):
                if text.endswith("\n"):
                    raise Unreadable(f"Line {number:,} of {file} is no result of a benchmark.") from None
                return  # the run was stopped while it wrote this line, and goes on with it when it is resumed
