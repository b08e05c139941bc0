"""The files an evaluation leaves: tried before the long work, then written whole or not at all."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from evaluator.errors import BadOption
from evaluator.predictions import to_csv
from evaluator.report import to_json
from evaluator.tally import Evaluation

STDOUT = Path("-")


@dataclass(frozen=True)
class Outputs:
    """Where to write what; None: not at all."""

    json: Path | None = None  #: a file, or ``-`` for standard output
    predictions: Path | None = None
    charts: Path | None = None  #: a folder

    def check(self, source: Path) -> None:
        """Make sure that all can be written, and that none is the file that is read.

        Raises:
            BadOption: one cannot.
        """
        for option, file in (("--json", self.json), ("--predictions", self.predictions)):
            if file is not None and file != STDOUT:
                _check_file(option, file, source)
        if self.charts is not None:
            _check_folder("--charts", self.charts)

    def write(self, evaluation: Evaluation) -> list[Path]:
        """Write them, and return the files written."""
        written = []
        if self.json == STDOUT:
            sys.stdout.write(to_json(evaluation.report, evaluation.timing))
        elif self.json is not None:
            written.append(_write_whole(self.json, [to_json(evaluation.report, evaluation.timing)]))
        if self.predictions is not None:
            written.append(_write_whole(self.predictions, to_csv(evaluation.predictions)))
        if self.charts is not None:
            written += _write_charts(self.charts, evaluation)
        return written


def _write_whole(path: Path, lines: Iterable[str]) -> Path:
    """Write beside the file, then rename: nothing half-written is ever found under its name."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    draft = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.writelines(lines)
        draft.chmod(0o666 & ~_umask())  # a temporary file is for its owner alone
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    return path


def _write_charts(folder: Path, evaluation: Evaluation) -> list[Path]:
    # matplotlib takes half a second to load, and only the figures need it.
    from ui.charts import save_calibration_charts

    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".charts-", dir=folder) as drafts:
        saved = save_calibration_charts(evaluation.report, Path(drafts))
        return [draft.replace(folder / draft.name) for draft in saved]


def _check_file(option: str, path: Path, source: Path) -> None:
    allowed = "a file in a folder that exists and that you may write to"
    if path.is_dir() or not path.parent.is_dir():
        raise BadOption(option=option, value=str(path), allowed=allowed)
    if path.exists() and source.exists() and path.samefile(source):
        raise BadOption(option=option, value=str(path), allowed="any file but the one that is evaluated")
    _try_folder(option, path.parent, str(path), allowed)


def _check_folder(option: str, folder: Path) -> None:
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
