from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from waiting import PATIENCE

from tools.environment import ROOT

QUICK = ("--algorithms", "AVG,SM-2")
FULL = "Standard output: No space left on device.\n"


def run_in_shell(redirections: str, *arguments: object, **variables: str) -> subprocess.CompletedProcess[bytes]:
    """Run the command in a shell with these redirections, and with only these variables."""
    command = ["sh", "-c", f'exec "$@" {redirections}', "sh", sys.executable, "tools", *map(str, arguments)]
    kept = {name: os.environ[name] for name in ("PYTHONDONTWRITEBYTECODE", "TMPDIR") if name in os.environ}
    environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", **kept, **variables}
    return subprocess.run(command, cwd=ROOT, capture_output=True, check=False, env=environment, timeout=PATIENCE)


def test_files_and_pipes_get_utf_8(files, run_here, tmp_path):
    name = "Modèle − 我的"
    predictions = tmp_path / "p.csv"
    assert run_here("evaluate", files.collection, *QUICK, "--predictions", predictions).returncode == 0
    external = f"{name}={predictions}#AVG"
    done = run_in_shell(
        "", "evaluate", files.collection, *QUICK, "--external", external, "--json", "-", PYTHONIOENCODING="ascii"
    )
    assert done.returncode == 0
    assert name in [row["algorithm"] for row in json.loads(done.stdout)["results"]]
    assert name in done.stderr.decode()


@pytest.mark.parametrize("arguments", [("evaluate", "COLLECTION", *QUICK), ("--help",)])
def test_unwritable_standard_output_is_an_error(arguments, files):
    arguments = [str(files.collection) if part == "COLLECTION" else part for part in arguments]
    done = run_in_shell(">/dev/full", *arguments)
    assert (done.returncode, done.stdout, done.stderr.decode()) == (2, b"", FULL)
    assert run_in_shell(">&- 2>&-", *arguments).returncode == 0


def test_json_that_cannot_be_printed_leaves_no_file(files, tmp_path):
    outputs = ("--json", "-", "--predictions", tmp_path / "p.csv")
    done = run_in_shell(">/dev/full", "evaluate", files.collection, *QUICK, *outputs)
    assert done.returncode == 2
    assert done.stderr.decode().endswith(FULL)
    assert list(tmp_path.iterdir()) == []


def run_unread(*arguments: object) -> subprocess.CompletedProcess[bytes]:
    """Run the command with standard output into a pipe without a reader, as after ``| head``."""
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "tools", *map(str, arguments)]
    with os.fdopen(writer) as stdout:
        return subprocess.run(command, cwd=ROOT, stdout=stdout, stderr=subprocess.PIPE, check=False, timeout=PATIENCE)


def test_files_are_written_with_standard_output_closed(files, tmp_path):
    source = tmp_path / "source"
    results = tmp_path / "results.jsonl"
    summary = tmp_path / "summary"
    source.mkdir()
    (source / "log.csv").write_bytes(files.csv.read_bytes())
    (source / "empty.csv").write_text("id,cid,ease,ivl,lastIvl,factor,time,type\n")
    evaluate = ("evaluate", files.collection, *QUICK)
    outputs = ("--json", tmp_path / "r.json", "--html", tmp_path / "r.html", "--charts", tmp_path / "charts")
    for arguments, code in (
        ((*evaluate, *outputs, "--table", "both"), 0),
        ((*evaluate, "--json", "-", "--predictions", tmp_path / "p.csv"), 0),
        (("benchmark", source, *QUICK, "--out", results, "--table", "both"), 1),
        (("summarize", results, "--out", summary), 0),
        (("algorithms",), 0),
    ):
        done = run_unread(*arguments)
        assert done.returncode == code, done.stderr
        assert b"Error" not in done.stderr
    names = ("r.json", "r.html", "p.csv", "results.jsonl", "charts", "r.same-day.json", "results.same-day.jsonl")
    assert all((tmp_path / name).stat().st_size for name in names)
    assert {path.name for path in summary.iterdir()} >= {"summary.md", "summary.json"}
