"""Files damaged at random. None may cause a traceback, a change of the input or a leftover."""

from __future__ import annotations

import gzip
import re
import shutil
from pathlib import Path
from random import Random

import foreign_logs
import in_process
import pytest
from exporting import export_packages

from tools.simulate import Habits, Learner, simulate, write_collection
from tools.simulate.csv_files import write_csv

#: Characters that a terminal executes, or that change how others are read.
CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
#: Words of programs, which no sentence for users contains.
PROGRAM_WORDS = re.compile(
    r"Traceback|The system: |\[Errno|Error\(|<class|object at 0x|NoneType|codec can't|invalid literal|panicked|Warning:"
    r"|Not enough memory"
)


@pytest.fixture(scope="session")
def good(tmp_path_factory):
    """Return a small log as a collection, packages, CSV and other programs' files. Tests must not change them."""
    folder = tmp_path_factory.mktemp("good")
    simulation = simulate(Learner(seed=5, days=40, habits=Habits(new_per_day=3, reset=0.001, cram=0.05)))
    write_collection(simulation, folder / "collection.anki2")
    export_packages(folder / "collection.anki2", folder)
    write_csv(simulation, folder, "log")
    foreign_logs.write_all(folder / "foreign", simulation)
    return folder


class Folders:
    """Folders of one case. Commands run in ``out``."""

    def __init__(self, folder: Path) -> None:
        self.input, self.out, self.temporary = (folder / name for name in ("input", "out", "temporary"))
        for path in (self.input, self.out, self.temporary):
            path.mkdir()

    def input_files(self) -> dict[str, bytes | None]:
        return {str(path): path.read_bytes() if path.is_file() else None for path in self.input.rglob("*")}

    def evaluate(self, *arguments):
        """Run the command, and check that it succeeds or refuses its input and changes nothing else."""
        before = self.input_files()
        outputs = sorted(self.out.rglob("*"))
        command = ["evaluate", *map(str, arguments), "--algorithms", "AVG,SM-2", "--folds", "2"]
        done = in_process.run(command, self.out, TMPDIR=str(self.temporary), HOME=str(self.out))
        printed = done.stdout + done.stderr
        assert done.returncode in (0, 2), printed
        assert not PROGRAM_WORDS.search(printed)
        assert not CONTROL.search(printed)
        if done.returncode == 2:
            assert not done.stdout
            assert done.stderr.count("\n") == 1
            assert 1 < len(done.stderr) < 2_000
            assert sorted(self.out.rglob("*")) == outputs
        after = self.input_files()
        assert {name: after.get(name) for name in before} == before
        assert not [name for name in after.keys() - before.keys() if name.endswith(("-wal", "-shm", "-journal"))]
        assert not [*self.temporary.iterdir(), *self.out.glob(".srs*")]


@pytest.fixture
def folders(tmp_path, few_graphs):
    return Folders(tmp_path)


def damaged(random: Random, content: bytes) -> bytes:
    """Cut, change, insert or repeat bytes in one to four places, as often near the beginning as anywhere."""
    data = bytearray(content)
    for _ in range(random.randint(1, 4)):
        start = random.randrange(random.choice((min(len(data), 120), len(data))) + 1)
        end = start + random.choice((1, 2, 8, 100, 4096))
        kind = random.randrange(6)
        if kind == 0:
            del data[start:]
        elif kind == 1:
            del data[start:end]
        elif kind == 2:
            data[start:start] = random.randbytes(end - start)
        elif kind == 3:
            data[start:end] = bytes([random.choice((0, 0xFF, 7))]) * (end - start)
        elif kind == 4:
            data[start : start + 4] = random.choice((0, -1, 2**31 - 1, -(2**31))).to_bytes(4, "little", signed=True)
        elif start < len(data):
            data[start] ^= 1 << random.randrange(8)
    return bytes(data)


# About ten for each of twelve files.
@pytest.mark.parametrize("number", range(116))
def test_damaged_file_never_causes_a_traceback(number, good, folders):
    random = Random(number)
    files = sorted(path for path in good.rglob("*.*") if path.is_file())
    file = files[number % len(files)]
    content = damaged(random, file.read_bytes())
    if file.suffix in (".csv", ".txt", ".tsv") and random.random() < 0.3:
        packed = gzip.compress(content, mtime=0)
        content = random.choice((packed, packed + packed, packed + b"rest", damaged(random, packed)))
    path = folders.input / random.choice((file.name, file.name, "log.csv.gz", "log", "log.anki2"))
    path.write_bytes(content)
    if file.name == "log.cards.csv":
        shutil.copyfile(good / "log.revlog.csv", folders.input / "good.csv")
        folders.evaluate(folders.input / "good.csv", "--cards", path)
    else:
        folders.evaluate(path)
