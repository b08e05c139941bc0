"""Output files of a command or the window, which are checked before long work, written as drafts, and then renamed.

No input file, database or package is ever overwritten, and no file is written twice.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import re
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Iterable, Iterator, List, Optional, Sequence, Tuple

from .science import BadOption
from .text import _

#: First bytes of files that are never overwritten: databases, their write-ahead logs and rollback journals, and Anki's
#: packages, which are ZIP archives.
PRECIOUS = (b"SQLite format 3\0", b"7\x7f\x06\x82", b"7\x7f\x06\x83", b"\xd9\xd5\x05\xf9 \xa1c\xd7", b"PK\x03\x04")
#: Endings of the companion files of a database, which may hold its latest changes.
_COMPANION = re.compile("-(wal|journal|shm)$", re.IGNORECASE)

# Translators: What is allowed if the chosen file or folder cannot be written.
_NOT_PRECIOUS = _("any file but a collection or a package")


@contextlib.contextmanager
def scratch_folder(beside: Optional[Path] = None) -> Iterator[Path]:
    """Create a private temporary folder for this block.

    It is a hidden folder in ``beside``, or is among the system's temporary files if that is None.
    """
    prefix = ".srs-evaluator-" if beside else "srs-evaluator-"
    folder = tempfile.mkdtemp(prefix=prefix, dir=beside)
    try:
        yield Path(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


# --- which files may be written ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Target:
    """A file to write, or a folder to write files into, which is created if there is none."""

    #: The option that has this path as its value, for error messages.
    option: str
    path: Path
    #: Predicate for the names, in lower case, of the files that may be written into a folder. None for a file.
    may_write: Optional[Callable[[str], bool]] = None

    def replaceable_files(self) -> List[Path]:
        """Return the files that may be overwritten."""
        if self.may_write is None:
            return [self.path]
        paths = self.path.iterdir() if self.path.is_dir() else ()
        return [path for path in paths if self.may_write(path.name.casefold())]


def check_targets(targets: Sequence[Target], sources: Sequence[Path] = ()) -> None:
    """Check that all targets can be written, to different paths, and that no other file would be lost.

    Args:
        targets: the files and folders that are going to be written.
        sources: the files that are read.

    Raises:
        BadOption: if a target cannot be written.
    """
    for target in targets:
        _check_writable(target)
    for first, second in itertools.combinations(targets, 2):
        if _are_same_file(first.path, second.path):
            kind = "file" if second.may_write is None else "folder"
            raise BadOption(option=second.option, value=str(second.path), allowed=f"another {kind} than {first.option}")
    for target in targets:
        for path in target.replaceable_files():
            is_source = any(_are_same_file(path, source) for source in sources)
            allowed = "any file but those that are read" if is_source else _allowed_instead(path)
            if allowed is not None:
                raise BadOption(option=target.option, value=str(path), allowed=allowed)


def _check_writable(target: Target) -> None:
    real_path = Path(os.path.realpath(target.path))
    database = Path(_COMPANION.sub("", str(real_path)))
    # The database may have no companion file now, but would take the output for one later.
    if database != real_path and _allowed_instead(database) == _NOT_PRECIOUS:
        is_usable = False
        allowed = _("any name but that of a file that belongs to a collection")
    elif target.may_write is None:
        is_usable = not real_path.is_dir() and os.access(real_path.parent, os.W_OK | os.X_OK)
        allowed = _("a file in an existing, writable folder")
    else:
        existing = next(path for path in (real_path, *real_path.parents) if os.path.lexists(path))
        is_usable = existing.is_dir() and os.access(existing, os.W_OK | os.X_OK)
        allowed = "a folder that you may write to, or the name of a new one"
    # A command's "-" stands for its output, which no target may be.
    if str(target.path) == "-" or not is_usable:
        raise BadOption(option=target.option, value=str(target.path), allowed=allowed)


def _are_same_file(first: Path, second: Path) -> bool:
    with contextlib.suppress(OSError):
        return first.samefile(second)
    return os.path.realpath(first) == os.path.realpath(second)


def _allowed_instead(path: Path) -> Optional[str]:
    """Return what is allowed instead of this file, or None if it may be overwritten."""
    if not path.is_file():
        return _("an ordinary file") if path.exists() else None
    with path.open("rb") as file:
        return _NOT_PRECIOUS if file.read(16).startswith(PRECIOUS) else None


# --- writing ----------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def name_in_errors(path: Path) -> Iterator[None]:
    """Let the errors of the system in this block name this file or folder, unless they name one already."""
    try:
        yield
    except OSError as error:
        # Libraries may give a text only, which str() would leave out once there is a name.
        error.strerror = error.strerror or str(error)
        error.filename = error.filename or str(path)
        raise


class Drafts(contextlib.ExitStack):
    """Drafts of files, each written next to its destination. Leaving the block deletes those not put in place."""

    def __init__(self) -> None:
        super().__init__()
        # Each draft with its destination.
        self._drafts: List[Tuple[Path, Path]] = []

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
        return self.enter_context(
            scratch_folder(next(path for path in (real_path, *real_path.parents) if path.is_dir()))
        )

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
