from __future__ import annotations

import errno
import functools
import logging
import os
import shutil
import subprocess
import sys
import tempfile
import warnings
import zipimport
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest
from made_index import serve
from made_wheels import NAMES, write_lock, write_wheel

from evaluator.progress import Cancelled, Progress
from tools.development.lock import PLATFORMS, PYTHONS
from tools.environment import pip_wheel
from ui.anki.libraries import install, lock, needs, pip_here
from ui.anki.libraries.failures import NO_NETWORK, InstallFailed
from ui.anki.libraries.install import NO_PIP, PREPARING, UNPACKING
from ui.text import strings

ROOT = Path(__file__).resolve().parents[3]
#: pip is imported out of its wheel each time, and nearly all of that is compiling.
COMPILE_ONCE = functools.cache(zipimport._compile_source)


@pytest.fixture
def wheels(tmp_path) -> Path:
    folder = tmp_path / "wheels"
    folder.mkdir()
    for name in NAMES:
        write_wheel(folder, name, padding=300_000)
    return folder


@pytest.fixture
def base(tmp_path, wheels, monkeypatch) -> Path:
    """Anki's folder. The lock is that of the tiny wheels; there is nothing at any other address."""
    made, pip = write_lock(tmp_path / "lock.txt", sorted(wheels.iterdir())), pip_wheel()
    monkeypatch.setattr(install, "lock_here", lambda: made)
    monkeypatch.setattr(install, "bundled_pip", lambda: pip)
    monkeypatch.setattr(zipimport, "_compile_source", COMPILE_ONCE)
    monkeypatch.setattr(sys, "path", list(sys.path))
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple/")
    folder = tmp_path / "Anki2"
    folder.mkdir()
    return folder


class Calls(list[tuple[str, float]]):
    """Record the calls, and cancel on request."""

    def __init__(self, cancel_at: str = "") -> None:
        super().__init__()
        self.cancel_at = cancel_at

    def __call__(self, fraction: float, text: str, *_unused: object) -> None:
        if self.cancel_at and text.startswith(self.cancel_at):
            raise Cancelled
        if text:
            self.append((text, fraction))


def put(base: Path, wheels: Path | None, cancel_at: str = "") -> Calls:
    """Install from this folder, or from pip's index if it is None. Return the calls of the progress."""
    calls = Calls(cancel_at)
    with pytest.MonkeyPatch.context() as patch:
        if wheels is not None:
            patch.setenv("PIP_NO_INDEX", "1")
            patch.setenv("PIP_FIND_LINKS", wheels.as_uri())
        install.install(base, Progress(calls))
    return calls


def is_installed(base: Path) -> bool:
    return (install.folder_of(base) / "numpy" / "__init__.py").exists()


def sentence_of(base: Path, wheels: Path | None) -> str:
    """Return the sentence of the failure, after which nothing may be installed."""
    path = list(sys.path)
    with pytest.raises(InstallFailed) as caught:
        put(base, wheels)
    assert not list(base.iterdir())
    assert sys.path == path
    assert caught.value.messages or caught.value.__cause__ is not None, "something to report"
    return caught.value.sentence


# --- installing --------------------------------------------------------------------------------------------------


def test_installed_libraries_are_complete_and_found(base, wheels):
    put(base, wheels)
    folder = install.folder_of(base)
    assert {path.name for path in folder.iterdir()} == {*NAMES, *(f"{name}-9.0.dist-info" for name in NAMES)}
    assert list(folder.parent.iterdir()) == [folder]
    assert sys.path[-1] == str(folder), "after all other places"
    assert list((folder / "numpy" / "__pycache__").glob("*.pyc")), "compiled, as a packaged Anki never does it"
    assert not (folder / "numpy" / "tests" / "__pycache__").exists(), "nobody imports these"


def test_pip_reveals_nothing_and_starts_no_program(base, wheels, monkeypatch):
    sent: list[str] = []
    monkeypatch.setattr(subprocess, "Popen", lambda *_, **__: pytest.fail("a program was started"))
    monkeypatch.setenv("PIP_USER_AGENT_USER_DATA", "mine")
    with serve(wheels, headers=sent) as address:
        monkeypatch.setenv("PIP_INDEX_URL", address)
        put(base, None)
    assert {line for line in sent if line.startswith("User-Agent")} == {f"User-Agent: pip/{_version_of_pip()}"}
    headers = ("User-Agent", "Accept", "Accept-Encoding", "Connection", "Cache-Control")
    assert {line.partition(":")[0] for line in sent} == set(headers)


def _version_of_pip() -> str:
    return pip_wheel().name.split("-")[1]


def test_progress_only_goes_forward(base, wheels):
    with serve(wheels) as address:
        os.environ["PIP_INDEX_URL"] = address
        calls = put(base, None)
    parts = [part for _, part in calls]
    assert parts == sorted(parts)
    assert parts[0] == 0
    stages = list(dict.fromkeys(text.split(":")[0] for text, _ in calls))
    assert stages == [strings.BEGINNING, "Downloading", UNPACKING, PREPARING]


def test_pip_leaves_no_trace(base, wheels, monkeypatch, capfd):
    def traces() -> object:
        pip = logging.getLogger("pip")
        return [
            logging.getLoggerClass(), list(logging.getLogger().handlers), logging.getLogger().level, list(pip.handlers),
            pip.propagate, warnings.showwarning, sys.excepthook, dict(os.environ), sys.stdout, sys.stderr,
            {name: id(module) for name, module in sys.modules.items() if name.split(".")[0] == "pip"},
        ]  # fmt: skip

    before = traces()
    put(base, wheels)
    with pytest.raises(InstallFailed):
        put(base, wheels / "nowhere")
    assert traces() == before
    assert not [entry for entry in [*sys.path, *sys.path_importer_cache] if ".whl" in entry]
    assert capfd.readouterr() == ("", "")


def test_pip_settings_cannot_change_what_is_installed(base, wheels, monkeypatch, capfd):
    elsewhere = base.parent / "elsewhere"
    settings = {"TARGET": elsewhere, "LOG": elsewhere, "REQUIREMENT": elsewhere, "DRY_RUN": 1, "PLATFORM": "none such"}
    for name, value in settings.items():
        monkeypatch.setenv(f"PIP_{name}", str(value))
    put(base, wheels)
    assert is_installed(base)
    assert not elsewhere.exists()
    assert capfd.readouterr() == ("", "")


def test_leftovers_of_an_interrupted_installation_are_replaced(base, wheels):
    folder = install.folder_of(base)
    half = folder.parent / ".srs-evaluator-interrupted" / "numpy"
    half.mkdir(parents=True)
    (half / "half.py").write_text("")
    (folder / "broken").mkdir(parents=True)
    put(base, wheels)
    assert is_installed(base)
    assert not (folder / "numpy" / "half.py").exists()
    assert not (folder / "broken").exists()
    assert list(folder.parent.iterdir()) == [folder]


def test_libraries_are_removed_with_the_addon(base, wheels):
    put(base, wheels)
    install.remove(base)
    assert not list(base.iterdir())
    install.remove(base)  # nothing to do


def test_a_folder_in_use_is_left_whole(base, wheels, monkeypatch):
    def refuse(*_: object) -> None:
        raise PermissionError(errno.EACCES, "in use")

    put(base, wheels)
    monkeypatch.setattr(Path, "rename", refuse)
    install.remove(base)
    assert is_installed(base)


# --- failures ------------------------------------------------------------------------------------------------


def test_missing_network_is_an_error(base):
    assert sentence_of(base, None) == NO_NETWORK


@pytest.mark.parametrize("fault", ["503", "no files", "changed", "cut off"])
def test_a_failing_index_is_reported(fault, base, wheels, monkeypatch):
    levels = [logging.getLogger(name).level for name in ("pip", "pip._internal.index.collector")]
    with serve(wheels / "nowhere" if fault == "no files" else wheels, fault) as address:
        monkeypatch.setenv("PIP_INDEX_URL", address)
        assert sentence_of(base, None) == NO_NETWORK
    assert levels == [logging.getLogger(name).level for name in ("pip", "pip._internal.index.collector")]


def test_too_little_disk_space_is_found_before_downloading(base, wheels, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: shutil._ntuple_diskusage(1000, 900, 100))
    with pytest.raises(InstallFailed, match="Not enough disk space: 4 MB are needed temporarily"):
        put(base, wheels)
    assert not list(base.iterdir())


@pytest.mark.parametrize(
    ("number", "sentence", "function"),
    [(errno.ENOSPC, "Not enough disk space", "copyfileobj"), (errno.EACCES, "cannot be written to", "move")],
)
def test_disk_errors_during_installation_are_reported(number, sentence, function, base, wheels, monkeypatch):
    def refuse(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number), "/somewhere")

    monkeypatch.setattr(shutil, function, refuse)
    assert sentence in sentence_of(base, wheels)


def test_a_folder_that_cannot_be_made_is_reported_and_left_alone(base, wheels):
    (base / install.FOLDER_NAME).write_text("a file of that name")
    with pytest.raises(InstallFailed, match="cannot be written to"):
        put(base, wheels)
    assert (base / install.FOLDER_NAME).read_text() == "a file of that name"


def test_cancel_leaves_no_files(base, wheels, monkeypatch):
    with serve(wheels) as address:
        monkeypatch.setenv("PIP_INDEX_URL", address)
        for stage in (strings.BEGINNING, "Downloading", UNPACKING, PREPARING):
            with pytest.raises(Cancelled):
                put(base, None, stage)
            assert not list(base.iterdir()), stage
        put(base, None)
    assert install.folder_of(base).is_dir()


def test_libraries_are_installed_in_folders_of_any_name(base, wheels, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(base.parent / "no such folder"))  # no other temporary folder is needed
    name = "Anki 2 of José/暗記/カード/a#b%20?c&d/${HOME}/-r"
    base = base / name
    base.mkdir(parents=True)
    put(base, shutil.copytree(wheels, wheels / name))
    assert is_installed(base)


def test_unexpected_errors_have_details(base, wheels, monkeypatch):
    monkeypatch.setattr(install, "_compile", lambda _folder: 1 / 0)
    assert sentence_of(base, wheels) == strings.UNEXPECTED


# --- obstacles -----------------------------------------------------------------------------------------------


def test_platform_without_wheels_is_an_obstacle(monkeypatch):
    monkeypatch.setattr(install, "python_here", lambda: "3.8")
    monkeypatch.setattr(install, "platform_here", lambda: "linux_riscv64")
    sentence = install.obstacle() or ""
    for phrase in ("Python 3.8", "linux_riscv64", "NumPy 2.0 and matplotlib 3.9 or later"):
        assert phrase in sentence


def test_copy_without_pip_is_an_obstacle(monkeypatch, tmp_path):
    monkeypatch.setattr(pip_here, "FOLDER", tmp_path)
    assert install.obstacle() == NO_PIP


def test_installation_is_possible_here(monkeypatch):
    monkeypatch.setattr(install, "bundled_pip", pip_wheel)
    assert install.obstacle() is None
    assert needs.are_ready(Path("nowhere"))


def test_matplotlibs_dependencies_are_required(monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    assert needs.missing_modules() == ("PIL",)
    assert not needs.are_ready(Path("nowhere"))


def test_every_pinned_module_is_required():
    imported = {"pillow": "PIL", "python-dateutil": "dateutil", "fonttools": "fontTools"}
    for python in PYTHONS:
        result = lock.lock_of(python, "linux_x86_64")
        assert result is not None
        pinned = {pin.partition("==")[0] for pin in result.pins} - {"tzdata", "zipp", "six", "importlib-resources"}
        assert {imported.get(name, name) for name in pinned} <= set(needs.MODULES)


OLDER = "NumPy 1.26.4 is in use here, but 2.0 or later is needed."
FOREIGN = "The NumPy that Python finds first was built for another Python, or is incomplete."


@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ("imported", OLDER),
        ("with metadata", OLDER),
        ("without metadata", OLDER),
        ("for another Python", FOREIGN),
        ("broken", FOREIGN),
    ],
)
def test_numpy_of_another_addon_is_an_obstacle(how, sentence, tmp_path):
    other = tmp_path / "other_addon" / "numpy"
    (other / "core").mkdir(parents=True)
    broken = "raise ImportError('DLL load failed')\n" if how == "broken" else ""
    (other / "__init__.py").write_text(f"{broken}__version__ = '1.26.4'\n")
    suffix = ".cpython-38-other.so" if how == "for another Python" else EXTENSION_SUFFIXES[0]
    (other / "core" / f"_multiarray_umath{suffix}").touch()
    if how == "with metadata":
        info = other.parent / "numpy-1.26.4.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: numpy\nVersion: 1.26.4\n")
    program = (
        f"import sys; sys.path[:0] = [{str(other.parent)!r}, {str(ROOT)!r}]\n"
        + ("import numpy\n" if how == "imported" else "")
        + "from ui.anki.libraries import install, needs\nfrom pathlib import Path\n"
        + "print(needs.are_ready(Path('nowhere')), install.obstacle())"
    )
    stdout = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert stdout.startswith(
        f"False {sentence} It is in {other.parent}. Update or disable the add-on that includes it,"
    )


@pytest.mark.parametrize(("version", "will_do"), [("2.0", True), ("2.10.1", True), ("1.99.9", False), ("3.0rc1", True)])
def test_versions_are_compared_as_numbers(version, will_do):
    assert (needs._numbers(version) >= needs._numbers("2.0")) is will_do


# --- the lock files ---------------------------------------------------------------------------------------------------


def test_this_machine_is_one_of_the_platforms():
    assert lock.platform_here() in PLATFORMS
    assert lock.python_here() in PYTHONS


@pytest.mark.parametrize(
    ("system", "machine", "name"),
    [
        ("darwin", "arm64", "macosx_arm64"),
        ("darwin", "x86_64", "macosx_x86_64"),
        ("linux", "aarch64", "linux_aarch64"),
        ("win32", "win-amd64", "win_amd64"),
        ("win32", "win-arm64", "win_arm64"),
    ],
)
def test_platforms_are_named_as_in_the_lock(system, machine, name, monkeypatch):
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(os, "uname", lambda: os.uname_result((system, "host", "1", "1", machine)))
    monkeypatch.setattr("sysconfig.get_platform", lambda: machine)
    assert lock.platform_here() == name
    assert name in PLATFORMS
