"""The first page: the table as evidence, a graph as explanation, and below, folded, whether a number can be cheated."""

from __future__ import annotations

from typing import Callable, Optional

from aqt.qt import QEvent, QFrame, QLabel, QObject, QScrollArea, QSplitter, Qt, QVBoxLayout, QWidget, qconnect

from .. import strings
from ..pages import FOLDED
from .findings import Findings
from .fold_button import FoldButton
from .graph_panel import GraphPanel
from .section_block import SectionBlock
from .table_view import ResultsTable

#: What is unfolded is taller than so much of the page only if it would be unreadable otherwise; it scrolls then.
_LARGEST_SHARE, _LEAST_LINES = 0.45, 6


class Comparison(QWidget):
    """Shows no report itself: the window fills the table, and tells the panel what was chosen there."""

    def __init__(self, findings: Findings, may_draw: Callable[[], bool], parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.table = ResultsTable()
        self.legend = QLabel()
        self.legend.setWordWrap(True)
        self.panel = GraphPanel(findings)
        self.panel.view.may_draw = may_draw
        self.fold = FoldButton(strings.CHEATING_TITLE, strings.CHEATING_TIP)
        self.cheating = SectionBlock(FOLDED, findings, may_draw, titled=False)
        self._folded = Folded(self.cheating)
        self._build()
        qconnect(self.fold.toggled, self._unfold)

    def _build(self) -> None:
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.table, 1)
        column.addWidget(self.legend)
        column.addWidget(self.fold, 0, Qt.AlignmentFlag.AlignLeft)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.addWidget(left)
        self.splitter.addWidget(self.panel)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setHandleWidth(14)
        self.splitter.setSizes([500, 560])
        self.splitter.setStretchFactor(0, 3)
        self.splitter.setStretchFactor(1, 4)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.splitter, 1)
        layout.addWidget(self._folded)

    def follow_theme(self) -> None:
        """The colours of now."""
        self.table.redraw_marks()
        self.panel.view.redraw()
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
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(inside)
        inside.installEventFilter(self)
        self.hide()

    def eventFilter(self, watched: Optional[QObject], event: Optional[QEvent]) -> bool:  # noqa: N802 - Qt's name
        """Qt: something happened to what is inside."""
        if event is not None and event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Resize):
            layout, page = self._inside.layout(), self.parentWidget()
            if layout is not None and page is not None:
                most = max(_LARGEST_SHARE * page.height(), _LEAST_LINES * self.fontMetrics().lineSpacing())
                height = layout.totalHeightForWidth(self._inside.width())
                self.setFixedHeight(round(min(max(height, layout.sizeHint().height()) + 2, most)))
        return super().eventFilter(watched, event)
