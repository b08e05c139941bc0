"""Start of the day for sources that do not state it."""

from __future__ import annotations

from evaluator.data.revlog import Clock
from evaluator.errors import BadOption

#: 04:00 UTC in seconds, which is assumed if nothing says when a day begins.
ASSUMED_NEXT_DAY_AT = 4 * 3600

#: Upper bound of times in seconds (the year 5138), and lower bound of times in milliseconds (1973).
LATEST_SECOND = 100_000_000_000


def stated_clock(next_day_at: int | None) -> Clock:
    """Return the clock whose days begin at that second since 1970, or at 04:00 UTC if it is None.

    Raises:
        BadOption: if ``next_day_at`` is negative, or probably in milliseconds.
    """
    if next_day_at is None:
        return Clock(ASSUMED_NEXT_DAY_AT, assumed=True)
    if not 0 <= next_day_at < LATEST_SECOND:
        raise BadOption(
            option="--next-day-at",
            value=next_day_at,
            allowed="seconds since 1970 at which a day begins, not milliseconds",
        )
    return Clock(next_day_at)
