"""What an algorithm is shown of a card's history."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Inputs:
    """What an algorithm sees of a card's history."""

    same_day: bool = False  #: reviews on the day of an earlier one
    two_buttons: bool = False  #: Hard and Easy as Good
    fractional: bool = False  #: intervals to the second, not in whole days; same-day reviews are trained on, too


WHOLE_DAYS = Inputs()
WITH_SAME_DAY = Inputs(same_day=True)
BY_THE_SECOND = Inputs(same_day=True, fractional=True)
