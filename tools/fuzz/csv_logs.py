"""Review logs, cards and predictions as CSV that are damaged, or were written by another program."""

from __future__ import annotations

from random import Random

from tools.fuzz import mutations
from tools.fuzz.case import Place
from tools.fuzz.material import Material, gzipped

ENCODINGS = ("utf-8-sig", "utf-16", "utf-16-le", "utf-32", "latin-1")
NAMES = ("log.csv", "log.csv.gz", "log.tsv", "log", "log.anki2")
CELLS = (
    "", " ", "x", "1.0", "1.5", "1e3", "0x10", "１２", "nan", "inf", "-0", "+1", "1_000", "9" * 5000, "'", '"', '""',
    '"a\nb"', "NULL", "1;2", "=1+1", "\x1b[31m", "\0", "é", "\ufeff1", "true", "2024-05-01", "x" * 70_000,
)  # fmt: skip


def attack(random: Random, material: Material, place: Place) -> list[str]:
    """Evaluate a log, with cards and predictions beside it, one of which is damaged."""
    files = {
        "log": material.csv.read_bytes(),
        "cards": material.cards.read_bytes(),
        "predictions": material.predictions.read_bytes(),
    }
    bad = random.choice(("log", "log", "cards", "predictions"))
    files[bad] = _damaged(random, files[bad])
    paths = {name: place.input / f"{name}.csv" for name in files}
    paths["log"] = place.input / random.choice(NAMES)
    for name, path in paths.items():
        path.write_bytes(files[name])
    more = []
    if bad == "cards" or random.random() < 0.3:
        more += ["--cards", str(paths["cards"])]
    if bad == "predictions":
        more += ["--external", f"Mine={paths['predictions']}{random.choice(('', '', '#predicted', '#x'))}"]
    if random.random() < 0.2:
        more += ["--next-day-at", str(random.choice(mutations.NUMBERS))]
    return ["evaluate", str(paths["log"]), "--algorithms", "AVG,SM-2", "--folds", "2", *more]


def _damaged(random: Random, content: bytes) -> bytes:
    kind = random.randrange(6)
    if kind == 0:
        content = mutations.damaged(random, content)
    elif kind == 1:
        content = content.decode().encode(random.choice(ENCODINGS))
    elif kind == 2:
        line = b"\n" * random.choice((1, 3)) if random.random() < 0.5 else b"1," * 600_000
        content = content.replace(b"\n", b"\n" + line, random.choice((1, 5)))
    else:
        content = _with_odd_cells(random, content.decode()).encode()
    if random.random() < 0.4:
        content = gzipped(content)
        if random.random() < 0.5:
            content = random.choice((content + content, content + b"rest", mutations.damaged(random, content)))
    return content


def _with_odd_cells(random: Random, text: str) -> str:
    """Replace some cells, cut or lengthen some rows, and perhaps change the delimiter."""
    rows = [line.split(",") for line in text.splitlines()]
    for _ in range(random.randint(1, 3)):
        row = random.choice((rows[0], random.choice(rows)))
        column = random.randrange(len(row))
        odd = random.choice((*CELLS, str(random.choice(mutations.NUMBERS)), row[-1]))
        if random.random() < 0.6:
            row[column] = odd
        elif random.random() < 0.5:
            row.insert(column, odd)
        elif len(row) > 1:
            del row[column]
    if random.random() < 0.1:  # all of a column
        column, odd = random.randrange(len(rows[0])), str(random.choice(mutations.NUMBERS))
        for row in rows[1:]:
            row[column : column + 1] = [odd]
    separator, end = random.choice(",,,;\t|"), random.choice(("\n", "\n", "\r\n", "\r", "\n\n"))
    return end.join(separator.join(row) for row in rows) + random.choice((end, "", "\0", '"'))
