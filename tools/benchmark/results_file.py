"""The file of results, to which one run at a time appends lines. A run skips the collections that have all lines.

It is text and not a database, so that other programs can read it, and several files can be joined with `cat`.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any, Self

from evaluator.scope import WHOLE_DAY_TABLE
from tools.arguments import BadResults
from tools.benchmark import results_format
from tools.benchmark.results_format import Line
from tools.output.output_files import table_path
from ui.drafts import name_in_errors, scratch_folder

#: Name of the file of results, if a folder is given.
RESULTS = "results.jsonl"
#: Size of the buffer in bytes. All lines of a collection fit, so that they are written at once.
BUFFER = 1 << 22


class ResultsFile(ExitStack):
    """File of results. Within its ``with`` block, no other run can write to it.

    Attributes:
        path: the file.
        failures: reasons for missing results, by algorithm and then by collection. Under None are those of collections
            that failed as a whole.
    """

    def __init__(self, out: Path, settings: Mapping[str, Any], version: str) -> None:
        """Prepare a file for results of these settings.

        Args:
            out: a ``.jsonl`` file, or a folder for one. Both are created in the ``with`` block if they do not exist.
            settings: the settings that all lines must have.
            version: the version that all lines must have.
        """
        super().__init__()
        file = out if out.suffix == ".jsonl" else out / RESULTS
        self.path = table_path(file, settings.get("table", WHOLE_DAY_TABLE))
        self._about = {"version": version, "options": dict(settings)}
        # The algorithms with a line, by collection. None is among them if the collection failed as a whole.
        self._finished: dict[str, set[str | None]] = {}
        self.failures: dict[str | None, dict[str, str]] = {}

    def __enter__(self) -> Self:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._file = self.path.open("a+b", buffering=BUFFER)
        # If the disk is full, closing writes the rest of the buffer once more.
        self.callback(name_in_errors(self.path)(self._file.close))
        try:
            _lock(self._file, self.path)
            self._read()
        except BaseException:
            self.close()
            raise
        return self

    @property
    def names(self) -> Iterable[str]:
        """Names of the collections with lines in the file."""
        return self._finished.keys()

    def missing_algorithms(self, collection: str, algorithms: Sequence[str]) -> tuple[str, ...]:
        """Return those of the algorithms that have no line for this collection.

        If the collection failed as a whole, none is missing.
        """
        finished = self._finished.get(collection, set())
        return () if None in finished else tuple(name for name in algorithms if name not in finished)

    def append(self, new_lines: Sequence[Line]) -> None:
        """Write the lines of one collection."""
        with name_in_errors(self.path):
            self._file.write(b"".join(results_format.to_bytes(line) for line in new_lines))
            self._file.flush()
        for line in new_lines:
            self._register(line)

    def forget_failures(self) -> None:
        """Remove the lines of failures, all at once or not at all, so that they are tried again."""
        # If the path is a link, its target is replaced.
        real_path = self.path.resolve()
        self._file.seek(0)
        with name_in_errors(self.path), scratch_folder(real_path.parent) as folder:
            draft = folder / real_path.name
            with draft.open("wb") as draft_file:
                draft_file.writelines(text for text in self._file if text.strip() and "error" not in json.loads(text))
                draft_file.flush()
                # Then a power cut leaves either the old file or all of the new one.
                os.fsync(draft_file.fileno())
            reopened = draft.open("a+b", buffering=BUFFER)
            # Lock it before it gets the name by which other runs find it.
            _lock(reopened, self.path)
            draft.replace(real_path)
        self._file.close()
        self._file = reopened
        self.callback(reopened.close)
        self._finished.clear()
        self.failures.clear()
        self._read()

    def _read(self) -> None:
        """Read the lines of the file, and remove an unfinished last line."""
        self._file.seek(0)
        size = 0
        for number, text in enumerate(self._file, 1):
            if not text.endswith(b"\n") and _may_be_unfinished(text):
                break
            if text.strip():
                self._register(self._parse(text, number))
            size += len(text)
        self._file.truncate(size)

    def _parse(self, text: bytes, number: int) -> Line:
        """Parse a line. Raises BadResults if it is not a result of these settings."""
        try:
            line = json.loads(text)
            if not isinstance(line["collection"], str) or not isinstance(line["algorithm"], (str, type(None))):
                raise TypeError("no name")
            other_settings = _differences(line, self._about)
            # The line of a failure has no metrics.
            other_metrics = set(line.get("metrics", results_format.METRICS)) ^ set(results_format.METRICS)
        except (ValueError, KeyError, TypeError, RecursionError):
            raise BadResults(f"{self.path}, line {number}: not a result of a benchmark. Give another --out.") from None
        if other_metrics:
            names = ", ".join(sorted(map(str, other_metrics)))
            raise BadResults(f"{self.path} has results computed with different metrics ({names}). Give another --out.")
        if other_settings:
            raise BadResults(
                f"{self.path} holds results of other settings ({other_settings}). "
                "Choose the same, or give another --out."
            )
        return dict(line)

    def _register(self, line: Line) -> None:
        """Remember the result or the failure that a line of the file states."""
        algorithm = line["algorithm"]
        finished = self._finished.setdefault(line["collection"], set())
        # The same few names are in many lines, so keep each in memory once.
        finished.add(None if algorithm is None else sys.intern(algorithm))
        if "error" in line:
            self.failures.setdefault(algorithm, {})[line["collection"]] = sys.intern(str(line["error"]))


def _may_be_unfinished(text: bytes) -> bool:
    """Return whether a text may be the start of a line that was not finished when its process was killed.

    After a power cut, bytes that did not reach the disk are zeros.
    """
    start = results_format.START.encode()
    written = text.rstrip(b"\0")
    return written.startswith(start) or start.startswith(written)


def _differences(stored: Mapping[str, Any], requested: Mapping[str, Any]) -> str:
    """Describe the settings in which the file's lines differ from the requested ones."""
    old, new = ({"version": item["version"], **item["options"]} for item in (stored, requested))
    return "; ".join(
        f"{name}: {_format_setting(old.get(name))} there, {_format_setting(new.get(name))} now"
        for name in {**new, **old}
        if old.get(name) != new.get(name)
    )


def _format_setting(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "not given" if value is None else str(value)


def _lock(file: IO[bytes], path: Path) -> None:
    """Lock the file against other runs until it is closed or the process ends. On Windows nothing is locked.

    Raises:
        BadResults: if another run has locked it.
    """
    try:
        if os.name != "nt":
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise BadResults(f"Another run is writing to {path}. Wait for it, or give another --out.") from None
