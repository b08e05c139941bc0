"""What became of every row of the review log: a small table, folded away until it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional, Sequence, Tuple

from aqt.qt import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QResizeEvent,
    QShowEvent,
    QSize,
    QSizePolicy,
    Qt,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from ..text import strings
from ..views.funnel import funnel_of, funnel_table
from .widgets import colour_selection

if TYPE_CHECKING:
    from evaluator.report import Report

    from ..views.view import Table

_COLUMNS = (strings.FUNNEL_ROWS, strings.FUNNEL_WHAT, strings.FUNNEL_USE, strings.FUNNEL_WHY)
#: The use of these rows, see :attr:`evaluator.report.FunnelStep.use`.
_LEFT_OUT = "left_out"
#: Taller than so much of the window, it scrolls.
_LARGEST_SHARE = 0.24
#: And no lower than so many rows, header included.
_LEAST_ROWS = 5
#: Above cells, whose texts stand a little off their edges.
_HEADER = "QHeaderView::section { padding-left: 3px; padding-right: 3px; }"


class FunnelTable(QTableWidget):
    """One line for each way that rows went, and a line for all of them."""

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(0, len(_COLUMNS), parent)
        self.setAccessibleName(strings.FUNNEL_NAME)
        self.setHorizontalHeaderLabels(list(_COLUMNS))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setTabKeyNavigation(False)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self.follow_theme()
        rows, columns = self.verticalHeader(), self.horizontalHeader()
        if rows is not None:
            rows.setVisible(False)
            rows.setDefaultSectionSize(int(self.fontMetrics().height() * 1.5))
        if columns is not None:
            columns.setHighlightSections(False)
            columns.setStyleSheet(_HEADER)
            columns.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
            columns.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
            columns.setSectionResizeMode(len(_COLUMNS) - 1, QHeaderView.ResizeMode.Stretch)
            first = self.horizontalHeaderItem(0)
            if first is not None:
                first.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)

    def show_funnel(self, report: Report) -> None:
        """All steps of a report; those that no row took are left away."""
        self._show(funnel_table(report))

    def show_left_out(self, funnel: Sequence[Tuple[str, int]]) -> None:
        """Steps that left rows out, where nothing else is known."""
        self._show(funnel_of((step, _LEFT_OUT, rows) for step, rows in funnel))

    def _show(self, table: Table) -> None:
        self.setRowCount(len(table.rows))
        for row, (count, *texts) in enumerate(table.rows):
            number = QTableWidgetItem(count)
            number.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self.setItem(row, 0, number)
            for column, text in enumerate(texts, start=1):
                item = QTableWidgetItem(text)
                item.setToolTip(text)
                self.setItem(row, column, item)
        self._fit()

    def follow_theme(self) -> None:
        """The colours of now."""
        colour_selection(self)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Qt: as tall as its rows, within reason."""
        header, window = self.horizontalHeader(), self.window()
        rows = sum(self.rowHeight(row) for row in range(self.rowCount()))
        head = header.sizeHint().height() if header is not None else 0
        most = _LARGEST_SHARE * window.height() if window is not None else rows
        return QSize(super().sizeHint().width(), round(min(head + rows + 4, most)))

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Qt: in a low window it gives way."""
        return QSize(0, min(_LEAST_ROWS * self.fontMetrics().lineSpacing(), self.sizeHint().height()))

    def resizeEvent(self, event: Optional[QResizeEvent]) -> None:  # noqa: N802 - Qt's name
        """Qt: the window has another size, so explanations may break elsewhere."""
        super().resizeEvent(event)
        self._fit()

    def showEvent(self, event: Optional[QShowEvent]) -> None:  # noqa: N802 - Qt's name
        """Qt: it was unfolded."""
        super().showEvent(event)
        self._fit()

    def _fit(self) -> None:
        self.resizeRowsToContents()
        self.updateGeometry()
