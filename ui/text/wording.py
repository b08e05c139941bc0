"""Texts of :mod:`ui.text.strings` filled in, as many places need them: lists, percentages, names."""

from __future__ import annotations

from functools import reduce
from typing import Iterable, Sequence

from ..science import harmless
from . import pgettext, strings

#: Why rows of the review log went the way they did, by :attr:`evaluator.report.FunnelStep.step`.
FUNNEL = strings.FUNNEL
#: What else there is to know of an algorithm's row, by :attr:`evaluator.report.AlgorithmResult.note`.
NOTES = strings.NOTES

MINUS = "\N{MINUS SIGN}"

# --- how texts are put together ---------------------------------------------------------------------------------------


def paragraph(sentences: Iterable[str]) -> str:
    """One after the other."""
    said = [sentence for sentence in sentences if sentence]
    return reduce(lambda first, second: strings.SENTENCES.format(first=first, second=second), said) if said else ""


def listed(items: Iterable[str]) -> str:
    """A, B, C."""
    return strings.COMMA.join(items)


def all_of(items: Sequence[str]) -> str:
    """A, B and C."""
    return _with_last(strings.AND, items)


def any_of(items: Sequence[str]) -> str:
    """A, B or C."""
    return _with_last(strings.OR, items)


def _with_last(pattern: str, items: Sequence[str]) -> str:
    return pattern.format(others=listed(items[:-1]), last=items[-1]) if len(items) > 1 else listed(items)


def percent(share: float, digits: int = 2) -> str:
    """Of 0.1234: 12.34 %."""
    return strings.PERCENT.format(number=f"{100 * share:.{digits}f}")


def signed(value: float) -> str:
    """With four digits, and a minus sign that is as long as a plus."""
    return f"{'' if value >= 0 else MINUS}{abs(value):.4f}"


# --- what is evaluated, and by what -----------------------------------------------------------------------------------


def scope_words(kind: str, name: str) -> str:
    """Whose reviews are evaluated, see :class:`evaluator.scope.ScopeChoice`: "Deck Spanish with subdecks"."""
    return strings.SCOPES[kind].format(name=harmless(name, whole=False))


def uses_words(uses: Iterable[str]) -> str:
    """What an algorithm knows of a card's past: "intervals, ratings, same-day reviews"."""
    return listed(strings.USES[code] for code in uses)


def description_of(algorithm: str, english: str) -> str:
    """What it is, as it says itself in English."""
    return pgettext(f"algorithm.{algorithm}", english)
