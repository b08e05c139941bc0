"""The first page: the table as evidence, a graph as explanation, and below, folded, whether a number can be cheated."""

from __future__ import annotations

from typing import Callable, Optional

from aqt.qt import QFrame, QLabel, QScrollArea, QSplitter, Qt, QVBoxLayout, QWidget, qconnect

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
        self._folded = QScrollArea()
        self._build()
        qconnect(self.fold.toggled, self._unfold)
        qconnect(findings.changed, self._fit)

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
        self._folded.setFrameShape(QFrame.Shape.NoFrame)
        self._folded.setWidgetResizable(True)
        self._folded.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._folded.setWidget(self.cheating)
        self._folded.hide()
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
            self._fit()
        else:
            self.cheating.close_up()

    def _fit(self) -> None:
        if self.fold.isChecked():
            most = max(_LARGEST_SHARE * self.height(), _LEAST_LINES * self.fontMetrics().lineSpacing())
            layout = self.cheating.layout()
            wanted = layout.heightForWidth(self.width()) if layout is not None else 0
            self._folded.setFixedHeight(round(min(max(wanted, 0) + 4, most)))
