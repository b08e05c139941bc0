"""Read a collection file (``.anki2``) from a copy, so that the original stays unchanged.

Copied by hand, as SQLite's own backup would open the original, and leave files next to it.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

from evaluator.data.revlog import Snapshot
from evaluator.errors import CollectionInUse, DamagedFile, EvaluatorError, MadeByNewerAnki, NotACollection
from evaluator.progress import SILENT, Progress
from evaluator.scope import WHOLE_COLLECTION, ScopeChoice
from ui.anki.collection import read as read_open

#: SQLite's locks are on these bytes of a file: pending, reserved, and 510 shared ones.
LOCK_START = 0x40000000
LOCK_LENGTH = 512

#: Settings of a new collection: UTC offset, the next new card's position, and the deck chosen last.
NEW_SETTINGS = {"localOffset": None, "nextPos": "1", "curDeck": "1"}

#: Companion files of a collection: changes not yet written into it, or to be rolled back.
COMPANIONS = ("-wal", "-journal")


def recognizes(start: bytes, _columns: set[str]) -> bool:
    """Return whether a file that begins like this is a database of SQLite."""
    return start.startswith(b"SQLite format 3\0")


def read(
    path: Path,
    *,
    scope: ScopeChoice = WHOLE_COLLECTION,
    shown_as: Path,
    parts: Sequence[str] = (),
    progress: Progress = SILENT,
) -> Snapshot:
    """Read the snapshot of a collection from a copy, since opening it may change it.

    Args:
        path: a copy.
        scope: whose reviews are evaluated.
        shown_as: the file that the user named, for the messages.
        parts: searches that divide the cards.
        progress: called with the number of rows read.

    Raises:
        EvaluatorError: it is damaged, or no collection, or has nothing by the name that the scope gives.
    """
    _check(path, shown_as)
    # The backend comes with Anki and takes a moment to load: not for what is not a collection.
    from anki.collection import Collection

    with backend_errors(shown_as):
        # As a server: with the user's UTC offset, as the collection has it, and not this machine's.
        col = Collection(str(path), server=True)
        try:
            return read_open(col, scope, progress, parts)
        finally:
            col.close()


def copy(path: Path, folder: Path) -> Path:
    """Copy a collection and its companion files, all of one moment, into the folder.

    Raises:
        CollectionInUse: another process writes to it, or holds it open as Anki does.
    """
    original, copied = path.resolve(), folder / "collection.anki2"  # SQLite keeps no files next to a link
    before = _states(original)
    if is_in_use(original):
        raise CollectionInUse(path=str(path))
    shutil.copyfile(original, copied)
    for companion in COMPANIONS:
        with contextlib.suppress(FileNotFoundError):
            shutil.copyfile(_beside(original, companion), _beside(copied, companion))
    if is_in_use(original) or _states(original) != before:
        raise CollectionInUse(path=str(path))
    return copied


def has_new_settings(path: Path) -> bool:
    """Return True if the settings are those of a new collection, as in an ``.apkg``, but hardly in a ``.colpkg``."""
    with contextlib.closing(sqlite3.connect(path)) as db:
        for settings in ("config", "(select key, value as val from col, json_each(conf))"):  # old ones are JSON
            with contextlib.suppress(sqlite3.Error):  # damage is reported by reading
                sql = f"select key, cast(val as text) from {settings}"  # noqa: S608 - our own names
                result = dict(db.execute(sql))
                return {key: result.get(key) for key in NEW_SETTINGS} == NEW_SETTINGS
    return False


@contextlib.contextmanager
def backend_errors(shown_as: Path) -> Iterator[None]:
    """Turn whatever Anki's backend raises about a file into :class:`DamagedFile` or :class:`MadeByNewerAnki`."""
    try:
        yield
    except (EvaluatorError, OSError, MemoryError):
        raise
    except Exception as error:
        if "FileTooNew" in str(error):
            raise MadeByNewerAnki(path=str(shown_as)) from error
        raise DamagedFile(path=str(shown_as), detail=_brief(error)) from error
    except BaseException as error:
        # A panic in Rust arrives as an exception that is no Exception, of a type that cannot be imported.
        if type(error).__name__ == "PanicException":
            raise DamagedFile(path=str(shown_as), detail=_brief(error)) from error
        raise


def is_in_use(path: Path) -> bool:
    """Return whether another process writes to the database, or holds it open exclusively as Anki does.

    Tries SQLite's own lock for reading, for a moment and without SQLite: opening the database would leave files next to
    it. If the file system has no locks, no one can hold one.
    """
    with path.open("rb") as file:
        try:
            _lock_for_a_moment(file)
        except BlockingIOError:
            return True
        except OSError:
            return os.name == "nt"  # there, a lock is refused with "permission denied"
    return False


def _lock_for_a_moment(file: IO[bytes]) -> None:
    if os.name == "nt":
        import msvcrt

        file.seek(LOCK_START)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, LOCK_LENGTH)  # type: ignore[attr-defined]
        file.seek(LOCK_START)
        msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, LOCK_LENGTH)  # type: ignore[attr-defined]
    else:
        import fcntl

        fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB, LOCK_LENGTH, LOCK_START)
        fcntl.lockf(file, fcntl.LOCK_UN, LOCK_LENGTH, LOCK_START)


def _states(path: Path) -> list[tuple[int, int] | None]:
    states: list[tuple[int, int] | None] = []
    for file in (path, *(_beside(path, companion) for companion in COMPANIONS)):
        try:
            stat = file.stat()
            states.append((stat.st_size, stat.st_mtime_ns))
        except FileNotFoundError:
            states.append(None)
    return states


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def _check(path: Path, shown_as: Path) -> None:
    """Check that the copy has Anki's tables, and that those we read are sound: damage might go unnoticed.

    The quick check leaves out only whether each index agrees with its table, which would take five times as long: we
    read the tables in their own order, without the indices.
    """
    try:
        with contextlib.closing(sqlite3.connect(path)) as db:
            tables = {name for (name,) in db.execute("select name from sqlite_master where type = 'table'")}
            if not tables >= {"col", "cards", "revlog"}:
                raise NotACollection(path=str(shown_as))
            for table in ("revlog", "cards"):
                (result,) = db.execute(f"pragma quick_check({table})").fetchone()
                if result != "ok":
                    raise DamagedFile(path=str(shown_as), detail=_first_line(result))
    except sqlite3.Error as error:
        raise DamagedFile(path=str(shown_as), detail=str(error)) from error


def _brief(error: BaseException) -> str:
    return _first_line(str(error)) or type(error).__name__


def _first_line(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip(" *") and not line.startswith("***")]
    return lines[0].strip()[:200] if lines else ""
