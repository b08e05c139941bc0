from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from sentence_matching import contains_sentence, matches_sentence

from evaluator.errors import DamagedFile, FileMissing, MissingColumns, TooManyRows, TooMuchMemory
from evaluator.evaluation import evaluate
from evaluator.options import Options
from evaluator.report.json_form import to_dict
from tools import commands
from tools.simulate.dataset_writer import write_user
from tools.sources import anki_10k, limits
from ui.text.error_sentences import error_sentence

#: Algorithms that use days, seconds, same-day reviews, presets and decks.
ALGORITHMS = ("AVG", "FSRS-6 default", "FSRS-6", "FSRS-7", "FSRS-6 preset", "FSRS-6 deck")


@pytest.fixture(scope="module", params=[True, False], ids=["by person", "in one file"])
def folder(request, simulations, tmp_path_factory):
    """Return a data set of three people, with a file of cards and one of decks for each person or for all."""
    folder = tmp_path_factory.mktemp("dataset")
    for user, simulation in enumerate(simulations[:3], start=1):
        write_user(simulation, folder, user)
    if not request.param:
        for name in ("cards", "decks"):
            table = pq.read_table(folder / name, partitioning="hive")
            shutil.rmtree(folder / name)
            pq.write_table(table, folder / f"{name}.parquet")
    return folder


def test_data_set_gives_the_numbers_of_the_collection(folder, simulations):
    options = Options(algorithms=ALGORITHMS)
    for number in (1, 2):
        path = folder / "revlogs" / f"user_id={number}"
        results, expected = (
            to_dict(evaluate(snapshot, options).report)["results"]
            for snapshot in (anki_10k.read_user(path), simulations[number - 1].snapshot)
        )
        assert len(expected) == len(ALGORITHMS)
        assert not any(row["error"] for row in expected)
        assert results == expected


@pytest.mark.parametrize("folder", [True], indirect=True)
def test_benchmark_reads_the_data_set(folder, run_tools, tmp_path):
    out = tmp_path / "results.jsonl"
    assert run_tools("benchmark", folder, "--out", out, "--algorithms", "AVG,Your parameters").returncode == 0
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert sorted({line["collection"] for line in lines}) == [f"revlogs/user_id={number}" for number in (1, 2, 3)]
    no_presets = "There are no presets in it, and so no FSRS parameters: only a collection holds them."
    errors = {line["algorithm"]: line.get("error") for line in lines}
    assert matches_sentence(errors, {"AVG": None, "Your parameters": no_presets})


@pytest.mark.parametrize("folder", [True], indirect=True)
def test_since_is_refused_for_a_data_set_without_dates(folder, capsys, tmp_path):
    assert commands.run(["benchmark", str(folder), "--out", str(tmp_path), "--since", "2024-01-01"]) == 2
    assert contains_sentence(
        capsys.readouterr().err, "--since cannot be '2024-01-01'. Allowed: nothing: this data set has no dates"
    )


def write_person(tmp_path: Path, **changed: object) -> Path:
    """Write a person with three reviews, and return the folder. A column that is None is left out."""
    columns = {
        "card_id": [0, 0, 0], "day_offset": [0, 1, 4], "rating": [3, 3, 1], "state": [0, 2, 2], "duration": [1, 1, 1],
        "elapsed_seconds": [-1, 86_400, 3 * 86_400],
    }  # fmt: skip
    columns = {name: column for name, column in {**columns, **changed}.items() if column is not None}
    path = tmp_path / "revlogs" / "user_id=7"
    path.mkdir(parents=True)
    pq.write_table(pa.table(columns), path / "data.parquet")
    (path / "Thumbs.db").write_bytes(b"left by a file manager")
    return path


def test_cards_and_decks_may_be_missing(tmp_path):
    snapshot = anki_10k.read_user(write_person(tmp_path))
    assert snapshot.cards is None
    assert snapshot.revlog.button.tolist() == [3, 3, 1]
    assert snapshot.revlog.kind.tolist() == [0, 1, 1]
    assert snapshot.clock.day_of(snapshot.revlog.review_id).tolist() == [1, 2, 5]


def test_missing_columns_are_named(tmp_path):
    with pytest.raises(MissingColumns) as missing:
        anki_10k.read_user(write_person(tmp_path / "a", state=None))
    assert "lacks columns: state" in error_sentence(missing.value)
    pq.write_table(pa.table({"card_id": [1], "deck_id": [1]}), tmp_path / "cards.parquet")
    with pytest.raises(MissingColumns) as missing:
        anki_10k.read_user(write_person(tmp_path))
    assert "cards.parquet lacks columns: user_id" in error_sentence(missing.value)


@pytest.mark.parametrize(
    "changed", [{"day_offset": [0, 9, 4]}, {"elapsed_seconds": [-1, 5, 0]}, {"rating": [1, None, 2]}]
)
def test_contradictory_or_missing_values_are_refused(changed, tmp_path):
    with pytest.raises(DamagedFile):
        anki_10k.read_user(write_person(tmp_path, **changed))


def test_damaged_and_missing_files_are_refused(tmp_path):
    path = write_person(tmp_path)
    (path / "data.parquet").write_bytes((path / "data.parquet").read_bytes()[:200])
    with pytest.raises(DamagedFile) as damaged:
        anki_10k.read_user(path)
    assert "\n" not in error_sentence(damaged.value)
    (path / "data.parquet").unlink()
    with pytest.raises(FileMissing) as missing:
        anki_10k.read_user(path)
    assert missing.value.facts == {"path": str(path / "*.parquet")}


def test_too_many_rows_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "MAX_ROWS", 2)
    with pytest.raises(TooManyRows) as caught:
        anki_10k.read_user(write_person(tmp_path))
    assert (caught.value.facts["rows"], caught.value.facts["most"]) == (3, 2)


@pytest.mark.parametrize("is_whole_table", [False, True])
def test_rows_of_a_small_file_that_need_too_much_memory_are_refused(is_whole_table, tmp_path, monkeypatch):
    path = write_person(tmp_path)
    # One row is of this user. The others must be decoded to find it.
    users = [7, *[8] * 99]
    pq.write_table(pa.table({"user_id": users, "card_id": users, "deck_id": users}), tmp_path / "cards.parquet")
    monkeypatch.setattr(limits, "MAX_MEMORY", limits.BYTES_PER_ROW * (3 if is_whole_table else 2))
    with pytest.raises(TooMuchMemory) as caught:
        anki_10k.read_user(path)
    # Three columns of eight bytes are needed to find the row. The evaluation needs 400 bytes for each of three reviews.
    place, rows, gigabytes = (tmp_path / "cards.parquet", 100, 2.4e-6) if is_whole_table else (path, 3, 1.2e-6)
    assert caught.value.facts["path"] == str(place)
    assert (caught.value.facts["rows"], caught.value.facts["gigabytes"]) == (rows, gigabytes)
    monkeypatch.setattr(limits, "SMALL_FILE", 0)
    assert anki_10k.read_user(path).cards.card_id.tolist() == [7]


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (pa.array(["x" * 10_000_000]), "string"),
        (pa.array(["x"]).dictionary_encode(), "dictionary<values=string, indices=int32, ordered=0>"),
        (pa.array([[1]]), "list<element: int64>"),
        (pa.array([1.0]), "double"),
    ],
)
def test_type_of_a_column_is_checked_before_its_values_are_read(value, name, tmp_path):
    path = write_person(tmp_path)
    pq.write_table(
        pa.table({name: value if name == "rating" else [1] for name in anki_10k.COLUMNS}), path / "data.parquet"
    )
    with pytest.raises(DamagedFile) as caught:
        anki_10k.read_user(path)
    assert caught.value.facts["detail"] == f"its column rating has {name} instead of integers"


def test_negative_seconds_are_counted(tmp_path):
    path = write_person(tmp_path, elapsed_seconds=[-1, -28, 3 * 86_400], day_offset=[0, 1, 4])
    snapshot = anki_10k.read_user(path)
    assert dict(snapshot.notes) == {"negative_interval": 1}
    assert snapshot.clock.day_of(snapshot.revlog.review_id).tolist() == [1, 2, 5]
    assert anki_10k.read_user(write_person(tmp_path / "b")).notes == ()


def test_rows_after_negative_intervals_need_not_agree(tmp_path):
    path = write_person(
        tmp_path, card_id=[0, 1, 0, 0], day_offset=[0, 0, 0, 0], rating=[3] * 4, state=[0, 0, 2, 2], duration=[1] * 4,
        elapsed_seconds=[-1, -1, -500, 5],
    )  # fmt: skip
    snapshot = anki_10k.read_user(path)
    assert np.diff(snapshot.revlog.review_id).tolist() == [1, 1, 1]
