from __future__ import annotations

import contextlib
import errno
import os
import shutil
import sqlite3
import zipfile
from pathlib import Path
from unittest.mock import Mock

import pytest
from anki.collection import Collection, ExportAnkiPackageOptions
from sentence_matching import contains_sentence, matches_sentence

from evaluator.data.revlog import REVLOG_COLUMNS
from tools import commands, sources
from tools import evaluate as command
from tools.sources.predictions import PredictionsFile


def execute(path: Path, changes: str) -> None:
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.executescript(changes)


def csv_log(*ids: object) -> str:
    """Return a CSV of one card's answers."""
    return "\n".join([",".join(REVLOG_COLUMNS), *(f"{id_},1,3,1,1,2500,5000,1" for id_ in ids)]) + "\n"


@pytest.fixture
def refusal(capsys, tmp_path, monkeypatch):
    """Return a function that runs a command, checks that it refuses and changes nothing, and returns its sentence."""

    def run(path, *options):
        out, temporary = tmp_path / "out", tmp_path / "temporary"
        out.mkdir(exist_ok=True)
        temporary.mkdir(exist_ok=True)
        monkeypatch.setattr("tempfile.tempdir", str(temporary))
        state = Path(path).read_bytes() if Path(path).is_file() else None
        outputs = ["--json", out / "r.json", "--predictions", out / "p.csv", "--charts", out / "charts"]
        assert commands.run(["evaluate", *map(str, [path, *outputs, *options])]) == 2
        printed = capsys.readouterr()
        assert printed.out == ""
        assert printed.err.count("\n") == 1
        assert list(out.iterdir()) == []
        assert list(temporary.iterdir()) == []
        assert state is None or Path(path).read_bytes() == state
        return printed.err.rstrip("\n")

    return run


def foreign_database() -> bytes:
    with contextlib.closing(sqlite3.connect(":memory:")) as db:
        db.execute("create table revlog (id integer)")
        return db.serialize()


@pytest.mark.parametrize(
    "content",
    [
        b"hello\n", os.urandom(5000), b"\x89PNG\r\n\x1a\n", b"\x1f\x8b\x08", foreign_database(),
        b"PK\x05\x06" + bytes(18),
    ],
)  # fmt: skip
def test_other_files_are_refused(content, refusal, tmp_path):
    path = tmp_path / "collection.anki2"
    path.write_bytes(content)
    assert refusal(path).startswith(f"{path} is not an Anki collection. Give a .anki2, .colpkg or .apkg file")


@pytest.mark.parametrize("ending", ["anki2", "colpkg", "apkg", "csv"])
def test_empty_file_is_called_empty(ending, refusal, tmp_path):
    path = tmp_path / f"a.{ending}"
    path.touch()
    assert refusal(path) == f"{path} is empty (0 bytes). Copy, download or export it again."


@pytest.mark.parametrize("name", ["collection", "colpkg", "old_colpkg", "apkg", "old_apkg"])
@pytest.mark.parametrize("share", [0.02, 0.3, 0.95])
def test_truncated_file_is_refused(name, share, refusal, files, tmp_path):
    content = getattr(files, name).read_bytes()
    path = tmp_path / f"cut.{name[-6:]}"
    path.write_bytes(content[: int(len(content) * share)])
    sentence = refusal(path)
    assert sentence.startswith(f"{path} is damaged and cannot be read (")
    assert ("the archive ends too early" in sentence) == name.endswith("pkg")
    assert "backup" in sentence


#: The beginning of a query that never ends.
ENDLESS = "with recursive c (x) as (select 1 union all select x + 1 from c) select"
ODD_CONTENT = "is damaged and cannot be read (some of its contents are not as Anki writes them). Use a backup;"


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ("update col set ver = 99", "was made by a newer version of Anki. Update SRS Evaluator to read it."),
        (
            "update col set ver = 10",
            "was made by a version of Anki that is too old. Open it once in Anki 2.0, which updates it, and try again.",
        ),
        ("update col set ver = 'x'", ODD_CONTENT),
        ("update decks set common = x'ffff'", ODD_CONTENT),
        ("delete from col", ODD_CONTENT),
        (
            "pragma writable_schema = on; update sqlite_master set name = x'ff', sql = 'CREATE' where name = 'graves'",
            ODD_CONTENT,
        ),
        ("drop table decks", "is damaged and cannot be read (no such table: decks). Use a backup;"),
    ],
)
def test_collection_that_anki_cannot_open_is_refused(changes, expected, refusal, collection):
    execute(collection, changes)
    assert refusal(collection).startswith(f"{collection} {expected}")


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        (
            f"drop table revlog; create view revlog as {ENDLESS} x as id, x as cid from c",
            "revlog is a view, not a table",
        ),
        (
            f"drop table config; create view config as {ENDLESS} x as key, x as val from c where x < 0",
            "config is a view, not a table",
        ),
        ("drop table graves; create virtual table graves using fts5(oid)", "graves is a virtual table"),
        (f"create trigger slow after update on col begin {ENDLESS} count() from c; end", "slow is a trigger"),
        ("alter table revlog add column odd as (length(id))", "revlog.odd is a generated column"),
        (
            "drop table notes; create table notes (id, odd default (length('a')))",
            "notes.odd has an expression as its default",
        ),
        ("alter table cards add column odd check (odd like '%a')", "cards has a check constraint"),
        ("create index slow on cards (length(data))", "slow is an index on an expression"),
        ("create index slow on cards (id, data like data)", "slow is an index on an expression"),
        (
            f"""
            drop table config; create view config as {ENDLESS} x as key from c; pragma writable_schema = on;
            update sqlite_master set type = x'56494557', tbl_name = x'636F6E666967' where name = 'config'
            """,
            "config is a view, not a table",
        ),
        ("create index slow on cards (id) where data like '%a'", "slow is an index on an expression"),
    ],
)
def test_collection_with_sql_that_would_run_is_refused(changes, expected, refusal, collection):
    execute(collection, changes)
    assert refusal(collection) == (
        f"{collection} contains SQL that would run while it is read, so it is not read: {expected}. Use a backup, or "
        "export all decks from Anki as .apkg, with scheduling information."
    )


def test_collection_with_harmless_additions_is_read(collection, simulation, tmp_path):
    execute(
        collection,
        """
        create view own_view as select 1; create table own_table (id check (id > 0));
        create index own_index on cards ("odid", id desc);
        drop table graves;
        create table graves (
            oid integer not null,  -- used for a duplicate check
            type integer not null, /* check */ usn integer not null default 'check', primary key (oid, type)
        ) without rowid;
        replace into config values ('not text', 0, 0, x'ff');
        """,
    )
    package = tmp_path / "a.colpkg"
    with zipfile.ZipFile(package, "w") as archive:
        archive.write(collection, "collection.anki2")
    for path in (collection, package):
        assert len(sources.read(path).revlog) == len(simulation.revlog)


@pytest.mark.parametrize(
    ("setting", "value"), [("localOffset", 10**12), ("localOffset", -1441), ("crt", 10**12), ("crt", -(9 * 10**18))]
)
def test_impossible_clock_is_refused(setting, value, refusal, collection):
    if setting == "crt":  # which only the first scheduler uses
        changes = f"update col set crt = {value}; replace into config values ('schedVer', 0, 0, cast('1' as blob))"
    else:
        changes = f"replace into config values ('{setting}', 0, 0, cast('{value}' as blob))"
    execute(collection, changes)
    assert refusal(collection) == (
        f"{setting} cannot be {value}. Allowed: minutes of at most one day (localOffset), seconds since 1970 (crt). "
        "Its clock is wrong: use a backup."
    )


@pytest.mark.parametrize("name", ["collection", "colpkg"])
def test_full_folder_for_temporary_files_is_named(name, refusal, files, tmp_path, monkeypatch):
    def fail(source, target, *_):
        raise OSError(errno.ENOSPC, "No space left on device", str(source))

    monkeypatch.setattr("shutil.copyfile", fail)
    monkeypatch.setattr("shutil.disk_usage", lambda _: shutil._ntuple_diskusage(1000, 1000, 0))
    sentence = refusal(getattr(files, name))
    assert sentence.startswith(f"The folder for temporary files, {tmp_path / 'temporary'}, is full")


@pytest.mark.parametrize("reason", ["database or disk is full", "disk I/O error"])
def test_failing_database_names_folder_for_temporary_files(reason, refusal, collection, monkeypatch):
    def fail(*_):
        raise sqlite3.OperationalError(reason)

    monkeypatch.setattr("sqlite3.connect", fail)
    assert refusal(collection).startswith("The folder for temporary files, ")


def test_export_again_is_advised_for_a_package_of_decks_without_reviews(refusal, tmp_path):
    col = Collection(str(tmp_path / "collection.anki2"), server=True)
    note = col.new_note(col.models.by_name("Basic"))
    note["Front"] = "a question"
    col.add_note(note, 1)
    col.export_anki_package(out_path=str(tmp_path / "a.zip"), options=ExportAnkiPackageOptions(), limit=None)
    col.export_collection_package(str(tmp_path / "b.zip"), include_media=False, legacy=False)
    advice = "export it again, with its scheduling information"
    assert [advice in refusal(tmp_path / name) for name in ("a.zip", "b.zip")] == [True, False]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (
            "card,when,rating\n1,2024-05-01,3\n",
            "Its first line has: card, when, rating. These review logs are read as CSV: Anki (id, cid, ease, ",
        ),
        (
            csv_log("1.6E+12", "1.6E+12"),
            "csv: id should be an integer, but is not in any of the 2 rows ('1.6E+12'). A spreadsheet",
        ),
        (
            csv_log(7, 1_600_000_000, 1_600_086_400),  # the unit of most ids
            "id looks like seconds since 1970, but must be in milliseconds: multiply by 1,000",
        ),
        (
            csv_log(7, 1_600_000_000_000_000, 1_600_086_400_000_000),
            "id looks like microseconds since 1970, but must be in milliseconds: divide by 1,000",
        ),
    ],
)
def test_fault_of_a_whole_csv_is_explained(content, expected, refusal, tmp_path):
    path = tmp_path / "log.csv"
    path.write_text(content)
    assert expected in refusal(path)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--algorithms", "AVG,FSR-6"], "There is no algorithm 'FSR-6'. Did you mean 'FSRS-6"),
        (["--folds", "101"], "folds cannot be 101."),
    ],
)
def test_options_are_checked_before_reading(options, expected, refusal):
    assert contains_sentence(refusal("gone.anki2", *options), expected)


def test_missing_files_and_folders_are_refused(refusal, files, tmp_path):
    sentence = "There is no file at ~nouser/x. Check the path and try again."
    assert matches_sentence(refusal("~nouser/x"), sentence)
    assert PredictionsFile.parse("A=~nouser/x#B") == PredictionsFile("A", Path("~nouser/x"), "B")
    assert "There is no file at" in refusal(files.csv, "--cards", tmp_path / "none.csv")
    assert "Allowed: a file; for a folder of collections there is `benchmark`" in refusal(tmp_path)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["x.anki2", "b.csv"], "Unexpected argument: b.csv."),
        (["x.anki2", "--flods", "3"], "Unknown option: --flods. Did you mean --folds?"),
        (["x.anki2", "--since", "yesterday"], "Argument --since: 'yesterday' is not a date like 2024-05-01."),
        (["x.anki2", "--folds", "x"], "Argument --folds: 'x' is not an integer."),
        (["x.anki2", "--qqq"], "Unknown option: --qqq."),
        ([], "The following arguments are required: PATH."),
    ],
)
def test_mistyped_command_is_explained(arguments, expected, capsys):
    with pytest.raises(SystemExit) as caught:
        command.main(arguments)
    assert caught.value.code == 2
    err = capsys.readouterr().err
    assert err == f"{expected} See python3 tools evaluate --help.\n"


def test_output_of_the_second_table_cannot_replace_cards_file(refusal, files, tmp_path):
    cards, output = tmp_path / "cards.same-day.csv", tmp_path / "cards.csv"
    cards.write_text("id,did\n1,1\n")
    text = refusal(files.csv, "--json", output, "--cards", cards, "--table", "both")
    assert "any file but those that are read" in text
    assert cards.read_text() == "id,did\n1,1\n"


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (MemoryError(), "Not enough memory.\n"),
        (PermissionError(13, "Permission denied", "a.anki2"), "a.anki2: Permission denied.\n"),
    ],
)
def test_error_of_the_system_is_a_sentence(error, expected, monkeypatch, capsys):
    monkeypatch.setattr("tools.evaluate.main", Mock(side_effect=error))
    monkeypatch.setattr("tools.environment.ensure_extras", lambda _extras: None)
    assert commands.run(["evaluate", "a.anki2"]) == commands.FAILED == 2
    assert capsys.readouterr().err == expected
