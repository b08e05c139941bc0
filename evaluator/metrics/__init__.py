"""The metrics, each with its formula, its source and what a perfect model would score.

``README.md`` here says how to add one. The log loss, which alone decides the order, has a field of its own in the
report; all others are here by their names.
"""

from __future__ import annotations

from typing import Dict

from . import calibration, noise_floor, scores, skill
from .metric import Metric

#: In the order in which the report has them.
METRICS: Dict[str, Metric] = {
    metric.key: metric
    for metric in (
        *skill.METRICS,
        *noise_floor.METRICS,
        *scores.METRICS,
        *calibration.METRICS,
    )
}
