"""Files that a command or the window writes: checked before long work, written as drafts, then renamed.

One rule for all of them: never overwrite an input file, a database or a package, and never write a file twice.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Iterable, Iterator, List, Optional, Sequence, Tuple

from .science import BadOption
from .text import _

#: Files that begin like this are never overwritten: databases, and Anki's packages, which are archives.
PRECIOUS = (b"SQLite format 3\0", b"PK\x03\x04")

# Translators: What is allowed if the chosen file or folder cannot be written.
_A_FILE = _("a file in an existing, writable folder")
_A_FOLDER = "a folder that you may write to, or the name of a new one"
_NOT_READ = "any file but those that are read"
_NOT_PRECIOUS = _("any file but a collection or a package")
_ORDINARY = _("an ordinary file")


@contextlib.contextmanager
def scratch_folder(beside: Optional[Path] = None) -> Iterator[Path]:
    """Create a private temporary folder, hidden in ``beside`` or among temporary files, and remove it at the end."""
    prefix = ".srs-evaluator-" if beside else "srs-evaluator-"
    folder = tempfile.mkdtemp(prefix=prefix, dir=beside)
    try:
        yield Path(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


# --- which files may be written ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Target:
    """A file to write, or a folder (made if there is none) to write files into."""

    option: str  #: the option with this path, for messages
    path: Path
    #: Whether a file of this name, in small letters, may be written there.
    names: Optional[Callable[[str], bool]] = None

    def replaced(self) -> List[Path]:
        """Return existing files that may be overwritten."""
        if self.names is None:
            return [self.path]
        there = self.path.iterdir() if self.path.is_dir() else ()
        return [path for path in there if self.names(path.name.casefold())]


def check(targets: Sequence[Target], read: Iterable[Path] = ()) -> None:
    """Check that all targets can be written, to different paths, and that no other file would be lost.

    Args:
        targets: all that is going to be written.
        read: the files that are read.

    Raises:
        BadOption: one cannot.
    """
    for target in targets:
        _check_place(target)
    for first, second in itertools.combinations(targets, 2):
        if _same(first.path, second.path):
            kind = "file" if second.names is None else "folder"
            raise BadOption(option=second.option, value=str(second.path), allowed=f"another {kind} than {first.option}")
    sources = list(read)
    for target in targets:
        for path in target.replaced():
            is_read = any(_same(path, source) for source in sources)
            allowed = _NOT_READ if is_read else _why_not_replaced(path)
            if allowed is not None:
                raise BadOption(option=target.option, value=str(path), allowed=allowed)


def _check_place(target: Target) -> None:
    real = Path(os.path.realpath(target.path))
    if target.names is None:
        is_usable, allowed = not real.is_dir() and os.access(real.parent, os.W_OK | os.X_OK), _A_FILE
    else:
        existing = next(index for index in (real, *real.parents) if os.path.lexists(index))
        is_usable, allowed = existing.is_dir() and os.access(existing, os.W_OK | os.X_OK), _A_FOLDER
    if str(target.path) == "-" or not is_usable:
        raise BadOption(option=target.option, value=str(target.path), allowed=allowed)


def _same(item: Path, other: Path) -> bool:
    with contextlib.suppress(OSError):
        return item.samefile(other)
    return os.path.realpath(item) == os.path.realpath(other)


def _why_not_replaced(path: Path) -> Optional[str]:
    """Return what is allowed instead of overwriting this file, if something would be lost."""
    if not path.is_file():
        return _ORDINARY if path.exists() else None
    with path.open("rb") as file:
        return _NOT_PRECIOUS if file.read(16).startswith(PRECIOUS) else None


# --- writing ----------------------------------------------------------------------------------------------------------


class Drafts(contextlib.ExitStack):
    """Write files as drafts next to their destinations. Leaving the block deletes those not put in place."""

    def __init__(self) -> None:
        super().__init__()
        self._ready: List[Tuple[Path, Path]] = []  # (draft, file)

    def write(self, file: Path, lines: Iterable[str]) -> None:
        """Write the draft of a text file in UTF-8, with invalid characters in names escaped."""
        draft = self.folder_for(Path(os.path.realpath(file)).parent) / "draft"  # a link may lead to another disk
        with draft.open("w", encoding="utf-8", errors="backslashreplace", newline="\n") as text:
            text.writelines(lines)
        self._ready.append((draft, file))

    def folder_for(self, folder: Path) -> Path:
        """Make a new folder for drafts of files in ``folder``, on the same disk."""
        real = Path(os.path.realpath(folder))
        return self.enter_context(scratch_folder(next(index for index in (real, *real.parents) if index.is_dir())))

    def add(self, draft: Path, file: Path) -> None:
        """Take a file or folder that was written into :meth:`folder_for` as a draft."""
        self._ready.append((draft, file))

    def put_in_place(self) -> List[Path]:
        """Move all drafts to their destinations, and return these. A link stays a link to the new contents."""
        for draft, file in self._ready:
            real = Path(os.path.realpath(file))
            real.parent.mkdir(parents=True, exist_ok=True)
            if real.is_file():
                draft.chmod(real.stat().st_mode & 0o777)
            draft.replace(real)
        return [file for _unused, file in self._ready]


def write_whole(file: Path, text: str) -> None:
    """Write one text file, whole or not at all."""
    with Drafts() as drafts:
        drafts.write(file, [text])
        drafts.put_in_place()
