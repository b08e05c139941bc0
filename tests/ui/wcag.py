"""Contrast of colors, as the Web Content Accessibility Guidelines define it."""

from __future__ import annotations

from typing import Sequence


def luminance(color: Sequence[float]) -> float:
    """Return the relative luminance of a color whose parts are from 0 to 1."""
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in color[:3]]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(color: Sequence[float], other: Sequence[float]) -> float:
    """Return the contrast of two colors, from 1 to 21."""
    darker, lighter = sorted((luminance(color), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)
