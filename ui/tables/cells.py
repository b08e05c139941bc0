"""Numbers as they stand in cells and sentences."""

from __future__ import annotations

from typing import Optional, Sequence

from .. import strings

MINUS = "\N{MINUS SIGN}"


def loss(value: Optional[float]) -> str:
    """A log loss, to 4 digits."""
    return strings.NO_VALUE if value is None else f"{value:.4f}"


def signed(value: Optional[float]) -> str:
    """A difference of log losses: to 4 digits, with its sign, which 0 has not."""
    if value is None:
        return strings.NO_VALUE
    text = f"{value:+.4f}"
    return text[1:] if not text.strip("+-0.") else text.replace("-", MINUS)


def number(value: Optional[float]) -> str:
    """A parameter, to four digits that count."""
    if value is None:
        return strings.NO_VALUE
    text = f"{value:.4g}" if abs(value) >= 1e-3 else f"{value:.2g}"
    return text.replace("-", MINUS)


def percent(share: Optional[float], digits: int = 1) -> str:
    """A probability."""
    if share is None:
        return strings.NO_VALUE
    value = round(100 * share, digits) + 0.0  # no minus sign before 0
    return strings.PERCENT.format(value=value, digits=digits).replace("-", MINUS)


def about(count: int) -> str:
    """A count, to two digits that count."""
    return f"{int(float(f'{count:.1e}')):,}"


def joined(words: Sequence[str]) -> str:
    """As a list in a sentence."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
