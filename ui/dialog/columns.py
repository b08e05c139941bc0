"""Things to read side by side where there is room, else one below the other."""

from __future__ import annotations

from typing import List, Optional

from aqt.qt import QGridLayout, QResizeEvent, Qt, QWidget

#: Between two, across and down.
_APART = (36, 28)


class Columns(QWidget):
    """Its items from left to right and then down, in as many columns of so many pixels as there is room for."""

    def __init__(self, least_width: int, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self._least_width = least_width
        self._items: List[QWidget] = []
        self._across = 0
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(_APART[0])
        self._grid.setVerticalSpacing(_APART[1])

    def __len__(self) -> int:
        return len(self._items)

    def show_items(self, items: List[QWidget]) -> None:
        """These in place of those before."""
        for item in self._items:
            self._grid.removeWidget(item)
            item.deleteLater()
        self._items = items
        self._arrange(self._fitting())

    def resizeEvent(self, event: Optional[QResizeEvent]) -> None:  # noqa: N802 - Qt's name
        """Qt: another width."""
        super().resizeEvent(event)
        if self._fitting() != self._across:
            self._arrange(self._fitting())

    def _fitting(self) -> int:
        return max(1, min((self.width() + _APART[0]) // (self._least_width + _APART[0]), len(self._items)))

    def _arrange(self, across: int) -> None:
        for column in range(max(across, self._across)):
            self._grid.setColumnStretch(column, int(column < across))
        self._across = across
        for number, item in enumerate(self._items):
            self._grid.addWidget(item, number // across, number % across, Qt.AlignmentFlag.AlignTop)
