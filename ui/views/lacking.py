"""What is lacking where there is no interval."""

from __future__ import annotations

from typing import Optional

from ..science import interval
from ..text import _


def needed(reason: Optional[str], days: int = interval.MIN_DAYS) -> str:
    """What is lacking for an interval, by the reason why there is none; it completes a sentence."""
    if reason == interval.RARE:
        return _(
            "at least {reviews} forgotten and {reviews} remembered ones are needed, each on {groups} cards and "
            "{groups} days"
        ).format(reviews=interval.MIN_RARER, groups=interval.MIN_RARER_GROUPS)
    return _("at least {cards} cards and {days} days are needed").format(cards=interval.MIN_CARDS, days=days)
