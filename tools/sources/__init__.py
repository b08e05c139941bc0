"""Readers of review logs: Anki, SuperMemo, or a public data set. The content of a file decides which reader is used.

Libraries that recognize files (libmagic) know none of these.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from evaluator.data.revlog import Snapshot
from evaluator.data.selection import select
from evaluator.errors import BadOption, EmptyRevlog, FileMissing, NotACollection, SearchImpossible
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
from tools.sources.clock import now_ms, stated_clock
from ui.files import scratch_folder

#: Number of first bytes that are examined.
BEGINNING = 1 << 16

NEXT_DAY_AT_WITH = "only together with a review log as CSV or an .apkg; other files say it themselves"


@dataclass(frozen=True)
class CollectionKind:
    """A kind of files that hold a collection of Anki's."""

    recognizes: Callable[[bytes, set[str]], bool]  #: from the first bytes, and the names of the columns in lower case
    extract: Callable[[Path, Path], Path]  #: writes the file's collection into a folder, and returns its path
    is_package: bool = False


@dataclass(frozen=True)
class LogKind:
    """A kind of files that hold a review log, of Anki or of another program."""

    recognizes: Callable[[bytes, set[str]], bool]  #: from the first bytes, and the names of the columns in lower case
    read: Callable[[Path], Snapshot]
    is_complete: bool = True  #: whether they say when a day begins and, if it is known, which cards exist
    predicted: tuple[str, ...] = ()  #: names of the rows that they bring with their own predictions


#: Review logs in Anki's columns. Every other CSV is read as one too, so that the error says what is missing.
CSV = LogKind(csv_log.recognizes, csv_log.read, is_complete=False)
#: The most common kinds come first. No file is of two kinds.
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
    """Read the snapshot of a file, which is not touched.

    Args:
        path: a collection, a package (``.colpkg``, ``.apkg``), a review log as CSV, plain or gzipped, or another of
            the :data:`KINDS`.
        scope: whose reviews are evaluated. All are read.
        cards: CSV with ``id,did`` of the cards that still exist, for a CSV only.
        next_day_at: seconds since 1970 at which any day begins, for sources that do not state it: a CSV, and an
            ``.apkg``, in which Anki leaves the time zone out. Without it, 04:00 UTC is assumed.
        parts: searches that divide the cards, of a collection or package only.
        progress: called with the number of rows read from a collection.

    Raises:
        EvaluatorError: if there is nothing to read, or the file is damaged, in use, or not understood.
    """
    check_is_file(path)
    kind = recognize(path)
    if kind is None:
        raise NotACollection(path=str(path))
    clock = stated_clock(next_day_at)
    if isinstance(kind, LogKind):
        if parts or scope.kind == "search":
            raise SearchImpossible
        if kind.is_complete:
            _refuse("--cards", cards, "only together with a review log as CSV")
            _refuse("--next-day-at", next_day_at, NEXT_DAY_AT_WITH)
            snapshot = kind.read(path)
        else:
            existing = csv_log.read_cards(cards) if cards else None
            snapshot = replace(kind.read(path), clock=clock, cards=existing)
        return select(replace(snapshot, as_of_ms=now_ms()), scope)
    _refuse("--cards", cards, "only together with a review log as CSV")
    with scratch_folder() as folder, packages.room_for_copy(folder):
        collection = kind.extract(path, folder)
        # An .apkg leaves out the time zone, and whether FSRS is on.
        is_excerpt = kind.is_package and collection_file.has_new_settings(collection)
        if not is_excerpt:
            _refuse("--next-day-at", next_day_at, NEXT_DAY_AT_WITH)
        snapshot = collection_file.read(collection, scope=scope, shown_as=path, parts=parts, progress=progress)
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
    """Return the kind of a file by its content. The name only tells a broken CSV from other files.

    Raises:
        OSError: if the file cannot be opened.
    """
    if not path.is_file():  # a pipe or a device may have no end
        return None
    with path.open("rb") as file:
        start = file.read(BEGINNING)
    columns = csv_log.columns_of(path) or set()
    for kind in KINDS:
        if kind.recognizes(start, columns):
            return kind
    return CSV if csv_log.looks_like_csv(path, columns) else None


def predicted_in(path: Path) -> tuple[str, ...]:
    """Return the names of the rows that a file brings with its own predictions. Raises OSError."""
    kind = recognize(path)
    return kind.predicted if isinstance(kind, LogKind) else ()


def _refuse(option: str, value: object, allowed: str) -> None:
    if value is not None:
        raise BadOption(option=option, value=str(value), allowed=allowed)
