"""An algorithm's numbers in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..science import report
from ..text import _, pgettext
from ..text.numbers import percent
from ..text.phrases import of_100
from .labels import row_label

if TYPE_CHECKING:
    from evaluator.report import AlgorithmResult, PercentileRank

#: By whether the slope of the calibration line is below, at or above 1.
BIAS = {
    -1: _("Overall its predictions are {height}; it is overconfident: high ones are too high, low ones too low."),
    0: _("Overall its predictions are {height}."),
    1: _("Overall its predictions are {height}; it is underconfident: high ones are too low, low ones too high."),
}
#: By whether its height is below, at or above 0.
HEIGHTS = {
    -1: pgettext("predictions are", "too high"),
    0: _("neither too high nor too low"),
    1: pgettext("predictions are", "too low"),
}


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
    """Return the part of an algorithm's RMSE (bins) that chance alone would cause, if it is known."""
    value, floor, excess = (result.value(f"rmse_bins_benchmark{part}") for part in ("", "_floor", "_excess"))
    if value is None or floor is None or excess is None:
        return ""
    return _(
        "On these reviews, chance alone would give even a perfect algorithm an RMSE (bins) of about "
        "{floor}. With chance removed, about {excess} remains."
    ).format(floor=percent(floor, 2), excess=percent(excess, 2))


def skill_sentence(result: AlgorithmResult) -> str:
    """Return an algorithm's skill against two guesses that anyone could make, if it is known."""
    average, by_interval = result.value("skill_average"), result.value("skill_interval_average")
    if average is None or by_interval is None:
        return ""
    text = _("Its log loss is {interval} than that of guessing your average after similar intervals.")
    if result.algorithm != report.AVERAGE:
        text = _(
            "Its log loss is {average} than that of guessing your average so far, and {interval} than that of guessing "
            "your average after similar intervals."
        )
    return text.format(average=_relative(average), interval=_relative(by_interval))


def _relative(skill: float) -> str:
    return (_("{share} lower") if skill >= 0 else _("{share} higher")).format(share=percent(abs(skill), 1))


def bias_sentence(result: AlgorithmResult) -> str:
    """Return what an algorithm's calibration line shows, if it has one with an interval."""
    line = result.calibration_line
    level, slope = (None, None) if line is None else (line.in_the_large.compare_with(), line.slope.compare_with(1))
    if level is None or slope is None:
        return ""
    return BIAS[slope].format(height=HEIGHTS[level])
