"""Command lines of `evaluate` with odd options and sound files."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random

from tools.fuzz import mutations
from tools.fuzz.case import Place
from tools.fuzz.material import Material

MOST_OPTIONS = 4
#: As they are typed where some files, links and a pipe lie already. None may lead to where the case has no say.
PATHS = (
    "a.json", "A.JSON", "b.csv", "./a.json", "folder/../a.json", "folder", "new", "new/a.json", "old.json",
    "link.json", "loop", "loop/x", "pipe", "-", ".", "..", "~", "~nouser/x", "/dev/null", "/dev/full",
    "/dev/stdout", "/proc/self/mem", "\u00e9" * 127, "\udcff.json", "a\nb", "\x1b[31m.json", "\u202e.json",
)  # fmt: skip
DATES = (
    "2024-06-20", "2024-02-30", "0001-01-01", "9999-12-31", "2024-W01-1", "20240620", "２０２４-06-20", "1969-12-31",
)  # fmt: skip


def attack(random: Random, material: Material, place: Place) -> list[str]:
    """Evaluate a good log or collection, with outputs that may lie where they must not."""
    for path in (*material.collections[1], material.csv, material.cards, material.predictions):
        shutil.copyfile(path, place.input / path.name)
    collection, log = place.input / "collection.anki2", place.input / material.csv.name
    (place.out / "old.json").write_text("old")
    (place.out / "link.json").symlink_to(collection)
    (place.out / "loop").symlink_to("loop")
    (place.out / "folder").mkdir()
    os.mkfifo(place.out / "pipe")
    read = random.choice((collection, log, log))
    arguments = ["evaluate", str(read), "--algorithms", "AVG", "--folds", "2"]
    for _ in range(random.randint(1, MOST_OPTIONS)):
        option, make = random.choice(list(OPTIONS.items()))
        arguments += [option] if make is None else [option, make(random, place)]
    if random.random() < 0.05:
        random.shuffle(arguments)
        arguments.insert(0, "evaluate")
    return arguments


def _path(random: Random, place: Place) -> str:
    inputs = sorted(place.input.iterdir())
    beside = Path(f"{random.choice(inputs)}{random.choice(('', '-wal', '-shm', '-journal', '-mj12', '.tmp', '/x'))}")
    typed = (*PATHS, "n" * random.randint(240, 260), _name(random, place), str(place.input))
    return random.choice(
        (*typed, str(beside), str(beside.with_name(beside.name.upper())), os.path.relpath(beside, place.out))
    )


def _name(random: Random, _: Place) -> str:
    return mutations.typed_name(random)


def _number(random: Random, place: Place) -> str:
    number = random.choice((*mutations.NUMBERS, *mutations.REALS, "９", "1_0", " 3 ", "9" * 5000))
    return random.choice(("2", "5", str(number), _name(random, place)))


def _date(random: Random, place: Place) -> str:
    return random.choice((*DATES, _number(random, place)))


def _names(random: Random, place: Place) -> str:
    known = ("AVG", "avg", "SM-2", "SM-2 trainable", "FSRS-6 default", "none", "comparisons", "groups", ",", "default ")
    return ",".join(random.choice((*known, _name(random, place))) for _ in range(random.randint(0, 3)))


def _external(random: Random, place: Place) -> str:
    file = random.choice((str(place.input / "predictions.csv"), _path(random, place)))
    return f"{_name(random, place)}{random.choice('===#')}{file}{random.choice(('', '#predicted', '#', '##'))}"


#: Each with what makes its value; None: it has none.
OPTIONS: dict[str, Callable[[Random, Place], str] | None] = {
    "--json": _path,
    "--predictions": _path,
    "--html": _path,
    "--charts": _path,
    "--cards": lambda random, place: random.choice((str(place.input / "log.cards.csv"), _path(random, place))),
    "--external": _external,
    "--next-day-at": _number,
    "--folds": _number,
    "--since": _date,
    "--deck": _name,
    "--preset": _name,
    "--search": _name,
    "--algorithms": _names,
    "--sections": _names,
    "--baseline": _names,
    "--table": lambda random, place: random.choice(("whole-day", "same-day", "both", _name(random, place))),
    "--no-same-day": None,
    "--no-outlier-filter": None,
    "--nonsense": None,
}
