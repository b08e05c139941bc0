"""Sanitize names given by others (decks, presets, models, files), so that they are displayed and do nothing else.

A terminal obeys the control characters in a name, invisible marks change the order in which a line is read, and a
spreadsheet computes what looks like a formula. Whatever is shown of a name passes through here; JSON has it as it is.
"""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass, replace
from typing import Any

#: Numbers of characters kept from the beginning and the end of a long name in a sentence.
BEGINNING, END = 80, 40

#: Line ends and tabs, which would end a row or a cell.
_BLANKS = re.compile("[\t-\r\x85\u2028\u2029]+")
#: Invisible characters that change how others are displayed: direction marks, zero-width characters, byte order marks.
_UNSEEN = re.compile("[\xad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0001]+")
#: Control characters, halves of surrogates and noncharacters, which an SVG must not contain.
_NO_TEXT = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
#: Joiners belong in words and emoji: between two characters they stay.
_LOOSE_JOINERS = re.compile("(?<!\\S)[\u180e\u200c\u200d]+|[\u180e\u200c\u200d]+(?!\\S)")
#: The characters that must be made harmless and that JSON does not escape by itself; joiners do no harm in JSON.
_IN_JSON = re.compile(
    "[\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb\ufffe\uffff]"
)
#: A name that matches none of these is harmless already.
_ANY = re.compile("|".join(pattern.pattern for pattern in (_BLANKS, _UNSEEN, _NO_TEXT, _LOOSE_JOINERS)))

_UNKNOWN = "\N{REPLACEMENT CHARACTER}"
#: Characters that begin a formula in some spreadsheet, full-width ones in Japanese spreadsheets.
_FORMULAS = ("=", "+", "-", "@", "＝", "＋", "－", "＠")
#: Markdown markup; an underscore within a word is none.
_MARKDOWN = re.compile(r"[\\`*<|$~]|(?<!\w)_|_(?!\w)|\](?=[(\[])")


def sanitize_text(text: str, *, whole: bool = True) -> str:
    """Return the text in one line, at least one character, without control characters and direction marks.

    Characters, accents, emoji and joiners within words stay, in any script.

    Args:
        text: any.
        whole: False: the middle of a text of more than about 120 characters is left out.
    """
    if _ANY.search(text):
        shown = _NO_TEXT.sub(_UNKNOWN, _UNSEEN.sub("", _BLANKS.sub(" ", text)))
        text = _LOOSE_JOINERS.sub("", shown) or _UNKNOWN
    return text if whole else elide_middle(text)


def elide_middle(text: str, beginning: int = BEGINNING, end: int = END) -> str:
    """Leave out the middle of a text that is longer than ``beginning`` plus ``end`` characters."""
    return text if len(text) <= beginning + 1 + end else f"{text[:beginning]}…{text[-end:]}"


def escape_for_spreadsheet(name: str) -> str:
    """Return the name as a cell that is not a formula in any spreadsheet."""
    shown = sanitize_text(name)
    return f"'{shown}" if shown.lstrip().startswith(_FORMULAS) else shown


def escape_for_markdown(name: str) -> str:
    """Escape what Markdown would take for markup, so that a cell of a table shows the name letter by letter."""
    return _MARKDOWN.sub(r"\\\g<0>", sanitize_text(name))


def escape_for_json(text: str) -> str:
    """Escape invisible and control characters in JSON, so that it displays safely and still means the same."""
    return _IN_JSON.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def sanitized(value: Any) -> Any:
    """Return the report, or a part of it, with every text sanitized, or itself if nothing changes.

    Views show this report. Names that differ only in harmful characters may become equal.
    """
    if isinstance(value, str):
        return sanitize_text(value)
    if isinstance(value, (tuple, list)):
        items = type(value)(map(sanitized, value))
        return items if any(new is not old for new, old in zip(items, value)) else value
    if isinstance(value, dict):
        named = {sanitized(key): sanitized(item) for key, item in value.items()}
        parts = zip((*named, *named.values()), (*value, *value.values()))
        return named if len(named) < len(value) or any(new is not old for new, old in parts) else value
    if is_dataclass(value) and not isinstance(value, type):
        result = ((field.name, getattr(value, field.name)) for field in fields(value))
        changed = {name: new for name, old in result if (new := sanitized(old)) is not old}
        return replace(value, **changed) if changed else value
    return value
