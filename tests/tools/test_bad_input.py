from __future__ import annotations

import contextlib
import errno
import io
import os
import re
import sqlite3
import zipfile
from pathlib import Path

import numpy as np
import pytest
from sentence_matching import contains_sentence, matches_sentence

from evaluator.data.revlog import REVLOG_COLUMNS
from tools import commands
from tools import evaluate as command
from tools.sources.predictions import PredictionsFile

DAY = 86_400_000
START = 1_600_000_000_000


def log(tmp_path: Path, cards: int = 9, answers: str = "33133", factor: float = 1) -> Path:
    """One answer a day: the first while learning, the others as reviews; times in other units by ``factor``."""
    path = tmp_path / "revlog.csv"
    rows = [
        f"{int((START + card + day * DAY) * factor)},{card},{answer},1,1,2500,5000,{int(day > 0)}"
        for card in range(cards)
        for day, answer in enumerate(answers)
    ]
    path.write_text("\n".join([",".join(REVLOG_COLUMNS), *rows]) + "\n")
    return path


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


def packed(content: bytes) -> bytes:
    """A zip archive with something else than a collection."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as package:
        package.writestr("photo.jpg", content)
    return file.getvalue()


def database() -> bytes:
    """Another program's."""
    with contextlib.closing(sqlite3.connect(":memory:")) as db:
        db.execute("create table revlog (id integer)")
        return db.serialize()


@pytest.mark.parametrize(
    "content", [b"", b"hello\n", os.urandom(5000), b"\x89PNG\r\n\x1a\n", b"\x1f\x8b\x08", database(), packed(b"...")]
)
def test_other_files_are_not_a_collection(content, refuses, tmp_path):
    path = tmp_path / "collection.anki2"
    path.write_bytes(content)
    assert refuses(path).startswith(f"{path} is not an Anki collection. Give a .anki2, .colpkg or .apkg file")


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
    path = log(tmp_path, cards=1, answers="3333")
    path.write_text(re.sub(r"(?m)^16\d+,", "1.6E+12,", path.read_text()))
    sentence = refuses(path)
    assert sentence.startswith(
        f"{path}: id should be an integer, but is not in any of the 4 rows ('1.6E+12'). A spread"
    )
    assert "line" not in sentence
    assert "ts-fsrs (card_id, review, rating)" in sentence


def test_the_unit_of_review_ids_is_that_of_most(refuses, tmp_path):
    path = log(tmp_path, factor=0.001)
    header, first, *others = path.read_text().splitlines()
    path.write_text("\n".join([header, re.sub(r"^\d+", "7", first), first, *others]))
    assert "id looks like seconds since 1970" in refuses(path)


@pytest.mark.parametrize(("factor", "expected"), [(0.001, "seconds multiply"), (1000, "microseconds divide")])
def test_review_ids_in_another_unit_are_an_error(factor, expected, refuses, tmp_path):
    sentence = refuses(log(tmp_path, factor=factor))
    unit, remedy = expected.split()
    assert f"id looks like {unit} since 1970, but must be in milliseconds: {remedy} by 1,000" in sentence
    assert "same-day" not in sentence


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--algorithms", "AVG,FSR-6"], "There is no algorithm 'FSR-6'. Did you mean 'FSRS-6"),
        (["--folds", "101"], "folds cannot be 101."),
    ],
)
def test_options_are_checked_before_reading(options, expected, refuses):
    assert contains_sentence(refuses("gone.anki2", *options), expected)


def test_missing_files_are_errors_also_with_an_unknown_home_folder(refuses):
    sentence = "There is no file at ~nouser/x. Check the path and try again."
    assert matches_sentence(refuses("~nouser/x"), sentence)
    assert PredictionsFile.typed("A=~nouser/x#B") == PredictionsFile("A", Path("~nouser/x"), "B")


def test_missing_cards_file_is_an_error(refuses, files, tmp_path):
    assert "There is no file at" in refuses(files.csv, "--cards", tmp_path / "none.csv")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["x.anki2", "b.csv"], "Unexpected argument: b.csv."),
        (["x.anki2", "--flods", "3"], "Unknown option: --flods. Did you mean --folds?"),
        (["x.anki2", "--since", "yesterday"], "--since"),
        (["x.anki2", "--folds", "x"], "--folds"),
        (["x.anki2", "--nonsense"], "Unknown option: --nonsense."),
        ([], ""),
    ],
)
def test_a_mistyped_command_is_explained(arguments, expected, capsys):
    with pytest.raises(SystemExit) as caught:
        command.main(arguments)
    assert caught.value.code == 2
    err = capsys.readouterr().err
    assert expected in err
    assert err.endswith("See python3 tools evaluate --help.\n")
    assert err.count("\n") == 1


@pytest.mark.parametrize(("name", "table"), [("cards.csv", "whole-day"), ("cards.same-day.csv", "both")])
def test_no_output_destroys_the_cards(name, table, refuses, files, tmp_path):
    cards, output = tmp_path / name, tmp_path / "cards.csv"
    cards.write_text("id,did\n1,1\n")
    text = refuses(files.csv, "--json", output, "--cards", cards, "--table", table)
    assert "any file but those that are read" in text
    assert cards.read_text() == "id,did\n1,1\n"


def test_folder_is_an_error(refuses, tmp_path):
    assert "Allowed: a file; for a folder of collections there is `benchmark`" in refuses(tmp_path)


def test_too_little_memory_is_an_error(monkeypatch, capsys):
    def fails(_: object) -> int:
        raise MemoryError

    monkeypatch.setattr("tools.evaluate.main", fails)
    assert commands.run(["evaluate", "a.colpkg"]) == commands.FAILED
    assert capsys.readouterr().err == "Not enough memory.\n"
