from __future__ import annotations

import json
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from disturbed_runs import ALGORITHMS, wait_for_lines
from waiting import PATIENCE

from tools.benchmark import results_format
from tools.benchmark.results_file import ResultsFile
from tools.environment import MachineNotReady
from tools.processes import processes

#: So often the collections are copied that they are not finished before the signal comes.
COPIES = 2


@pytest.fixture(scope="module")
def many(collections, tmp_path_factory):
    folder = tmp_path_factory.mktemp("many")
    for number in range(COPIES):
        shutil.copytree(collections, folder / f"copy{number}")
    return folder


@pytest.mark.parametrize(("number", "to_all"), [(signal.SIGINT, True), (signal.SIGTERM, False)])
def test_stopped_run_resumes(number, to_all, many, expected, start, run_here, temporary, tmp_path):
    out = tmp_path / "results.jsonl"
    arguments = ("benchmark", many, "--out", out, "--algorithms", ALGORITHMS, "--processes")
    process = start(*arguments, 2)
    wait_for_lines(out, 1, process)
    (os.killpg if to_all else os.kill)(process.pid, number)
    messages, _ = process.communicate(timeout=PATIENCE)  # returns when all that hold the streams are gone
    assert process.returncode == 128 + number
    last_words = f"Finished results are in {out}. Run the same command to resume.\nCancelled.\n"
    assert messages == last_words
    assert list(temporary.iterdir()) == []
    written = out.read_text().splitlines()
    assert 4 <= len(written) < COPIES * len(expected)
    assert not [line for line in written if "error" in json.loads(line)]
    again = run_here(*arguments, 1)
    assert again.returncode == 0, again.stderr
    assert out.read_text().splitlines()[: len(written)] == written
    assert sorted(out.read_text().splitlines()) == sorted(
        line.replace('"collection": "', f'"collection": "copy{copy}/') for line in expected for copy in range(COPIES)
    )


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
from tools.environment import MachineNotReady
if sys.argv[2] == "kill":
    Path.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
with ResultsFile(Path(sys.argv[1]), {"folds": 5}, "1") as results:
    results.forget_failures()
"""
    root = Path(__file__).resolve().parents[3]
    for how, code, kept in (("kill", -signal.SIGKILL, content), ("end", 0, b"")):
        command = [sys.executable, "-c", script, str(tmp_path), how]
        assert subprocess.run(command, cwd=root, check=False).returncode == code
        assert real.read_bytes() == kept
    assert (tmp_path / "results.jsonl").is_symlink()
    assert (tmp_path / "results.jsonl.tmp").read_text() == "somebody else's"
    with ResultsFile(tmp_path, {"folds": 5}, "1") as results:
        assert None not in results.failures


def test_death_of_a_process_is_reported_by_commands_that_do_not_try_again():
    with pytest.raises(MachineNotReady, match="A process died, perhaps for lack of memory"), processes(1) as pool:
        pool.submit(os._exit, 1).result()


@pytest.mark.skipif(sys.platform == "win32", reason="blocked signals")
def test_worker_is_not_interrupted_while_it_starts():
    with processes(1) as pool:
        answer = pool.submit(os.getpid)
        (worker,) = multiprocessing.active_children()
        os.kill(worker.pid, signal.SIGINT)  # long before it can ignore that by itself
        assert answer.result() == worker.pid
