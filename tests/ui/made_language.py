"""Made-up translations: every text in characters of another script, some as long as the English, some longer."""

from __future__ import annotations

import io
import itertools
import re
import zlib
from functools import partial
from typing import Callable

#: Running text with the signs that a line must not begin or end with, and with what must not be broken.
SAMPLES = {
    "ja": "直近30日間の復習で「覚えていた」割合（％）、予測した想起率とFSRSの差。チェック済みカードの安定度ー、"
    "忘却曲線：約90％を思い出せるまでの日数、キャッシュ・ヴュー。〜々ぁっ",
    "zh-CN": "最近30天复习中“记住”的比例（％），预测的回忆率与FSRS的差距。已检查卡片的稳定性、"
    "遗忘曲线：约90％能回忆起来之前的天数；过滤牌组《词汇》……龄间题",
}
#: Characters for each English letter, rather many.
SHARES = {"ja": 0.55, "zh-CN": 0.4}
#: Stay as they are: fields, and names.
_KEPT = re.compile(r"(\{(?:[^{}]|\{[^{}]*\})*\}|SRS Evaluator…?|FSRS-6|SM-2)")


def catalog(language: str, translated: Callable[[str], str]) -> bytes:
    """Return a catalog of all strings, translated by that function and compiled."""
    from babel.messages import Catalog
    from babel.messages.mofile import write_mo

    from tools.development.languages import template

    made = Catalog(locale=language.replace("-", "_"))
    for message in filter(lambda item: item.id, template()):
        if isinstance(message.id, str):
            made.add(message.id, translated(message.id), context=message.context)
        else:
            item, other = map(translated, message.id)
            forms = (item, other) if made.num_plurals > 1 else (other,)
            made.add(message.id, forms, context=message.context)
    file = io.BytesIO()
    write_mo(file, made)
    return file.getvalue()


def made_up(language: str) -> bytes:
    """A catalog that has everything."""
    return catalog(language, partial(_translated, SAMPLES[language], SHARES[language]))


def _translated(sample: str, share: float, text: str) -> str:
    """Return the text translated, unless it is a pattern without a word."""
    if not re.search(r"[a-z]", _KEPT.sub("", text)):
        return text
    return "".join(part if _KEPT.fullmatch(part) else _made(sample, share, part) for part in _KEPT.split(text))


def _made(sample: str, share: float, part: str) -> str:
    """The same each time, and another piece of the sample for another text."""
    begin = zlib.crc32(part.encode()) % len(sample)
    return "".join(itertools.islice(itertools.cycle(sample), begin, begin + round(share * len(part))))
