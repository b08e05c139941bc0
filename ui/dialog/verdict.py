"""The answer in words, at the top: the first sentence as a heading, the others below it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

from aqt.qt import QVBoxLayout, QWidget

from .. import strings
from ..phrases import paragraph
from ..table_text import verdict_tip
from .labels import Label, heading_font
from .paragraph import Paragraph

if TYPE_CHECKING:
    from evaluator.report import Report


#: Two lines hold three sentences then.
_LETTERS_ACROSS = 190


class VerdictPanel(QWidget):
    """Always two lines or three tall, so that what stands below does not move when the answer comes."""

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.heading = Label()
        self.heading.setFont(heading_font(self))
        self.heading.setWordWrap(True)
        self.text = Paragraph(letters_across=_LETTERS_ACROSS, least_lines=2)
        self.heading.setTextInteractionFlags(self.text.textInteractionFlags())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self.heading)
        layout.addWidget(self.text)

    def show_running(self) -> None:
        """What is being found out."""
        self.heading.setText(strings.RUNNING_HEADING)
        self.text.setText(strings.RUNNING_TEXT)
        self.text.setToolTip("")

    def show_report(self, report: Report) -> None:
        """The report's sentences."""
        sentences = report.verdict.sentences
        self.heading.setText(sentences[0] if sentences else "")
        self.text.setText(paragraph(*sentences[1:]))
        self.text.setToolTip(verdict_tip() if len(sentences) > 1 else "")
