"""Anki's language and its own words, for the windows."""

from __future__ import annotations

from typing import Any, Callable, Dict, Optional

from ..text import choose_language

#: Method of Anki's ``tr`` by English word, for words that the code marks by ``pgettext("Anki", ...)``. A term that is
#: also part of our sentences is listed only if all versions of Anki translate it alike.
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
    # Anki 24.11 writes "Optimize" on the button.
    "Optimize": "deck_config_optimize_button",
    "Optimize All Presets": "deck_config_save_and_optimize",
    "Optimize Current Preset": "deck_config_optimize_button",
    "Preset": "deck_config_shared_preset",
    "Save": "actions_save",
    "Update": "scheduling_update_button",
    "Whole collection": "browsing_whole_collection",
}


def borrow_from(tr: Any) -> Callable[[str], Optional[str]]:
    """Return a function that translates an English word as Anki does, without the mark of its access key.

    The function returns None if this Anki has no translation of the word.
    """

    def borrow(english: str) -> Optional[str]:
        word = getattr(tr, ANKI_WORDS.get(english, ""), None)
        return None if word is None else str(word()).replace("&", "")

    return borrow


def choose_anki_language() -> None:
    """Choose Anki's language for all texts. Call it once, before any text is looked up.

    Anki changes its language only by restarting.
    """
    import anki.lang
    from aqt.utils import tr

    choose_language(anki.lang.current_lang, borrow_from(tr))
