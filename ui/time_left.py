"""How long it will still take, said once it can be known, and calmly: never with wild jumps."""

from __future__ import annotations

import math
from typing import List, Optional, Tuple

from . import strings

#: Nothing is said before so many seconds have passed and so much is done: it would be a guess.
_AFTER_SECONDS = 4.0
_AFTER_FRACTION = 0.06
#: How fast it goes just now is seen over so many seconds, and over so much of the time that has passed.
_RECENT_SECONDS, _RECENT_SHARE = 6.0, 0.3
#: Slow as it may be just now, more than so many times what the whole way suggests is not believed.
_MOST_TIMES = 4.0
#: New knowledge moves the expected end over so many seconds.
_SETTLES_IN = 5.0
#: What is said stays until it is wrong by so much of itself.
_STICKS = 0.3
#: Less than that cannot be told apart.
_FEW_SECONDS = 5.0


class TimeLeft:
    """Is told how far the work is, and answers with words."""

    def __init__(self, now: float) -> None:
        self._started = now
        self._last = now
        self._way: List[Tuple[float, float]] = []  #: when how much was done, newest last
        self._end: Optional[float] = None
        self._said: Optional[float] = None

    def words(self, now: float, fraction: float) -> str:
        """For instance "about 10 s left"; nothing while it is not known."""
        passed = now - self._started
        self._way.append((now, fraction))
        if passed < _AFTER_SECONDS or fraction < _AFTER_FRACTION:
            return ""
        end = now + self._expected(passed, fraction)
        if self._end is None:
            self._end = end
        else:
            self._end += (end - self._end) * -math.expm1((self._last - now) / _SETTLES_IN)
        self._last = now
        return self._say(max(self._end - now, 0.0))

    def _expected(self, passed: float, fraction: float) -> float:
        """Half by the whole way so far, half by how fast it goes just now: parts take longer than they should."""
        now = self._way[-1][0]
        since = now - max(_RECENT_SECONDS, _RECENT_SHARE * passed)
        while len(self._way) > 1 and self._way[1][0] <= since:
            del self._way[0]
        by_whole = passed * (1 - fraction) / fraction
        time, done = self._way[0]
        most = _MOST_TIMES * by_whole
        by_recent = (1 - fraction) * (now - time) / (fraction - done) if fraction > done else most
        return (by_whole + min(by_recent, most)) / 2

    def _say(self, left: float) -> str:
        rounded = _rounded(left)
        if self._said is None or rounded == 0 or abs(left - self._said) > max(_STICKS * self._said, _FEW_SECONDS):
            self._said = rounded
        if self._said == 0:
            return strings.FEW_SECONDS_LEFT
        if self._said < 60:
            return strings.SECONDS_LEFT(round(self._said))
        return strings.MINUTES_LEFT(round(self._said / 60))


def _rounded(seconds: float) -> float:
    """To what a person would say."""
    if seconds < _FEW_SECONDS:
        return 0.0
    if seconds < 55:
        step = 5.0 if seconds < 27.5 else 10.0
        return step * max(round(seconds / step), 1)
    return 60.0 * max(round(seconds / 60), 1)
