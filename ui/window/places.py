"""What the person can choose from: the decks, the presets, and the browser's search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional, Tuple

from aqt.browser.browser import Browser
from aqt.qt import QApplication


@dataclass(frozen=True)
class Places:
    """Names, sorted as Anki sorts them."""

    decks: Tuple[str, ...] = ()  #: whole ones, each deck after the one it lies in
    presets: Tuple[str, ...] = ()
    search: str = ""  #: what the open browser shows; empty where none is open, or it shows all


def places(col: Any, search: str = "") -> Places:
    """The decks and presets of a collection, beside that search; none where no collection is open."""
    if col is None or col.db is None:
        return Places(search=search)
    decks = col.decks.all_names_and_ids(skip_empty_default=True, include_filtered=False)
    presets = sorted({str(preset["name"]) for preset in col.decks.all_config()}, key=str.casefold)
    return Places(tuple(str(deck.name) for deck in decks), tuple(presets), search)


def open_browser() -> Optional[Browser]:
    """The browser, if it is open."""
    shown = (window for window in QApplication.topLevelWidgets() if isinstance(window, Browser) and window.isVisible())
    return next(shown, None)


def search_of(browser: Optional[Browser]) -> str:
    """The search whose cards the browser lists; empty where it lists all, or there is none.

    What is typed but not yet searched for does not count, unless this Anki does not tell the two apart.
    """
    if browser is None:
        return ""
    # Which search was made last is known to the browser alone, under a name of its own.
    return str(getattr(browser, "_lastSearchTxt", None) or browser.current_search()).strip()
