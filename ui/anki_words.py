"""What Anki itself has words for: those are taken from it, so that a button says the same here and there."""

from __future__ import annotations

from typing import Any, Callable, Dict, Optional

#: The method of Anki's ``tr`` by the context of our text.
ANKI_WORDS: Dict[str, str] = {
    "window.CANCEL": "actions_cancel",
    "window.CLOSE": "actions_close",
}


def borrow_from(tr: Any) -> Callable[[str], Optional[str]]:
    """Says what Anki says for a text, without a mark for a key to press; None where this Anki has no word for it."""

    def borrow(context: str) -> Optional[str]:
        word = getattr(tr, ANKI_WORDS.get(context, ""), None)
        return None if word is None else str(word()).replace("&", "")

    return borrow
