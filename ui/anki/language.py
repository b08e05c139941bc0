"""The language of the windows is Anki's."""

from __future__ import annotations

from typing import Any, Callable, Dict, Optional

from ..text import choose

#: The method of Anki's ``tr`` by the context of our text. A term that our sentences hold, too, is not here where Anki's
#: versions differ in it: the window would call one thing by two names.
ANKI_WORDS: Dict[str, str] = {
    "window.CANCEL": "actions_cancel",
    "window.CLOSE": "actions_close",
    "window.EXPORT": "actions_export",
    "window.GLOSSARY.preset.term": "deck_config_shared_preset",
    "window.GLOSSARY.review.term": "scheduling_review",
    "window.GROUP_NAMES.deck": "decks_deck",
    "window.GROUP_NAMES.preset": "deck_config_shared_preset",
    "window.OPTIONS": "actions_options",
    "window.SCOPE_BUTTON.collection": "browsing_whole_collection",
    "window.SLICE_NAMES.last_rating.Again": "studying_again",
    "window.SLICE_NAMES.last_rating.Hard": "studying_hard",
    "window.SLICE_NAMES.last_rating.Good": "studying_good",
    "window.SLICE_NAMES.last_rating.Easy": "studying_easy",
    "window.SPLIT_ALL.deck": "exporting_all_decks",
}


def borrow_from(tr: Any) -> Callable[[str], Optional[str]]:
    """Says what Anki says for a text, without a mark for a key to press; None where this Anki has no word for it."""

    def borrow(context: str) -> Optional[str]:
        word = getattr(tr, ANKI_WORDS.get(context, ""), None)
        return None if word is None else str(word()).replace("&", "")

    return borrow


def choose_ankis() -> None:
    """To be called before any text of the add-on is imported. Anki changes its language only by starting anew."""
    import anki.lang
    from aqt.utils import tr

    choose(anki.lang.current_lang, borrow_from(tr))
