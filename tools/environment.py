"""Prepare what the tools need: the ``.venv``, environments with other versions of Anki, and Debian packages.

Only the standard library, pip and apt are used, because nothing else is installed yet, and uv would not read pip's
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

from ui.files import scratch_folder

ROOT = Path(__file__).resolve().parent.parent
#: Folder of files that are made once for all runs.
BUILD = ROOT / "build"
#: The version and the hash of pip.
PIP = ROOT / "tools" / "pip.txt"
RUN_PIP = ROOT / "tools" / "run_pip.py"
WINDOWS = os.name == "nt"
#: File in an environment that is written last, with all that is installed. Without it, the environment is made again.
STAMP = "installed.json"
#: The running interpreter; if it is that of a virtual environment, the one behind it.
INTERPRETER = Path(getattr(sys, "_base_executable", sys.executable))
IF_OFFLINE = "If the package index cannot be reached, see to the connection or to pip's proxy settings, and try again."


class MachineNotReady(Exception):
    """Something cannot be installed or looked up. The message says why, and what to do."""


def ensure(extras: Sequence[str] = ()) -> None:
    """Ensure that the command runs inside ``.venv`` with these extras, by restarting it there if necessary."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    lists = {"dependencies": settings["project"]["dependencies"], **settings["project"]["optional-dependencies"]}
    megabytes = settings["tool"]["srs-evaluator"]["megabytes"]
    requested = {requirement for name in ("dependencies", *extras) for requirement in lists[name]}
    sizes = {tuple(requirements): megabytes[name] for name, requirements in lists.items()}
    python = ensure_environment(ROOT / ".venv", requested, sizes)
    if Path(sys.prefix).resolve() == (ROOT / ".venv").resolve():
        return
    if Path(sys.executable).parent.resolve() == python.parent.resolve():  # it would restart itself forever
        raise MachineNotReady(f"{python} does not look into its .venv. Leave out -S, or else delete .venv.")
    command = [str(python), *sys.orig_argv[1:]]
    if WINDOWS:  # execv returns to the shell at once there
        sys.exit(subprocess.call(command))
    os.execv(command[0], command)  # noqa: S606 - a list that we wrote, and no shell


def ensure_environment(
    folder: Path, required: set[str], sizes: dict[tuple[str, ...], int], maker: Path = INTERPRETER
) -> Path:
    """Make an environment, or complete it, and return its interpreter.

    Args:
        folder: the environment. What is installed in it stays, unless it is on none of the lists.
        required: requirements that must be installed.
        sizes: lists of requirements, each with about how many megabytes it downloads.
        maker: the interpreter that makes the environment.

    Raises:
        MachineNotReady: if the environment cannot be made.
    """
    python = folder / ("Scripts/python.exe" if WINDOWS else "bin/python")
    if required <= _installed(folder, python):
        return python
    with file_lock(Path(f"{folder.resolve()}.lock")):  # an environment that is shared by a link has one lock
        installed = _installed(folder, python)
        if not required <= installed:  # by another process meanwhile
            missing = required - installed
            _say_download(folder, missing, sizes)
            requirements = sorted(required | installed.intersection(chain(*sizes)))
            _install(folder, python, requirements, maker, is_new=not installed)
            content = {
                "python": str(python.resolve(strict=True)),
                "requirements": requirements,
                "modules": sorted(_modules(folder)),
            }
            (folder / STAMP).write_text(json.dumps(content, indent=1), encoding="utf-8")
    return python


def _say_download(folder: Path, missing: set[str], sizes: dict[tuple[str, ...], int]) -> None:
    megabytes = sum(sizes[requirements] for requirements in sizes if not missing.isdisjoint(requirements))
    names = ", ".join(sorted(re.split(r"[^\w.-]", requirement)[0] for requirement in missing))
    print(f"Setting up {folder.name}, once. Downloading up to {megabytes} MB: {names}", file=sys.stderr)


def _install(folder: Path, python: Path, requirements: Sequence[str], maker: Path, *, is_new: bool) -> None:
    """Install the requirements with pip. The environment has no stamp until the caller writes one."""
    failed = f"The environment could not be made. {IF_OFFLINE}"
    quiet = [] if sys.stderr.isatty() else ["-qq"]  # pip shows progress and sizes in a terminal
    pip: list[str | Path] = [python, RUN_PIP, pip_wheel(), "install", *quiet, *requirements]
    if is_new:  # pip would take an interrupted installation for a complete one
        run_command(maker, "-m", "venv", "--clear", "--without-pip", folder, failed=failed)
    else:  # a failure leaves the environment as it is
        run_command(*pip, "--dry-run", failed=failed)
    (folder / STAMP).unlink(missing_ok=True)
    run_command(*pip, failed=failed)


def _installed(folder: Path, python: Path) -> set[str]:
    """Return the installed requirements, or none after damage or if the interpreter has changed."""
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        content = json.loads((folder / STAMP).read_text(encoding="utf-8"))
        is_complete = _modules(folder).issuperset(content["modules"])
        if is_complete and content["python"] == str(python.resolve(strict=True)):
            return set(content["requirements"])
    return set()


def _modules(folder: Path) -> set[str]:
    """Return the names of all modules and packages in an environment, without version metadata."""
    libraries = "Lib/site-packages" if WINDOWS else "lib/python*/site-packages"
    return {path.name for path in folder.glob(f"{libraries}/*") if path.suffix != ".dist-info"} - {"__pycache__"}


def pip_wheel(folder: Path = BUILD) -> Path:
    """Return pip's wheel, which is downloaded once and checked each time. All environments and the package use it."""
    version, digest = re.findall(r"==(\S+) --hash=sha256:(\w+)", PIP.read_text(encoding="utf-8"))[0]
    wheel = folder / f"pip-{version}-py3-none-any.whl"
    with file_lock(folder / "pip.lock"):
        if not wheel.exists() or hashlib.sha256(wheel.read_bytes()).hexdigest() != digest:
            python = sys.executable if importlib.util.find_spec("pip") else INTERPRETER  # our environments have no pip
            pip = [str(python), str(RUN_PIP), str(ROOT), "download", "-qq", f"--requirement={PIP}", f"--dest={folder}"]
            run_command(*pip, failed=f"pip's wheel could not be fetched. {IF_OFFLINE}")
    return wheel


def require_packages(packages: Sequence[str]) -> None:
    """Install missing Debian packages. Do nothing on other systems.

    Args:
        packages: their names. ``new | old`` means either of two.

    Raises:
        MachineNotReady: if they cannot be installed from here; it names the command to run.
    """
    if shutil.which("dpkg-query") is None:
        return
    states = run_command("dpkg-query", "--show", "--showformat", "${db:Status-Status} ${Package}\n").splitlines()
    missing = [name for name in packages if {f"installed {each}" for each in name.split(" | ")}.isdisjoint(states)]
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
    """Run a program and return its output. If it fails, the error quotes the last lines of the output.

    Args:
        command: the program and its arguments.
        failed: the message of the error. With it, the output is shown on standard error instead, and an interrupt kills
            the program, which would print a traceback otherwise.
        typed: standard input.
        cwd: the working directory.
        variables: more environment variables.

    Raises:
        MachineNotReady: if the program fails.
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
