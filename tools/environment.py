"""Prepare what the tools need: the ``.venv``, environments with other versions of Anki, and Debian packages.

Uses only the standard library, pip and apt, because nothing else is installed yet, and uv would not read pip's
settings. pip does not notice an interrupted installation. So each environment has a stamp, a file that is written last
and lists all installed packages; without it, the next run makes the environment again, from pip's cache.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

from ui.files import scratch_folder

ROOT = Path(__file__).resolve().parent.parent
#: Folder of what is made once for all runs.
BUILD = ROOT / "build"
#: The version and the hash of pip.
PIP = ROOT / "tools" / "pip.txt"
RUN_PIP = ROOT / "tools" / "run_pip.py"
#: Imports a package of each requirement that is its argument. Missing system libraries are not this check's concern.
IMPORT_ALL = r"""
import importlib, importlib.metadata, re, sys
while sys.argv[1:]:
    try:
        files = importlib.metadata.files(re.split(r"[^\w.-]", sys.argv.pop())[0])
        packages = [file.parent.parts for file in files if file.name == "__init__.py"]
        importlib.import_module(".".join(min(packages, key=len, default=["sys"])))
    except ModuleNotFoundError as error:
        sys.exit(f"ERROR: {error}")
    except ImportError:
        pass
"""
WINDOWS = os.name == "nt"
_LIBRARIES = "Lib/site-packages" if WINDOWS else "lib/python*/site-packages"
#: The running interpreter; if it is that of a virtual environment, the one behind it.
INTERPRETER = Path(getattr(sys, "_base_executable", sys.executable))
IF_OFFLINE = "If the package index cannot be reached, see to the connection or to pip's proxy settings, and try again."


class MachineNotReady(Exception):
    """Something cannot be installed or looked up; the message says why and what to do."""


def ensure(extras: Sequence[str] = ()) -> None:
    """Ensure that the command runs inside ``.venv``, with these extras; otherwise restart it in its interpreter."""
    whole = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    lists = {"dependencies": whole["project"]["dependencies"], **whole["project"]["optional-dependencies"]}
    megabytes = whole["tool"]["srs-evaluator"]["megabytes"]
    requested = {requirement for name in ("dependencies", *extras) for requirement in lists[name]}
    python = ensure_environment(
        ROOT / ".venv", requested, {tuple(each): megabytes[name] for name, each in lists.items()}
    )
    if Path(sys.prefix).resolve() != (ROOT / ".venv").resolve():
        if Path(sys.executable).parent.resolve() == python.parent.resolve():  # it would start itself for ever
            raise MachineNotReady(f"{python} does not look into its .venv. Leave out -S, or else delete .venv.")
        command = [str(python), *sys.orig_argv[1:]]
        if WINDOWS:  # execv returns to the shell at once there
            sys.exit(subprocess.call(command))
        os.execv(command[0], command)  # noqa: S606 - a list that we wrote, and no shell


def ensure_environment(
    folder: Path, wanted: set[str], sizes: dict[tuple[str, ...], int], maker: Path = INTERPRETER
) -> Path:
    """Return the interpreter of an environment once all that is ``wanted`` is installed, by any process.

    ``sizes`` are the megabytes, about, that each list of requirements downloads as a whole. What was installed stays,
    unless it is on none of these lists. ``maker`` is the interpreter that makes the environment.
    """
    python = folder / ("Scripts/python.exe" if WINDOWS else "bin/python")
    stamp = folder / "installed.json"
    if wanted <= _installed(python, stamp):
        return python
    with file_lock(Path(f"{folder.resolve()}.lock")):  # one that is shared by a link has one lock
        installed = _installed(python, stamp)
        if not wanted <= installed:
            installed = installed or _installed(python, stamp, listed=False)
            missing = sorted(wanted - installed)
            size = sum(sizes[each] for each in sizes if not set(each).isdisjoint(missing))
            names = ", ".join(re.split(r"[^\w.-]", each)[0] for each in missing)
            download = f" Downloading up to {size} MB: {names}" if missing else ""
            print(f"Setting up {folder.name}, once.{download}", file=sys.stderr)
            failed = f"The environment could not be made. {IF_OFFLINE}"
            requirements = sorted(wanted | installed.intersection(chain(*sizes)))  # all that any command needs
            quiet = [] if sys.stderr.isatty() else ["-qq"]  # pip shows progress and sizes in a terminal
            pip: list[str | Path] = [python, RUN_PIP, pip_wheel(), "install", *quiet, *requirements]
            if installed:
                run_command(*pip, "--dry-run", failed=failed)  # what fails here has changed nothing
            else:  # pip would take an interrupted installation for a complete one
                run_command(maker, "-m", "venv", "--clear", "--without-pip", folder, failed=failed)
            stamp.unlink(missing_ok=True)
            run_command(*pip, failed=failed)
            unconditional = [each for each in requirements if ";" not in each]
            run_command(python, "-I", "-c", IMPORT_ALL, *unconditional, failed="pip did not install all libraries.")
            python_path = str(python.resolve(strict=True))
            text = {"python": python_path, "requirements": requirements, "modules": sorted(_modules(folder))}
            stamp.write_text(json.dumps(text, indent=1), encoding="utf-8")
    return python


def _installed(python: Path, stamp: Path, *, listed: bool = True) -> set[str]:
    """Return the installed requirements; none if unknown, if a module is gone or the interpreter changed.

    Unless ``listed``, the modules are those that the installed libraries name, as older stamps list none; then whole
    libraries may be gone.
    """
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        text = json.loads(stamp.read_text(encoding="utf-8"))
        is_whole = _modules(stamp.parent).issuperset(text["modules"] if listed else _recorded(stamp.parent))
        if is_whole and text["python"] == str(python.resolve(strict=True)):
            return set(text["requirements"])
    return set()


def _modules(folder: Path) -> set[str]:
    """Return the names of all modules and packages in an environment, without version metadata."""
    return {path.name for path in folder.glob(f"{_LIBRARIES}/*") if path.suffix != ".dist-info"} - {"__pycache__"}


def _recorded(folder: Path) -> set[str]:
    """Return the names that the installed libraries' records list."""
    records = (path.read_text(encoding="utf-8") for path in folder.glob(f"{_LIBRARIES}/*.dist-info/RECORD"))
    names = {re.split("[/,]", line)[0] for record in records for line in record.splitlines()}
    return {name for name in names if not name.endswith(".dist-info")} - {"__pycache__", ".."}


def pip_wheel(folder: Path = BUILD) -> Path:
    """Return pip's wheel, used for all environments and the package: downloaded once, always checked."""
    version, digest = re.findall(r"==(\S+) --hash=sha256:(\w+)", PIP.read_text(encoding="utf-8"))[0]
    wheel = folder / f"pip-{version}-py3-none-any.whl"
    with file_lock(folder / "pip.lock"):
        if not wheel.exists() or hashlib.sha256(wheel.read_bytes()).hexdigest() != digest:
            python = sys.executable if importlib.util.find_spec("pip") else INTERPRETER  # our environments have no pip
            pip = [str(python), str(RUN_PIP), str(ROOT), "download", "-qq", f"--requirement={PIP}", f"--dest={folder}"]
            run_command(*pip, failed=f"pip's wheel could not be fetched. {IF_OFFLINE}")
    return wheel


def require_packages(packages: Sequence[str]) -> None:
    """Install these Debian packages unless they are there; ``new | old`` means either of two. Do nothing on other
    systems.
    """
    if shutil.which("dpkg-query") is None:
        return
    states = run_command("dpkg-query", "--show", "--showformat", "${db:Status-Status} ${Package}\n").splitlines()
    missing = [each for each in packages if {f"installed {name}" for name in each.split(" | ")}.isdisjoint(states)]
    if missing:
        install = ["apt-get", "satisfy", "--no-install-recommends", ", ".join(missing)]
        if os.geteuid() != 0 or os.environ.get("SRS_EVALUATOR_NO_APT"):
            raise MachineNotReady(f"System packages are missing. Install them first:\n  sudo {shlex.join(install)}")
        print(f"Installing system packages that are missing: {', '.join(missing)}", file=sys.stderr)
        run_command("apt-get", "update")
        run_command(*install, "--yes", failed="The system packages could not be installed.")


@contextlib.contextmanager
def file_lock(lock: Path) -> Iterator[None]:
    """Wait until no other process holds the lock of that name."""
    lock.parent.mkdir(exist_ok=True)
    with lock.open("w") as handle:
        if not WINDOWS:
            import fcntl

            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                print(f"Waiting for another command, which holds {lock.name} ...", file=sys.stderr)
                fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def run_command(
    *command: str | Path, failed: str = "", typed: str = "", cwd: Path | None = None, **variables: str
) -> str:
    """Run a program with the input ``typed``, and return its output; an error quotes the end of the output.

    With the sentence ``failed``, all its output is shown instead, on standard error. On an interrupt it is killed,
    because it would print a traceback otherwise.
    """
    out, errors = (2, None) if failed else (subprocess.PIPE, subprocess.PIPE)
    with scratch_folder() as path:  # pip leaves hundreds of megabytes behind if it is ended
        env = {**os.environ, "LC_ALL": "C", "DEBIAN_FRONTEND": "noninteractive", "TMPDIR": str(path), **variables}
        done = subprocess.run(
            command, input=typed, stdout=out, stderr=errors, text=True, cwd=cwd, env=env,
            start_new_session=bool(failed), check=False,
        )  # fmt: skip
    if done.returncode:
        last_lines = "" if failed else "\n".join((done.stdout + done.stderr).strip().splitlines()[-15:])
        raise MachineNotReady(failed or f"{Path(command[0]).name} failed:\n{last_lines}")
    return done.stdout or ""
