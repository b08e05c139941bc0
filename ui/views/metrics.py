"""Label, explanation, format and place of each metric that users see.

The table in the window, the page, the terminal, the lines of ``benchmark`` and what ``summarize`` makes of them follow
from :data:`VIEWS`. A metric without a view is in the JSON alone. ``evaluator/metrics/README.md`` says how to add one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Callable, Dict, Tuple

from ..science import report
from ..text import _, pgettext
from ..text.numbers import percent
from ..text.phrases import of_100
from .labels import row_label

if TYPE_CHECKING:
    from evaluator.report import AlgorithmResult, PercentileRank


#: Sentences by whether the slope of the calibration line is below, at or above 1.
BIAS = {
    -1: _("Overall its predictions are {height}; it is overconfident: high ones are too high, low ones too low."),
    0: _("Overall its predictions are {height}."),
    1: _("Overall its predictions are {height}; it is underconfident: high ones are too low, low ones too high."),
}
#: Words by whether the height of the calibration line is below, at or above 0.
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
    written: Callable[[float], str]  #: formats a table cell
    better: str = "lower"  #: "lower", "higher", or "zero" if values closer to 0 are better
    column: bool = True  #: whether it has a column in every table
    summed_up: bool = False  #: whether ``benchmark`` and ``summarize`` include it although it has no column
    wide: bool = False  #: whether the window has its column only together with more numbers
    #: Functions that return a note on an algorithm's value, or an empty text.
    details: Tuple[Callable[[AlgorithmResult], str], ...] = ()


def rank_sentence(rank: PercentileRank) -> str:
    """Say for how many of 100 other people the number is lower. Skill is ranked for FSRS alone."""
    text = _(
        "The AUC is higher for you than for {count} of 100 people with a similar number of reviews (their algorithm: "
        "{algorithm})."
    )
    if rank.metric == "skill_average":
        text = _(
            "Compared with guessing your average, FSRS gains more for you than for {count} of 100 people with a "
            "similar number of reviews (their algorithm: {algorithm})."
        )
    return text.format(count=of_100(rank.better_than), algorithm=row_label(rank.algorithm))


def chance_sentence(result: AlgorithmResult) -> str:
    """Say how much of an algorithm's RMSE (bins) chance alone would cause, if that is known."""
    value, floor, excess = (result.value(f"rmse_bins_benchmark{part}") for part in ("", "_floor", "_excess"))
    if value is None or floor is None or excess is None:
        return ""
    return _(
        "On these reviews, chance alone would give even a perfect algorithm an RMSE (bins) of about "
        "{floor}. With chance removed, about {excess} remains."
    ).format(floor=percent(floor, 2), excess=percent(excess, 2))


def skill_sentence(result: AlgorithmResult) -> str:
    """Compare an algorithm's log loss with that of two simple guesses, if that is known."""
    average, interval_average = result.value("skill_average"), result.value("skill_interval_average")
    if average is None or interval_average is None:
        return ""
    text = _("Its log loss is {interval} than that of guessing your average after similar intervals.")
    if result.algorithm != report.AVERAGE:
        text = _(
            "Its log loss is {average} than that of guessing your average so far, and {interval} than that of guessing "
            "your average after similar intervals."
        )
    return text.format(average=_relative(average), interval=_relative(interval_average))


def _relative(skill: float) -> str:
    return (_("{share} lower") if skill >= 0 else _("{share} higher")).format(share=percent(abs(skill), 1))


def bias_sentence(result: AlgorithmResult) -> str:
    """Say whether predictions are too high or too low, if the calibration line has an interval."""
    line = result.calibration_line
    level, slope = (None, None) if line is None else (line.in_the_large.compare_with(), line.slope.compare_with(1))
    if level is None or slope is None:
        return ""
    return BIAS[slope].format(height=HEIGHTS[level])


_percent = partial(percent, digits=2)


def _rank_note(metric: str) -> Callable[[AlgorithmResult], str]:
    """Return a function that ranks the number among other people's, or returns an empty text."""
    return lambda result: "".join(rank_sentence(rank) for rank in result.population if rank.metric == metric)


#: The views by key, in the order of the columns. The log loss comes first, because it decides the order of the rows.
VIEWS: Dict[str, MetricView] = {
    view.key: view
    for view in (
        MetricView(
            "log_loss",
            _("Log loss"),
            _(
                "How surprised the algorithm was by your answers. Log loss rewards honest probabilities and cannot be "
                "gamed, so the table is sorted by it."
            ),
            "{:.4f}".format,
            details=(skill_sentence, _rank_note("skill_average")),
        ),
        MetricView(
            "rmse_bins_benchmark",
            _("RMSE (bins)"),
            _(
                "How far apart predicted and actual recall are in groups of reviews with similar intervals, "
                "review counts and lapses, grouped as in the public benchmark and Anki. Even a perfect algorithm "
                "does not reach 0."
            ),
            _percent,
            details=(chance_sentence, bias_sentence),
        ),
        MetricView(
            "rmse_bins",
            _("RMSE (bins, wiki)"),
            _(
                "RMSE (bins) with the group limits of the page “The Metric” in the FSRS wiki. Do not "
                "compare it with numbers from elsewhere."
            ),
            _percent,
            wide=True,
        ),
        MetricView(
            "auc",
            _("AUC"),
            _(
                "How often a remembered review had a higher prediction than a forgotten one. 0.5 is "
                "guessing. It does not say whether the probabilities are right."
            ),
            "{:.3f}".format,
            better="higher",
            details=(_rank_note("auc"),),
        ),
        MetricView(
            "smece",
            _("smECE"),
            _(
                "How far apart predicted and actual recall are, smoothed over similar predictions instead "
                "of grouped. Even a perfect algorithm does not reach 0, but always predicting the average "
                "nearly does."
            ),
            _percent,
            column=False,
            summed_up=True,
        ),
        MetricView(
            "mae_prediction_bins",
            _("MAE"),
            _(
                "How far the dots of the calibration graph are from the diagonal, on average over your "
                "reviews. Even a perfect algorithm does not reach 0, but always predicting the average "
                "nearly does."
            ),
            _percent,
            column=False,
            summed_up=True,
        ),
        MetricView(
            "mbe",
            _("Mean bias error"),
            _("The mean prediction minus the share that was remembered: above 0, predictions are too high."),
            _percent,
            better="zero",
            column=False,
            summed_up=True,
        ),
        MetricView(
            "precision_90",
            _("Precision at 90%"),
            _("Of the reviews predicted at 90% or more, the share that was remembered."),
            _percent,
            better="higher",
            column=False,
            summed_up=True,
        ),
        MetricView(
            "recall_90",
            _("Recall at 90%"),
            _("Of the reviews remembered, the share that was predicted at 90% or more."),
            _percent,
            better="higher",
            column=False,
            summed_up=True,
        ),
        MetricView(
            report.COMPARED_WITH_OTHERS,
            _("Compared with others"),
            _("Compared with guessing your average: for how many of 100 people the algorithm gains less than for you."),
            lambda share: _("{count} of 100").format(count=of_100(share)),
            better="higher",
            column=False,
        ),
    )
}

#: The metrics with a column.
COLUMNS: Tuple[str, ...] = tuple(key for key, view in VIEWS.items() if view.column)

#: The metrics that are summarized over many collections.
SUMMED_UP: Tuple[str, ...] = tuple(key for key, view in VIEWS.items() if view.column or view.summed_up)

#: The metrics with a column in the window.
USUAL: Tuple[str, ...] = tuple(key for key in COLUMNS if not VIEWS[key].wide)

#: Further metrics, which have a column in the window if the user asks for more numbers.
MORE: Tuple[str, ...] = (*(key for key in SUMMED_UP if key not in USUAL), report.COMPARED_WITH_OTHERS)
