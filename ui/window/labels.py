"""Labels and tips that show texts as they are, and what else the frame of each window needs: it is painted at once."""

from __future__ import annotations

import html
import re

from aqt.qt import QFont, QLabel, QLocale, Qt, QToolButton, QWidget, qconnect

from ..text import code

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


def follow_language(window: QWidget) -> None:
    """Write the window in the direction of its language: for each window, popup and menu; what is within follows.

    Anki's own may go the other way: where it has no catalogue of ours, ours is English. Else a minus sign would stand
    behind its number, and a question mark before its question.
    """
    window.setLayoutDirection(QLocale(code()).textDirection())


class FoldButton(QToolButton):
    """A small arrow and a question whose answer is folded away; ``toggled`` says whether it is to be seen."""

    def __init__(self, question: str, tip: str = "") -> None:
        super().__init__()
        self.setText(question)
        self.setToolTip(tip)
        self.setCheckable(True)
        self.setAutoRaise(True)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._turn(unfolded=False)
        qconnect(self.toggled, lambda checked: self._turn(unfolded=checked))

    def _turn(self, *, unfolded: bool) -> None:
        self.setArrowType(Qt.ArrowType.DownArrow if unfolded else Qt.ArrowType.RightArrow)
