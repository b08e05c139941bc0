"""Tables of any :class:`ui.views.view.Table`, with tooltips, whose rows can be selected and copied."""

from __future__ import annotations

from typing import Iterable, List, Optional, Sequence

from aqt.qt import (
    QAbstractItemView,
    QApplication,
    QFrame,
    QHeaderView,
    QKeyEvent,
    QKeySequence,
    QSize,
    QSizePolicy,
    Qt,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from ..science import escape_for_spreadsheet
from ..text.lines import break_lines, cells, unbroken
from ..text.phrases import labeled
from ..views.view import Column, Table
from .widgets import color_selection, letter_width, plain_tooltip, text_direction

#: Whole rows are selected, so the current cell gets no frame of its own.
_NO_BEVEL = "QTableView { outline: none; }"
#: Between the text of a cell and its edges.
_PAD = "\N{PUNCTUATION SPACE}"
#: Maximum width of a column, in average characters.
_MAX_LETTERS = 100
#: Headers of this many characters are not broken.
_SHORT = 10
#: Extra characters of a column whose name would take more than two lines.
_LITTLE = 3
#: Height of the table of rows, in lines of text.
_FUNNEL_LINES = 9


class RowTable(QTableWidget):
    """Table without grid lines, in which whole rows are selected.

    Ctrl+C copies the selected rows, or all rows if none is selected. Each row is ``lines`` lines tall.
    """

    def __init__(self, lines: float, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        rows, columns = self.verticalHeader(), self.horizontalHeader()
        if rows is not None and columns is not None:
            rows.setVisible(False)
            rows.setDefaultSectionSize(int(self.fontMetrics().height() * lines))
            columns.setHighlightSections(False)
        self.follow_theme()

    def follow_theme(self) -> None:
        color_selection(self, _NO_BEVEL)

    def selected_rows(self) -> List[int]:
        selection = self.selectionModel()
        return sorted(index.row() for index in selection.selectedRows()) if selection is not None else []

    def copied(self, rows: Sequence[int]) -> str:
        """Return what Ctrl+C copies of these rows, or of all if there is none."""
        raise NotImplementedError

    def keyPressEvent(self, event: Optional[QKeyEvent]) -> None:  # noqa: N802 - Qt's name
        clipboard = QApplication.clipboard()
        if event is not None and event.matches(QKeySequence.StandardKey.Copy) and clipboard is not None:
            clipboard.setText(self.copied(self.selected_rows()))
        else:
            super().keyPressEvent(event)


class TextTable(RowTable):
    """A table of texts that is as wide as it needs to be, and in a page of sections also as tall as its rows."""

    def __init__(self, parent: Optional[QWidget] = None, *, in_page: bool = False) -> None:
        super().__init__(1.6, parent)
        self.table = Table()  #: the visible table
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        columns = self.horizontalHeader()
        if columns is not None:
            columns.setStyleSheet(header_style(self))
            columns.setMaximumSectionSize(_MAX_LETTERS * letter_width(self))
            columns.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        if in_page:
            self.setSizeAdjustPolicy(QAbstractItemView.SizeAdjustPolicy.AdjustToContents)
            self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
            self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def show_table(self, table: Table, name: str) -> None:
        """Show this table, which screen readers call ``name``."""
        self.table = table
        self.clear()
        self.setRowCount(len(table.rows))
        self.setColumnCount(len(table.columns))
        for number, column in enumerate(table.columns):
            below = [row[number] for row in table.rows]
            header = table_item(_header(column, below), column.tip or column.name, number=column.number)
            self.setHorizontalHeaderItem(number, header)
            for row, text in enumerate(below):
                tip = f"{labeled(column.name, text)}\n{column.tip}".strip()
                self.setItem(row, number, table_item(padded(text, number=column.number), tip, number=column.number))
        self.setAccessibleName(name)
        self.resizeColumnsToContents()

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Qt: no taller than the rows, or two rows would have a gap below."""
        return super().minimumSizeHint().boundedTo(self.sizeHint())

    def copied(self, rows: Sequence[int]) -> str:
        return as_text(self.table, rows)


def table_item(text: str, tip: str, *, number: bool) -> QTableWidgetItem:
    """Return a cell or a header. Numbers are right-aligned."""
    item = QTableWidgetItem(text)
    item.setToolTip(plain_tooltip(tip))
    right = number == (text_direction() == Qt.LayoutDirection.LeftToRight)
    side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
    # Otherwise Qt mirrors headers in an Anki whose language is written in the other direction.
    item.setTextAlignment(side | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter)
    return item


def _header(column: Column, below: Sequence[str]) -> str:
    widest = max(map(cells, below), default=0)
    least = max(widest, cells(column.name) // 2 + 2, *map(cells, unbroken(column.name)), _SHORT)
    lines = break_lines(column.name, least)
    if len(lines) > 2:
        lines = break_lines(column.name, least + _LITTLE)
    return "\n".join(lines)


def header_style(table: QTableWidget) -> str:
    """Return the style of a header whose text is in line with padded cells. Anki keeps room for an arrow instead."""
    pad = 2 + table.fontMetrics().horizontalAdvance(_PAD)
    return f"QHeaderView::section {{ padding-left: {pad}px; padding-right: {pad}px; }}"


def padded(text: str, *, number: bool) -> str:
    """Return the text of a cell with padding on the side on which it is aligned."""
    return text + _PAD if number else _PAD + text


class FunnelTable(TextTable):
    """Table of how every row of the review log was used. Explanations take as many lines as they need."""

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.setWordWrap(True)
        self.setFixedHeight(_FUNNEL_LINES * self.fontMetrics().lineSpacing())
        columns, rows = self.horizontalHeader(), self.verticalHeader()
        if columns is not None and rows is not None:
            columns.setStretchLastSection(True)
            rows.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)


def as_text(table: Table, rows: Iterable[int] = ()) -> str:
    """Return tab-separated lines with a header, as spreadsheets take them: these rows, or all."""
    chosen = [table.rows[row] for row in rows] or list(table.rows)
    names = [not column.number for column in table.columns]
    rows_of_text = (
        [escape_for_spreadsheet(cell) if name else cell for cell, name in zip(row, names)] for row in chosen
    )
    lines = [[column.name for column in table.columns], *rows_of_text]
    return "".join("\t".join(line) + "\n" for line in lines)
