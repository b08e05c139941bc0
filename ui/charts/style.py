"""The colors and the font of a figure. Color-blind people can distinguish the two colors of the data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Tuple

#: Font family that comes with matplotlib and has every character of our own English texts.
FALLBACK_FAMILY = "DejaVu Sans"
#: Font size of ticks and notes, relative to other texts.
SMALL = 0.92


@dataclass(frozen=True)
class Style:
    """The colors of a figure, written ``#rrggbb``, and its font."""

    text: str
    subtle: str  #: color of ticks and notes
    canvas: str  #: color of the background
    grid: str
    diagonal: str  #: color of the line on which predicted and actual recall are equal
    data: Tuple[str, str]  #: colors of two schedulers, or of two other things that are compared
    second: str  #: color of an algorithm that is added to a graph of another one
    neutral: str  #: middle of the color scale of a matrix, between the two colors of the data
    font_families: Tuple[str, ...] = (FALLBACK_FAMILY,)
    font_size: float = 10.0  #: points

    def settings(self) -> Dict[Any, Any]:
        """Return matplotlib's settings for this style."""
        return {
            "font.family": self.font_families,
            "font.size": self.font_size,
            "text.color": self.text,
            "axes.labelcolor": self.text,
            "axes.edgecolor": self.subtle,
            "axes.facecolor": "none",
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.axisbelow": True,
            "grid.color": self.grid,
            **{f"{axis}tick.color": self.subtle for axis in "xy"},
            **{f"{axis}tick.labelsize": SMALL * self.font_size for axis in "xy"},
            **{f"{axis}tick.major.pad": 0.35 * self.font_size for axis in "xy"},
        }


#: Blue and orange after Okabe and Ito's palette. Lines have a contrast of 3:1 to the canvas and to pale areas.
LIGHT = Style(
    text="#1a1a1a",
    subtle="#5f5f5f",
    canvas="#ffffff",
    grid="#e4e4e4",
    diagonal="#c05000",
    data=("#0072b2", "#c24e00"),
    second="#8438a8",
    neutral="#e9e9e9",
)
NIGHT = Style(
    text="#fcfcfc",
    subtle="#b0b0b0",
    canvas="#2c2c2c",
    grid="#454545",
    diagonal="#f0a330",
    data=("#56b4e9", "#f0a030"),
    second="#cf9df0",
    neutral="#5a5a5a",
)
