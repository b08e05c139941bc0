from __future__ import annotations

import os
from pathlib import Path

import pytest
from full_disk import full_disk

from evaluator.errors import BadOption
from tools import commands
from tools.output.output_files import Target, check_targets, listing, write_text_file
from tools.output.outputs import Outputs
from ui.drafts import PRECIOUS, Drafts, name_in_errors, scratch_folder

QUICK = ("--algorithms", "AVG,SM-2")
FILES = ("--json", "--predictions", "--html")
NOT_PRECIOUS = "any file but a collection or a package"
NOT_COMPANION = "any name but that of a file that belongs to a collection"


def tree(folder: Path) -> dict[str, bytes | str | None]:
    """Return the contents of a folder: the bytes of files, the targets of links, None for folders."""

    def content(path):
        if path.is_symlink():
            return str(path.readlink())
        return path.read_bytes() if path.is_file() else None

    return {str(path.relative_to(folder)): content(path) for path in folder.rglob("*")}


@pytest.fixture
def refusal(capsys, monkeypatch, tmp_path):
    """Return a function that runs a command, checks that it refuses and changes nothing, and returns its sentence."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tools.sources.read", lambda *_, **__: pytest.fail("the work was begun"))

    def run(*arguments):
        before = tree(tmp_path)
        assert commands.run(["evaluate", "collection.anki2", *QUICK, *map(str, arguments)]) == 2
        assert tree(tmp_path) == before
        result = capsys.readouterr()
        assert (result.out, result.err.count("\n")) == ("", 1)
        return result.err

    return run


@pytest.mark.parametrize("start", PRECIOUS)
def test_output_never_replaces_a_database(start, refusal, collection):
    Path("report.json").write_bytes(start + bytes(100))
    Path("link.json").symlink_to("report.json")
    for option in FILES:
        for name in ("report.json", "link.json"):
            assert NOT_PRECIOUS in refusal(option, name)


@pytest.mark.parametrize("ending", ["-wal", "-journal", "-shm", "-WAL"])
@pytest.mark.parametrize("exists", [True, False])
def test_output_never_replaces_a_companion_of_a_database(ending, exists, refusal, collection):
    """Reviews that were committed to the write-ahead log would be lost."""
    companion = Path(f"{collection.name}{ending}")
    if exists:
        companion.write_bytes(b"")
    Path("link").symlink_to(companion)
    for option in (*FILES, "--charts"):
        for name in (companion.name, "link"):
            assert refusal(option, name) == f"{option} cannot be '{name}'. Allowed: {NOT_COMPANION}.\n"


def test_output_never_replaces_the_input(refusal, collection):
    log = collection.with_name("log.csv")
    log.write_text("id\n")
    Path("hard").hardlink_to(log)
    Path("link").symlink_to(log)
    for name in ("log.csv", "hard", "link"):
        assert "any file but those that are read" in refusal("--json", name, "--cards", log)


def test_collection_or_folder_with_the_name_of_a_graph_is_not_replaced(refusal, collection, tmp_path):
    graph = tmp_path / "graphs" / "INTERVAL.PNG"
    graph.parent.mkdir()
    graph.write_bytes(collection.read_bytes())
    assert NOT_PRECIOUS in refusal("--charts", "graphs")
    graph.unlink()
    graph.mkdir()
    assert "a file in an existing, writable folder" in refusal("--charts", "graphs")


@pytest.mark.parametrize(("name", "other"), [("out", "./out"), ("out", "link"), ("out", "hard"), ("new", "new")])
def test_two_outputs_cannot_be_one_file(name, other, refusal, collection):
    Path("out").write_text("old")
    Path("hard").hardlink_to("out")
    Path("link").symlink_to("out")
    sentence = "--json cannot be '{}'. Allowed: another file than --html.\n"
    assert refusal("--json", name, "--html", other) == sentence.format(name)
    assert "Allowed: another folder than --json" in refusal("--json", "new", "--charts", "new")
    Path("to_new").symlink_to("new")
    assert refusal("--json", "new", "--html", "to_new") == sentence.format("new")


def test_outputs_decide_which_sections_are_computed(tmp_path):
    sections = {ending: Outputs({ending: tmp_path}).sections() for ending in ("png", "html", "json", "csv")}
    assert sections == {"png": ["graphs"], "html": ["quick"], "json": [], "csv": []}


@pytest.mark.parametrize("name", ["file/file", "folder", "gone/file"])
def test_unwritable_paths_are_refused(name, refusal, collection):
    Path("file").write_text("")
    Path("folder").mkdir()
    for option in FILES:
        assert "Allowed: a file in an existing, writable folder" in refusal(option, name)
    assert "Allowed: a folder that you may write to" in refusal("--charts", "file/graphs")


def test_hyphen_is_refused_as_a_path(refusal, collection, capsys):
    for option in ("--html", "--charts"):
        assert f"{option} cannot be '-'. Allowed: a path, because" in refusal(option, "-")
    assert commands.run(["simulate", "-", "--people", "1"]) == 2
    assert "FOLDER cannot be '-'." in capsys.readouterr().err


def test_benchmark_and_summary_never_replace_a_database(tmp_path, capsys):
    source, out = tmp_path / "source", tmp_path / "out"
    source.mkdir()
    out.mkdir()
    (source / "log.csv").write_text("id,cid,ease,ivl,lastIvl,factor,time,type\n")
    results = tmp_path / "summary.json"
    results.write_text(
        '{"algorithm": "AVG", "collection": "a", "version": "1", "options": {"folds": 5}, "error": "x"}\n'
    )
    for command, name in (
        (["summarize", results, "--out", out], "superiority.svg"),
        (["benchmark", source, "--out", out], "results.jsonl"),
    ):
        (out / name).write_bytes(b"SQLite format 3\0" + bytes(100))
        assert commands.run([*map(str, command)]) == 2
        assert NOT_PRECIOUS in capsys.readouterr().err
        (out / name).unlink()
    assert commands.run(["summarize", str(results), "--out", str(tmp_path)]) == 2
    assert "any file but those that are read" in capsys.readouterr().err


def test_files_are_put_in_place_once_all_are_written(tmp_path):
    old = tmp_path / "old"
    link = tmp_path / "link"
    new = tmp_path / "folder" / "in" / "new"
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


def test_failed_write_changes_no_file(tmp_path):
    (tmp_path / "a").write_text("old")
    with pytest.raises(ZeroDivisionError), Drafts() as drafts:
        drafts.write(tmp_path / "a", (str(1 / n) for n in (1, 0)))
    assert tree(tmp_path) == {"a": b"old"}
    write_text_file(tmp_path / "a", "text")
    assert tree(tmp_path) == {"a": b"text"}


@pytest.mark.parametrize("option", [*FILES, "--charts"])
def test_full_disk_names_the_file_or_folder(option, files, tmp_path, capsys, few_graphs):
    with full_disk():
        assert commands.run(["evaluate", str(files.csv), *QUICK, option, str(tmp_path / "out")]) == 2
    assert capsys.readouterr().err == f"{tmp_path / 'out'}: File too large.\n"
    assert list(tmp_path.iterdir()) == []


def test_error_of_a_library_keeps_its_text(tmp_path):
    with pytest.raises(OSError, match="odd") as caught, name_in_errors(tmp_path):
        raise OSError("odd")
    assert (caught.value.filename, caught.value.strerror) == (str(tmp_path), "odd")


def test_pipe_is_not_written_to(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(BadOption):
        check_targets([Target("--json", tmp_path / "pipe")])


def test_temporary_folders_are_private_and_removed(tmp_path):
    for beside in (None, tmp_path):
        with scratch_folder(beside) as folder:
            assert folder.stat().st_mode & 0o777 == 0o700
            (folder / "of" / "another").mkdir(parents=True)
        assert not folder.exists()


def test_graphs_are_counted(tmp_path):
    text = listing([tmp_path / "new.png", Path("a.json")])
    assert text == f"Written:\n  a.json\n  {tmp_path}: 1 graph"
