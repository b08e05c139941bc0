from __future__ import annotations

import contextlib
from unittest.mock import Mock

import numpy as np
import pytest
from anki.collection import Collection
from anki.deck_config_pb2 import UpdateDeckConfigsRequest

from evaluator.data.revlog import DELETED_CARD
from evaluator.errors import BadSearch, CollectionClosed, TooManyRows
from evaluator.scope import WHOLE_COLLECTION, ScopeChoice
from ui.anki import collection as reading
from ui.text.error_sentences import error_sentence


@pytest.fixture
def col(collection):
    with contextlib.closing(Collection(str(collection))) as col:
        yield col


@pytest.fixture
def small_chunks(monkeypatch):
    """Read 100 rows at once."""
    monkeypatch.setattr(reading, "ROWS_PER_CHUNK", 100)


def test_chunks_make_the_same_snapshot(col, small_chunks, simulation):
    steps = list(reading.read_steps(col, WHOLE_COLLECTION, ()))
    assert len(steps) > 10
    assert [done for done, _ in steps] == sorted(done for done, _ in steps)
    assert steps[-1] == (len(simulation.revlog), len(simulation.revlog))
    assert set(reading.read(col).revlog.review_id) == set(simulation.revlog.review_id)


@pytest.mark.parametrize(
    ("change", "n_missing"),
    [
        ("insert into revlog select max(id) + 1, max(cid), -1, 3, 1, 1, 2500, 5000, 1 from revlog", 0),
        ("delete from revlog where id = (select max(id) from revlog)", 1),
    ],
)
def test_review_added_or_undone_during_reading_is_left_out(change, n_missing, col, small_chunks, simulation):
    steps = reading.read_steps(col, WHOLE_COLLECTION, ())
    # The second step has read the first chunk.
    next(steps)
    next(steps)
    col.db.execute(change)
    expected = sorted(simulation.revlog.review_id.tolist())
    assert sorted(finish(steps).revlog.review_id.tolist()) == expected[: len(expected) - n_missing]


def test_collection_closed_during_reading_is_reported(col, small_chunks):
    steps = reading.read_steps(col, WHOLE_COLLECTION, ())
    # The second step has read the first chunk.
    next(steps)
    next(steps)
    col.close()
    with pytest.raises(CollectionClosed):
        finish(steps)
    for closed in (col, None):
        with pytest.raises(CollectionClosed):
            reading.read(closed)


def test_collection_closed_before_the_query_is_reported(col):
    col._backend.close_collection(downgrade_to_schema11=False)
    try:
        with pytest.raises(CollectionClosed):
            reading.read(col)
    finally:  # so that the fixture can close it
        col.db = None
        col.reopen()


def test_empty_collection_is_an_empty_snapshot(col):
    for table in ("revlog", "cards"):
        col.db.execute(f"delete from {table}")
    snapshot = reading.read(col)
    assert (len(snapshot.revlog), len(snapshot.cards.card_id)) == (0, 0)


def test_deck_and_preset_of_a_card_are_those_of_its_home_deck(col):
    ids = col.db.list("select id from cards limit 3")
    missing, homeless, filtered = ids
    deck = col.db.scalar("select did from cards where id = ?", filtered)
    col.db.execute("update cards set did = 99 where id = ?", missing)
    col.db.execute("update cards set did = ? where id = ?", col.decks.new_filtered("Cram"), homeless)
    col.db.execute("update cards set odid = did, did = 99 where id = ?", filtered)
    cards = reading.read(col).cards
    rows = [(cards.card_id == card).argmax() for card in ids]
    assert cards.deck_id[rows].tolist() == [DELETED_CARD, DELETED_CARD, deck]
    assert (cards.preset_id[rows] == DELETED_CARD).tolist() == [True, True, False]


def test_suspended_and_buried_cards_are_set_aside(col):
    assert not reading.read(col).cards.set_aside.any()
    suspended, buried, active = col.find_cards("is:review")[:3]
    col.sched.suspend_cards([suspended])
    col.sched.bury_cards([buried])
    deck = col.decks.new_filtered("Filtered")
    col.db.execute("update cards set odid = did, did = ? where id in (?, ?)", deck, suspended, active)
    cards = reading.read(col, ScopeChoice("search", "is:suspended")).cards  # the scope does not limit the cards
    assert sorted(cards.card_id[cards.set_aside]) == sorted([suspended, buried])


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        # (offset in minutes, hour, seconds of the boundary in the UTC day, assumed)
        ({"localOffset": -540, "rollover": 4}, (540, 4, 19 * 3600, False)),  # Tokyo: 04:00 is 19:00 UTC
        ({"localOffset": 300, "rollover": 0}, (-300, 0, 5 * 3600, False)),  # New York, midnight
        ({"localOffset": None, "rollover": None}, (0, 4, 4 * 3600, False)),  # Anki does not store an offset of 0
        ({"localOffset": None, "creationOffset": None}, (None, 4, 4 * 3600, True)),  # before Anki stored offsets
        ({"localOffset": 0, "rollover": -2}, (0, 22, 22 * 3600, False)),
        ({"localOffset": 0, "rollover": 30}, (0, 23, 23 * 3600, False)),
        # Anki treats a text or a list as missing.
        ({"localOffset": "x", "rollover": "x"}, (0, 4, 4 * 3600, False)),
        ({"localOffset": [1], "rollover": [1]}, (0, 4, 4 * 3600, False)),
    ],
)
def test_clock_follows_the_settings_of_the_collection(col, config, expected):
    for key, value in config.items():
        if value is None:
            col.remove_config(key)
        else:
            col.set_config(key, value)
    clock = reading.read(col).clock
    result = (clock.utc_offset_minutes, clock.rollover_hour, clock.next_day_at % 86_400, clock.assumed)
    assert result == expected


def test_first_scheduler_counts_days_from_the_creation(col):
    col.set_config("schedVer", 1)
    col.set_config("localOffset", -120)
    col.db.execute("update col set crt = ?", 1_500_000_000)
    clock = reading.read(col).clock
    assert (1_500_000_000 - clock.next_day_at) % 86_400 == 0
    assert clock.rollover_hour == 4  # 02:40 UTC is 04:40 there
    assert not clock.assumed


def test_clock_agrees_with_anki(collection):
    with contextlib.closing(Collection(str(collection), server=True)) as server:
        assert (server.sched.day_cutoff - reading.read(server).clock.next_day_at) % 86_400 == 0


@pytest.mark.parametrize(
    ("stored", "expected"),
    [
        ("3.7", 3),
        ("-3.7", -3),
        ("'x'", 0),
        ("'12 days'", 12),
        ("x'3132'", 12),
        ("null", 0),
        ("1e300", 2**63 - 1),
        ("9223372036854775807", 2**63 - 1),
        ("-9223372036854775807 - 1", -(2**63)),
    ],
)
def test_odd_values_become_whole_numbers(stored, expected, col):
    before = reading.read(col).revlog
    drop_primary_key(col)
    col.db.execute(f"update revlog set ivl = {stored} where id = ?", int(before.review_id[3]))
    log = reading.read(col).revlog
    assert log.interval[3] == expected
    log.interval[3] = before.interval[3]
    for name, column in vars(log).items():
        np.testing.assert_array_equal(column, getattr(before, name))


def test_rows_are_read_with_any_ids(col, small_chunks):
    ids = [-(2**63), -(2**63) + 1, -1, 0, 1, 2**63 - 1]
    # Together they fill two chunks and a part of a third.
    col.db.execute("delete from revlog where id not in (select id from revlog order by id limit 197)")
    for number in ids:
        col.db.execute("insert into revlog values (?, 5, -1, 3, 1, 1, 2500, 5000, 1)", number)
    revlog = reading.read(col).revlog
    assert sorted(set(ids) & set(revlog.review_id.tolist())) == ids
    assert len(revlog) == 197 + len(ids)


ODD_IDS = ["1e300", "-1e300", "1.5", "'text'", f"'{'9' * 5000}'", "x'00ff'", "null", str(2**63 - 1), str(-(2**63))]


def drop_primary_key(col):
    """Replace the review log by a table that accepts any id, even twice."""
    col.db.execute("create table odd (id, cid, usn, ease, ivl, lastIvl, factor, time, type)")
    col.db.execute("insert into odd select * from revlog")
    col.db.execute("drop table revlog")
    col.db.execute("alter table odd rename to revlog")


@pytest.mark.parametrize("stored", ODD_IDS)
def test_reading_ends_with_equal_ids_of_any_type(stored, col, small_chunks, simulation):
    drop_primary_key(col)
    col.db.execute(f"insert into revlog select {stored}, 5, -1, 3, 1, 1, 2500, 5000, 1 from revlog limit 251")
    max_chunks = len(simulation.revlog) // 100 + len(simulation.cards.card_id) // 100 + 10
    revlog = finish(reading.read_steps(col, WHOLE_COLLECTION, ()), max_chunks).revlog
    assert len(revlog) == len(simulation.revlog) + 251
    assert set(simulation.revlog.review_id) <= set(revlog.review_id)
    assert (revlog.card_id == 5).sum() == 251


def test_column_named_rowid_does_not_cause_an_endless_loop(col, small_chunks):
    drop_primary_key(col)
    col.db.execute("alter table revlog add column rowid")
    col.db.execute("update revlog set rowid = 1e300")
    col.db.execute("update revlog set rowid = -1e300 where id % 2")
    col.db.execute("update revlog set rowid = 1.5 where id % 3")
    finish(reading.read_steps(col, WHOLE_COLLECTION, ()), max_chunks=50)


@pytest.mark.parametrize("table", ["revlog", "cards"])
def test_too_many_rows_are_refused(table, col, monkeypatch):
    rows = col.db.scalar(f"select count() from {table}")
    monkeypatch.setattr(reading, "MAX_ROWS", rows - 1)
    with pytest.raises(TooManyRows) as caught:
        reading._last_row_and_count(col, table)
    assert caught.value.facts == {"table": table, "rows": rows, "most": rows - 1}
    with pytest.raises(TooManyRows):
        reading.read(col)
    monkeypatch.setattr(reading, "MAX_ROWS", rows)
    assert reading._last_row_and_count(col, table)[1] == rows


def test_ankis_quote_of_a_search_is_shortened(col):
    with pytest.raises(BadSearch) as caught:
        next(reading.read_steps(col, ScopeChoice("search", "rated:" + "9" * 5000), ()))
    assert len(error_sentence(caught.value)) < 700


def test_reading_runs_select_statements_only(col, monkeypatch):
    query = Mock(wraps=col.db._query)
    monkeypatch.setattr(col.db, "_query", query)
    reading.read(col)
    assert {call.args[0].split()[0] for call in query.call_args_list} == {"select"}


def finish(steps, max_chunks=1000):
    """Return the snapshot at the end of the steps. Fail if they do not end after this many chunks."""
    for _ in range(max_chunks):
        try:
            next(steps)
        except StopIteration as end:
            return end.value
    pytest.fail(f"not ended after {max_chunks} chunks")


class TestSchedulerSettings:
    @staticmethod
    def save(col, *, fsrs, parameters=None, per_day=None):
        """Do what Save in the deck options does."""
        options = col.decks.get_deck_configs_for_update(1)
        request = UpdateDeckConfigsRequest(target_deck_id=1, fsrs=fsrs, limits=options.current_deck.limits)
        preset = next(item.config for item in options.all_config if item.config.id == 1)
        preset.config.fsrs_params_6[:] = parameters or preset.config.fsrs_params_6
        preset.config.new_per_day = per_day or preset.config.new_per_day
        request.configs.append(preset)
        col.decks.update_deck_configs(request)

    @staticmethod
    def default_preset(col):
        return next(preset for preset in reading.read(col).presets if preset.preset_id == 1)

    @staticmethod
    def scheduler(col):
        """Return whether it is FSRS, and whether it is a custom script."""
        snapshot = reading.read(col)
        return snapshot.fsrs, snapshot.scripted

    def test_scheduler_follows_the_fsrs_switch_and_is_unknown_with_a_custom_script(self, col):
        col.remove_config("fsrs")
        assert self.scheduler(col) == (False, False)
        col.set_config("cardStateCustomizer", "// FSRS4Anki v3\n")
        assert self.scheduler(col) == (None, True)
        self.save(col, fsrs=True)
        assert self.scheduler(col) == (True, False)
        self.save(col, fsrs=False)
        col.set_config("cardStateCustomizer", "  \n")
        assert self.scheduler(col) == (False, False)

    def test_time_of_the_last_change_of_a_preset_is_read(self, col):
        assert (self.default_preset(col).changed, self.default_preset(col).parameters) == (None, ())
        self.save(col, fsrs=True, parameters=[0.2] * 21)
        assert self.default_preset(col).parameters == pytest.approx([0.2] * 21)
        changed = self.default_preset(col).changed
        assert changed > col.crt
        col.db.execute("update deck_config set mtime_secs = ? where id = 1", changed - 1000)
        self.save(col, fsrs=True)
        assert self.default_preset(col).changed == changed - 1000
        self.save(col, fsrs=True, per_day=33)
        assert self.default_preset(col).changed >= changed
