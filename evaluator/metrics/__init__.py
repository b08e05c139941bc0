"""The metrics, each with its formula, its source and what a perfect model would score.

``README.md`` here says how to add one. The log loss, which alone decides the order, has a field of its own in the
report. All other metrics are in :data:`METRICS`.
"""

from __future__ import annotations

import importlib
from typing import Dict

from .metric import Metric

#: The files of this folder that have metrics, in the order in which the report has them.
FILES = ("skill", "bins", "scores", "calibration_bins", "smooth_calibration", "at_ninety_percent")

_ALL = [metric for name in FILES for metric in importlib.import_module(f".{name}", __package__).METRICS]
#: All metrics except the log loss, by their keys.
METRICS: Dict[str, Metric] = {metric.key: metric for metric in _ALL}
if len(METRICS) < len(_ALL):
    raise ValueError(f"two metrics have the same key, of {sorted(metric.key for metric in _ALL)}")
