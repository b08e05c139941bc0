"""The metrics that can be cheated, and by how much, on these very reviews.

The old RMSE over bins of the prediction is cheated by saying the average every time (srs-benchmark, issue 69), the one
over bins of intervals and counts by making up for the errors of each bin (issue 154 there).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Optional, Sequence, Tuple

from ..algorithms.algorithm import Baseline
from ..metrics import METRICS
from ..scoring import Scored
from .section import Section

if TYPE_CHECKING:
    from ..evidence import Evidence
    from ..progress import Progress
    from ..report import Report

#: Metric, and the forecaster that cheats it.
CHEATS = (("rmse_prediction_bins", "AVG"), ("rmse_bins_benchmark", "RMSE-BINS-EXPLOIT"))


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


def compute(report: Report, evidence: Evidence, _names: Sequence[str], progress: Progress) -> Tuple[Cheat, ...]:
    """One row for each metric; none where no algorithm has a result."""
    if report.best is None:
        return ()
    best = report.result(report.best)
    found = []
    for done, (metric, name) in enumerate(CHEATS):
        progress(done / len(CHEATS))
        forecaster = evidence.algorithm(name)
        if not isinstance(forecaster, Baseline):
            raise TypeError(f"{name} must know nothing of cards")
        scored = Scored(forecaster.predict(evidence.data.reviews, evidence.data.folds), evidence.scoring)
        found.append(
            Cheat(
                metric=metric,
                forecaster=name,
                value=_known(METRICS[metric].compute(scored)),
                log_loss=scored.log_loss,
                best=best.algorithm,
                best_value=_known(best.value(metric)),
                best_log_loss=_known(best.log_loss),
            )
        )
    return tuple(found)


def _known(value: Optional[float]) -> float:
    """The number of an algorithm that has a result."""
    if value is None:
        raise TypeError("an algorithm with a result has all metrics that can be cheated")
    return value


SECTION = Section("cheating", Tuple[Cheat, ...], compute)
