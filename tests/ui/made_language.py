"""Made-up translations of all texts into characters of Japanese and Chinese."""

from __future__ import annotations

import io
import itertools
import re
import zlib
from functools import partial
from typing import Callable

#: Texts with the signs that a line must not begin or end with, and with parts that must not be broken.
SAMPLES = {
    "ja": "直近30日間の復習で「覚えていた」割合（％）、予測した想起率とFSRSの差。チェック済みカードの安定度ー、"
    "忘却曲線：約90％を思い出せるまでの日数、キャッシュ・ヴュー。〜々ぁっ",
    "zh-CN": "最近30天复习中“记住”的比例（％），预测的回忆率与FSRS的差距。已检查卡片的稳定性、"
    "遗忘曲线：约90％能回忆起来之前的天数；过滤牌组《词汇》……龄间题",
}
#: Length of a translation as a share of the English text, rather large.
SHARES = {"ja": 0.55, "zh-CN": 0.4}
#: Fields and names, which are not translated.
_UNTRANSLATED = re.compile(r"(\{(?:[^{}]|\{[^{}]*\})*\}|SRS Evaluator…?|FSRS-6|SM-2)")


def catalog(language: str, translate: Callable[[str], str]) -> bytes:
    """Return the compiled catalog of all strings, translated by this function."""
    from babel.messages import Catalog
    from babel.messages.mofile import write_mo

    from tools.development.languages import template

    translations = Catalog(locale=language.replace("-", "_"))
    for message in filter(lambda message: message.id, template()):
        if isinstance(message.id, str):
            translations.add(message.id, translate(message.id), context=message.context)
        else:
            forms = tuple(map(translate, message.id))[-translations.num_plurals :]
            translations.add(message.id, forms, context=message.context)
    file = io.BytesIO()
    write_mo(file, translations)
    return file.getvalue()


def made_up(language: str) -> bytes:
    """Return the compiled catalog of all strings in a made-up translation."""
    return catalog(language, partial(_translate, SAMPLES[language], SHARES[language]))


def _translate(sample: str, share: float, text: str) -> str:
    """Replace the text by parts of the sample. Fields, names, and patterns without a word stay."""
    if not re.search(r"[a-z]", _UNTRANSLATED.sub("", text)):
        return text
    return "".join(
        part if _UNTRANSLATED.fullmatch(part) else _take_piece(sample, round(share * len(part)), part)
        for part in _UNTRANSLATED.split(text)
    )


def _take_piece(sample: str, length: int, text: str) -> str:
    """Return a piece of the repeated sample, whose start depends on the text."""
    start = zlib.crc32(text.encode()) % len(sample)
    return "".join(itertools.islice(itertools.cycle(sample), start, start + length))
