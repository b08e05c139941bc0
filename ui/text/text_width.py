"""Functions that measure the width of text, break it into lines, and shorten it.

Lines break between words, and in Chinese and Japanese between characters too. The characters that may not begin or end
a line are those of JIS X 4051 (kinsoku).
"""

from __future__ import annotations

import unicodedata
from typing import Iterator, List

#: Characters that no line may end with, because they belong to the text that follows.
_NEVER_LAST = frozenset("（〔［｛〈《「『【〖〘‘“([{$£¥€￥＄＃#第约約")
#: Characters that no line may begin with, because they belong to the text before.
_NEVER_FIRST = frozenset(
    "）〕］｝〉》」』】〗〙’”)]}、。，．：；？！,.:;?!‼⁇⁈⁉・·…‥—―～〜‐–゠/／ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶㇰㇱㇲㇳㇴㇵㇶㇷㇸㇹㇺㇻㇼㇽㇾㇿー々〻ゝゞヽヾ％%‰℃°"
)
#: First and last code points of symbols, kana, Chinese characters and full-width forms. Korean is not among them,
#: because its lines break between words.
_CHINESE_AND_JAPANESE = (
    (0x2E80, 0x312F),
    (0x3190, 0xA4CF),
    (0xF900, 0xFAFF),
    (0xFE30, 0xFE4F),
    (0xFF00, 0xFFEF),
    (0x20000, 0x3FFFF),
)


def display_width(text: str, wide: float = 2) -> float:
    """Return the width of the text in widths of a Latin letter.

    Args:
        text: text in one line.
        wide: width of a Chinese, Japanese or Korean character.
    """
    return sum(wide if unicodedata.east_asian_width(c) in "WF" else 1 for c in text if not has_no_width(c))


def has_no_width(c: str) -> bool:
    """Return whether the character has no width, such as an accent, a joiner or a variation selector."""
    return unicodedata.category(c) in {"Mn", "Me", "Cf"}


def terminal_width(text: str) -> int:
    """Return the number of cells that the text takes in a terminal."""
    return int(display_width(text))


def break_lines(text: str, max_width: float, wide: float = 2) -> List[str]:
    """Return the text in lines. A part that is too wide and cannot be broken has a line of its own.

    Args:
        text: text without line breaks.
        max_width: maximum width of a line, in widths of a Latin letter.
        wide: width of a Chinese, Japanese or Korean character.
    """
    lines: List[str] = []
    remaining = 0.0
    for word in text.split(" "):
        gap = " "
        for part in _split_word(word):
            width = display_width(gap + part, wide)
            if lines and width <= remaining:
                lines[-1] += gap + part
            else:
                lines.append(part)
                remaining = max_width
                width = display_width(part, wide)
            remaining -= width
            gap = ""
    return lines


def elide_to_width(text: str, max_width: int) -> str:
    """Return the text, with "…" for its middle if it is wider than this number of cells of a terminal."""
    end_width = max_width // 2
    if terminal_width(text) <= max_width:
        return text
    return f"{_start(text, max_width - end_width - 1).rstrip()}…{_end(text, end_width).lstrip()}"


def _start(text: str, max_width: int) -> str:
    """Return as much of the beginning of the text as fits into this number of cells."""
    length = 0
    while length < len(text) and terminal_width(text[: length + 1]) <= max_width:
        length += 1
    return text[:length]


def _end(text: str, max_width: int) -> str:
    """Return as much of the end of the text as fits into this number of cells. It does not begin with an accent."""
    end_start = len(text)
    while end_start and terminal_width(text[end_start - 1 :]) <= max_width:
        end_start -= 1
    while end_start < len(text) and has_no_width(text[end_start]):
        end_start += 1
    return text[end_start:]


def _split_word(word: str) -> Iterator[str]:
    """Yield the parts of a word between which a line may break."""
    part_start = 0
    for position in range(1, len(word)):
        if _may_break(word[position - 1], word[position]):
            yield word[part_start:position]
            part_start = position
    yield word[part_start:]


def _may_break(before: str, after: str) -> bool:
    """Return whether a line may break between two characters.

    No line breaks after a digit, because the next character may be its unit.
    """
    if before in _NEVER_LAST or after in _NEVER_FIRST or before.isdigit() or has_no_width(after):
        return False
    return _is_chinese_or_japanese(before) or _is_chinese_or_japanese(after)


def _is_chinese_or_japanese(c: str) -> bool:
    return any(low <= ord(c) <= high for low, high in _CHINESE_AND_JAPANESE)
