"""The table of results, to which rows are added as algorithms finish."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence

from aqt.qt import (
    QAbstractItemView,
    QFontMetrics,
    QItemSelection,
    QItemSelectionModel,
    QResizeEvent,
    Qt,
    QWidget,
    pyqtSignal,
    qconnect,
)

from ..text import _, strings
from ..text.lines import break_lines, cells
from ..views import table_text
from ..views.labels import LABELS
from ..views.metrics import USUAL, VIEWS
from ..views.table_text import DAGGER, STAR, Row
from ..views.view import Column
from .text_table import RowTable, header_style, padded, table_item
from .widgets import bold, scaled

if TYPE_CHECKING:
    from evaluator.report import Report

NAME_COLUMN = 0
LOG_LOSS_COLUMN = 1
#: As many as one graph can show.
MAX_SELECTED = 2
#: The label that always fits.
_LONG_LABEL = LABELS["Anki-SM-2 calibrated"]
#: Headers are broken into lines of at least this many characters.
_SHORT = 9
#: Font size of the header, relative to the cells.
_SMALLER = 0.87
#: Marks of rows, about equally wide.
_MARKS = {STAR: f"{STAR} ", DAGGER: f"{DAGGER}\N{EN SPACE} ", "": "\N{EM SPACE} "}
#: The arrow of the sorted column is left of the text, so that the text is above the numbers.
_ARROW_STYLE = "QHeaderView::up-arrow, QHeaderView::down-arrow { subcontrol-position: left; width: 16px; margin: 0; }"
#: Width of that arrow in pixels.
_ARROW = 16


def _header_lines(column: Column) -> List[str]:
    return [column.name, *break_lines(column.direction, max(cells(column.name), _SHORT))]


class ResultsTable(RowTable):
    """Table of a report's results, of which at most two are selected.

    It can be sorted by each column. Rows without a number come last in both directions, and after them the algorithms
    that may have seen these reviews.
    """

    chosen = pyqtSignal()

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(1.8, parent)
        self.report: Optional[Report] = None  #: None before the first result
        self.more = False  #: all metrics, or those of the first screen
        self.metrics = USUAL  #: what the columns after the name show
        self.usual_width = 0  #: without limits
        self._names_width = 0  # that fits the longest
        self._widths: Dict[str, int] = {}  # chosen by the user, by metric; "" for the names
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
            columns.setStyleSheet(header_style(self) + _ARROW_STYLE)
            columns.setFont(scaled(self.font(), _SMALLER))
            columns.setSectionsClickable(True)
            columns.setSortIndicatorShown(True)
            qconnect(columns.sortIndicatorChanged, lambda *_unused: self._fill())
            qconnect(columns.sectionResized, self._keep_width)
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
            item = table_item("\n".join(_header_lines(column)), column.tip or choosing, number=column.number)
            if number and VIEWS[self.metrics[number - 1]].better == "higher":
                item.setData(Qt.ItemDataRole.InitialSortOrderRole, Qt.SortOrder.DescendingOrder.value)
            self.setHorizontalHeaderItem(number, item)
        for number, row in enumerate(self._rows):
            self._fill_row(number, row)
        self._settling = False
        self._give_room()
        self._select(self._chosen)

    def _fill_row(self, number: int, row: Row) -> None:
        name = (_MARKS[row.mark] if any(item.mark for item in self._rows) else "") + row.label
        about, failed = f"{row.label}\n{row.tip}", bool(row.result.error)
        items = [table_item(padded(name, number=False), about, number=False)]
        # Screen readers read the name without its mark, and what the mark means as the description.
        items[0].setData(Qt.ItemDataRole.AccessibleTextRole, row.label)
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
            if column not in range(1, len(self.metrics) + 1):
                return row.label.casefold()
            metric = self.metrics[column - 1]
            number = row.result.value(metric)
            return abs(number) if number is not None and VIEWS[metric].better == "zero" else number

        rows = table_text.rows(self.report, self.metrics)
        sortable = [row for row in rows if row.mark != DAGGER and value(row) is not None]
        sortable.sort(key=value, reverse=columns.sortIndicatorOrder() == Qt.SortOrder.DescendingOrder)
        return [*sortable, *(row for row in rows if row not in sortable)]

    def _give_room(self) -> None:
        """Make columns as wide as their headers and the arrow need, or as the user made them. Names are never cut."""
        columns, bar = self.horizontalHeader(), self.verticalScrollBar()
        if columns is None or bar is None:
            return
        digit, small = self.fontMetrics().horizontalAdvance("0"), columns.fontMetrics()
        labels = [_LONG_LABEL, *(row.label for row in self._rows)]
        # The marks take the width of about four digits.
        self._names_width = max(map(QFontMetrics(bold(self.font())).horizontalAdvance, labels)) + 4 * digit
        self._settling = True
        for number, column in enumerate(table_text.columns(self.metrics)[1:], start=1):
            width = max(map(small.horizontalAdvance, _header_lines(column))) + _ARROW + 2 * digit
            self.setColumnWidth(number, self._widths.get(self.metrics[number - 1], width))
        self._settling = False
        self.usual_width = self._names_width + self._numbers_width() + bar.sizeHint().width()
        # With large letters, the numbers after the first are scrolled to, so that a window of 900 pixels fits a graph.
        self.setMinimumWidth(self.usual_width - self._numbers_width() + self.columnWidth(LOG_LOSS_COLUMN))
        self._stretch_names()

    def _numbers_width(self) -> int:
        return sum(map(self.columnWidth, range(1, self.columnCount())))

    def _stretch_names(self) -> None:
        """Give the names the remaining width, unless the user has chosen theirs."""
        viewport = self.viewport()
        if viewport is not None:
            width = max(self._names_width, viewport.width() - self._numbers_width())
            self._settling = True
            self.setColumnWidth(NAME_COLUMN, self._widths.get("", width))
            self._settling = False

    def _keep_width(self, number: int, _before: int, width: int) -> None:
        if not self._settling:
            self._widths["" if number == NAME_COLUMN else self.metrics[number - 1]] = width

    def resizeEvent(self, event: Optional[QResizeEvent]) -> None:  # noqa: N802 - Qt's name
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
