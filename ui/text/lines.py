"""Measure the width of text and break it into lines: between words, in Chinese and Japanese also between characters.

The characters that may not begin or end a line are those of JIS X 4051 (kinsoku).
"""

from __future__ import annotations

import unicodedata
from typing import Iterator, List

#: Characters that no line may end with: brackets, quotation marks and signs that belong to what follows.
_NEVER_LAST = frozenset("（〔［｛〈《「『【〖〘‘“([{$£¥€￥＄＃#第约約")
#: Characters that no line may begin with: closing ones, stops, small kana, the long vowel, iteration marks, units.
_NEVER_FIRST = frozenset(
    "）〕］｝〉》」』】〗〙’”)]}、。，．：；？！,.:;?!‼⁇⁈⁉・·…‥—―～〜‐–゠/／ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶㇰㇱㇲㇳㇴㇵㇶㇷㇸㇹㇺㇻㇼㇽㇾㇿー々〻ゝゞヽヾ％%‰℃°"
)
#: Ranges of symbols, kana, Chinese characters and full-width forms. Korean is not here: its lines break between words.
_CHARACTERS = (
    *((0x2E80, 0x312F), (0x3190, 0xA4CF), (0xF900, 0xFAFF), (0xFE30, 0xFE4F), (0xFF00, 0xFFEF)),
    (0x20000, 0x3FFFF),
)


def display_width(text: str, wide: float = 2) -> float:
    """Return the width of the text. A Chinese, Japanese or Korean character counts as ``wide``, an accent as 0."""
    return sum(wide if unicodedata.east_asian_width(c) in "WF" else 1 for c in text if not has_no_width(c))


def has_no_width(c: str) -> bool:
    """Return whether the character is an accent, a joiner or a variation selector, which have no width."""
    return unicodedata.category(c) in {"Mn", "Me", "Cf"}


def cells(text: str) -> int:
    """Return the number of cells that the text takes in a terminal."""
    return int(display_width(text))


def break_lines(text: str, max_width: float, wide: float = 2) -> List[str]:
    """Break a text into lines of at most this width. A wider part that cannot be broken has a line of its own."""
    lines: List[str] = []
    remaining = 0.0
    for word in text.split(" "):
        gap = " "
        for part in _unbroken(word):
            width = display_width(gap + part, wide)
            if lines and width <= remaining:
                lines[-1] += gap + part
            else:
                lines.append(part)
                remaining, width = max_width, display_width(part, wide)
            remaining -= width
            gap = ""
    return lines


def unbroken(text: str) -> List[str]:
    """List the parts of a text between which a line may break."""
    return [part for word in text.split(" ") for part in _unbroken(word)]


def elide_to_width(text: str, max_width: int, end_width: int) -> str:
    """Return the text with "…" in its middle if it is wider than ``max_width``. Its end keeps ``end_width``."""
    if cells(text) <= max_width:
        return text
    return f"{start(text, max_width - end_width - 1).rstrip()}…{end(text, end_width).lstrip()}"


def start(text: str, max_width: int) -> str:
    """Return as much of the beginning of the text as fits into this width."""
    length = 0
    while length < len(text) and cells(text[: length + 1]) <= max_width:
        length += 1
    return text[:length]


def end(text: str, max_width: int) -> str:
    """Return as much of the end of the text as fits into this width. It does not begin with an accent."""
    first = len(text)
    while first and cells(text[first - 1 :]) <= max_width:
        first -= 1
    while first < len(text) and has_no_width(text[first]) and first:
        first += 1
    return text[first:]


def _unbroken(word: str) -> Iterator[str]:
    start_of_part = 0
    for position in range(1, len(word)):
        if _may_break(word[position - 1], word[position]):
            yield word[start_of_part:position]
            start_of_part = position
    yield word[start_of_part:]


def _may_break(before: str, after: str) -> bool:
    """Return whether a line may end between two characters. A digit keeps the next character, which may be a unit."""
    if before in _NEVER_LAST or after in _NEVER_FIRST or before.isdigit() or has_no_width(after):
        return False
    return _is_character(before) or _is_character(after)


def _is_character(c: str) -> bool:
    return any(low <= ord(c) <= high for low, high in _CHARACTERS)
