"""SRS Evaluator, an Anki add-on: how well would FSRS, SM-2 and others have predicted your memory?

Inside Anki this adds an item to some menus and does nothing else until one is clicked. Outside Anki, in tests and
tools, it does nothing at all.
"""

from __future__ import annotations

try:
    from aqt import mw
except ImportError:
    mw = None  # type: ignore[assignment]

if mw is not None:
    from .ui.menu import add_menu_items

    add_menu_items(mw)
