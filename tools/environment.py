"""The ``.venv`` of the checkout: made, completed or repaired from ``pyproject.toml``, and entered.

Standard library only. What makes the environment good is its stamp, a file inside it that is written last and names
all that was installed: after an interrupted installation there is none, and the next run makes it anew, from the files
that pip has kept.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.scratch import scratch_folder
from tools.system_packages import MachineNotReady, require

ROOT = Path(__file__).resolve().parent.parent
WINDOWS = os.name == "nt"


@dataclass(frozen=True)
class Environment:
    """A virtual environment at ``folder`` for the requirements of the project at ``project``."""

    folder: Path = ROOT / ".venv"
    project: Path = ROOT / "pyproject.toml"

    @property
    def python(self) -> Path:
        """The interpreter of the environment."""
        return self.folder / ("Scripts/python.exe" if WINDOWS else "bin/python")

    @property
    def stamp(self) -> Path:
        """The file that says what is completely installed."""
        return self.folder / "installed.json"

    @property
    def entered(self) -> bool:
        """Whether this process runs in the environment's interpreter."""
        return Path(sys.prefix).resolve() == self.folder.resolve()

    def lists(self) -> dict[str, list[str]]:
        """The requirements in ``pyproject.toml``, by list: ``dependencies``, and each extra."""
        project = self._read()["project"]
        return {"dependencies": project["dependencies"], **project.get("optional-dependencies", {})}

    def megabytes(self, requirements: Sequence[str]) -> int:
        """About how many MB these requirements download; 0 where the project does not say it."""
        known = self._read().get("tool", {}).get("srs-evaluator", {}).get("megabytes", {})
        return sum(known.get(key, 0) for key, names in self.lists().items() if not set(names).isdisjoint(requirements))

    def _read(self) -> dict[str, Any]:
        return tomllib.loads(self.project.read_text(encoding="utf-8"))

    def installed(self) -> list[str] | None:
        """The completely installed requirements; None if unknown, or if the interpreter has changed."""
        try:
            stamp = json.loads(self.stamp.read_text(encoding="utf-8"))
            return list(stamp["requirements"]) if stamp["python"] == self._interpreter() else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def create(self) -> None:
        """Make the environment anew, whatever was there before."""
        if importlib.util.find_spec("ensurepip") is None:
            # Debian and Ubuntu keep this part of Python in a package of its own.
            require(["python3-venv"])
        behind = getattr(sys, "_base_executable", sys.executable)  # where this is a virtual environment, the one behind
        run([behind, "-m", "venv", "--clear", str(self.folder)], "The environment could not be made.")

    def install(self, requirements: Sequence[str]) -> None:
        """Install these requirements with pip."""
        run(
            [str(self.python), "-m", "pip", *pip_install(), *requirements],
            "The environment could not be installed. If the package index cannot be reached, see to the connection or "
            "to pip's settings for a proxy, then run the same command again.",
        )

    def complete(self, requirements: Sequence[str]) -> None:
        """Install what is missing and stamp the environment; make it anew where its state is not known."""
        # Without a stamp, an installation was interrupted: pip would take what is half there for installed.
        known = self.installed()
        missing = [name for name in requirements if name not in (known or ())]
        announce(self.folder, ", ".join(re.split(r"[^\w.-]", name)[0] for name in missing), self.megabytes(missing))
        self.stamp.unlink(missing_ok=True)
        if known is None:
            self.create()
        # What other commands need stays installed, unless the project no longer names it so.
        named = {name for names in self.lists().values() for name in names}
        requirements = [*requirements, *sorted((named & set(known or ())) - set(requirements))]
        self.install(requirements)
        draft = self.stamp.with_suffix(".tmp")
        draft.write_text(json.dumps({"python": self._interpreter(), "requirements": sorted(requirements)}, indent=1))
        draft.replace(self.stamp)

    def enter(self) -> None:
        """Start the running command again in the environment's own interpreter. Does not return."""
        command = [str(self.python), *sys.orig_argv[1:]]
        sys.stdout.flush()
        sys.stderr.flush()
        if WINDOWS:  # execv returns to the shell at once there
            sys.exit(subprocess.call(command))
        os.execv(command[0], command)  # noqa: S606 - a list that we wrote, and no shell

    def _interpreter(self) -> str:
        """The real interpreter behind the environment's; another one means another set of packages."""
        return str(self.python.resolve(strict=True))


def ensure(extras: Sequence[str] = (), environment: Environment | None = None) -> None:
    """Return only inside the complete environment: make or complete it where needed, and enter it.

    Raises:
        MachineNotReady: it cannot be made.
    """
    environment = environment or Environment()
    lists = environment.lists()
    requirements = [name for key in ("dependencies", *extras) for name in lists[key]]

    def is_ready() -> bool:
        return set(requirements) <= set(environment.installed() or ())

    if not is_ready():
        folder = environment.folder.resolve()  # one that is shared by a link has one lock
        with alone(folder.with_name(folder.name + ".lock")):
            if not is_ready():  # another process may have made it meanwhile
                environment.complete(requirements)
    if not environment.entered:
        environment.enter()


@contextlib.contextmanager
def alone(lock: Path) -> Iterator[None]:
    """Wait until no other process holds the lock of that name.

    Processes started meanwhile with ``close_fds=False`` hold it, too: if this one is killed, until they have ended.
    """
    with lock.open("w") as handle:
        os.set_inheritable(handle.fileno(), True)
        if not WINDOWS:
            import fcntl

            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                print(f"Waiting for another command, which holds {_shown(lock)} ...", file=sys.stderr)
                fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def announce(folder: Path, names: str, expected_mb: int) -> None:
    """Print what is going to be downloaded, and how many MB where that is known."""
    size = f"about {expected_mb} MB: " if expected_mb else ""
    print(f"Setting up {_shown(folder)}, once. Downloading {size}{names}", file=sys.stderr, flush=True)


def pip_install() -> list[str]:
    """pip's arguments for an installation: on a terminal it shows how far it is, else only what is wrong."""
    quiet = [] if sys.stderr.isatty() else ["-qq"]
    return ["install", "--disable-pip-version-check", "--no-input", "--root-user-action=ignore", *quiet]


def run(command: Sequence[str], what_failed: str, variables: Mapping[str, str] | None = None) -> None:
    """Run a program that installs something; what it says goes to standard error.

    It is ended when we are interrupted, of which it hears nothing else: it would print a traceback. Where we are killed
    it goes on for a while, but still holds the locks that we held, so that nobody begins anew beside it.

    Raises:
        MachineNotReady: it failed.
    """
    with scratch_folder() as place:  # pip leaves hundreds of megabytes behind where it is ended
        environment = {**(os.environ if variables is None else variables), "TMPDIR": str(place)}
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=2,
            env=environment,
            close_fds=False,
            start_new_session=True,
            check=False,
        )
    if done.returncode:
        raise MachineNotReady(what_failed)


def _shown(folder: Path) -> str:
    """The path of the folder, relative to the current one where that is shorter."""
    return str(folder.relative_to(Path.cwd()) if folder.is_relative_to(Path.cwd()) else folder)
