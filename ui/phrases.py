"""Puts finished texts together as the language does it: sentences, lists, a name and what is said of it.

No other module of the windows joins texts: what stands between two of them is a text too (Japanese has no space between
sentences). What the terminal puts together in the same way is in :mod:`ui.text.wording`.
"""

from __future__ import annotations

from typing import Iterable, Sequence

from . import strings
from .text import strings as shared
from .text import wording

#: "A, B, C".
listed = wording.listed
#: "A, B and C".
all_of = wording.all_of


def paragraph(*sentences: str) -> str:
    """One after the other; empty ones are left out."""
    return wording.paragraph(sentences)


def with_semicolons(items: Iterable[str]) -> str:
    """A; B; C: where the parts may hold commas themselves."""
    return shared.SEMICOLON.join(items)


def labelled(label: str, text: str) -> str:
    """A name and what is said of it, or what it is."""
    return strings.LABELLED.format(label=label, text=text)


def labelled_lines(pairs: Iterable[Sequence[str]]) -> str:
    """Some of those, one a line."""
    return "\n".join(labelled(label, text) for label, text in pairs)


def ended(sentence: str) -> str:
    """A description, which stands without an end mark elsewhere, as a sentence."""
    return shared.ENDED.format(sentence=sentence)


def from_to(low: str, high: str) -> str:
    """The two ends of an interval."""
    return strings.FROM_TO.format(low=low, high=high)


def with_interval(value: str, low: str, high: str) -> str:
    """A value and the two ends of its interval."""
    return strings.WITH_INTERVAL.format(value=value, low=low, high=high)


def whole(count: int) -> str:
    """A whole number by itself."""
    return strings.WHOLE_NUMBER.format(count=count)
