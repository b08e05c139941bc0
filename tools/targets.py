"""Where a command may write, one rule for all: over nothing that is read, over no collection, nothing twice.

By hand, as no library knows what must not be lost. Two names of one file are told by its number, or as the system folds
them.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import re
import stat
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator.errors import BadOption
from tools.scratch import scratch_folder

#: What begins so is never written over: a database, its journals, and Anki's packages, which are archives.
PRECIOUS = (
    b"SQLite format 3\0",
    b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7",
    b"\x37\x7f\x06\x82",
    b"\x37\x7f\x06\x83",
    b"PK\x03\x04",
)

#: What SQLite keeps beside a database until it is written into it, or taken back.
BESIDE_A_DATABASE = re.compile(r"(.+)-(wal|shm|journal|mj[0-9a-f]*)", re.IGNORECASE | re.DOTALL)

#: Standard output and standard error, by number.
PRINTED_TO = (1, 2)

_A_FILE = "a file in a folder that exists and that you may write to"
_A_FOLDER = "a folder that you may write to, or the name of a new one"
_NOT_READ = "any file but those that are read"
_NOT_PRECIOUS = "any file but a collection, what SQLite keeps beside one, or a package"


@dataclass(frozen=True)
class Target:
    """A file to write, or a folder (made where there is none) to write files into."""

    option: str  #: that says so, for the messages
    path: Path
    names: Callable[[str], bool] | None = None  #: whether a file of this name, in small letters, may be written there

    @property
    def is_folder(self) -> bool:
        """Whether the target is a folder."""
        return self.names is not None

    def replaced(self) -> list[Path]:
        """Existing files that may be written over."""
        if self.names is None:
            return [self.path]
        if not self.path.is_dir():
            return []
        return [path for path in self.path.iterdir() if self.names(path.name.casefold())]


def check(targets: Sequence[Target], read: Iterable[Path] = ()) -> None:
    """Make sure that all targets can be written, to places of their own, and that no other file is lost by it.

    Args:
        targets: all that the command is going to write.
        read: the files that it reads.

    Raises:
        BadOption: one cannot.
    """
    for target in targets:
        (_check_folder if target.is_folder else _check_file)(target)
    for first, second in itertools.combinations(targets, 2):
        _check_apart(first, second)
    sources = _Files(read)
    for target in targets:
        for path in target.replaced():
            allowed = _NOT_READ if path in sources else why_not_replaced(path)
            if allowed is not None:
                raise BadOption(option=target.option, value=str(path), allowed=allowed)


def why_not_replaced(path: Path) -> str | None:
    """What is allowed instead of writing over this file, where something would be lost; else None."""
    if path.exists() and not path.is_file():
        return "an ordinary file"
    if _is_printed_to(path):  # what is printed would be lost
        return "any file but the one that standard output or standard error goes to"
    return _NOT_PRECIOUS if _is_beside_a_database(path) or _begins_with(path, PRECIOUS) else None


def existing_folder(path: Path) -> Path:
    """The folder itself, or the nearest folder around it that exists."""
    real = Path(os.path.realpath(path))
    return next(place for place in (real, *real.parents) if os.path.lexists(place))


class _Files:
    """A set of files that contains a path if it leads to one of them, under whatever name."""

    def __init__(self, paths: Iterable[Path]) -> None:
        paths = list(paths)
        self._places = {_place(path) for path in paths}
        self._numbers = {_number(path) for path in paths} - {None}

    def __contains__(self, path: Path) -> bool:
        return _place(path) in self._places or _number(path) in self._numbers


def _place(path: Path, *, is_folder: bool = False) -> tuple[object, ...]:
    """A key that is equal for paths to the same place: the number of an existing folder, and the names below it.

    Equal where some file system takes two names for one, and where a folder is mounted a second time.
    """
    real = Path(os.path.realpath(path))
    existing = existing_folder(real if is_folder else real.parent)
    return (_number(existing) or _folded(str(existing)), *map(_folded, real.relative_to(existing).parts))


def _folded(name: str) -> str:
    return unicodedata.normalize("NFD", unicodedata.normalize("NFD", name).casefold())


def _number(path: Path) -> tuple[int, int] | None:
    """The device and inode of a file, the same under all its names; None where there is no such file."""
    try:
        state = path.stat()
    except OSError:
        return None
    return (state.st_dev, state.st_ino) if state.st_ino else None


def _check_apart(first: Target, second: Target) -> None:
    """Check that neither target is at the other's place, nor a file where the other needs a folder."""
    one, other = (_place(target.path, is_folder=target.is_folder) for target in (first, second))
    clash = (
        (first.is_folder and _has(first, one, other))
        or (second.is_folder and _has(second, other, one))
        or one == (other[: len(one)] if second.is_folder else other)
        or other == (one[: len(other)] if first.is_folder else one)
    )
    if clash or any(path in _Files(second.replaced()) for path in first.replaced()):
        kind = "folder" if second.is_folder else "file"
        raise BadOption(option=second.option, value=str(second.path), allowed=f"another {kind} than {first.option}")


def _has(folder: Target, place: tuple[object, ...], file: tuple[object, ...]) -> bool:
    return folder.names is not None and file[:-1] == place and folder.names(str(file[-1]))


def _check_file(target: Target) -> None:
    refused = BadOption(option=target.option, value=str(target.path), allowed=_A_FILE)
    if str(target.path) in ("", ".", "-"):
        raise refused
    real = Path(os.path.realpath(target.path))
    try:
        if stat.S_ISDIR(real.stat().st_mode):
            raise refused
    except FileNotFoundError:
        pass
    except OSError:  # a loop of links, a name that is too long, ...
        raise refused from None
    if not real.parent.is_dir():
        raise refused
    try:
        with scratch_folder(real.parent) as place:
            (place / real.name).touch()
    except OSError:
        raise refused from None


def _check_folder(target: Target) -> None:
    refused = BadOption(option=target.option, value=str(target.path), allowed=_A_FOLDER)
    real, existing = Path(os.path.realpath(target.path)), existing_folder(target.path)
    made = real.relative_to(existing)
    if str(target.path) == "-" or not existing.is_dir():
        raise refused
    if any(_is_beside_a_database(existing.joinpath(*made.parts[:count])) for count in range(1, len(made.parts) + 1)):
        raise BadOption(option=target.option, value=str(target.path), allowed=_NOT_PRECIOUS)
    try:
        with scratch_folder(existing) as place:
            (place / made).mkdir(parents=True, exist_ok=True)
        real.stat()
    except FileNotFoundError:
        pass
    except OSError:
        raise refused from None


def _is_printed_to(path: Path) -> bool:
    for stream in PRINTED_TO:
        with contextlib.suppress(OSError):  # it is closed, or there is no such file
            if os.path.samestat(path.stat(), os.fstat(stream)):
                return True
    return False


def _is_beside_a_database(path: Path) -> bool:
    real = Path(os.path.realpath(path))
    return any(
        (found := BESIDE_A_DATABASE.fullmatch(name.name)) is not None
        and _begins_with(name.with_name(found[1]), PRECIOUS[:1])
        for name in (path, real)
    )


def _begins_with(path: Path, starts: tuple[bytes, ...]) -> bool:
    try:
        if not path.is_file():  # to open a pipe may take for ever
            return False
        with path.open("rb") as file:
            return file.read(16).startswith(starts)
    except OSError:
        return False
