"""How wide text is, and breaking it into lines: between words, in Chinese and Japanese also between characters.

What may not be at the end or at the beginning of a line is as in JIS X 4051 (kinsoku).
"""

from __future__ import annotations

import unicodedata
from typing import Iterator, List

#: Characters that no line may end with: brackets, quotation marks and signs that belong to what follows.
_NEVER_LAST = frozenset("（〔［｛〈《「『【〖〘‘“([{$£¥€￥＄＃#第约約")
#: Characters that no line may begin with: closing ones, stops, small kana, the long vowel, iteration marks, units.
_NEVER_FIRST = frozenset(
    "）〕］｝〉》」』】〗〙’”)]}、。，．：；？！,.:;?!‼⁇⁈⁉・·…‥—―～〜‐–゠/／"
    "ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶㇰㇱㇲㇳㇴㇵㇶㇷㇸㇹㇺㇻㇼㇽㇾㇿー々〻ゝゞヽヾ％%‰℃°"
)
#: Symbols, kana, Chinese characters and full-width forms; not Korean, whose lines break between words.
_CHARACTERS = (
    *((0x2E80, 0x312F), (0x3190, 0xA4CF), (0xF900, 0xFAFF), (0xFE30, 0xFE4F), (0xFF00, 0xFFEF)),
    (0x20000, 0x3FFFF),
)


def display_width(text: str, wide: float = 2) -> float:
    """Return how wide the text is. A Chinese, Japanese or Korean character counts as ``wide``, an accent as 0."""
    return sum(wide if unicodedata.east_asian_width(c) in "WF" else 1 for c in text if not takes_no_room(c))


def takes_no_room(c: str) -> bool:
    """Return whether the character takes no room of its own, as accents, joiners and variation selectors."""
    return unicodedata.category(c) in {"Mn", "Me", "Cf"}


def cells(text: str) -> int:
    """Return how many cells of a terminal the text takes."""
    return int(display_width(text))


def break_lines(text: str, most: float, wide: float = 2) -> List[str]:
    """Break a text into lines of at most this width. A wider part that cannot be broken has a line of its own."""
    lines: List[str] = []
    room = 0.0
    for word in text.split(" "):
        gap = " "
        for part in _unbroken(word):
            needed = display_width(gap + part, wide)
            if lines and needed <= room:
                lines[-1] += gap + part
            else:
                lines.append(part)
                room, needed = most, display_width(part, wide)
            room -= needed
            gap = ""
    return lines


def unbroken(text: str) -> List[str]:
    """Return the parts of a text between which a line may break."""
    return [part for word in text.split(" ") for part in _unbroken(word)]


def elide_to_width(text: str, most: int, tail: int) -> str:
    """Return the text with "…" in its middle if it is wider than ``most``. Its end keeps the width ``tail``."""
    if cells(text) <= most:
        return text
    return f"{start(text, most - tail - 1).rstrip()}…{end(text, tail).lstrip()}"


def start(text: str, most: int) -> str:
    """Return as much of the beginning of the text as fits into this width."""
    taken = 0
    while taken < len(text) and cells(text[: taken + 1]) <= most:
        taken += 1
    return text[:taken]


def end(text: str, most: int) -> str:
    """Return as much of the end of the text as fits into this width, not beginning with a combining accent."""
    left = len(text)
    while left and cells(text[left - 1 :]) <= most:
        left -= 1
    while left < len(text) and takes_no_room(text[left]) and left:
        left += 1
    return text[left:]


def _unbroken(word: str) -> Iterator[str]:
    begin = 0
    for at in range(1, len(word)):
        if _may_break(word[at - 1], word[at]):
            yield word[begin:at]
            begin = at
    yield word[begin:]


def _may_break(before: str, after: str) -> bool:
    """Return whether a line may end between two characters. A number keeps the character after it, its unit."""
    if before in _NEVER_LAST or after in _NEVER_FIRST or before.isdigit() or takes_no_room(after):
        return False
    return _is_character(before) or _is_character(after)


def _is_character(c: str) -> bool:
    return any(low <= ord(c) <= high for low, high in _CHARACTERS)
