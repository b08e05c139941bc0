"""Reader of a collection file (``.anki2``), which reads a copy so that the original stays unchanged.

The file is copied byte by byte, because SQLite's own backup would open the original and leave files next to it.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

from evaluator.data.revlog import Snapshot
from evaluator.errors import (
    CollectionInUse,
    DamagedFile,
    EvaluatorError,
    MadeByNewerAnki,
    MadeByOlderAnki,
    NotACollection,
    SqlInCollection,
)
from evaluator.progress import SILENT, Progress
from evaluator.scope import WHOLE_COLLECTION, ScopeChoice
from tools.environment import import_library
from tools.sources.limits import check_memory
from ui.anki.collection import database_message
from ui.anki.collection import read as read_open

#: First byte and number of bytes of a file on which SQLite sets its locks.
LOCK_START = 0x40000000
LOCK_LENGTH = 512

#: Settings of a new collection: the UTC offset, the next new card's position, and the last chosen deck.
NEW_SETTINGS = {"localOffset": None, "nextPos": "1", "curDeck": "1"}

#: Tables that Anki reads, or writes while it opens a collection.
TABLES = {
    "col",
    "notes",
    "cards",
    "revlog",
    "graves",
    "config",
    "deck_config",
    "decks",
    "notetypes",
    "fields",
    "templates",
    "tags",
}
#: Comments, and quoted names and texts, in SQL.
_QUOTED = re.compile(r"""--[^\n]*|/\*.*?\*/|'[^']*'|"[^"]*"|`[^`]*`|\[[^]]*]""", re.DOTALL)
#: A column in an index.
_COLUMN = r' ?"?\w+"?( collate \w+)?( asc| desc)? ?'
#: Index on columns only. Anki's own condition is allowed.
_PLAIN_INDEX = re.compile(rf'create (unique )?index [\w" ]+ on [\w"]+ ?\({_COLUMN}(,{_COLUMN})*\)( where odid != 0)?')

#: Endings of a collection's companion files, with changes that are not yet written into it or must be rolled back.
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
    """Return the snapshot of a collection. Opening may change the file.

    Args:
        path: a copy of the collection, after :func:`check`.
        scope: the cards to evaluate.
        shown_as: the file that the user named, for the messages.
        parts: searches for cards that are evaluated apart from the remaining ones.
        progress: called with the number of rows read.

    Raises:
        EvaluatorError: if it is damaged, or lacks the deck, preset or cards that are named.
    """
    # Loading Anki's backend takes a moment, which is wasted if this is not a collection.
    collection = import_library("anki.collection").Collection
    with database_errors(shown_as):
        # A server uses the UTC offset stored in the collection, not this machine's.
        col = collection(str(path), server=True)
        try:
            return read_open(col, scope, progress, parts)
        finally:
            col.close()


def copy(path: Path, folder: Path) -> Path:
    """Copy a collection and its companion files, all of one moment, into the folder.

    Raises:
        CollectionInUse: if another process writes to it, or holds it open as Anki does.
    """
    # If the path is a link, SQLite's companion files are next to its target.
    original = path.resolve()
    copied = folder / "collection.anki2"
    old_states = _file_states(original)
    if is_in_use(original):
        raise CollectionInUse(path=str(path))
    shutil.copyfile(original, copied)
    for companion in COMPANIONS:
        with contextlib.suppress(FileNotFoundError):
            shutil.copyfile(_companion_path(original, companion), _companion_path(copied, companion))
    if is_in_use(original) or _file_states(original) != old_states:
        raise CollectionInUse(path=str(path))
    return copied


def has_new_settings(path: Path) -> bool:
    """Return whether the settings are those of a new collection, as in an ``.apkg``, but hardly in a ``.colpkg``."""
    with _connection(path) as db:
        # Older collections keep their settings as JSON.
        for table in ("config", "(select key, value as val from col, json_each(conf))"):
            # Damage is reported later, when the collection is read.
            with contextlib.suppress(sqlite3.Error):
                sql = f"select key, cast(val as text) from {table}"  # noqa: S608 - our own names
                settings = dict(db.execute(sql))
                return {key: settings.get(key) for key in NEW_SETTINGS} == NEW_SETTINGS
    return False


def _connection(path: Path) -> contextlib.closing[sqlite3.Connection]:
    """Open a copy of a collection with Python's SQLite. The block that uses it closes it."""
    db = sqlite3.connect(path)
    # Text in a file may be anything.
    db.text_factory = lambda text: text.decode(errors="replace")
    return contextlib.closing(db)


@contextlib.contextmanager
def database_errors(shown_as: Path) -> Iterator[None]:
    """Turn any error of SQLite or Anki's backend in this block into one that says what is wrong with the file."""
    try:
        yield
    except (EvaluatorError, OSError, MemoryError, ImportError, KeyboardInterrupt):
        raise
    # A panic in Rust is not an Exception, and its class cannot be imported.
    except BaseException as error:
        if "FileTooNew" in str(error):
            raise MadeByNewerAnki(path=str(shown_as)) from error
        if "FileTooOld" in str(error):
            raise MadeByOlderAnki(path=str(shown_as)) from error
        words = str(error) if isinstance(error, sqlite3.Error) else database_message(error)
        raise DamagedFile(
            path=str(shown_as), detail=words or "some of its contents are not as Anki writes them"
        ) from error


def is_in_use(path: Path) -> bool:
    """Return whether another process writes to the database, or holds it open exclusively as Anki does.

    For a moment, this takes the lock that SQLite takes for reading. It does so without SQLite, because opening the
    database would leave files next to it.
    """
    with path.open("rb") as file:
        try:
            _lock_and_unlock(file)
        except BlockingIOError:
            return True
        except OSError:
            # Windows refuses a lock with "permission denied". Elsewhere the file system has no locks.
            return os.name == "nt"
    return False


def _lock_and_unlock(file: IO[bytes]) -> None:
    """Take SQLite's lock for reading, and release it. Raises OSError if another process prevents it."""
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


def _file_states(path: Path) -> list[tuple[int, int] | None]:
    """Return the size and modification time of the collection and of each companion file, or None if it is missing."""
    states: list[tuple[int, int] | None] = []
    for file in (path, *(_companion_path(path, companion) for companion in COMPANIONS)):
        try:
            stat = file.stat()
            states.append((stat.st_size, stat.st_mtime_ns))
        except FileNotFoundError:
            states.append(None)
    return states


def _companion_path(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def check(path: Path, shown_as: Path) -> None:
    """Check that a copy is an undamaged collection that is safe to read and fits in memory.

    It must have Anki's tables, and reading it must run no SQL of its own.

    SQLite's quick check does not compare indices with their tables, which would take five times as long. This is
    enough, because the tables are read without their indices.

    Raises:
        EvaluatorError: if a check fails.
    """
    with database_errors(shown_as), _connection(path) as db:
        # SQLite takes names of any type and case.
        schema = db.execute(
            "select lower(type), cast(name as text), lower(tbl_name), cast(sql as text) from sqlite_master"
        ).fetchall()
        for kind, name, table, sql in schema:
            detail = next(_sql_that_runs(db, kind, name, table, sql), None)
            if detail is not None:
                raise SqlInCollection(path=str(shown_as), detail=detail)
        if not {name for kind, name, *_ in schema if kind == "table"} >= {"col", "cards", "revlog"}:
            raise NotACollection(path=str(shown_as))
        for table in ("revlog", "cards"):
            (message,) = db.execute(f"pragma quick_check({table})").fetchone()
            if message != "ok":
                raise DamagedFile(path=str(shown_as), detail=_first_line(message))
        (rows,) = db.execute("select (select count() from revlog) + (select count() from cards)").fetchone()
    check_memory(shown_as, shown_as.stat().st_size, rows)


def _sql_that_runs(db: sqlite3.Connection, kind: str, name: str, table: str, sql: str | None) -> Iterator[str]:
    """Yield what would run when Anki opens a collection, of one row of its schema, as in ``sqlite_master``."""
    if kind == "trigger":
        yield f"{name} is a trigger"
    # An index that SQLite adds has no statement.
    if table not in TABLES or sql is None:
        return
    if kind == "view":
        yield f"{name} is a view, not a table"
    elif kind == "index":
        if not _PLAIN_INDEX.fullmatch(" ".join(sql.lower().split())):
            yield f"{name} is an index on an expression"
    # SQLite itself has written these words.
    elif not sql.startswith("CREATE TABLE "):
        yield f"{name} is a virtual table"
    else:
        if "check" in _QUOTED.sub(" ", sql.lower()):
            yield f"{name} has a check constraint"
        for _, column, _, _, default, _, hidden in db.execute(f"pragma table_xinfo({table})"):
            if hidden:
                yield f"{name}.{column} is a generated column"
            if "(" in (default or ""):
                yield f"{name}.{column} has an expression as its default"


def _first_line(text: str) -> str:
    """Return the first line that is neither empty nor a heading in asterisks, cut at 200 characters."""
    lines = [line for line in text.splitlines() if line.strip(" *") and not line.startswith("***")]
    return lines[0].strip()[:200] if lines else ""
