"""FSRS-rs: FSRS-6 with parameters from Anki's own optimizer, run again on each fold's training reviews.

The optimizer weighs recent reviews more, as FSRS-6 recency does; it differs in how it searches, not in what it
predicts.
"""

from __future__ import annotations

from .algorithm import Source
from .fsrs6 import FSRS6


class FSRSrs(FSRS6):
    """FSRS-6 as Anki optimizes it."""

    source = Source.ANKI
    whole_days_only = True  # Anki trains it on whole days


ALGORITHMS = (FSRSrs("FSRS-rs", "FSRS-6 with parameters from Anki's own optimizer, trained on your earlier reviews"),)
