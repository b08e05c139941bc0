"""What a person may do about it, as codes with their facts: at most two, and none where the numbers support none.

| code | said where |
|---|---|
| hard | the section ``hard`` suspects that Hard is pressed for what was forgotten; said first, as it spoils the rest |
| switch_on | FSRS is off in Anki, and an FSRS row is "better" than SM-2 |
| optimise | FSRS is on, and parameters trained anew are "better" than those in the presets, in all or in some of them |
| nothing_to_do | FSRS is on, and parameters trained anew are "better" in no preset, in all by no more than the margin |
| too_early | the verdict has no interval yet, or one that could not have told :data:`WORTH_TELLING` from 0 |
| too_early_to_optimise | FSRS is on, and the same holds of parameters trained anew against those in the presets |

Of the last five the first that holds is said; nothing_to_do is not said beside ``hard``,
nor where the verdict is "worse". "better" is the code of a :class:`Comparison`, by
:func:`evaluator.interval.judge`; better by no more than the margin is what has an interval of which no part lies beyond
it, so all that is "equivalent" or "worse". What Anki's settings are, and how parameters trained anew do, is
:class:`Scheduler`; without it, as of a CSV, only ``hard`` and ``too_early`` can be said. Rows that are in-sample are no
ground for anything.

How much more is needed: standard errors shrink about with the square root of the number of reviews, so to show a
difference of w where only d could have been shown, there must be (d / w)^2 times as many. Where that is more than
:data:`MOST_TIMES`, nobody knows, and no number is said.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, inf
from typing import TYPE_CHECKING, Optional, Tuple

from ..interval import (
    BETTER,
    CANNOT_TELL,
    MARGIN,
    MIN_CARDS,
    MIN_DAYS,
    MIN_RARER,
    MIN_RARER_GROUPS,
    RARE,
    TOO_FEW,
    WORSE,
)
from .values import Basis, Comparison

if TYPE_CHECKING:
    from .core import Report

HARD, SWITCH_ON, OPTIMISE, NOTHING_TO_DO = "hard", "switch_on", "optimise", "nothing_to_do"
TOO_EARLY, TOO_EARLY_TO_OPTIMISE = "too_early", "too_early_to_optimise"

#: A difference of log loss that reviews should be able to show before it is no longer too early: between algorithms the
#: least that the best one usually gains on guessing the average, see :data:`evaluator.interval.MARGIN`; between
#: parameters of one algorithm, which differ by less, a quarter of that.
WORTH_TELLING = {TOO_EARLY: 0.02, TOO_EARLY_TO_OPTIMISE: 0.005}

#: Nobody is told how many more reviews are needed where that is more than so many times the reviews that there are.
MOST_TIMES = 10

#: The section on Hard, and its code where it suspects something.
_HARD_SECTION, _SUSPECTED = "hard", "suspected"


@dataclass(frozen=True)
class TrainedAnew:
    """Parameters trained anew, minus those in presets, on reviews that the latter cannot have been fitted on.

    Those are the reviews since a preset was last changed; all of them, where it holds the published parameters. Nor are
    the former scored on what they were trained on.
    """

    preset: Optional[str]  #: its name; None: all presets together
    changed: Optional[str]  #: ISO date of its last change; None where that does not matter, or of all together
    basis: Basis
    comparison: Optional[Comparison]  #: None where there are no such reviews


@dataclass(frozen=True)
class Scheduler:
    """Which scheduler the person uses, and what could be used instead; on the whole collection or a whole preset."""

    fsrs: bool  #: whether FSRS is switched on
    against_sm2: Optional[Comparison] = None  #: FSRS minus SM-2, where it is off
    trained_anew: Tuple[TrainedAnew, ...] = ()  #: where it is on: all presets together, then each with such reviews


@dataclass(frozen=True)
class Advice:
    """One thing to do, or to wait for.

    Codes: "hard" (use Again for what was forgotten), "switch_on" (FSRS), "optimise" (its parameters), "nothing_to_do"
    (they are as good as any trained anew), "too_early" (for the verdict), "too_early_to_optimise".
    """

    code: str
    algorithm: Optional[str] = None  #: that is to be switched on, or was trained anew
    presets: Tuple[str, ...] = ()  #: to optimise; empty: all
    reviews: Optional[int] = None  #: scored ones that this rests on
    more_reviews: Optional[int] = None  #: about so many scored reviews should come first; None: too many to be foretold
    more_days: Optional[int] = None  #: about so many days with reviews should come first; likewise


def advise(report: Report) -> Tuple[Advice, ...]:
    """What the report supports, at most two, the more important first."""
    hard, scheduler = _on_hard(report), _on_scheduler(report)
    if scheduler is not None and scheduler.code == NOTHING_TO_DO and (hard or report.verdict.code == WORSE):
        scheduler = None
    return tuple(advice for advice in (hard, scheduler) if advice is not None)


def _on_hard(report: Report) -> Optional[Advice]:
    found = report.sections.get(_HARD_SECTION)
    return Advice(HARD) if getattr(found, "code", None) == _SUSPECTED else None


def _on_scheduler(report: Report) -> Optional[Advice]:
    scheduler = report.scheduler
    if scheduler is not None and scheduler.against_sm2 is not None and scheduler.against_sm2.code == BETTER:
        return Advice(SWITCH_ON, scheduler.against_sm2.algorithm, reviews=report.verdict.basis.reviews)
    anew = () if scheduler is None else scheduler.trained_anew
    return _on_parameters(anew) or _too_early_for_verdict(report) or (_too_early_to_optimise(anew[0]) if anew else None)


def _on_parameters(anew: Tuple[TrainedAnew, ...]) -> Optional[Advice]:
    if not anew or anew[0].comparison is None:
        return None
    total, reviews = anew[0].comparison, anew[0].basis.reviews
    gain = [one for one in anew[1:] if one.comparison is not None and one.comparison.code == BETTER]
    if 0 < len(gain) < max(2, len(anew) - 1):
        presets = tuple(one.preset or "" for one in gain)
        return Advice(OPTIMISE, total.algorithm, presets, sum(one.basis.reviews for one in gain))
    if gain or total.code == BETTER:
        return Advice(OPTIMISE, total.algorithm, reviews=reviews)
    if total.difference.low is not None and total.difference.low >= -MARGIN:
        return Advice(NOTHING_TO_DO, total.algorithm, reviews=reviews)
    return None


def _too_early_for_verdict(report: Report) -> Optional[Advice]:
    verdict, folds = report.verdict, report.scope.folds
    if verdict.in_sample or not verdict.comparisons:
        return None
    # Of all new reviews, those count that are not taken for the oldest part, which is only trained on.
    return _too_early(TOO_EARLY, verdict.basis, verdict.comparisons[0], (folds + 1) / folds)


def _too_early_to_optimise(total: TrainedAnew) -> Optional[Advice]:
    if total.comparison is None:
        return Advice(TOO_EARLY_TO_OPTIMISE, reviews=0, more_days=MIN_DAYS)
    return _too_early(TOO_EARLY_TO_OPTIMISE, total.basis, total.comparison, 1.0)


def _too_early(code: str, basis: Basis, comparison: Comparison, share: float) -> Optional[Advice]:
    times = _times_as_many(basis, comparison, WORTH_TELLING[code])
    if times is None or times <= 1:
        return None
    if times > MOST_TIMES:
        return Advice(code, reviews=basis.reviews)
    more_reviews, more_days = (ceil(round(count * (times - 1) * share, 6)) for count in (basis.reviews, basis.days))
    return Advice(code, reviews=basis.reviews, more_reviews=more_reviews, more_days=more_days)


def _times_as_many(basis: Basis, comparison: Comparison, worth: float) -> Optional[float]:
    """How many times the reviews there should be to show what is worth telling; None where that is not known."""
    if comparison.code in (TOO_FEW, RARE):
        lacking = [MIN_DAYS / basis.days, MIN_CARDS / basis.cards]
        rarer = basis.rarer
        if rarer is not None:
            found = ((MIN_RARER, rarer.reviews), (MIN_RARER_GROUPS, min(rarer.cards, rarer.days)))
            lacking += [least / count if count else inf for least, count in found]
        return max(lacking)
    if comparison.code == CANNOT_TELL and comparison.smallest_detectable is not None:
        return (comparison.smallest_detectable / worth) ** 2
    return None
