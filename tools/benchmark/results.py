"""The file of results: lines are only ever appended, by one run at a time, and finished collections are skipped.

By hand and not with SQLite, as the results are text that other programs read, and that can be put together with `cat`.
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
from tools.benchmark import lines
from tools.benchmark.lines import Line
from tools.output.files import of_table
from ui.files import scratch_folder

RESULTS = "results.jsonl"
#: Buffer size in bytes, above a collection's lines, so that they are written at once.
BUFFER = 1 << 22


class ResultsFile(ExitStack):
    """A context manager: while it is entered, no other run can write to the file.

    Attributes:
        path: the file.
        failures: why there is no result, by algorithm and then by collection; under None what failed as a whole.
    """

    def __init__(self, out: Path, settings: Mapping[str, Any], version: str) -> None:
        """Open a ``.jsonl`` file, or a folder (made if missing), for results of these settings."""
        super().__init__()
        file = out if out.suffix == ".jsonl" else out / RESULTS
        self.path = of_table(file, settings.get("table", WHOLE_DAY_TABLE))
        self._about = {"version": version, "options": dict(settings)}
        self._finished: dict[str, set[str | None]] = {}  # keyed by collection; None: it failed as a whole
        self.failures: dict[str | None, dict[str, str]] = {}

    def __enter__(self) -> Self:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._file = self.path.open("a+b", buffering=BUFFER)
        self.callback(self._file.close)
        try:
            _lock(self._file, self.path)
            self._read()
        except BaseException:
            self.close()
            raise
        return self

    @property
    def names(self) -> Iterable[str]:
        """The collections with lines in the file."""
        return self._finished.keys()

    def missing(self, collection: str, algorithms: Sequence[str]) -> tuple[str, ...]:
        """Return the algorithms without a line for this collection, or none if it failed as a whole."""
        finished = self._finished.get(collection, set())
        return () if None in finished else tuple(name for name in algorithms if name not in finished)

    def append(self, added: Sequence[Line]) -> None:
        """Write the lines of one collection."""
        self._file.write(b"".join(lines.to_bytes(line) for line in added))
        self._file.flush()
        for line in added:
            self._note(line)

    def forget_failures(self) -> None:
        """Remove the lines of failures, all at once or not at all, so that they are tried again."""
        real = self.path.resolve()  # a link stays a link
        self._file.seek(0)
        with scratch_folder(real.parent) as path:
            draft = path / real.name
            with draft.open("wb") as kept:
                kept.writelines(text for text in self._file if "error" not in json.loads(text))
                kept.flush()
                os.fsync(kept.fileno())  # a power cut leaves the old file or all of the new one
            again = draft.open("a+b", buffering=BUFFER)
            _lock(again, self.path)  # before it has the name by which others find it
            draft.replace(real)
        self._file.close()
        self._file = again
        self.callback(again.close)
        self._finished.clear()
        self.failures.clear()
        self._read()

    def _read(self) -> None:
        """Read the file's lines, and cut off an unfinished last one."""
        self._file.seek(0)
        size = 0
        for number, text in enumerate(self._file, 1):
            if not text.endswith(b"\n") and _may_be_cut(text):
                break
            self._note(self._checked(text, number))
            size += len(text)
        self._file.truncate(size)

    def _checked(self, text: bytes, number: int) -> Line:
        try:
            line = json.loads(text)
            about = {name: line[name] for name in self._about}
            if not isinstance(line["collection"], str) or not isinstance(line["algorithm"], (str, type(None))):
                raise TypeError("no name")
            if not isinstance(line["options"], dict) or "folds" not in line["options"]:
                raise TypeError("no options")
            others = set(line.get("metrics", lines.METRICS)) ^ set(lines.METRICS)  # what failed has none
        except (ValueError, KeyError, TypeError, RecursionError):
            raise BadResults(f"{self.path}, line {number}: not a result of a benchmark. Give another --out.") from None
        if others:
            raise BadResults(
                f"{self.path} has results computed with different metrics ({', '.join(sorted(others))}). "
                "Give another --out."
            )
        if about != self._about:
            raise BadResults(
                f"{self.path} holds results of other settings ({_differences(about, self._about)}). "
                "Choose the same, or give another --out."
            )
        return dict(line)

    def _note(self, line: Line) -> None:
        algorithm = line["algorithm"]
        finished = self._finished.setdefault(line["collection"], set())
        finished.add(None if algorithm is None else sys.intern(algorithm))  # the same few names again and again
        if "error" in line:
            self.failures.setdefault(algorithm, {})[line["collection"]] = sys.intern(str(line["error"]))


def _may_be_cut(text: bytes) -> bool:
    """Return whether a text may be the start of one of our lines, cut off when the process was killed.

    After a power cut, bytes that did not reach the disk are zeros.
    """
    start, arrived = lines.START.encode(), text.rstrip(b"\0")
    return arrived.startswith(start) or start.startswith(arrived)


def _differences(there: Mapping[str, Any], requested: Mapping[str, Any]) -> str:
    old, new = ({"version": item["version"], **item["options"]} for item in (there, requested))
    return "; ".join(
        f"{name}: {_shown(old.get(name))} there, {_shown(new.get(name))} now"
        for name in {**new, **old}
        if old.get(name) != new.get(name)
    )


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "not given" if value is None else str(value)


def _lock(file: IO[bytes], path: Path) -> None:
    """Lock the file against other runs until it is closed or the process ends. Does nothing on Windows."""
    try:
        if os.name != "nt":
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise BadResults(f"Another run is writing to {path}. Wait for it, or give another --out.") from None
