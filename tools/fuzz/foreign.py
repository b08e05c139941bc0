"""Logs of SuperMemo and of public data sets that are damaged."""

from __future__ import annotations

from random import Random

from tools.fuzz import mutations
from tools.fuzz.case import Place
from tools.fuzz.csv_logs import CELLS
from tools.fuzz.material import Material

#: What separates the cells of the texts among them; the other one is binary.
SEPARATORS = {".csv": ",", ".tsv": "\t", ".txt": " "}
ENCODINGS = ("gbk", "utf-8-sig", "utf-16", "latin-1")
ODD = (
    *(*CELLS, "Feb 30 2023", "31/02/23", "月 1 2023", "-1", "1.0001", "0,5", "1e300", "99999999999", "0,0,0"),
    *("ElNo=", "="),
)


def attack(random: Random, material: Material, place: Place) -> list[str]:
    """Evaluate one of them, damaged."""
    good = random.choice(material.foreign)
    content, separator = good.read_bytes(), SEPARATORS.get(good.suffix)
    kind = random.randrange(4)
    if separator is None or kind == 0:
        content = mutations.damaged(random, content)
    elif kind == 1:
        content = content.decode().encode(random.choice(ENCODINGS), "replace")
    else:
        content = _with_odd_cells(random, content.decode(), separator).encode("utf-8", "replace")
    path = place.input / random.choice((good.name, good.name, "log"))
    path.write_bytes(content)
    return ["evaluate", str(path), "--algorithms", "AVG,SM-2", "--folds", "2"]


def _with_odd_cells(random: Random, text: str, separator: str) -> str:
    rows = [line.split(separator) for line in text.splitlines()]
    for _ in range(random.randint(1, 4)):
        row = random.choice((rows[0], random.choice(rows)))
        row[random.randrange(len(row))] = random.choice((*ODD, str(random.choice(mutations.NUMBERS))))
    if random.random() < 0.2:  # all of a column
        column, odd = random.randrange(len(rows[-1])), random.choice(ODD)
        for row in rows[1:]:
            row[column : column + 1] = [odd]
    return "\n".join(map(separator.join, rows)) + "\n"
