"""Collections whose bytes, values, tables or companions are not as Anki writes them."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from pathlib import Path
from random import Random

from tools.fuzz import mutations
from tools.fuzz.case import Place
from tools.fuzz.material import Material

SCOPES = ("--deck", "--preset", "--search")
COMPANIONS = ("-wal", "-journal", "-shm")

#: How a table can be something else under its name; ``{t}`` is the table, ``{c}`` its columns.
TABLES = (
    "drop table {t}",
    "alter table {t} rename to other",
    "create table new as select * from {t}; drop table {t}; alter table new rename to {t}",  # no key, no types
    "create table new as select * from {t} union all select * from {t}; drop table {t}; alter table new rename to {t}",
    "alter table {t} rename to other; create view {t} as select * from other",
    "alter table {t} rename to other; create virtual table {t} using fts5({c})",
    "delete from {t}",
    "alter table {t} add column more text default 'x'",
    "create trigger more after insert on {t} begin delete from {t}; end",
    "pragma writable_schema = on; update sqlite_master set sql = replace(sql, 'integer', '') where name = '{t}'",
    "pragma writable_schema = on; update sqlite_master set rootpage = 3 where name = '{t}'",
    "pragma writable_schema = on; update sqlite_master set sql = 'create table {t} (' where name = '{t}'",
)


def attack(random: Random, material: Material, place: Place) -> list[str]:
    """Evaluate a damaged collection."""
    _, *companions = files = random.choice(material.collections)
    for path in files:
        shutil.copyfile(path, place.input / path.name)
    collection = place.input / "collection.anki2"
    kind = random.randrange(4)
    if kind == 0:
        damage_bytes(random, collection)
    elif kind == 1 and companions:
        damage_bytes(random, place.input / companions[0].name)
    elif kind == 1:
        beside = collection.with_name(collection.name + random.choice(COMPANIONS))
        beside.write_bytes(random.choice((b"", random.randbytes(5000), bytes(5000), collection.read_bytes())))
    else:
        damage_contents(random, collection)
    scope = [random.choice(SCOPES), mutations.typed_name(random)] if random.random() < 0.2 else []
    return ["evaluate", str(collection), "--algorithms", "AVG,SM-2", "--folds", "2", *scope]


def damage_bytes(random: Random, path: Path) -> None:
    """Damage bytes of the file."""
    path.write_bytes(mutations.damaged(random, path.read_bytes()))


def damage_contents(random: Random, path: Path) -> None:
    """Damage the contents of the database, which mostly stays a sound one."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.create_collation("unicase", lambda one, other: (one > other) - (one < other))
        names = [name for (name,) in db.execute("select name from sqlite_master where type = 'table' order by name")]
        for _ in range(random.randint(1, 3)):
            # What we read ourselves as often as what only Anki reads.
            table = random.choice(("revlog", "cards", "decks", "deck_config", "col", "config", random.choice(names)))
            with contextlib.suppress(sqlite3.Error):  # one damage may make another impossible
                if random.random() < 0.3:
                    columns = ", ".join(row[1] for row in db.execute(f"pragma table_info({table})"))
                    db.executescript(random.choice(TABLES).format(t=table, c=columns))
                else:
                    _set_values(random, db, table)


def _set_values(random: Random, db: sqlite3.Connection, table: str) -> None:
    columns = [row[1] for row in db.execute(f"pragma table_info({table})")]
    if not columns:  # it was dropped
        return
    column = random.choice(columns)
    which = random.choice(("1", f"rowid % 7 = {random.randrange(7)}", f"rowid = (select max(rowid) from {table})"))
    (old,) = db.execute(f"select {column} from {table} where {which}").fetchone() or (None,)
    new = mutations.value(random)
    if isinstance(old, bytes) and random.random() < 0.7:
        new = mutations.damaged(random, old)
    sometimes = random.choice(("", " + rowid"))
    db.execute(f"update or ignore {table} set {column} = ?{sometimes} where {which}", (new,))
