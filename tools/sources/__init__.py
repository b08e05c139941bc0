"""Readers of review logs: Anki, SuperMemo, or a public data set. The content of a file decides which reader is used.

Each kind of file that is not Anki's own has a reader of its own, a module with ``recognizes`` and ``read``. Libraries
that recognize files (libmagic) know none of these.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType

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

#: Kinds of files recognized by their first bytes, and by the columns of a CSV. All but ``fsrs_logs`` state when a day
#: begins.
BY_BEGINNING = (protobuf_export, supermemo_comparison, supermemo_history)
BY_COLUMNS = (fsrs_logs, anki_20k)
#: Number of first bytes that are examined.
BEGINNING = 1 << 16

NEXT_DAY_AT_WITH = "only together with a review log as CSV or an .apkg; other files say it themselves"


def read(
    path: Path,
    *,
    scope: ScopeChoice = WHOLE_COLLECTION,
    cards: Path | None = None,
    next_day_at: int | None = None,
    parts: Sequence[str] = (),
    progress: Progress = SILENT,
) -> Snapshot:
    """Read the snapshot of the file at ``path``, which is not touched.

    Args:
        path: a collection, a package (``.colpkg``, ``.apkg``), a review log as CSV, plain or gzipped, or one of the
            files that :data:`BY_BEGINNING` and :data:`BY_COLUMNS` read.
        scope: whose reviews are evaluated; all are read.
        cards: CSV with ``id,did`` of the cards that still exist; for a CSV only.
        next_day_at: seconds since 1970 at which any day begins, for sources that do not state it: a CSV, and an
            ``.apkg``, in which Anki leaves the time zone out. Without it, 04:00 UTC is assumed.
        parts: searches that divide the cards, of a collection or package only.
        progress: called with the number of rows read from a collection.

    Raises:
        EvaluatorError: there is nothing to read there, or it is damaged, in use, or not understood.
    """
    check_is_file(path)
    kind = kind_of(path) if path.is_file() else None  # a pipe or device, which may have no end
    if kind is None:
        raise NotACollection(path=str(path))
    if kind not in ("collection", "package") and (parts or scope.kind == "search"):
        raise SearchImpossible
    if kind in ("csv", fsrs_logs):
        existing = csv_log.read_cards(cards) if cards else None
        revlog = (fsrs_logs if kind is fsrs_logs else csv_log).read(path)
        return select(Snapshot(revlog, stated_clock(next_day_at), existing, as_of_ms=now_ms()), scope)
    _refuse("--cards", cards, "only together with a review log as CSV")
    if isinstance(kind, ModuleType):
        _refuse("--next-day-at", next_day_at, NEXT_DAY_AT_WITH)
        return select(replace(kind.read(path), as_of_ms=now_ms()), scope)
    if kind == "collection":
        _refuse("--next-day-at", next_day_at, NEXT_DAY_AT_WITH)
    clock = stated_clock(next_day_at)
    with scratch_folder() as folder, packages.room_for_copy(folder):
        take_out = packages.unpack if kind == "package" else collection_file.copy
        collection = take_out(path, folder)
        # An .apkg leaves out the time zone, and whether FSRS is on.
        excerpt = kind == "package" and collection_file.has_new_settings(collection)
        if not excerpt:
            _refuse("--next-day-at", next_day_at, NEXT_DAY_AT_WITH)
        snapshot = collection_file.read(collection, scope=scope, shown_as=path, parts=parts, progress=progress)
    if excerpt and not len(snapshot.revlog):
        raise EmptyRevlog(excerpt=True)
    return replace(snapshot, clock=clock, fsrs=None) if excerpt else snapshot


def check_is_file(path: Path) -> None:
    """Raises FileMissing if there is nothing, and BadOption if there is a folder."""
    if not path.exists():
        raise FileMissing(path=str(path))
    if path.is_dir():
        allowed = "a file; for a folder of collections there is `benchmark`"
        raise BadOption(option="PATH", value=str(path), allowed=allowed)


def kind_of(path: Path) -> str | ModuleType | None:
    """Return what a file is, by its content; the name only tells a broken CSV from another file.

    That is "collection", "package", "csv" (a review log of Anki's), the module that reads it, or None.
    """
    with path.open("rb") as file:
        start = file.read(BEGINNING)
    if start.startswith(b"SQLite format 3\0"):
        return "collection"
    if start.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return "package"
    for reader in BY_BEGINNING:
        if reader.recognizes(start):
            return reader
    columns = csv_log.columns_of(path) or set()
    for reader in BY_COLUMNS:
        if reader.recognizes(columns):
            return reader
    return "csv" if csv_log.looks_like_csv(path) else None


def recorded_in(path: Path) -> tuple[str, ...]:
    """Return the names of the rows that a file brings with its own predictions. Raises OSError."""
    return getattr(kind_of(path), "PREDICTED", ()) if path.is_file() else ()


def _refuse(option: str, value: object, allowed: str) -> None:
    if value is not None:
        raise BadOption(option=option, value=str(value), allowed=allowed)
