"""The language of all texts: chosen once, before the first module that holds texts is imported.

Texts stand in English in a few modules of constants: :mod:`ui.text.strings`, :mod:`ui.strings` and two small ones. At
its end each calls :func:`translate`, so whoever imports it finds its texts in the language that was chosen; without a
choice they stay English. The translations are GNU gettext catalogues (``languages/ja.po``, compiled to ``ja.mo``), in
which a text's context is the name of its constant. ``python3 tools languages`` brings them up to date.
"""

from __future__ import annotations

import gettext
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, Optional, Tuple


@dataclass(frozen=True)
class Counted:
    """Its forms in English; ``choose`` gives that of another language for a number, as its own grammar has it."""

    one: str  #: ``{count}``, with a format such as ``{count:,}``, is where the number stands
    other: str
    choose: Optional[Callable[[int], str]] = None

    def __call__(self, count: int, **facts: Any) -> str:
        """The text for so many, with whatever else stands in braces filled in."""
        choose = self.choose or self._in_english
        return choose(count).format(count=count, **facts)

    def _in_english(self, count: int) -> str:
        return self.one if count == 1 else self.other


FOLDER = Path(__file__).parent / "languages"

#: Takes a text's context, such as "window.CLOSE", and gives what another program says for it, or nothing.
Borrow = Callable[[str], Optional[str]]


class _Language:
    code = "en"
    catalogue: gettext.NullTranslations = gettext.NullTranslations()
    borrow: Borrow = staticmethod(lambda _context: None)


def choose(code: str, borrow: Optional[Borrow] = None) -> None:
    """Have all texts that are imported from now on in this language, or in English where no catalogue of it is whole.

    Args:
        code: as Anki writes it, e.g. "ja" or "zh-CN"; of "pt-BR" without a catalogue "pt" is taken.
        borrow: asked for each text first, where there is a catalogue.
    """
    for name in (code.replace("-", "_"), code.replace("_", "-").split("-", maxsplit=1)[0]):
        catalogue = _read(FOLDER / f"{name}.mo")
        if catalogue is not None:
            _Language.catalogue = catalogue
            _Language.borrow = borrow or _Language.borrow
            _Language.code = name.replace("_", "-")
            return


def _read(path: Path) -> Optional[gettext.GNUTranslations]:
    """The catalogue in that file; None where there is none, or a damaged one: English is better than nothing."""
    try:
        with path.open("rb") as file:
            return gettext.GNUTranslations(file)
    except (OSError, ValueError, LookupError, struct.error):
        return None


def code() -> str:
    """Of the texts, as web pages name it: "en", "ja", "zh-CN"."""
    return _Language.code


def translate(module: Dict[str, Any], context: str) -> None:
    """Put the texts of a module, its globals in capitals, into the language that was chosen."""
    if isinstance(_Language.catalogue, gettext.GNUTranslations):
        module.update({name: _translated(value, f"{context}.{name}") for name, value in _texts(module)})


def pgettext(context: str, english: str) -> str:
    """One text that stands elsewhere; in English where there is no translation of just this one."""
    return _Language.catalogue.pgettext(context, english)


def messages(module: Dict[str, Any], context: str) -> Iterator[Tuple[str, Any]]:
    """Context and text, a ``str`` or a :class:`Counted`, of all that there is to translate in a module."""
    for name, value in _texts(module):
        yield from _flat(value, f"{context}.{name}")


def _texts(module: Dict[str, Any]) -> Iterator[Tuple[str, Any]]:
    return ((name, value) for name, value in list(module.items()) if name.isupper() and not name.startswith("_"))


def _parts(value: Any) -> Iterator[Tuple[Any, Any]]:
    """Of a tuple or a dictionary of texts: a name for each, and the text."""
    if isinstance(value, dict):
        yield from value.items()
    else:
        yield from zip(getattr(value, "_fields", range(len(value))), value)


def _within(context: str, key: Any) -> str:
    return f"{context}.{'.'.join(map(str, key)) if isinstance(key, tuple) else key}"


def _flat(value: Any, context: str) -> Iterator[Tuple[str, Any]]:
    if isinstance(value, (str, Counted)):
        if value:
            yield context, value
        return
    for key, part in _parts(value):
        yield from _flat(part, _within(context, key))


def _translated(value: Any, context: str) -> Any:
    if isinstance(value, str):
        return (_Language.borrow(context) or pgettext(context, value)) if value else value
    if isinstance(value, Counted):
        catalogue, one, other = _Language.catalogue, value.one, value.other
        return Counted(one, other, lambda count: catalogue.npgettext(context, one, other, count))
    parts = {key: _translated(part, _within(context, key)) for key, part in _parts(value)}
    if isinstance(value, dict):
        return parts
    return type(value)(**parts) if hasattr(value, "_fields") else type(value)(parts.values())
