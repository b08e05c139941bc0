"""Output files, which are checked before long work, written as drafts, and then renamed.

No database and no package is ever overwritten.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import tempfile
from pathlib import Path
from typing import Iterable, Iterator, List, Optional, Tuple

from .science import BadOption
from .text import _

#: First bytes of files that are never overwritten: databases, their write-ahead logs and rollback journals, and Anki's
#: packages, which are ZIP archives.
PRECIOUS = (b"SQLite format 3\0", b"7\x7f\x06\x82", b"7\x7f\x06\x83", b"\xd9\xd5\x05\xf9 \xa1c\xd7", b"PK\x03\x04")
#: Endings of the companion files of a database, which may hold its latest changes.
_COMPANION = re.compile("-(wal|journal|shm)$", re.IGNORECASE)


@contextlib.contextmanager
def scratch_folder(beside: Optional[Path] = None) -> Iterator[Path]:
    """Create a private temporary folder for this block.

    It is hidden in the folder ``beside``, or if that is None, among the system's temporary files.
    """
    prefix = ".srs-evaluator-" if beside else "srs-evaluator-"
    folder = tempfile.mkdtemp(prefix=prefix, dir=beside)
    try:
        yield Path(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


# --- which files may be written ---------------------------------------------------------------------------------------


def check_file(option: str, path: Path) -> None:
    """Check that a file can be written, and that no collection, package or companion file would be lost.

    Args:
        option: the name of the choice of this file, for the error message.
        path: the file.

    Raises:
        BadOption: if the file cannot or must not be written.
    """
    check_no_companion(option, path)
    real_path = Path(os.path.realpath(path))
    allowed = None
    if real_path.is_dir() or not os.access(real_path.parent, os.W_OK | os.X_OK):
        allowed = _("a file in an existing, writable folder")
    elif real_path.exists() and not real_path.is_file():
        allowed = _("an ordinary file")
    elif _is_precious(real_path):
        allowed = _("any file but a collection or a package")
    if allowed is not None:
        raise BadOption(option=option, value=str(path), allowed=allowed)


def check_no_companion(option: str, path: Path) -> None:
    """Check that a path is not that of a companion file of a database.

    There may be no companion file now, but the database would take the output for one later.

    Args:
        option: the name of the choice of this file, for the error message.
        path: the file.

    Raises:
        BadOption: if the path is that of a companion file.
    """
    real_path = os.path.realpath(path)
    database = _COMPANION.sub("", real_path)
    if database != real_path and _is_precious(Path(database)):
        allowed = _("any name but that of a file that belongs to a collection")
        raise BadOption(option=option, value=str(path), allowed=allowed)


def _is_precious(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(16).startswith(PRECIOUS)


# --- writing ----------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def name_in_errors(path: Path) -> Iterator[None]:
    """Make the system's errors in this block name this file or folder, unless they already name one."""
    try:
        yield
    except OSError as error:
        # Libraries may give only a text, which str() would leave out once there is a name.
        error.strerror = error.strerror or str(error)
        error.filename = error.filename or str(path)
        raise


class Drafts(contextlib.ExitStack):
    """Drafts of files, each written next to its destination. Those not put in place are deleted after the block."""

    def __init__(self) -> None:
        super().__init__()
        self._drafts: List[Tuple[Path, Path]] = []  # each draft with its destination

    def write(self, file: Path, lines: Iterable[str]) -> None:
        """Write the draft of a text file in UTF-8. Characters that UTF-8 cannot encode are escaped."""
        # A link may lead to another disk, where the draft must be to be renamed.
        draft = self.draft_folder(Path(os.path.realpath(file)).parent) / "draft"
        self.enter_context(name_in_errors(file))
        with draft.open("w", encoding="utf-8", errors="backslashreplace", newline="\n") as text:
            text.writelines(lines)
        self.add(draft, file)

    def draft_folder(self, folder: Path) -> Path:
        """Create a new folder for drafts of files in ``folder``, on the same disk."""
        self.enter_context(name_in_errors(folder))
        real_path = Path(os.path.realpath(folder))
        existing = next(path for path in (real_path, *real_path.parents) if path.is_dir())
        return self.enter_context(scratch_folder(existing))

    def add(self, draft: Path, file: Path) -> None:
        """Register a file or folder in :meth:`draft_folder` as the draft of ``file``."""
        self._drafts.append((draft, file))

    def put_in_place(self) -> List[Path]:
        """Move all drafts to their destinations, and return these.

        If a destination is a link, the file that it leads to is replaced. A replaced file's permissions are kept.
        """
        for draft, file in self._drafts:
            real_path = Path(os.path.realpath(file))
            real_path.parent.mkdir(parents=True, exist_ok=True)
            if real_path.is_file():
                draft.chmod(real_path.stat().st_mode & 0o777)
            draft.replace(real_path)
        return [file for _unused, file in self._drafts]
