"""Precision and recall at 90%: outcomes of the reviews predicted at 90% or more.

Both equal the benchmark's values per user, except that the benchmark writes 0 for an undefined precision. They are not
proper scores: rounding 0.89 up to 0.90 changes a model's recall, but not what it knows. A perfect model's precision is
the mean of its predictions of at least 0.9, so it is at least 0.9. Its recall depends on how much true recall varies.
"""

from __future__ import annotations

from typing import Optional

import numpy as np

from ..data.revlog import Bools
from .metric import Metric

THRESHOLD = 0.9


def share(mask: Bools, population: Bools) -> Optional[float]:
    """Return the share of the population (n,) that is also in the mask (n,), or None if the population is empty."""
    count = np.count_nonzero(population)
    return float(np.count_nonzero(mask & population) / count) if count else None


METRICS = (
    Metric(
        "precision_90",
        lambda scored: share(scored.recalled == 1, scored.predicted >= THRESHOLD),
        "of the reviews predicted at 0.9 or more the share that was recalled; null if there are none, for which the "
        "benchmark writes 0",
    ),
    Metric(
        "recall_90",
        lambda scored: share(scored.predicted >= THRESHOLD, scored.recalled == 1),
        "of the recalled reviews the share that was predicted at 0.9 or more",
    ),
)
