"""All English texts there are to translate, each with its context and what translators should know of it."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from pathlib import Path

from evaluator.algorithms import CATALOGUE
from tools.environment import ROOT
from ui.anki.language import ANKI_WORDS
from ui.text import Counted, messages

#: The modules that hold texts, with the beginning of their contexts.
MODULES = {
    "evaluator": "ui.text.strings",
    "menu": "ui.menu_strings",
    "window": "ui.strings",
    "libraries": "ui.anki.libraries.words",
}

#: Where the descriptions of algorithms stand.
_ALGORITHMS = "evaluator/algorithms"


def english() -> Iterator[tuple[str, str | Counted]]:
    """Context and English text of all that is to be translated: not what Anki itself has words for."""
    for module in MODULES:
        yield from ((context, text) for context, text in texts_of(module) if context not in ANKI_WORDS)
    for algorithm in CATALOGUE.values():
        yield f"algorithm.{algorithm.name}", algorithm.description
    for family in dict.fromkeys(algorithm.family for algorithm in CATALOGUE.values()):
        yield "family", family


def texts_of(module: str) -> Iterator[tuple[str, str | Counted]]:
    """All texts of one of :data:`MODULES`, each with its context."""
    return messages(vars(importlib.import_module(MODULES[module])), module)


def remarks_of(module: str) -> Iterator[tuple[str, list[str]]]:
    """The constants of one of :data:`MODULES` with the comments (``#:``) above them: they say what a text is of."""
    source = _file(module).read_text(encoding="utf-8")
    for found in re.finditer(r"((?:^#:.*\n)+)([A-Z]\w*)\b", source, re.MULTILINE):
        yield f"{module}.{found[2]}", [line.removeprefix("#:").strip() for line in found[1].splitlines()]


def place_of(context: str) -> str:
    """The file in which a text stands, from the checkout's root."""
    module = context.split(".", maxsplit=1)[0]
    return _file(module).relative_to(ROOT).as_posix() if module in MODULES else _ALGORITHMS


def _file(module: str) -> Path:
    return Path(str(importlib.import_module(MODULES[module]).__file__))
