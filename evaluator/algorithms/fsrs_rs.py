"""FSRS-rs: FSRS-6 with parameters from Anki's own optimiser, run anew on each fold's training reviews.

The optimiser weighs recent reviews more, as FSRS-6 recency does; it differs in how it searches, not in what it
predicts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from .algorithm import Source
from .fsrs6 import FSRS6


@dataclass(frozen=True)
class FSRSrs(FSRS6):
    """FSRS-6 as Anki optimises it."""

    name: str = "FSRS-rs"
    description: str = "FSRS-6 with parameters from Anki's own optimiser, trained on your earlier reviews"
    source: ClassVar[Source] = Source.ANKI
    whole_days_only: ClassVar[bool] = True  # as Anki is


ALGORITHMS = (FSRSrs(),)
