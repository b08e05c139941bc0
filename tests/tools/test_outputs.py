"""No output touches the input, a collection or another output; all are written or none."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import subprocess
import sys
import unicodedata
from collections.abc import Iterable
from pathlib import Path

import pytest
from told import says

from evaluator.errors import BadOption
from tools import evaluate as command
from tools import targets
from tools.drafts import Drafts, write_whole
from tools.environment import ROOT
from tools.simulate import command as simulate_command
from tools.targets import Target

QUICK = ("--algorithms", "AVG,SM-2")
FILES = ("--json", "--predictions", "--html")
#: What SQLite may keep beside ``collection.anki2``.
KEPT = ("-wal", "-shm", "-journal", "-mj2C4A8F9E1")
NOT_PRECIOUS = "any file but a collection, what SQLite keeps beside one, or a package"


def tree(folder: Path) -> dict[str, bytes | str | None]:
    """All that is in a folder: the bytes of files, where links lead, None for folders."""
    return {
        str(path.relative_to(folder)): str(path.readlink())
        if path.is_symlink()
        else path.read_bytes()
        if path.is_file()
        else None
        for path in folder.rglob("*")
    }


@pytest.fixture
def refused(capsys, monkeypatch, tmp_path):
    """Runs the command, which must refuse before it reads anything, and change nothing; returns its sentence."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tools.sources.read", lambda *_, **__: pytest.fail("the work was begun"))

    def run(*arguments: object) -> str:
        before = tree(tmp_path)
        assert command.main(["collection.anki2", *QUICK, *map(str, arguments)]) == 2
        assert tree(tmp_path) == before
        said = capsys.readouterr()
        assert (said.out, said.err.count("\n")) == ("", 1)
        return said.err

    return run


@pytest.mark.parametrize("there", [False, True])
@pytest.mark.parametrize("kept", KEPT)
@pytest.mark.parametrize("option", FILES)
def test_what_sqlite_keeps_beside_the_input_is_not_written(option, kept, there, refused, collection):
    name = collection.name + kept
    if there:
        Path(name).write_bytes(b"")
    assert NOT_PRECIOUS in refused(option, name)


def test_a_hot_journal_is_what_makes_the_input_whole(refused, collection, tmp_path):
    """As a program leaves it that is killed while it writes: only with the journal is the review log all there."""
    killed = """
import os, signal, sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("pragma journal_mode = delete")
db.execute("pragma cache_size = 1")
db.execute("begin")
db.execute("update revlog set ease = 1, factor = 1300")
db.execute("delete from revlog where id % 2")
os.kill(os.getpid(), signal.SIGKILL)
"""
    rows = _rows(collection)
    subprocess.run([sys.executable, "-c", killed, str(collection)], check=False)
    journal = Path(f"{collection}-journal")
    assert journal.stat().st_size > 0
    assert NOT_PRECIOUS in refused("--json", journal)
    assert _rows(collection) == rows


def _rows(collection: Path) -> list[tuple[int, ...]]:
    with contextlib.closing(sqlite3.connect(collection)) as db:
        return db.execute("select id, cid, ease, factor from revlog order by id").fetchall()


@pytest.mark.parametrize("kept", KEPT)
def test_nor_under_another_name_of_it(kept, refused, collection, tmp_path):
    """Through a link, a folder and ``..``, a linked folder, or beside the file that the input is a link to."""
    folder = tmp_path / "folder"
    folder.mkdir()
    (tmp_path / "link").symlink_to(f"{collection}{kept}")
    (folder / "elsewhere").symlink_to(tmp_path)
    for name in ("link", f"folder/../{collection.name}{kept}", f"folder/elsewhere/{collection.name}{kept}"):
        assert NOT_PRECIOUS in refused("--json", name)
    real = collection.rename(folder / "real.anki2")
    collection.symlink_to(real)
    assert NOT_PRECIOUS in refused("--json", f"folder/real.anki2{kept}")
    assert NOT_PRECIOUS in refused("--json", f"{collection.name}{kept}")


def test_nor_is_a_folder_made_there(refused, collection, capsys):
    for folder in (f"{collection.name}-journal", f"{collection.name}-wal/of/graphs"):
        assert NOT_PRECIOUS in refused("--charts", folder)
        assert simulate_command.main([folder, "--people", "1"]) == 2
        assert NOT_PRECIOUS in capsys.readouterr().err


def test_nor_beside_any_other_collection(refused, collection):
    other = collection.with_name("other.anki2")
    other.write_bytes(collection.read_bytes())
    assert NOT_PRECIOUS in refused("--json", "other.anki2-wal")


@pytest.mark.parametrize("start", [b"SQLite format 3\0", b"PK\x03\x04", b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"])
def test_no_database_is_replaced_whatever_its_name(start, refused, collection, tmp_path):
    Path("report.json").write_bytes(start + bytes(100))
    Path("link.json").symlink_to("report.json")
    for option in FILES:
        for name in ("report.json", "link.json"):
            assert NOT_PRECIOUS in refused(option, name)


def test_the_input_under_another_name(refused, collection):
    """A review log is told from other files by nothing but its place."""
    log = collection.with_name("log.csv")
    log.write_text("id\n")
    Path("hard").hardlink_to(log)
    Path("link").symlink_to(log)
    for name in ("log.csv", "hard", "link", "LOG.CSV"):
        assert "any file but those that are read" in refused("--json", name, "--cards", log)


@pytest.mark.parametrize("graph", ["interval-sm-2.png", "calibration-avg-vs-sm-2.png", "EVIDENCE.PNG"])
def test_a_collection_under_a_graphs_name(graph, refused, collection, tmp_path):
    folder = tmp_path / "graphs"
    folder.mkdir()
    (folder / graph).write_bytes(collection.read_bytes())
    assert NOT_PRECIOUS in refused("--charts", "graphs")
    (folder / graph).unlink()
    (folder / graph).symlink_to(collection)
    assert "any file but those that are read" in refused("--charts", "graphs")
    (folder / graph).unlink()
    (folder / graph).mkdir()
    assert "an ordinary file" in refused("--charts", "graphs")


def test_what_else_lies_beside_the_graphs_does_not_matter(here, files, tmp_path):
    folder = tmp_path / "graphs"
    folder.mkdir()
    (folder / "collection.anki2").write_bytes(files.collection.read_bytes())
    done = here("evaluate", folder / "collection.anki2", *QUICK, "--charts", folder)
    assert done.returncode == 0, done.stderr
    assert (folder / "collection.anki2").read_bytes() == files.collection.read_bytes()
    assert (folder / "interval-sm-2-vs-avg.png").read_bytes().startswith(b"\x89PNG")


def test_no_folder_is_called_by_a_hyphen(refused, collection, capsys):
    assert "--charts cannot be '-'." in refused("--charts", "-")
    assert simulate_command.main(["-", "--people", "1"]) == 2
    assert "FOLDER cannot be '-'." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("out", "./out"),
        ("out", "hard"),
        ("out", "link"),
        ("new", "dangling"),
        ("out", "OUT"),
        ("new", "New"),
        (unicodedata.normalize("NFC", "café"), unicodedata.normalize("NFD", "café")),
        ("out", "folder/up/out"),
    ],
)
@pytest.mark.parametrize("options", [("--json", "--predictions"), ("--html", "--json"), ("--predictions", "--html")])
def test_two_outputs_have_two_files(one, other, options, refused, collection, tmp_path):
    """On every system alike, whatever its file system takes for one name."""
    Path("out").write_text("old")
    Path("hard").hardlink_to("out")
    Path("link").symlink_to("out")
    Path("dangling").symlink_to("new")
    Path("folder").mkdir()
    Path("folder/up").symlink_to(tmp_path)
    assert "Allowed: another file than --" in refused(options[0], one, options[1], other)


@pytest.mark.parametrize(("one", "other"), [("a/out", "b/out"), ("a/new/out", "b/new/OUT")])
def test_a_folder_that_is_mounted_twice_is_one(one, other, tmp_path, monkeypatch):
    for name in ("a", "b"):
        (tmp_path / name / "new").mkdir(parents=True)
    stat = Path.stat
    twin = {tmp_path / "b" / name: tmp_path / "a" / name for name in ("", "new")}
    monkeypatch.setattr(Path, "stat", lambda path, **options: stat(twin.get(path, path), **options))
    with pytest.raises(BadOption):
        targets.check([Target("--json", tmp_path / one), Target("--html", tmp_path / other)])


@pytest.mark.parametrize("folder", ["X", "X/graphs", "./x"])
@pytest.mark.parametrize("option", FILES)
def test_a_file_is_not_where_a_folder_is_needed(option, folder, refused, collection):
    Path("p").write_text("old")
    others = ("--predictions", "p") if option != "--predictions" else ("--json", "p")
    assert f"another folder than {option}" in refused(*others, option, "X", "--charts", folder)


def test_a_file_is_not_where_a_graph_may_be(refused, collection):
    Path("graphs").mkdir()
    assert "another folder than --json" in refused("--json", "graphs/interval-sm-2.png", "--charts", "graphs")


def test_long_names(here, files, tmp_path):
    """A file system takes 255 bytes; whoever writes a draft beside the file must not need a longer name."""
    paths = [tmp_path / ("n" * length) for length in (245, 250, 255)]
    outputs = [argument for pair in zip(FILES, paths, strict=True) for argument in pair]
    done = here("evaluate", files.collection, *QUICK, *outputs)
    assert done.returncode == 0, done.stderr
    assert sorted(tmp_path.iterdir()) == paths
    assert all(path.stat().st_size for path in paths)


def test_names_that_are_too_long(refused, collection):
    name = "n" * 256
    for option in FILES:
        assert f"{option} cannot be 'nnn" in refused(option, name)
        assert f"{option} cannot be '" in refused(option, "é" * 128)
    for folder in (name, f"new/{name}/graphs"):
        assert "--charts cannot be '" in refused("--charts", folder)


@pytest.mark.parametrize("name", ["loop", "loop/file", "file/file", "folder", "gone/file"])
def test_places_that_cannot_be_written_to(name, refused, collection):
    Path("loop").symlink_to("loop")
    Path("file").write_text("")
    Path("folder").mkdir()
    for option in FILES:
        assert f"{option} cannot be '{name}'. Allowed: a file in a folder that exists" in refused(option, name)
    if name in ("loop", "loop/file", "file/file"):
        assert f"--charts cannot be '{name}'. Allowed: a folder that you may" in refused("--charts", name)


def test_a_folder_of_results_is_not_written_over_either(tmp_path, capsys, monkeypatch):
    """Not by `summarise` under the name of a table, nor by `benchmark` under that of its results."""
    from tools.benchmark import command as benchmark
    from tools.summarise import command as summarise

    source, out = tmp_path / "source", tmp_path / "out"
    source.mkdir()
    out.mkdir()
    database = b"SQLite format 3\0" + bytes(100)
    (source / "log.csv").write_text("id,cid,ease,ivl,lastIvl,factor,time,type\n")
    results = tmp_path / "results.jsonl"
    results.write_text(
        '{"algorithm": "AVG", "collection": "a", "version": "1", "options": {"folds": 5}, "error": "x"}\n'
    )
    for main, arguments, name in (
        (summarise.main, [results, "--out", out], "summary.json"),
        (summarise.main, [results, "--out", out], "superiority.svg"),
        (benchmark.main, [source, "--out", out], "results.jsonl"),
        (benchmark.main, [source, "--out", out], "results.timings.csv"),
    ):
        (out / name).write_bytes(database)
        before = tree(tmp_path)
        assert main([str(argument) for argument in arguments]) == 2
        assert says(capsys.readouterr().err, f"--out cannot be '{out / name}'. {NOT_PRECIOUS}")
        assert tree(tmp_path) == before
        (out / name).unlink()
    (source / "x.timings.csv").write_text("id,cid,ease,ivl,lastIvl,factor,time,type\n")
    before = tree(tmp_path)
    assert benchmark.main([str(source), "--out", str(source / "x.jsonl")]) == 2
    assert "any file but those that are read" in capsys.readouterr().err
    assert tree(tmp_path) == before
    (out / "results.timings.csv").write_text("my notes\n")
    assert benchmark.main([str(source), "--out", str(out)]) == 2
    assert "results.timings.csv holds no timings of a benchmark" in capsys.readouterr().err
    assert (out / "results.timings.csv").read_text() == "my notes\n"


def test_results_of_results(tmp_path, capsys):
    from tools.summarise import command as summarise

    results = tmp_path / "summary.json"
    results.write_text(
        '{"algorithm": "AVG", "collection": "a", "version": "1", "options": {"folds": 5}, "error": "x"}\n'
    )
    assert summarise.main([str(results), "--out", str(tmp_path)]) == 2
    assert "any file but those that are read" in capsys.readouterr().err


# All or none


def test_all_come_into_place_at_once(tmp_path):
    old, link, new = tmp_path / "old", tmp_path / "link", tmp_path / "folder" / "in" / "new"
    old.write_text("old")
    old.chmod(0o640)
    link.symlink_to(tmp_path / "linked")
    with Drafts() as drafts:
        for file in (old, link, new):
            drafts.write(file, ["one ", "two \udcff"])
        assert old.read_text() == "old"
        assert not new.parent.parent.exists()
        assert drafts.put_in_place() == [old, link, new]
    for file in (old, tmp_path / "linked", new):
        assert file.read_text() == "one two \\udcff"
    assert link.is_symlink()
    assert old.stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "link", "linked", "old"]


def test_a_draft_lies_beside_what_a_link_leads_to(tmp_path):
    """That may be on another disk, where no draft of this one can be moved to."""
    for folder in ("of_links", "of_files"):
        (tmp_path / folder).mkdir()
    link, file = tmp_path / "of_links" / "link", tmp_path / "of_files" / "file"
    link.symlink_to(file)
    with Drafts() as drafts:
        drafts.write(link, ["new"])
        assert list(link.parent.iterdir()) == [link]
        assert len(list(file.parent.iterdir())) == 1
        drafts.put_in_place()
    assert file.read_text() == "new"
    with Drafts() as drafts:
        graph = drafts.folder_for(link.parent) / "graph"
        graph.write_text("newer")
        drafts.add(graph, link)
        assert len(list(file.parent.iterdir())) == 2
        drafts.put_in_place()
    assert (file.read_text(), link.is_symlink()) == ("newer", True)


def _write(files: dict[Path, Iterable[str]]) -> None:
    with Drafts() as drafts:
        for file, lines in files.items():
            drafts.write(file, lines)
        drafts.put_in_place()


@pytest.mark.parametrize("with_links", [True, False])
@pytest.mark.parametrize("failing", range(4))
def test_where_one_cannot_be_replaced_all_is_as_before(failing, with_links, tmp_path, monkeypatch):
    """Also where the file system has no second names for files, and whatever comes in between."""
    names = ["a", "b", "new/c", "d"]
    for name in ("a", "b", "d"):
        (tmp_path / name).write_text(f"old {name}")
    (tmp_path / "b").chmod(0o600)
    before = tree(tmp_path)
    if not with_links:
        monkeypatch.setattr(os, "link", lambda *_: (_ for _ in ()).throw(OSError(95, "not supported")))
    replace = Path.replace

    def fails(self: Path, target: Path) -> Path:
        if target == (tmp_path / names[failing]) and self.read_text().startswith("new"):
            raise OSError(16, "Device or resource busy", str(self), None, str(target))
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", fails)
    with pytest.raises(OSError, match="busy") as caught:
        _write({tmp_path / name: [f"new {name}"] for name in names})
    assert caught.value.filename == str(tmp_path / names[failing])
    assert tree(tmp_path) == before
    assert (tmp_path / "b").stat().st_mode & 0o777 == 0o600


def test_what_fails_while_it_is_written_changes_nothing(tmp_path):
    (tmp_path / "a").write_text("old")

    def lines():
        yield "half"
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space left") as caught:
        _write({tmp_path / "a": ["new"], tmp_path / "b": lines()})
    assert caught.value.filename == str(tmp_path / "b")
    assert tree(tmp_path) == {"a": b"old"}


def test_a_collection_that_came_meanwhile_is_not_replaced(tmp_path):
    (tmp_path / "a").write_text("old")

    def lines():
        (tmp_path / "b").write_bytes(b"SQLite format 3\0")
        yield "new"

    with pytest.raises(FileExistsError) as caught:
        _write({tmp_path / "a": ["new"], tmp_path / "b": lines()})
    assert caught.value.filename == str(tmp_path / "b")
    assert tree(tmp_path) == {"a": b"old", "b": b"SQLite format 3\0"}


def test_one_file_is_written_whole(tmp_path):
    write_whole(tmp_path / "a", "text")
    assert tree(tmp_path) == {"a": b"text"}


def test_to_open_a_pipe_would_take_for_ever(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    targets.check([Target("--json", tmp_path / "pipe-wal")])


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
@pytest.mark.parametrize("name", ["/dev/{stream}", "printed.txt"])
def test_what_is_printed_is_not_replaced(stream, name, files, tmp_path):
    """Where ``> printed.txt`` has it go to a file: what is printed would be lost."""
    with (tmp_path / "printed.txt").open("w+") as printed:
        options = [files.collection, *QUICK, "--json", name.format(stream=stream)]
        streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, stream: printed}
        done = subprocess.run(
            [sys.executable, ROOT / "tools", "evaluate", *options], cwd=tmp_path, check=False, **streams
        )
        assert done.returncode == 2
        printed.seek(0)
        said = printed.read() + (done.stderr or b"").decode()
    assert "any file but the one that standard output or standard error goes to" in said
    assert said.count("\n") == 1
