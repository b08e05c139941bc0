"""`python3 tools test`: what it runs, and in how many processes."""

from __future__ import annotations

import subprocess
from types import SimpleNamespace

import pytest

from tools import test as checks


@pytest.fixture
def ran(monkeypatch) -> list[list[str]]:
    """The commands that were run, without the interpreter; ruff finds fault."""
    commands: list[list[str]] = []

    def run(command, *, env, **_):
        commands.append(command[2:])
        assert "PYTHONDONTWRITEBYTECODE" not in env
        if command[2] == "pytest":
            assert env["FAILED_CHECKS"] == ("ruff check, ruff format" if len(commands) > 1 else "")
        return SimpleNamespace(returncode=int(command[2] == "ruff"))

    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(checks.system_packages, "require", lambda _packages: None)
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    return commands


def test_all_checks_then_all_tests_in_many_processes(ran):
    assert checks.main([]) == 1
    assert ran == [*checks.CHECKS.values(), ["pytest", *checks.WORKERS]]


@pytest.mark.parametrize(
    ("arguments", "workers"),
    [(["-q"], True), (["--durations=9"], True), (["tests/ui"], False), (["-k", "csv"], False), (["-n", "3"], False)],
)
def test_chosen_tests_run_in_one_process(arguments, workers, ran):
    assert checks.main(arguments) == 0
    assert ran == [["pytest", *(checks.WORKERS if workers else ()), *arguments]]
