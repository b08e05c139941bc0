"""Any :class:`ui.views.view.Table` as a real table: explained by tooltips, selected by rows, copied with Ctrl+C."""

from __future__ import annotations

from typing import Any, Iterable, List, Optional

from aqt.qt import (
    QAbstractItemView,
    QAbstractTableModel,
    QApplication,
    QFrame,
    QHeaderView,
    QKeyEvent,
    QKeySequence,
    QModelIndex,
    QObject,
    QResizeEvent,
    QShowEvent,
    QSize,
    QSizePolicy,
    Qt,
    QTableView,
    QWidget,
)

from ..science import in_spreadsheet
from ..text.lines import break_name, cells, widest_word
from ..text.phrases import labelled
from ..views.view import Table
from .widgets import colour_selection, letter_width, tip

#: A table in a page is no taller than so many rows; then it scrolls.
_MOST_ROWS = 24
#: Anki keeps room for the sign of the order, which has none here.
_NO_ARROW = "QHeaderView::section { padding-left: 2px; padding-right: 2px; }"
#: And a column no wider than so many letters.
_MOST_LETTERS = 60
#: Headers of so many letters are not broken.
_SHORT = 10
#: So many more letters has a column whose name would take more than two lines.
_LITTLE = 3
#: Of both sides.
_BORDER = 2
#: The table of rows is no taller than so much of the window, and no lower than so many lines, header included.
_FUNNEL_SHARE, _FUNNEL_LINES = 0.24, 5


def set_up(view: QTableView, lines: float) -> None:
    """Give the view the look of a plain table: no grid, whole rows selected, each so many lines of text tall."""
    view.setFrameShape(QFrame.Shape.NoFrame)
    view.setShowGrid(False)
    view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    view.setTabKeyNavigation(False)
    view.setWordWrap(False)
    rows, columns = view.verticalHeader(), view.horizontalHeader()
    if rows is not None:
        rows.setVisible(False)
        rows.setDefaultSectionSize(int(view.fontMetrics().height() * lines))
    if columns is not None:
        columns.setHighlightSections(False)


class TextTableModel(QAbstractTableModel):
    """The cells of a table as Qt asks for them."""

    def __init__(self, parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self.table = Table()
        self._names: List[str] = []

    def set_table(self, table: Table) -> None:
        """Show this table."""
        self.beginResetModel()
        self.table = table
        self._names = [self._name(section) for section in range(len(table.columns))]
        self.endResetModel()

    def rowCount(self, parent: QModelIndex = QModelIndex()) -> int:  # noqa: B008, N802 - Qt's signature
        """Qt: how many rows."""
        return 0 if parent.isValid() else len(self.table.rows)

    def columnCount(self, parent: QModelIndex = QModelIndex()) -> int:  # noqa: B008, N802 - Qt's signature
        """Qt: how many columns."""
        return 0 if parent.isValid() else len(self.table.columns)

    def headerData(  # noqa: N802 - Qt's name
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Qt: the column's name, and what it means."""
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self.table.columns):
            return None
        column = self.table.columns[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return self._names[section]
        if role == Qt.ItemDataRole.ToolTipRole:
            return column.tip or column.name
        return self._alignment(section) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Qt: one cell."""
        if not index.isValid():
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._padded(self.table.rows[index.row()][index.column()], index.column())
        if role == Qt.ItemDataRole.ToolTipRole:
            column = self.table.columns[index.column()]
            cell = self.table.rows[index.row()][index.column()]
            return tip(f"{labelled(column.name, cell)}\n{column.tip}".strip())
        return self._alignment(index.column()) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def _name(self, section: int) -> str:
        """The column's name, broken where it is much longer than what stands below it."""
        name = self.table.columns[section].name
        below = max((cells(row[section]) for row in self.table.rows), default=0)
        least = max(below, cells(name) // 2 + 2, widest_word(name), _SHORT)
        lines = break_name(name, least)
        if len(lines) > 2:
            lines = break_name(name, least + _LITTLE)
        return "\n".join(self._padded(line, section) for line in lines)

    def _padded(self, text: str, column: int) -> str:
        """Keeps the text off its neighbours."""
        pad = "\N{PUNCTUATION SPACE}"
        return text + pad if self.table.columns[column].number else pad + text

    def _alignment(self, column: int) -> Qt.AlignmentFlag:
        side = Qt.AlignmentFlag.AlignRight if self.table.columns[column].number else Qt.AlignmentFlag.AlignLeft
        return side | Qt.AlignmentFlag.AlignVCenter


class TextTable(QTableView):
    """A table of texts that is as wide as it needs to be; in a page of sections also as tall as its rows."""

    def __init__(self, parent: Optional[QWidget] = None, *, in_page: bool = False) -> None:
        super().__init__(parent)
        self._in_page = in_page
        self.follow_theme()
        self._model = TextTableModel(self)
        self.setModel(self._model)
        set_up(self, 1.6)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        columns = self.horizontalHeader()
        if columns is not None:
            columns.setStretchLastSection(False)
            columns.setStyleSheet(_NO_ARROW)
            columns.setMaximumSectionSize(_MOST_LETTERS * letter_width(self))
            columns.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        if in_page:
            policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
            policy.setHeightForWidth(True)
            self.setSizePolicy(policy)

    @property
    def table(self) -> Table:
        """The table that is shown."""
        return self._model.table

    def follow_theme(self) -> None:
        """Take the colours of the current theme."""
        colour_selection(self)

    def show_table(self, table: Table, name: str) -> None:
        """Show this table; ``name`` is what screen readers call it."""
        self._model.set_table(table)
        self.setAccessibleName(name)
        self.resizeColumnsToContents()
        if self._in_page:
            self.setMaximumWidth(self._needed_width())
            policy = Qt.ScrollBarPolicy  # two bars that come and go as needed may need each other by turns
            all_shown = self._rows_shown() == len(table.rows)
            self.setVerticalScrollBarPolicy(policy.ScrollBarAlwaysOff if all_shown else policy.ScrollBarAlwaysOn)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Qt: with room for all columns."""
        width = self._needed_width()
        return QSize(width, self.heightForWidth(width)) if self._in_page else super().sizeHint()

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Qt: where there is less room, it scrolls."""
        hint = super().minimumSizeHint()
        return QSize(hint.width(), self.heightForWidth(hint.width())) if self._in_page else hint

    def heightForWidth(self, width: int) -> int:  # noqa: N802 - Qt's name
        """Qt: all rows, within reason, and a scroll bar where not all columns have room."""
        columns, rows, bar = self.horizontalHeader(), self.verticalHeader(), self.horizontalScrollBar()
        if columns is None or rows is None or bar is None:
            return super().heightForWidth(width)
        below = bar.sizeHint().height() if width < self._needed_width() else 0
        return columns.sizeHint().height() + self._rows_shown() * rows.defaultSectionSize() + _BORDER + below

    def keyPressEvent(self, event: Optional[QKeyEvent]) -> None:  # noqa: N802 - Qt's name
        """Qt: a key was pressed. Copy puts the selected rows on the clipboard, or all."""
        clipboard = QApplication.clipboard()
        if event is not None and event.matches(QKeySequence.StandardKey.Copy) and clipboard is not None:
            selection = self.selectionModel()
            rows = [index.row() for index in selection.selectedRows()] if selection is not None else []
            clipboard.setText(as_text(self.table, sorted(rows)))
            return
        super().keyPressEvent(event)

    def _needed_width(self) -> int:
        columns, bar = self.horizontalHeader(), self.verticalScrollBar()
        if columns is None or bar is None:
            return 0
        beside = bar.sizeHint().width() if len(self.table.rows) > _MOST_ROWS else 0
        return columns.length() + _BORDER + beside

    def _rows_shown(self) -> int:
        return min(len(self.table.rows), _MOST_ROWS)


class FunnelTable(TextTable):
    """What became of every row of the review log. Its explanations take as many lines as they need."""

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.setWordWrap(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)

    def show_table(self, table: Table, name: str) -> None:
        """Show this table; the last column takes what room is left."""
        super().show_table(table, name)
        columns = self.horizontalHeader()
        if columns is not None:
            columns.setStretchLastSection(True)
        self._fit()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Qt: as tall as its rows, within reason."""
        header, rows, window = self.horizontalHeader(), self.verticalHeader(), self.window()
        if header is None or rows is None or window is None:
            return super().sizeHint()
        height = header.sizeHint().height() + rows.length() + 2 * _BORDER
        return QSize(super().sizeHint().width(), round(min(height, _FUNNEL_SHARE * window.height())))

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Qt: in a low window it gives way."""
        return QSize(0, min(_FUNNEL_LINES * self.fontMetrics().lineSpacing(), self.sizeHint().height()))

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


def as_text(table: Table, rows: Iterable[int] = ()) -> str:
    """Tab-separated lines with a header, as spreadsheets take them: these rows, or all."""
    chosen = [table.rows[row] for row in rows] or list(table.rows)
    names = [not column.number for column in table.columns]
    rows_of_text = ([in_spreadsheet(cell) if name else cell for cell, name in zip(row, names)] for row in chosen)
    lines = [[column.name for column in table.columns], *rows_of_text]
    return "".join("\t".join(line) + "\n" for line in lines)
