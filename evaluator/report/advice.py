"""Advice, at most two pieces, as codes with facts. Only what the numbers support is advised.

| code | given if |
|---|---|
| hard | the section ``hard`` suspects that Hard is pressed for forgotten cards, which spoils other numbers |
| scheduler | one of the ``turn_on`` codes or ``choose`` applies, but scheduler 1 or 2 is on, without FSRS |
| update | FSRS is on, and a preset holds parameters of a newer FSRS than can be run |
| optimize | some preset should be optimized, see :func:`_should_optimize` |
| desired_retention | a preset was off near its desired retention, and optimizing would not change that |
| keep_on | the accuracy is open and optimizing changes little, or it is not known how much it changes |
| optimize_if_you_like | optimizing changes the predictions of some preset a little |
| nothing | optimizing changes the predictions of no preset |
| turn_on, turn_on_and_optimize | FSRS is off, and it predicts better than SM-2, or very probably so |
| choose | FSRS is off, and many reviews leave open which predicts better |
| stay | FSRS is off, and SM-2, adjusted to the user, predicts better or equally well |

"hard" comes first. Of the other codes, the first one that applies is given, except that "nothing" is not given besides
"hard". Without :class:`SchedulerInUse`, as for a CSV, only "hard" is given.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Optional

from ..errors import NewerParameters
from ..interval import BETTER, EQUIVALENT
from .accuracy import OFF, OPEN, Rivalry
from .core import Report
from .scheduler import Advice, PresetInUse, SchedulerInUse

HARD, SCHEDULER, UPDATE = "hard", "scheduler", "update"
OPTIMIZE, DESIRED_RETENTION, KEEP_ON = "optimize", "desired_retention", "keep_on"
OPTIMIZE_IF_YOU_LIKE, NOTHING = "optimize_if_you_like", "nothing"
TURN_ON, TURN_ON_AND_OPTIMIZE, CHOOSE, STAY = "turn_on", "turn_on_and_optimize", "choose", "stay"

#: The first scheduler on which FSRS can be turned on.
MIN_SCHEDULER = 3
#: Minimum probability of being better, from the user's and others' reviews together, to advise a change.
SURE = 0.95
#: Minimum number of scored reviews to call a question open. With fewer, wide intervals are usual, so it is too early to
#: tell.
MANY = 1000
#: Minimum number of scored reviews to advise optimizing as well when FSRS is turned on.
MIN_TO_OPTIMIZE = 400
#: Mean changes of predictions. Below the first one, optimizing is not worth it. From the second one, it probably helps.
#: If the preset has fewer than :data:`MANY` scored reviews, it probably helps from the third one.
LITTLE_CHANGE, MUCH_CHANGE, MUCH_CHANGE_OF_FEW = 0.005, 0.02, 0.05

#: The section on Hard, and its code if it suspects something.
_HARD_SECTION, _SUSPECTED = "hard", "suspected"
#: The section on separate parameters, and its codes if one set of parameters for all is about as good.
_SPLITTING_SECTION, _ONE_SET = "splitting", ("either", "keep_together")


def with_advice(report: Report) -> Report:
    """Return the report with the advice that it supports, overall and for each preset."""
    hard_section, scheduler = report.sections.get(_HARD_SECTION), report.scheduler
    advice = [Advice(HARD)] if getattr(hard_section, "code", None) == _SUSPECTED else []
    if scheduler is not None and not report.unfinished:
        presets = tuple(replace(preset, advice=advice_for_preset(preset)) for preset in scheduler.presets)
        scheduler = replace(scheduler, presets=presets)
        scheduler_advice = (_fsrs_advice if scheduler.fsrs else _turn_on_advice)(report, scheduler)
        if scheduler_advice is not None and not (advice and scheduler_advice.code == NOTHING):
            advice.append(scheduler_advice)
    return replace(report, scheduler=scheduler, advice=tuple(advice))


def advice_for_preset(preset: PresetInUse) -> str:
    """Return the code of the advice for one preset by itself."""
    if _should_optimize(preset):
        return OPTIMIZE
    if preset.suggested_retention is not None:
        return DESIRED_RETENTION
    if preset.change is None or (preset.accuracy.state == OPEN and preset.change < LITTLE_CHANGE):
        return KEEP_ON
    return NOTHING if preset.change < LITTLE_CHANGE or is_ruled_out(preset) else OPTIMIZE_IF_YOU_LIKE


def is_ruled_out(preset: PresetInUse) -> bool:
    """Return whether the user's reviews decide against optimizing the preset. A claim about the past is enough."""
    return preset.optimized_against_own is not None and preset.optimized_against_own.is_worse


def _should_optimize(preset: PresetInUse) -> bool:
    """Return whether new parameters are better, very probably better, closer, or change the predictions much.

    A claim about the past is not enough.
    """
    rivalry, is_off = preset.optimized_against_own, preset.accuracy.state == OFF
    if preset.nothing_to_optimize or is_ruled_out(preset):
        return False
    min_change = MUCH_CHANGE if is_off or preset.reviews_to_optimize >= MANY else MUCH_CHANGE_OF_FEW
    return (
        (rivalry is not None and rivalry.claim == BETTER)
        or probability_better(rivalry) >= SURE
        or (is_off and bool(preset.accuracy.closer))
        or (preset.change or 0.0) >= min_change
    )


def _fsrs_advice(report: Report, scheduler: SchedulerInUse) -> Optional[Advice]:
    for row in report.results:
        if row.error is not None and row.error.code == NewerParameters.code:
            return Advice(UPDATE, row.algorithm)
    presets = scheduler.presets
    if report.accuracy is None:
        return None
    if not presets:
        return Advice(KEEP_ON) if report.accuracy.all_deleted else None
    for code in (OPTIMIZE, DESIRED_RETENTION, OPTIMIZE_IF_YOU_LIKE):
        concerned_presets = tuple(preset for preset in presets if preset.advice == code)
        if concerned_presets:
            break
    else:
        is_open = report.accuracy.state == OPEN
        code, concerned_presets = KEEP_ON if is_open or scheduler.change is None else NOTHING, presets
    if code == DESIRED_RETENTION:
        concerned_presets = concerned_presets[:1]
    is_for_all = report.scope.kind == "collection" and len(concerned_presets) == len(presets)
    names = () if is_for_all else tuple(preset.name for preset in concerned_presets)
    change, first = replace(scheduler, presets=concerned_presets).change, concerned_presets[0]
    advice = Advice(code, presets=names, preset_id=first.preset_id, change=change)
    if code == DESIRED_RETENTION:
        retention = first.accuracy.desired_retention
        return replace(advice, desired_retention=retention, suggested_retention=first.suggested_retention)
    if code == OPTIMIZE and len(presets) > 1 and _one_set_suffices(report):
        return replace(advice, shared_preset=presets[0].name)
    return advice


def _one_set_suffices(report: Report) -> bool:
    """Return whether the section on separate parameters shows that one set for all presets predicts about as well."""
    splittings = report.sections.get(_SPLITTING_SECTION)
    by_preset = [item for item in splittings if item.by == "preset"] if isinstance(splittings, tuple) else []
    return any(item.total is not None and item.total.code in _ONE_SET for item in by_preset)


def _turn_on_advice(report: Report, scheduler: SchedulerInUse) -> Optional[Advice]:
    headline, reviews = report.headline, report.scope.reviews
    rivalry = None if headline is None else headline.decisive
    if headline is None or rivalry is None:
        return None
    algorithm = rivalry.comparison.algorithm
    if rivalry.is_worse or rivalry.claim == EQUIVALENT:
        return Advice(STAY, algorithm)
    if not rivalry.is_better and reviews >= MANY:
        code = CHOOSE
    elif rivalry.is_better or probability_better(headline.against_sm2) >= SURE:
        optimized_against_default = scheduler.optimized_against_default
        is_worse = optimized_against_default is not None and optimized_against_default.is_worse
        code = TURN_ON if reviews < MIN_TO_OPTIMIZE or is_worse else TURN_ON_AND_OPTIMIZE
    else:
        return None
    if scheduler.version is not None and scheduler.version < MIN_SCHEDULER:
        code = SCHEDULER
    return Advice(code, algorithm)


def probability_better(rivalry: Optional[Rivalry]) -> float:
    """Return the probability of being better, from the user's and others' reviews together, or 0 if it is unknown."""
    chance = None if rivalry is None else rivalry.comparison.chance
    return 0.0 if chance is None else chance.better
