"""Fonts of labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aqt.qt import QFont

if TYPE_CHECKING:
    from aqt.qt import QWidget


def heading_font(widget: QWidget) -> QFont:
    """The widget's font, larger and bold."""
    font = QFont(widget.font())
    if font.pointSizeF() > 0:
        font.setPointSizeF(font.pointSizeF() * 1.3)
    else:
        font.setPixelSize(round(font.pixelSize() * 1.3))
    font.setBold(True)
    return font
