"""What to evaluate, and how."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Optional, Tuple


@dataclass(frozen=True)
class Options:
    """The choices of one evaluation; the defaults are the benchmark's."""

    algorithms: Tuple[str, ...] = ("default",)  #: names or groups of the catalogue
    folds: int = 5
    since: Optional[dt.date] = None  #: reviews before that day are history only: neither trained on nor scored
