"""A question whose answer is folded away until it is asked."""

from __future__ import annotations

from aqt.qt import Qt, QToolButton, qconnect


class FoldButton(QToolButton):
    """A small arrow and the question; ``toggled`` says whether the answer is to be seen."""

    def __init__(self, question: str, tip: str = "") -> None:
        super().__init__()
        self.setText(question)
        self.setToolTip(tip)
        self.setCheckable(True)
        self.setAutoRaise(True)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._turn(unfolded=False)
        qconnect(self.toggled, lambda checked: self._turn(unfolded=checked))

    def _turn(self, *, unfolded: bool) -> None:
        self.setArrowType(Qt.ArrowType.DownArrow if unfolded else Qt.ArrowType.RightArrow)
