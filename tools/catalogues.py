"""Translations as GNU gettext catalogues, by Babel: brought up to date, checked, written and compiled."""

from __future__ import annotations

import copy
import io
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from string import Formatter

from babel.messages import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import PoFileError, read_po, unescape, write_po

from tools.texts import MODULES, english, place_of, remarks_of
from ui.text import FOLDER, Counted

#: What a translation must hold as often as the English text: bold letters, a mark that is explained, an ellipsis.
_MARKS = ("<b>", "</b>", "**", "★", "…")
#: And in the windows that have keys for their buttons.
_KEY_MARK, _WITH_KEYS = "&", "libraries."
_LINE = re.compile(r'\s*(?:#.*|(?:(?:msgctxt|msgid|msgid_plural|msgstr(?:\[\d+\])?)\s+)?"(?:[^"\\]|\\.)*"\s*|)')
_HEADER = "# Texts of SRS Evaluator. What stands in braces is filled in and must be kept."


class Unreadable(Exception):
    """A catalogue is not written as gettext demands; the message says where."""


def languages() -> list[str]:
    """Those that there are, e.g. "ja" and "zh_CN"."""
    return sorted(path.stem for path in FOLDER.glob("*.po"))


def po_file(language: str) -> Path:
    """Where the translation into this language stands, for people to edit."""
    return FOLDER / f"{language}.po"


def read(language: str) -> Catalog:
    """As it stands there; an empty one where there is none.

    Raises:
        Unreadable: it is not written as gettext demands.
    """
    path = po_file(language)
    if not path.exists():
        return Catalog(locale=language, header_comment=_HEADER)
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
    """The catalogue with exactly today's English texts, each with the translation that there is of it.

    One of a text that has changed is kept as fuzzy. A text whose constant has another name now keeps its translation.
    """
    before = read(language)
    after = Catalog(
        locale=language,
        project="SRS Evaluator",
        header_comment=before.header_comment,
        last_translator=before.last_translator,
        language_team=before.language_team,
        creation_date=before.creation_date,
        revision_date=before.revision_date,
        fuzzy=False,
    )
    texts = [(context, (text.one, text.other) if isinstance(text, Counted) else text) for context, text in english()]
    by_context = {message.context: message for message in before if message.id}
    by_english = _by_english(before, set(texts))
    remarks = {constant: remark for module in MODULES for constant, remark in remarks_of(module)}
    for context, key in texts:
        same, changed = before.get(key, context), by_context.get(context)
        old = same if same is not None and same.id == key else changed or by_english.get(key)
        message = after.add(
            key, context=context, auto_comments=remarks.get(_constant(context), []), locations=[(place_of(context), 0)]
        )
        message.flags.discard("python-format")  # the "% i" in "95 % interval" is none
        if old is not None and isinstance(old.id, str) == isinstance(key, str):
            _take_over(message, old)
    return after


def _constant(context: str) -> str:
    return ".".join(context.split(".")[:2])


def _by_english(catalogue: Catalog, texts: set[tuple[str, str | tuple[str, str]]]) -> dict[object, Message]:
    """Translations whose context is gone, by their English text; not where two have the same."""
    gone = [message for message in catalogue if message.id and (message.context, message.id) not in texts]
    return {m.id: m for m in gone if sum(m.id == other.id for other in gone) == 1}


def _take_over(message: Message, old: Message) -> None:
    """Give it the translation that there is of it, fuzzy if it is of another English text."""
    message.string = old.string
    message.user_comments = [comment for comment in old.user_comments if not comment.startswith("|")]
    previous = _previous(old) if old.fuzzy else ()
    of = previous or _forms(old.id)
    changed = of != _forms(message.id)
    if any(_forms(old.string)) and (changed or (old.fuzzy and not previous)):
        message.flags.add("fuzzy")
        message.previous_id = list(of) if changed else []


def _previous(message: Message) -> tuple[str, ...]:
    """The English text that a fuzzy translation is of. Babel writes it, but reads it as a comment (``#| msgid``)."""
    forms: list[str] = []
    for comment in message.user_comments:
        found = re.fullmatch(r'\|\s*(msgid(?:_plural)?\s)?\s*(".*")\s*', comment)
        if found:
            forms += [""] if found[1] else []
            forms[-1:] = [forms[-1] + unescape(found[2])]
    return tuple(forms)


def untranslated(catalogue: Catalog) -> list[str]:
    """The contexts of texts without a translation, or with one of an English text that has changed since."""
    return [
        str(message.context)
        for message in catalogue
        if message.id and (message.fuzzy or not all(_forms(message.string)))
    ]


def misfits(catalogue: Catalog) -> list[tuple[str, str]]:
    """Contexts of translations that cannot be used, and why: other fields in braces than in English, or other marks."""
    found = ((str(message.context), _misfit(message)) for message in catalogue if message.id)
    return [(context, why) for context, why in found if why]


def _misfit(message: Message) -> str:
    texts = _forms(message.id)
    try:
        wanted = set(_fields(texts))
        for form in filter(None, _forms(message.string)):
            fields = set(_fields([form]))
            lacking = {field for field in wanted - fields if not field.startswith(("count:", "count!"))}
            if lacking or fields - wanted:
                return f"in braces there must be {', '.join(sorted(wanted)) or 'nothing'}"
            marks = [*_MARKS, *([_KEY_MARK] if str(message.context).startswith(_WITH_KEYS) else [])]
            for mark in marks:
                if form.count(mark) != texts[0].count(mark):
                    return f"{mark} must stand there {texts[0].count(mark)} times"
    except ValueError as error:
        return f"its braces cannot be read ({error})"
    return ""


def _fields(texts: Iterable[str]) -> Iterator[str]:
    """What is filled in, each with its format."""
    for text in texts:
        for _, name, spec, conversion in Formatter().parse(text):
            if name is not None:
                yield f"{name}{'!' + conversion if conversion else ''}:{spec or ''}"


def _forms(text: object) -> tuple[str, ...]:
    """Of a text or a translation, one or one for each number form."""
    if isinstance(text, (tuple, list)):
        return tuple(form or "" for form in text)
    return (str(text or ""),)


def as_po(catalogue: Catalog) -> bytes:
    """For people."""
    file = io.BytesIO()
    write_po(file, catalogue, width=120, include_previous=True, include_lineno=False)
    return file.getvalue()


def compiled(catalogue: Catalog) -> bytes:
    """For :mod:`gettext`, without what cannot be used."""
    usable = copy.deepcopy(catalogue)
    unfit = {context for context, _ in misfits(usable)}
    for message in usable:
        if message.context in unfit:
            message.string = "" if isinstance(message.id, str) else ("",) * catalogue.num_plurals
    file = io.BytesIO()
    write_mo(file, usable)
    return file.getvalue()
