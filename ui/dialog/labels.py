"""Fonts of labels, and how wide their letters are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aqt.qt import QFont

if TYPE_CHECKING:
    from aqt.qt import QWidget


def heading_font(widget: QWidget) -> QFont:
    """The widget's font, larger and bold."""
    font = _scaled(widget.font(), 1.3)
    font.setBold(True)
    return font


def smaller_font(widget: QWidget) -> QFont:
    """The widget's font, a little smaller."""
    return _scaled(widget.font(), 0.87)


def letter_width(widget: QWidget) -> int:
    """Of an average Latin letter. Fonts with Chinese characters give the width of those as their average."""
    letters = widget.fontMetrics()
    return min(letters.averageCharWidth(), letters.horizontalAdvance("x"))


def _scaled(font: QFont, factor: float) -> QFont:
    scaled = QFont(font)
    if font.pointSizeF() > 0:
        scaled.setPointSizeF(font.pointSizeF() * factor)
    else:  # the size was set in pixels
        scaled.setPixelSize(round(font.pixelSize() * factor))
    return scaled
