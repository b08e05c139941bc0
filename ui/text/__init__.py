"""Translation of all strings, which are written in English in the code.

A string to translate is an argument of a function or class of this module. :func:`_` is the usual one,
:class:`Counted` is for texts that depend on a number, and :func:`pgettext` for English texts with several meanings. The
translations are GNU gettext catalogs (``languages/ja.po``, compiled to ``ja.mo``). ``python3 tools languages`` updates
them.

A process has one language, which is chosen before the first string is translated. So module constants may be translated
too.
"""

from __future__ import annotations

import gettext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Optional

FOLDER = Path(__file__).parent / "languages"

#: Context of :func:`pgettext` for words that Anki translates itself.
ANKI = "Anki"
#: Function that returns Anki's translation of an English word, or None.
Borrow = Callable[[str], Optional[str]]


class _Language:
    """The language of the process."""

    code = "en"
    catalog: Optional[gettext.GNUTranslations] = None
    borrow: Borrow = staticmethod(lambda _english: None)


def choose_language(code: str, borrow: Borrow) -> None:
    """Choose the language of all strings. Call this before the first string is translated.

    Args:
        code: Anki's language code, such as "ja" or "zh-CN". Without a catalog for "pt-BR", that for "pt" is used, and
            without either, English.
        borrow: function that returns Anki's translation of an English word, or None.
    """
    for name in (code.replace("-", "_"), code.replace("_", "-").split("-", maxsplit=1)[0]):
        path = FOLDER / f"{name}.mo"
        if path.exists():
            with path.open("rb") as file:
                _Language.catalog = gettext.GNUTranslations(file)
            _Language.borrow = borrow
            _Language.code = name.replace("_", "-")
            return


def language_code() -> str:
    """Return the code of the language as in web pages, such as "en", "ja" or "zh-CN"."""
    return _Language.code


def _(english: str) -> str:
    """Return the translation of a text."""
    return _Language.catalog.gettext(english) if _Language.catalog else english


def pgettext(context: str, english: str) -> str:
    """Return the translation of a text in the meaning that the context names.

    With the context "Anki", the translation is Anki's own if it has one.
    """
    if _Language.catalog is None:
        return english
    borrowed = _Language.borrow(english) if context == ANKI else None
    return borrowed or _Language.catalog.pgettext(context, english)


@dataclass(frozen=True)
class Counted:
    """A text whose form depends on a number, which is written as ``{count}`` or ``{count:,}``."""

    one: str
    other: str

    def __call__(self, count: int, **facts: Any) -> str:
        """Return the translation for this count, with all fields filled in."""
        text = self.one if count == 1 else self.other
        if _Language.catalog is not None:
            text = _Language.catalog.ngettext(self.one, self.other, count)
        return text.format(count=count, **facts)
