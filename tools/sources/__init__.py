"""Readers of review logs from Anki, SuperMemo and public data sets.

The content of a file decides which reader is used. Libraries that recognize files, such as libmagic, know none of
these formats.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from evaluator.data.revlog import Snapshot
from evaluator.data.selection import select
from evaluator.errors import BadOption, EmptyFile, EmptyRevlog, FileMissing, NotACollection, SearchImpossible
from evaluator.progress import SILENT, Progress
from evaluator.scope import WHOLE_COLLECTION, ScopeChoice
from tools.sources import (
    anki_20k,
    collection_file,
    csv_log,
    fsrs_logs,
    packages,
    protobuf_export,
    supermemo_comparison,
    supermemo_history,
)
from tools.sources.clock import stated_clock
from tools.stopping import run_in_thread
from ui.drafts import scratch_folder

#: Number of bytes at the beginning of a file by which it is recognized.
BEGINNING = 1 << 16

#: What ``--next-day-at`` is allowed for, for error messages.
NEXT_DAY_AT_ALLOWED = "only together with a review log as CSV or an .apkg; other files say it themselves"


@dataclass(frozen=True)
class CollectionKind:
    """A kind of file that contains an Anki collection."""

    #: Whether a file is of this kind, given its first bytes and the names of its columns in lower case.
    recognizes: Callable[[bytes, set[str]], bool]
    #: Function that writes the file's collection into a folder, and returns its path.
    extract: Callable[[Path, Path], Path]
    is_package: bool = False


@dataclass(frozen=True)
class LogKind:
    """A kind of file that contains a review log of Anki or of another program."""

    #: Whether a file is of this kind, given its first bytes and the names of its columns in lower case.
    recognizes: Callable[[bytes, set[str]], bool]
    read: Callable[[Path], Snapshot]
    #: Whether such a file itself states what ``--next-day-at`` and ``--cards`` would add, so that these are refused.
    is_complete: bool = True
    #: Names of the algorithms whose own predictions such a file contains.
    predicted: tuple[str, ...] = ()


#: Review log with Anki's columns. A CSV of an unknown kind is read as one too, so that the error says what is missing.
CSV = LogKind(csv_log.recognizes, csv_log.read, is_complete=False)
#: All kinds of files, the most common ones first. No file is of two kinds.
KINDS = (
    CollectionKind(collection_file.recognizes, collection_file.copy),
    CollectionKind(packages.recognizes, packages.unpack, is_package=True),
    CSV,
    LogKind(fsrs_logs.recognizes, fsrs_logs.read, is_complete=False),
    LogKind(anki_20k.recognizes, anki_20k.read),
    LogKind(protobuf_export.recognizes, protobuf_export.read),
    LogKind(supermemo_comparison.recognizes, supermemo_comparison.read, predicted=supermemo_comparison.PREDICTED),
    LogKind(supermemo_history.recognizes, supermemo_history.read, predicted=supermemo_history.PREDICTED),
)


def read(
    path: Path,
    *,
    scope: ScopeChoice = WHOLE_COLLECTION,
    cards: Path | None = None,
    next_day_at: int | None = None,
    parts: Sequence[str] = (),
    progress: Progress = SILENT,
) -> Snapshot:
    """Return the snapshot in a file of any of the :data:`KINDS`. The file is not changed.

    Args:
        path: the file.
        scope: the cards to evaluate. All reviews are read.
        cards: CSV with ``id,did`` of the cards that still exist. It is allowed only for a review log as CSV.
        next_day_at: seconds since 1970 at which any day begins. It is allowed only for files that do not state it: a
            CSV, or an ``.apkg``, in which Anki leaves out the time zone. Without it, 04:00 UTC is assumed for these.
        parts: searches for cards that are evaluated apart from the remaining ones. They are allowed only for a
            collection or package.
        progress: called with the number of rows read from a collection.

    Raises:
        EvaluatorError: if there is nothing to read, or the file is damaged, in use, or of an unknown format.
    """
    check_is_file(path)
    if path.is_file() and not path.stat().st_size:
        raise EmptyFile(path=str(path))
    kind = recognize(path)
    if kind is None:
        raise NotACollection(path=str(path))
    clock = stated_clock(next_day_at)
    if isinstance(kind, CollectionKind) or kind.is_complete:
        _check_not_given("--cards", cards, "only together with a review log as CSV")
    if isinstance(kind, LogKind):
        if parts or scope.kind == "search":
            raise SearchImpossible
        if kind.is_complete:
            _check_not_given("--next-day-at", next_day_at, NEXT_DAY_AT_ALLOWED)
            snapshot = kind.read(path)
        else:
            existing = csv_log.read_cards(cards) if cards else None
            snapshot = replace(kind.read(path), clock=clock, cards=existing)
        return select(replace(snapshot, as_of_ms=time.time_ns() // 1_000_000), scope)

    def extract_and_read(folder: Path) -> tuple[Snapshot, bool]:
        collection = kind.extract(path, folder)
        collection_file.check(collection, path)
        # An .apkg leaves out the time zone, and whether FSRS is on.
        is_excerpt = kind.is_package and collection_file.has_new_settings(collection)
        if not is_excerpt:
            _check_not_given("--next-day-at", next_day_at, NEXT_DAY_AT_ALLOWED)
        return collection_file.read(collection, scope=scope, shown_as=path, parts=parts, progress=progress), is_excerpt

    with scratch_folder() as folder, packages.room_for_copy(folder):
        snapshot, is_excerpt = run_in_thread(lambda: extract_and_read(folder))
    if is_excerpt and not len(snapshot.revlog):
        raise EmptyRevlog(excerpt=True)
    return replace(snapshot, clock=clock, fsrs=None) if is_excerpt else snapshot


def check_is_file(path: Path) -> None:
    """Raise FileMissing if there is nothing at the path, and BadOption if it is a folder."""
    if not path.exists():
        raise FileMissing(path=str(path))
    if path.is_dir():
        allowed = "a file; for a folder of collections there is `benchmark`"
        raise BadOption(option="PATH", value=str(path), allowed=allowed)


def recognize(path: Path) -> CollectionKind | LogKind | None:
    """Return the kind of a file by its content, or None if it is unknown. Only a broken CSV is recognized by its name.

    Raises:
        OSError: if the file cannot be opened.
    """
    # A pipe or a device may have no end.
    if not path.is_file():
        return None
    with path.open("rb") as file:
        start = file.read(BEGINNING)
    columns = csv_log.columns_of(path) or set()
    for kind in KINDS:
        if kind.recognizes(start, columns):
            return kind
    return CSV if csv_log.looks_like_csv(path, columns) else None


def algorithms_in(path: Path) -> tuple[str, ...]:
    """Return the names of the algorithms whose own predictions a file contains. Raises OSError."""
    kind = recognize(path)
    return kind.predicted if isinstance(kind, LogKind) else ()


def _check_not_given(option: str, value: object, allowed: str) -> None:
    """Raise BadOption if the option has a value."""
    if value is not None:
        raise BadOption(option=option, value=str(value), allowed=allowed)
