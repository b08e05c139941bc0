"""The table of results: rows come in as algorithms finish; at most two are selected; Ctrl+C copies them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, Optional, Sequence

from aqt.qt import (
    QAbstractItemView,
    QFontMetrics,
    QHeaderView,
    QItemSelection,
    QItemSelectionModel,
    QResizeEvent,
    Qt,
    QWidget,
    pyqtSignal,
    qconnect,
)

from ..text import _, strings
from ..views import table_text
from ..views.headline import has_star
from ..views.labels import row_label
from ..views.metrics import USUAL
from .text_table import RowTable, padded, table_item
from .widgets import bold, scaled

if TYPE_CHECKING:
    from evaluator.report import AlgorithmResult, Report

NAME_COLUMN = 0
LOG_LOSS_COLUMN = 1
#: As many as one graph can show.
MAX_SELECTED = 2
#: The row whose label always fits.
_LONG_NAME = "Anki-SM-2 calibrated"
#: Largest minimum width in pixels; with larger letters the table scrolls, so that a window of 1,000 fits a graph.
_LARGEST_MINIMUM = 580
#: Font size of the header, relative to the cells.
_SMALLER = 0.87
_AS_WIDE_AS_A_STAR = "\N{EM SPACE} "
#: The first header is aligned with the names below it.
_ABOVE_NAMES = "QHeaderView::section:first { padding-left: 4px; }"


class ResultsTable(RowTable):
    """Shows a report's results, and which of them are selected, in the order of selection.

    They are sorted by any column; what has no number comes last either way.
    """

    chosen = pyqtSignal()

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(1.8, parent)
        self.report: Optional[Report] = None  #: None before the first result
        self.more = False  #: all rows and metrics, or those of the first screen
        self.metrics = USUAL  #: what the columns after the name show
        self.usual_width = 0  #: without limits
        self._names_width, self._numbers_width = 0, 0
        self._results: List[AlgorithmResult] = []  # top to bottom
        self._chosen: List[str] = []
        self._by_person = False
        self._settling = False
        self.setAccessibleName(strings.TABLE_NAME)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        columns = self.horizontalHeader()
        if columns is not None:
            columns.setStyleSheet(_ABOVE_NAMES)
            columns.setFont(scaled(self.font(), _SMALLER))
            columns.setSectionsClickable(True)
            columns.setSortIndicatorShown(True)
            qconnect(columns.sortIndicatorChanged, lambda *_unused: self._fill())
            self._fill()
            columns.setSortIndicator(LOG_LOSS_COLUMN, Qt.SortOrder.AscendingOrder)
        qconnect(self.itemSelectionChanged, self._on_selection)

    # --- content ------------------------------------------------------------------------------------------------------

    def show_more(self, more: bool) -> None:
        """Show all rows and metrics from now, or those of the first screen."""
        self.more = more
        self._fill()

    def empty(self) -> None:
        """Remove all rows. What the user has chosen is remembered and chosen again when it comes."""
        self.report = None
        self._fill()

    def set_report(self, report: Report) -> None:
        """Show this report. Until the user chooses, the headline's algorithm is selected."""
        if not self._by_person:
            self._chosen = [report.headline_algorithm] if report.headline_algorithm else []
        self.report = report
        bar = self.verticalScrollBar()
        scrolled = bar.value() if bar is not None else 0
        self._fill()
        if bar is not None:  # selecting a row scrolled to it
            bar.setValue(scrolled)

    def _fill(self) -> None:
        self.metrics = table_text.all_metrics(self.report) if self.more and self.report is not None else USUAL
        self._results = self._sorted()
        self._settling = True
        self.clear()
        self.clearSpans()
        self.setColumnCount(1 + len(self.metrics))
        self.setRowCount(len(self._results))
        plain_tooltip = _("Select one row to see its graph, or two to compare their graphs.")
        algorithm = padded(strings.COLUMN_ALGORITHM, number=False)
        self.setHorizontalHeaderItem(NAME_COLUMN, table_item(algorithm, plain_tooltip, number=False))
        for column, metric in enumerate(self.metrics, start=1):
            header = padded(table_text.header(metric), number=True)
            self.setHorizontalHeaderItem(column, table_item(header, table_text.header_tip(metric), number=True))
        for row, result in enumerate(self._results):
            self._fill_row(row, result)
        self._settling = False
        self._give_room()
        self._select(self._chosen)

    def _fill_row(self, row: int, result: AlgorithmResult) -> None:
        report = self.report
        if report is None:
            return
        name = label = row_label(result.algorithm)
        if report.best_set:
            name = ("★ " if has_star(report, result.algorithm) else _AS_WIDE_AS_A_STAR) + name
        about = "\n".join([result.algorithm, *table_text.about_row(result, report)])
        items = [table_item(padded(name, number=False), about, number=False)]
        items[0].setData(Qt.ItemDataRole.AccessibleTextRole, label)  # its signs are heard in words
        items[0].setData(Qt.ItemDataRole.AccessibleDescriptionRole, items[0].toolTip())
        if result.error:
            items.append(table_item(table_text.failure(result), about, number=False))
            font = self.font()
            font.setItalic(True)
            items[-1].setFont(font)
            self.setSpan(row, LOG_LOSS_COLUMN, 1, len(self.metrics))
        else:
            for metric in self.metrics:
                details = table_text.details(result, metric)
                plain_tooltip = f"{result.algorithm}\n{details}" if details else about
                items.append(
                    table_item(padded(table_text.cell(result, metric), number=True), plain_tooltip, number=True)
                )
        for column, item in enumerate(items):
            if result.algorithm == report.best and column <= LOG_LOSS_COLUMN:
                item.setFont(bold(self.font()))
            self.setItem(row, column, item)

    def _sorted(self) -> List[AlgorithmResult]:
        columns = self.horizontalHeader()
        if columns is None or self.report is None:
            return []
        column = columns.sortIndicatorSection()

        def value(result: AlgorithmResult) -> Any:
            if column in range(1, len(self.metrics) + 1):
                return result.value(self.metrics[column - 1])
            return row_label(result.algorithm).casefold()

        rows = self.report.results if self.more else table_text.first_table(self.report)
        known = [result for result in rows if value(result) is not None]
        known.sort(key=value, reverse=columns.sortIndicatorOrder() == Qt.SortOrder.DescendingOrder)
        return [*known, *(result for result in rows if value(result) is None)]

    def _give_room(self) -> None:
        """Make columns as wide as their headers and the sort indicator need; names are never cut."""
        columns, display_width, bar = self.horizontalHeader(), self.fontMetrics(), self.verticalScrollBar()
        if columns is None or bar is None:
            return
        columns.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        wide, small = display_width.horizontalAdvance("0"), columns.fontMetrics()
        self._numbers_width = 0
        for column, metric in enumerate(self.metrics, start=NAME_COLUMN + 1):
            lines = table_text.header(metric).split("\n")
            width = max(small.horizontalAdvance(line) for line in lines) + 3 * wide
            columns.resizeSection(column, width)
            self._numbers_width += width
        names = [_LONG_NAME, *(result.algorithm for result in self._results)]
        heavy = QFontMetrics(bold(self.font()))
        # the column with the star
        self._names_width = max(heavy.horizontalAdvance(row_label(name)) for name in names) + 4 * wide
        self.usual_width = self._names_width + self._numbers_width + bar.sizeHint().width() + wide
        self.setMinimumWidth(min(self.usual_width, _LARGEST_MINIMUM))
        self._stretch_names()

    def _stretch_names(self) -> None:
        viewport = self.viewport()
        if viewport is not None:
            self.setColumnWidth(NAME_COLUMN, max(self._names_width, viewport.width() - self._numbers_width))

    def resizeEvent(self, event: Optional[QResizeEvent]) -> None:  # noqa: N802 - Qt's name
        """Qt: the width changed. Names get the remaining width."""
        super().resizeEvent(event)
        self._stretch_names()

    # --- selection ----------------------------------------------------------------------------------------------------

    def shown(self) -> List[AlgorithmResult]:
        """Return all results as the table shows them, from top to bottom."""
        return self._results

    def selected(self) -> List[AlgorithmResult]:
        """Return the results to draw, in the order in which they were chosen."""
        by_name = {result.algorithm: result for result in self.shown()}
        return [by_name[name] for name in self._chosen if name in by_name]

    def choose(self, names: List[str]) -> None:
        """Select these algorithms, as if the user had."""
        self._by_person = True
        self._chosen = names[-MAX_SELECTED:]
        self._select(self._chosen)

    def copied(self, rows: Sequence[int]) -> str:
        results = [self.shown()[row] for row in rows] or self.shown()
        return table_text.as_text(self.report, results, self.metrics) if self.report is not None else ""

    def _on_selection(self) -> None:
        if self._settling:
            return
        names = [self.shown()[row].algorithm for row in self.selected_rows()]
        kept = [name for name in self._chosen if name in names]
        self._chosen = (kept + [name for name in names if name not in kept])[-MAX_SELECTED:]
        self._by_person = True
        if len(names) > MAX_SELECTED:
            self._select(self._chosen)
        else:
            self.chosen.emit()

    def _select(self, names: List[str]) -> None:
        requested, selection, flags = QItemSelection(), self.selectionModel(), QItemSelectionModel.SelectionFlag
        model = self.model()
        if selection is None or model is None:
            return
        self._settling = True
        for row, result in enumerate(self.shown()):
            if result.algorithm in names:
                index = model.index(row, NAME_COLUMN)
                requested.select(index, model.index(row, len(self.metrics)))
                if not selection.currentIndex().isValid():
                    selection.setCurrentIndex(index, flags.NoUpdate)  # start of the arrow keys
        selection.select(requested, flags.ClearAndSelect)
        self._settling = False
        self.chosen.emit()
