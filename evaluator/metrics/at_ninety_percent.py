"""Precision and recall at 90 %: what comes of the reviews of which an algorithm is that sure.

Both are what the benchmark writes per user, but that it writes 0 where precision is undefined. They are not proper: of
two models that know the same, one that rounds 0.89 up to 0.90 has another recall. A perfect model's precision is the
mean of its predictions from 0.9 on, so 0.9 at least; its recall depends on how much true recall varies.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable, Optional

import numpy as np
import numpy.typing as npt

from .metric import Metric
from .scores import Floats, Outcomes

if TYPE_CHECKING:
    from ..scoring import Scored

Bools = npt.NDArray[np.bool_]

THRESHOLD = 0.9


def precision(predicted: Floats, recalled: Outcomes) -> Optional[float]:
    """Of the reviews predicted at 0.9 or more the share that was recalled; None where there are none."""
    return _share(recalled == 1, predicted >= THRESHOLD)


def recall(predicted: Floats, recalled: Outcomes) -> Optional[float]:
    """Of the recalled reviews the share that was predicted at 0.9 or more; None where nothing was recalled."""
    return _share(predicted >= THRESHOLD, recalled == 1)


def _share(of: Bools, among: Bools) -> Optional[float]:
    count = np.count_nonzero(among)
    return float(np.count_nonzero(of & among) / count) if count else None


def _of_scored(function: Callable[[Floats, Outcomes], Optional[float]]) -> Callable[[Scored], Optional[float]]:
    return lambda scored: function(scored.predicted, scored.table.recalled)


METRICS = (
    Metric(
        "precision_90",
        _of_scored(precision),
        "of the reviews predicted at 0.9 or more the share that was recalled; null where there are none, for which the "
        "benchmark writes 0",
    ),
    Metric("recall_90", _of_scored(recall), "of the recalled reviews the share that was predicted at 0.9 or more"),
)
