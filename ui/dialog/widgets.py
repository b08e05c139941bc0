"""Small things that several windows and their parts have in common."""

from __future__ import annotations

import math
from typing import Dict, List, Optional

from aqt import colors
from aqt.qt import (
    QAbstractItemView,
    QApplication,
    QColor,
    QHBoxLayout,
    QIcon,
    QLocale,
    QPainter,
    QPixmap,
    QPointF,
    QPolygonF,
    QResizeEvent,
    Qt,
    QToolButton,
    QVBoxLayout,
    QWidget,
    qconnect,
)
from aqt.theme import theme_manager
from aqt.utils import tooltip

from .. import language


def follow_language(window: QWidget) -> None:
    """Write the window in the direction of its language: for each window, popup and menu; what is within follows.

    Anki's own may go the other way: where it has no catalogue of ours, ours is English. Else a minus sign would stand
    behind its number, and a question mark before its question.
    """
    window.setLayoutDirection(QLocale(language.code()).textDirection())


def go_through(*widgets: QWidget) -> None:
    """Have the Tab key go from the first to the second and so on; after the last to what came after it before.

    For what is made later than what stands below it.
    """
    for before, after in zip(widgets, widgets[1:]):
        QWidget.setTabOrder(before, after)


def copy_to_clipboard(text: str, note: str, parent: QWidget) -> None:
    """Put the text on the clipboard and say so."""
    clipboard = QApplication.clipboard()
    if clipboard is not None:
        clipboard.setText(text)
        tooltip(note, parent=parent)


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


#: Of what is quiet, and of selected rows, so much is the canvas.
_QUIET = 0.35
_SELECTED = {False: 0.25, True: 0.5}  #: by whether it is night


def quiet_text() -> QColor:
    """Of text beside what matters. Anki's own is so faint that it can hardly be read at night."""
    return _mixed(theme_manager.qcolor(colors.FG), theme_manager.qcolor(colors.CANVAS), _QUIET)


def colour_selection(view: QAbstractItemView, more: str = "") -> None:
    """Give the view's selected rows their colour in the theme of now; ``more`` is the rest of its style sheet.

    It is Anki's, which lets the canvas shine through, mixed once: a table does so twice, and white letters cannot be
    read on what that gives at night.
    """
    share = _SELECTED[theme_manager.night_mode]
    mixed = _mixed(theme_manager.qcolor(colors.SELECTED_BG), theme_manager.qcolor(colors.CANVAS_CODE), share)
    text = theme_manager.qcolor(colors.FG).name()
    view.setStyleSheet(
        f"QAbstractItemView {{ selection-background-color: {mixed.name()}; selection-color: {text}; }}\n{more}"
    )


def _mixed(first: QColor, second: QColor, share: float) -> QColor:
    """So much of the second; transparency left aside."""
    pairs = zip((first.red(), first.green(), first.blue()), (second.red(), second.green(), second.blue()))
    return QColor(*(round((1 - share) * one + share * other) for one, other in pairs))


def mark_icons(size: int, pixel_ratio: float) -> Dict[str, QIcon]:
    """``star``, drawn so that it is there in every font, and ``none``, as empty a place; both of ``size`` points."""
    return {"star": _icon(_star(size, pixel_ratio)), "none": _icon(_blank(size, pixel_ratio))}


def _icon(pixmap: QPixmap) -> QIcon:
    """The same in a selected row, where Qt would tint it."""
    icon = QIcon(pixmap)
    icon.addPixmap(pixmap, QIcon.Mode.Selected)
    return icon


def _blank(size: int, pixel_ratio: float) -> QPixmap:
    pixmap = QPixmap(round(size * pixel_ratio), round(size * pixel_ratio))
    pixmap.setDevicePixelRatio(pixel_ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    return pixmap


def _star(size: int, pixel_ratio: float) -> QPixmap:
    pixmap = _blank(size, pixel_ratio)
    centre, outer, inner = size / 2, size * 0.45, size * 0.19
    corners = []
    for corner in range(10):
        radius, angle = (inner if corner % 2 else outer), math.pi * (corner / 5 - 0.5)
        corners.append(QPointF(centre + radius * math.cos(angle), centre + radius * math.sin(angle)))
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme_manager.qcolor(colors.FG))
    painter.drawPolygon(QPolygonF(corners))
    painter.end()
    return pixmap


#: Pixels between two items in columns, across and down.
_APART = (36, 28)


class Columns(QWidget):
    """Items side by side: as many columns of so many pixels as there is room for, each in the shortest so far."""

    def __init__(self, least_width: int, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self._least_width = least_width
        self._items: List[QWidget] = []
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(_APART[0])
        self._columns: List[QVBoxLayout] = []

    def __len__(self) -> int:
        return len(self._items)

    def show_items(self, items: List[QWidget]) -> None:
        """These in place of those before."""
        for item in self._items:
            item.hide()
            item.deleteLater()
        self._items = items
        self._arrange(self._fitting())

    def resizeEvent(self, event: Optional[QResizeEvent]) -> None:  # noqa: N802 - Qt's name
        """Qt: another width."""
        super().resizeEvent(event)
        if self._fitting() != len(self._columns):
            self._arrange(self._fitting())

    def _fitting(self) -> int:
        return max(1, min((self.width() + _APART[0]) // (self._least_width + _APART[0]), len(self._items)))

    def _arrange(self, across: int) -> None:
        for column in self._columns:
            while column.count():
                column.takeAt(0)
            self._row.removeItem(column)
        self._columns = [QVBoxLayout() for _ in range(across)]
        for column in self._columns:
            column.setSpacing(_APART[1])
            self._row.addLayout(column, 1)
        heights = [0] * across
        for item in self._items:
            shortest = heights.index(min(heights))
            self._columns[shortest].addWidget(item)
            heights[shortest] += _height(item, self._least_width) + _APART[1]
        for column in self._columns:
            column.addStretch(1)


def _height(item: QWidget, width: int) -> int:
    return item.heightForWidth(width) if item.hasHeightForWidth() else item.sizeHint().height()
