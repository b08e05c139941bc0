"""The items in Anki's menus. Everything else is imported when one of them is first clicked."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Callable, List, Optional

import aqt
from aqt import gui_hooks

from .anki import language
from .text import _

if TYPE_CHECKING:
    from aqt.browser.browser import Browser
    from aqt.main import AnkiQt
    from aqt.qt import QMenu

    from .scope_access import ScopeChoice
    from .window.libraries_dialog import LibrariesDialog
    from .window.window import EvaluatorWindow

#: Name of the window in Anki's dialog manager, which keeps it single and closes it with the profile.
WINDOW_KEY = "srs_evaluator"

#: Name of the dialog that opens instead of the window while NumPy or matplotlib is missing.
LIBRARIES_KEY = "srs_evaluator_libraries"


def add_menu_items(mw: AnkiQt) -> None:
    """Add an item to the Tools menu, to each deck's gear menu, and to the browser's Cards menu.

    Each opens the window, or raises the one that is open. From a deck or the browser it evaluates just those cards.
    If the add-on is installed twice, under AnkiWeb's number and from a file, the second copy adds nothing.
    """
    if WINDOW_KEY in aqt.dialogs._dialogs:  # noqa: SLF001 - there is no public way
        return
    language.choose_anki_language()
    aqt.dialogs.register_dialog(WINDOW_KEY, _create_window)
    aqt.dialogs.register_dialog(LIBRARIES_KEY, _create_libraries_dialog)
    mw.form.menuTools.addAction(_("SRS Evaluator…"), lambda: _open(None))
    gui_hooks.deck_browser_will_show_options_menu.append(_add_to_gear_menu)
    gui_hooks.browser_menus_did_init.append(_add_to_browser)
    gui_hooks.addons_dialog_will_delete_addons.append(_remove_libraries)


def _add_to_gear_menu(menu: QMenu, deck_id: int) -> None:
    menu.addAction(_("Evaluate with SRS Evaluator…"), lambda: _open(_scope_of_deck(deck_id)))


def _add_to_browser(browser: Browser) -> None:
    menu = browser.form.menu_Cards
    menu.addSeparator()
    menu.addAction(_("Evaluate This Search with SRS Evaluator…"), lambda: _open(_scope_of_browser(browser)))


def _scope_of_deck(deck_id: int) -> ScopeChoice:
    """Return the scope of a deck with its subdecks."""
    from anki.decks import DeckId

    from .scope_access import ScopeChoice

    return ScopeChoice("deck", aqt.mw.col.decks.name(DeckId(deck_id)))


def _scope_of_browser(browser: Browser) -> ScopeChoice:
    """Return the scope of the cards in the browser's list. Text that was typed but not searched for is ignored."""
    from .scope_access import WHOLE_COLLECTION, ScopeChoice

    # Only this private attribute holds the last search.
    search = str(getattr(browser, "_lastSearchTxt", None) or browser.current_search()).strip()
    return ScopeChoice("search", search) if search else WHOLE_COLLECTION


def _open(scope: Optional[ScopeChoice]) -> None:
    """Open the window or raise it, or open the dialog for missing libraries.

    Without a scope, an open window keeps its own, and a new window evaluates all cards.
    """
    from .anki.libraries import needs

    if needs.are_ready(Path(aqt.mw.pm.base)):
        aqt.dialogs.open(WINDOW_KEY, scope)
    else:
        aqt.dialogs.open(LIBRARIES_KEY, partial(_open, scope))


def _create_window(scope: Optional[ScopeChoice]) -> EvaluatorWindow:
    from .window.window import EvaluatorWindow

    return EvaluatorWindow(aqt.mw, WINDOW_KEY, scope)


def _create_libraries_dialog(then: Callable[[], None]) -> LibrariesDialog:
    from .window.libraries_dialog import LibrariesDialog

    return LibrariesDialog(aqt.mw, LIBRARIES_KEY, then)


def _remove_libraries(_dialog: object, names: List[str]) -> None:
    """Remove the libraries if the add-on is among those that the user is deleting."""
    if aqt.mw.addonManager.addonFromModule(__name__) in names:
        from .anki.libraries import install

        for key in (WINDOW_KEY, LIBRARIES_KEY):
            window = aqt.dialogs._dialogs[key][1]  # noqa: SLF001 - publicly, Anki can only close all windows
            if window is not None:
                window.close()
        install.remove(Path(aqt.mw.pm.base))
