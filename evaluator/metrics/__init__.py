"""The metrics, each with its formula, its source and what a perfect model would score.

``README.md`` here says how to add one. The log loss, which alone decides the order, has a field of its own in the
report; all others are in :data:`METRICS`.
"""

from __future__ import annotations

import importlib
from typing import Dict

from .metric import Metric

#: The files of families, one line each, in the order in which the report has their metrics.
FILES = (
    "skill",
    "noise_floor",
    "scores",
    "calibration",
)

#: By their keys.
METRICS: Dict[str, Metric] = {
    metric.key: metric for name in FILES for metric in importlib.import_module(f".{name}", __package__).METRICS
}
