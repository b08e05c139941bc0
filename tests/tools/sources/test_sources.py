from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import foreign_logs
import numpy as np
import pytest
from anki.collection import Collection
from exporting import export_packages

from evaluator.data.revlog import Revlog, Snapshot
from evaluator.errors import BadOption, CollectionInUse, NotACollection
from evaluator.progress import Progress
from tools import sources
from tools.simulate import Simulation

#: Opens a collection in Anki until standard input ends.
HOLD_OPEN_IN_ANKI = """
import sys
from anki.collection import Collection
col = Collection(sys.argv[1])
print("open", flush=True)
sys.stdin.read()
col.close()
"""


def sorted_rows(revlog: Revlog) -> np.ndarray:
    """Return all rows sorted by id, (rows, 8)."""
    table = np.stack(list(vars(revlog).values()), axis=1)
    return table[np.argsort(revlog.review_id)]


def assert_same_log(snapshot: Snapshot, simulation: Simulation) -> None:
    np.testing.assert_array_equal(sorted_rows(snapshot.revlog), sorted_rows(simulation.revlog))


@pytest.mark.parametrize("name", ["collection", "colpkg", "old_colpkg"])
def test_collection_and_its_packages_have_all_rows_cards_and_the_clock(name, files, simulation):
    snapshot = sources.read(getattr(files, name))
    assert_same_log(snapshot, simulation)
    assert set(snapshot.cards.card_id) == set(simulation.cards.card_id)
    assert len(set(snapshot.cards.deck_id)) == 2
    clock = snapshot.clock
    # 04:00 at UTC+5:30 is 22:30 UTC
    assert (clock.utc_offset_minutes, clock.next_day_at % 86_400) == (330, (22 * 60 + 30) * 60)
    assert (clock.rollover_hour, clock.assumed) == (4, False)
    assert snapshot.fsrs is True


@pytest.mark.parametrize("name", ["apkg", "old_apkg"])
def test_package_of_decks_has_the_rows_of_its_cards(name, files, simulation):
    snapshot = sources.read(getattr(files, name))
    is_existing = np.isin(simulation.revlog.card_id, simulation.cards.card_id)
    np.testing.assert_array_equal(sorted_rows(snapshot.revlog), sorted_rows(simulation.revlog.take(is_existing)))
    assert set(snapshot.cards.card_id) == set(simulation.cards.card_id)


def test_suspended_cards_are_known_for_collections_and_packages(collection, tmp_path):
    col = Collection(str(collection))
    set_aside = col.find_cards("is:review")[:3]
    suspended, *buried = set_aside
    col.sched.suspend_cards([suspended])
    col.sched.bury_cards(buried[:1], manual=True)
    col.sched.bury_cards(buried[1:], manual=False)
    assert sorted(queue for (queue,) in col.db.all("select queue from cards where queue < 0")) == [-3, -2, -1]
    col.close()
    export_packages(collection, tmp_path)
    for path in (collection, *(tmp_path / f"{age}.{kind}" for age in ("new", "old") for kind in ("colpkg", "apkg"))):
        cards = sources.read(path).cards
        assert set(cards.card_id[cards.set_aside].tolist()) == set(set_aside), path.name


@pytest.mark.parametrize("kind", ["colpkg", "old_colpkg", "apkg", "old_apkg"])
def test_renamed_package_is_recognized(kind, files, tmp_path):
    original = getattr(files, kind)
    is_of_decks = "apkg" in kind
    path = shutil.copyfile(original, tmp_path / ("renamed.colpkg" if is_of_decks else "renamed.apkg"))
    renamed, expected = (sources.read(file) for file in (path, original))
    assert (renamed.clock, renamed.fsrs) == (expected.clock, expected.fsrs)
    assert renamed.clock.assumed == (renamed.fsrs is None) == is_of_decks
    with contextlib.nullcontext() if is_of_decks else pytest.raises(BadOption):
        clock = sources.read(path, next_day_at=1_700_000_000).clock
        assert (clock.next_day_at, clock.assumed) == (1_700_000_000, False)


@pytest.mark.parametrize(
    "header",
    [
        "id,cid,ease,ivl,lastIvl,factor,time,type",
        "id,cid,r,ivl,last_lvl,factor,time,type",
        "ID,cid,Rating,ivl,last_ivl,factor,time,type",
    ],
)
def test_csv_with_any_name_of_a_column_has_the_same_rows(header, files, simulation, tmp_path):
    _, _, rows = files.csv.read_text().partition("\n")
    path = tmp_path / "revlog.csv"
    path.write_text(f"usn,{header}\n-1," + rows.rstrip().replace("\n", "\n-1,"))
    snapshot = sources.read(path, cards=files.cards, next_day_at=1_700_000_000)
    assert_same_log(snapshot, simulation)
    assert set(snapshot.cards.card_id) == set(simulation.cards.card_id)
    assert (snapshot.clock.next_day_at, snapshot.fsrs, snapshot.cards.set_aside) == (1_700_000_000, None, None)


@pytest.mark.parametrize("changed", [1_700_000_000_123, 0])
def test_last_change_of_a_collection_is_read(changed, collection, monkeypatch):
    """A collection that was never changed has 0, so the current time is used."""
    monkeypatch.setattr("time.time_ns", lambda: 1_800_000_000_456_000_000)
    with contextlib.closing(sqlite3.connect(collection)) as db, db:
        db.execute("update col set mod = ?", [changed])
    assert sources.read(collection).as_of_ms == (changed or 1_800_000_000_456)


def test_other_sources_use_the_current_time(files, simulation, tmp_path, monkeypatch):
    monkeypatch.setattr("time.time_ns", lambda: 1_800_000_000_456_000_000)
    foreign_logs.write_comparison(tmp_path / "dated.csv", simulation)
    for path in (files.csv, tmp_path / "dated.csv"):
        assert sources.read(path).as_of_ms == 1_800_000_000_456


def test_content_not_name_decides_the_kind_of_file(files, simulation, tmp_path):
    for name, disguise in (("collection", "a.csv"), ("colpkg", "b.anki2"), ("csv_gz", "c.bin"), ("csv", "d.anki2")):
        path = shutil.copyfile(getattr(files, name), tmp_path / disguise)
        assert_same_log(sources.read(path), simulation)


def test_row_that_is_only_in_the_wal_is_read(collection, simulation, tmp_path):
    folder = tmp_path / "crashed"
    folder.mkdir()
    with contextlib.closing(sqlite3.connect(collection)) as db:
        db.execute("pragma journal_mode = wal")
        db.execute("pragma wal_autocheckpoint = 0")
        db.execute("insert into revlog values (1719800000000, 1, -1, 3, 1, 1, 2500, 5000, 1)")
        db.commit()
        for file in tmp_path.glob("collection.anki2*"):
            if not file.name.endswith("-shm"):
                shutil.copyfile(file, folder / file.name)
    crashed = folder / "collection.anki2"
    assert (folder / "collection.anki2-wal").stat().st_size > 0
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    snapshot = sources.read(crashed)
    assert len(snapshot.revlog) == len(simulation.revlog) + 1
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before


def test_collection_open_in_anki_is_refused_and_not_harmed(collection):
    anki = subprocess.Popen(
        [sys.executable, "-c", HOLD_OPEN_IN_ANKI, str(collection)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    with anki:
        assert anki.stdout.readline() == "open\n"
        before = collection.read_bytes()
        for _ in range(2):  # the first attempt must not break Anki's lock
            with pytest.raises(CollectionInUse):
                sources.read(collection)
        assert collection.read_bytes() == before
        anki.stdin.close()
        assert anki.wait() == 0
    assert len(sources.read(collection).revlog)


def test_collection_that_is_written_to_while_it_is_copied_is_refused(collection, monkeypatch):
    def copy(path, to, copyfile=shutil.copyfile):
        copyfile(path, to)
        os.utime(path, ns=(0, 0))

    monkeypatch.setattr("shutil.copyfile", copy)
    with pytest.raises(CollectionInUse):
        sources.read(collection)


def test_reading_reports_progress(files, simulation):
    steps = []
    sources.read(files.collection, progress=Progress(lambda *step: steps.append(step[3:])))
    rows = len(simulation.revlog)
    assert steps[0] == (0, rows)
    assert steps[-1] == (rows, rows)


def test_impossible_options_are_refused(files):
    with pytest.raises(BadOption):
        sources.read(files.collection, cards=files.cards)
    for seconds in (-1, 1_700_000_000_000):
        with pytest.raises(BadOption):
            sources.read(files.csv, next_day_at=seconds)


def test_pipe_is_refused_without_waiting(tmp_path):
    pipe = tmp_path / "revlog.csv"
    os.mkfifo(pipe)
    for path in (pipe, Path(os.devnull)):
        with pytest.raises(NotACollection):
            sources.read(path)
