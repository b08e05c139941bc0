"""The table of results: at most two rows selected, copied with Ctrl+C."""

from __future__ import annotations

from typing import TYPE_CHECKING, List, Optional, Tuple

from aqt.qt import (
    QAbstractItemView,
    QApplication,
    QFontMetrics,
    QFrame,
    QHeaderView,
    QItemSelection,
    QItemSelectionModel,
    QKeyEvent,
    QKeySequence,
    QPoint,
    QSize,
    Qt,
    QTableView,
    QWidget,
    pyqtSignal,
    qconnect,
)

from .. import table_text
from ..text import strings
from .labels import smaller_font
from .table_model import LOG_LOSS_COLUMN, NAME_COLUMN, ResultsModel, ResultsOrder
from .widgets import colour_selection, mark_icons

if TYPE_CHECKING:
    from evaluator.report import AlgorithmResult, Report

#: As many as one graph can show.
MOST_SELECTED = 2
#: The room for names is measured by the first; where the window is narrow, by the second.
_LONG_NAME, _SHORT_NAME = "FSRS-5 default (wiki)", "FSRS-6 default"
#: Pixels. In larger letters it scrolls, so that a window of 1,000 has room for a graph.
_LARGEST_MINIMUM = 560


class ResultsTable(QTableView):
    """Shows a report's results and says which of them are selected, in the order in which they were chosen."""

    chosen = pyqtSignal()

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self._model = ResultsModel(self)
        self._order = ResultsOrder(self)
        self._order.setSourceModel(self._model)
        self.setModel(self._order)
        self._chosen: List[str] = []
        self._by_person = False
        self._settling = False
        self.usual_width = 0  #: with room for all names
        self._set_up()
        selection = self.selectionModel()
        if selection is not None:
            qconnect(selection.selectionChanged, self._on_selection)
        for signal in (self._order.layoutChanged, self._order.rowsInserted, self._order.modelReset):
            qconnect(signal, lambda *_: self._span_failures())

    def _set_up(self) -> None:
        self.setAccessibleName(strings.TABLE_NAME)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setSortingEnabled(True)
        self.sortByColumn(LOG_LOSS_COLUMN, Qt.SortOrder.AscendingOrder)
        rows, columns = self.verticalHeader(), self.horizontalHeader()
        if rows is not None:
            rows.setVisible(False)
            rows.setDefaultSectionSize(int(self.fontMetrics().height() * 1.8))
        if columns is not None:
            columns.setHighlightSections(False)
            columns.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
            columns.setSectionResizeMode(NAME_COLUMN, QHeaderView.ResizeMode.Stretch)
            self._give_room(columns)
        self.follow_theme()

    def _give_room(self, columns: QHeaderView) -> None:
        """Columns as wide as their headers and the sign for the order need; what is left is for the names."""
        letters, bar = self.fontMetrics(), self.verticalScrollBar()
        wide = letters.horizontalAdvance("0")
        self._model.header_font = smaller_font(self)
        small = QFontMetrics(self._model.header_font)
        others = letters.height() + 3 * wide + (bar.sizeHint().width() if bar is not None else 0)  # with the star
        for column, metric in enumerate(self.metrics, start=NAME_COLUMN + 1):
            lines = table_text.header(metric).split("\n")
            width = max(small.horizontalAdvance(line) for line in lines) + 4 * wide
            columns.resizeSection(column, width)
            others += width
        shortest = letters.horizontalAdvance(_SHORT_NAME)
        narrowest = min(columns.sectionSize(column) for column in range(NAME_COLUMN + 1, columns.count()))
        columns.setMinimumSectionSize(min(narrowest, letters.height() + 2 * wide + shortest))
        self.setMinimumWidth(min(others + shortest, _LARGEST_MINIMUM))
        self.usual_width = others + letters.horizontalAdvance(_LONG_NAME)

    # --- content ------------------------------------------------------------------------------------------------------

    @property
    def report(self) -> Optional[Report]:
        """What is shown."""
        return self._model.report

    @property
    def metrics(self) -> Tuple[str, ...]:
        """What the columns after the name show."""
        return self._model.metrics

    def show_metrics(self, metrics: Tuple[str, ...]) -> None:
        """Show these from now on."""
        columns = self.horizontalHeader()
        if columns is not None and metrics != self.metrics:
            self._settling = True
            self._model.set_metrics(metrics)
            self._settling = False
            self._give_room(columns)

    def clear(self) -> None:
        """Remove all rows. What the person has chosen is remembered and chosen again when it comes."""
        self._settling = True
        self._model.clear()
        self._settling = False

    def set_report(self, report: Report) -> None:
        """Show this report. Until the person chooses, the best row is selected."""
        anchor = self._top_row()
        self._settling = True
        self._model.set_report(report)
        self._settling = False
        if not self._by_person:
            self._chosen = [report.best] if report.best else []
        self._select(self._chosen)
        self._hold(anchor)

    def _top_row(self) -> Optional[Tuple[str, int]]:
        """The row at the upper edge and how far it lies above it; None while nothing is scrolled."""
        bar = self.verticalScrollBar()
        index = self.indexAt(QPoint(0, 0))
        if bar is None or not bar.value() or not index.isValid():
            return None
        name = self._model.result(self._order.mapToSource(index).row()).algorithm
        return name, self.rowViewportPosition(index.row())

    def _hold(self, anchor: Optional[Tuple[str, int]]) -> None:
        """Scroll so that this row is where it was, whatever has come in above it."""
        bar = self.verticalScrollBar()
        if anchor is None or bar is None:
            return
        name, place = anchor
        self.executeDelayedItemsLayout()
        self.updateGeometries()
        for row, result in enumerate(self.shown()):
            if result.algorithm == name:
                bar.setValue(bar.value() + self.rowViewportPosition(row) - place)

    def follow_theme(self) -> None:
        """The colours of now."""
        colour_selection(self)
        size = self.fontMetrics().height()
        self.setIconSize(QSize(size, size))
        self._model.set_icons(mark_icons(size, self.devicePixelRatioF()))

    def shown(self) -> List[AlgorithmResult]:
        """All results as the table shows them, from top to bottom."""
        rows = (self._order.mapToSource(self._order.index(row, 0)).row() for row in range(self._order.rowCount()))
        return [self._model.result(row) for row in rows]

    def selected(self) -> List[AlgorithmResult]:
        """The results to draw, in the order in which they were chosen."""
        by_name = {result.algorithm: result for result in self.shown()}
        return [by_name[name] for name in self._chosen if name in by_name]

    def choose(self, names: List[str]) -> None:
        """Select these algorithms, as if the person had."""
        self._by_person = True
        self._chosen = names[-MOST_SELECTED:]
        self._select(self._chosen)

    # --- selection ----------------------------------------------------------------------------------------------------

    def _on_selection(self, _selected: QItemSelection, _deselected: QItemSelection) -> None:
        if self._settling:
            return
        names = self._selected_names()
        kept = [name for name in self._chosen if name in names]
        self._chosen = (kept + [name for name in names if name not in kept])[-MOST_SELECTED:]
        self._by_person = True
        if len(names) > MOST_SELECTED:
            self._select(self._chosen)
        else:
            self.chosen.emit()

    def _selected_names(self) -> List[str]:
        selection = self.selectionModel()
        rows = selection.selectedRows() if selection is not None else []
        return [self._model.result(self._order.mapToSource(index).row()).algorithm for index in rows]

    def _select(self, names: List[str]) -> None:
        wanted = QItemSelection()
        for row, result in enumerate(self.shown()):
            if result.algorithm in names:
                wanted.select(self._order.index(row, 0), self._order.index(row, self._order.columnCount() - 1))
        selection = self.selectionModel()
        if selection is not None:
            self._settling = True
            selection.select(wanted, QItemSelectionModel.SelectionFlag.ClearAndSelect)
            self._settling = False
        self.chosen.emit()

    def _span_failures(self) -> None:
        """Give the reason of a failure the room of all numbers."""
        self.clearSpans()
        for row, result in enumerate(self.shown()):
            if result.error:
                self.setSpan(row, LOG_LOSS_COLUMN, 1, self._order.columnCount() - LOG_LOSS_COLUMN)

    # --- keys ---------------------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: Optional[QKeyEvent]) -> None:  # noqa: N802 - Qt's name
        """Qt: a key was pressed. Copy puts the selected rows on the clipboard."""
        if event is not None and event.matches(QKeySequence.StandardKey.Copy):
            report, clipboard = self.report, QApplication.clipboard()
            if report is not None and clipboard is not None:
                names = set(self._selected_names())
                rows = [result for result in self.shown() if result.algorithm in names or not names]
                clipboard.setText(table_text.as_text(report, rows, self.metrics))
            return
        super().keyPressEvent(event)
