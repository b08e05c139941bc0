"""Whether a metric can be cheated, shown on these very reviews."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Cheat:
    """A forecaster that knows nothing of any card, beside the best algorithm, by a metric that it was made to please.

    Log loss, which cannot be cheated, stands beside it.
    """

    metric: str  #: its key in a row of the results
    forecaster: str  #: an algorithm of the catalogue
    value: float  #: of the metric, lower is better
    log_loss: float  #: of the forecaster
    best: str  #: the algorithm with the lowest log loss
    best_value: float  #: of the metric
    best_log_loss: float  #: of that algorithm
