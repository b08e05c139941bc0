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
from ..views.labels import LABELS
from ..views.metrics import USUAL
from ..views.table_text import DAGGER, STAR, Row
from .text_table import RowTable, padded, table_item
from .widgets import bold, scaled

if TYPE_CHECKING:
    from evaluator.report import Report

NAME_COLUMN = 0
LOG_LOSS_COLUMN = 1
#: As many as one graph can show.
MAX_SELECTED = 2
#: The label that always fits.
_LONG_LABEL = LABELS["Anki-SM-2 calibrated"]
#: Largest minimum width in pixels; with larger letters the table scrolls, so that a window of 1,000 fits a graph.
_LARGEST_MINIMUM = 580
#: Font size of the header, relative to the cells.
_SMALLER = 0.87
#: Marks of rows, about equally wide.
_MARKS = {STAR: f"{STAR} ", DAGGER: f"{DAGGER}\N{EN SPACE} ", "": "\N{EM SPACE} "}
#: The first header is aligned with the names below it.
_ABOVE_NAMES = "QHeaderView::section:first { padding-left: 4px; }"


class ResultsTable(RowTable):
    """Shows a report's results, and which of them are selected, in the order of selection.

    They are sorted by any column. What has no number comes last either way, and after that what may have seen these
    reviews.
    """

    chosen = pyqtSignal()

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(1.8, parent)
        self.report: Optional[Report] = None  #: None before the first result
        self.more = False  #: all metrics, or those of the first screen
        self.metrics = USUAL  #: what the columns after the name show
        self.usual_width = 0  #: without limits
        self._names_width, self._numbers_width = 0, 0
        self._rows: List[Row] = []  # top to bottom
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
        """Show all metrics from now, or those of the first screen."""
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
        self._rows = self._sorted()
        self._settling = True
        self.clear()
        self.clearSpans()
        self.setColumnCount(1 + len(self.metrics))
        self.setRowCount(len(self._rows))
        choosing = _("Select one row to see its graph, or two to compare their graphs.")
        for number, column in enumerate(table_text.columns(self.metrics)):
            header = padded("\n".join(filter(None, (column.name, column.direction))), number=column.number)
            self.setHorizontalHeaderItem(number, table_item(header, column.tip or choosing, number=column.number))
        for number, row in enumerate(self._rows):
            self._fill_row(number, row)
        self._settling = False
        self._give_room()
        self._select(self._chosen)

    def _fill_row(self, number: int, row: Row) -> None:
        name = (_MARKS[row.mark] if any(item.mark for item in self._rows) else "") + row.label
        about, failed = f"{row.label}\n{row.tip}", bool(row.result.error)
        items = [table_item(padded(name, number=False), about, number=False)]
        items[0].setData(Qt.ItemDataRole.AccessibleTextRole, row.label)  # its signs are heard in words
        items[0].setData(Qt.ItemDataRole.AccessibleDescriptionRole, items[0].toolTip())
        for cell in row.cells:
            tip = f"{row.label}\n{cell.tip}" if cell.tip else about
            items.append(table_item(padded(cell.text, number=not failed), tip, number=not failed))
        if failed:
            font = self.font()
            font.setItalic(True)
            items[-1].setFont(font)
            self.setSpan(number, LOG_LOSS_COLUMN, 1, len(self.metrics))
        for column, item in enumerate(items):
            if row.best and column <= LOG_LOSS_COLUMN:
                item.setFont(bold(self.font()))
            self.setItem(number, column, item)

    def _sorted(self) -> List[Row]:
        columns = self.horizontalHeader()
        if columns is None or self.report is None:
            return []
        column = columns.sortIndicatorSection()

        def value(row: Row) -> Any:
            if column in range(1, len(self.metrics) + 1):
                return row.result.value(self.metrics[column - 1])
            return row.label.casefold()

        rows = table_text.rows(self.report, self.metrics)
        known = [row for row in rows if row.mark != DAGGER and value(row) is not None]
        known.sort(key=value, reverse=columns.sortIndicatorOrder() == Qt.SortOrder.DescendingOrder)
        return [*known, *(row for row in rows if row not in known)]

    def _give_room(self) -> None:
        """Make columns as wide as their headers and the sort indicator need; names are never cut."""
        columns, display_width, bar = self.horizontalHeader(), self.fontMetrics(), self.verticalScrollBar()
        if columns is None or bar is None:
            return
        columns.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        wide, small = display_width.horizontalAdvance("0"), columns.fontMetrics()
        self._numbers_width = 0
        for number, column in enumerate(table_text.columns(self.metrics)):
            if number != NAME_COLUMN:
                width = max(map(small.horizontalAdvance, (column.name, column.direction))) + 3 * wide
                columns.resizeSection(number, width)
                self._numbers_width += width
        labels = [_LONG_LABEL, *(row.label for row in self._rows)]
        heavy = QFontMetrics(bold(self.font()))
        # the column with the marks
        self._names_width = max(map(heavy.horizontalAdvance, labels)) + 4 * wide
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

    def shown(self) -> List[Row]:
        """Return all rows as the table shows them, from top to bottom."""
        return self._rows

    def selected(self) -> List[Row]:
        """Return the rows to draw, in the order in which they were chosen."""
        by_name = {row.algorithm: row for row in self.shown()}
        return [by_name[name] for name in self._chosen if name in by_name]

    def choose(self, names: List[str]) -> None:
        """Select these algorithms, as if the user had."""
        self._by_person = True
        self._chosen = names[-MAX_SELECTED:]
        self._select(self._chosen)

    def copied(self, rows: Sequence[int]) -> str:
        shown = [self.shown()[row] for row in rows] or self.shown()
        return table_text.as_text(shown, self.metrics) if shown else ""

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
        for number, row in enumerate(self.shown()):
            if row.algorithm in names:
                index = model.index(number, NAME_COLUMN)
                requested.select(index, model.index(number, len(self.metrics)))
                if not selection.currentIndex().isValid():
                    selection.setCurrentIndex(index, flags.NoUpdate)  # start of the arrow keys
        selection.select(requested, flags.ClearAndSelect)
        self._settling = False
        self.chosen.emit()
