"""The files an evaluation leaves: tried before the long work, then written whole or not at all."""

from __future__ import annotations

import contextlib
import itertools
import os
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator.errors import BadOption
from evaluator.names import harmless
from evaluator.predictions import to_csv
from evaluator.report import Report, to_json
from evaluator.steps import run
from evaluator.tally import Evaluation
from tools.progress import ProgressLine
from ui.charts import CHARTS, save_charts
from ui.page import page_steps

STDOUT = Path("-")


@dataclass(frozen=True)
class Outputs:
    """Where to write what; None: not at all."""

    json: Path | None = None  #: a file, or ``-`` for standard output
    predictions: Path | None = None
    charts: Path | None = None  #: a folder
    html: Path | None = None  #: a web page

    def files(self) -> list[tuple[str, Path]]:
        """(option, file) of those that are asked for."""
        asked = (("--json", self.json), ("--predictions", self.predictions), ("--html", self.html))
        return [(option, file) for option, file in asked if file is not None]

    def check(self, *sources: Path) -> None:
        """Make sure that all can be written, each to a place of its own, and that nothing is lost by it.

        Args:
            sources: the files that are read; what SQLite keeps beside a collection is among them without being named.

        Raises:
            BadOption: one cannot.
        """
        for (first, one), (second, other) in itertools.combinations(self.files(), 2):
            if _is_same(one, other):
                raise BadOption(option=second, value=str(other), allowed=f"another file than {first}")
        read = [Path(f"{source}{suffix}") for source in sources for suffix in ("", "-wal", "-shm")]
        for option, file in self.files():
            if (option, file) != ("--json", STDOUT):
                _check_file(option, file, read)
        if self.charts is not None:
            check_folder("--charts", self.charts)

    def sections(self) -> list[str]:
        """The sections of the report that they show, by name or group."""
        names = ["quick"] if self.html is not None else []
        if self.charts is not None:
            names += [chart.section for chart in CHARTS.values() if chart.section]
        return names

    def write(self, evaluation: Evaluation) -> list[Path]:
        """Write them, all or none, and return the files written."""
        with contextlib.ExitStack() as drafts:
            ready: list[tuple[Path, Path]] = []  # (draft, file)
            if self.json is not None and self.json != STDOUT:
                ready.append(_draft(drafts, self.json, [to_json(evaluation.report, evaluation.timing)]))
            if self.predictions is not None:
                ready.append(_draft(drafts, self.predictions, to_csv(evaluation.predictions)))
            if self.html is not None:
                ready.append(_draft(drafts, self.html, [_page(evaluation.report)]))
            if self.charts is not None:
                ready += _draft_charts(drafts, self.charts, evaluation.report)
            for draft, file in ready:
                draft.replace(file)
        if self.json == STDOUT:
            sys.stdout.write(to_json(evaluation.report, evaluation.timing))
        return [file for _, file in ready]


def listing(written: Sequence[Path]) -> str:
    """The files that were written, a line each; many in one folder are one line."""
    lines = ["Written:"]
    for folder, files in itertools.groupby(written, lambda path: path.parent if path.suffix == ".png" else None):
        names = list(files)
        lines += [f"{folder}: {len(names)} graphs"] if folder is not None else map(str, names)
    return "\n  ".join(map(harmless, lines))


def write_whole(path: Path, text: str) -> None:
    """Write one file that :meth:`Outputs.check` has let pass, whole or not at all."""
    with contextlib.ExitStack() as drafts:
        draft, file = _draft(drafts, path, [text])
        draft.replace(file)


def _draft(drafts: contextlib.ExitStack, path: Path, lines: Iterable[str]) -> tuple[Path, Path]:
    """Write beside the file, to be renamed: nothing half-written is ever found under its name."""
    path = path.resolve()  # a link stays a link to the new contents
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    draft = Path(name)
    drafts.callback(draft.unlink, missing_ok=True)
    with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
        file.writelines(lines)
    draft.chmod(path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask())
    return draft, path


def _page(report: Report) -> str:
    with ProgressLine() as line:
        return run(page_steps(report), lambda done: line.show(done, "Drawing the graphs of the page"))


def _draft_charts(drafts: contextlib.ExitStack, folder: Path, report: Report) -> list[tuple[Path, Path]]:
    folder.mkdir(parents=True, exist_ok=True)
    place = Path(drafts.enter_context(tempfile.TemporaryDirectory(prefix=".charts-", dir=folder)))
    with ProgressLine() as line:
        written = save_charts(report, place, lambda done: line.show(done, "Drawing the graphs"))
    return [(draft, folder / draft.name) for draft in written]


def _check_file(option: str, path: Path, read: Sequence[Path]) -> None:
    allowed = "a file in a folder that exists and that you may write to"
    if str(path) in ("", ".", "-") or path.is_dir() or not path.parent.is_dir():
        raise BadOption(option=option, value=str(path), allowed=allowed)
    if path.exists() and not path.is_file():
        raise BadOption(option=option, value=str(path), allowed="an ordinary file")
    if any(_is_same(path, source) for source in read):
        raise BadOption(option=option, value=str(path), allowed="any file but those that are read")
    if path.is_file() and _holds_a_collection(path):
        raise BadOption(option=option, value=str(path), allowed="any file but a collection or a package")
    _try_folder(option, path.resolve().parent, str(path), allowed)


def _is_same(one: Path, other: Path) -> bool:
    return one.absolute() == other.absolute() or (one.exists() and other.exists() and one.samefile(other))


def _holds_a_collection(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(16).startswith((b"SQLite format 3", b"PK\x03\x04"))
    except OSError:
        return False


def check_folder(option: str, folder: Path) -> None:
    """Make sure that files can be written there, or the folder be made.

    Raises:
        BadOption: they cannot; it names the ``option``.
    """
    allowed = "a folder that you may write to, or the name of a new one"
    existing = next((place for place in (folder, *folder.absolute().parents) if place.exists()), folder)
    if not existing.is_dir():
        raise BadOption(option=option, value=str(folder), allowed=allowed)
    _try_folder(option, existing, str(folder), allowed)


def _try_folder(option: str, folder: Path, value: str, allowed: str) -> None:
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError:
        raise BadOption(option=option, value=value, allowed=allowed) from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
