"""What Anki's browser shows."""

from __future__ import annotations

from typing import Optional

from aqt.browser.browser import Browser
from aqt.qt import QApplication

from ..anki_window import searched_for


def open_browser() -> Optional[Browser]:
    """The browser, if it is open."""
    shown = (window for window in QApplication.topLevelWidgets() if isinstance(window, Browser) and window.isVisible())
    return next(shown, None)


def search_of(browser: Optional[Browser]) -> str:
    """The search whose cards the browser lists; empty where it lists all, or there is none.

    What is typed but not yet searched for does not count.
    """
    if browser is None:
        return ""
    return searched_for(browser).strip()
