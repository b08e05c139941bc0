"""Files that come into place all at once or not at all: until then they lie beside it, where nobody finds them.

By hand, as libraries for this replace one file each: they cannot take back the first where the second fails.
"""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from evaluator.names import harmless
from tools.scratch import scratch_folder
from tools.targets import existing_folder, why_not_replaced

#: How the names of graphs end.
DRAWN = (".png", ".svg")


class Drafts(contextlib.ExitStack):
    """Write files as drafts; leaving the block deletes what was not put in place."""

    def __init__(self) -> None:
        super().__init__()
        self._folders: dict[Path, Path] = {}  # for drafts, by the folder that they lie in
        self._ready: list[tuple[Path, Path]] = []  # (draft, file)
        self._names = map(str, itertools.count())

    def write(self, file: Path, lines: Iterable[str]) -> None:
        """Write the draft of a text file, in UTF-8; what is no character in a name is escaped."""
        draft = self._new(Path(os.path.realpath(file)).parent)  # a link may lead to another disk
        with _about(file), draft.open("w", encoding="utf-8", errors="backslashreplace", newline="\n") as text:
            text.writelines(lines)
        self._ready.append((draft, file))

    def folder_for(self, folder: Path) -> Path:
        """Make a new folder for drafts of files that belong into ``folder``."""
        draft = self._new(folder)
        draft.mkdir()
        return draft

    def add(self, draft: Path, file: Path) -> None:
        """Take a draft that was written into :meth:`folder_for`; it may be a folder itself."""
        if file.is_symlink():  # it may lead to another disk, to which nothing can be moved at once
            draft = Path(shutil.copyfile(draft, self._new(Path(os.path.realpath(file)).parent)))
        self._ready.append((draft, file))

    def put_in_place(self) -> list[Path]:
        """Move all drafts to their places, and return these. If one move fails, all are undone.

        Raises:
            OSError: a file cannot be replaced, or must not, as it is a collection by now.
        """
        for _, file in self._ready:
            allowed = why_not_replaced(file)
            if allowed is not None:
                raise FileExistsError(errno.EEXIST, f"Nothing is written over this. Allowed: {allowed}", str(file))
        with contextlib.ExitStack() as undo:
            for draft, file in self._ready:
                with _about(file):
                    self._put(draft, Path(os.path.realpath(file)), undo)  # a link stays a link to the new contents
            undo.pop_all()
        return [file for _, file in self._ready]

    def _put(self, draft: Path, file: Path, undo: contextlib.ExitStack) -> None:
        _make_folder(file.parent, undo)
        if file.exists():
            before = self._new(file.parent)
            _keep(file, before)
            draft.chmod(file.stat().st_mode & 0o777)
            undo.callback(_move, before, file)
        else:
            undo.callback(_move, file, draft)
        draft.replace(file)

    def _new(self, folder: Path) -> Path:
        """Return an unused path for the draft of something in that folder, on the same disk."""
        existing = existing_folder(folder)
        if existing not in self._folders:
            self._folders[existing] = self.enter_context(scratch_folder(existing))
        return self._folders[existing] / next(self._names)


def write_whole(file: Path, text: str) -> None:
    """Write one text file, whole or not at all."""
    with Drafts() as drafts:
        drafts.write(file, [text])
        drafts.put_in_place()


@contextlib.contextmanager
def _about(file: Path) -> Iterator[None]:
    """Let errors of the system name the file, not its draft."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(file)) from error


def _make_folder(folder: Path, undo: contextlib.ExitStack) -> None:
    if not folder.is_dir():
        _make_folder(folder.parent, undo)
        folder.mkdir()
        undo.callback(_remove_empty, folder)


def _keep(file: Path, before: Path) -> None:
    """Keep the old file as ``before``, by a second name, or a copy where the file system allows only one name."""
    try:
        os.link(file, before)
    except OSError:
        shutil.copy2(file, before)


def _move(path: Path, to: Path) -> None:
    with contextlib.suppress(OSError):  # as far as it is possible
        path.replace(to)


def _remove_empty(folder: Path) -> None:
    with contextlib.suppress(OSError):
        folder.rmdir()


def listing(written: Sequence[Path]) -> str:
    """The written files, a line each; the graphs in a folder are one line, which says whether older ones are there."""
    graphs = Counter(path.parent for path in written if path.suffix in DRAWN)
    lines = ["Written:", *(str(path) for path in written if path.suffix not in DRAWN)]
    for folder, count in graphs.items():
        older = sum(path.suffix in DRAWN for path in folder.glob("*")) - count
        lines.append(f"{folder}: {count} graphs" + (f", beside {older} older ones" if older > 0 else ""))
    return "\n  ".join(map(harmless, lines))
