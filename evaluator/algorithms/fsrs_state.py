"""Limits of the state of FSRS, which have been the same since its second version."""

from __future__ import annotations

import numpy as np

from .algorithm import Array, State

MAX_STABILITY = 36_500.0


def clamp(stability: Array, difficulty: Array, least: float) -> State:
    """Keep stability within ``least`` to 36,500 days and difficulty within 1 to 10."""
    return np.clip(stability, least, MAX_STABILITY), np.clip(difficulty, 1.0, 10.0)
