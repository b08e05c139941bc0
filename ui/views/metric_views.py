"""Label, explanation, format and place of each metric that users see.

:data:`VIEWS` decides which metrics are in the tables of the window, the page and the terminal, in the output of
``benchmark``, and in that of ``summarize``. A metric without a view is only in the JSON.
``evaluator/metrics/README.md`` explains how to add one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Callable, Dict, Tuple

from ..science import report as reports
from ..text import _, pgettext
from ..text.numbers import change, percent

if TYPE_CHECKING:
    from evaluator.report import AlgorithmResult


#: Sentences by whether the slope of the calibration line is below 1 (-1), may be 1 (0), or is above 1 (1).
BIAS = {
    -1: _("Overall its predictions are {height}; it is overconfident: high ones are too high, low ones too low."),
    0: _("Overall its predictions are {height}."),
    1: _("Overall its predictions are {height}; it is underconfident: high ones are too low, low ones too high."),
}
#: Words by whether the height of the calibration line is below 0 (-1), may be 0 (0), or is above 0 (1).
HEIGHTS = {
    -1: pgettext("predictions are", "too high"),
    0: _("neither too high nor too low"),
    1: pgettext("predictions are", "too low"),
}


@dataclass(frozen=True)
class MetricView:
    """How one metric is shown."""

    key: str  #: key of :class:`evaluator.metrics.metric.Metric`, or "log_loss"
    label: str
    definition: str  #: one or two plain sentences, without the direction
    format_value: Callable[[float], str] = partial(percent, digits=2)
    better: str = "lower"  #: "lower", "higher", or "zero" if values closer to 0 are better
    #: Where it is shown. "column": in every table. "wide": in every table, but in the window only among more
    #: numbers. "summary": only among more numbers, and in ``benchmark`` and ``summarize``.
    place: str = "column"
    #: Functions that return a note on an algorithm's value, or an empty text.
    details: Tuple[Callable[[AlgorithmResult], str], ...] = ()


def chance_sentence(result: AlgorithmResult) -> str:
    """Say how large the RMSE (bins) of a perfect algorithm would be on these reviews, if that is known."""
    floor = result.value("rmse_bins_benchmark_floor")
    excess = result.value("rmse_bins_benchmark_excess")
    if floor is None or excess is None:
        return ""
    return _(
        "On these reviews, chance alone would give even a perfect algorithm an RMSE (bins) of about "
        "{floor}. With chance removed, about {excess} remains."
    ).format(floor=percent(floor, 2), excess=percent(excess, 2))


def skill_sentence(result: AlgorithmResult) -> str:
    """Compare an algorithm's log loss with that of two simple guesses, if it is known."""
    average = result.value("skill_average")
    interval_average = result.value("skill_interval_average")
    if average is None or interval_average is None:
        return ""
    text = _("Its log loss is {interval} than that of guessing your average after similar intervals.")
    if result.algorithm != reports.AVERAGE:
        text = _(
            "Its log loss is {average} than that of guessing your average so far, and {interval} than that of guessing "
            "your average after similar intervals."
        )
    return text.format(average=_relative(average), interval=_relative(interval_average))


def _relative(skill: float) -> str:
    """Say by what share a log loss is lower than another, or higher if ``skill`` is negative."""
    return (_("{share} lower") if skill >= 0 else _("{share} higher")).format(share=percent(abs(skill), 1))


def bias_sentence(result: AlgorithmResult) -> str:
    """Say whether predictions are too high or too low, if the calibration line has an interval."""
    line = result.calibration_line
    if line is None:
        return ""
    height = line.in_the_large.compare_with()
    slope = line.slope.compare_with(1)
    return "" if height is None or slope is None else BIAS[slope].format(height=HEIGHTS[height])


_VIEWS = (
    MetricView(
        "log_loss",
        _("Log loss"),
        _(
            "How surprised the algorithm was by your answers. Log loss rewards honest probabilities and cannot be "
            "gamed, so the table is sorted by it."
        ),
        format_value="{:.4f}".format,
        details=(skill_sentence,),
    ),
    MetricView(
        "rmse_bins_benchmark",
        _("RMSE (bins)"),
        _(
            "How far apart predicted and actual recall are in groups of reviews with similar intervals, review counts "
            "and lapses, grouped as in the public benchmark and Anki. Even a perfect algorithm does not reach 0."
        ),
        details=(chance_sentence, bias_sentence),
    ),
    MetricView(
        "rmse_bins",
        _("RMSE (bins, wiki)"),
        _(
            "RMSE (bins) with the group limits of the page “The Metric” in the FSRS wiki. Do not "
            "compare it with numbers from elsewhere."
        ),
        place="wide",
    ),
    MetricView(
        "auc",
        _("AUC"),
        _(
            "How often a remembered review had a higher prediction than a forgotten one. 0.5 is "
            "guessing. It does not say whether the probabilities are right."
        ),
        format_value="{:.3f}".format,
        better="higher",
    ),
    MetricView(
        "smece",
        _("smECE"),
        _(
            "How far apart predicted and actual recall are, smoothed over similar predictions instead of grouped. "
            "Even a perfect algorithm does not reach 0, but always predicting the average nearly does."
        ),
        place="summary",
    ),
    MetricView(
        "mae_prediction_bins",
        _("MAE"),
        _(
            "How far the dots of the calibration graph are from the diagonal, on average over your reviews. Even a "
            "perfect algorithm does not reach 0, but always predicting the average nearly does."
        ),
        place="summary",
    ),
    MetricView(
        "rmse_prediction_bins",
        _("RMSE (old)"),
        _(
            "How far apart predicted and actual recall are in 20 groups of similar predictions, 5 points wide. It was "
            "given up, because always predicting the average scores 0."
        ),
        place="summary",
    ),
    MetricView(
        "mbe",
        _("Mean bias error"),
        _("The mean prediction minus the share that was remembered: above 0, predictions are too high."),
        format_value=partial(change, digits=2),
        better="zero",
        place="summary",
    ),
    MetricView(
        "precision_90",
        _("Precision at 90%"),
        _("Of the reviews predicted at 90% or more, the share that was remembered."),
        better="higher",
        place="summary",
    ),
    MetricView(
        "recall_90",
        _("Recall at 90%"),
        _("Of the reviews remembered, the share that was predicted at 90% or more."),
        better="higher",
        place="summary",
    ),
)
#: The views by key, in the order of the columns. The log loss comes first, because it decides the order of the rows.
VIEWS: Dict[str, MetricView] = {view.key: view for view in _VIEWS}

#: The metrics with a column in every table.
USUAL: Tuple[str, ...] = tuple(view.key for view in _VIEWS if view.place == "column")

#: The metrics with a column in the window only if the user asks for more numbers.
MORE: Tuple[str, ...] = tuple(view.key for view in _VIEWS if view.place != "column")

#: The metrics with a column in the table of ``summarize``.
COLUMNS: Tuple[str, ...] = tuple(view.key for view in _VIEWS if view.place in ("column", "wide"))
