"""The ``.venv`` of the checkout: made, completed or repaired from ``pyproject.toml``, and entered.

Standard library only. What makes the environment good is its stamp, a file inside it that is written last and names
all that was installed: after an interrupted installation there is none, and the next run goes on.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

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
        """Its interpreter."""
        return self.folder / ("Scripts/python.exe" if WINDOWS else "bin/python")

    @property
    def stamp(self) -> Path:
        """The file that says what is completely installed."""
        return self.folder / "installed.json"

    @property
    def entered(self) -> bool:
        """Whether the running interpreter is its own."""
        return Path(sys.prefix).resolve() == self.folder.resolve()

    def requirements(self, extras: Sequence[str] = ()) -> list[str]:
        """The project's dependencies and those of its extras, as pip takes them."""
        project = tomllib.loads(self.project.read_text(encoding="utf-8"))["project"]
        optional = project.get("optional-dependencies", {})
        return [*project["dependencies"], *(name for extra in extras for name in optional[extra])]

    def _all_requirements(self) -> set[str]:
        project = tomllib.loads(self.project.read_text(encoding="utf-8"))["project"]
        return set(self.requirements(tuple(project.get("optional-dependencies", {}))))

    def is_ready(self, requirements: Sequence[str]) -> bool:
        """Whether all of these are installed, for the interpreter that is there now."""
        return set(requirements) <= set(self.installed() or ())

    def installed(self) -> list[str] | None:
        """The requirements that are completely installed; None where that is not known, or the interpreter changed."""
        try:
            stamp = json.loads(self.stamp.read_text(encoding="utf-8"))
            return list(stamp["requirements"]) if stamp["python"] == self._interpreter() else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def create(self) -> None:
        """Make it anew, whatever was there before."""
        if importlib.util.find_spec("ensurepip") is None:
            # Debian and Ubuntu keep this part of Python in a package of its own.
            require(["python3-venv"])
        self._call([_outside(), "-m", "venv", "--clear", str(self.folder)], "The environment could not be made")

    def install(self, requirements: Sequence[str]) -> None:
        """Have pip install these."""
        pip = [str(self.python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"]
        self._call([*pip, *requirements], "The environment could not be installed")

    def complete(self, requirements: Sequence[str]) -> None:
        """Make it or make it anew where its state is not known, install what is missing, and stamp it."""
        print(
            f"Installing what this command needs into {_shown(self.folder)} (once; up to a minute) ...",
            file=sys.stderr,
            flush=True,
        )
        # Without a stamp, an installation was interrupted: pip would take what is half there for installed.
        known = self.installed()
        self.stamp.unlink(missing_ok=True)
        if known is None:
            self.create()
        # What other commands need stays installed, unless the project no longer names it so.
        kept = set(known or ()) & self._all_requirements()
        requirements = [*requirements, *sorted(kept - set(requirements))]
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

    @staticmethod
    def _call(command: Sequence[str], what_failed: str) -> None:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode:
            last_lines = "\n".join(done.stdout.strip().splitlines()[-15:])
            raise MachineNotReady(f"{what_failed}:\n{last_lines}")


def ensure(extras: Sequence[str] = (), environment: Environment | None = None) -> None:
    """Return only inside the complete environment: make or complete it where needed, and enter it.

    Raises:
        MachineNotReady: it cannot be made.
    """
    environment = environment or Environment()
    requirements = environment.requirements(extras)
    if not environment.is_ready(requirements):
        with alone(environment.folder.with_name(environment.folder.name + ".lock")):
            if not environment.is_ready(requirements):  # another process may have made it meanwhile
                environment.complete(requirements)
    if not environment.entered:
        environment.enter()


@contextlib.contextmanager
def alone(lock: Path) -> Iterator[None]:
    """Wait until no other process holds the lock of that name."""
    with lock.open("w") as handle:
        _lock(handle)
        yield


def _lock(handle: IO[str]) -> None:
    if not WINDOWS:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX)


def _outside() -> str:
    """The interpreter that runs, or the one behind it where it runs in a virtual environment."""
    return str(getattr(sys, "_base_executable", sys.executable))


def _shown(folder: Path) -> str:
    """The folder as seen from the current one, where that is shorter."""
    with contextlib.suppress(ValueError):
        return str(folder.relative_to(Path.cwd()))
    return str(folder)
