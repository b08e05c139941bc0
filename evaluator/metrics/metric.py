"""The class of a metric, apart from the list of all of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Callable, Optional

if TYPE_CHECKING:
    from ..scoring import Scored


@dataclass(frozen=True)
class Metric:
    """One number that says how well an algorithm predicted."""

    key: str  #: its name in :attr:`evaluator.report.AlgorithmResult.metrics` and in the JSON
    compute: Callable[[Scored], Optional[float]]  #: None where it is undefined
    meaning: str  #: what the documentation of the JSON says of it
