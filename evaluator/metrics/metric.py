"""The class of a metric."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Optional


@dataclass(frozen=True)
class Metric:
    """A measure of how well an algorithm predicted."""

    key: str  #: its name in :attr:`evaluator.report.AlgorithmResult.metrics` and in the JSON
    #: Function of an algorithm's :class:`evaluator.scoring.context.ScoredPredictions`, which returns None if the metric
    #: is undefined.
    compute: Callable[[Any], Optional[float]]
    meaning: str  #: its description in the documentation of the JSON
