"""The language of all strings, which are written in English in the code, between ``_("`` and ``")``.

``ngettext`` is for texts whose form depends on a number, :class:`Counted` for those whose number comes later, and
``pgettext`` for an English text with two translations, with a word on which of them is meant. The translations are GNU
gettext catalogs (``languages/ja.po``, compiled to ``ja.mo``), which ``python3 tools languages`` updates.

A process has one language, chosen before the first string is translated. So strings may be translated outside functions
too.
"""

from __future__ import annotations

import gettext
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Optional

FOLDER = Path(__file__).parent / "languages"

#: The context of words that Anki translates itself.
ANKI = "Anki"
#: Function that returns Anki's translation of an English word, or None.
Borrow = Callable[[str], Optional[str]]


class _Language:
    code = "en"
    catalog: Optional[gettext.GNUTranslations] = None
    borrow: Borrow = staticmethod(lambda _english: None)
    is_used = False  #: whether a string was translated already


def choose(code: str, borrow: Optional[Borrow] = None) -> None:
    """Use this language for all strings, or English if it has no complete catalog.

    Args:
        code: Anki's language code, such as "ja" or "zh-CN". Without a catalog for "pt-BR", "pt" is used.
        borrow: returns Anki's own translations.

    Raises:
        RuntimeError: a string was translated before, so there would be two languages.
    """
    if _Language.is_used:
        raise RuntimeError("choose a language before translating the first string")
    for name in (code.replace("-", "_"), code.replace("_", "-").split("-", maxsplit=1)[0]):
        catalog = _read(FOLDER / f"{name}.mo")
        if catalog is not None:
            _Language.catalog = catalog
            _Language.borrow = borrow or _Language.borrow
            _Language.code = name.replace("_", "-")
            return


def _read(path: Path) -> Optional[gettext.GNUTranslations]:
    """Return the catalog in that file, or None if it is missing or damaged."""
    try:
        with path.open("rb") as file:
            return gettext.GNUTranslations(file)
    except (OSError, ValueError, LookupError, struct.error):
        return None


def code() -> str:
    """Return the chosen language as in web pages: "en", "ja", "zh-CN"."""
    return _Language.code


def _(english: str) -> str:
    _Language.is_used = True
    return _Language.catalog.gettext(english) if _Language.catalog else english


def pgettext(context: str, english: str) -> str:
    """Return a text in the meaning that the context names. With the context "Anki" it is Anki's own word."""
    _Language.is_used = True
    if _Language.catalog is None:
        return english
    borrowed = _Language.borrow(english) if context == ANKI else None
    return borrowed or _Language.catalog.pgettext(context, english)


def ngettext(one: str, other: str, count: int) -> str:
    """Return the singular or plural form of a text for that count. Its fields are not yet filled in."""
    _Language.is_used = True
    if _Language.catalog is None:
        return one if count == 1 else other
    return _Language.catalog.ngettext(one, other, count)


@dataclass(frozen=True)
class Counted:
    """A text whose number comes later. The number is in braces as ``{count}``, with a format such as ``{count:,}``."""

    one: str
    other: str

    def __call__(self, count: int, **facts: Any) -> str:
        """Return the text for that count, with all fields in braces filled in."""
        return ngettext(self.one, self.other, count).format(count=count, **facts)
