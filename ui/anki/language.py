"""Use Anki's language for the windows."""

from __future__ import annotations

from typing import Any, Callable, Dict, Optional

from ..text import choose

#: The method of Anki's ``tr`` by our word, which is in the code as ``pgettext("Anki", ...)``. Terms that our
#: sentences use too are only here if all versions of Anki translate them alike.
ANKI_WORDS: Dict[str, str] = {
    "Again": "studying_again",
    "Cancel": "actions_cancel",
    "Close": "actions_close",
    "Deck": "decks_deck",
    "Deck Options": "deck_config_title",
    "Easy": "studying_easy",
    "Export": "actions_export",
    "Good": "studying_good",
    "Hard": "studying_hard",
    "Ignore cards reviewed before": "deck_config_ignore_before",
    "Optimize": "deck_config_optimize_button",  # in Anki 24.11
    "Optimize All Presets": "deck_config_save_and_optimize",
    "Optimize Current Preset": "deck_config_optimize_button",
    "Preset": "deck_config_shared_preset",
    "Save": "actions_save",
    "Update": "scheduling_update_button",
    "Whole collection": "browsing_whole_collection",
}


def borrow_from(tr: Any) -> Callable[[str], Optional[str]]:
    """Return a function from our English word to Anki's, without its access key, or to None if this Anki has none."""

    def borrow(english: str) -> Optional[str]:
        word = getattr(tr, ANKI_WORDS.get(english, ""), None)
        return None if word is None else str(word()).replace("&", "")

    return borrow


def choose_ankis() -> None:
    """Choose Anki's language. Call it before any text is looked up. Anki changes its language only by restarting."""
    import anki.lang
    from aqt.utils import tr

    choose(anki.lang.current_lang, borrow_from(tr))
