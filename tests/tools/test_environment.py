from __future__ import annotations

import json
import shutil
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest
from made_wheels import write_wheel

from tools import commands, environment
from tools.environment import MachineNotReady

PROJECT = """
[project]
dependencies = ["numpy>=2"]
[project.optional-dependencies]
test = ["pytest"]
bench = ["rival"]
[tool.srs-evaluator.megabytes]
dependencies = 54
test = 291
bench = 1
"""


class Pretended:
    """An empty checkout, and what is run for its environment: nothing but that its interpreter appears."""

    def __init__(self, folder: Path) -> None:
        self.project = folder / "pyproject.toml"
        self.project.write_text(PROJECT)
        self.python = folder / ".venv" / "bin" / "python"
        self.stamp = folder / ".venv" / "installed.json"
        self.calls: list[str] = []
        self.fails = ""

    def call(self, *command: object, failed: str) -> None:
        python, *arguments = map(str, command)
        if "venv" in arguments:
            assert arguments == ["-m", "venv", "--clear", "--without-pip", str(self.project.with_name(".venv"))]
            self.calls.append("create")
            self.python.parent.mkdir(parents=True, exist_ok=True)
            self.python.unlink(missing_ok=True)
            self.python.symlink_to(sys.executable)
        elif "-c" in arguments:
            assert not self.stamp.exists()
            self.imported = arguments[3:]
        else:
            script, pip, word = arguments[:3]
            assert (python, script, pip, word) == (str(self.python), str(environment.RUN_PIP), "pip.whl", "install")
            looks = "--dry-run" in arguments
            assert self.stamp.exists() == looks
            self.options = [argument for argument in arguments if argument.startswith("-")]
            text = " ".join(argument for argument in arguments[2:] if argument not in self.options)
            self.calls.append("look" if looks else text)
            if self.fails == self.calls[-1].partition(" ")[0]:
                raise MachineNotReady(failed)

    def ensure(self, *extras: str) -> list[str]:
        """Return what is run for a command that needs these extras."""
        self.calls.clear()
        environment.ensure(extras)
        return self.calls


@pytest.fixture
def pretended(tmp_path, monkeypatch):
    made = Pretended(tmp_path)
    monkeypatch.setattr(environment, "ROOT", tmp_path)
    monkeypatch.setattr(environment, "run_command", made.call)
    monkeypatch.setattr(environment, "pip_wheel", lambda: Path("pip.whl"))
    monkeypatch.setattr(environment, "WINDOWS", False)
    monkeypatch.setattr("os.execv", lambda path, command: made.calls.append("enter"))
    return made


def test_the_first_run_makes_installs_and_enters(pretended, capsys):
    assert pretended.ensure() == ["create", "install numpy>=2", "enter"]
    assert pretended.imported == ["numpy>=2"]
    assert capsys.readouterr().err.count("\n") == 1


def test_it_states_the_downloads_and_their_size(pretended, capsys):
    for extras, text in (
        ((), "Setting up .venv, once. Downloading up to 54 MB: numpy"),
        (("test",), "Setting up .venv, once. Downloading up to 291 MB: pytest"),
        (("test",), None),
    ):
        pretended.ensure(*extras)
        assert capsys.readouterr().err == (f"{text}\n" if text else "")
    pretended.stamp.unlink()
    pretended.ensure("test")
    assert "up to 345 MB: numpy, pytest\n" in capsys.readouterr().err


def test_an_extra_and_changed_requirements_are_added_to_an_existing_environment(pretended):
    pretended.ensure()
    assert pretended.ensure("test") == ["look", "install numpy>=2 pytest", "enter"]
    assert pretended.ensure() == ["enter"]  # what is needed is among what is installed
    pretended.project.write_text(PROJECT.replace("numpy>=2", "numpy>=3"))
    assert pretended.ensure() == ["look", "install numpy>=3 pytest", "enter"]


def test_an_interrupted_installation_is_detected(pretended):
    pretended.fails = "install"
    with pytest.raises(MachineNotReady, match="could not be made"):
        pretended.ensure()
    assert not pretended.stamp.exists()
    pretended.fails = ""
    assert pretended.ensure() == ["create", "install numpy>=2", "enter"]


@pytest.mark.parametrize(("fails", "then"), [("look", ["enter"]), ("install", ["create", "install numpy>=2", "enter"])])
def test_an_environment_is_reused_unless_an_installation_was_interrupted(fails, then, pretended):
    pretended.ensure()
    pretended.fails = fails
    with pytest.raises(MachineNotReady):
        pretended.ensure("test")
    pretended.fails = ""
    assert pretended.ensure() == then


@pytest.mark.parametrize("damage", ["python", "stamp", "another python"])
def test_a_broken_environment_is_recreated(damage, pretended):
    pretended.ensure()
    stamp = pretended.stamp
    if damage == "python":
        pretended.python.unlink()
    elif damage == "stamp":
        stamp.write_text("{half")
    else:  # after an upgrade of the system's Python, which finds no packages
        stamp.write_text(json.dumps({"python": "/usr/bin/python3.4", "requirements": ["numpy>=2"]}))
    assert pretended.ensure() == ["create", "install numpy>=2", "enter"]


@pytest.fixture
def without_index(tmp_path, monkeypatch) -> Path:
    """A folder for environments, whose only library ``one`` needs another, ``two``; pip finds both in a folder."""
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    write_wheel(wheels, "one", needs="two")
    write_wheel(wheels, "two")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheels))
    return tmp_path


def completed(folder: Path) -> list[str]:
    """Return what can be imported of an environment with ``one``."""
    python = environment.ensure_environment(folder / "made", {"one==9.0"}, {("one==9.0",): 1})
    say = "import importlib.util as u; print(*filter(u.find_spec, ['one', 'two']))"
    return subprocess.run([python, "-c", say], capture_output=True, text=True, check=True).stdout.split()


@pytest.mark.parametrize("form", ["variable", "file"])
def test_pip_settings_cannot_change_what_is_installed(form, without_index, monkeypatch):
    elsewhere = without_index / "elsewhere"
    settings = dict.fromkeys(("user", "no-deps", "dry-run", "require-hashes", "require-virtualenv", "isolated"), "1")
    settings |= dict.fromkeys(("target", "prefix", "root", "report", "python", "requirement"), str(elsewhere))
    settings |= {"no-binary": ":all:", "platform": "win_amd64", "python-version": "3.9"}
    if form == "file":
        lines = "".join(f"{name} = {value}\n" for name, value in settings.items())
        (without_index / "pip.conf").write_text(f"[install]\n{lines}")
        settings = {"config-file": str(without_index / "pip.conf")}
    for name, value in settings.items():
        monkeypatch.setenv(f"PIP_{name.replace('-', '_').upper()}", value)
    assert completed(without_index) == ["one", "two"]
    assert not elsewhere.exists()


def test_an_environment_without_a_library_is_recreated(without_index):
    completed(without_index)
    (lost,) = (without_index / "made").rglob("site-packages/two")
    shutil.rmtree(lost)
    assert completed(without_index) == ["one", "two"]


@pytest.mark.parametrize("lost", ["nothing", "two", "two*"])
def test_a_stamp_without_modules_is_completed_once(lost, without_index):
    completed(without_index)
    stamp = without_index / "made" / "installed.json"
    text = json.loads(stamp.read_text())
    stamp.write_text(json.dumps({key: text[key] for key in ("python", "requirements")}))
    for path in (without_index / "made").rglob(f"site-packages/{lost}"):
        shutil.rmtree(path)
    kept = without_index / "made" / "kept"
    kept.touch()
    assert completed(without_index) == ["one", "two"]
    assert json.loads(stamp.read_text()) == text
    assert kept.exists() == (lost != "two"), "made retrained only where pip would take it for installed"


def test_libraries_that_cannot_be_imported_get_no_stamp(without_index, capfd):
    write_wheel(without_index / "wheels", "one", code="import two")
    with pytest.raises(MachineNotReady, match="pip did not install all libraries"):
        completed(without_index)
    assert "No module named 'two'" in capfd.readouterr().err
    assert not (without_index / "made" / "installed.json").exists()


def test_inside_the_environment_no_second_one_is_entered(pretended, monkeypatch):
    pretended.ensure()
    monkeypatch.setattr(sys, "prefix", str(pretended.project.with_name(".venv")))
    assert pretended.ensure() == []
    assert pretended.ensure("test") == ["look", "install numpy>=2 pytest"]


def test_a_python_that_ignores_its_environment_does_not_start_itself_for_ever(pretended, monkeypatch):
    pretended.ensure()
    monkeypatch.setattr(sys, "executable", str(pretended.python))
    with pytest.raises(MachineNotReady, match=r"does not look into its \.venv\. Leave out -S"):
        pretended.ensure()


@pytest.mark.parametrize("forbidden", [True, False])
def test_system_packages_are_named_and_may_be_forbidden(forbidden, monkeypatch, capsys):
    calls = []

    def call(*command: str, failed: str = "") -> str:
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
    said = "Installing system packages that are missing: libtwo\n"
    expected = [(("apt-get", "update"), said), (("apt-get", "satisfy"), "")]
    assert installing == ([] if forbidden else expected)


def test_an_installation_by_another_process_is_reused(pretended, monkeypatch):
    alone = environment.file_lock

    def after_another(lock):
        monkeypatch.setattr(environment, "file_lock", alone)
        environment.ensure()
        pretended.calls.remove("enter")
        return alone(lock)

    monkeypatch.setattr(environment, "file_lock", after_another)
    assert pretended.ensure() == ["create", "install numpy>=2", "enter"]


@pytest.mark.parametrize("on_terminal", [True, False])
def test_pip_shows_how_far_it_is_on_a_terminal_only(on_terminal, pretended, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: on_terminal)
    pretended.ensure()
    assert ("-qq" in pretended.options) is not on_terminal


def test_the_real_environment_is_not_installed_twice(tools):
    done = tools("evaluate", "--help")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_foreign_library_does_not_stand_before_the_environments(tools, tmp_path, monkeypatch):
    (tmp_path / "numpy.py").write_text("raise ImportError('built for another Python')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert tools("algorithms").returncode == 0


def test_an_old_python_gets_the_required_version(tmp_path):
    source = (Path(environment.ROOT) / "tools" / "__main__.py").read_text()
    compile(source, "__main__.py", "exec", dont_inherit=True)
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
        (["benchmark", "plain", "--out", "x" * 300], ()),
        (["benchmark", "data", "--scheduler=tcp://host:8786"], ("parquet", "cluster")),
        (["benchmark", "--scheduler", "tcp://host:8786", "plain"], ("cluster",)),
        (["simulate", "new", "--format", "parquet"], ("parquet",)),
        (["simulate", "new", "--format=parquet"], ("parquet",)),
        (["simulate", "parquet", "--format", "csv"], ()),
        (["summarize", "data"], ("statistics",)),
    ],
)
def test_all_needs_are_requested_at_once(arguments, extras, tmp_path, monkeypatch):
    requests = []
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plain" / "revlogs").mkdir(parents=True)
    (tmp_path / "data" / "revlogs" / "user_id=1").mkdir(parents=True)
    monkeypatch.setattr("tools.environment.ensure", requests.append)
    monkeypatch.setattr("tools.commands.importlib.import_module", lambda _: SimpleNamespace(main=lambda _: 0))
    assert commands.run(arguments) == 0
    assert requests == [extras]
