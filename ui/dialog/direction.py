"""Which way the window's language is written. Anki's may go the other way: where it has no catalogue, ours is English.

Else a minus sign would stand behind its number, and a question mark before its question.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from aqt.qt import QLocale

from .. import language

if TYPE_CHECKING:
    from aqt.qt import QWidget


def follow_language(window: QWidget) -> None:
    """To be called for each window, popup and menu; what is within follows."""
    window.setLayoutDirection(QLocale(language.code()).textDirection())
