"""The language of the windows is Anki's. Light enough for Anki's start, so the door to it is not :mod:`ui.science`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING or __package__ == "ui":
    from evaluator.counted import Counted
    from evaluator.language import choose, code, text, translate
else:
    from ..evaluator.counted import Counted
    from ..evaluator.language import choose, code, text, translate

__all__ = ["Counted", "choose_ankis", "code", "text", "translate"]


def choose_ankis() -> None:
    """To be called before any text of the add-on is imported. Anki changes its language only by starting anew."""
    import anki.lang
    from aqt.utils import tr

    from .anki_words import borrow_from

    choose(anki.lang.current_lang, borrow_from(tr))
