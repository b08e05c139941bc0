"""What to evaluate, and how."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Optional, Tuple


@dataclass(frozen=True)
class Options:
    """The choices of one evaluation; the defaults are the benchmark's."""

    algorithms: Tuple[str, ...] = ("default",)  #: names or groups of the catalogue
    baseline: Optional[str] = None  #: the algorithm to compare with, run in any case; None: SM-2 where it is run
    folds: int = 5
    since: Optional[dt.date] = None  #: reviews before that day are history only: neither trained on nor scored
    #: False: no algorithm is told of reviews on the day of an earlier one of the card. The same reviews are scored.
    same_day: bool = True
    outlier_filter: bool = True  #: leave out cards whose first interval is rare for their first answer
