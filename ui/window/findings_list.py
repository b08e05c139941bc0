"""List of the findings, with a strip for what was remembered. The selected one is shown in the whole window."""

from __future__ import annotations

from typing import TYPE_CHECKING, List, Optional, Sequence

from aqt import colors
from aqt.qt import (
    QAbstractItemView,
    QColor,
    QFrame,
    QHeaderView,
    QLineF,
    QMenu,
    QModelIndex,
    QPainter,
    QPen,
    QPoint,
    QPointF,
    QRectF,
    QSignalBlocker,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    Qt,
    QTreeWidget,
    QTreeWidgetItem,
    pyqtSignal,
    qconnect,
)
from aqt.theme import theme_manager

from ..science import report as reports
from ..text import _
from ..views.advice_sentence import anki_words
from ..views.finding_rows import COLUMNS, ListRow, list_rows, reach
from .signs import COLORS, sign_icon
from .text_table import CELL_PADDING, CELL_STYLE, alignment
from .widgets import add_action, character_width, color_selection, follow_language, plain_tooltip, present

if TYPE_CHECKING:
    from evaluator.report import Finding, Report

#: Columns of the list.
NAME, SAID, REMEMBERED, STRIP, TESTED, ADVICE = range(6)
#: Maximum number of visible rows. The list scrolls if it has more.
MAX_ROWS = 7
#: Maximum number of visible rows in a low window.
MAX_ROWS_IN_LOW_WINDOW = 4
#: Minimum width of a column, in average characters. Names and strips share the width that other columns leave.
_MIN_CHARACTERS = 7
#: Role under which an item keeps its row.
_ROW = Qt.ItemDataRole.UserRole


class FindingsList(QTreeWidget):
    """List of the findings, in which one is selected. Decks unfold below their preset."""

    chosen = pyqtSignal(int)  #: the user has selected the finding with this index
    options_requested = pyqtSignal(object)  #: the user wants to see the options of the preset with this id
    alone_requested = pyqtSignal(int)  #: the user wants to evaluate the deck or preset of this finding alone
    unfolded = pyqtSignal()  #: the number of visible rows has changed

    def __init__(self) -> None:
        super().__init__()
        self.rows: Sequence[ListRow] = ()
        self.items: List[QTreeWidgetItem] = []
        self._findings: Sequence[Finding] = ()
        self.reach = 0.0  #: largest distance from what FSRS said that the strips show, on both sides
        # Translators: The list of presets and decks.
        self.setAccessibleName(_("Which preset is off"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setColumnCount(len(COLUMNS))
        self.setItemDelegateForColumn(STRIP, _StripDelegate(self))
        self._head = present(self.header())
        self._head.setStretchLastSection(False)
        self._head.setMinimumSectionSize(_MIN_CHARACTERS * character_width(self))
        head = present(self.headerItem())
        modes = QHeaderView.ResizeMode
        for number, column in enumerate(COLUMNS):
            head.setText(number, column.name)
            head.setToolTip(number, plain_tooltip(column.tip))
            head.setTextAlignment(number, alignment(number=column.number))
            self._head.setSectionResizeMode(
                number, modes.Stretch if number in (NAME, STRIP) else modes.ResizeToContents
            )
        color_selection(self, CELL_STYLE)
        qconnect(self.currentItemChanged, self._on_current)
        qconnect(self.itemClicked, self._on_click)
        qconnect(self.customContextMenuRequested, self._open_menu)
        qconnect(self.itemExpanded, lambda _item: self.unfolded.emit())
        qconnect(self.itemCollapsed, lambda _item: self.unfolded.emit())

    def follow_theme(self) -> None:
        color_selection(self, CELL_STYLE)
        for row, item in zip(self.rows, self.items):
            self._color(item, row)

    def show_report(self, report: Report, *, complete: bool) -> None:
        """Show the findings, and select the shown one. Before the evaluation has ended, none can be selected."""
        modes = QAbstractItemView.SelectionMode
        self.setSelectionMode(modes.SingleSelection if complete else modes.NoSelection)
        rows = list_rows(report)
        self._findings = report.findings
        with QSignalBlocker(self):
            if rows != self.rows:
                self._fill(rows)
            self._select(report.subject if complete else None)

    def _fill(self, rows: Sequence[ListRow]) -> None:
        """Replace all rows. Decks are below their preset."""
        self.clear()
        self.rows = rows
        self.items = []
        self.reach = reach(rows)
        preset: Optional[QTreeWidgetItem] = None
        for row in rows:
            texts = [row.name, row.said, row.remembered, row.no_strip, row.tested, row.advice]
            item = QTreeWidgetItem(preset, texts) if row.level and preset is not None else QTreeWidgetItem(self, texts)
            preset = preset if row.level else item
            item.setData(STRIP, _ROW, row)
            item.setData(NAME, Qt.ItemDataRole.AccessibleDescriptionRole, row.tip)
            for number, column in enumerate(COLUMNS):
                item.setToolTip(number, plain_tooltip(row.tip))
                item.setTextAlignment(number, alignment(number=column.number))
            self._color(item, row)
            self.items.append(item)
        self.setRootIsDecorated(any(row.level for row in rows))

    def _color(self, item: QTreeWidgetItem, row: ListRow) -> None:
        """Color the sign and the advice as in the current theme."""
        item.setIcon(NAME, sign_icon(row.sign, self.fontMetrics().ascent(), self))
        if row.advice:
            link_font = self.font()
            link_font.setUnderline(True)
            item.setFont(ADVICE, link_font)
            item.setForeground(ADVICE, theme_manager.qcolor(colors.FG_LINK))

    def _select(self, index: Optional[int]) -> None:
        """Select the row of the finding with this index, or no row."""
        item = next((item for row, item in zip(self.rows, self.items) if row.index == index), None)
        if item is None:
            self.clearSelection()
        elif item is not self.currentItem() or not item.isSelected():
            self.setCurrentItem(item)
            self.scrollToItem(item)

    # --- actions of the user ------------------------------------------------------------------------------------------

    def _on_current(self, item: Optional[QTreeWidgetItem], _before: Optional[QTreeWidgetItem]) -> None:
        """Signal which finding is selected now, unless none can be selected yet."""
        if item is not None and self.selectionMode() != QAbstractItemView.SelectionMode.NoSelection:
            self.chosen.emit(self._row(item).index)

    def _on_click(self, item: QTreeWidgetItem, column: int) -> None:
        row = self._row(item)
        if column == ADVICE and row.advice:
            self.options_requested.emit(row.preset_id)

    def _open_menu(self, place: QPoint) -> None:
        item = self.currentItem()
        if item is not None:
            self.menu(self._row(item)).popup(present(self.viewport()).mapToGlobal(place))

    def menu(self, row: ListRow) -> QMenu:
        """Create the context menu of a row."""
        menu = QMenu(self)
        follow_language(menu)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if row.index:
            is_deck = self._findings[row.index].kind == reports.DECK
            text = _("Evaluate this deck alone") if is_deck else _("Evaluate this preset alone")
            add_action(menu, text, lambda: self.alone_requested.emit(row.index))
        text = _("Open {deck_options}").format(**anki_words())
        add_action(menu, text, lambda: self.options_requested.emit(row.preset_id))
        return menu

    @staticmethod
    def _row(item: QTreeWidgetItem) -> ListRow:
        row: ListRow = item.data(STRIP, _ROW)
        return row

    # --- size ---------------------------------------------------------------------------------------------------------

    @property
    def n_visible_rows(self) -> int:
        """Number of rows that are not folded."""
        return sum(item.parent() is None or present(item.parent()).isExpanded() for item in self.items)

    def height_of(self, n_rows: int) -> int:
        """Return the height in pixels of the header and this many rows."""
        return self._head.sizeHint().height() + n_rows * max(self.sizeHintForRow(0), 0) + 2 * self.frameWidth()


class _StripDelegate(QStyledItemDelegate):
    """Delegate that draws the share remembered with its interval, on a scale around what FSRS said."""

    def __init__(self, parent: FindingsList) -> None:
        super().__init__(parent)
        self._list = parent

    def paint(self, painter: Optional[QPainter], option: QStyleOptionViewItem, index: QModelIndex) -> None:
        """Qt: draw the scale with a tick for what FSRS said, and on it the interval as a bracket around a dot."""
        super().paint(painter, option, index)
        painter = present(painter)
        row: ListRow = index.data(_ROW)
        if row.strip is None:
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(QRectF(option.rect).center())
        half_width = option.rect.width() / 2 - 2 * CELL_PADDING
        tick = option.rect.height() / 4
        low, value, high = (half_width * end / self._list.reach for end in row.strip)
        bracket = [QLineF(low, 0, high, 0)]
        for end, inward in ((low, 3), (high, -3)):
            bracket.append(QLineF(end, -tick, end, tick))
            bracket += [QLineF(end, y, end + inward, y) for y in (-tick, tick)]
        color = QColor(COLORS[row.sign or "dot"][theme_manager.night_mode])
        for lines, pen_color, width in (
            ([QLineF(-half_width, 0, half_width, 0)], theme_manager.qcolor(colors.FG_SUBTLE), 1.0),
            ([QLineF(0, -1.6 * tick, 0, 1.6 * tick)], theme_manager.qcolor(colors.FG), 1.5),
            (bracket, color, 2.5),
        ):
            painter.setPen(QPen(pen_color, width))
            painter.drawLines(*lines)
        painter.setBrush(color)
        painter.drawEllipse(QPointF(value, 0), tick / 2, tick / 2)
        painter.restore()
