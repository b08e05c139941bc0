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
from unittest import mock

import pytest
from made_index import serve
from made_wheels import NAMES, write_lock, write_wheel

from evaluator.progress import Cancelled, Progress
from tools.development.lock import PLATFORMS, PYTHONS
from tools.environment import pip_wheel
from ui.anki.libraries import install, lock_files, needs, pip_here
from ui.anki.libraries.failures import NO_NETWORK, InstallFailed
from ui.anki.libraries.install import NO_PIP, PREPARING, UNPACKING
from ui.text import strings

ROOT = Path(__file__).resolve().parents[3]
#: Each installation imports pip from its wheel, and compiling takes nearly all of that time.
COMPILE_ONCE = functools.cache(zipimport._compile_source)


@pytest.fixture
def wheels(tmp_path):
    folder = tmp_path / "wheels"
    folder.mkdir()
    for name in NAMES:
        write_wheel(folder, name, padding=300_000)
    return folder


@pytest.fixture
def base(tmp_path, wheels, monkeypatch):
    """Anki's folder. The lock is that of the tiny wheels, and no package index can be reached."""
    wheel_lock = write_lock(tmp_path / "lock.txt", sorted(wheels.iterdir()))
    pip = pip_wheel()
    monkeypatch.setattr(install, "lock_here", lambda: wheel_lock)
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


def run_install(base: Path, wheels: Path | None, cancel_at: str = "") -> list[tuple[str, float]]:
    """Install from the folder of wheels, or from pip's index if it is None.

    Return the texts of the progress with their fractions. The installation is cancelled at the stage ``cancel_at``.
    """
    steps = []

    def record(fraction, text, *_):
        if cancel_at and text.startswith(cancel_at):
            raise Cancelled
        if text:
            steps.append((text, fraction))

    with pytest.MonkeyPatch.context() as patch:
        if wheels is not None:
            patch.setenv("PIP_NO_INDEX", "1")
            patch.setenv("PIP_FIND_LINKS", wheels.as_uri())
        install.install(base, Progress(record))
    return steps


def is_installed(base: Path) -> bool:
    return (install.folder_of(base) / "numpy" / "__init__.py").exists()


def fail_to_install(base: Path, wheels: Path | None) -> str:
    """Expect that the installation fails and leaves nothing. Return the sentence of the failure."""
    path = list(sys.path)
    with pytest.raises(InstallFailed) as caught:
        run_install(base, wheels)
    assert not list(base.iterdir())
    assert sys.path == path
    assert caught.value.messages or caught.value.__cause__ is not None, "no details for the error report"
    return caught.value.sentence


# --- installation -------------------------------------------------------------------------------------------------


def test_installed_libraries_are_complete_and_found(base, wheels):
    run_install(base, wheels)
    folder = install.folder_of(base)
    assert {path.name for path in folder.iterdir()} == {*NAMES, *(f"{name}-9.0.dist-info" for name in NAMES)}
    assert list(folder.parent.iterdir()) == [folder]
    assert sys.path[-1] == str(folder)
    # Packaged Anki never writes compiled modules itself.
    assert list((folder / "numpy" / "__pycache__").glob("*.pyc"))
    assert not (folder / "numpy" / "tests" / "__pycache__").exists()


def test_pip_reveals_nothing_and_starts_no_program(base, wheels, monkeypatch):
    headers = []
    monkeypatch.setattr(subprocess, "Popen", lambda *_, **__: pytest.fail("a program was started"))
    monkeypatch.setenv("PIP_USER_AGENT_USER_DATA", "mine")
    with serve(wheels, headers=headers) as address:
        monkeypatch.setenv("PIP_INDEX_URL", address)
        run_install(base, None)
    version = pip_wheel().name.split("-")[1]
    assert {line for line in headers if line.startswith("User-Agent")} == {f"User-Agent: pip/{version}"}
    names = {line.partition(":")[0] for line in headers}
    assert names == {"User-Agent", "Accept", "Accept-Encoding", "Connection", "Cache-Control"}


def test_progress_only_goes_forward(base, wheels, monkeypatch):
    with serve(wheels) as address:
        monkeypatch.setenv("PIP_INDEX_URL", address)
        steps = run_install(base, None)
    fractions = [fraction for _, fraction in steps]
    assert fractions == sorted(fractions)
    assert fractions[0] == 0
    stages = list(dict.fromkeys(text.split(":")[0] for text, _ in steps))
    assert stages == [strings.LOOKING_UP_FILES, "Downloading", UNPACKING, PREPARING]


def test_pip_leaves_no_trace(base, wheels, monkeypatch, capfd):
    def traces():
        pip = logging.getLogger("pip")
        return [
            logging.getLoggerClass(), list(logging.getLogger().handlers), logging.getLogger().level, list(pip.handlers),
            pip.propagate, warnings.showwarning, sys.excepthook, dict(os.environ), sys.stdout, sys.stderr,
            {name: id(module) for name, module in sys.modules.items() if name.split(".")[0] == "pip"},
        ]  # fmt: skip

    monkeypatch.setattr(logging, "_loggerClass", type("AnkisLogger", (logging.Logger,), {}))
    traces_before = traces()
    run_install(base, wheels)
    with pytest.raises(InstallFailed):
        run_install(base, wheels / "nowhere")
    assert traces() == traces_before
    assert not [entry for entry in [*sys.path, *sys.path_importer_cache] if ".whl" in entry]
    assert capfd.readouterr() == ("", "")


def test_pip_settings_cannot_change_what_is_installed(base, wheels, monkeypatch, capfd):
    elsewhere = base.parent / "elsewhere"
    settings = {"TARGET": elsewhere, "LOG": elsewhere, "REQUIREMENT": elsewhere, "DRY_RUN": 1, "PLATFORM": "none such"}
    for name, value in settings.items():
        monkeypatch.setenv(f"PIP_{name}", str(value))
    run_install(base, wheels)
    assert is_installed(base)
    assert not elsewhere.exists()
    assert capfd.readouterr() == ("", "")


def test_leftovers_of_an_interrupted_installation_are_replaced(base, wheels):
    folder = install.folder_of(base)
    interrupted = folder.parent / ".srs-evaluator-interrupted" / "numpy"
    interrupted.mkdir(parents=True)
    (interrupted / "half.py").touch()
    (folder / "broken").mkdir(parents=True)
    run_install(base, wheels)
    assert is_installed(base)
    assert not (folder / "numpy" / "half.py").exists()
    assert not (folder / "broken").exists()
    assert list(folder.parent.iterdir()) == [folder]


def test_libraries_are_removed_with_the_addon_unless_in_use(base, wheels):
    run_install(base, wheels)
    with mock.patch.object(Path, "rename", side_effect=PermissionError(errno.EACCES, "in use")):
        install.remove(base)
    assert is_installed(base)
    with mock.patch.object(shutil, "rmtree") as delete:
        install.remove(base)
    (moved,) = base.iterdir()
    delete.assert_called_once_with(moved, ignore_errors=True)
    moved.rename(base / install.FOLDER_NAME)
    # The second time there is nothing to remove.
    for _ in range(2):
        install.remove(base)
        assert not list(base.iterdir())


# --- failures ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", ["unreachable", "503", "no files", "changed", "cut off"])
def test_failing_index_is_reported(fault, base, wheels, monkeypatch):
    levels = [logging.getLogger(name).level for name in ("pip", "pip._internal.index.collector")]
    with serve(wheels / "nowhere" if fault == "no files" else wheels, fault) as address:
        if fault != "unreachable":
            monkeypatch.setenv("PIP_INDEX_URL", address)
        assert fail_to_install(base, None) == NO_NETWORK
    assert levels == [logging.getLogger(name).level for name in ("pip", "pip._internal.index.collector")]


def test_too_little_disk_space_is_found_before_downloading(base, wheels, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: shutil._ntuple_diskusage(1000, 900, 100))
    with pytest.raises(InstallFailed, match="Not enough disk space: 4 MB are needed temporarily"):
        run_install(base, wheels)
    assert not list(base.iterdir())


@pytest.mark.parametrize(
    ("number", "sentence", "function"),
    [(errno.ENOSPC, "Not enough disk space", "copyfileobj"), (errno.EACCES, "cannot be written to", "move")],
)
def test_disk_errors_during_installation_are_reported(number, sentence, function, base, wheels, monkeypatch):
    error = OSError(number, os.strerror(number), "/somewhere")
    monkeypatch.setattr(shutil, function, mock.Mock(side_effect=error))
    assert sentence in fail_to_install(base, wheels)


def test_file_in_place_of_the_folder_is_reported_and_kept(base, wheels):
    (base / install.FOLDER_NAME).write_text("a file of that name")
    with pytest.raises(InstallFailed, match="cannot be written to"):
        run_install(base, wheels)
    assert (base / install.FOLDER_NAME).read_text() == "a file of that name"


def test_cancel_leaves_no_files(base, wheels, monkeypatch):
    with serve(wheels) as address:
        monkeypatch.setenv("PIP_INDEX_URL", address)
        for stage in (strings.LOOKING_UP_FILES, "Downloading", UNPACKING, PREPARING):
            with pytest.raises(Cancelled):
                run_install(base, None, stage)
            assert not list(base.iterdir()), stage
        run_install(base, None)
    assert install.folder_of(base).is_dir()


def test_libraries_are_installed_in_folders_of_any_name(base, wheels, monkeypatch):
    # Without a temporary folder, pip must use Anki's.
    monkeypatch.setattr(tempfile, "tempdir", str(base.parent / "no such folder"))
    name = "Anki 2 of José/暗記/カード/a#b%20?c&d/${HOME}/-r"
    base = base / name
    base.mkdir(parents=True)
    run_install(base, shutil.copytree(wheels, wheels / name))
    assert is_installed(base)


def test_unexpected_errors_have_details(base, wheels, monkeypatch):
    monkeypatch.setattr(install, "_compile", lambda _folder: 1 / 0)
    assert fail_to_install(base, wheels) == strings.INSTALLATION_FAILED


# --- obstacles -----------------------------------------------------------------------------------------------


def test_platform_without_wheels_is_an_obstacle(monkeypatch):
    monkeypatch.setattr(install, "python_here", lambda: "3.8")
    monkeypatch.setattr(install, "platform_here", lambda: "linux_riscv64")
    sentence = install.obstacle() or ""
    for phrase in ("Python 3.8", "linux_riscv64", "NumPy 2.0 and matplotlib 3.9 or later"):
        assert phrase in sentence


def test_missing_pip_is_an_obstacle(monkeypatch, tmp_path):
    monkeypatch.setattr(pip_here, "FOLDER", tmp_path)
    assert install.obstacle() == NO_PIP
    monkeypatch.setattr(install, "bundled_pip", pip_wheel)
    assert install.obstacle() is None


def test_missing_dependency_of_matplotlib_is_found(monkeypatch):
    assert needs.are_ready(Path("nowhere"))
    monkeypatch.setitem(sys.modules, "PIL", None)
    assert needs.missing_modules() == ("PIL",)
    assert not needs.are_ready(Path("nowhere"))


def test_every_pinned_module_is_required():
    module_names = {"pillow": "PIL", "python-dateutil": "dateutil", "fonttools": "fontTools"}
    for python in PYTHONS:
        linux_lock = lock_files.lock_of(python, "linux_x86_64")
        pinned = {pin.partition("==")[0] for pin in linux_lock.pins} - {"tzdata", "zipp", "six", "importlib-resources"}
        assert {module_names.get(name, name) for name in pinned} <= set(needs.MODULES)


OLDER = "NumPy 1.26.4 is in use here, but 2.0 or later is needed."
FOREIGN = "The NumPy that Python finds first was built for another Python, or is incomplete."


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        ("imported", OLDER),
        ("with metadata", OLDER),
        ("without metadata", OLDER),
        ("for another Python", FOREIGN),
        ("broken", FOREIGN),
    ],
)
def test_numpy_of_another_addon_is_an_obstacle(kind, sentence, tmp_path):
    numpy_folder = tmp_path / "other_addon" / "numpy"
    (numpy_folder / "core").mkdir(parents=True)
    broken = "raise ImportError('DLL load failed')\n" if kind == "broken" else ""
    (numpy_folder / "__init__.py").write_text(f"{broken}__version__ = '1.26.4'\n")
    suffix = ".cpython-38-x86_64-linux-gnu.so" if kind == "for another Python" else EXTENSION_SUFFIXES[0]
    (numpy_folder / "core" / f"_multiarray_umath{suffix}").touch()
    if kind == "with metadata":
        info = numpy_folder.parent / "numpy-1.26.4.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: numpy\nVersion: 1.26.4\n")
    program = (
        f"import sys; sys.path[:0] = [{str(numpy_folder.parent)!r}, {str(ROOT)!r}]\n"
        + ("import numpy\n" if kind == "imported" else "")
        + "from ui.anki.libraries import install, needs\nfrom pathlib import Path\n"
        + "print(needs.are_ready(Path('nowhere')), install.obstacle())"
    )
    stdout = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert stdout.startswith(
        f"False {sentence} It is in {numpy_folder.parent}. Update or disable the add-on that includes it,"
    )


@pytest.mark.parametrize(("version", "enough"), [("2.0", True), ("2.10.1", True), ("1.99.9", False), ("3.0rc1", True)])
def test_versions_are_compared_as_numbers(version, enough):
    assert (needs._numbers(version) >= needs._numbers("2.0")) is enough


# --- the lock files ---------------------------------------------------------------------------------------------------


def test_this_machine_is_one_of_the_platforms():
    assert lock_files.platform_here() in PLATFORMS
    assert lock_files.python_here() in PYTHONS


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
    assert lock_files.platform_here() == name
    assert name in PLATFORMS
