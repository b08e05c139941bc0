"""Short notes that go away by themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aqt.qt import QApplication
from aqt.utils import tooltip

if TYPE_CHECKING:
    from aqt.qt import QWidget


def copy_to_clipboard(text: str, note: str, parent: QWidget) -> None:
    """Put the text on the clipboard and say so."""
    clipboard = QApplication.clipboard()
    if clipboard is not None:
        clipboard.setText(text)
        tooltip(note, parent=parent)
