"""``python3 tools languages``: bring the translations up to date with the English texts, compile and check them.

Babel does it, but for two checks by hand: it takes a line without a quotation mark for an empty translation, and knows
fields like ``%s`` only.
"""

from __future__ import annotations

import argparse
import copy
import io
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING

from tools.arguments import Parser
from tools.environment import ROOT
from ui.text import ANKI, FOLDER

if TYPE_CHECKING:
    from babel.messages import Catalog, Message

#: So many are named of those that are left.
_MOST_NAMES = 10
#: The functions that mark texts, as Babel asks for them: which argument is what.
_KEYWORDS = {"_": None, "ngettext": (1, 2), "Counted": (1, 2), "pgettext": ((1, "c"), 2)}
#: What a translation must hold as often as the English text: bold letters, a mark that is explained, an ellipsis.
_MARKS = ("<b>", "</b>", "**", "★", "…")
_LINE = re.compile(r'\s*(?:#.*|(?:(?:msgctxt|msgid|msgid_plural|msgstr(?:\[\d+\])?)\s+)?"(?:[^"\\]|\\.)*"\s*|)')
_HEADER = "# Texts of SRS Evaluator. What stands in braces is filled in and must be kept."


class Unreadable(Exception):
    """A catalogue is not written as gettext demands; the message says where."""


def main(arguments: list[str]) -> int:
    """Update the .po and .mo file of each language; or only check them, and return 1 if something is missing."""
    parser = Parser(
        prog="python3 tools languages",
        description="Bring ui/text/languages/ up to date with the English texts, and compile it. A text that has "
        "changed keeps its translation, marked as fuzzy, until somebody has looked at it.",
    )
    parser.add_argument("new", nargs="*", metavar="LANGUAGE", type=disk_code, help="begin this one too: de, pt_BR ...")
    parser.add_argument("--check", action="store_true", help="write nothing; fail where a translation is not whole")
    asked = parser.parse_args(arguments)
    try:
        return max([_bring_up_to_date(language, asked.check) for language in sorted({*asked.new, *languages()})])
    except Unreadable as problem:
        print(problem, file=sys.stderr)
        return 2


def _bring_up_to_date(language: str, check: bool) -> int:
    catalogue = updated(language)
    path, compiled_path = po_file(language), po_file(language).with_suffix(".mo")
    if not check:
        path.write_bytes(as_po(catalogue))
        compiled_path.write_bytes(compiled(catalogue))
    left, unfit = untranslated(catalogue), [f"{text!r}: {why}" for text, why in misfits(catalogue)]
    stale = [str(_forms(message.id)[0]) for message in catalogue.obsolete.values()] if check else []
    old = check and not (compiled_path.exists() and compiled_path.read_bytes() == compiled(catalogue))
    print(f"{path.name}: {len(catalogue) - len(left):,} of {len(catalogue):,} texts", file=sys.stderr)
    _name("Missing, or of an English text that has changed (fuzzy)", left)
    _name("Of texts that are no longer there", stale)
    _name("Cannot be used, so English is shown", unfit)
    _name("Not compiled", [compiled_path.name] if old else [])
    return int(check and bool(left or stale or unfit or old))


def _name(what: str, items: list[str]) -> None:
    if items:
        more = [f"... and {len(items) - _MOST_NAMES:,} more"] if len(items) > _MOST_NAMES else []
        print(f"  {what}:", *items[:_MOST_NAMES], *more, sep="\n    ", file=sys.stderr)


def known(name: str) -> str:
    """Check the name of a language, for a command's option; in any spelling that Anki takes: de, de_DE, pt-BR.

    Raises:
        argparse.ArgumentTypeError: Anki does not speak it.
    """
    disk_code(name)
    return name


def disk_code(name: str) -> str:
    """Anki's file code of a language: "de", "pt_BR". Raises as :func:`known`."""
    from anki.lang import lang_to_disk_lang, langs

    codes = {lang_to_disk_lang(code) for _, code in langs}
    if lang_to_disk_lang(name) not in codes:
        raise argparse.ArgumentTypeError(f"Anki does not speak {name!r}; it speaks {', '.join(sorted(codes))}")
    return str(lang_to_disk_lang(name)).replace("-", "_")


# --- catalogues -------------------------------------------------------------------------------------------------------


def languages() -> list[str]:
    """The languages with a translation, e.g. "ja" and "zh_CN"."""
    return sorted(path.stem for path in FOLDER.glob("*.po"))


def po_file(language: str) -> Path:
    """The .po file of a language, which people edit."""
    return FOLDER / f"{language}.po"


@cache
def template() -> Catalog:
    """All English texts to translate: those marked in ``ui/``, and the descriptions of algorithms."""
    from babel.messages import Catalog

    catalogue = Catalog(fuzzy=False)
    for message, place, comments, context in _english():
        catalogue.add(message, locations=[(place, 0)], auto_comments=comments, context=context)
    return catalogue


def _english() -> Iterator[tuple[str | tuple[str, ...], str, list[str], str | None]]:
    from babel.messages.extract import extract_from_dir

    from evaluator.algorithms import CATALOGUE

    found = extract_from_dir(
        ROOT / "ui", [("**.py", "python")], keywords=_KEYWORDS, comment_tags=["Translators:"], strip_comment_tags=True
    )
    for file, _line, message, comments, context in found:
        if context != ANKI:  # Anki has these words itself
            yield message, f"ui/{Path(file).as_posix()}", comments, context
    for algorithm in CATALOGUE.values():
        yield algorithm.description, "evaluator/algorithms", [], None
        yield algorithm.family, "evaluator/algorithms", [], "family"


def read(language: str) -> Catalog:
    """Read the .po file of a language; an empty catalogue where there is none.

    Raises:
        Unreadable: it is not written as gettext demands.
    """
    from babel.messages import Catalog
    from babel.messages.pofile import PoFileError, read_po

    path = po_file(language)
    if not path.exists():
        return Catalog(locale=language, project="SRS Evaluator", header_comment=_HEADER, fuzzy=False)
    source = path.read_text(encoding="utf-8")
    for number, line in enumerate(source.splitlines(), start=1):
        if not _LINE.fullmatch(line):
            raise Unreadable(
                f"{path}, line {number}: this is no line of a catalogue, perhaps for a missing quotation mark"
            )
    try:
        return read_po(io.StringIO(source), locale=language, abort_invalid=True)
    except PoFileError as error:
        raise Unreadable(f"{path}, line {error.lineno}: {error}") from error


def updated(language: str) -> Catalog:
    """The catalogue of a language with exactly today's English texts, and their translations so far."""
    catalogue = read(language)
    catalogue.update(copy.deepcopy(template()), update_creation_date=False)  # it takes its messages as they are
    for message in catalogue:
        message.flags.discard("python-format")  # the "% i" in "95 % interval" is none
    return catalogue


def as_po(catalogue: Catalog) -> bytes:
    """The catalogue as a .po file."""
    from babel.messages.pofile import write_po

    file = io.BytesIO()
    write_po(file, catalogue, width=120, include_lineno=False, ignore_obsolete=True)
    return file.getvalue()


def compiled(catalogue: Catalog) -> bytes:
    """The catalogue as a .mo file, without translations that are fuzzy or unusable."""
    from babel.messages import Catalog
    from babel.messages.mofile import write_mo

    usable = Catalog(locale=catalogue.locale, fuzzy=False)
    usable.mime_headers = catalogue.mime_headers
    for message in catalogue:
        if message.id and not message.fuzzy and not _misfit(message):
            usable.add(message.id, message.string, context=message.context)
    file = io.BytesIO()
    write_mo(file, usable)
    return file.getvalue()


# --- what is not right ------------------------------------------------------------------------------------------------


def untranslated(catalogue: Catalog) -> list[str]:
    """English texts without a translation, or with one of an English text that has changed since."""
    messages = (message for message in catalogue if message.id)
    return [_forms(message.id)[0] for message in messages if message.fuzzy or not all(_forms(message.string))]


def misfits(catalogue: Catalog) -> list[tuple[str, str]]:
    """Texts whose translations cannot be used, and why: other fields in braces than in English, or other marks."""
    found = ((_forms(message.id)[0], _misfit(message)) for message in catalogue if message.id)
    return [(text, why) for text, why in found if why]


def _misfit(message: Message) -> str:
    texts = _forms(message.id)
    try:
        wanted = set(_fields(texts))
        for form in filter(None, _forms(message.string)):
            fields = set(_fields([form]))
            lacking = {field for field in wanted - fields if not field.startswith(("count:", "count!"))}
            if lacking or fields - wanted:
                return f"in braces there must be {', '.join(sorted(wanted)) or 'nothing'}"
            for mark in _MARKS:
                if form.count(mark) != texts[0].count(mark):
                    return f"{mark} must stand there {texts[0].count(mark)} times"
            if len(re.findall(r"&\w", form)) != len(re.findall(r"&\w", texts[0])):
                return "the letter after & is a key: there must be one"
    except ValueError as error:
        return f"its braces cannot be read ({error})"
    return ""


def _fields(texts: Iterable[str]) -> Iterator[str]:
    """The fields in braces, each with its format."""
    for text in texts:
        for _literal, name, spec, conversion in Formatter().parse(text):
            if name is not None:
                yield f"{name}{'!' + conversion if conversion else ''}:{spec or ''}"


def _forms(text: object) -> tuple[str, ...]:
    """A text or translation as a tuple, with an item for each number form."""
    if isinstance(text, (tuple, list)):
        return tuple(form or "" for form in text)
    return (str(text or ""),)
