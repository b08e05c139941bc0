from __future__ import annotations

import json
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys

import pytest
from disturbed_runs import ALGORITHMS, wait_for_lines
from waiting import PATIENCE

from tools.benchmark import results_format
from tools.benchmark.results_file import ResultsFile
from tools.environment import ROOT, MachineNotReady
from tools.processes import processes

#: Number of copies of the collections, so that a run is not finished when the signal comes.
COPIES = 2


@pytest.fixture(scope="module")
def copies(collections, tmp_path_factory):
    """Return a folder with copies of the collections."""
    folder = tmp_path_factory.mktemp("copies")
    for copy in range(COPIES):
        shutil.copytree(collections, folder / f"copy{copy}")
    return folder


@pytest.mark.parametrize(("signum", "to_all"), [(signal.SIGINT, True), (signal.SIGTERM, False)])
def test_stopped_run_resumes(signum, to_all, copies, expected_lines, start, run_here, temporary, tmp_path):
    out = tmp_path / "results.jsonl"
    arguments = ("benchmark", copies, "--out", out, "--algorithms", ALGORITHMS, "--processes")
    process = start(*arguments, 2)
    wait_for_lines(out, 1, process)
    send = os.killpg if to_all else os.kill
    send(process.pid, signum)
    messages, _ = process.communicate(timeout=PATIENCE)  # returns when all processes that hold the streams have ended
    assert process.returncode == 128 + signum
    assert messages == f"Finished results are in {out}. Run the same command to resume.\nCancelled.\n"
    assert list(temporary.iterdir()) == []
    written = out.read_text().splitlines()
    assert 4 <= len(written) < COPIES * len(expected_lines)  # at least those of one collection
    assert not [line for line in written if "error" in json.loads(line)]
    again = run_here(*arguments, 1)
    assert again.returncode == 0, again.stderr
    assert out.read_text().splitlines()[: len(written)] == written
    prefixes = [f'"collection": "copy{copy}/' for copy in range(COPIES)]
    renamed = [line.replace('"collection": "', prefix) for prefix in prefixes for line in expected_lines]
    assert sorted(out.read_text().splitlines()) == sorted(renamed)


def test_kill_while_failures_are_forgotten_leaves_the_results(tmp_path):
    about = {"version": "1", "options": {"folds": 5}}
    real = tmp_path / "real.jsonl"
    content = b"".join(
        results_format.to_bytes({**about, "collection": name, "algorithm": None, "error": "x"}) for name in "ab"
    )
    real.write_bytes(content)
    (tmp_path / "results.jsonl").symlink_to(real)
    (tmp_path / "results.jsonl.tmp").write_text("somebody else's")
    script = """
import os, signal, sys
from pathlib import Path
from tools.benchmark.results_file import ResultsFile
if sys.argv[2] == "kill":
    Path.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
with ResultsFile(Path(sys.argv[1]), {"folds": 5}, "1") as results:
    results.forget_failures()
"""
    for how, code, expected in (("kill", -signal.SIGKILL, content), ("end", 0, b"")):
        command = [sys.executable, "-c", script, str(tmp_path), how]
        assert subprocess.run(command, cwd=ROOT, check=False).returncode == code
        assert real.read_bytes() == expected
    assert (tmp_path / "results.jsonl").is_symlink()
    assert (tmp_path / "results.jsonl.tmp").read_text() == "somebody else's"
    with ResultsFile(tmp_path, {"folds": 5}, "1") as results:
        assert None not in results.failures


def test_death_of_a_process_is_reported_if_work_is_not_repeated():
    with pytest.raises(MachineNotReady, match="A process died, perhaps for lack of memory"), processes(1) as pool:
        pool.submit(os._exit, 1).result()


@pytest.mark.skipif(sys.platform == "win32", reason="blocked signals")
def test_worker_is_not_interrupted_while_it_starts():
    with processes(1) as pool:
        answer = pool.submit(os.getpid)
        (worker,) = multiprocessing.active_children()
        os.kill(worker.pid, signal.SIGINT)  # long before it can ignore that by itself
        assert answer.result() == worker.pid
