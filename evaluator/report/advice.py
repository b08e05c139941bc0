"""Advice as codes with facts: at most two, and only what the numbers support.

| code | given if |
|---|---|
| hard | the section ``hard`` suspects that Hard is pressed for forgotten cards; comes first, as it spoils the rest |
| update | FSRS is on, and a preset holds parameters of a newer FSRS than can be run |
| optimize | FSRS is on, and newly trained parameters are "better" than those in the presets, in all or in some |
| optimize | remembered and predicted differ near the desired retention, and retrained parameters are closer |
| desired_retention | they differ, optimizing would not change that, and another desired retention would |
| nothing | newly trained parameters are "better" in no preset, in all by no more than the margin |
| keep_on | too few reviews to check FSRS |
| nothing, optimize_if_you_like, optimize | by how much optimizing would change the predictions |
| turn_on, turn_on_and_optimize | FSRS is off, and an FSRS row is "better" than SM-2, or very probably so |

Of all but the first the first that applies is given; "nothing" is not given besides ``hard``. "better" is the code of a
:class:`Comparison`, by :func:`evaluator.interval.classify`. "Better by no more than the margin" means that no part of
the interval exceeds the margin: "equivalent" or "worse". Anki's settings are in :class:`SchedulerInUse`: there is no
advice without it, as for a CSV, and none on parameters without :attr:`SchedulerInUse.change`, as for a deck. In-sample
rows support nothing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Optional, Tuple

from ..errors import NewerParameters
from ..interval import BETTER, CANNOT_TELL, MARGIN, RARE, TOO_FEW
from .accuracy import Accuracy, PredictionChange
from .core import Report
from .scheduler import Advice, RetrainedComparison
from .values import Comparison

HARD, UPDATE, KEEP_ON, DESIRED_RETENTION = "hard", "update", "keep_on", "desired_retention"
TURN_ON, TURN_ON_AND_OPTIMIZE = "turn_on", "turn_on_and_optimize"
OPTIMIZE, OPTIMIZE_IF_YOU_LIKE, NOTHING = "optimize", "optimize_if_you_like", "nothing"

#: Codes that leave open which of two is better.
UNDECIDED = (CANNOT_TELL, TOO_FEW, RARE)
#: Probabilities that suffice to turn FSRS on.
SURE = ("almost_certainly", "very_probably")
#: Minimum number of scored reviews to advise optimizing too when FSRS is turned on.
MIN_TO_OPTIMIZE = 400

#: Mean changes of predictions. Below the first one optimizing is not worth it, from the second one it probably is:
#: ``python3 tools measure intervals --tables optimizing``.
LITTLE_CHANGE, MUCH_CHANGE = 0.005, 0.01

#: The section on Hard, and its code if it suspects something.
_HARD_SECTION, _SUSPECTED = "hard", "suspected"


def with_advice(report: Report) -> Report:
    """Return the report with the advice that it supports."""
    hard, scheduler = _on_hard(report), _on_scheduler(report)
    if hard and scheduler is not None and scheduler.code == NOTHING:
        scheduler = None
    return replace(report, advice=tuple(advice for advice in (hard, scheduler) if advice is not None))


def _on_hard(report: Report) -> Optional[Advice]:
    result = report.sections.get(_HARD_SECTION)
    return Advice(HARD) if getattr(result, "code", None) == _SUSPECTED else None


def _on_scheduler(report: Report) -> Optional[Advice]:
    scheduler = report.scheduler
    if scheduler is None:
        return None
    if not scheduler.fsrs:
        return _on_turning_on(report, scheduler.against_sm2)
    for row in report.results:
        if row.error is not None and row.error.code == NewerParameters.code:
            return Advice(UPDATE, row.algorithm)
    if scheduler.change is None:
        return None
    unseen = _on_unseen(scheduler.retrained)
    if unseen is not None and unseen.code == OPTIMIZE:
        return unseen
    return _on_accuracy(report.accuracy) or unseen or _on_change(report.accuracy, scheduler.change)


def _on_turning_on(report: Report, against_sm2: Optional[Comparison]) -> Optional[Advice]:
    if against_sm2 is None or not _is_better(against_sm2):
        return None
    reviews = report.verdict.basis.reviews
    code = TURN_ON_AND_OPTIMIZE if reviews >= MIN_TO_OPTIMIZE else TURN_ON
    return Advice(code, against_sm2.algorithm, reviews=reviews)


def _on_unseen(retrained: Tuple[RetrainedComparison, ...]) -> Optional[Advice]:
    """Return the advice from reviews on which the parameters in the presets cannot have been fitted."""
    if not retrained or retrained[0].comparison is None:
        return None
    total, reviews = retrained[0].comparison, retrained[0].basis.reviews
    gain = [item for item in retrained[1:] if item.comparison is not None and item.comparison.code == BETTER]
    if 0 < len(gain) < max(2, len(retrained) - 1):
        presets = tuple(item.preset or "" for item in gain)
        return Advice(OPTIMIZE, total.algorithm, presets, sum(item.basis.reviews for item in gain))
    if gain or total.code == BETTER:
        return Advice(OPTIMIZE, total.algorithm, reviews=reviews)
    if total.difference.low is not None and total.difference.low >= -MARGIN:
        return Advice(NOTHING, total.algorithm, reviews=reviews)
    return None


def _on_accuracy(accuracy: Optional[Accuracy]) -> Optional[Advice]:
    if accuracy is not None and accuracy.closer:
        return Advice(OPTIMIZE)
    if accuracy is not None and accuracy.suggested_retention is not None:
        return Advice(DESIRED_RETENTION)
    return None


def _on_change(accuracy: Optional[Accuracy], change: PredictionChange) -> Advice:
    if accuracy is not None and accuracy.form == TOO_FEW:
        return Advice(KEEP_ON, more_days=accuracy.more_days)
    much = OPTIMIZE if change.mean >= MUCH_CHANGE else OPTIMIZE_IF_YOU_LIKE
    return Advice(NOTHING if change.mean < LITTLE_CHANGE else much, reviews=change.reviews, change=change.mean)


def _is_better(c: Comparison) -> bool:
    """Return True if it is, or if the user's own reviews do not decide and it is very probable."""
    if c.code not in UNDECIDED or c.chance is None:
        return c.code == BETTER
    return c.chance.code in SURE and c.chance.better > 0.5
