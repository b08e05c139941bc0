from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from contextlib import nullcontext
from importlib import import_module
from pathlib import Path
from unittest.mock import Mock

import pytest
from made_wheels import write_wheel
from waiting import is_running, wait_until

from tools import commands, environment
from tools.environment import MachineNotReady

PROJECT = """
[project]
dependencies = ["numpy>=2"]
[project.optional-dependencies]
test = ["pytest"]
bench = ["rival"]
"""


class TestEnsure:
    @pytest.fixture
    def calls(self, tmp_path, monkeypatch):
        """Return a list of the calls that install libraries or start a program, in an empty checkout."""
        calls = []
        python = tmp_path / ".venv" / "bin" / "python"
        (tmp_path / "pyproject.toml").write_text(PROJECT)
        monkeypatch.setattr(environment, "ROOT", tmp_path)
        monkeypatch.setattr(environment, "WINDOWS", False)
        monkeypatch.setattr(environment, "ensure_environment", lambda *arguments: calls.append(arguments) or python)
        monkeypatch.setattr("os.execv", lambda path, _command: calls.append(path))
        return calls

    def test_command_restarts_in_an_environment_with_its_extras(self, calls, tmp_path):
        environment.ensure_extras(["test"])
        expected = (tmp_path / ".venv", {"numpy>=2", "pytest"}, {"numpy>=2", "pytest", "rival"})
        assert calls == [expected, str(tmp_path / ".venv" / "bin" / "python")]

    def test_inside_the_environment_nothing_is_started(self, calls, tmp_path, monkeypatch):
        monkeypatch.setattr(sys, "prefix", str(tmp_path / ".venv"))
        environment.ensure_extras([])
        assert len(calls) == 1


class TestEnvironment:
    """Tests with environments of tiny wheels: "one" needs "two", and "three" needs nothing."""

    @pytest.fixture
    def folder(self, tmp_path, monkeypatch):
        """Return the folder of the environment. Its wheels come from another folder."""
        environment.pip_wheel()  # downloaded from the index, unless it is there
        wheels = tmp_path / "wheels"
        wheels.mkdir()
        for name, needs in (("one", "two"), ("two", ""), ("three", "")):
            write_wheel(wheels, name, needs=needs)
        monkeypatch.setenv("PIP_NO_INDEX", "1")
        monkeypatch.setenv("PIP_FIND_LINKS", str(wheels))
        return tmp_path / "made"

    @staticmethod
    def install(folder: Path, *names: str) -> list[str]:
        """Install these libraries and return those that can be imported."""
        requirements = {f"{name}==9.0" for name in names or ["one"]}
        python = environment.ensure_environment(folder, requirements, {"one==9.0", "three==9.0"})
        script = "import importlib.util as u; print(*filter(u.find_spec, ['one', 'two', 'three']))"
        return subprocess.run([python, "-c", script], capture_output=True, text=True, check=True).stdout.split()

    def test_only_missing_libraries_are_installed(self, folder, capsys):
        assert self.install(folder) == ["one", "two"]
        assert capsys.readouterr().err == "Setting up made, once: one==9.0\n"
        (folder / "kept").touch()
        with pytest.raises(MachineNotReady, match="could not be made"):
            self.install(folder, "four")
        capsys.readouterr()
        assert self.install(folder) == ["one", "two"]
        assert capsys.readouterr().err == ""
        assert self.install(folder, "three") == ["one", "two", "three"]
        assert capsys.readouterr().err == "Setting up made, once: three==9.0\n"
        assert self.install(folder, "one", "three") == ["one", "two", "three"]
        assert capsys.readouterr().err == ""
        assert (folder / "kept").exists()

    def test_damaged_environment_is_made_again(self, folder):
        self.install(folder)
        python = folder / "bin" / "python"
        stamp = folder / environment.STAMP
        content = stamp.read_text()
        installed = {"one==9.0"}
        assert environment._installed_requirements(folder, python) == installed
        for damaged in (content[:20], json.dumps(json.loads(content) | {"python": "/usr/bin/python3.4"})):
            stamp.write_text(damaged)  # as after a crash, or an upgrade of the system's Python
            assert not environment._installed_requirements(folder, python)
        stamp.write_text(content)
        interpreter = python.readlink()
        python.unlink()
        assert not environment._installed_requirements(folder, python)
        python.symlink_to(interpreter)
        assert environment._installed_requirements(folder, python) == installed
        stamp.unlink()
        (folder / "old").touch()
        assert self.install(folder) == ["one", "two"]
        assert stamp.read_text() == content
        assert not (folder / "old").exists()

    def test_installation_by_another_process_is_reused(self, folder, monkeypatch):
        wait = environment.file_lock

        def install_meanwhile(lock):
            monkeypatch.setattr(environment, "file_lock", wait)
            self.install(folder)
            monkeypatch.setattr(environment, "_install", None)
            return wait(lock)

        monkeypatch.setattr(environment, "file_lock", install_meanwhile)
        assert self.install(folder) == ["one", "two"]

    def test_pip_settings_cannot_change_what_is_installed(self, folder, monkeypatch):
        elsewhere = folder.with_name("elsewhere")
        file = folder.with_name("pip.conf")
        file.write_text(f"[install]\nno-deps = 1\nreport = {elsewhere}\n")
        for name, value in (("CONFIG_FILE", file), ("TARGET", elsewhere), ("REQUIRE_VIRTUALENV", 1), ("ISOLATED", 1)):
            monkeypatch.setenv(f"PIP_{name}", str(value))
        assert self.install(folder) == ["one", "two"]
        assert not elsewhere.exists()


def test_message_of_several_lines_is_sanitized(monkeypatch, capsys):
    error = MachineNotReady("No \x1b[31mred:\n  sudo apt-get")
    monkeypatch.setattr(environment, "ensure_extras", Mock(side_effect=error))
    assert commands.run(["algorithms"]) == 2
    assert capsys.readouterr().err == "No \N{REPLACEMENT CHARACTER}[31mred:\n  sudo apt-get\n"


@pytest.mark.parametrize("code", [0, 1])
def test_output_of_a_program_goes_to_standard_error(code, capfd):
    program = "import sys; print(sys.argv[1]); sys.exit(int(sys.argv[2]))"
    with pytest.raises(MachineNotReady, match=r"^It could not be installed\.$") if code else nullcontext():
        environment.run_command(sys.executable, "-c", program, "numpy", str(code), failed="It could not be installed.")
    assert capfd.readouterr() == ("", "numpy\n")


#: Runs a program that prints the number of its process and its temporary folder, and does not end.
WAITING = """
import sys
from tools import environment
program = "import os, tempfile, time; print(os.getpid(), tempfile.mkdtemp(), flush=True); time.sleep(600)"
environment.run_command(sys.executable, "-c", program, failed="It failed.")
"""


def test_interrupt_also_ends_the_program_that_was_started():
    command = [sys.executable, "-c", WAITING]
    with subprocess.Popen(command, cwd=environment.ROOT, stderr=subprocess.PIPE, text=True) as process:
        program, temporary = process.stderr.readline().split()
        process.send_signal(signal.SIGINT)
    wait_until(lambda: not is_running(int(program)))
    assert not Path(temporary).exists()


@pytest.mark.parametrize("forbidden", [True, False])
def test_system_packages_are_named_and_may_be_forbidden(forbidden, monkeypatch, capsys):
    calls = []

    def call(*command, failed=""):
        calls.append((command[:2], capsys.readouterr().err))
        return "installed libone\nconfig-files libtwo\n"

    monkeypatch.setattr(environment, "run_command", call)
    monkeypatch.setattr("shutil.which", str)
    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setenv("SRS_EVALUATOR_NO_APT", "1" if forbidden else "")
    environment.require_packages(["libone", "libnone | libone"])
    with pytest.raises(MachineNotReady, match=r"sudo apt-get satisfy .* libtwo") if forbidden else nullcontext():
        environment.require_packages(["libone", "libtwo"])
    _, (looked, _), *installing = calls
    assert looked == ("dpkg-query", "--show")
    announcement = "Installing system packages that are missing: libtwo\n"
    expected = [(("apt-get", "update"), announcement), (("apt-get", "satisfy"), "")]
    assert installing == ([] if forbidden else expected)


def test_libraries_of_the_environment_are_used_instead_of_foreign_ones(run_tools, files, tmp_path, monkeypatch):
    for name in ("numpy", "anki", "google"):
        (tmp_path / f"{name}.py").write_text("raise RuntimeError('built for another Python')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert run_tools("evaluate", files.colpkg, "--algorithms", "AVG,SM-2").returncode == 0


def test_broken_library_is_named_instead_of_the_file(run_here, files, monkeypatch):
    broken = Mock(side_effect=RuntimeError("polluted"))
    monkeypatch.setattr(
        "importlib.import_module",
        lambda name, *package: (broken if name.startswith("anki") else import_module)(name, *package),
    )
    for path in (files.colpkg, files.collection):
        result = run_here("evaluate", path)
        assert (result.returncode, result.stdout) == (2, "")
        assert re.fullmatch(
            r"The library anki\.\w+ cannot be loaded \(RuntimeError: polluted\)\. Delete \.venv and try again\.\n",
            result.stderr,
        )


def test_old_python_is_told_the_required_version():
    start = "runpy.run_path('tools', run_name='__main__')"
    result = subprocess.run(
        [sys.executable, "-c", f"import sys, runpy; sys.version_info = (3, 9, 0); {start}"],
        cwd=environment.ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert result.returncode == 2
    assert "needs Python 3.11 or later" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "extras"),
    [
        (["benchmark", "plain", "--scheduler", "tcp://host:8786"], ["cluster"]),
        (["benchmark", "data"], ["parquet"]),
        (["simulate", "new", "--format", "parquet"], ["parquet"]),
    ],
)
def test_further_libraries_are_installed_for_an_option_or_a_data_set(arguments, extras, tmp_path, monkeypatch):
    requests = []
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "revlog.csv").write_text("id,cid,ease\n")
    (tmp_path / "data" / "revlogs" / "user_id=1").mkdir(parents=True)

    def record(names):
        requests.append(list(names))
        if requests[1:]:
            raise MachineNotReady("No further.")

    for module in ("tools.environment", "tools.benchmark.command", "tools.simulate.command"):
        monkeypatch.setattr(f"{module}.ensure_extras", record)
    assert commands.run(arguments) == 2
    assert requests == [[], extras]
