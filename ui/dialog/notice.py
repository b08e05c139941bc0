"""A quiet line above the buttons, for what should be known but need not disturb."""

from __future__ import annotations

from typing import Optional

from aqt.qt import QHBoxLayout, QPushButton, QWidget, pyqtSignal, qconnect

from .. import strings
from .labels import Label, wrapped


class Notice(QWidget):
    """A sentence, and where it helps a button to copy details. Hidden while there is none."""

    copy_details = pyqtSignal(str)

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.label = wrapped(Label())
        self._details = ""
        self._copy = QPushButton(strings.COPY_DETAILS)
        self._copy.setAutoDefault(False)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.label, 1)
        layout.addWidget(self._copy)
        qconnect(self._copy.clicked, lambda _checked=False: self.copy_details.emit(self._details))
        self.hide()

    def say(self, text: str, *, details: str = "") -> None:
        """Show this sentence."""
        self.label.setText(text)
        self._details = details
        self._copy.setVisible(bool(details))
        self.show()

    def clear(self) -> None:
        """Show nothing."""
        self.label.clear()
        self.hide()
