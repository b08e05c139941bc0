from __future__ import annotations

import contextlib
import json
import sqlite3
import ssl
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from anki.collection import Collection

from evaluator.data.reviews import CardRows
from evaluator.data.revlog import Revlog
from evaluator.evaluation import evaluate, prepare
from evaluator.findings.optimizing import optimize_presets
from evaluator.options import Options
from tools.evaluate import main
from tools.simulate import Learner, simulate, write_collection
from ui import menu
from ui.anki import anki_versions, collection
from ui.anki.libraries import install
from ui.anki.libraries.lock_files import Lock
from ui.anki.optimizer import optimize_button
from ui.scope_access import ScopeChoice
from ui.views.scope_sentences import choice_sentences

#: Every button in every kind of row, including filtered, manual and rescheduled ones.
ROWS = [(kind, button) for kind in range(6) for button in range(5)]


def test_learning_buttons_are_mapped_as_ankis_upgrade_does_it():
    """The reference is the statement of Anki's ``v2_upgrade.sql``, run by SQLite."""
    with contextlib.closing(sqlite3.connect(":memory:")) as db:
        db.execute("create table revlog (id integer primary key, type integer, ease integer)")
        db.executemany("insert into revlog (type, ease) values (?, ?)", ROWS)
        db.execute("update revlog set ease = ease + 1 where ease in (2, 3) and type in (0, 2)")
        upgraded = [ease for (ease,) in db.execute("select ease from revlog order by id")]
    kind, button = np.array(ROWS, dtype=np.int64).T
    filler = np.arange(len(ROWS), dtype=np.int64)
    log = Revlog(filler, filler, button, filler, filler, filler, filler, kind)
    mapped, changed_rows = anki_versions.with_todays_buttons(log, first_scheduler=True)
    assert (mapped.button.tolist(), changed_rows) == (upgraded, 4)
    assert anki_versions.with_todays_buttons(log, first_scheduler=False) == (log, 0)


@pytest.mark.parametrize(
    ("settings", "version"),
    [
        ({}, 3),
        *[({"schedVer": number}, 1) for number in (None, 1)],
        *[({"sched2021": switch}, 2) for switch in (None, False)],
    ],
)
def test_scheduler_of_a_collection_is_read(tmp_path, settings, version):
    col = Collection(str(tmp_path / "col.anki2"))
    for key, value in settings.items():
        col.set_config(key, value) if value is not None else col.remove_config(key)
    assert (col.sched_ver(), col.v3_scheduler()) == (min(version, 2), version == 3)
    assert collection.read(col).scheduler == version
    col.close()


@pytest.fixture(scope="module")
def studied(tmp_path_factory):
    return write_collection(simulate(Learner(seed=4, days=90)), tmp_path_factory.mktemp("first") / "col.anki2")


@pytest.fixture
def col(studied, tmp_path):
    """A copy of the studied collection."""
    path = tmp_path / "col.anki2"
    path.write_bytes(studied.read_bytes())
    col = Collection(str(path))
    yield col
    col.close()


def test_first_scheduler_reads_as_after_upgrade(col):
    col.db.execute("update revlog set ease = ease - 1 where ease in (3, 4) and type in (0, 2)")
    col.set_config("schedVer", 1)
    assert col.sched_ver() == 1
    stored = col.db.list("select ease from revlog order by id")
    before = collection.read(col)
    assert col.db.list("select ease from revlog order by id") == stored, "nothing is written"

    col.upgrade_to_v2_scheduler()
    after = collection.read(col)
    assert before.revlog.button.tolist() == after.revlog.button.tolist()
    assert before.renumbered_buttons == int((before.revlog.button.tolist() != np.array(stored)).sum()) > 50
    assert after.renumbered_buttons == 0

    reports = [evaluate(snapshot, Options(algorithms=("AVG",))).report for snapshot in (before, after)]
    (sentence,) = choice_sentences(reports[0].scope)
    assert f"(rows: {before.renumbered_buttons:,})" in sentence
    assert choice_sentences(reports[1].scope) == ()


@pytest.mark.parametrize("share_ignored", [0.0, 0.3])
def test_optimizing_again_gains_nothing(col, tmp_path, share_ignored):
    col.set_config("fsrs", True)
    presets = [preset for preset in col.decks.all_config() if col.find_cards(f'preset:"{preset["name"]}"')]
    instants = col.db.list("select id from revlog order by id")
    ignored = np.datetime64(instants[int(share_ignored * len(instants))], "ms").astype("datetime64[D]")
    for preset in presets:
        preset["ignoreRevlogsBeforeDate"] = str(ignored)
        optimized = col._backend.compute_fsrs_params(
            search=f'preset:"{preset["name"]}" -is:suspended',
            current_params=(),
            ignore_revlogs_before_ms=int(ignored.astype("datetime64[ms]").astype(int)),
            num_of_relearning_steps=1,
            health_check=False,
        )
        preset["fsrsParams6"] = list(optimized.params)
        col.decks.update_config(preset)
    snapshot = collection.read(col)
    rows = col.db.scalar("select count() from revlog")
    assert presets
    assert all(preset["fsrsParams6"] for preset in presets)
    options = Options(algorithms=("Your parameters",))
    by_anki, by_us = (
        [finding.optimizing.change for finding in evaluate(snapshot, options, optimize=optimize).report.findings[1:]]
        for optimize in (optimize_button(), None)
    )
    assert max(by_anki) < 1e-6
    assert min(by_us) > 0.001
    # Without stored parameters, the optimizer finds the same ones again instead of keeping them.
    unoptimized = tuple(replace(preset, parameters=()) for preset in snapshot.presets or ())
    data = prepare(replace(snapshot, presets=unoptimized), options)[0]
    optimized_again = dict(optimize_presets(data, data.presets, optimize=optimize_button()))
    for preset in presets:
        assert optimized_again[preset["id"]].parameters == pytest.approx(preset["fsrsParams6"], rel=1e-6)
    assert col.db.scalar("select count() from revlog") == rows, "nothing is written"
    path = col.path
    col.close()
    assert main([path, "--algorithms", "Your parameters", "--json", str(tmp_path / "report.json")]) == 0
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert all(finding["optimizing"]["change"] < 1e-6 for finding in report["findings"] if finding["kind"] == "preset")


def first_review_ids(rows: CardRows) -> list[int]:
    """Return the ids of the first reviews of all cards, in order."""
    return sorted(rows.review_id[rows.position == 0].tolist())


def test_cards_reviewed_before_a_date_are_ignored_as_anki_does(col):
    # Some cards were later learned again as new cards, so that their log is longer than their present history.
    cards = col.db.list("select cid from revlog group by cid having count() > 4 limit 30")
    for card in cards:
        middle = col.db.list("select id from revlog where cid = ? order by id", card)[2]
        col.db.execute("update revlog set type = 0 where id = ?", middle)
    data = prepare(collection.read(col), Options())[0]
    starts = first_review_ids(data.rows)
    for instant in (0, starts[0], starts[0] + 1, starts[40], starts[40] + 1, starts[-1] + 1):
        request = {"search": "", "current_params": (), "ignore_revlogs_before_ms": instant}
        optimized = col._backend.compute_fsrs_params(**request, num_of_relearning_steps=1, health_check=False)
        rows = data.without_cards_reviewed_before(instant).rows
        assert optimized.fsrs_items == int((rows.elapsed_days > 0).sum())
        assert optimize_button()(rows, ()) == pytest.approx(tuple(optimized.params), rel=1e-6)
        assert [start for start in starts if start >= instant] == first_review_ids(rows)
    assert optimized.fsrs_items == len(data.without_cards_reviewed_before(instant).reviews) == 0


def test_optimizer_is_none_if_not_callable(monkeypatch):
    monkeypatch.setattr("anki._backend.RustBackend", object)
    assert optimize_button() is None


@pytest.mark.parametrize(
    ("browser", "search"),
    [
        (SimpleNamespace(_lastSearchTxt="deck:A", current_search=lambda: "typed"), "deck:A"),
        (SimpleNamespace(current_search=lambda: "typed"), "typed"),
    ],
)
def test_scope_of_browser_is_its_last_search(browser, search):
    assert menu._scope_of_browser(browser) == ScopeChoice("search", search)


def test_pip_loads_certificates_itself_unless_anki_does(monkeypatch):
    lock = Lock(Path("lock.txt"), 1, ())
    option = "--use-deprecated=legacy-certs"
    monkeypatch.setattr(ssl, "SSLContext", type("SSLContext", (), {"__module__": "ssl"}))
    assert option not in install._pip_arguments(lock, Path("there"))
    monkeypatch.setattr(ssl, "SSLContext", type("SSLContext", (), {"__module__": "truststore._api"}))
    assert option in install._pip_arguments(lock, Path("there"))
