"""Run the programs that install something; for pip, show what it downloads, on a terminal as a moving line.

Standard library only.
"""

from __future__ import annotations

import contextlib
import os
import queue
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from tools.progress import ProgressLine
from tools.scratch import scratch_folder
from tools.system_packages import MachineNotReady

#: What pip says where it takes a file. (It asks for wheels' own descriptions first: those end in ``.metadata``.)
_FILE = re.compile(
    r"\s*(?:Downloading|Using cached|Processing) (?P<file>\S+)"
    r"(?: \((?P<size>[\d.]+) (?P<unit>bytes|kB|MB|GB)\))?(?: \(from .*\))?$"
)
#: And while it downloads, with ``--progress-bar raw``: bytes.
_PART = re.compile(r"Progress (\d+) of \d+$")
_INSTALLING = "Installing collected packages: "
_RETRYING = "WARNING: Retrying "
_MB = {"bytes": 1e-6, "kB": 1e-3, "MB": 1.0, "GB": 1e3}

#: From that version on pip has ``--progress-bar raw``.
_RAW_SINCE = (24, 1)

#: The share of the time that goes into downloads rather than into unpacking, about.
_DOWNLOADING = 0.7

#: Files from that size on get a line of their own where there is no terminal.
_LARGE_MB = 1.0

_SECONDS_BETWEEN = 0.5
_LAST_LINES = 15


def run(command: Sequence[str], what_failed: str, variables: Mapping[str, str] | None = None) -> None:
    """Run a program without printing what it says.

    Raises:
        MachineNotReady: it failed; the message has what it said last.
    """
    for _ in _lines_of(command, what_failed, variables):
        pass


def run_pip(
    command: Sequence[str],
    what_failed: str,
    *,
    expected_mb: float = 0.0,
    variables: Mapping[str, str] | None = None,
) -> None:
    """Run a ``pip install`` that downloads about ``expected_mb``, and show its progress.

    Raises:
        MachineNotReady: it failed; the message has what it said last.
    """
    work, started, said = Installation(expected_mb), time.monotonic(), ""
    with ProgressLine() as line, contextlib.closing(_lines_of(command, what_failed, variables)) as lines:
        for text in lines:
            if text is not None:
                work.hear(text)
            line.show(work.fraction(), f"{work.words}  {time.monotonic() - started:.0f} s")
            if work.words != said and work.is_worth_a_line and not sys.stderr.isatty():
                said = work.words
                print(f"  {said}", file=sys.stderr, flush=True)
    seconds = time.monotonic() - started
    print(
        f"Installed {work.packages} packages ({_shown(work.total_mb)}) in {seconds:.0f} s.", file=sys.stderr, flush=True
    )


def progress_options(pip_version: str) -> list[str]:
    """The options that make this version of pip report the progress of downloads, where it can."""
    known = tuple(map(int, re.findall(r"\d+", pip_version)[:2]))
    return ["--progress-bar", "raw" if known >= _RAW_SINCE else "off"]


@dataclass
class Installation:
    """The progress of a ``pip install``, from what pip has said so far."""

    expected_mb: float = 0.0  #: of all downloads
    words: str = "Asking the package index"  #: what it does now
    size_mb: float = 0.0  #: of the file that it is at
    part_mb: float = 0.0  #: fetched of that file
    before_mb: float = 0.0  #: of all files before that one
    packages: int = 0  #: so many are installed, once all are fetched
    is_worth_a_line: bool = False  #: what it does takes its time

    @property
    def total_mb(self) -> float:
        """MB of all downloads until now."""
        return self.before_mb + self.size_mb

    def hear(self, line: str) -> None:
        """Take in one more line of what pip says."""
        if part := _PART.match(line):
            self.part_mb = min(int(part[1]) / 1e6, self.size_mb)
        elif line.startswith(_INSTALLING):
            self.packages = line.count(",") + 1
            self.words, self.is_worth_a_line = f"Installing {self.packages} packages", True
        elif line.startswith(_RETRYING):
            self.words, self.is_worth_a_line = "The package index does not answer, trying again", True
        elif (found := _FILE.match(line)) and not found["file"].endswith(".metadata"):
            path = Path(found["file"])
            self.before_mb, self.part_mb = self.total_mb, 0.0
            self.size_mb = float(found["size"]) * _MB[found["unit"]] if found["size"] else _size_mb(path)
            self.words = f"{re.split(r'-[0-9]', path.name)[0]}: {_shown(self.size_mb)}"
            self.is_worth_a_line = self.size_mb >= _LARGE_MB

    def fraction(self) -> float:
        """About how much of the whole work is done, 0 to 1."""
        if self.packages:
            return _DOWNLOADING
        return _DOWNLOADING * (self.before_mb + self.part_mb) / max(self.expected_mb, self.total_mb, 1.0)


def _lines_of(command: Sequence[str], what_failed: str, variables: Mapping[str, str] | None) -> Generator[str | None]:
    """The lines a program prints, and None whenever it has printed nothing for half a second.

    It is ended with all that it has started when we are interrupted. Where we are killed it goes on for a while, but
    still holds the locks that we held, so that nobody begins anew beside it.
    """
    last: list[str] = []
    with (
        scratch_folder() as place,  # pip itself leaves hundreds of megabytes behind where it is ended
        subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            env={**(os.environ if variables is None else variables), "TMPDIR": str(place)},
            close_fds=False,
            process_group=None if os.name == "nt" else 0,
        ) as process,
    ):
        try:
            assert process.stdout is not None  # noqa: S101 - mypy cannot know that it is a pipe
            for text in _as_they_come(process.stdout):
                if text is not None and not _PART.match(text) and not text.startswith(_RETRYING):
                    last = [*last, text][-_LAST_LINES:]
                yield text
        except BaseException:  # Ctrl-C, above all
            _end(process)
            raise
    if process.returncode:
        raise MachineNotReady("\n".join([f"{what_failed}:", *last]))


def _end(process: subprocess.Popen[str]) -> None:
    if os.name == "nt":
        process.terminate()
    else:
        os.killpg(process.pid, signal.SIGKILL)


def _as_they_come(stream: IO[str]) -> Iterator[str | None]:
    came: queue.SimpleQueue[str | None] = queue.SimpleQueue()

    def read() -> None:
        for text in stream:
            came.put(text.rstrip("\n"))
        came.put(None)

    threading.Thread(target=read, daemon=True).start()
    while True:
        try:
            text = came.get(timeout=_SECONDS_BETWEEN)
        except queue.Empty:
            yield None
            continue
        if text is None:
            return
        yield text


def _size_mb(path: Path) -> float:
    try:
        return path.stat().st_size / 1e6
    except OSError:
        return 0.0


def _shown(size_mb: float) -> str:
    return f"{size_mb:.0f} MB" if size_mb >= 1 else f"{size_mb * 1000:.0f} kB"
