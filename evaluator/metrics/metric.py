"""The class of a metric, apart from the list of all of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Optional


@dataclass(frozen=True)
class Metric:
    """One number that says how well an algorithm predicted."""

    key: str  #: its name in :attr:`evaluator.report.AlgorithmResult.metrics` and in the JSON
    #: Of an :class:`evaluator.scoring.context.Scored`, which is made of the metrics' files; None where it is undefined.
    compute: Callable[[Any], Optional[float]]
    meaning: str  #: what the documentation of the JSON says of it
