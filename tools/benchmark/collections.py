"""List the collections, packages, review logs or users of the public data set in a folder."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from evaluator.data.revlog import Snapshot
from evaluator.errors import BadOption
from tools import sources
from tools.sources import csv_log, dataset, protobuf_export

#: Extensions of collections and packages, and of review logs.
COLLECTIONS = (".anki2", ".anki21", ".colpkg", ".apkg", protobuf_export.ENDING)
LOGS = csv_log.ENDINGS
#: Text files count only if they are not Anki's review logs.
TEXTS = (".txt",)


@dataclass(frozen=True)
class Collection:
    """One collection, package, review log or person to evaluate."""

    source: Path  #: the folder that was searched
    name: str  #: its path in there, with ``/`` on every system
    size_bytes: int  #: size to read, to which the time is proportional
    next_day_at: int | None = None  #: for collections that do not state it themselves
    recorded: tuple[str, ...] = ()  #: the rows that it brings with its own predictions

    @property
    def path(self) -> Path:
        """Its file or folder."""
        return self.source / self.name

    @property
    def cards(self) -> Path | None:
        """The ``cards.csv`` or ``X.cards.csv`` next to ``revlog.csv`` or ``X.revlog.csv``, if there is one."""
        start, result, end = self.path.name.rpartition("revlog.")
        cards = self.path.with_name(f"{start}cards.{end}")
        return cards if result and end.startswith(("csv", "tsv")) and cards.is_file() else None

    def read(self) -> Snapshot:
        """Read its snapshot.

        Raises:
            EvaluatorError: it cannot be read.
            MachineNotReady: this machine lacks a package for it.
        """
        if self.path.is_dir():
            return dataset.read_user(self.path)
        try:
            return sources.read(self.path, cards=self.cards, next_day_at=self.next_day_at)
        except BadOption:  # the file itself says when a day begins
            return sources.read(self.path, cards=self.cards)


@dataclass(frozen=True)
class Folder:
    """All collections of a folder, the largest first, and its other files."""

    collections: tuple[Collection, ...]
    others: tuple[str, ...]  #: names of tables that are not review logs, nor the cards of one
    is_dataset: bool  #: laid out as the public data set

    def shard(self, number: int, count: int) -> Folder:
        """Return every ``of``-th collection from the ``number``-th, by size, so that each shard has as much work."""
        return replace(self, collections=self.collections[number - 1 :: count])


def find(source: Path, next_day_at: int | None = None) -> Folder:
    """Find all collections in the folder and in the folders within it.

    Raises:
        BadOption: it is not a folder, or there is nothing in it.
    """
    if not source.is_dir():
        allowed = "a folder; for one file there is `evaluate`" if source.exists() else "a folder that exists"
        raise BadOption(option="FOLDER", value=str(source), allowed=allowed)
    source = source.resolve()
    is_dataset = dataset.is_dataset(source)
    result, others = _people(source) if is_dataset else _files(source)
    if not result:
        endings = ", ".join((*COLLECTIONS, *LOGS))
        allowed = f"a folder with {endings} or SuperMemo's .txt files, or revlogs/user_id=N/*.parquet"
        raise BadOption(option="FOLDER", value=str(source), allowed=allowed)
    result.sort(key=lambda collection: (-collection.size_bytes, collection.name))
    return Folder(tuple(replace(item, next_day_at=next_day_at) for item in result), tuple(others), is_dataset)


def _people(source: Path) -> tuple[list[Collection], list[str]]:
    return [
        Collection(source, index.relative_to(source).as_posix(), sum(f.stat().st_size for f in index.iterdir()))
        for index in dataset.user_folders(source)
    ], []


def _files(source: Path) -> tuple[list[Collection], list[str]]:
    result, others = [], set()
    for path in source.rglob("*"):
        name = path.relative_to(source).as_posix()
        ending = name.lower().endswith
        if not ending((*COLLECTIONS, *LOGS, *TEXTS)) or not path.is_file():
            continue
        kind = None if ending(COLLECTIONS) else _recognize(path)
        is_table = ending((*LOGS, *TEXTS)) and kind in (None, sources.CSV)
        if not is_table or (ending(LOGS) and _is_review_log(path)):
            recorded = kind.predicted if isinstance(kind, sources.LogKind) else ()
            result.append(Collection(source, name, path.stat().st_size, recorded=recorded))
        elif ending(LOGS):
            others.add(name)
    used = {cards.relative_to(source).as_posix() for item in result if (cards := item.cards)}
    return result, sorted(others - used)


def _recognize(path: Path) -> sources.CollectionKind | sources.LogKind | None:
    """Return the kind of a file, or None if it is unknown or the file cannot be opened."""
    try:
        return sources.recognize(path)
    except OSError:
        return None


def _is_review_log(path: Path) -> bool:
    """Return whether a CSV has review-log columns. A damaged one counts, so that it is reported."""
    columns = csv_log.columns_of(path)
    return columns is None or csv_log.recognizes(b"", columns)
