"""The table of results: rows come in as algorithms finish; at most two are selected; Ctrl+C copies them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Tuple

from aqt.qt import (
    QAbstractItemView,
    QAbstractTableModel,
    QApplication,
    QFont,
    QFontMetrics,
    QHeaderView,
    QIcon,
    QItemSelection,
    QItemSelectionModel,
    QKeyEvent,
    QKeySequence,
    QModelIndex,
    QObject,
    QPoint,
    QSize,
    Qt,
    QTableView,
    QWidget,
    pyqtSignal,
    qconnect,
)

from ..text import _, strings
from ..views import table_text
from ..views.verdict import has_star, star_meaning
from .text_table import set_up
from .widgets import bold, colour_selection, mark_icons, scaled

if TYPE_CHECKING:
    from evaluator.report import AlgorithmResult, Report

NAME_COLUMN = 0
LOG_LOSS_COLUMN = 1
#: As many as one graph can show.
MOST_SELECTED = 2
#: The room for names is measured by the first; where the window is narrow, by the second.
_LONG_NAME, _SHORT_NAME = "FSRS-5 default (wiki)", "FSRS-6 default"
#: Pixels. In larger letters it scrolls, so that a window of 1,000 has room for a graph.
_LARGEST_MINIMUM = 560
#: Of the header's letters, beside those of the cells.
_SMALLER = 0.87


class ResultsModel(QAbstractTableModel):
    """One row for each algorithm of a report, sorted by any column; what has no number comes last either way."""

    def __init__(self, parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self.report: Optional[Report] = None  #: None before the first result
        self.results: List[AlgorithmResult] = []  #: from top to bottom
        self.metrics = table_text.METRICS  #: what the columns after the name show
        self.header_font = QFont()
        self.icons: Dict[str, QIcon] = {}  #: before the names: ``star`` and ``none``, as wide so that names line up
        self._sorted_by = LOG_LOSS_COLUMN, Qt.SortOrder.AscendingOrder

    def show(self, report: Optional[Report], metrics: Optional[Tuple[str, ...]] = None) -> None:
        """Show this report, or no rows; and from now on these metrics."""
        self.beginResetModel()
        self.report, self.metrics = report, metrics or self.metrics
        results = list(report.results) if report is not None else []
        known = [result for result in results if self._value(result) is not None]
        known.sort(key=self._value, reverse=self._sorted_by[1] == Qt.SortOrder.DescendingOrder)
        self.results = [*known, *(result for result in results if self._value(result) is None)]
        self.endResetModel()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Qt: the person has chosen an order."""
        self._sorted_by = column, order
        self.show(self.report)

    def _value(self, result: AlgorithmResult) -> Any:
        """What the result is sorted by."""
        metric = self._metric(self._sorted_by[0])
        return result.algorithm.casefold() if metric is None else result.value(metric)

    def _metric(self, column: int) -> Optional[str]:
        """The metric that the column shows; None for the column of names."""
        return None if column == NAME_COLUMN else self.metrics[column - 1]

    def rowCount(self, parent: QModelIndex = QModelIndex()) -> int:  # noqa: B008, N802 - Qt's signature
        """Qt: how many rows."""
        return 0 if parent.isValid() else len(self.results)

    def columnCount(self, parent: QModelIndex = QModelIndex()) -> int:  # noqa: B008, N802 - Qt's signature
        """Qt: how many columns."""
        return 0 if parent.isValid() else 1 + len(self.metrics)

    def headerData(  # noqa: N802 - Qt's name
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Qt: the column's name, and what it means."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        metric = self._metric(section)
        if role == Qt.ItemDataRole.DisplayRole:
            return _padded(table_text.header(metric)) if metric else strings.COLUMN_ALGORITHM
        if role == Qt.ItemDataRole.ToolTipRole:
            tip = _("Select one row to see its graph, or two to lay them over each other.")
            return table_text.header_tip(metric) if metric else tip
        if role == Qt.ItemDataRole.DecorationRole:
            return None if metric else self.icons.get("none")
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(metric)
        return self.header_font if role == Qt.ItemDataRole.FontRole else None

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Qt: one cell."""
        answer = _ANSWERS.get(role)
        if not index.isValid() or self.report is None:
            return None
        result, metric = self.results[index.row()], self._metric(index.column())
        if role == Qt.ItemDataRole.DecorationRole and metric is None:
            return self.icons.get("star" if has_star(self.report, result.algorithm) else "none")
        return answer(result, self.report, metric) if answer else None


def _text(result: AlgorithmResult, report: Report, metric: Optional[str]) -> str:
    if metric is None:
        return table_text.name(result, report)
    if result.error:
        return table_text.failure(result) if metric == table_text.METRICS[0] else ""
    return _padded(table_text.cell(result, metric))


def _padded(text: str) -> str:
    """Keeps numbers off the edge of their column."""
    return "\n".join(line + "\N{FIGURE SPACE}" for line in text.split("\n"))


def _font(result: AlgorithmResult, report: Report, metric: Optional[str]) -> QFont:
    font = bold(QFont()) if result.algorithm == report.best else QFont()
    font.setItalic(bool(result.error) and metric is not None)
    return font


def _tip(result: AlgorithmResult, report: Report, metric: Optional[str]) -> str:
    details = "" if metric is None else table_text.details(result, metric)
    if details:
        return f"{result.algorithm}\n{details}"
    parts = [result.algorithm, table_text.failure(result), table_text.about(result)]
    if table_text.knows_answers(result):
        parts.append(strings.IN_SAMPLE_TIP)
    if result.algorithm == report.best:
        parts.append(_("The lowest log loss here."))
    if has_star(report, result.algorithm):
        parts.append(strings.LEGEND_STAR.format(meaning=star_meaning(report)))
    if result.algorithm == report.baseline:
        parts.append(strings.BASELINE_TIP)
    return "\n".join(part for part in parts if part)


def _spoken(result: AlgorithmResult, report: Report, metric: Optional[str]) -> str:
    if metric is not None:
        return _text(result, report, metric).strip()
    spoken = result.algorithm
    if result.algorithm == report.best:
        # Translators: For screen readers.
        spoken = _("{algorithm}, the best").format(algorithm=spoken)
    elif has_star(report, result.algorithm):
        # Translators: For screen readers.
        spoken = _("{algorithm}, {meaning}").format(algorithm=spoken, meaning=star_meaning(report))
    if result.algorithm == report.baseline:
        # Translators: For screen readers.
        spoken = _("{algorithm}, the baseline").format(algorithm=spoken)
    if table_text.knows_answers(result):
        # Translators: For screen readers.
        spoken = _("{algorithm}, fitted on some of these reviews").format(algorithm=spoken)
    return spoken


def _alignment(metric: Optional[str]) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignLeft if metric is None else Qt.AlignmentFlag.AlignRight
    return side | Qt.AlignmentFlag.AlignVCenter


def _first_chosen(report: Report) -> List[str]:
    """The pair of the verdict, as far as it has results; the best where neither has one."""
    finished = {row.algorithm for row in report.results if not row.error}
    pair = [name for name in (report.verdict.algorithm, report.verdict.baseline) if name in finished]
    return pair or ([report.best] if report.best else [])


#: What a cell answers, by what is asked.
_ANSWERS: Dict[int, Callable[[AlgorithmResult, Report, Optional[str]], Any]] = {
    Qt.ItemDataRole.DisplayRole: _text,
    Qt.ItemDataRole.TextAlignmentRole: lambda result, _report, metric: _alignment(None if result.error else metric),
    Qt.ItemDataRole.FontRole: _font,
    Qt.ItemDataRole.ToolTipRole: _tip,
    Qt.ItemDataRole.AccessibleTextRole: _spoken,
}


class ResultsTable(QTableView):
    """Shows a report's results and says which of them are selected, in the order in which they were chosen."""

    chosen = pyqtSignal()

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self._model = ResultsModel(self)
        self.setModel(self._model)
        self._chosen: List[str] = []
        self._by_person = False
        self._settling = False
        self.usual_width = 0  #: with room for all names
        self._set_up()
        selection = self.selectionModel()
        if selection is not None:
            qconnect(selection.selectionChanged, self._on_selection)
        qconnect(self._model.modelReset, self._on_rows)

    def _set_up(self) -> None:
        self.setAccessibleName(strings.TABLE_NAME)
        set_up(self, 1.8)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setSortingEnabled(True)
        self.sortByColumn(LOG_LOSS_COLUMN, Qt.SortOrder.AscendingOrder)
        columns = self.horizontalHeader()
        if columns is not None:
            columns.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
            columns.setSectionResizeMode(NAME_COLUMN, QHeaderView.ResizeMode.Stretch)
            self._give_room(columns)
        self.follow_theme()

    def _give_room(self, columns: QHeaderView) -> None:
        """Columns as wide as their headers and the sign for the order need; what is left is for the names."""
        letters, bar = self.fontMetrics(), self.verticalScrollBar()
        wide = letters.horizontalAdvance("0")
        self._model.header_font = scaled(self.font(), _SMALLER)
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
        """The report that is shown; None before the first result."""
        return self._model.report

    @property
    def metrics(self) -> Tuple[str, ...]:
        """What the columns after the name show."""
        return self._model.metrics

    def show_metrics(self, metrics: Tuple[str, ...]) -> None:
        """Show these metrics from now on."""
        columns = self.horizontalHeader()
        if columns is not None and metrics != self.metrics:
            self._model.show(self.report, metrics)
            self._give_room(columns)

    def clear(self) -> None:
        """Remove all rows. What the person has chosen is remembered and chosen again when it comes."""
        self._model.show(None)

    def set_report(self, report: Report) -> None:
        """Show this report. Until the person chooses, the two that the verdict compares are selected."""
        top = self._top_row()
        if not self._by_person:
            self._chosen = _first_chosen(report)
        self._model.show(report)
        self._scroll_back(top)

    def _top_row(self) -> Optional[Tuple[str, int]]:
        """The row at the upper edge and how far it lies above it; None while nothing is scrolled."""
        bar = self.verticalScrollBar()
        index = self.indexAt(QPoint(0, 0))
        if bar is None or not bar.value() or not index.isValid():
            return None
        return self.shown()[index.row()].algorithm, self.rowViewportPosition(index.row())

    def _scroll_back(self, top: Optional[Tuple[str, int]]) -> None:
        """Scroll so that this row is where it was, whatever has come in above it."""
        bar = self.verticalScrollBar()
        if top is None or bar is None:
            return
        name, place = top
        self.executeDelayedItemsLayout()
        self.updateGeometries()
        for row, result in enumerate(self.shown()):
            if result.algorithm == name:
                bar.setValue(bar.value() + self.rowViewportPosition(row) - place)

    def _on_rows(self) -> None:
        """There are other rows, or in another order: select what was chosen, and give a failure's reason room."""
        self.clearSpans()
        for row, result in enumerate(self.shown()):
            if result.error:
                self.setSpan(row, LOG_LOSS_COLUMN, 1, len(self.metrics))
        self._select(self._chosen)

    def follow_theme(self) -> None:
        """Take the colours of the current theme."""
        colour_selection(self)
        size = self.fontMetrics().height()
        self.setIconSize(QSize(size, size))
        self._model.icons = mark_icons(size, self.devicePixelRatioF())

    def shown(self) -> List[AlgorithmResult]:
        """All results as the table shows them, from top to bottom."""
        return self._model.results

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
        return [self.shown()[index.row()].algorithm for index in rows]

    def _select(self, names: List[str]) -> None:
        wanted, selection, flags = QItemSelection(), self.selectionModel(), QItemSelectionModel.SelectionFlag
        self._settling = True
        for row, result in enumerate(self.shown()):
            if result.algorithm in names:
                index = self._model.index(row, NAME_COLUMN)
                wanted.select(index, self._model.index(row, len(self.metrics)))
                if selection is not None and not selection.currentIndex().isValid():
                    selection.setCurrentIndex(index, flags.NoUpdate)  # where the arrow keys begin
        if selection is not None:
            selection.select(wanted, flags.ClearAndSelect)
        self._settling = False
        self.chosen.emit()

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
