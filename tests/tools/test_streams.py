"""Standard output and error in another encoding, full, or closed: a word where one can be said, the right exit code."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from waiting import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
QUICK = ("--algorithms", "AVG,SM-2")
FULL = "The system: No space left on device.\n"
CLOSED = "Standard output is closed. To have nothing printed, send it to /dev/null.\n"


def shell(redirections: str, *arguments: object, **variables: str) -> subprocess.CompletedProcess[bytes]:
    """The command with these redirections of a shell."""
    command = ["sh", "-c", f'exec "$@" {redirections}', "sh", sys.executable, "tools", *map(str, arguments)]
    environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", **variables}
    return subprocess.run(command, cwd=ROOT, capture_output=True, check=False, env=environment, timeout=PATIENCE)


@pytest.fixture(scope="module")
def named(files, tmp_path_factory) -> tuple[str, Path]:
    """Predictions under a name with letters that few encodings have, as an option of `evaluate`, and its folder."""
    folder = tmp_path_factory.mktemp("predictions")
    done = shell("", "evaluate", files.collection, *QUICK, "--predictions", folder / "p.csv")
    assert done.returncode == 0, done.stderr
    return f"Modèle − 我的={folder}/p.csv#AVG", folder


@pytest.mark.parametrize(
    ("encoding", "name"),
    [
        ("utf-8", "Modèle − 我的"),
        ("latin-1", "Modèle - \\u6211\\u7684"),
        ("cp1252", "Modèle - \\u6211\\u7684"),
        ("ascii", "Mod\\xe8le - \\u6211\\u7684"),
    ],
)
def test_what_can_be_printed_is(encoding, name, named, files, tmp_path):
    report = tmp_path / "r\u00e9sum\u00e9.json"
    arguments = ("evaluate", files.collection, *QUICK, "--external", named[0])
    done = shell("", *arguments, "--json", report, PYTHONIOENCODING=encoding)
    assert (done.returncode, done.stderr) == (0, b"")
    table = done.stdout.decode(encoding)
    assert name in table
    assert json.loads(report.read_text(encoding="utf-8"))["version"]
    done = shell("", *arguments, "--json", "-", PYTHONIOENCODING=encoding)
    assert done.returncode == 0
    names = [row["algorithm"] for row in json.loads(done.stdout.decode("utf-8"))["results"]]
    assert "Modèle − 我的" in names
    assert name in done.stderr.decode(encoding)


@pytest.mark.parametrize("arguments", [("evaluate", "COLLECTION", *QUICK), ("--help",), ("evaluate", "--help")])
def test_standard_output_that_cannot_be_written_to(arguments, files, tmp_path):
    arguments = [str(files.collection) if part == "COLLECTION" else part for part in arguments]
    for redirection, said in ((">/dev/full", FULL), (">&-", CLOSED)):
        done = shell(redirection, *arguments)
        assert (done.returncode, done.stdout, done.stderr.decode()) == (2, b"", said)
        done = shell(f"{redirection} 2>&-", *arguments)
        assert (done.returncode, done.stdout, done.stderr) == (2, b"", b"")


def test_json_that_cannot_be_printed_leaves_no_file(files, tmp_path):
    done = shell(">/dev/full", "evaluate", files.collection, *QUICK, "--json", "-", "--predictions", tmp_path / "p.csv")
    assert done.returncode == 2
    assert done.stderr.decode().endswith(FULL)
    assert list(tmp_path.iterdir()) == []


def test_a_closed_output_is_said_before_the_work(files, tmp_path):
    done = shell(">&-", "evaluate", files.collection, *QUICK, "--json", tmp_path / "r.json")
    assert done.returncode == 2
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full"])
def test_standard_error_that_cannot_be_written_to(redirection, files, tmp_path):
    done = shell(redirection, "evaluate", tmp_path / "none.anki2")
    assert (done.returncode, done.stdout) == (2, b"")
    done = shell(redirection, "evaluate", files.collection, *QUICK)
    assert done.returncode == 0
    assert b"Log loss" in done.stdout
    done = shell(redirection, "no-such-command")
    assert (done.returncode, done.stdout) == (2, b"")


def test_a_table_does_not_get_among_the_json(files):
    done = shell("2>&-", "evaluate", files.collection, *QUICK, "--json", "-")
    assert done.returncode == 0
    assert json.loads(done.stdout)["version"]


def test_a_loop_of_links(here, files, tmp_path):
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    for arguments in (
        ("evaluate", loop),
        ("evaluate", files.collection, *QUICK, "--json", loop),
        ("evaluate", files.collection, *QUICK, "--charts", loop / "graphs"),
        ("evaluate", files.collection, *QUICK, "--external", f"a={loop}"),
        ("evaluate", files.csv, *QUICK, "--cards", loop),
        ("benchmark", loop),
        ("benchmark", files.collection.parent, "--out", loop),
        ("summarise", loop),
        ("simulate", loop, "--people", "1"),
    ):
        done = here(*arguments)
        assert (done.returncode, done.stdout) == (2, ""), done
        assert done.stderr.count("\n") == 1, done.stderr
        assert str(loop) in done.stderr
