from __future__ import annotations

import os
import re
import signal

import pytest
from disturbed_runs import ALGORITHMS, wait_for_lines
from waiting import PATIENCE

from tools.benchmark import command

ADDRESS = re.compile(r"Scheduler at:\s+(tcp://\S+)")


@pytest.fixture
def scheduler(start):
    """Start a scheduler and return its address."""
    process = start("dask", "scheduler", "--host", "127.0.0.1", "--port", "0")
    for line in process.stdout:
        if match := ADDRESS.search(line):
            return match[1]
    pytest.fail("The scheduler did not start.")


def test_cluster_gives_equal_results_if_a_worker_is_killed(collections, expected_lines, scheduler, start, tmp_path):
    out = tmp_path / "results.jsonl"
    worker, _ = (start("dask", "worker", scheduler, "--nworkers", 1, "--no-nanny") for _ in range(2))
    process = start("benchmark", collections, "--out", out, "--algorithms", ALGORITHMS, "--scheduler", scheduler)
    wait_for_lines(out, 1, process)
    os.kill(worker.pid, signal.SIGKILL)
    lines_before_kill = out.read_bytes().count(b"\n")
    messages, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, messages
    assert lines_before_kill < len(expected_lines)
    assert sorted(out.read_text().splitlines()) == expected_lines


def test_missing_scheduler_is_reported(collections, tmp_path):
    for address, reason in (("host.invalid:1", ""), ("nonsense://x", "unknown address scheme"), ("host", "port")):
        with pytest.raises(command.MachineNotReady, match=f"There is no Dask scheduler at {address} .*{reason}"):
            command.main([str(collections), "--out", str(tmp_path), "--algorithms", "AVG", "--scheduler", address])
    assert (tmp_path / "results.jsonl").read_bytes() == b""
