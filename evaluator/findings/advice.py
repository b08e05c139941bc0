"""What to do: one code, for each preset and for the whole. Only what the numbers support is advised.

The first code that applies is given:

| code | given if |
|---|---|
| hard | Hard seems to be pressed for forgotten cards, which spoils other numbers, see :mod:`.hard` |
| update | a preset holds parameters of a newer FSRS than can be run |
| optimize | optimizing changes predictions enough, and a reason speaks for it, see :func:`_reason_to_optimize` |
| desired_retention | the preset was off near its desired retention, also in the latest reviews |
| nothing | Anki's optimizer gets no reviews, or it changes little and the finding is not open, or it would be worse |
| keep_on | the finding is open and optimizing changes little, or it is not known how much it changes |
| optimize_if_you_like | in all other cases |

The whole of several presets has the first of these codes, in the order of :data:`URGENCY`, that any preset has.

If FSRS is off:

| code | given if |
|---|---|
| scheduler | another code applies, but scheduler 1 or 2 is on, without FSRS |
| turn_on, turn_on_and_optimize | FSRS predicts better than SM-2, or very probably so |
| choose | many reviews leave open which predicts better |
| stay | SM-2, adjusted to the user, predicts better or equally well |
"""

from __future__ import annotations

from dataclasses import replace
from typing import Optional, Sequence

from ..interval import BETTER, EQUIVALENT, WORSE
from ..report import CLOSE, OFF, OPEN, Advice, Finding, Optimizing, Rivalry, Verdict
from .thresholds import (
    LITTLE_CHANGE,
    MANY,
    MIN_CLOSER,
    MIN_SCHEDULER,
    MIN_TO_OPTIMIZE,
    MUCH_CHANGE,
    MUCH_CHANGE_OF_FEW,
    SURE,
)

#: Codes of advice, see the tables above.
HARD = "hard"
SCHEDULER = "scheduler"
UPDATE = "update"
OPTIMIZE = "optimize"
DESIRED_RETENTION = "desired_retention"
NOTHING = "nothing"
KEEP_ON = "keep_on"
OPTIMIZE_IF_YOU_LIKE = "optimize_if_you_like"
TURN_ON = "turn_on"
TURN_ON_AND_OPTIMIZE = "turn_on_and_optimize"
CHOOSE = "choose"
STAY = "stay"

#: The codes of presets in the order in which the whole takes one of them, and the list of presets is sorted.
URGENCY = (HARD, UPDATE, OPTIMIZE, DESIRED_RETENTION, OPTIMIZE_IF_YOU_LIKE, KEEP_ON, NOTHING)


def advice_for_preset(finding: Finding, optimizing: Optimizing) -> Advice:
    """Return the advice for a subject with one preset.

    Args:
        finding: the finding, without advice.
        optimizing: what optimizing the preset would change.
    """
    reason = _reason_to_optimize(finding, optimizing)
    change = optimizing.change
    is_small = change is not None and change < LITTLE_CHANGE
    # A claim about the past is not enough: with 500 reviews, a third of such claims were wrong.
    would_be_worse = optimizing.against_own is not None and optimizing.against_own.claim == WORSE
    rules = (
        (reason is not None, OPTIMIZE, reason),
        (finding.suggested_retention is not None, DESIRED_RETENTION, None),
        (optimizing.obstacle is not None, NOTHING, optimizing.obstacle),
        (change is not None and not is_small and would_be_worse, NOTHING, "worse"),
        (change is None, KEEP_ON, "unknown"),
        (is_small, NOTHING if finding.state != OPEN else KEEP_ON, "small"),
        (True, OPTIMIZE_IF_YOU_LIKE, None),
    )
    code, reason = next((code, reason) for applies, code, reason in rules if applies)
    advice = Advice(code, reason, preset_id=finding.preset_id, change=change)
    if code != DESIRED_RETENTION:
        return advice
    return replace(advice, desired_retention=finding.desired_retention, suggested_retention=finding.suggested_retention)


def _reason_to_optimize(finding: Finding, optimizing: Optimizing) -> Optional[str]:
    """Return the reason to advise optimizing, or None.

    Predictions must change, and the preset's unseen reviews must not decide against it. The reasons are that optimized
    parameters would have been closer, that they predict better (a claim about the past is not enough) or very probably
    so, or that the predictions change much.
    """
    change = optimizing.change
    rivalry = optimizing.against_own
    if optimizing.obstacle is not None or change is None or change < LITTLE_CHANGE:
        return None
    # The user's reviews decide against optimizing. A claim about the past is enough.
    if rivalry is not None and rivalry.is_worse:
        return None
    optimized_gap = finding.recall.gap if finding.optimized is None else finding.optimized.gap
    if finding.state == OFF and abs(finding.recall.gap) - abs(optimized_gap) >= MIN_CLOSER:
        return "closer"
    if rivalry is not None and (rivalry.claim == BETTER or _probability_better(rivalry) >= SURE):
        return "decided"
    min_change = MUCH_CHANGE if optimizing.reviews >= MANY else MUCH_CHANGE_OF_FEW
    return "change" if optimizing.is_by_anki and change >= min_change else None


def advice_for_whole(presets: Sequence[Finding], n_in_use: int) -> Advice:
    """Return the advice for a whole of several presets.

    Args:
        presets: the findings of presets with enough reviews, which have advice.
        n_in_use: number of presets in use, with or without a finding.
    """
    advised = [(finding, finding.advice) for finding in presets if finding.advice is not None]
    code = min((advice.code for _, advice in advised), key=URGENCY.index)
    concerned = [(finding, advice) for finding, advice in advised if advice.code == code]
    first_preset, first_advice = concerned[0]
    if code == DESIRED_RETENTION:
        return replace(first_advice, presets=(first_preset.name,))
    names = () if len(concerned) == n_in_use else tuple(finding.name for finding, _ in concerned)
    changes = [(advice.change, finding.reviews) for finding, advice in concerned if advice.change is not None]
    n_reviews = sum(reviews for _, reviews in changes)
    mean_change = sum(change * reviews for change, reviews in changes) / n_reviews if changes else None
    reasons = {advice.reason for _, advice in concerned}
    reason = first_advice.reason if len(reasons) == 1 else None
    return replace(first_advice, presets=names, change=mean_change, reason=reason)


def turn_on_advice(verdict: Verdict, version: Optional[int], against_default: Optional[Rivalry]) -> Optional[Advice]:
    """Return the advice on turning FSRS on, or None if there is none.

    Args:
        verdict: FSRS compared with SM-2.
        version: the version of Anki's scheduler; None if the source does not say.
        against_default: optimized FSRS compared with its published parameters.
    """
    rivalry = verdict.rivalry
    if rivalry is None:
        return None
    algorithm = rivalry.comparison.algorithm
    if rivalry.is_worse or rivalry.claim == EQUIVALENT:
        return Advice(STAY, algorithm=algorithm)
    if rivalry.claim == CLOSE:
        code = CHOOSE
    elif rivalry.is_better or _probability_better(verdict.as_is) >= SURE:
        is_worse = against_default is not None and against_default.is_worse
        code = TURN_ON if rivalry.reviews < MIN_TO_OPTIMIZE or is_worse else TURN_ON_AND_OPTIMIZE
    else:
        return None
    return Advice(SCHEDULER if version is not None and version < MIN_SCHEDULER else code, algorithm=algorithm)


def _probability_better(rivalry: Optional[Rivalry]) -> float:
    """Return the probability of being better, from the user's and others' reviews together, or 0 if it is unknown."""
    chance = None if rivalry is None else rivalry.comparison.chance
    return 0.0 if chance is None else chance.better
