"""What stands in the window's middle where there are no results: a heading, a few calm lines, and what can be done."""

from __future__ import annotations

from typing import Optional

from aqt.qt import QHBoxLayout, QPushButton, Qt, QVBoxLayout, QWidget, qconnect

from .. import strings
from .labels import Label, heading_font, wrapped
from .toast import copy_to_clipboard


class MessagePage(QWidget):
    """A heading and a text; a button to copy the details if there are any."""

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.heading = wrapped(Label())
        self.heading.setFont(heading_font(self))
        self.text = wrapped(Label())
        for label in (self.heading, self.text):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
            label.setTextInteractionFlags(
                Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
            )
        self.copy_button = QPushButton(strings.COPY_DETAILS)
        self.copy_button.setAutoDefault(False)
        self.details = ""
        qconnect(self.copy_button.clicked, self._copy)

        column = QVBoxLayout()
        column.setSpacing(10)
        column.addStretch(2)
        column.addWidget(self.heading)
        column.addWidget(self.text)
        column.addWidget(self.copy_button, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(3)
        layout = QHBoxLayout(self)
        layout.addStretch(1)
        layout.addLayout(column, 4)
        layout.addStretch(1)

    def show_message(self, heading: str, text: str, details: str = "") -> None:
        """Put these in place of what was said before."""
        self.heading.setText(heading)
        self.text.setText(text)
        self.details = details
        self.copy_button.setVisible(bool(details))

    def _copy(self) -> None:
        copy_to_clipboard(self.details, strings.DETAILS_COPIED, self)
