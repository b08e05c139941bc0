"""Table of results, which gets another row whenever an algorithm is finished."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, Optional, Sequence

from aqt.qt import (
    QAbstractItemView,
    QFontMetrics,
    QHeaderView,
    QItemSelection,
    QItemSelectionModel,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
    Qt,
    QTableWidgetItem,
    pyqtSignal,
    qconnect,
)

from ..text import _, strings
from ..text.text_width import break_lines, terminal_width
from ..views import results_table_cells
from ..views.labels import LABELS
from ..views.metric_views import USUAL, VIEWS
from ..views.results_table_cells import DAGGER, STAR, Row
from ..views.view import Column
from .text_table import RowTable, table_item
from .widgets import bold, present, scaled

if TYPE_CHECKING:
    from evaluator.report import Report

NAME_COLUMN = 0
LOG_LOSS_COLUMN = 1
#: Maximum number of selected rows: as many as one graph can show.
MAX_SELECTED = 2
#: A long label for which the column of names always has room, so that the column does not grow later.
_LONG_LABEL = LABELS["Anki-SM-2 calibrated"]
#: Length in characters up to which the lines of a header are not broken.
_MIN_HEADER_LINE = 9
#: Font size of the header, relative to the cells.
_HEADER_SCALE = 0.87
#: Texts before the names of rows, by mark. They are about equally wide.
_MARKS = {STAR: f"{STAR} ", DAGGER: f"{DAGGER}\N{EN SPACE} ", "": "\N{EM SPACE} "}
#: Style that puts the arrow of the sorted column on the left, so that the text stays above the numbers.
_ARROW_STYLE = "QHeaderView::up-arrow, QHeaderView::down-arrow { subcontrol-position: left; width: 16px; margin: 0; }"
#: Width of this arrow in pixels.
_ARROW_WIDTH = 16


def _header_lines(column: Column) -> List[str]:
    return [column.name, *break_lines(column.direction, max(terminal_width(column.name), _MIN_HEADER_LINE))]


def _row_items(row: Row, mark: str) -> List[QTableWidgetItem]:
    """Return the cells of a row, with this text before the name."""
    row_tip = f"{row.label}\n{row.tip}"
    items = [table_item(mark + row.label, row_tip, number=False)]
    # Let screen readers read the name without its mark, and then the tooltip, which explains the mark.
    items[0].setData(Qt.ItemDataRole.AccessibleTextRole, row.label)
    items[0].setData(Qt.ItemDataRole.AccessibleDescriptionRole, items[0].toolTip())
    for cell in row.cells:
        tip = f"{row.label}\n{cell.tip}" if cell.tip else row_tip
        items.append(table_item(cell.text, tip, number=not row.result.error))
    return items


class ResultsTable(RowTable):
    """Table of a report's results that can be sorted by each column. At most two rows are selected.

    The row of the user's parameters is always first, with a line below it. Rows without a number are always last.
    """

    chosen = pyqtSignal()  #: the selection has changed, or the selected rows are back after a refill

    def __init__(self) -> None:
        super().__init__(1.8)
        self.report: Optional[Report] = None  #: None before the first result
        self.more = False  #: whether all metrics are shown, not only those of the first screen
        self.metrics = USUAL  #: the metrics of the columns after the name
        self.usual_width = 0  #: minimum width in pixels at which all columns are visible and no text is cut
        self._names_width = 0  # width of the longest name in pixels
        self.rows: List[Row] = []  #: the rows in the order in which they are shown
        self._chosen: Sequence[Optional[str]] = (None,)  # see choose()
        self._settling = False  # whether the table changes its own selection, which the user has not done
        self.setAccessibleName(strings.TABLE_NAME)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        header = self.column_header
        header.setStyleSheet(_ARROW_STYLE)
        header.setFont(scaled(self.font(), _HEADER_SCALE))
        header.setSortIndicatorShown(True)
        qconnect(header.sortIndicatorChanged, self._fill)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self._fill()
        header.setSortIndicator(LOG_LOSS_COLUMN, Qt.SortOrder.AscendingOrder)
        qconnect(self.itemSelectionChanged, self._on_selection)

    # --- content ------------------------------------------------------------------------------------------------------

    def show_more(self, more: bool) -> None:
        """Show all metrics, or only those of the first screen."""
        self.more = more
        self._fill()

    def empty(self) -> None:
        """Remove all rows. Algorithms that the user has selected are selected again once they are back."""
        self.report = None
        self._fill()

    def show_report(self, report: Report) -> None:
        """Show this report. Until the user selects a row, the headline's algorithm is selected."""
        self.report = report
        bar = present(self.verticalScrollBar())
        position = bar.value()
        self._fill()
        # Scroll back, because the selection has scrolled to the selected row.
        bar.setValue(position)

    def _fill(self) -> None:
        """Fill the table anew, and select the same algorithms as before."""
        self.metrics = results_table_cells.all_metrics(self.report) if self.more and self.report is not None else USUAL
        self.rows = self._sorted_rows()
        self._settling = True
        self.clear()
        self.clearSpans()
        self.setColumnCount(1 + len(self.metrics))
        self.setRowCount(len(self.rows))
        has_marks = any(row.mark for row in self.rows)
        instruction = _("Select one row to see its graph, or two to compare their graphs.")
        for number, column in enumerate(results_table_cells.columns(self.metrics)):
            item = table_item("\n".join(_header_lines(column)), column.tip or instruction, number=column.number)
            if number and VIEWS[self.metrics[number - 1]].better == "higher":
                item.setData(Qt.ItemDataRole.InitialSortOrderRole, Qt.SortOrder.DescendingOrder.value)
            self.setHorizontalHeaderItem(number, item)
        for number, row in enumerate(self.rows):
            if row.result.error:
                self.setSpan(number, LOG_LOSS_COLUMN, 1, len(self.metrics))
            for position, item in enumerate(_row_items(row, _MARKS[row.mark] if has_marks else "")):
                if row.best and position <= LOG_LOSS_COLUMN:
                    item.setFont(bold(self.font()))
                self.setItem(number, position, item)
        self._settling = False
        self._set_widths()
        self._select()

    def _sorted_rows(self) -> List[Row]:
        """Return the rows in the order that the user chose, except for the user's own and those without a number."""
        if self.report is None:
            return []
        column = self.column_header.sortIndicatorSection()

        def value(row: Row) -> Any:
            if column not in range(1, len(self.metrics) + 1):
                return row.label.casefold()
            metric = self.metrics[column - 1]
            number = row.result.value(metric)
            return abs(number) if number is not None and VIEWS[metric].better == "zero" else number

        rows = results_table_cells.rows(self.report, self.metrics)
        sortable = [row for row in rows if not row.is_own and value(row) is not None]
        sortable.sort(key=value, reverse=self.column_header.sortIndicatorOrder() == Qt.SortOrder.DescendingOrder)
        unsorted_rows = [row for row in rows if row not in sortable]
        return sorted([*sortable, *unsorted_rows], key=lambda row: not row.is_own)

    def paintEvent(self, event: Optional[QPaintEvent]) -> None:  # noqa: N802 - Qt's name
        """Qt: draw a line below the row of the user's parameters."""
        super().paintEvent(event)
        if len(self.rows) > 1 and self.rows[0].is_own:
            viewport = present(self.viewport())
            painter = QPainter(viewport)
            line = self.rowViewportPosition(1) - 1
            painter.setPen(self.palette().color(QPalette.ColorRole.Text))
            painter.drawLine(0, line, viewport.width(), line)
            painter.end()

    def _set_widths(self) -> None:
        """Give each column the width that its header and the arrow need."""
        digit = self.fontMetrics().horizontalAdvance("0")
        header_metrics = self.column_header.fontMetrics()
        labels = [_LONG_LABEL, *(row.label for row in self.rows)]
        # The marks take the width of about four digits.
        self._names_width = max(map(QFontMetrics(bold(self.font())).horizontalAdvance, labels)) + 4 * digit
        for number, column in enumerate(results_table_cells.columns(self.metrics)[1:], start=1):
            width = max(map(header_metrics.horizontalAdvance, _header_lines(column))) + _ARROW_WIDTH + 2 * digit
            self.setColumnWidth(number, width)
        scroll_bar_width = present(self.verticalScrollBar()).sizeHint().width()
        self.usual_width = self._names_width + self._numbers_width() + scroll_bar_width + 2 * self.frameWidth()
        # Only the names and the first number must fit, so that a narrow window has room for a graph with large type.
        self.setMinimumWidth(self.usual_width - self._numbers_width() + self.columnWidth(LOG_LOSS_COLUMN))
        self._stretch_names()

    def show_at_least(self, n_rows: int) -> None:
        """Have room for this many rows, the header and the horizontal scroll bar."""
        size = self.row_header.defaultSectionSize()
        self.setMinimumHeight(self.column_header.sizeHint().height() + (n_rows + 1) * size)

    def _numbers_width(self) -> int:
        return sum(map(self.columnWidth, range(1, self.columnCount())))

    def _stretch_names(self) -> None:
        """Give the names the remaining width."""
        width = max(self._names_width, present(self.viewport()).width() - self._numbers_width())
        self.setColumnWidth(NAME_COLUMN, width)

    def resizeEvent(self, event: Optional[QResizeEvent]) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._stretch_names()

    # --- selection ----------------------------------------------------------------------------------------------------

    def selected(self) -> List[Row]:
        """Return the selected rows, in the order in which they were selected."""
        by_name = {row.algorithm: row for row in self.rows}
        names = [name or (self.report and self.report.headline_algorithm) for name in self._chosen]
        last_names = [name for name in names if name in by_name][-MAX_SELECTED:]
        return [by_name[name] for name in dict.fromkeys(last_names)]

    def choose(self, names: Sequence[Optional[str]]) -> None:
        """Select the last two of these algorithms that have a row. None stands for the headline's algorithm."""
        self._chosen = names
        self._select()

    def rows_as_text(self, rows: Sequence[int]) -> str:
        rows_to_copy = [self.rows[row] for row in rows] or self.rows
        return results_table_cells.as_text(rows_to_copy, self.metrics) if rows_to_copy else ""

    def _on_selection(self) -> None:
        """Keep what the user has selected, but at most the last two rows."""
        if self._settling:
            return
        names = [self.rows[row].algorithm for row in self.selected_rows()]
        still_selected = [row.algorithm for row in self.selected() if row.algorithm in names]
        self._chosen = [*dict.fromkeys(still_selected + names)][-MAX_SELECTED:]
        if len(names) > MAX_SELECTED:
            self._select()
        else:
            self.chosen.emit()

    def _select(self) -> None:
        """Highlight the selected rows."""
        names = [row.algorithm for row in self.selected()]
        new_selection = QItemSelection()
        flags = QItemSelectionModel.SelectionFlag
        selection = present(self.selectionModel())
        model = present(self.model())
        self._settling = True
        for number, row in enumerate(self.rows):
            if row.algorithm in names:
                index = model.index(number, NAME_COLUMN)
                new_selection.select(index, model.index(number, len(self.metrics)))
                # Set the current index, at which the arrow keys start.
                if not selection.currentIndex().isValid():
                    selection.setCurrentIndex(index, flags.NoUpdate)
        selection.select(new_selection, flags.ClearAndSelect)
        self._settling = False
        self.chosen.emit()
