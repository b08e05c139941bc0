"""Contrast of colors, as the Web Content Accessibility Guidelines define it."""

from __future__ import annotations

from typing import Sequence


def luminance(color: Sequence[float]) -> float:
    """WCAG's relative luminance."""
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in color[:3]]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(color: Sequence[float], other: Sequence[float]) -> float:
    low, high = sorted((luminance(color), luminance(other)))
    return (high + 0.05) / (low + 0.05)
