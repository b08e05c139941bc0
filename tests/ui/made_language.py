"""Made-up translations: every text in characters of another script, some as long as the English, some longer."""

from __future__ import annotations

import gettext
import itertools
import re
import zlib
from typing import Any, Dict

from ui import text

#: Running text with the signs that a line must not begin or end with, and with what must not be broken.
SAMPLES = {
    "ja": "直近30日間の復習で「覚えていた」割合（％）、予測した想起率とFSRSの差。チェック済みカードの安定度ー、"
    "忘却曲線：約90％を思い出せるまでの日数、キャッシュ・ヴュー。〜々ぁっ",
    "zh-CN": "最近30天复习中“记住”的比例（％），预测的回忆率与FSRS的差距。已检查卡片的稳定性、"
    "遗忘曲线：约90％能回忆起来之前的天数；过滤牌组《词汇》……龄间题",
}
#: Stay as they are: fields, and names.
_KEPT = re.compile(r"(\{(?:[^{}]|\{[^{}]*\})*\}|SRS Evaluator…?|FSRS-6|SM-2)")


class MadeUp(gettext.NullTranslations):
    """A catalogue that has everything. ``share``: of the English letters, so many characters."""

    def __init__(self, code: str, share: float) -> None:
        super().__init__()
        self._sample = SAMPLES[code]
        self._share = share

    def pgettext(self, context: str, message: str) -> str:
        """The text; patterns without a word stay as they are, too."""
        if not re.search(r"[a-z]", _KEPT.sub("", message)):
            return message
        return "".join(part if _KEPT.fullmatch(part) else self._made(part) for part in _KEPT.split(message))

    def npgettext(self, context: str, msgid1: str, msgid2: str, n: int) -> str:
        """There is no plural."""
        return self.pgettext(context, msgid2)

    def _made(self, part: str) -> str:
        """The same each time, and another piece of the sample for another text."""
        begin = zlib.crc32(part.encode()) % len(self._sample)
        return "".join(itertools.islice(itertools.cycle(self._sample), begin, begin + round(self._share * len(part))))


def translated(module: Dict[str, Any], code: str, share: float, monkeypatch: Any) -> Dict[str, Any]:
    """The texts of a module in that language; everything else as it is."""
    made = dict(module)
    with monkeypatch.context() as patch:
        patch.setattr(text._Language, "catalogue", MadeUp(code, share))
        text.translate(made, "made")
    return made
