"""The item in Anki's Tools menu. Everything else is imported when it is first clicked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import aqt
from aqt.qt import QAction, qconnect

from . import strings

if TYPE_CHECKING:
    from aqt.main import AnkiQt

    from .dialog.window import EvaluatorWindow

#: Under this name Anki's dialog manager knows the window; it keeps it single and closes it with the profile.
WINDOW_KEY = "srs_evaluator"


def add_menu_item(mw: AnkiQt) -> None:
    """Add Tools > SRS Evaluator…, which opens the window or raises the one that is open."""
    aqt.dialogs.register_dialog(WINDOW_KEY, _create_window)
    action = QAction(strings.MENU_ITEM, mw)
    qconnect(action.triggered, lambda _checked=False: aqt.dialogs.open(WINDOW_KEY))
    mw.form.menuTools.addAction(action)


def _create_window() -> EvaluatorWindow:
    from .dialog.window import EvaluatorWindow

    return EvaluatorWindow(aqt.mw, WINDOW_KEY)
