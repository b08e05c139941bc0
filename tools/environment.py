"""Setup of what the tools need: the ``.venv``, environments with other versions of Anki, and Debian packages.

Only the standard library, pip and apt are used, because nothing else is installed yet. uv would not read pip's
settings.
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
from typing import Any

from ui.drafts import scratch_folder

ROOT = Path(__file__).resolve().parent.parent
#: Folder of files that are downloaded or installed once for all runs.
BUILD = ROOT / "build"
#: File with the version and the hash of pip.
PIP = ROOT / "tools" / "pip.txt"
RUN_PIP = ROOT / "tools" / "run_pip.py"
WINDOWS = os.name == "nt"
#: Name of the file in an environment that lists what is installed. It is written last, and an environment without it is
#: created again.
STAMP = "installed.json"
#: The running interpreter, or, in a virtual environment, the interpreter that created it.
INTERPRETER = Path(getattr(sys, "_base_executable", sys.executable))
#: End of messages about downloads that failed.
IF_OFFLINE = "If the package index cannot be reached, see to the connection or to pip's proxy settings, and try again."


class MachineNotReady(Exception):
    """Error if this machine lacks something that cannot be installed. The message says why, and what to do."""


def ensure_extras(extras: Sequence[str]) -> None:
    """Ensure that the command runs in ``.venv`` with these extras. If necessary, restart it there.

    Raises:
        MachineNotReady: if the environment cannot be set up.
    """
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project = settings["project"]
    by_extra = {"dependencies": project["dependencies"], **project["optional-dependencies"]}
    required = {requirement for name in ("dependencies", *extras) for requirement in by_extra[name]}
    python = ensure_environment(ROOT / ".venv", required, {*chain(*by_extra.values())})
    if Path(sys.prefix).resolve() == (ROOT / ".venv").resolve():
        return
    command = [str(python), *sys.orig_argv[1:]]
    # On Windows, execv returns to the shell at once.
    if WINDOWS:
        sys.exit(subprocess.call(command))
    os.execv(command[0], command)  # noqa: S606 - there is no shell


def ensure_environment(folder: Path, required: set[str], known: set[str], base_python: Path = INTERPRETER) -> Path:
    """Create an environment, or install what it lacks, and return its interpreter.

    Args:
        folder: the environment.
        required: the requirements that must be installed.
        known: all requirements. Those that are installed are kept.
        base_python: the interpreter that creates the environment.

    Raises:
        MachineNotReady: if the environment cannot be created.
    """
    python = folder / ("Scripts/python.exe" if WINDOWS else "bin/python")
    if required <= _installed_requirements(folder, python):
        return python
    # Links to the same environment have the same lock.
    with file_lock(Path(f"{folder.resolve()}.lock")):
        installed = _installed_requirements(folder, python)
        # Another process may have installed them meanwhile.
        if not required <= installed:
            print(f"Setting up {folder.name}, once: {', '.join(sorted(required - installed))}", file=sys.stderr)
            requirements = sorted(required | (installed & known))
            _install(folder, python, requirements, base_python, is_new=not installed)
            content = {"python": str(python.resolve(strict=True)), "requirements": requirements}
            (folder / STAMP).write_text(json.dumps(content, indent=1), encoding="utf-8")
    return python


def _install(folder: Path, python: Path, requirements: Sequence[str], base_python: Path, *, is_new: bool) -> None:
    """Install the requirements with pip. The environment has no stamp until the caller writes one."""
    message = f"The environment could not be made. {IF_OFFLINE}"
    # On a terminal, pip shows the progress.
    quiet = [] if sys.stderr.isatty() else ["-qq"]
    pip: list[str | Path] = [python, RUN_PIP, pip_wheel(), "install", *quiet, *requirements]
    if is_new:
        # Clear the folder, because pip would take an interrupted installation for a complete one.
        run_command(base_python, "-m", "venv", "--clear", "--without-pip", folder, failed=message)
    else:
        # If this trial fails, the environment is unchanged.
        run_command(*pip, "--dry-run", failed=message)
    (folder / STAMP).unlink(missing_ok=True)
    run_command(*pip, failed=message)


def _installed_requirements(folder: Path, python: Path) -> set[str]:
    """Return the installed requirements, or none if the installation was interrupted or its interpreter has changed."""
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        content = json.loads((folder / STAMP).read_text(encoding="utf-8"))
        if content["python"] == str(python.resolve(strict=True)):
            return set(content["requirements"])
    return set()


def pip_wheel() -> Path:
    """Return the path of pip's wheel, which is downloaded once and checked each time.

    All environments and the add-on's package use it.
    """
    version, digest = re.findall(r"==(\S+) --hash=sha256:(\w+)", PIP.read_text(encoding="utf-8"))[0]
    wheel = BUILD / f"pip-{version}-py3-none-any.whl"
    with file_lock(BUILD / "pip.lock"):
        if not wheel.exists() or hashlib.sha256(wheel.read_bytes()).hexdigest() != digest:
            # The environments have no pip.
            python = sys.executable if importlib.util.find_spec("pip") else INTERPRETER
            pip = [str(python), str(RUN_PIP), str(ROOT), "download", "-qq", f"--requirement={PIP}", f"--dest={BUILD}"]
            run_command(*pip, failed=f"pip's wheel could not be fetched. {IF_OFFLINE}")
    return wheel


def import_library(name: str) -> Any:
    """Import a library of ``.venv``.

    Raises:
        MachineNotReady: if it cannot be loaded.
    """
    try:
        return importlib.import_module(name)
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise MachineNotReady(f"The library {name} cannot be loaded ({reason}). Delete .venv and try again.") from error


def require_packages(packages: Sequence[str]) -> None:
    """Install missing Debian packages. Do nothing on other systems.

    Args:
        packages: the names of the packages. ``new | old`` means one of the two.

    Raises:
        MachineNotReady: if they cannot be installed without the user, with the command to run.
    """
    if shutil.which("dpkg-query") is None:
        return
    states = run_command("dpkg-query", "--show", "--showformat", "${db:Status-Status} ${Package}\n").splitlines()
    missing = [
        choice for choice in packages if {f"installed {name}" for name in choice.split(" | ")}.isdisjoint(states)
    ]
    if missing:
        install = ["apt-get", "satisfy", "--no-install-recommends", ", ".join(missing)]
        if os.geteuid() != 0 or os.environ.get("SRS_EVALUATOR_NO_APT"):
            raise MachineNotReady(f"System packages are missing. Install them first:\n  sudo {shlex.join(install)}")
        print(f"Installing system packages that are missing: {', '.join(missing)}", file=sys.stderr)
        run_command("apt-get", "update")
        run_command(*install, "--yes", failed="The system packages could not be installed.")


@contextlib.contextmanager
def file_lock(lock: Path) -> Iterator[None]:
    """Hold an exclusive lock on this file, waiting for other processes first. On Windows nothing is locked."""
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


def run_command(*command: str | Path, failed: str = "", stdin: str = "", **variables: str) -> str:
    """Run a program and return its output. If it fails, the error quotes the last lines of the output.

    Args:
        command: the program and its arguments.
        failed: the message if it fails. With a message, the output is not returned or quoted, but shown on standard
            error. An interrupt then kills the program, which would otherwise print a traceback.
        stdin: the standard input.
        variables: additional environment variables.

    Raises:
        MachineNotReady: if the program fails.
    """
    out, errors = (2, None) if failed else (subprocess.PIPE, subprocess.PIPE)
    # If pip is killed, it leaves hundreds of megabytes of temporary files.
    with scratch_folder() as path:
        env = {**os.environ, "LC_ALL": "C", "DEBIAN_FRONTEND": "noninteractive", "TMPDIR": str(path), **variables}
        result = subprocess.run(
            command, input=stdin, stdout=out, stderr=errors, text=True, env=env,
            start_new_session=bool(failed), check=False,
        )  # fmt: skip
    if result.returncode:
        last_lines = "" if failed else "\n".join((result.stdout + result.stderr).strip().splitlines()[-15:])
        raise MachineNotReady(failed or f"{Path(command[0]).name} failed:\n{last_lines}")
    return result.stdout or ""
