"""Tables of any :class:`ui.views.view.Table`, with tooltips, whose rows can be selected and copied."""

from __future__ import annotations

from typing import List, Optional, Sequence

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

from ..text.phrases import add_label
from ..text.text_width import break_lines, terminal_width
from ..views.results_table_cells import tab_separated
from ..views.view import Table
from .widgets import character_width, color_selection, plain_tooltip, present, text_direction

#: Pixels between the text of a cell and its left or right edge.
CELL_PADDING = 5
#: Style of cells and headers. The current cell gets no frame, because whole rows are selected. Anki's own headers keep
#: room for an arrow.
CELL_STYLE = f"""QAbstractItemView {{ outline: none; }}
QAbstractItemView::item, QHeaderView::section {{ padding: 2px {CELL_PADDING}px; }}"""
#: Maximum width of a column, in average characters.
_MAX_CHARACTERS = 100
#: Headers of at most this many characters are not broken into lines.
_SHORT = 10
#: Height of the row accounting, in lines of text.
_ACCOUNTING_LINES = 9


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
        self.row_header = present(self.verticalHeader())
        self.column_header = present(self.horizontalHeader())
        self.row_header.setVisible(False)
        self.row_header.setDefaultSectionSize(int(self.fontMetrics().height() * lines))
        self.column_header.setHighlightSections(False)
        self.follow_theme()

    def follow_theme(self) -> None:
        color_selection(self, CELL_STYLE)

    def selected_rows(self) -> List[int]:
        return sorted(index.row() for index in present(self.selectionModel()).selectedRows())

    def rows_as_text(self, rows: Sequence[int]) -> str:
        """Return the text that Ctrl+C copies: of these rows, or of all rows if there are none."""
        raise NotImplementedError

    def keyPressEvent(self, event: Optional[QKeyEvent]) -> None:  # noqa: N802 - Qt's name
        """Qt: copy rows on Ctrl+C."""
        if present(event).matches(QKeySequence.StandardKey.Copy):
            present(QApplication.clipboard()).setText(self.rows_as_text(self.selected_rows()))
        else:
            super().keyPressEvent(event)


class TextTable(RowTable):
    """A table of texts that is as wide as it needs to be, and in a page of sections also as tall as its rows."""

    def __init__(self, parent: Optional[QWidget] = None, *, in_page: bool = False) -> None:
        super().__init__(1.6, parent)
        self.table = Table()  #: the visible table
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.column_header.setMaximumSectionSize(_MAX_CHARACTERS * character_width(self))
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
            texts = [row[number] for row in table.rows]
            # Break a name that is longer than the texts below it into about two lines.
            width = max([*map(terminal_width, texts), terminal_width(column.name) // 2 + 2, _SHORT])
            header = table_item(
                "\n".join(break_lines(column.name, width)), column.tip or column.name, number=column.number
            )
            self.setHorizontalHeaderItem(number, header)
            for row, text in enumerate(texts):
                tip = f"{add_label(column.name, text)}\n{column.tip}".strip()
                self.setItem(row, number, table_item(text, tip, number=column.number))
        self.setAccessibleName(name)
        self.resizeColumnsToContents()

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Qt: no taller than the rows, or two rows would have a gap below."""
        return super().minimumSizeHint().boundedTo(self.sizeHint())

    def rows_as_text(self, rows: Sequence[int]) -> str:
        return tab_separated(self.table.columns, [self.table.rows[row] for row in rows] or self.table.rows)


def table_item(text: str, tip: str, *, number: bool) -> QTableWidgetItem:
    """Return a cell or a header. Numbers are aligned at the end of the line: right, or left in Arabic and Hebrew."""
    item = QTableWidgetItem(text)
    item.setToolTip(plain_tooltip(tip))
    item.setTextAlignment(alignment(number=number))
    return item


def alignment(*, number: bool) -> Qt.AlignmentFlag:
    """Return the alignment of texts, or of numbers, in a column."""
    right = number == (text_direction() == Qt.LayoutDirection.LeftToRight)
    side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
    # Otherwise Qt mirrors headers in an Anki whose language is written in the other direction.
    return side | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter


class RowAccountingTable(TextTable):
    """Table of how every row of the review log was used. Explanations take as many lines as they need."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWordWrap(True)
        self.setFixedHeight(_ACCOUNTING_LINES * self.fontMetrics().lineSpacing())
        self.column_header.setStretchLastSection(True)
        self.row_header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
