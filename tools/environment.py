"""Virtual environments, the checkout's own ``.venv`` and those with other Ankis: made, completed or repaired.

By hand, with the standard library and pip, as nothing else is there before; and uv would not read pip's settings. pip
cannot tell that an installation was interrupted. So each environment has a stamp, a file that is written last and names
all that was installed; without it, the next run makes the environment anew, from the files that pip has kept.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tools.scratch import scratch_folder
from tools.system_packages import MachineNotReady

ROOT = Path(__file__).resolve().parent.parent
#: What is made once for all runs.
BUILD = ROOT / "build"
#: The version and the hash of pip.
PIP = ROOT / "tools" / "pip.txt"
WINDOWS = os.name == "nt"
#: The running interpreter; where it is that of a virtual environment, the one behind it.
INTERPRETER = Path(getattr(sys, "_base_executable", sys.executable))

IF_OFFLINE = (
    "If the package index cannot be reached, see to the connection or to pip's settings for a proxy, then run the same "
    "command again."
)


@dataclass(frozen=True)
class Environment:
    """A virtual environment in ``folder``."""

    folder: Path
    lists: Mapping[str, Sequence[str]]  #: requirements, by the name of their list
    megabytes: Mapping[str, int]  #: what each list downloads, about; not all are known
    interpreter: Path = INTERPRETER  #: makes it
    variables: Mapping[str, str] = field(default_factory=dict)  #: that the interpreter needs

    @property
    def python(self) -> Path:
        """The interpreter of the environment."""
        return self.folder / ("Scripts/python.exe" if WINDOWS else "bin/python")

    @property
    def stamp(self) -> Path:
        """The file that says what is completely installed, and for which interpreter."""
        return self.folder / "installed.json"

    def installed(self) -> set[str]:
        """The completely installed requirements; none if that is not known, or if the interpreter has changed."""
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            stamp = json.loads(self.stamp.read_text(encoding="utf-8"))
            if stamp["python"] == str(self.python.resolve(strict=True)):
                return set(stamp["requirements"])
        return set()

    def complete(self, names: Iterable[str]) -> None:
        """Return once all that these lists name is installed, by this process or another.

        Raises:
            MachineNotReady: it cannot be.
        """
        wanted = {requirement for name in names for requirement in self.lists[name]}
        if wanted <= self.installed():
            return
        folder = self.folder.resolve()  # one that is shared by a link has one lock
        with alone(folder.with_name(folder.name + ".lock")):
            known = self.installed()
            if not wanted <= known:
                # What other commands need stays installed, unless no list names it any more.
                named = {requirement for requirements in self.lists.values() for requirement in requirements}
                self._announce(wanted - known)
                self._install(sorted(wanted | (known & named)), anew=not known)

    def _announce(self, requirements: set[str]) -> None:
        known = [self.megabytes.get(name, 0) for name, each in self.lists.items() if not requirements.isdisjoint(each)]
        size = f"about {sum(known)} MB: " if any(known) else ""
        names = ", ".join(re.split(r"[^\w.-]", requirement)[0] for requirement in sorted(requirements))
        print(f"Setting up {self.folder.name}, once. Downloading {size}{names}", file=sys.stderr)

    def _install(self, requirements: Sequence[str], *, anew: bool) -> None:
        self.stamp.unlink(missing_ok=True)
        if anew:  # where an installation was interrupted, pip would take what is half there for installed
            command = [str(self.interpreter), "-m", "venv", "--clear", "--without-pip", str(self.folder)]
            run(command, "The environment could not be made.", self.variables)
        quiet = [] if sys.stderr.isatty() else ["-qq"]  # on a terminal pip shows how far it is, else only what is wrong
        pip = [str(self.python), str(pip_wheel() / "pip"), "install", "--disable-pip-version-check", "--no-input"]
        run([*pip, *quiet, *requirements], f"The environment could not be installed. {IF_OFFLINE}", self.variables)
        stamp = {"python": str(self.python.resolve(strict=True)), "requirements": requirements}
        self.stamp.write_text(json.dumps(stamp, indent=1), encoding="utf-8")


def ensure(extras: Sequence[str] = ()) -> None:
    """Return only inside the ``.venv``, with these extras: the running command is started again in its interpreter.

    Raises:
        MachineNotReady: it cannot be made.
    """
    whole = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    lists = {"dependencies": whole["project"]["dependencies"], **whole["project"]["optional-dependencies"]}
    environment = Environment(ROOT / ".venv", lists, whole["tool"]["srs-evaluator"]["megabytes"])
    environment.complete(["dependencies", *extras])
    if Path(sys.prefix).resolve() != environment.folder.resolve():
        command = [str(environment.python), *sys.orig_argv[1:]]
        if WINDOWS:  # execv returns to the shell at once there
            sys.exit(subprocess.call(command))
        os.execv(command[0], command)  # noqa: S606 - a list that we wrote, and no shell


def pip_wheel(folder: Path = BUILD) -> Path:
    """The wheel of the pip that fills all environments and travels in the package: fetched once, and always checked.

    Raises:
        MachineNotReady: it cannot be fetched.
    """
    version, digest = re.findall(r"==(\S+) --hash=sha256:(\w+)", PIP.read_text(encoding="utf-8"))[0]
    wheel = folder / f"pip-{version}-py3-none-any.whl"
    with alone(folder / "pip.lock"):
        if not wheel.exists() or hashlib.sha256(wheel.read_bytes()).hexdigest() != digest:
            python = sys.executable if importlib.util.find_spec("pip") else INTERPRETER  # our environments have no pip
            command = [str(python), "-m", "pip", "download", "-qq", "--disable-pip-version-check", "--no-deps"]
            command += ["--only-binary=:all:", "--require-hashes", f"--requirement={PIP}", f"--dest={folder}"]
            run(command, f"pip's wheel could not be fetched. {IF_OFFLINE}", {"PIP_REQUIRE_VIRTUALENV": "0"})
    return wheel


@contextlib.contextmanager
def alone(lock: Path) -> Iterator[None]:
    """Wait until no other process holds the lock of that name.

    Processes started meanwhile with ``close_fds=False`` hold it, too: if this one is killed, until they have ended.
    """
    lock.parent.mkdir(exist_ok=True)
    with lock.open("w") as handle:
        os.set_inheritable(handle.fileno(), True)
        if not WINDOWS:
            import fcntl

            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                print(f"Waiting for another command, which holds {lock.name} ...", file=sys.stderr)
                fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def run(command: Sequence[str], what_failed: str, variables: Mapping[str, str] | None = None) -> None:
    """Run a program that installs something; what it says goes to standard error.

    It is ended when we are interrupted, of which it hears nothing else: it would print a traceback. Where we are killed
    it goes on for a while, but still holds the locks that we held, so that nobody begins anew beside it.

    Raises:
        MachineNotReady: it failed.
    """
    with scratch_folder() as place:  # pip leaves hundreds of megabytes behind where it is ended
        env = {**os.environ, **(variables or {}), "TMPDIR": str(place)}
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=2, env=env, close_fds=False, start_new_session=True, check=False
        )
    if done.returncode:
        raise MachineNotReady(what_failed)
