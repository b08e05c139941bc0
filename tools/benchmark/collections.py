"""Search of a folder for collections, packages, review logs, or users of the public data set."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from evaluator.data.revlog import Snapshot
from evaluator.errors import BadOption
from tools import sources
from tools.sources import anki_10k, csv_log, protobuf_export

#: Endings of collections and packages.
COLLECTIONS = (".anki2", ".anki21", ".colpkg", ".apkg", protobuf_export.ENDING)
#: Endings of review logs as CSV.
LOGS = csv_log.ENDINGS
#: Endings of review logs of other programs as text.
TEXTS = (".txt",)


@dataclass(frozen=True)
class Collection:
    """A collection, package, review log or user to evaluate."""

    #: The folder that was searched.
    source: Path
    #: The path within that folder, with ``/`` on every system.
    name: str
    #: Size of the data to read. The time of the evaluation is about proportional to it.
    size_bytes: int
    #: Second since 1970 at which a day begins, for collections that do not state it themselves.
    next_day_at: int | None = None
    #: Names of the algorithms whose own predictions the file contains.
    recorded: tuple[str, ...] = ()

    @property
    def path(self) -> Path:
        """Path of the file or folder."""
        return self.source / self.name

    @property
    def cards(self) -> Path | None:
        """Path of the ``cards.csv`` or ``X.cards.csv`` next to ``revlog.csv`` or ``X.revlog.csv``, if there is one."""
        start, infix, end = self.path.name.rpartition("revlog.")
        cards = self.path.with_name(f"{start}cards.{end}")
        return cards if infix and end.startswith(("csv", "tsv")) and cards.is_file() else None

    def read(self) -> Snapshot:
        """Read the snapshot.

        Raises:
            EvaluatorError: if it cannot be read.
            MachineNotReady: if this machine lacks a package for it.
        """
        if self.path.is_dir():
            return anki_10k.read_user(self.path)
        try:
            return sources.read(self.path, cards=self.cards, next_day_at=self.next_day_at)
        # The file itself says when a day begins.
        except BadOption:
            return sources.read(self.path, cards=self.cards)


@dataclass(frozen=True)
class Folder:
    """All collections of a folder, the largest first, and its other files."""

    collections: tuple[Collection, ...]
    #: Names of CSV files that are neither review logs nor the cards of one.
    other_tables: tuple[str, ...]
    #: Whether it has the layout of the public data set.
    is_dataset: bool

    def shard(self, number: int, count: int) -> Folder:
        """Return the folder with one of ``count`` shards of its collections, all with about the same work.

        Shard ``number``, from 1, has every ``count``-th collection by size.
        """
        return replace(self, collections=self.collections[number - 1 :: count])


def find_collections(source: Path, next_day_at: int | None) -> Folder:
    """Find all collections in the folder and in the folders within it.

    Raises:
        BadOption: if it is not a folder, or there are no collections in it.
    """
    if not source.is_dir():
        allowed = "a folder; for one file there is `evaluate`" if source.exists() else "a folder that exists"
        raise BadOption(option="FOLDER", value=str(source), allowed=allowed)
    source = source.resolve()
    is_dataset = anki_10k.is_dataset(source)
    collections, other_tables = (_users(source), []) if is_dataset else _files(source)
    if not collections:
        endings = ", ".join((*COLLECTIONS, *LOGS))
        allowed = f"a folder with {endings} or SuperMemo's .txt files, or revlogs/user_id=N/*.parquet"
        raise BadOption(option="FOLDER", value=str(source), allowed=allowed)
    collections.sort(key=lambda collection: (-collection.size_bytes, collection.name))
    with_clock = tuple(replace(collection, next_day_at=next_day_at) for collection in collections)
    return Folder(with_clock, tuple(other_tables), is_dataset)


def _users(source: Path) -> list[Collection]:
    """Return the users of the public data set."""
    return [
        Collection(source, path.relative_to(source).as_posix(), sum(file.stat().st_size for file in path.iterdir()))
        for path in anki_10k.user_folders(source)
    ]


def _files(source: Path) -> tuple[list[Collection], list[str]]:
    """Return the collections in a folder of files, and the names of tables that are not used."""
    collections = []
    other_tables = set()
    for path in source.rglob("*"):
        name = path.relative_to(source).as_posix()
        has_ending = name.lower().endswith
        if not has_ending((*COLLECTIONS, *LOGS, *TEXTS)) or not path.is_file():
            continue
        try:
            kind = sources.recognize(path)
        except OSError:
            kind = None
        is_log = has_ending(LOGS) and _is_review_log(path)
        if is_log or has_ending(COLLECTIONS) or kind not in (None, sources.CSV):
            recorded = kind.predicted if isinstance(kind, sources.LogKind) else ()
            collections.append(Collection(source, name, path.stat().st_size, recorded=recorded))
        elif has_ending(LOGS):
            other_tables.add(name)
    cards_tables = {cards.relative_to(source).as_posix() for item in collections if (cards := item.cards)}
    return collections, sorted(other_tables - cards_tables)


def _is_review_log(path: Path) -> bool:
    """Return whether a CSV has columns of a review log. A damaged file counts as one, so that it is reported."""
    columns = csv_log.columns_of(path)
    return columns is None or csv_log.recognizes(b"", columns)
