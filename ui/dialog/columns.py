"""Things to read side by side where there is room, else one below the other."""

from __future__ import annotations

from typing import List, Optional

from aqt.qt import QHBoxLayout, QResizeEvent, QVBoxLayout, QWidget

#: Pixels between two, across and down.
_APART = (36, 28)


class Columns(QWidget):
    """Its items in as many columns of so many pixels as there is room for, each in the one that is shortest so far."""

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
