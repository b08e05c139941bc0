"""The texts of menus, apart from :mod:`ui.strings`: to compile that takes longer than all else at Anki's start."""

from __future__ import annotations

from .language import translate

MENU_ITEM = "SRS Evaluator…"
DECK_MENU_ITEM = "Evaluate with SRS Evaluator…"
BROWSER_MENU_ITEM = "Evaluate This Search with SRS Evaluator…"

translate(globals(), "menu")
