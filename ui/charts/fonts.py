"""Fonts for the texts of a figure, in every language that the add-on is translated into.

matplotlib draws each character with the first family in a list that has it, and an empty box if none has it.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Dict, Optional, Sequence, Tuple

from matplotlib.font_manager import FontProperties, findfont, findSystemFonts, fontManager, get_font

from ..text import _, language_code
from ..text.text_width import has_no_width
from .style import FALLBACK_FAMILY, Style


@dataclass(frozen=True)
class Script:
    """The writing of a language, and the font families that can draw it."""

    sample: str  #: characters that a font for it must have
    families: Tuple[str, ...]  #: families made for it, then others that have its characters


#: Font families of Windows, then of macOS, then of Linux. matplotlib knows only the first family in a file.
_JAPANESE = (
    "Meiryo",
    "Yu Gothic",
    "BIZ UDGothic",
    "MS Gothic",
    "Hiragino Sans",
    "Noto Sans CJK JP",
    "Noto Sans JP",
    "Source Han Sans JP",
    "Source Han Sans",
    "IPAexGothic",
    "IPAGothic",
    "TakaoExGothic",
    "TakaoGothic",
    "VL Gothic",
    "M+ 1p",
    "MotoyaLCedar",
)
_CHINESE = (
    "Microsoft YaHei",
    "DengXian",
    "SimHei",
    "SimSun",
    "PingFang SC",
    "Hiragino Sans GB",
    "Heiti SC",
    "STHeiti",
    "Songti SC",
    "Noto Sans CJK SC",
    "Noto Sans SC",
    "Source Han Sans SC",
    "Source Han Sans CN",
    "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei",
)
_KOREAN = (
    "Malgun Gothic",
    "Gulim",
    "Apple SD Gothic Neo",
    "AppleGothic",
    "Noto Sans CJK KR",
    "Noto Sans KR",
    "Source Han Sans KR",
    "Source Han Sans K",
    "NanumGothic",
    "UnDotum",
)
#: Families with the characters of several languages.
_ANY = ("Arial Unicode MS", "Droid Sans Fallback", "Noto Sans CJK TC", "PingFang TC", "Microsoft JhengHei", "Heiti TC")

#: Scripts by the language's code without its region.
SCRIPTS: Dict[str, Script] = {
    "ja": Script("あぃアーィ漢字予測復習覚忘間。、「」（）：％", (*_JAPANESE, *_ANY, *_CHINESE)),
    "zh": Script("的预测复习记忆卡过时间龄。，、：（）％", (*_CHINESE, *_ANY, *_JAPANESE)),
    "ko": Script("가예측복습기억", (*_KOREAN, *_ANY, *_CHINESE)),
}

#: Errors on a font file that is missing, damaged, or not understood by matplotlib.
_UNREADABLE = (OSError, RuntimeError, ValueError)

# matplotlib complains about a family that lacks a weight, although it draws the nearest one. Anki would show this.
logging.getLogger("matplotlib.font_manager").addFilter(lambda record: "find font weight" not in record.msg)


def font_families() -> Tuple[str, ...]:
    """Return the installed font families for a figure, in the order in which they are tried.

    The first is for Latin letters, the second for the language of the user interface. The others are for decks and
    presets, whose names may be in any script. If the language has no font, the first call takes some seconds, so it
    must not be made on the main thread.
    """
    own_script = _script()
    scripts = sorted(SCRIPTS.values(), key=lambda script: script != own_script)
    families = [_family(script) for script in scripts]
    if not any(families) or (own_script and not families[0]):
        _learn_new_fonts()
        families = [_family(script) for script in scripts]
    return (FALLBACK_FAMILY, *dict.fromkeys(filter(None, families)))


def own_family(family: str) -> Tuple[str, ...]:
    """Return the window's font family in a tuple, which is empty if matplotlib cannot load it or uses it anyway."""
    return (family,) if family != FALLBACK_FAMILY and _has_characters(family, "") else ()


def with_fonts(style: Style) -> Style:
    """Return the style with the fonts for the language of the user interface."""
    return replace(style, font_families=font_families())


def can_draw(text: str, families: Sequence[str]) -> bool:
    """Return whether these fonts have all characters of the text."""
    return all(c.isascii() or _family_with(c, tuple(families)) for c in text)


def missing_font_warning() -> str:
    """Return a warning if no font has the language's characters, otherwise an empty text."""
    script = _script()
    if script is None or can_draw(script.sample, font_families()):
        return ""
    return _(
        "No installed font has this language's characters, so graphs show question marks. Install one, or look at "
        "the numbers."
    )


def legible(text: str, families: Sequence[str]) -> str:
    """Replace characters that these fonts lack by question marks, and drop missing ones that have no width."""
    if text.isascii():
        return text
    return "".join(c if can_draw(c, families) else "" if has_no_width(c) else "?" for c in text)


def _script() -> Optional[Script]:
    """Return the script of the user interface, or None if Latin letters are enough."""
    return SCRIPTS.get(language_code().split("-")[0])


def _family(script: Script) -> Optional[str]:
    """Return the script's first installed family, or None. Thin families come last, because they are hard to read."""
    best_first = sorted(script.families, key=_has_thin_weights_only)
    return next((family for family in best_first if _has_characters(family, script.sample)), None)


def _has_thin_weights_only(family: str) -> bool:
    """Return whether all installed fonts of the family are thin. matplotlib draws variable fonts at their thinnest."""
    return all(entry.weight in {100, 200} for entry in fontManager.ttflist if entry.name == family)


def _has_characters(family: str, sample: str) -> bool:
    """Return whether the family is installed, readable, and has these characters."""
    if all(family != entry.name for entry in fontManager.ttflist):
        return False
    with suppress(*_UNREADABLE):
        font = get_font(_file(family))
        return all(font.get_char_index(ord(c)) for c in sample)
    return False


@lru_cache(maxsize=1)
def _learn_new_fonts() -> None:
    """Add fonts that were installed after matplotlib made its list. Only the first call does anything."""
    for path in sorted({*findSystemFonts()} - {entry.fname for entry in fontManager.ttflist}):
        with suppress(*_UNREADABLE):
            fontManager.addfont(path)


@lru_cache(maxsize=4096)
def _family_with(c: str, families: Tuple[str, ...]) -> str:
    """Return the first family that has the character, or an empty text."""
    return next((family for family in families if get_font(_file(family)).get_char_index(ord(c))), "")


def _file(family: str) -> str:
    """Return the path of the file that matplotlib uses for the family.

    Raises:
        ValueError: if the family is not installed.
    """
    properties = FontProperties(family=[family])
    return findfont(properties, fallback_to_default=False, rebuild_if_missing=False)
