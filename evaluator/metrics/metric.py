"""The class of a metric, apart from the list of all of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Optional, Protocol


class MetricTable(Protocol):
    """The scored reviews, as metrics see them. The scoring context has further attributes."""

    @property
    def recalled(self) -> Any:
        """1 for each review that was remembered, else 0; shape (n,)."""


class MetricInput(Protocol):
    """One algorithm's predictions of the scored reviews, as metrics see them."""

    @property
    def predicted(self) -> Any:
        """Probabilities of recall, shape (n,)."""

    @property
    def order(self) -> Any:
        """Indices that sort the predictions, shape (n,)."""

    @property
    def table(self) -> MetricTable:
        """Data shared by all algorithms on these reviews."""


@dataclass(frozen=True)
class Metric:
    """A measure of how well an algorithm predicted."""

    key: str  #: its name in :attr:`evaluator.report.AlgorithmResult.metrics` and in the JSON
    #: Called with a :class:`MetricInput`; None if the metric is undefined.
    compute: Callable[[Any], Optional[float]]
    meaning: str  #: what the documentation of the JSON says of it
