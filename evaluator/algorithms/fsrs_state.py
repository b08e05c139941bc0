"""Limits of the state of FSRS, which are the same from its second version to FSRS-6."""

from __future__ import annotations

import numpy as np

from .algorithm import Array, State

#: Largest stability, in days.
MAX_STABILITY = 36_500.0


def clamp(stability: Array, difficulty: Array, min_stability: float) -> State:
    """Return the state with stability from ``min_stability`` to 36,500 days, and difficulty from 1 to 10."""
    return np.clip(stability, min_stability, MAX_STABILITY), np.clip(difficulty, 1.0, 10.0)
