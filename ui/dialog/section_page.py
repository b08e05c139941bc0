"""A page of sections, one below the other, that scrolls."""

from __future__ import annotations

from typing import Callable, Optional

from aqt.qt import QFrame, QScrollArea, Qt, QVBoxLayout, QWidget, pyqtSignal, qconnect

from ..pages import Page
from .findings import Findings
from .section_block import SectionBlock


class SectionPage(QScrollArea):
    """Its sections are worked out when it is first opened."""

    drawing = pyqtSignal(object, bool)  #: a view, and whether it is about to draw

    def __init__(
        self, page: Page, findings: Findings, may_draw: Callable[[], bool], parent: Optional[QWidget] = None
    ) -> None:
        super().__init__(parent)
        self.page = page
        self._findings = findings
        self.setAccessibleName(page.title)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.blocks = [SectionBlock(section, findings, may_draw) for section in page.sections]
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 4, 12, 4)
        column.setSpacing(28)
        for block in self.blocks:
            column.addWidget(block)
            qconnect(block.drawing, self.drawing.emit)
        column.addStretch(1)
        self.setWidget(inside)

    def open(self) -> None:
        """It is to be seen from now on."""
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
