"""`python3 tools test`: what it runs, and in how many processes."""

from __future__ import annotations

import subprocess
import sys
from types import SimpleNamespace

import pytest

from tools import test as checks


@pytest.mark.parametrize("name", checks.CHECKS)
def test_the_code_passes(name):
    done = subprocess.run(
        [sys.executable, "-m", *checks.CHECKS[name]], cwd=checks.ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{done.stdout}{done.stderr}"


@pytest.fixture
def ran(monkeypatch) -> list[list[str]]:
    """The commands that were run, without the interpreter; all of them fail."""
    commands: list[list[str]] = []

    def run(command, *, env, **_):
        assert "PYTHONDONTWRITEBYTECODE" not in env
        commands.append(command[2:])
        return SimpleNamespace(returncode=1)

    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(checks, "require_packages", lambda _packages: None)
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    return commands


@pytest.mark.parametrize(
    ("arguments", "workers"),
    [([], True), (["-q"], True), (["--durations=9"], True), (["tests/ui"], False), (["-k", "csv"], False)],
)
def test_all_tests_run_in_many_processes_and_chosen_ones_in_one(arguments, workers, ran):
    assert checks.main(arguments) == 1
    assert ran == [["pytest", *(checks.WORKERS if workers else ()), *arguments]]


def test_one_check_alone(ran):
    assert checks.main(["--only", "mypy"]) == 1
    assert ran == [["mypy", "tools", "evaluator", "ui"]]
