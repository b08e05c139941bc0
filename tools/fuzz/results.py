"""Files of results, for `summarise`, with values that no benchmark writes."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from tools.fuzz import mutations
from tools.fuzz.case import Place
from tools.fuzz.material import Material

#: As JSON; what `json` would not write itself is text already.
VALUES = (
    "null", "true", "[]", "{}", "[[[[", "[" * 5000, '{"a":' * 2000, "1e400", "-Infinity", "NaN", '"folds"',
    '"\\ud800"', "0.5", "9" * 5000, '{"folds":5}', "[null]", '"' + "x" * 3000 + '"', '"\x1b[31m"', "\xff",
)  # fmt: skip


def attack(random: Random, material: Material, place: Place) -> list[str]:
    """Summarise damaged results."""
    good = random.choice(material.results)
    path = place.input / good.name
    if random.random() < 0.2:
        path.write_bytes(mutations.damaged(random, good.read_bytes()))
    else:
        lines = good.read_text(encoding="utf-8").splitlines()
        for _ in range(random.randint(1, 4)):
            number = random.choice((0, *random.sample(range(len(lines)), 4)))
            lines[number] = _odd(random, lines[number])
        if random.random() < 0.1:
            lines = [random.choice(lines)] * random.choice((0, 1, 2))
        path.write_text("\n".join(lines) + random.choice(("\n", "")), encoding="utf-8")
    source = random.choice((str(path), str(path), str(place.input), f"label={path}", f"\x1b[31m={path}"))
    more = random.choice(([], [], ["--out", "new"], ["--algorithms", "AVG,x"], ["--without", "AVG"]))
    if more == ["--out", "new"]:
        more.append("--no-figures")
    twice = [str(path)] if random.random() < 0.1 else []
    return ["summarise", source, *twice, "--resamples", "999", *more]


def _odd(random: Random, line: str) -> str:
    """Replace one value of a line, however deep, or make the line no JSON."""
    if random.random() < 0.1:
        return random.choice(("", " ", *VALUES))
    try:
        tree = json.loads(line)
    except (ValueError, RecursionError):
        return line
    inner: Any = tree
    while isinstance(inner, dict) and inner:
        key = random.choice(list(inner))
        if not isinstance(inner[key], dict) or random.random() < 0.3:
            if random.random() < 0.2:
                del inner[key]
            else:
                inner[key] = "PLACE"
            break
        inner = inner[key]
    odd = random.choice((*VALUES, *map(str, mutations.NUMBERS), *map(json.dumps, mutations.NAMES)))
    return json.dumps(tree).replace('"PLACE"', odd)
