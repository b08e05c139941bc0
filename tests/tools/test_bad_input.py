from __future__ import annotations

import errno
import os
import re
import sqlite3
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
from sentence_matching import contains_sentence, matches_sentence

from evaluator.data.revlog import REVLOG_COLUMNS
from tools import commands
from tools import evaluate as command
from tools.sources.predictions import PredictionsFile

HEADER = ",".join(REVLOG_COLUMNS)
DAY = 86_400_000
START = 1_600_000_000_000


def log(tmp_path: Path, rows: list[tuple[int, ...]]) -> Path:
    path = tmp_path / "revlog.csv"
    path.write_text("\n".join([HEADER, *(",".join(map(str, row)) for row in rows)]) + "\n")
    return path


def card(cid: int, answers: str) -> list[tuple[int, ...]]:
    """One answer a day: the first while learning, the others as reviews."""
    return [
        (START + cid + day * DAY, cid, int(answer), 1, 1, 2500, 5000, 0 if day == 0 else 1)
        for day, answer in enumerate(answers)
    ]


@pytest.fixture
def refuses(capsys, tmp_path, monkeypatch):
    """Runs the command, which must refuse; returns its one sentence. Checks that nothing was left anywhere."""

    def run(path: object, *options: object) -> str:
        out = tmp_path / "out"
        out.mkdir()
        temporary = tmp_path / "temporary"
        temporary.mkdir()
        monkeypatch.setattr("tempfile.tempdir", str(temporary))
        state = Path(path).read_bytes() if Path(path).is_file() else None
        outputs = ["--json", out / "r.json", "--predictions", out / "p.csv", "--charts", out / "charts"]
        arguments = [str(part) for part in [path, *options, *([] if options[:1] == ("--json",) else outputs)]]
        assert command.main(arguments) == 2
        printed = capsys.readouterr()
        assert printed.out == ""
        assert printed.err.count("\n") == 1
        assert list(out.iterdir()) == []
        assert list(temporary.iterdir()) == []
        assert state is None or Path(path).read_bytes() == state
        return printed.err.rstrip("\n")

    return run


def test_missing_file_is_an_error(refuses, tmp_path):
    path = tmp_path / "gone.anki2"
    assert matches_sentence(refuses(path), f"There is no file at {path}. Check the path and try again.")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["b.csv"], "Unexpected argument: b.csv."),
        (["b.csv", "--flods", "3"], "Unknown option: --flods. Did you mean --folds?"),
    ],
)
def test_invalid_arguments_are_explained(arguments, sentence, capsys):
    with pytest.raises(SystemExit) as end:
        command.main(["a.csv", *arguments])
    assert end.value.code == 2
    assert sentence in capsys.readouterr().err


def test_folder_is_an_error(refuses, tmp_path):
    assert "Allowed: a file; for a folder of collections there is `benchmark`" in refuses(tmp_path)


@pytest.mark.parametrize("content", [b"", b"hello\n", os.urandom(5000), b"\x89PNG\r\n\x1a\n", b"\x1f\x8b\x08"])
def test_other_files_are_not_a_collection(content, refuses, tmp_path):
    path = tmp_path / "collection.anki2"
    path.write_bytes(content)
    assert refuses(path).startswith(f"{path} is not an Anki collection. Give a .anki2, .colpkg or .apkg file")


def test_another_programs_database_is_an_error(refuses, tmp_path):
    path = tmp_path / "collection.anki2"
    db = sqlite3.connect(path)
    db.execute("create table revlog (id integer)")
    db.commit()
    db.close()
    assert "is not an Anki collection" in refuses(path)


def test_zip_of_something_else_is_an_error(refuses, tmp_path):
    path = tmp_path / "photos.apkg"
    with zipfile.ZipFile(path, "w") as package:
        package.writestr("photo.jpg", b"...")
    assert "is not an Anki collection" in refuses(path)


@pytest.mark.parametrize("share", [0.02, 0.3, 0.9])
def test_truncated_collection_is_an_error(share, refuses, collection):
    content = collection.read_bytes()
    collection.write_bytes(content[: int(len(content) * share)])
    sentence = refuses(collection)
    assert sentence.startswith(f"{collection} is damaged and cannot be read (")
    assert "backup" in sentence


def test_collection_with_damaged_pages_is_an_error(refuses, collection):
    content = np.frombuffer(collection.read_bytes(), dtype=np.uint8).copy()
    content[len(content) // 3 : len(content) // 3 + 50_000] = 7
    collection.write_bytes(content.tobytes())
    assert "is damaged and cannot be read" in refuses(collection)


def test_collection_of_a_future_anki_is_an_error(refuses, collection):
    db = sqlite3.connect(collection)
    db.execute("update col set ver = 99")
    db.commit()
    db.close()
    assert refuses(collection) == f"{collection} was made by a newer version of Anki. Update SRS Evaluator to read it."


@pytest.mark.parametrize("name", ["collection", "colpkg"])
def test_a_full_folder_for_temporary_files_is_named(name, refuses, files, tmp_path, monkeypatch):
    def fail(source: object, target: object, *_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(source))

    monkeypatch.setattr("shutil.copyfile", fail)
    monkeypatch.setattr("shutil.copyfileobj", fail)
    sentence = refuses(getattr(files, name))
    assert sentence.startswith(f"The folder for temporary files, {tmp_path / 'temporary'}, is full")


@pytest.mark.parametrize("reason", ["database or disk is full", "disk I/O error"])
def test_a_folder_for_temporary_files_without_room_for_sqlite_is_named(reason, refuses, collection, monkeypatch):
    def fail(*_: object) -> None:
        raise sqlite3.OperationalError(reason)

    monkeypatch.setattr("sqlite3.connect", fail)
    assert refuses(collection).startswith("The folder for temporary files, ")


@pytest.mark.parametrize("name", ["colpkg", "old_colpkg", "apkg", "old_apkg"])
@pytest.mark.parametrize("share", [0.2, 0.95])
def test_truncated_package_is_an_error(name, share, refuses, files, tmp_path):
    content = getattr(files, name).read_bytes()
    path = tmp_path / f"cut.{name[-6:]}"
    path.write_bytes(content[: int(len(content) * share)])
    assert "is damaged and cannot be read (the archive ends too early)" in refuses(path)


@pytest.mark.parametrize("name", ["colpkg", "old_colpkg"])
def test_package_with_a_damaged_collection_is_an_error(name, refuses, files, tmp_path):
    path = tmp_path / "bad.colpkg"
    with zipfile.ZipFile(getattr(files, name)) as good, zipfile.ZipFile(path, "w") as bad:
        for member in good.namelist():
            content = bytearray(good.read(member))
            if member in ("collection.anki21", "collection.anki21b"):
                content[len(content) // 2 : len(content) // 2 + 4000] = bytes(4000)
            bad.writestr(member, bytes(content))
    assert "is damaged and cannot be read" in refuses(path)


def test_truncated_gzip_is_an_error(refuses, files, tmp_path):
    path = tmp_path / "revlog.csv.gz"
    path.write_bytes(files.csv_gz.read_bytes()[:-100])
    assert matches_sentence(
        refuses(path),
        f"{path} cannot be read as CSV: the compressed file ends too early. Correct it, or export it again.",
    )


HOLD_LOCKED = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("pragma journal_mode = delete")
db.execute("begin immediate")
print("locked", flush=True)
sys.stdin.read()
"""


def test_a_collection_locked_by_another_process_is_refused(refuses, collection):
    with subprocess.Popen(
        [sys.executable, "-c", HOLD_LOCKED, str(collection)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout.readline() == "locked\n"
        assert matches_sentence(
            refuses(collection), f"{collection} is open in another program. Close Anki and try again."
        )
        holder.stdin.close()


def test_empty_collection_is_an_error(refuses, tmp_path):
    from anki.collection import Collection

    path = tmp_path / "collection.anki2"
    Collection(str(path), server=True).close()
    assert refuses(path).startswith("There are no reviews: the review log is empty.")


@pytest.mark.parametrize("kind", ["apkg", "colpkg"])
def test_an_empty_package_is_recognized_by_any_name(kind, refuses, tmp_path):
    from anki.collection import Collection, ExportAnkiPackageOptions

    path = tmp_path / "deck.zip"
    col = Collection(str(tmp_path / "collection.anki2"), server=True)
    note = col.new_note(col.models.by_name("Basic"))
    note["Front"] = "a question"
    col.add_note(note, 1)
    if kind == "apkg":
        col.export_anki_package(out_path=str(path), options=ExportAnkiPackageOptions(), limit=None)
    else:
        col.export_collection_package(str(path), include_media=False, legacy=False)
    assert ("export it again, with its scheduling information" in refuses(path)) == (kind == "apkg")


def test_csv_with_only_a_header_is_an_error(refuses, tmp_path):
    assert refuses(log(tmp_path, [])).startswith("There are no reviews")


def test_too_few_reviews_are_an_error(refuses, tmp_path):
    sentence = refuses(log(tmp_path, card(1, "333")), "--folds", 5)
    assert "at least" in sentence or "can be scored" in sentence


def test_single_outcome_is_an_error(refuses, tmp_path):
    rows = [row for number in range(60) for row in card(1 + number, "33333")]
    assert contains_sentence(refuses(log(tmp_path, rows)), "200 scored reviews, never pressed Again")


def test_rows_without_a_scorable_review_are_an_error(refuses, tmp_path):
    rows = [(START + n, 1 + n % 3, 0, 1, 1, 0, 0, 4) for n in range(10)]
    sentence = refuses(log(tmp_path, rows))
    assert contains_sentence(
        sentence, "The review log has 10 rows, but none can be scored: 10 manual or rescheduled entries."
    )


def test_an_unknown_algorithm_is_refused_before_reading(refuses, tmp_path):
    sentence = refuses(tmp_path / "gone.anki2", "--algorithms", "AVG,FSR-6")
    assert contains_sentence(sentence, "There is no algorithm 'FSR-6'. Did you mean 'FSRS-6")


def test_csv_with_missing_columns_is_an_error(refuses, tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("id,cid,ease\n1,2,3\n")
    assert matches_sentence(
        refuses(path), f"{path} lacks columns: ivl, lastIvl, factor, time, type. Its first line has: id, cid, ease."
    )


def test_a_csv_in_an_unknown_form_is_refused_with_the_known_ones(refuses, tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("card,when,rating\n1,2024-05-01,3\n")
    sentence = refuses(path)
    assert (
        "Its first line has: card, when, rating. These review logs are read as CSV: Anki (id, cid, ease, " in sentence
    )
    assert (
        "; fsrs-optimizer (card_id, review_time, review_rating); py-fsrs (card_id, review_datetime, rating); ts-fsrs "
        in sentence
    )


def test_a_csv_with_a_fault_on_every_line_is_not_corrected_line_by_line(refuses, tmp_path):
    path = log(tmp_path, card(1, "3333"))
    path.write_text(re.sub(r"(?m)^16\d+,", "1.6E+12,", path.read_text()))
    sentence = refuses(path)
    assert sentence.startswith(
        f"{path}: id should be an integer, but is not in any of the 4 rows ('1.6E+12'). A spread"
    )
    assert "line" not in sentence
    assert "ts-fsrs (card_id, review, rating)" in sentence


def test_csv_with_a_bad_cell_is_an_error(refuses, tmp_path):
    path = log(tmp_path, card(1, "3333"))
    path.write_text(path.read_text().replace(",3,1,1,2500", ",good,1,1,2500", 3).replace(",good,", ",3,", 2))
    assert matches_sentence(
        refuses(path),
        f"{path}, line 4: ease should be an integer of at most 18 digits but is 'good'. Correct that line and try "
        "again.",
    )


def test_the_unit_of_review_ids_is_that_of_most(refuses, tmp_path):
    rows = [(int(row[0] / 1000), *row[1:]) for number in range(9) for row in card(number, "33133")]
    assert "id looks like seconds since 1970" in refuses(log(tmp_path, [(7, *rows[0][1:]), *rows]))


@pytest.mark.parametrize(("factor", "expected"), [(0.001, "seconds multiply"), (1000, "microseconds divide")])
def test_review_ids_in_another_unit_are_an_error(factor, expected, refuses, tmp_path):
    rows = [(int(row[0] * factor), *row[1:]) for number in range(9) for row in card(number, "33133")]
    sentence = refuses(log(tmp_path, rows))
    unit, remedy = expected.split()
    assert f"id looks like {unit} since 1970, but must be in milliseconds: {remedy} by 1,000" in sentence
    assert "same-day" not in sentence


def test_missing_cards_file_is_an_error(refuses, files, tmp_path):
    assert "There is no file at" in refuses(files.csv, "--cards", tmp_path / "none.csv")


def test_csv_options_with_a_collection_are_an_error(refuses, files):
    assert contains_sentence(
        refuses(files.collection, "--next-day-at", 1), "--next-day-at cannot be '1'. Allowed: only"
    )


@pytest.mark.parametrize("folds", [0, -1, 1, 101])
def test_impossible_folds_are_an_error(folds, refuses, tmp_path):
    assert f"folds cannot be {folds}." in refuses(tmp_path / "gone.csv", "--folds", folds)


def test_a_missing_output_folder_is_refused(refuses, tmp_path):
    sentence = refuses(tmp_path / "gone.anki2", "--json", tmp_path / "no" / "r.json")
    assert contains_sentence(
        sentence, f"--json cannot be '{tmp_path / 'no' / 'r.json'}'. Allowed: a file in an existing, writable folder"
    )


@pytest.mark.parametrize("options", [["--since", "yesterday"], ["--folds", "x"], ["--nonsense"], []])
def test_a_mistyped_command_is_explained(options, capsys):
    with pytest.raises(SystemExit) as caught:
        command.main([*options] if not options else ["x.anki2", *options])
    assert caught.value.code == 2
    err = capsys.readouterr().err
    assert err.endswith("See python3 tools evaluate --help.\n")
    assert err.count("\n") == 1


def test_unknown_home_folder_is_an_error(refuses):
    assert matches_sentence(refuses("~nouser/x"), "There is no file at ~nouser/x. Check the path and try again.")
    assert PredictionsFile.typed("A=~nouser/x#B") == PredictionsFile("A", Path("~nouser/x"), "B")


@pytest.mark.parametrize(("name", "table"), [("cards.csv", "whole-day"), ("cards.same-day.csv", "both")])
def test_no_output_destroys_the_cards(name, table, refuses, files, tmp_path):
    cards, output = tmp_path / name, tmp_path / "cards.csv"
    cards.write_text("id,did\n1,1\n")
    text = refuses(files.csv, "--json", output, "--cards", cards, "--table", table)
    assert "any file but those that are read" in text
    assert cards.read_text() == "id,did\n1,1\n"


def test_too_little_memory_is_an_error(monkeypatch, capsys):
    def fails(_: object) -> int:
        raise MemoryError

    monkeypatch.setattr("tools.evaluate.main", fails)
    assert commands.run(["evaluate", "a.colpkg"]) == commands.FAILED
    assert capsys.readouterr().err == "Not enough memory.\n"
