"""The ``.venv`` of the checkout: made, completed or repaired from ``pyproject.toml``, and entered.

Standard library only. What makes the environment good is its stamp, a file inside it that is written last and names
all that was installed: after an interrupted installation there is none, and the next run makes it anew, from the files
that pip has kept.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from tools import installing
from tools.system_packages import require

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

    def requirements(self, extras: Sequence[str] = ()) -> list[str]:
        """The project's dependencies and those of these extras, as pip takes them."""
        lists = self._lists()
        return [name for key in ("dependencies", *extras) for name in lists[key]]

    def _lists(self) -> dict[str, list[str]]:
        """The requirements in ``pyproject.toml``, by list: ``dependencies``, and each extra."""
        project = self._read()["project"]
        return {"dependencies": project["dependencies"], **project.get("optional-dependencies", {})}

    def _read(self) -> dict[str, Any]:
        return tomllib.loads(self.project.read_text(encoding="utf-8"))

    def megabytes(self, requirements: Sequence[str]) -> int:
        """About how many MB these requirements download; 0 where the project does not say it."""
        known = self._read().get("tool", {}).get("srs-evaluator", {}).get("megabytes", {})
        return sum(known.get(key, 0) for key, names in self._lists().items() if not set(names).isdisjoint(requirements))

    def is_ready(self, requirements: Sequence[str]) -> bool:
        """Whether all these requirements are installed for the current interpreter."""
        return set(requirements) <= set(self.installed() or ())

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
        installing.run([_outside(), "-m", "venv", "--clear", str(self.folder)], "The environment could not be made")

    def install(self, requirements: Sequence[str], expected_mb: float = 0.0) -> None:
        """Install these requirements with pip."""
        pip = [str(self.python), "-m", "pip", "install", "--disable-pip-version-check", "--no-input"]
        installing.run_pip(
            [*pip, *installing.progress_options(_version_of_pip()), *requirements],
            "The environment could not be installed. If the package index cannot be reached, see to the connection or "
            "to pip's settings for a proxy, then run the same command again. What pip said last",
            expected_mb=expected_mb,
        )

    def complete(self, requirements: Sequence[str]) -> None:
        """Install what is missing and stamp the environment; make it anew where its state is not known."""
        # Without a stamp, an installation was interrupted: pip would take what is half there for installed.
        known = self.installed()
        missing = [name for name in requirements if name not in (known or ())]
        expected_mb = self.megabytes(missing)
        names = ", ".join(re.split(r"[^\w.-]", name)[0] for name in missing)
        announce(self.folder, names, expected_mb)
        self.stamp.unlink(missing_ok=True)
        if known is None:
            self.create()
        # What other commands need stays installed, unless the project no longer names it so.
        named = {name for names in self._lists().values() for name in names}
        kept = (named & set(known or ())) - set(requirements)
        requirements = [*requirements, *sorted(kept)]
        self.install(requirements, expected_mb)
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
    requirements = environment.requirements(extras)
    if not environment.is_ready(requirements):
        folder = environment.folder.resolve()  # one that is shared by a link has one lock
        with alone(folder.with_name(folder.name + ".lock")):
            if not environment.is_ready(requirements):  # another process may have made it meanwhile
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
        _lock(handle)
        yield


def _lock(handle: IO[str]) -> None:
    if not WINDOWS:
        import fcntl

        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print(f"Waiting for another command, which holds {_shown(Path(handle.name))} ...", file=sys.stderr)
            fcntl.flock(handle, fcntl.LOCK_EX)


def announce(folder: Path, names: str, expected_mb: float) -> None:
    """Print what is going to be downloaded, and how many MB where that is known."""
    size = f"about {expected_mb:.0f} MB: " if expected_mb else ""
    print(f"Setting up {_shown(folder)}, once. Downloading {size}{names}", file=sys.stderr, flush=True)


def _version_of_pip() -> str:
    """The version of the pip in new environments; "0" where Debian has split it off and it is missing."""
    if importlib.util.find_spec("ensurepip") is None:
        return "0"
    ensurepip = importlib.import_module("ensurepip")
    return str(ensurepip.version())


def _outside() -> str:
    """The running interpreter; within a virtual environment, the one behind it."""
    return str(getattr(sys, "_base_executable", sys.executable))


def _shown(folder: Path) -> str:
    """The path of the folder, relative to the current one where that is shorter."""
    with contextlib.suppress(ValueError):
        return str(folder.relative_to(Path.cwd()))
    return str(folder)
