"""Where a review log can come from: a collection, a package of Anki, or a CSV file. What it is decides its content."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from evaluator.errors import BadOption, FileMissing, NotACollection, SearchImpossible
from evaluator.revlog import Snapshot
from evaluator.scope import WHOLE_COLLECTION, ScopeChoice
from evaluator.selection import select
from tools.sources import collection_file, csv_log, packages
from tools.sources.clock import stated_clock

#: Told the rows read so far and the rows in all.
OnProgress = Callable[[int, int], None]


def read(
    path: Path,
    *,
    scope: ScopeChoice = WHOLE_COLLECTION,
    cards: Path | None = None,
    next_day_at: int | None = None,
    on_progress: OnProgress | None = None,
) -> Snapshot:
    """The snapshot of whatever lies at ``path``, which is not touched.

    Args:
        path: a collection, a package (``.colpkg``, ``.apkg``), or a review log as CSV, plain or gzipped.
        scope: whose reviews are evaluated; all are read.
        cards: CSV with ``id,did`` of the cards that still exist; for a CSV only.
        next_day_at: seconds since 1970 at which some day begins, for sources that do not say it: a CSV, and an
            ``.apkg``, in which Anki leaves the time zone out. Without it, 04:00 UTC is assumed.
        on_progress: is told how far the reading is.

    Raises:
        EvaluatorError: there is nothing to read there, or it is damaged, in use, or not understood.
    """
    if path.is_dir():
        raise NotACollection(path=str(path))
    if not path.is_file():
        raise FileMissing(path=str(path))
    kind = _kind(path)
    if kind == "unknown":
        raise NotACollection(path=str(path))
    if kind == "csv":
        if scope.kind == "search":
            raise SearchImpossible
        return select(csv_log.read_snapshot(path, cards=cards, clock=stated_clock(next_day_at)), scope)
    _refuse("--cards", cards, "only together with a review log as CSV")
    says_no_time = kind == "package" and path.suffix.lower() == ".apkg"
    if not says_no_time:
        _refuse("--next-day-at", next_day_at, "only together with a CSV or an .apkg; a collection says it itself")
    clock = stated_clock(next_day_at)
    with tempfile.TemporaryDirectory(prefix="srs-evaluator-") as folder:
        take_out = packages.unpack if kind == "package" else collection_file.copy
        collection = take_out(path, Path(folder))
        snapshot = collection_file.read(collection, scope=scope, shown_as=path, on_progress=on_progress)
    return replace(snapshot, clock=clock) if says_no_time else snapshot


def _kind(path: Path) -> str:
    """By the first bytes; the name only tells a broken CSV from a file of another kind."""
    with path.open("rb") as file:
        start = file.read(16)
    if start.startswith(b"SQLite format 3\0"):
        return "collection"
    if start.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return "package"
    return "csv" if csv_log.looks_like_csv(path) else "unknown"


def _refuse(option: str, value: object, allowed: str) -> None:
    if value is not None:
        raise BadOption(option=option, value=str(value), allowed=allowed)
