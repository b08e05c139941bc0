"""Sanitize names of decks, presets, models and files, so that displaying them is harmless.

A terminal obeys the control characters in a name, invisible marks change the order in which a line is read, and a
spreadsheet computes what looks like a formula. Every name that is shown is sanitized here. JSON keeps names unchanged.
"""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass, replace
from typing import Any

#: Number of characters of a long name's beginning that a sentence shows.
BEGINNING = 80
#: Number of characters of its end.
END = 40

#: Line ends and tabs, which would end a row or a cell.
_LINE_BREAKS = re.compile("[\t-\r\x85\u2028\u2029]+")
#: Invisible characters that change how others are displayed: direction marks, zero-width characters, byte order marks.
_INVISIBLE = re.compile("[\xad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0001]+")
#: Control characters, halves of surrogates and noncharacters, which an SVG must not contain.
_NOT_TEXT = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
#: Joiners outside words. Within words and emoji, between two characters, they are needed.
_LOOSE_JOINERS = re.compile("(?<!\\S)[\u180e\u200c\u200d]+|[\u180e\u200c\u200d]+(?!\\S)")
#: Any of the above. A name without a match is harmless already.
_HARMFUL = re.compile("|".join(pattern.pattern for pattern in (_LINE_BREAKS, _INVISIBLE, _NOT_TEXT, _LOOSE_JOINERS)))

_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
#: Characters that begin a formula in some spreadsheet. Full-width ones do so in Japanese spreadsheets.
_FORMULA_STARTS = ("=", "+", "-", "@", "＝", "＋", "－", "＠")
#: Markdown markup. An underscore within a word is not markup.
_MARKDOWN = re.compile(r"[\\`*<|$~]|(?<!\w)_|_(?!\w)|\](?=[(\[])")


def sanitize_text(text: str, *, whole: bool = True) -> str:
    """Return the text in one line, without control characters and direction marks.

    Characters, accents, emoji and joiners within words stay, in any script. A text that has only harmful characters
    becomes a replacement character.

    Args:
        text: any text.
        whole: whether to keep the middle of a text of more than about 120 characters.
    """
    if _HARMFUL.search(text):
        visible = _NOT_TEXT.sub(_REPLACEMENT, _INVISIBLE.sub("", _LINE_BREAKS.sub(" ", text)))
        text = _LOOSE_JOINERS.sub("", visible) or _REPLACEMENT
    return text if whole else elide_middle(text)


def elide_middle(text: str, beginning: int = BEGINNING, end: int = END) -> str:
    """Return the text without its middle if it is longer than ``beginning`` plus ``end`` characters."""
    return text if len(text) <= beginning + 1 + end else f"{text[:beginning]}…{text[-end:]}"


def escape_for_spreadsheet(name: str) -> str:
    """Return the sanitized name as a cell that no spreadsheet takes for a formula."""
    sanitized_name = sanitize_text(name)
    return f"'{sanitized_name}" if sanitized_name.lstrip().startswith(_FORMULA_STARTS) else sanitized_name


def escape_for_markdown(name: str) -> str:
    """Return the sanitized name with Markdown markup escaped, so that a table shows it letter by letter."""
    return _MARKDOWN.sub(r"\\\g<0>", sanitize_text(name))


def sanitize_report(value: Any) -> Any:
    """Return the report, or a part of it, with every text sanitized.

    Views show this report. Names that differ only in harmful characters may become equal.
    """
    if isinstance(value, str):
        return sanitize_text(value)
    if isinstance(value, (tuple, list)):
        return type(value)(map(sanitize_report, value))
    if isinstance(value, dict):
        return {sanitize_report(key): sanitize_report(item) for key, item in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{field.name: sanitize_report(getattr(value, field.name)) for field in fields(value)})
    return value
