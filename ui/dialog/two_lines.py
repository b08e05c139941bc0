"""Draws a cell of two lines: what matters, and quietly below it the particulars."""

from __future__ import annotations

from typing import Optional

from aqt import colors
from aqt.qt import (
    QFontMetrics,
    QModelIndex,
    QPainter,
    QPalette,
    QRect,
    QSize,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    Qt,
)
from aqt.theme import theme_manager

from .shades import quiet_text

#: Points around the text.
_ACROSS, _ABOVE = 4, 4


class TwoLines(QStyledItemDelegate):
    """The cell's text up to the line break in the usual colour, the rest below it in a quieter one."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex) -> QSize:  # noqa: N802 - Qt's name
        """Qt: room for two lines."""
        letters = QFontMetrics(option.font)
        width = max(letters.horizontalAdvance(line) for line in _lines(index))
        return QSize(width + 2 * _ACROSS, 2 * _line_height(letters, _lines(index)) + 2 * _ABOVE)

    def paint(self, painter: Optional[QPainter], option: QStyleOptionViewItem, index: QModelIndex) -> None:
        """Qt: one cell."""
        if painter is None:
            return
        shown = QStyleOptionViewItem(option)
        self.initStyleOption(shown, index)
        lines = _lines(index)
        shown.text = ""
        style = shown.widget.style()
        if style is not None:
            style.drawControl(QStyle.ControlElement.CE_ItemViewItem, shown, painter, shown.widget)
        selected = bool(shown.state & QStyle.StateFlag.State_Selected)
        letters = QFontMetrics(shown.font)
        height = _line_height(letters, lines)
        area = shown.rect.adjusted(_ACROSS, _ABOVE, -_ACROSS, -_ABOVE)
        painter.save()
        painter.setFont(shown.font)
        for number, line in enumerate(lines):
            if selected:
                painter.setPen(shown.palette.color(QPalette.ColorRole.HighlightedText))
            else:
                painter.setPen(quiet_text() if number else theme_manager.qcolor(colors.FG))
            place = QRect(area.left(), area.top() + number * height, area.width(), height)
            text = letters.elidedText(line, Qt.TextElideMode.ElideRight, area.width())
            painter.drawText(place, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)
        painter.restore()


def _lines(index: QModelIndex) -> list[str]:
    return str(index.data() or "").split("\n", maxsplit=1)


def _line_height(letters: QFontMetrics, lines: list[str]) -> int:
    """Of the tallest: Chinese and Japanese letters are often of a taller font."""
    return max(letters.lineSpacing(), *(letters.size(0, line).height() for line in lines))
