"""Functions that join translated texts into paragraphs, lists and ranges.

No other module joins texts, because languages join them differently. For example, Japanese has no space between
sentences.
"""

from __future__ import annotations

from functools import reduce
from typing import Iterable, Optional, Sequence

from . import _, pgettext, strings
from .sanitize import sanitize_text

#: Descriptions of a scope by the kind of :class:`evaluator.scope.ScopeChoice`.
SCOPES = {
    "collection": pgettext("Anki", "Whole collection"),
    "deck": _("Deck {name} with subdecks"),
    "deck_id": _("Deck number {name}"),
    "preset": _("Preset {name}"),
    "search": _("Search “{name}”"),
    "cards": _("{name}"),
}


def paragraph(*sentences: str) -> str:
    """Join the sentences that are not empty into a paragraph."""
    texts = [sentence for sentence in sentences if sentence]
    # Translators: One sentence after another.
    pair = _("{first} {second}")
    return reduce(lambda first, second: pair.format(first=first, second=second), texts) if texts else ""


def list_of(items: Iterable[str]) -> str:
    """Join items with commas, as in "A, B, C"."""
    # Translators: Between the items of a list.
    return _(", ").join(items)


def first_of(names: Sequence[str], max_names: int) -> str:
    """Join the first names with commas, and add the number of the remaining names."""
    remaining = len(names) - max_names
    text = list_of(names[:max_names])
    # Translators: A list that is too long to be given whole.
    return _("{names} and {count:,} more").format(names=text, count=remaining) if remaining > 0 else text


def with_semicolons(items: Iterable[str]) -> str:
    """Join items with semicolons, because they may contain commas."""
    return _("; ").join(items)


def all_of(items: Sequence[str]) -> str:
    """Join items with commas and "and", as in "A, B and C"."""
    return _with_last(_("{others} and {last}"), items)


def any_of(items: Sequence[str]) -> str:
    """Join items with commas and "or", as in "A, B or C"."""
    return _with_last(_("{others} or {last}"), items)


def _with_last(pattern: str, items: Sequence[str]) -> str:
    return pattern.format(others=list_of(items[:-1]), last=items[-1]) if len(items) > 1 else list_of(items)


def add_label(label: str, text: str) -> str:
    """Join a label and a text, as in "Log loss: 0.3"."""
    # Translators: A label and a value: "Log loss: How surprised ...".
    return _("{label}: {text}").format(label=label, text=text)


def add_period(sentence: str) -> str:
    """Return the text with a period at its end."""
    # Translators: A sentence by someone else that lacks its end.
    return _("{sentence}.").format(sentence=sentence)


def from_to(low: str, high: str) -> str:
    """Join the two ends of a range, as in "3 to 4"."""
    # Translators: Two ends: of an interval, of a range of numbers.
    return _("{low} to {high}").format(low=low, high=high)


def of_100(share: float) -> int:
    """Return a share of people as a number out of 100.

    The number is from 1 to 99, because a sample cannot show that something is true of all people or of none.
    """
    return min(max(round(100 * share), 1), 99)


def size_words(at_least: int, below: Optional[int]) -> str:
    """Describe a range of numbers, as in "fewer than 1,500", "1,500 to 2,499" or "90,000 or more".

    Args:
        at_least: smallest number.
        below: smallest number above the range, or None if the range has no upper end.
    """
    if below is None:
        return _("{least:,} or more").format(least=at_least)
    return from_to(f"{at_least:,}", f"{below - 1:,}") if at_least else _("fewer than {below:,}").format(below=below)


def with_interval(value: str, low: str, high: str) -> str:
    """Join a value and the two ends of its interval, as in "5 (3 to 8)"."""
    # Translators: A value with its interval.
    return _("{value} ({low} to {high})").format(value=value, low=low, high=high)


def integer(count: int) -> str:
    """Format an integer for a cell, as in "1,234"."""
    # Translators: How an integer is written in a cell.
    return _("{count:,}").format(count=count)


def scope_words(kind: str, name: str) -> str:
    """Describe a scope, as in "Deck Spanish with subdecks".

    Args:
        kind: kind of :class:`evaluator.scope.ScopeChoice`.
        name: name of the deck, preset or the like. The middle of a long one is left out.
    """
    return SCOPES[kind].format(name=sanitize_text(name, whole=False))


def uses_words(uses: Iterable[str]) -> str:
    """List the inputs of an algorithm, as in "intervals, ratings, same-day reviews"."""
    return list_of(strings.USES[code] for code in uses)
