"""A page of sections, one below the other, that scrolls."""

from __future__ import annotations

from typing import List, Optional

from aqt.qt import QFrame, QScrollArea, Qt, QVBoxLayout, QWidget

from ..views import Page
from .findings import Findings
from .graph_view import Draw
from .section_block import SectionBlock
from .widgets import go_through


class SectionPage(QScrollArea):
    """Its sections are made and worked out when it is first opened."""

    def __init__(self, page: Page, findings: Findings, draw: Draw, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.page = page
        self._findings, self._draw = findings, draw
        self.blocks: List[SectionBlock] = []
        self.setAccessibleName(page.title)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def _build(self) -> None:
        inside = QWidget(self)
        self.blocks = [SectionBlock(name, self._findings, self._draw, parent=inside) for name in self.page.views]
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 4, 12, 4)
        column.setSpacing(28)
        for block in self.blocks:
            column.addWidget(block)
        column.addStretch(1)
        self.setWidget(inside)
        go_through(self, *(block.button for block in self.blocks))

    def open(self) -> None:
        """It is to be seen from now on."""
        if not self.blocks:
            self._build()
        self._show_as_many()
        for block in reversed(self.blocks):  # what is asked last comes first
            block.open()

    def close_up(self) -> None:
        """It is not to be seen any more."""
        for block in self.blocks:
            block.close_up()

    def follow_theme(self) -> None:
        """The colours of now."""
        for block in self.blocks:
            block.follow_theme()

    def _show_as_many(self) -> None:
        """While the evaluation runs, one block says so for all."""
        for block in self.blocks[1:]:
            block.setVisible(self._findings.complete)
