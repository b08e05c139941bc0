from __future__ import annotations

import dataclasses
from contextlib import nullcontext
from functools import partial

import foreign_logs
import numpy as np
import pytest

from evaluator.data.revlog import Cards
from evaluator.errors import BadCell, DamagedFile, MissingColumns, UnreadableCsv
from evaluator.evaluation import evaluate
from evaluator.options import Options
from evaluator.report.json_form import to_dict
from tools import sources
from tools.benchmark.collections import find_collections
from tools.simulate import Habits, Learner, simulate
from ui.text.error_sentences import error_sentence

#: Made-up ids of presets, by the ids of the simulation's decks.
PRESETS = {1_600_000_000_001: 11, 1_600_000_000_002: 12}


def results(snapshot, *algorithms: str) -> list[dict]:
    result = to_dict(evaluate(snapshot, Options(algorithms=algorithms)).report)["results"]
    assert not any(row["error"] for row in result)
    return result


def rows_of(snapshot) -> list[tuple[int, int]]:
    """Return (days since the last row, button) of the reviews after each card's first, sorted."""
    later = snapshot.revlog.kind != 0
    return sorted(zip(snapshot.elapsed_days[later].tolist(), snapshot.revlog.button[later].tolist(), strict=True))


def expected_rows(simulation) -> list[tuple[int, int]]:
    """Return what ``rows_of`` should return."""
    rows = []
    seen_cards = set()
    for _, card, days, button in foreign_logs.later_days(simulation):
        if card in seen_cards:
            rows.append((days, button))
        seen_cards.add(card)
    return sorted(rows)


# ---- N.revlog


def test_raw_export_gives_the_numbers_of_the_collection(simulation, tmp_path):
    path = tmp_path / "7.revlog"
    path.write_bytes(foreign_logs.research_export(simulation, PRESETS).SerializeToString())
    snapshot = sources.read(path)
    presets = np.array([PRESETS[deck] for deck in simulation.cards.deck_id.tolist()])
    whole = dataclasses.replace(
        simulation.snapshot, cards=Cards(simulation.cards.card_id, simulation.cards.deck_id, presets)
    )
    assert snapshot.clock.next_day_at == simulation.clock.next_day_at
    names = ("AVG", "FSRS-6", "FSRS-7 default", "FSRS-6 preset", "FSRS-6 deck")
    assert results(snapshot, *names) == results(whole, *names)


def test_older_export_states_its_day_in_another_field(simulation, tmp_path):
    """Files of FSRS-Anki-20k have the rows in field 1, the start of a day in field 2, and neither cards nor decks."""
    message = foreign_logs.research_export(simulation, {})
    del message.cards[:]
    next_day_at, message.next_day_at = message.next_day_at, 0
    path = tmp_path / "1" / "35.revlog"
    path.parent.mkdir()
    # As a varint, with seven bits to a byte, the lowest first. Times since 1970 take five bytes.
    field = [2 << 3, *(next_day_at >> shift & 127 | 128 for shift in range(0, 28, 7)), next_day_at >> 28]
    path.write_bytes(message.SerializeToString() + bytes(field))
    snapshot = sources.read(path)
    assert (snapshot.clock.next_day_at, snapshot.cards) == (next_day_at, None)
    assert len(snapshot.revlog) == len(simulation.revlog)
    assert [collection.name for collection in find_collections(tmp_path, None).collections] == ["1/35.revlog"]


def test_damaged_message_is_refused(simulation, tmp_path):
    message = foreign_logs.research_export(simulation, {})
    path = tmp_path / "7.revlog"
    path.write_bytes(message.SerializeToString()[:5000])
    with pytest.raises(DamagedFile, match="cut off"):
        sources.read(path)
    message.next_day_at = 0
    path.write_bytes(message.SerializeToString())
    with pytest.raises(DamagedFile, match="next_day_at"):
        sources.read(path)
    for odd in (10**15, -1):
        message.next_day_at = odd
        path.write_bytes(message.SerializeToString())
        with pytest.raises(DamagedFile, match=f"next_day_at should be seconds since 1970, but is {odd:,}"):
            sources.read(path)


# ---- FSRS-Anki-20k


@pytest.mark.parametrize("elapsed", ["elapsed_days", "delta_t"])
def test_processed_form_has_the_same_reviews(elapsed, simulation, tmp_path):
    path = tmp_path / "35.csv"
    foreign_logs.write_20k(path, simulation, elapsed)
    (tmp_path / "rest.csv").write_text("card_id,name\n1,a\n")
    folder = find_collections(tmp_path, None)
    assert ([collection.path for collection in folder.collections], folder.other_tables) == ([path], ("rest.csv",))
    snapshot = sources.read(path)
    assert rows_of(snapshot) == expected_rows(simulation)
    days = snapshot.clock.day_of(snapshot.revlog.review_id)
    assert (np.diff(days) >= 0).all()
    assert dict(snapshot.notes) == {"days_assumed": len(np.unique(days))}


def test_days_of_the_processed_form_are_the_earliest_possible(tmp_path):
    path = tmp_path / "1.csv"
    path.write_text("card_id,review_th,elapsed_days,rating\n1,1,-1,3\n1,4,5,3\n2,2,-1,1\n2,3,3,1\n2,5,-1,4\n")
    snapshot = sources.read(path)
    assert snapshot.clock.day_of(snapshot.revlog.review_id).tolist() == [1, 1, 4, 6, 6]
    assert snapshot.elapsed_days.tolist() == [0, 0, 3, 5, 0]
    assert dict(snapshot.notes) == {"days_assumed": 3, "negative_interval": 1}


def test_missing_columns_and_bad_cells_are_named(tmp_path):
    path = tmp_path / "1.csv"
    path.write_text("card_id,review_th,rating,state\n1,1,3,0\n")
    with pytest.raises(MissingColumns) as missing:
        sources.read(path)
    assert "lacks columns: elapsed_days" in error_sentence(missing.value)
    path.write_text("card_id,review_th,rating,delta_t\n1,1,3,soon\n")
    with pytest.raises(BadCell) as bad:
        sources.read(path)
    assert (bad.value.facts["column"], bad.value.facts["value"]) == ("delta_t", "soon")


# ---- fsrs-optimizer and py-fsrs


@pytest.fixture(scope="module")
def plain():
    """Return a log without resets and cramming, which these formats cannot express."""
    return simulate(Learner(seed=5, days=90, habits=Habits(new_per_day=5, reset=0.0, cram=0.0)))


def test_fsrs_formats_give_the_results_of_the_collection(plain, tmp_path):
    writers = {
        "optimizer.csv": foreign_logs.write_fsrs_optimizer,
        "text.csv": partial(foreign_logs.write_fsrs_optimizer, card_form="card {}"),
        "milliseconds.csv": foreign_logs.write_py_fsrs,
        "iso.csv": partial(foreign_logs.write_py_fsrs, text=True),
        "old.csv": partial(foreign_logs.write_fsrs_optimizer, header="cardId,reviewTime,rating,state,duration"),
        "ts-fsrs.csv": foreign_logs.write_ts_fsrs,
    }
    with_durations = {"optimizer.csv", "text.csv", "old.csv"}
    algorithms = ("AVG", "SM-2", "FSRS-6", "FSRS-7 default")
    expected = results(dataclasses.replace(plain.snapshot, cards=None), *algorithms)
    for name, write in writers.items():
        write(tmp_path / name, plain)
        snapshot = sources.read(tmp_path / name, next_day_at=plain.clock.next_day_at)
        assert results(snapshot, *algorithms) == expected, name
        assert (snapshot.revlog.duration_ms.sum() > 0) == (name in with_durations)
    assert {collection.name for collection in find_collections(tmp_path, None).collections} == set(writers)


def test_text_ids_are_numbered_and_cards_with_equal_times_kept_apart(tmp_path):
    path = tmp_path / "log.csv"
    rows = ("b,T000,3,2", "a,T000,3,2", "b,T000,3,2", "b,T900,1.0,2", "b,T950,2,0", "a,T960,4,")
    path.write_text("card_id,review_time,review_rating,review_state\n" + "\n".join(rows).replace("T", "1700000000"))
    log = sources.read(path).revlog
    assert log.card_id.tolist() == [1, 2, 1, 1, 1, 2]
    assert (log.review_id - 1_700_000_000_000).tolist() == [0, 1, 0, 900, 950, 960]
    assert log.button.tolist() == [3, 3, 3, 1, 2, 4]
    assert log.kind.tolist() == [0, 0, 1, 1, 0, 1]


@pytest.mark.parametrize(
    ("row", "column"),
    [("1,soon,3,", "review_datetime"), ("1,1700000000000,Good,", "rating"), (",1700000000000,3,", "card_id")],
)
def test_bad_cells_of_the_fsrs_forms_are_named(row, column, tmp_path):
    path = tmp_path / "log.csv"
    path.write_text(f"card_id,review_datetime,rating,review_duration\n1,2024-05-01 12:00:00Z,3,900\n{row}\n")
    with pytest.raises(BadCell) as bad:
        sources.read(path)
    assert (bad.value.facts["line"], bad.value.facts["column"]) == (3, column)


def test_seconds_in_the_fsrs_forms_are_refused(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("card_id,review_time,review_rating\n1,1700000000,3\n1,1700900000,3\n1,7,3\n")
    with pytest.raises(UnreadableCsv, match=r"review_time looks like seconds .* multiply by 1,000"):
        sources.read(path)


def test_blanks_around_cells_and_the_offset_from_utc_are_read(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("card_id,review,rating\n 7 , 2024-05-01T12:00:00+02:00 , 3\n7,2024-05-01T10:00:01Z,\t1 \n")
    log = sources.read(path).revlog
    assert log.review_id.tolist() == [1_714_557_600_000, 1_714_557_601_000]
    assert (log.card_id.tolist(), log.button.tolist()) == ([7, 7], [3, 1])


@pytest.mark.parametrize(
    ("ratings", "zeros"),
    [([2, 0, 3, 0], 2), ([0, 1, 1, 1], 1), ([5, 0, 3, 1], 1), ([0, 4, 3, 1], 0), ([1, 2, 3, 3], 0)],
)
@pytest.mark.parametrize("column", ["review_rating", "ease"])
def test_ratings_that_start_at_0_are_refused_unless_one_is_easy(ratings, zeros, column, tmp_path):
    path = tmp_path / "log.csv"
    if column == "ease":  # the last row, which is manual, has 0
        rows = [f"{1_700_000_000_000 + n},7,{rating},1,1,2500,900,1" for n, rating in enumerate(ratings)]
        text = "\n".join(["id,cid,ease,ivl,lastIvl,factor,time,type", *rows, "1700000000009,7,0,1,1,0,0,4"])
    else:
        rows = [f"7,{1_700_000_000_000 + n},{rating}" for n, rating in enumerate(ratings)]
        text = "\n".join(["card_id,review_time,review_rating", *rows])
    path.write_text(text)
    refusal = pytest.raises(UnreadableCsv, match=rf"{column} is 0 in {zeros} of 4 rows, but 1 \(Again\) to 4 \(Easy\)")
    with refusal if zeros else nullcontext():
        assert sources.read(path).revlog.button[:4].tolist() == ratings


def test_binary_file_is_not_recognized(tmp_path):
    path = tmp_path / "x.bin"
    path.write_bytes(b"\n\xff\x08" + bytes(100))
    assert sources.recognize(path) is None
