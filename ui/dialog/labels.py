"""Labels and tips that show texts as they are, their fonts, and how wide their letters are."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

from aqt.qt import QFont, QLabel, Qt

if TYPE_CHECKING:
    from aqt.qt import QWidget


#: Qt looks whether the name is that of a mark, too.
_LIKE_HTML = re.compile(r"<\s*[a-zA-Z/!?]|&lt;")


class Label(QLabel):
    """Shows its text letter by letter. Qt would take what looks like HTML for such, as the name of a deck may."""

    def __init__(self, text: str = "") -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)


def wrapped(label: Label) -> Label:
    """The same, in as many lines as it takes; a word without end widens no window."""
    label.setWordWrap(True)
    label.setMinimumWidth(1)
    return label


def tip(text: str) -> str:
    """The text for a tooltip, which shows it letter by letter: Qt takes what looks like HTML for such."""
    return f'<span style="white-space: pre-wrap">{html.escape(text)}</span>' if _LIKE_HTML.search(text) else text


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
