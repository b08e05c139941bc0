"""One case of the fuzzer: made, run, and judged by its output, its files, and how it ended."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from unittest import mock

from tools import commands, environment
from tools.environment import ROOT
from tools.fuzz.material import Material

#: Bytes of memory that a command may take of its own, and seconds after which it is said to hang.
MEMORY = 1_500_000_000
SECONDS = 180
#: Letters of one sentence.
LONGEST_SENTENCE = 2_000

#: Exit codes of success, and of what is refused with one sentence.
SUCCESS, REFUSED = 0, 2

#: What SQLite keeps beside the collection.
BESIDE = tuple(f"collection.anki2-{kept}" for kept in ("wal", "shm", "journal"))

#: What a terminal obeys, or what changes how others are read.
CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
#: What no sentence for people holds.
OF_A_PROGRAM = re.compile(
    r"Traceback|The system: |\[Errno|Error\(|<class|object at 0x|NoneType|codec can't|invalid literal|panicked|Warning:"
    r"|too little memory"
)


class Place:
    """The folders of one case. The command runs in ``out``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.input = folder / "input"  #: must stay as it is
        self.out = folder / "out"
        self.temporary = folder / "temporary"  #: must be empty in the end
        self.home = folder / "home"  #: ``~``

    @classmethod
    def made(cls, folder: Path) -> Place:
        """Make the folders, still empty."""
        place = cls(folder)
        for path in (place.input, place.out, place.temporary, place.home):
            path.mkdir(parents=True)
        return place

    def environment(self) -> dict[str, str]:
        """Environment variables by which the command finds these folders; caches stay where they always are."""
        caches = {"XDG_CACHE_HOME": ".cache", "XDG_CONFIG_HOME": ".config"}
        kept = {name: os.environ.get(name, str(Path.home() / folder)) for name, folder in caches.items()}
        return {**os.environ, **kept, "TMPDIR": str(self.temporary), "HOME": str(self.home)}


@dataclass(frozen=True)
class Ended:
    """How a command ended; ``code`` is None if it did not."""

    code: int | None
    out: str
    err: str


#: Makes the input of a case and returns the command line, from the command's name on.
Attack = Callable[[Random, Material, Place], list[str]]


def judge(attack: Attack, random: Random, material: Material, place: Place, *, apart: bool) -> list[str]:
    """What is wrong with how the command copes with an attack; empty if nothing is.

    Args:
        attack: makes the case.
        random: decides all of it.
        material: good files, to be damaged.
        place: an empty one.
        apart: as a process of its own, as people start it; else in this one, which is faster.
    """
    arguments = attack(random, material, place)
    stray = [text for text in arguments if not _stays_in(place, text)]
    if stray:
        raise ValueError(f"The attack itself would write elsewhere: {stray}")
    (place.folder / "command.txt").write_text(repr(arguments) + "\n", encoding="utf-8")
    read, written = state(place.input), state(place.out)
    ended = run_apart(arguments, place) if apart else run_here(arguments, place.out, place.environment())
    (place.folder / "printed.txt").write_text(ended.out + ended.err, encoding="utf-8", errors="backslashreplace")
    return [
        *faults_of(ended),
        *changes(read, state(place.input)),
        *(["something is written, though it failed"] if ended.code != SUCCESS and state(place.out) != written else []),
        *left_behind(place),
    ]


def _stays_in(place: Place, text: str) -> bool:
    """Whether text typed as a path cannot lead out of the case: the fuzzer might be allowed to write anywhere."""
    path = Path(os.path.normpath(place.out / text.partition("=")[2] if "=" in text else place.out / text))
    return path.is_relative_to(place.folder) or path.is_relative_to("/dev") or path.is_relative_to("/proc")


def faults_of(ended: Ended) -> list[str]:
    """What is wrong with the exit code and the output."""
    if ended.code is None:
        return ["it does not end"]
    faults = []
    printed = ended.out + ended.err
    if ended.code not in (SUCCESS, REFUSED):
        faults.append(f"exit code {ended.code}")
    if found := OF_A_PROGRAM.search(printed):
        faults.append(f"it says {found[0]!r}")
    if found := CONTROL.search(printed):
        faults.append(f"it prints the control character {found[0]!r}")
    if ended.code == REFUSED:
        if ended.out or ended.err.count("\n") != 1 or not ended.err.strip():
            faults.append("it does not refuse with one line")
        if len(ended.err) > LONGEST_SENTENCE:
            faults.append(f"its sentence has {len(ended.err):,} letters")
    return faults


def left_behind(place: Place) -> list[str]:
    """Files that should have been removed: temporary ones, and drafts, which are hidden."""
    left = [*place.temporary.iterdir(), *(path for path in place.out.rglob("*") if path.name.startswith(".srs"))]
    return [f"it leaves {path.name} behind" for path in left]


def changes(before: dict[str, str], after: dict[str, str]) -> list[str]:
    """What was changed in the input. New files may be outputs, but not parts of a database."""
    changed = [f"{name!r} of the input is not as it was" for name in before if after.get(name) != before[name]]
    beside = [name for name in after.keys() - before.keys() if name in BESIDE]
    return changed + [f"{name!r} is written beside the collection" for name in beside]


def state(folder: Path) -> dict[str, str]:
    """Entries of a folder by name: their kind, and of files a digest."""
    return {os.fsdecode(os.path.relpath(path, folder)): _state(path) for path in sorted(folder.rglob("*"))}


def _state(path: Path) -> str:
    if path.is_symlink():
        return f"a link to {path.readlink()}"
    if path.is_file():
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    return "a folder" if path.is_dir() else "a special file"


def run_apart(arguments: Sequence[str], place: Place, *, seconds: float = SECONDS) -> Ended:
    """Run the command in a process of its own, with limited time and memory."""
    limits = f"import os, resource, sys; resource.setrlimit(resource.RLIMIT_DATA, ({MEMORY}, {MEMORY})); "
    start = [
        sys.executable,
        "-c",
        limits + "os.execv(sys.executable, [sys.executable, *sys.argv[1:]])",
        str(ROOT / "tools"),
        *arguments,
    ]
    try:
        done = subprocess.run(
            start, cwd=place.out, env=place.environment(), stdin=subprocess.DEVNULL,
            capture_output=True, timeout=seconds, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return Ended(None, "", "")
    return Ended(done.returncode, *(text.decode("utf-8", "surrogateescape") for text in (done.stdout, done.stderr)))


def run_here(arguments: list[str], folder: Path, variables: Mapping[str, str]) -> Ended:
    """Run the command in this process, with folder, streams and variables as in one of its own."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        with (
            mock.patch.dict(os.environ, variables),
            mock.patch.object(tempfile, "tempdir", None),  # it is looked for anew
            mock.patch.object(environment, "ensure"),  # it is ready, and another command may hold it
            contextlib.chdir(folder),
            _leading_to(1, out.fileno()),
            _leading_to(2, err.fileno()),
        ):
            code = _code(arguments)
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode("utf-8", "surrogateescape"))
    return Ended(code, *texts)


def _code(arguments: list[str]) -> int:
    with (
        os.fdopen(1, "w", encoding="utf-8", closefd=False) as out,
        os.fdopen(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False) as err,
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            return commands.run(arguments)
        except SystemExit as end:
            return end.code if isinstance(end.code, int) else 1
        except BaseException:  # noqa: BLE001 - whatever it is, Python would print it and end so
            err.write(traceback.format_exc())
            return 1


@contextlib.contextmanager
def _leading_to(stream: int, file: int) -> Iterator[None]:
    """Redirect standard output or error into a file, also for libraries that write to it directly."""
    kept = os.dup(stream)
    os.dup2(file, stream)
    try:
        yield
    finally:
        os.dup2(kept, stream)
        os.close(kept)
