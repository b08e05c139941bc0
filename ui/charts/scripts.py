"""Fonts made for each script, by name, and the characters that identify the script."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, Tuple


@dataclass(frozen=True)
class Script:
    """The script of a language, and fonts that have it."""

    sample: str  #: characters that a font for it must have
    families: Tuple[str, ...]  #: those made for it come first, then those that have its characters, too


#: Of Windows, of macOS, of Linux.
_JAPANESE = (
    *("Meiryo", "Meiryo UI", "Yu Gothic", "Yu Gothic UI", "BIZ UDGothic", "MS Gothic", "MS PGothic"),
    *("Hiragino Sans", "Hiragino Kaku Gothic ProN", "Hiragino Kaku Gothic Pro", "Hiragino Maru Gothic ProN", "Osaka"),
    *("Noto Sans CJK JP", "Noto Sans JP", "Source Han Sans JP", "Source Han Sans", "IPAexGothic", "IPAGothic"),
    *("TakaoExGothic", "TakaoGothic", "VL Gothic", "M+ 1p", "MotoyaLCedar"),
)
_CHINESE = (
    *("Microsoft YaHei", "Microsoft YaHei UI", "DengXian", "SimHei", "SimSun", "NSimSun"),
    *("PingFang SC", "Hiragino Sans GB", "Heiti SC", "STHeiti", "Songti SC"),
    *("Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "Source Han Sans CN"),
    *("WenQuanYi Micro Hei", "WenQuanYi Zen Hei"),
)
_KOREAN = (
    *("Malgun Gothic", "Gulim", "Apple SD Gothic Neo", "AppleGothic", "Noto Sans CJK KR", "Noto Sans KR"),
    *("Source Han Sans KR", "Source Han Sans K", "NanumGothic", "UnDotum"),
)
_ANY = ("Arial Unicode MS", "Droid Sans Fallback", "Noto Sans CJK TC", "PingFang TC", "Microsoft JhengHei", "Heiti TC")

SCRIPTS: Dict[str, Script] = {
    "ja": Script("あぃアーィ漢字予測復習覚忘間。、「」（）：％", (*_JAPANESE, *_ANY, *_CHINESE)),
    "zh": Script("的预测复习记忆卡过时间龄。，、：（）％", (*_CHINESE, *_ANY, *_JAPANESE)),
    "ko": Script("가예측복습기억", (*_KOREAN, *_ANY, *_CHINESE)),
}
