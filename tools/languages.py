"""``python3 tools languages``: bring the translations up to date with the English texts, and compile them."""

from __future__ import annotations

import argparse
import importlib
import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from babel import Locale, UnknownLocaleError
from babel.messages import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from evaluator.algorithms import CATALOGUE
from evaluator.counted import Counted
from evaluator.language import FOLDER, messages
from tools.environment import ROOT
from ui.anki_words import ANKI_WORDS

#: The modules that hold texts, with the beginning of their contexts.
MODULES = {
    "evaluator": "evaluator.strings",
    "menu": "ui.menu_strings",
    "window": "ui.strings",
    "libraries": "ui.libraries.words",
}


def main(arguments: list[str]) -> int:
    """Write both files of each language; 1 where something is not translated."""
    parser = argparse.ArgumentParser(
        prog="python3 tools languages",
        description=f"Bring {FOLDER.relative_to(ROOT)}/ up to date with the English texts, and compile it. A text that "
        "has changed keeps its translation, marked as fuzzy, until somebody has looked at it.",
        allow_abbrev=False,
    )
    parser.add_argument("new", nargs="*", metavar="LANGUAGE", type=_language, help="begin this one too: de, pt_BR ...")
    complete = True
    for language in sorted({*parser.parse_args(arguments).new, *languages()}):
        catalogue = updated(language)
        path = po_file(language)
        path.write_bytes(as_po(catalogue))
        path.with_suffix(".mo").write_bytes(compiled(catalogue))
        left = untranslated(catalogue)
        complete = complete and not left
        done = f"{len(catalogue) - len(left):,} of {len(catalogue):,} texts"
        print(f"{path.relative_to(ROOT)}: {done}", *left[:10], sep="\n  ", file=sys.stderr)
    return 0 if complete else 1


def languages() -> list[str]:
    """Those that there are, e.g. "ja" and "zh_CN"."""
    return sorted(path.stem for path in FOLDER.glob("*.po"))


def po_file(language: str) -> Path:
    """Where the translation into this language stands, for people to edit."""
    return FOLDER / f"{language}.po"


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
    source = Path(str(importlib.import_module(MODULES[module]).__file__)).read_text(encoding="utf-8")
    for found in re.finditer(r"((?:^#:.*\n)+)([A-Z]\w*)\b", source, re.MULTILINE):
        yield f"{module}.{found[2]}", [line.removeprefix("#:").strip() for line in found[1].splitlines()]


def updated(language: str) -> Catalog:
    """The catalogue with exactly today's English texts, each with the translation that there is of it."""
    before = _read(language)
    by_context = {message.context: message for message in before}
    after = Catalog(
        locale=language,
        project="SRS Evaluator",
        header_comment="# Texts of SRS Evaluator. What stands in braces is filled in and must be kept.",
        creation_date=before.creation_date,
        revision_date=before.revision_date,
        fuzzy=False,
    )
    remarks = {constant: remark for module in MODULES for constant, remark in remarks_of(module)}
    for context, text in english():
        remark = remarks.get(".".join(context.split(".")[:2]), [])
        key = (text.one, text.other) if isinstance(text, Counted) else text
        same, old = before.get(key, context), by_context.get(context)
        if same is not None and same.id == key:
            message = after.add(key, same.string, flags=same.flags, context=context, auto_comments=remark)
        elif old is not None and isinstance(old.string, str) == isinstance(key, str):
            message = after.add(
                key, old.string, flags=["fuzzy"], previous_id=old.id, context=context, auto_comments=remark
            )
        else:
            message = after.add(key, context=context, auto_comments=remark)
        message.flags.discard("python-format")  # the "% i" in "95 % interval" is none
    return after


def untranslated(catalogue: Catalog) -> list[str]:
    """The contexts of texts without a translation, or with one of an English text that has changed since."""
    return [
        str(message.context) for message in catalogue if message.id and (message.fuzzy or not _said(message.string))
    ]


def as_po(catalogue: Catalog) -> bytes:
    """For people."""
    file = io.BytesIO()
    write_po(file, catalogue, width=120)
    return file.getvalue()


def compiled(catalogue: Catalog) -> bytes:
    """For :mod:`gettext`."""
    file = io.BytesIO()
    write_mo(file, catalogue)
    return file.getvalue()


def _language(name: str) -> str:
    try:
        return str(Locale.parse(name))
    except (ValueError, UnknownLocaleError):
        raise argparse.ArgumentTypeError(f"{name!r} is no language; write it like de or pt_BR") from None


def _read(language: str) -> Catalog:
    path = po_file(language)
    if not path.exists():
        return Catalog(locale=language)
    with path.open("rb") as file:
        return read_po(file, locale=language)


def _said(string: str | tuple[str, ...] | list[str] | None) -> bool:
    return all(string) if isinstance(string, (tuple, list)) else bool(string)
