"""The texts of menus, apart from :mod:`ui.strings`: to compile that takes longer than all else at Anki's start."""

from __future__ import annotations

from .text import translate

MENU_ITEM = "SRS Evaluator…"
DECK_MENU_ITEM = "Evaluate with SRS Evaluator…"
BROWSER_MENU_ITEM = "Evaluate This Search with SRS Evaluator…"
#: They are needed when the files of the add-on are no longer there.
DELETED = "SRS Evaluator has been deleted. It leaves the menus when Anki is restarted."
UPDATED = "SRS Evaluator has been updated. Restart Anki to use the new version."

translate(globals(), "menu")
