from __future__ import annotations

import gzip
import shutil
from unittest.mock import Mock

import pytest

from evaluator import __version__
from evaluator.options import Options
from tools.benchmark.collections import Collection, find_collections
from tools.benchmark.results_format import MISTAKE
from tools.benchmark.work import Task, evaluate_collection
from tools.environment import MachineNotReady
from tools.sources.predictions import PredictionsFile


@pytest.fixture
def folder(files, tmp_path):
    """Return a folder with each kind of file, some in subfolders, among other files."""
    sources = {
        files.collection: ["b/collection.anki2"],
        files.colpkg: ["new.colpkg"],
        files.apkg: ["deck.apkg"],
        files.csv: ["a/revlog.csv", "n/1.revlog.csv", "plain.csv"],
        files.csv_gz: ["a/me.revlog.csv.gz"],
        files.cards: ["a/cards.csv", "n/1.cards.csv", "cards.csv"],
    }
    for file, names in sources.items():
        for name in names:
            (tmp_path / name).parent.mkdir(exist_ok=True)
            shutil.copy(file, tmp_path / name)
    (tmp_path / "b" / "collection.anki2-wal").write_bytes(b"")
    (tmp_path / "notes.txt").write_text("ease,ivl\n")
    (tmp_path / "torn.csv.gz").write_bytes(gzip.compress(b"id,cid,ease\n" * 1000)[:30])
    (tmp_path / "predictions.csv").write_text("review_id,card_id,elapsed_days,fold,recalled,AVG\n")
    return tmp_path


def test_all_kinds_of_files_are_found_and_no_others(folder):
    result = find_collections(folder, None)
    assert sorted(collection.name for collection in result.collections) == [
        "a/me.revlog.csv.gz", "a/revlog.csv", "b/collection.anki2", "deck.apkg", "n/1.revlog.csv", "new.colpkg",
        "plain.csv", "torn.csv.gz",
    ]  # fmt: skip
    assert result.other_tables == ("cards.csv", "predictions.csv")
    sizes = [collection.size_bytes for collection in result.collections]
    assert sizes == sorted(sizes, reverse=True)


def test_review_log_uses_the_cards_file_next_to_it(folder):
    collections = find_collections(folder, None).collections
    with_cards = {collection.name: collection.cards for collection in collections if collection.cards}
    assert with_cards == {"a/revlog.csv": folder / "a" / "cards.csv", "n/1.revlog.csv": folder / "n" / "1.cards.csv"}


def test_start_of_day_is_passed_to_sources_without_one(folder, simulation):
    stated = simulation.clock.next_day_at + 3600
    for collection in find_collections(folder, next_day_at=stated).collections:
        if collection.name == "torn.csv.gz":
            continue
        snapshot = collection.read()
        has_own_start = collection.name in {"b/collection.anki2", "new.colpkg"}
        assert (snapshot.clock.next_day_at == stated) != has_own_start, collection.name
        assert not snapshot.clock.assumed
        assert len(snapshot.revlog)


def test_machine_that_cannot_do_the_work_ends_the_run(folder, tmp_path):
    collection = find_collections(folder, None).collections[0]
    options = Options(algorithms=("AVG",))
    with pytest.raises(MachineNotReady, match=f"runs SRS Evaluator {__version__}, but this run uses 9"):
        evaluate_collection(Task(collection, options, version="9"))
    external = PredictionsFile("Mine", tmp_path / "mine")
    with pytest.raises(MachineNotReady, match=f"has no folder {tmp_path / 'mine'}. All machines must see it there"):
        evaluate_collection(Task(collection, options, (external,)))
    shutil.rmtree(folder)
    with pytest.raises(MachineNotReady, match=f"has no folder {folder}"):
        evaluate_collection(Task(collection, options))


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (PermissionError(13, "Permission denied", "/somewhere/a.csv"), "a.csv cannot be read: Permission denied."),
        (KeyError("x"), MISTAKE),
        (OSError("<Buffer> of /somewhere"), MISTAKE),
        (MemoryError(), "Not enough memory."),
    ],
)
def test_failure_is_a_sentence_without_the_path_on_the_machine(error, sentence, tmp_path, monkeypatch):
    monkeypatch.setattr(Collection, "read", Mock(side_effect=error))
    (line,) = evaluate_collection(Task(Collection(tmp_path, "a.csv", 1), Options(), missing=("AVG",)))
    assert line["error"] == sentence


def test_mistake_of_an_algorithm_is_a_sentence(files, monkeypatch):
    monkeypatch.setattr("evaluator.algorithms.sm2.SM2.first", Mock(side_effect=KeyError("x")), raising=False)
    collection = Collection(files.csv.parent, files.csv.name, 1)
    (line,) = evaluate_collection(Task(collection, Options(("SM-2",)), missing=("SM-2",)))
    assert line["error"] == MISTAKE
