"""Numbers as they stand in cells and sentences."""

from __future__ import annotations

from typing import Optional, Sequence

from .. import strings


def loss(value: Optional[float]) -> str:
    """A log loss or a difference of two, with a true minus sign."""
    if value is None:
        return strings.NO_VALUE
    text = f"{abs(value):.4f}"
    return f"\N{MINUS SIGN}{text}" if value < 0 and float(text) else text


def number(value: Optional[float]) -> str:
    """A parameter, to four digits that count."""
    if value is None:
        return strings.NO_VALUE
    return f"{value:.4g}" if abs(value) >= 1e-3 else f"{value:.2g}"


def percent(share: Optional[float], digits: int = 1) -> str:
    """A probability."""
    if share is None:
        return strings.NO_VALUE
    return strings.PERCENT.format(value=100 * share, digits=digits).replace("-", "\N{MINUS SIGN}")


def about(count: int) -> str:
    """A count, to two digits that count."""
    return f"{int(float(f'{count:.1e}')):,}"


def joined(words: Sequence[str]) -> str:
    """As a list in a sentence."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
