"""The results as a table model: rows come in as algorithms finish, and can be sorted by any column."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Tuple, Union

from aqt.qt import QAbstractTableModel, QFont, QIcon, QModelIndex, QObject, QSortFilterProxyModel, Qt

from .. import table_text
from ..text import _, strings
from ..views.verdict import LOWEST, has_star, star_meaning

if TYPE_CHECKING:
    from evaluator.report import AlgorithmResult, Report

SORT_ROLE = Qt.ItemDataRole.UserRole
NAME_COLUMN = 0
LOG_LOSS_COLUMN = 1
FIRST_METRIC = table_text.METRICS[0]


class ResultsModel(QAbstractTableModel):
    """One row for each algorithm of a report, in the report's order."""

    def __init__(self, parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._report: Optional[Report] = None
        self._results: List[AlgorithmResult] = []
        self._icons: Dict[str, QIcon] = {}
        self._metrics = table_text.METRICS
        self.header_font = QFont()

    # --- content ------------------------------------------------------------------------------------------------------

    @property
    def report(self) -> Optional[Report]:
        """What is shown; None before the first result."""
        return self._report

    def result(self, row: int) -> AlgorithmResult:
        """The result in that row."""
        return self._results[row]

    @property
    def metrics(self) -> Tuple[str, ...]:
        """What the columns after the name show."""
        return self._metrics

    def set_metrics(self, metrics: Tuple[str, ...]) -> None:
        """Show these from now on."""
        if metrics != self._metrics:
            self.beginResetModel()
            self._metrics = metrics
            self.endResetModel()

    def _metric(self, column: int) -> Optional[str]:
        """What that column shows; None: the name."""
        return None if column == NAME_COLUMN else self._metrics[column - 1]

    def clear(self) -> None:
        """Back to no rows."""
        self.beginResetModel()
        self._report, self._results = None, []
        self.endResetModel()

    def set_report(self, report: Report) -> None:
        """Show this report. New rows are put in between the old ones, so that what is selected stays selected."""
        old = [result.algorithm for result in self._results]
        new = [result.algorithm for result in report.results]
        if [name for name in new if name in set(old)] != old:
            self.beginResetModel()
            self._report, self._results = report, list(report.results)
            self.endResetModel()
            return
        self._report = report
        for row, result in enumerate(report.results):
            if row < len(self._results) and self._results[row].algorithm == result.algorithm:
                self._results[row] = result
            else:
                self.beginInsertRows(QModelIndex(), row, row)
                self._results.insert(row, result)
                self.endInsertRows()
        if self._results:
            last = self.index(len(self._results) - 1, self.columnCount() - 1)
            self.dataChanged.emit(self.index(0, 0), last)

    def set_icons(self, icons: Dict[str, QIcon]) -> None:
        """The signs before the names: ``star`` and ``none`` (as wide, so that names line up)."""
        self._icons = icons
        if self._results:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._results) - 1, 0))

    # --- what Qt asks for ---------------------------------------------------------------------------------------------

    def rowCount(self, parent: QModelIndex = QModelIndex()) -> int:  # noqa: B008, N802 - Qt's signature
        """Qt: how many rows."""
        return 0 if parent.isValid() else len(self._results)

    def columnCount(self, parent: QModelIndex = QModelIndex()) -> int:  # noqa: B008, N802 - Qt's signature
        """Qt: how many columns."""
        return 0 if parent.isValid() else 1 + len(self._metrics)

    def headerData(  # noqa: N802 - Qt's name
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Qt: the column's name, and what it means."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        metric = self._metric(section)
        answers: Dict[int, Callable[[], Any]] = {
            Qt.ItemDataRole.DisplayRole: lambda: (
                _padded(table_text.header(metric)) if metric else strings.COLUMN_ALGORITHM
            ),
            Qt.ItemDataRole.FontRole: lambda: self.header_font,
            Qt.ItemDataRole.DecorationRole: lambda: None if metric else self._icons.get("none"),
            Qt.ItemDataRole.ToolTipRole: lambda: (
                table_text.header_tip(metric)
                if metric
                else _("Select one row to see its graph, or two to lay them over each other.")
            ),
            Qt.ItemDataRole.TextAlignmentRole: lambda: _alignment(metric),
        }
        return answers[role]() if role in answers else None

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Qt: one cell."""
        answer = _ANSWERS.get(role)
        if not index.isValid() or self._report is None:
            return None
        result, column = self._results[index.row()], index.column()
        if role == Qt.ItemDataRole.DecorationRole and column == NAME_COLUMN:
            return self._icons.get("star" if has_star(self._report, result.algorithm) else "none")
        return answer(result, self._report, self._metric(column)) if answer else None


class ResultsOrder(QSortFilterProxyModel):
    """Sorts by the numbers, not their text; what has no number comes last either way."""

    def __init__(self, parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self.setSortRole(SORT_ROLE)
        self.setDynamicSortFilter(True)

    def lessThan(self, left: QModelIndex, right: QModelIndex) -> bool:  # noqa: N802 - Qt's name
        """Qt: whether ``left`` comes before ``right`` in ascending order."""
        first, second = left.data(SORT_ROLE), right.data(SORT_ROLE)
        if first is None or second is None:
            last_either_way = self.sortOrder() == Qt.SortOrder.AscendingOrder
            return first is not None and second is None if last_either_way else first is None and second is not None
        return bool(first < second)


def _text(result: AlgorithmResult, report: Report, metric: Optional[str]) -> str:
    if metric is None:
        return table_text.name(result, report)
    if result.error:
        return table_text.failure(result) if metric == FIRST_METRIC else ""
    return _padded(table_text.cell(result, metric))


def _padded(text: str) -> str:
    """Keeps numbers off the edge of their column."""
    return "\n".join(line + "\N{FIGURE SPACE}" for line in text.split("\n"))


def _sort_value(result: AlgorithmResult, _report: Report, metric: Optional[str]) -> Union[str, float, None]:
    if metric is None:
        return result.algorithm.casefold()
    return result.value(metric)


def _side(result: AlgorithmResult, _report: Report, metric: Optional[str]) -> Qt.AlignmentFlag:
    return _alignment(None if result.error else metric)


def _font(result: AlgorithmResult, report: Report, metric: Optional[str]) -> QFont:
    font = QFont()
    font.setBold(result.algorithm == report.best)
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
    star = star_meaning(report)
    if star != LOWEST and has_star(report, result.algorithm):
        parts.append(strings.LEGEND_STAR.format(meaning=star))
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
    return (
        # Translators: For screen readers.
        _("{algorithm}, fitted on some of these reviews").format(algorithm=spoken)
        if table_text.knows_answers(result)
        else spoken
    )


def _alignment(metric: Optional[str]) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignLeft if metric is None else Qt.AlignmentFlag.AlignRight
    return side | Qt.AlignmentFlag.AlignVCenter


#: What a cell answers, by what is asked.
_ANSWERS: Dict[int, Callable[[AlgorithmResult, Report, Optional[str]], Any]] = {
    Qt.ItemDataRole.DisplayRole: _text,
    SORT_ROLE: _sort_value,
    Qt.ItemDataRole.TextAlignmentRole: _side,
    Qt.ItemDataRole.FontRole: _font,
    Qt.ItemDataRole.ToolTipRole: _tip,
    Qt.ItemDataRole.AccessibleTextRole: _spoken,
}
