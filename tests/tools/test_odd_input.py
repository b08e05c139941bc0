"""Damaged files and odd options, chosen at random. None may cause a traceback, a change of the input or a leftover."""

from __future__ import annotations

import contextlib
import gzip
import re
import shutil
import sqlite3
from pathlib import Path
from random import Random

import foreign_logs
import in_process
import pytest
from exporting import export_packages

from tools.simulate import Habits, Learner, simulate, write_collection
from tools.simulate.csv_files import write_csv

#: What a terminal obeys, or what changes how other characters are read.
CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
#: Words of a program, which no sentence for people contains.
PROGRAM_WORDS = re.compile(
    r"Traceback|The system: |\[Errno|Error\(|<class|object at 0x|NoneType|codec can't|invalid literal|panicked|Warning:"
    r"|Not enough memory"
)
#: Numbers at and behind the limits of the usual types.
NUMBERS = (0, -1, 255, 2**31 - 1, 2**31, -(2**31), 2**53 + 1, 2**63 - 1, 2**63, -(2**63), 10**30, 1_700_000_000_000)
#: Names that a terminal, a file, a page or a spreadsheet might obey.
NAMES = (
    "", " ", "\x1b[2J\x1b[31mred", "a\rb", "a\nb", "\x7f\x9b1m", "\u202egnirts", "\u2028", "=1+1", "日本語",
    "<script>alert(1)</script>", "'; drop table revlog; --", "%s%n{0}", "x" * 5_000, "\x1f".join(["a"] * 50), "::",
    "*", '"', "\\", "nan", "-", "--help", "deck:*", "(", "tag:re:(((", "prop:ivl>1e999", "or or",
)  # fmt: skip
CELLS = (
    "", " ", "x", "1.0", "1e3", "0x10", "１２", "nan", "inf", "-0", "+1", "1_000", "9" * 5000, "'", '"', '"a\nb"',
    "1;2", "=1+1", "\x1b[31m", "\0", "é", "\ufeff1", "2024-05-01", "x" * 70_000, "Feb 30 2023", "1.0001", "0,5",
    "1e300", "ElNo=", *map(str, NUMBERS),
)  # fmt: skip


@pytest.fixture(scope="session")
def good(tmp_path_factory) -> Path:
    """Return a small log as a collection, packages, CSV and other programs' files. Tests must not change them."""
    folder: Path = tmp_path_factory.mktemp("good")
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

    def evaluate(self, *arguments: object) -> None:
        """Run the command, and check that it succeeds or refuses its input and changes nothing else."""
        before, outputs = self.input_files(), sorted(self.out.rglob("*"))
        command = ["evaluate", *map(str, arguments[:1]), "--algorithms", "AVG,SM-2", "--folds", "2"]
        command += map(str, arguments[1:])
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
def folders(tmp_path, few_graphs) -> Folders:
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
            data[start : start + 4] = (random.choice(NUMBERS) & 0xFFFFFFFF).to_bytes(4, "little")
        elif start < len(data):
            data[start] ^= 1 << random.randrange(8)
    return bytes(data)


def with_odd_cells(random: Random, text: str, separator: str) -> bytes:
    """Replace, insert or remove some cells, often in the header, and write the table in another form."""
    rows = [line.split(separator) for line in text.splitlines()]
    for _ in range(random.randint(1, 4)):
        row = random.choice((rows[0], random.choice(rows)))
        column = random.randrange(len(row) + 1)
        row[column : column + random.randrange(3)] = [random.choice(CELLS)]
    separator = random.choice((separator, separator, ",", ";", "\t", "|"))
    end = random.choice(("\n", "\n", "\r\n", "\r", "\n\n"))
    encoding = random.choice(("utf-8", "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32", "gbk", "latin-1"))
    return end.join(map(separator.join, rows)).encode(encoding, "replace")


SEPARATORS = {".csv": ",", ".txt": " ", ".tsv": "\t"}  #: separators of texts; the other file is binary


@pytest.mark.parametrize("number", range(72))
def test_damaged_log_never_causes_a_traceback(number, good, folders):
    random = Random(number)
    files = [good / "log.revlog.csv", good / "log.cards.csv", *sorted((good / "foreign").iterdir())]
    file = files[number % len(files)]
    separator, content = SEPARATORS.get(file.suffix), file.read_bytes()
    if separator is None or random.random() < 0.3:
        content = damaged(random, content)
    else:
        content = with_odd_cells(random, content.decode(), separator)
    if random.random() < 0.3:
        packed = gzip.compress(content, mtime=0)
        content = random.choice((packed, packed + packed, packed + b"rest", damaged(random, packed)))
    path = folders.input / random.choice((file.name, file.name, "log.csv.gz", "log", "log.anki2"))
    path.write_bytes(content)
    if file.name == "log.cards.csv":
        shutil.copyfile(files[0], folders.input / "good.csv")
        folders.evaluate(folders.input / "good.csv", "--cards", path)
    else:
        folders.evaluate(path)


#: How a table can be something else under its name; ``{t}`` is the table, ``{c}`` its columns.
TABLES = (
    "drop table {t}",
    "create table new as select * from {t}; drop table {t}; alter table new rename to {t}",  # no key, no types
    "create table new as select * from {t} union all select * from {t}; drop table {t}; alter table new rename to {t}",
    "alter table {t} rename to other; create view {t} as select * from other",
    "alter table {t} rename to other; create virtual table {t} using fts5({c})",
    "delete from {t}",
    "alter table {t} add column more text default 'x'",
    "pragma writable_schema = on; update sqlite_master set sql = replace(sql, 'integer', '') where name = '{t}'",
    "pragma writable_schema = on; update sqlite_master set rootpage = 3 where name = '{t}'",
    "pragma writable_schema = on; update sqlite_master set sql = 'create table {t} (' where name = '{t}'",
)
TABLES_READ = ("revlog", "cards", "decks", "deck_config", "col", "config")


def damage_tables(random: Random, path: Path) -> None:
    """Change some tables or values. Mostly it stays a sound database."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.create_collation("unicase", lambda item, other: (item > other) - (item < other))
        for _ in range(random.randint(1, 3)):
            table = random.choice(TABLES_READ)
            with contextlib.suppress(sqlite3.Error):  # one damage may make another impossible
                columns = [row[1] for row in db.execute(f"pragma table_info({table})")] or ["rowid"]
                if random.random() < 0.4:
                    db.executescript(random.choice(TABLES).format(t=table, c=", ".join(columns)))
                    continue
                column = random.choice(columns)
                where = random.choice(("1", f"rowid % 7 = {random.randrange(7)}"))
                (old,) = db.execute(f"select {column} from {table} where {where}").fetchone() or (None,)
                numbers = [number for number in NUMBERS if abs(number) < 2**63]
                new = random.choice((random.choice(numbers), random.choice(NAMES), 1e300, None, random.randbytes(300)))
                if isinstance(old, bytes) and random.random() < 0.7:
                    new = damaged(random, old)
                db.execute(f"update or ignore {table} set {column} = ? where {where}", (new,))


@pytest.mark.parametrize("number", range(24))
def test_damaged_collection_never_causes_a_traceback(number, good, folders):
    random = Random(number)
    path = folders.input / "collection.anki2"
    shutil.copyfile(good / path.name, path)
    if number % 4 == 0:
        path.write_bytes(damaged(random, path.read_bytes()))
    elif number % 4 == 1:
        beside = path.with_name(path.name + random.choice(("-wal", "-journal", "-shm")))
        beside.write_bytes(random.choice((b"", random.randbytes(5000), bytes(5000), path.read_bytes())))
    else:
        damage_tables(random, path)
    folders.evaluate(path)


@pytest.mark.parametrize("number", range(20))
def test_damaged_package_never_causes_a_traceback(number, good, folders):
    random = Random(number)
    source = random.choice(sorted(good.glob("*pkg")))
    content, path = source.read_bytes(), folders.input / source.name
    path.write_bytes(content[: random.randrange(len(content))] if number % 2 else damaged(random, content))
    folders.evaluate(path)
