"""The decisions of the bootstrap, with an installer that only pretends."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tools import environment
from tools.environment import Environment
from tools.system_packages import MachineNotReady

PROJECT = """
[project]
dependencies = ["numpy>=2"]
[project.optional-dependencies]
test = ["pytest"]
"""


class Pretended(Environment):
    """Writes down what it is asked to do; an installation makes the interpreter and pip appear."""

    calls: list[str] = []  # noqa: RUF012 - reset by the fixture
    fails = False

    def create(self) -> None:
        self.calls.append("create")
        self.python.parent.mkdir(parents=True, exist_ok=True)
        self.python.unlink(missing_ok=True)
        self.python.symlink_to(sys.executable)

    def install(self, requirements) -> None:
        self.calls.append("install " + " ".join(requirements))
        if self.fails:
            raise MachineNotReady("The environment could not be installed: no network")

    def enter(self) -> None:
        self.calls.append("enter")


@pytest.fixture
def pretended(tmp_path, monkeypatch):
    project = tmp_path / "pyproject.toml"
    project.write_text(PROJECT)
    monkeypatch.setattr(Pretended, "calls", [])
    return Pretended(tmp_path / ".venv", project)


def test_the_first_run_makes_installs_and_enters(pretended, capsys):
    environment.ensure((), pretended)
    assert pretended.calls == ["create", "install numpy>=2", "enter"]
    assert capsys.readouterr().err.count("\n") == 1


def test_it_says_what_it_downloads_and_how_large_it_is(pretended, monkeypatch, capsys):
    monkeypatch.chdir(pretended.folder.parent)
    pretended.project.write_text(PROJECT + "[tool.srs-evaluator.megabytes]\ndependencies = 54\ntest = 291\n")
    for extras, said in (
        ((), "about 54 MB: numpy"),
        (("test",), "about 291 MB: pytest"),
        (("test",), None),
    ):
        environment.ensure(extras, pretended)
        line = f"Setting up .venv, once. Downloading {said}\n" if said else ""
        assert capsys.readouterr().err == line
    pretended.stamp.unlink()
    environment.ensure(("test",), pretended)
    assert "about 345 MB: numpy, pytest\n" in capsys.readouterr().err


@pytest.mark.long
@pytest.mark.network
def test_the_sizes_are_about_right():
    """Of each list, with what is not among the plain dependencies, as the package index has it."""
    real = Environment()
    lists = real.lists()
    command = [sys.executable, "-m", "uv", "pip", "compile", "-", "--quiet", "--format=pylock.toml"]
    sizes: dict[str, dict[str, int]] = {}
    for key, names in lists.items():
        asked = "\n".join([*names, *lists["dependencies"]])
        done = subprocess.run(command, input=asked, capture_output=True, text=True, check=True)
        sizes[key] = {
            package["name"]: max(wheel["size"] for wheel in package["wheels"])
            for package in tomllib.loads(done.stdout)["packages"]
        }
    for key, files in sizes.items():
        shared = () if key == "dependencies" else sizes["dependencies"]
        megabytes = sum(size for name, size in files.items() if name not in shared) / 1e6
        assert real.megabytes(lists[key]) == pytest.approx(megabytes, rel=0.2, abs=3)


def test_the_second_run_only_enters(pretended, capsys):
    environment.ensure((), pretended)
    capsys.readouterr()
    pretended.calls.clear()
    environment.ensure((), pretended)
    assert pretended.calls == ["enter"]
    assert capsys.readouterr().err == ""


def test_an_extra_is_added_to_what_is_there(pretended):
    environment.ensure((), pretended)
    pretended.calls.clear()
    environment.ensure(("test",), pretended)
    environment.ensure((), pretended)  # what is needed is among what is installed
    assert pretended.calls == ["install numpy>=2 pytest", "enter", "enter"]


def test_two_extras_do_not_drive_each_other_out(pretended):
    pretended.project.write_text(PROJECT + 'bench = ["rival"]\n')
    environment.ensure(("test",), pretended)
    environment.ensure(("bench",), pretended)
    pretended.calls.clear()
    environment.ensure(("test",), pretended)
    environment.ensure(("bench",), pretended)
    assert pretended.calls == ["enter", "enter"]


def test_changed_requirements_are_installed(pretended):
    environment.ensure((), pretended)
    pretended.project.write_text(PROJECT.replace("numpy>=2", "numpy>=3"))
    pretended.calls.clear()
    environment.ensure((), pretended)
    assert pretended.calls == ["install numpy>=3", "enter"]


def test_other_changes_of_the_project_install_nothing(pretended):
    environment.ensure((), pretended)
    pretended.project.write_text(PROJECT + "[tool.ruff]\nline-length = 120\n")
    pretended.calls.clear()
    environment.ensure((), pretended)
    assert pretended.calls == ["enter"]


def test_an_interrupted_installation_is_not_taken_for_a_good_one(pretended, monkeypatch):
    monkeypatch.setattr(Pretended, "fails", True)
    with pytest.raises(MachineNotReady, match="no network"):
        environment.ensure((), pretended)
    assert not pretended.stamp.exists()
    monkeypatch.setattr(Pretended, "fails", False)
    pretended.calls.clear()
    environment.ensure((), pretended)
    assert pretended.calls == ["create", "install numpy>=2", "enter"]


def test_a_failed_update_leaves_no_stamp(pretended, monkeypatch):
    environment.ensure((), pretended)
    monkeypatch.setattr(Pretended, "fails", True)
    with pytest.raises(MachineNotReady):
        environment.ensure(("test",), pretended)
    assert not pretended.stamp.exists()


@pytest.mark.parametrize("damage", ["python", "stamp", "another python"])
def test_a_broken_environment_is_made_anew(damage, pretended):
    environment.ensure((), pretended)
    if damage == "python":
        pretended.python.unlink()
    elif damage == "stamp":
        pretended.stamp.write_text("{half")
    else:  # as after an upgrade of the system's Python, which finds none of the packages
        pretended.stamp.write_text(json.dumps({"python": "/usr/bin/python3.4", "requirements": ["numpy>=2"]}))
    pretended.calls.clear()
    environment.ensure((), pretended)
    assert pretended.calls == ["create", "install numpy>=2", "enter"]


def test_inside_the_environment_nothing_is_entered(pretended, monkeypatch):
    environment.ensure((), pretended)
    pretended.calls.clear()
    monkeypatch.setattr(sys, "prefix", str(pretended.folder))
    environment.ensure((), pretended)
    environment.ensure(("test",), pretended)
    assert pretended.calls == ["install numpy>=2 pytest"]


def test_debian_without_venv_is_asked_for_it(tmp_path, monkeypatch):
    asked: list[list[str]] = []

    def require(packages):
        asked.append(packages)
        raise MachineNotReady("sudo apt-get install python3-venv")

    monkeypatch.setattr(environment, "require", require)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(MachineNotReady):
        Environment(tmp_path / ".venv", tmp_path / "pyproject.toml").create()
    assert asked == [["python3-venv"]]


def test_nothing_is_installed_into_the_real_environment_a_second_time(tools):
    done = tools("evaluate", "--help")
    assert (done.returncode, done.stderr) == (0, "")


def test_an_old_python_is_told_which_one_is_needed(tmp_path):
    source = (Path(environment.ROOT) / "tools" / "__main__.py").read_text()
    compile(source, "__main__.py", "exec", dont_inherit=True)
    start = "runpy.run_path('tools', run_name='__main__')"
    told = subprocess.run(
        [sys.executable, "-c", f"import sys, runpy; sys.version_info = (3, 9, 0); {start}"],
        cwd=environment.ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert told.returncode == 2
    assert "needs Python 3.11 or later" in told.stderr
