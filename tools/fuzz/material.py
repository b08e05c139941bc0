"""Sound files for the fuzzer to damage: a small simulated log as collection, packages, CSV and results."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import sqlite3
from pathlib import Path

from tools.fuzz import foreign_logs
from tools.simulate import Habits, Learner, simulate, write_collection
from tools.simulate.csv_files import write_csv

LEARNER = Learner(seed=5, days=40, utc_offset_minutes=330, habits=Habits(new_per_day=3, reset=0.001, cram=0.05))


class Material:
    """The folder of the sound files. Attacks damage copies only."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.csv = folder / "log.revlog.csv"
        self.cards = folder / "log.cards.csv"  #: that still exist
        self.predictions = folder / "predictions.csv"  #: a probability for each row of the log

    @property
    def collections(self) -> list[list[Path]]:
        """Collections, each with what SQLite keeps beside it: nothing, a write-ahead log, or a rollback journal."""
        return [sorted((self.folder / name).glob("*.anki2*")) for name in ("plain", "wal", "journal")]

    @property
    def packages(self) -> list[Path]:
        """Packages in the new and the old format, of the whole collection and of its decks."""
        return sorted(self.folder.glob("*pkg"))

    @property
    def foreign(self) -> list[Path]:
        """The log in the forms of other programs and data sets."""
        return sorted((self.folder / "foreign").iterdir())

    @property
    def results(self) -> list[Path]:
        """Results files of this benchmark, and of the original one."""
        return sorted(self.folder.glob("*.jsonl"))


def make(folder: Path) -> Material:
    """Make the files in the folder, if they are missing: Anki writes new ids and times each time."""
    material = Material(folder)
    if not folder.exists():
        draft = folder.with_name(f"{folder.name}.tmp")
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(parents=True)
        _make(Material(draft))
        draft.rename(folder)
    return material


def _make(material: Material) -> None:
    simulation = simulate(LEARNER)
    collection = material.folder / "plain" / "collection.anki2"
    collection.parent.mkdir()
    write_collection(simulation, collection)
    for mode in ("wal", "journal"):
        _crash(collection, material.folder / mode, mode)
    export_packages(collection, material.folder)
    write_csv(simulation, material.folder, "log")
    foreign_logs.write_all(material.folder / "foreign", simulation)
    ids = simulation.revlog.review_id.tolist()
    rows = [f"{review_id},{0.5 + place % 5 / 10}\n" for place, review_id in enumerate(ids)]
    material.predictions.write_text("review_id,predicted\n" + "".join(rows), encoding="utf-8")
    _write_results(material.folder)


def _crash(collection: Path, folder: Path, mode: str) -> None:
    """Copy a collection as it is when the power fails while something is written to it."""
    folder.mkdir()
    work = folder / "work.anki2"
    shutil.copyfile(collection, work)
    db = sqlite3.connect(work, isolation_level=None)
    db.execute(f"pragma journal_mode = {'wal' if mode == 'wal' else 'delete'}")
    db.execute("pragma cache_size = 1")  # pages reach the file before the end
    db.execute("begin")
    db.execute("update revlog set time = time + 1")
    if mode == "wal":
        db.execute("commit")
    shutil.copyfile(work, folder / "collection.anki2")
    shutil.copyfile(f"{work}-{mode}", folder / f"collection.anki2-{mode}")
    if mode == "journal":
        db.execute("rollback")
    db.close()
    for path in folder.glob("work*"):
        path.unlink()


def export_packages(collection: Path, folder: Path) -> None:
    """Export ``new.apkg``, ``old.apkg``, ``new.colpkg`` and ``old.colpkg`` with Anki."""
    from anki.collection import Collection, ExportAnkiPackageOptions

    col = Collection(str(collection), server=True)
    for name, legacy in (("new", False), ("old", True)):
        options = ExportAnkiPackageOptions(with_scheduling=True, with_deck_configs=True, with_media=True, legacy=legacy)
        col.export_anki_package(out_path=os.fspath(folder / f"{name}.apkg"), options=options, limit=None)
        col.export_collection_package(os.fspath(folder / f"{name}.colpkg"), include_media=True, legacy=legacy)
        col.reopen()
    col.close()


def _write_results(folder: Path) -> None:
    algorithms = ("AVG", "SM-2", "FSRS-6")
    about = {"version": "1", "options": {"folds": 5, "since": None}, "parameters": 21, "inputs": ["intervals"]}
    with (folder / "ours.jsonl").open("w", encoding="utf-8") as file:
        for person in range(8):
            for rank, name in enumerate(algorithms):
                loss = 0.3 + person % 3 / 20 + rank / 100
                metrics = {"log_loss": loss, "rmse_bins": loss / 5, "rmse_bins_benchmark": loss / 6, "auc": 0.7}
                line = {"collection": f"{person}.anki2", "algorithm": name, "reviews": 100 + person, "in_sample": False}
                file.write(json.dumps({**about, **line, "metrics": metrics}) + "\n")
            failed = {"collection": f"bad{person}.anki2", "algorithm": None, "error": "It is damaged."}
            file.write(json.dumps({**about, **failed}) + "\n")
    with (folder / "original.jsonl").open("w", encoding="utf-8") as file:
        for person in range(8):
            loss = 0.3 + person % 3 / 20
            metrics = {"RMSE": 0.3, "LogLoss": loss, "RMSE(bins)": loss / 6, "ICI": 0.01, "AUC": 0.7}
            file.write(json.dumps({"metrics": metrics, "user": person, "size": 100, "parameters": {"0": [1.0]}}) + "\n")


def gzipped(content: bytes) -> bytes:
    """Compress with gzip; the same content gives the same bytes."""
    return gzip.compress(content, mtime=0)
