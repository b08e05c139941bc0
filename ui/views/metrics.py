"""How each metric that people see is called, explained and written, and where it shows.

The table in the window, the page, the terminal, the lines of ``benchmark`` and what ``summarise`` makes of them follow
from :data:`VIEWS`. A metric without a view is in the JSON alone. ``evaluator/metrics/README.md`` says how to add one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Callable, Dict, Optional, Tuple

from ..text import strings
from ..text.numbers import percent
from .results import chance_sentence, parts_sentence, skill_sentence

if TYPE_CHECKING:
    from evaluator.report import AlgorithmResult

TEXTS = strings.METRICS


@dataclass(frozen=True)
class MetricView:
    """One metric as it is shown."""

    key: str  #: that of :class:`evaluator.metrics.metric.Metric`, or "log_loss"
    label: str
    definition: str  #: one or two plain sentences, without the direction
    written: Callable[[float], str]  #: as the cell of a table
    better: str = "lower"  #: or "higher"
    column: bool = True  #: in every table; else it has a name and a definition only, for what is said of it elsewhere
    #: Of metrics that differ in the limits of groups only, the window shows the one whose limits the person chose.
    binning: Optional[str] = None
    #: What else there is to know of an algorithm's value, a sentence each; empty where there is nothing.
    details: Tuple[Callable[[AlgorithmResult], str], ...] = ()


def _percent(share: float) -> str:
    return percent(share, 2)


def _chance_by_benchmark(result: AlgorithmResult) -> str:
    return chance_sentence(result, "rmse_bins_benchmark")


#: By their keys, in the order of the columns. The log loss comes first: it decides the order of the rows.
VIEWS: Dict[str, MetricView] = {
    view.key: view
    for view in (
        MetricView(
            "log_loss",
            *TEXTS["log_loss"],
            "{:.4f}".format,
            details=(parts_sentence, skill_sentence),
        ),
        MetricView(
            "rmse_bins",
            *TEXTS["rmse_bins"],
            _percent,
            binning="page",
            details=(chance_sentence, _chance_by_benchmark),
        ),
        MetricView(
            "rmse_bins_benchmark",
            *TEXTS["rmse_bins_benchmark"],
            _percent,
            binning="benchmark",
            details=(_chance_by_benchmark,),
        ),
        MetricView("auc", *TEXTS["auc"], "{:.3f}".format, better="higher"),
        MetricView("brier", *TEXTS["brier"], "{:.4f}".format, column=False),
        MetricView("rmse_prediction_bins", *TEXTS["rmse_prediction_bins"], _percent, column=False),
        MetricView("mae_prediction_bins", *TEXTS["mae_prediction_bins"], _percent, column=False),
    )
}

#: The metrics that have a column where there is room for all.
COLUMNS: Tuple[str, ...] = tuple(key for key, view in VIEWS.items() if view.column)

#: Whose limits of groups a person can choose.
BINNINGS: Tuple[str, ...] = tuple(view.binning for view in VIEWS.values() if view.binning is not None)


def columns(binning: str) -> Tuple[str, ...]:
    """The metrics that have a column in the window."""
    return tuple(key for key in COLUMNS if VIEWS[key].binning in (None, binning))
