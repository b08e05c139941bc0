"""What an algorithm's numbers say, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict

from ..text import strings
from ..text.wording import percent

if TYPE_CHECKING:
    from evaluator.report import AlgorithmResult


def chance_sentence(result: AlgorithmResult, metric: str = "rmse_bins") -> str:
    """How much of its RMSE (bins), of either definition, chance alone would make; empty where that is not known."""
    value, floor, excess = (result.value(f"{metric}{part}") for part in ("", "_floor", "_excess"))
    if value is None or floor is None or excess is None:
        return ""
    facts: Dict[str, Any] = {"metric": strings.METRICS[metric].label, "value": percent(value), "floor": percent(floor)}
    if not excess:
        return strings.CHANCE_ALONE.format(**facts)
    return strings.CHANCE_AND_MORE.format(**facts, excess=percent(excess))


def parts_sentence(result: AlgorithmResult) -> str:
    """What its log loss is made of; empty where that is not known."""
    parts = result.log_loss_parts
    if parts is None:
        return ""
    return strings.PARTS.format(
        score=parts.score,
        uncertainty=parts.uncertainty,
        discrimination=parts.discrimination,
        miscalibration=max(parts.miscalibration, 0.0),
    )


def skill_sentence(result: AlgorithmResult) -> str:
    """How it does against two guesses that anyone could make, but not against itself; empty where that is not known."""
    average, by_interval = result.value("skill_average"), result.value("skill_interval_average")
    if average is None or by_interval is None:
        return ""
    text = strings.SKILL_OF_AVERAGE if result.algorithm == "AVG" else strings.SKILL
    return text.format(average=_relative(average), interval=_relative(by_interval))


def _relative(skill: float) -> str:
    return (strings.LOWER_BY if skill >= 0 else strings.HIGHER_BY).format(share=percent(abs(skill), 1))


def bias_sentence(result: AlgorithmResult) -> str:
    """What its calibration line shows; empty where there is none, or no interval."""
    line = result.calibration_line
    level, slope = (None, None) if line is None else (line.in_the_large.side(), line.slope.side(1))
    if level is None or slope is None:
        return ""
    height = {-1: "too_high", 0: "right", 1: "too_low"}[level]
    spread = {-1: "too_sure", 0: "right", 1: "too_timid"}[slope]
    return strings.BIAS[spread].format(height=strings.BIAS_HEIGHTS[height])
