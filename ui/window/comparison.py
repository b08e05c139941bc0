"""The first page: the table as evidence, a graph as explanation, and below, folded, whether a number can be cheated."""

from __future__ import annotations

from functools import cached_property
from typing import Optional

from aqt.qt import (
    QEvent,
    QFrame,
    QObject,
    QResizeEvent,
    QScrollArea,
    QSplitter,
    Qt,
    QVBoxLayout,
    QWidget,
    qconnect,
)
from aqt.utils import restoreSplitter, saveSplitter

from ..text import _, strings
from ..views import FOLDED
from .findings import Findings
from .graph_panel import GraphPanel
from .graph_view import Draw
from .labels import FoldButton, Label
from .section_block import SectionBlock
from .table_view import ResultsTable
from .widgets import go_through

#: Taller than so much of the page, what is unfolded scrolls.
_LARGEST_SHARE = 0.5
#: Of the width the table takes no more by itself, if it can do with less.
_TABLE_SHARE = 0.55


class ComparisonPage(QWidget):
    """Shows no report itself: the window fills the table, and tells the panel what was chosen there."""

    def __init__(self, findings: Findings, draw: Draw, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.splitter = QSplitter(Qt.Orientation.Horizontal, self)
        self._left = QWidget(self.splitter)
        self.table = ResultsTable(self._left)
        self.legend = Label()
        self.legend.setWordWrap(True)
        self.fold = FoldButton(
            strings.CHEATING_TITLE,
            _("How close a forecaster that knows nothing about your cards comes to the best, by each number"),
        )
        self._findings, self._draw = findings, draw
        self._divided = False  #: by the person
        self._build()
        qconnect(self.fold.toggled, self._unfold)

    def _build(self) -> None:
        self._column = QVBoxLayout(self._left)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.addWidget(self.table, 1)
        self._column.addWidget(self.legend)
        self._column.addWidget(self.fold, 0, Qt.AlignmentFlag.AlignLeft)
        self.panel = GraphPanel(self._findings, self._draw, self.splitter)
        self.splitter.addWidget(self._left)
        self.splitter.addWidget(self.panel)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setHandleWidth(14)
        self.splitter.setStretchFactor(0, 0)
        self.splitter.setStretchFactor(1, 1)
        qconnect(self.splitter.splitterMoved, lambda *_unused: self._leave_as_it_is())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.splitter, 1)

    @cached_property
    def cheating(self) -> SectionBlock:
        """What is folded away; made when it is first unfolded."""
        return SectionBlock(FOLDED, self._findings, self._draw, titled=False)

    @cached_property
    def _folded(self) -> Folded:
        folded = Folded(self.cheating)
        self._column.addWidget(folded)
        go_through(self.fold, folded, self.cheating.button)
        return folded

    def restore(self, key: str) -> None:
        """Divide the width between table and graph as the person once did, if they did."""
        before = self.splitter.saveState()
        restoreSplitter(self.splitter, key)
        self._divided = self.splitter.saveState() != before

    def save(self, key: str) -> None:
        """Remember how the person has divided it."""
        if self._divided:
            saveSplitter(self.splitter, key)

    def resizeEvent(self, event: Optional[QResizeEvent]) -> None:  # noqa: N802 - Qt's name
        """Qt: another width. The table takes what it needs, the graph the rest."""
        super().resizeEvent(event)
        if not self._divided:
            width = self.width() - self.splitter.handleWidth()
            table = min(self.table.usual_width, max(self.table.minimumWidth(), round(_TABLE_SHARE * width)))
            self.splitter.setSizes([table, width - table])

    def _leave_as_it_is(self) -> None:
        self._divided = True

    def follow_theme(self) -> None:
        """The colours of now."""
        self.table.follow_theme()
        self.panel.follow_theme()
        if "cheating" in vars(self):
            self.cheating.follow_theme()

    def _unfold(self, unfolded: bool) -> None:
        self._folded.setVisible(unfolded)
        if unfolded:
            self.cheating.open()
        else:
            self.cheating.close_up()


class Folded(QScrollArea):
    """As tall as what is in it, within reason."""

    def __init__(self, inside: QWidget) -> None:
        super().__init__()
        self._inside = inside
        self._fitting = False
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(inside)
        inside.installEventFilter(self)
        self.hide()

    def eventFilter(self, watched: Optional[QObject], event: Optional[QEvent]) -> bool:  # noqa: N802 - Qt's name
        """Qt: something happened to what is inside."""
        if event is not None and event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Resize):
            self._fit()
        return super().eventFilter(watched, event)

    def _fit(self) -> None:
        """Once for each change from outside: the height decides whether there is a scroll bar, and so the width."""
        layout, page = self._inside.layout(), self.parentWidget()
        if self._fitting or layout is None or page is None:
            return
        self._fitting = True
        try:
            height = layout.totalHeightForWidth(self._inside.width())
            self.setFixedHeight(round(min(height + 2, _LARGEST_SHARE * page.height())))
        finally:
            self._fitting = False
