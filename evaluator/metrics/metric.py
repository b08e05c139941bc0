"""The class of a metric, apart from the list of all of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Optional


@dataclass(frozen=True)
class Metric:
    """A measure of how well an algorithm predicted."""

    key: str  #: its name in :attr:`evaluator.report.AlgorithmResult.metrics` and in the JSON
    #: Called with an algorithm's :class:`evaluator.scoring.context.ScoredPredictions`. None if the metric is undefined.
    compute: Callable[[Any], Optional[float]]
    meaning: str  #: what the documentation of the JSON says of it
