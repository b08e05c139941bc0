from __future__ import annotations

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
from evaluator.options import Options
from evaluator.scoring.scheduler_in_use import optimize_presets
from tools.evaluate import main
from tools.simulate import Learner, simulate, write_collection
from ui import menu
from ui.anki import anki_versions, collection
from ui.anki.libraries import install
from ui.anki.libraries.lock import Lock
from ui.anki.optimizer import anki_optimize
from ui.scope import ScopeChoice
from ui.views.scope import choice_sentences

#: Every button in every kind of row, filtered, manual and rescheduled ones too.
ROWS = [(kind, button) for kind in range(6) for button in range(5)]


def log_of(rows: list[tuple[int, int]]) -> Revlog:
    kind, button = np.array(rows, dtype=np.int64).T
    filler = np.arange(len(rows), dtype=np.int64)
    return Revlog(filler, filler, button, filler, filler, filler, filler, kind)


def test_learning_buttons_are_mapped_as_ankis_upgrade_does_it():
    """Against the very statement of Anki's ``v2_upgrade.sql``, run by SQLite."""
    db = sqlite3.connect(":memory:")
    db.execute("create table revlog (id integer primary key, type integer, ease integer)")
    db.executemany("insert into revlog (type, ease) values (?, ?)", ROWS)
    db.execute("update revlog set ease = ease + 1 where ease in (2, 3) and type in (0, 2)")
    upgraded = [ease for (ease,) in db.execute("select ease from revlog order by id")]
    mapped, rows = anki_versions.with_todays_buttons(log_of(ROWS), first_scheduler=True)
    assert mapped.button.tolist() == upgraded
    assert rows == 4


def test_later_schedulers_are_left_alone():
    log = log_of(ROWS)
    assert anki_versions.with_todays_buttons(log, first_scheduler=False) == (log, 0)


@pytest.mark.parametrize(
    ("settings", "version"),
    [
        ({}, 3),  # of a new collection
        *[({"schedVer": number}, 1) for number in (None, 1)],
        *[({"sched2021": switch}, 2) for switch in (None, False)],
    ],
)
def test_scheduler_of_a_collection_is_known(tmp_path, settings, version):
    col = Collection(str(tmp_path / "col.anki2"))
    for key, value in settings.items():
        col.set_config(key, value) if value is not None else col.remove_config(key)
    assert (col.sched_ver(), col.v3_scheduler()) == (min(version, 2), version == 3)
    assert collection.read(col).scheduler == version
    col.close()


@pytest.fixture(scope="module")
def studied(tmp_path_factory) -> Path:
    return write_collection(simulate(Learner(seed=4, days=90)), tmp_path_factory.mktemp("first") / "col.anki2")


def test_first_scheduler_reads_as_after_upgrade(studied, tmp_path):
    path = tmp_path / "col.anki2"
    path.write_bytes(studied.read_bytes())
    col = Collection(str(path))
    col.db.execute("update revlog set ease = ease - 1 where ease in (3, 4) and type in (0, 2)")
    col.set_config("schedVer", 1)
    assert col.sched_ver() == 1
    stored = col.db.list("select ease from revlog order by id")
    before = collection.read(col)
    assert col.db.list("select ease from revlog order by id") == stored, "nothing is written"

    col.upgrade_to_v2_scheduler()
    after = collection.read(col)
    col.close()
    assert before.revlog.button.tolist() == after.revlog.button.tolist()
    assert before.renumbered_buttons == int((before.revlog.button.tolist() != np.array(stored)).sum()) > 50
    assert after.renumbered_buttons == 0

    texts = [
        choice_sentences(evaluate(snapshot, Options(algorithms=("AVG",))).report.scope) for snapshot in (before, after)
    ]
    assert f"{before.renumbered_buttons:,} rows" in texts[0][0]
    assert texts[1] == ()


@pytest.mark.parametrize("share_ignored", [0.0, 0.3])
def test_just_after_optimizing_there_is_no_gain(studied, tmp_path, share_ignored):
    path = tmp_path / "col.anki2"
    path.write_bytes(studied.read_bytes())
    col = Collection(str(path))
    col.set_config("fsrs", True)
    presets = [preset for preset in col.decks.all_config() if col.find_cards(f'preset:"{preset["name"]}"')]
    instants = col.db.list("select id from revlog order by id")
    ignored = np.datetime64(instants[int(share_ignored * len(instants))], "ms").astype("datetime64[D]")
    for preset in presets:
        preset["ignoreRevlogsBeforeDate"] = str(ignored)
        request = {"search": f'preset:"{preset["name"]}" -is:suspended', "current_params": ()}
        request.update(ignore_revlogs_before_ms=int(ignored.astype("datetime64[ms]").astype(int)))
        request.update(num_of_relearning_steps=1, health_check=False)
        preset["fsrsParams6"] = list(col._backend.compute_fsrs_params(**request).params)
        col.decks.update_config(preset)
    snapshot, rows = collection.read(col), col.db.scalar("select count() from revlog")
    assert presets
    assert all(preset["fsrsParams6"] for preset in presets)
    options = Options(algorithms=("Your parameters",))
    by_anki, by_us = (evaluate(snapshot, options, optimize=item).report.scheduler for item in (anki_optimize(), None))
    assert by_anki.change < 1e-6
    assert by_us.change > 0.001
    without = tuple(replace(preset, parameters=()) for preset in snapshot.presets or ())
    data = prepare(replace(snapshot, presets=without), options)[0]
    again = dict(optimize_presets(data, {preset["id"]: 6 for preset in presets}, optimize=anki_optimize()))
    for preset in presets:  # found again, and not just kept as they are not worse
        assert again[preset["id"]] == pytest.approx(preset["fsrsParams6"], rel=1e-6)
    assert col.db.scalar("select count() from revlog") == rows, "nothing is written"
    col.close()
    assert main([str(path), "--algorithms", "Your parameters", "--json", str(tmp_path / "report.json")]) == 0
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert all(preset["change"] < 1e-6 for preset in report["scheduler"]["presets"])


def first_reviews(rows: CardRows) -> list[int]:
    return sorted(rows.review_id[rows.position == 0].tolist())


def test_cards_reviewed_before_a_date_are_ignored_as_anki_does(studied, tmp_path):
    path = tmp_path / "col.anki2"
    path.write_bytes(studied.read_bytes())
    col = Collection(str(path))
    # Some cards were learned again as new ones after a while, and the whole log is longer than their new history.
    cards = col.db.list("select cid from revlog group by cid having count() > 4 limit 30")
    for card in cards:
        middle = col.db.list("select id from revlog where cid = ? order by id", card)[2]
        col.db.execute("update revlog set type = 0 where id = ?", middle)
    data = prepare(collection.read(col), Options())[0]
    starts = first_reviews(data.rows)
    for instant in (0, starts[0], starts[0] + 1, starts[40], starts[40] + 1, starts[-1] + 1):
        request = {"search": "", "current_params": (), "ignore_revlogs_before_ms": instant}
        answer = col._backend.compute_fsrs_params(**request, num_of_relearning_steps=1, health_check=False)
        rows = data.without_cards_reviewed_before(instant).rows
        assert answer.fsrs_items == int((rows.elapsed_days > 0).sum())
        assert anki_optimize()(rows, ()) == pytest.approx(tuple(answer.params), rel=1e-6)
        assert [start for start in starts if start >= instant] == first_reviews(rows)
    assert answer.fsrs_items == len(data.without_cards_reviewed_before(instant).reviews) == 0
    col.close()


def test_optimizer_is_none_if_not_callable(monkeypatch):
    monkeypatch.setattr("anki._backend.RustBackend", object)
    assert anki_optimize() is None


@pytest.mark.parametrize(
    ("browser", "search"),
    [
        (SimpleNamespace(_lastSearchTxt="deck:A", current_search=lambda: "typed"), "deck:A"),
        (SimpleNamespace(current_search=lambda: "typed"), "typed"),
    ],
)
def test_search_of_the_browser_is_the_scope(browser: SimpleNamespace, search: str) -> None:
    assert menu._scope_of_browser(browser) == ScopeChoice("search", search)


def test_certificates_are_looked_after_once(monkeypatch: pytest.MonkeyPatch) -> None:
    lock = Lock(Path("lock.txt"), 1, ())
    option = "--use-deprecated=legacy-certs"
    monkeypatch.setattr(ssl, "SSLContext", type("SSLContext", (), {"__module__": "ssl"}))
    assert option not in install._pip_arguments(lock, Path("there"))
    monkeypatch.setattr(ssl, "SSLContext", type("SSLContext", (), {"__module__": "truststore._api"}))
    assert option in install._pip_arguments(lock, Path("there"))
