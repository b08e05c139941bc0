"""Fonts that matplotlib can load on this computer and that have the characters of a language.

matplotlib draws each character with the first family in a list that has it, and an empty box where none has. Of a
collection (``.ttc``) it knows only the first font before version 3.11, of a variable font only one weight. So a family
counts only once it was loaded and the characters were found in it.
"""

from __future__ import annotations

import threading
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import List, Optional, Sequence, Tuple

from matplotlib import font_manager
from matplotlib.font_manager import FontEntry, FontProperties

from ..text import _, code
from ..text.lines import takes_no_room
from .scripts import SCRIPTS
from .style import FALLBACK_FAMILY, Style

#: Before the name of a family: as we give it to matplotlib, with two weights and no more.
_OURS = "SRS Evaluator "
_REGULAR, _BOLD = 400, 700
#: Lighter ones are hard to read where the letters are small.
_LIGHTEST = 300
_UNREADABLE = (OSError, RuntimeError, ValueError)
#: matplotlib's list of fonts is that of the whole program.
_lock = threading.Lock()


def font_families(language: Optional[str] = None) -> Tuple[str, ...]:
    """The fonts for a figure's texts: first one for Latin letters and signs, then those for that language, if any.

    Last come those for the other scripts, since names are in any. The first time takes some hundredths of a second;
    some seconds where the language has none. So it is to be called off the window's thread first.

    Args:
        language: such as "en", "ja", "zh-CN"; that of the texts if not given.
    """
    own = script_of(code() if language is None else language)
    order = sorted(SCRIPTS, key=lambda script: script != own)
    with _lock:
        found = [_family(script) for script in order]
        if not any(found) or (own is not None and not found[0]):
            _learn_new_fonts()
            found = [_family(script) for script in order]
        return (FALLBACK_FAMILY, *(_registered(family) for family in dict.fromkeys(found) if family))


def own_family(family: str) -> Tuple[str, ...]:
    """The family that a window's letters are drawn with, to go before the others; none if matplotlib cannot load it."""
    if family == FALLBACK_FAMILY:
        return ()
    with _lock:
        entries = _entries(family)
        return (_registered(family),) if entries and _has_all(_file(_nearest(entries, _REGULAR)), "") else ()


def with_fonts(style: Style) -> Style:
    """The style with the fonts for the language of the texts."""
    return replace(style, font_families=font_families())


def can_draw(text: str, families: Sequence[str]) -> bool:
    """Whether these fonts have all characters of the text."""
    return all(_is_drawn(c, tuple(families)) for c in text)


def can_draw_language(language: str) -> bool:
    """Whether the texts of a figure can be read in that language."""
    script = script_of(language)
    return script is None or can_draw(SCRIPTS[script].sample, font_families(language))


def without_font() -> str:
    """What to say beside a figure in which the texts are question marks; empty where they can be read."""
    return (
        ""
        if can_draw_language(code())
        else _(
            "For graphs no font with the letters of this language was found, so they are shown as question marks. "
            "Install one, or look at the numbers."
        )
    )


def legible(text: str, families: Sequence[str]) -> str:
    """The text with a question mark for what would be an empty box; what would only change a neighbour is left out."""
    if text.isascii():
        return text
    return "".join(c if _is_drawn(c, tuple(families)) else "" if takes_no_room(c) else "?" for c in text)


def needed(text: str, families: Sequence[str]) -> List[str]:
    """The first family and those that the text needs beside it, as matplotlib looks for every family in every text."""
    used = {_drawn_with(c, tuple(families)) for c in set(text)}
    return [families[0], *(family for family in families[1:] if family in used)]


def heading_weight(text: str, families: Sequence[str]) -> str:
    """Bold, unless some of it could not be: half a heading in bold looks like a mistake."""
    same = (_found_file(family, _REGULAR) == _found_file(family, _BOLD) for family in needed(text, families))
    return "normal" if any(same) else "bold"


def script_of(language: str) -> Optional[str]:
    """The key of the language's script in SCRIPTS; None where it needs Latin letters only."""
    code = language.replace("_", "-").split("-")[0].lower()
    return code if code in SCRIPTS else None


def _family(script: str) -> Optional[str]:
    """The first of the script's families that is here and can be read; of thin ones only where there is no other."""
    named = ((family, _entries(family)) for family in SCRIPTS[script].families)
    here = {family: _nearest(entries, _REGULAR) for family, entries in named if entries}
    best_first = sorted(here, key=lambda family: _weight(here[family]) < _LIGHTEST)
    return next((family for family in best_first if _has_all(_file(here[family]), SCRIPTS[script].sample)), None)


@lru_cache(maxsize=1)
def _learn_new_fonts() -> None:
    """Tell matplotlib, once, of fonts that were installed since it listed them, which it does once in years."""
    manager = font_manager.fontManager
    known = {entry.fname for entry in manager.ttflist}
    for path in sorted(font_manager.findSystemFonts()):
        if path not in known:
            with suppress(*_UNREADABLE):
                manager.addfont(path)


def _entries(family: str) -> List[FontEntry]:
    """The family's fonts that this computer has: the upright ones, if there are any."""
    entries = [entry for entry in font_manager.fontManager.ttflist if entry.name == family]
    return [entry for entry in entries if entry.style == "normal"] or entries


def _nearest(entries: Sequence[FontEntry], weight: int) -> FontEntry:
    return min(entries, key=lambda entry: (abs(_weight(entry) - weight), entry.fname))


def _weight(entry: FontEntry) -> int:
    weight = entry.weight
    return weight if isinstance(weight, int) else font_manager.weight_dict.get(str(weight), _REGULAR)


@lru_cache(maxsize=4096)
def _has_all(file: str, sample: str) -> bool:
    """Whether the font loads and has a different glyph for each character; last-resort fonts have one for all."""
    try:
        font = font_manager.get_font(file)
        signs = [font.get_char_index(ord(c)) for c in sample]
    except _UNREADABLE:
        return False
    return 0 not in signs and len(set(signs)) == len(set(sample))


def _file(entry: FontEntry) -> str:
    """The font's path, with its number within a collection where this matplotlib knows of such numbers."""
    if not hasattr(font_manager, "FontPath"):
        return str(entry.fname)
    path: str = font_manager.FontPath(entry.fname, entry.index)
    return path


def _registered(family: str) -> str:
    """Tell matplotlib of the family under a name of ours, in just the weights that figures use; returns that name.

    Of a family without one of these it would complain each time it takes another.
    """
    name, manager = _OURS + family, font_manager.fontManager
    if not any(entry.name == name for entry in manager.ttflist):
        for weight in (_REGULAR, _BOLD):
            nearest = _nearest(_entries(family), weight)
            manager.ttflist.append(
                replace(nearest, name=name, style="normal", variant="normal", weight=weight, stretch="normal")
            )
    return name


def _is_drawn(c: str, families: Tuple[str, ...]) -> bool:
    return c.isascii() or bool(_drawn_with(c, families))


@lru_cache(maxsize=4096)
def _drawn_with(c: str, families: Tuple[str, ...]) -> str:
    """The first family that has the character; empty where none has."""
    fonts = ((family, font_manager.get_font(_found_file(family, _REGULAR))) for family in families)
    return next((family for family, font in fonts if font.get_char_index(ord(c))), "")


def _found_file(family: str, weight: int) -> str:
    """The file that matplotlib will draw with."""
    return font_manager.fontManager.findfont(FontProperties(family=[family], weight=weight))
