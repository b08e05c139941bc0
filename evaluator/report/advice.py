"""What a person may do about it, as codes with their facts: at most two, and none where the numbers support none.

| code | said where |
|---|---|
| hard | the section ``hard`` suspects that Hard is pressed for what was forgotten; said first, as it spoils the rest |
| update | FSRS is on, and a preset holds parameters of a newer FSRS than can be run |
| switch_on | FSRS is off in Anki, and an FSRS row is "better" than SM-2, or very probably so |
| optimise | FSRS is on, and parameters trained anew are "better" than those in the presets, in all or in some of them |
| nothing_to_do | FSRS is on, and parameters trained anew are "better" in no preset, in all by no more than the margin |
| probably_optimise | likewise, they cannot be told yet, and it is probable at least that they are better |
| too_early | the verdict is open, and it is known how much more is needed |
| too_early_to_optimise | FSRS is on, and parameters trained anew are open |

Of the last seven the first that holds is said; nothing_to_do is not said beside ``hard``,
nor where the verdict is "worse". "better" is the code of a :class:`Comparison`, by
:func:`evaluator.interval.judge`; better by no more than the margin is what has an interval of which no part lies beyond
it, so all that is "equivalent" or "worse". What Anki's settings are, and how parameters trained anew do, is
:class:`Scheduler`; without it, as of a CSV, only ``hard`` and ``too_early`` can be said. Rows that are in-sample are no
ground for anything.

How much more is needed: standard errors s shrink about with the square root of the number of reviews, so the interval
leaves out 0 when there are (1.96 s / d)^2 times as many, d being the difference that is expected of such people
(:attr:`Chance.expected`). Where that is more than :data:`MOST_TIMES`, or nothing is known of others, no
number is said.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, inf
from typing import TYPE_CHECKING, Optional, Tuple

from ..errors import NewerParameters
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
from .accuracy import PredictionChange
from .values import Basis, Comparison

if TYPE_CHECKING:
    from .core import Report

HARD, UPDATE, SWITCH_ON, OPTIMISE, NOTHING_TO_DO = "hard", "update", "switch_on", "optimise", "nothing_to_do"
PROBABLY_OPTIMISE = "probably_optimise"
TOO_EARLY, TOO_EARLY_TO_OPTIMISE = "too_early", "too_early_to_optimise"

#: With many days, an interval reaches so many standard errors to either side.
ERRORS_OF_MANY = 1.96
#: What leaves open which of two is better.
OPEN = (CANNOT_TELL, TOO_FEW, RARE)
#: A chance by which to switch FSRS on; to optimise, which costs nothing, a smaller one will do.
SURE = ("almost_certainly", "very_probably")
SURE_ENOUGH = (*SURE, "probably")

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
    change: Optional[PredictionChange] = None  #: by optimizing now; None if FSRS is off or a row is missing


@dataclass(frozen=True)
class Advice:
    """One thing to do, or to wait for.

    Codes: "hard" (use Again for what was forgotten), "update" (SRS Evaluator, as Anki's FSRS is newer; the algorithm is
    the row whose error has the facts), "switch_on" (FSRS), "optimise" (its parameters), "nothing_to_do"
    (they are as good as any trained anew), "probably_optimise", "too_early" (for the verdict), "too_early_to_optimise".
    """

    code: str
    algorithm: Optional[str] = None  #: that is to be switched on, was trained anew, or cannot be run
    presets: Tuple[str, ...] = ()  #: to optimise; empty: all
    reviews: Optional[int] = None  #: scored ones that this rests on
    more_reviews: Optional[int] = None  #: about so many scored reviews should come first; None: not known, or too many
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
    against_sm2 = None if scheduler is None else scheduler.against_sm2
    if scheduler is not None and against_sm2 is not None and _is_better(against_sm2, SURE):
        return Advice(SWITCH_ON, against_sm2.algorithm, reviews=report.verdict.basis.reviews)
    if scheduler is not None and scheduler.fsrs:
        for row in report.results:
            if row.error is not None and row.error.code == NewerParameters.code:
                return Advice(UPDATE, row.algorithm)
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
    return Advice(PROBABLY_OPTIMISE, total.algorithm, reviews=reviews) if _is_better(total, SURE_ENOUGH) else None


def _is_better(c: Comparison, words: Tuple[str, ...]) -> bool:
    """Whether it is, or where the own reviews do not decide, the chance of it is called by one of these words."""
    if c.code not in OPEN or c.chance is None:
        return c.code == BETTER
    return c.chance.code in words and c.chance.better > 0.5


def _too_early_for_verdict(report: Report) -> Optional[Advice]:
    verdict, folds = report.verdict, report.scope.folds
    if verdict.in_sample or not verdict.comparisons:
        return None
    first = verdict.comparisons[0]
    if first.code not in OPEN or (first.chance is not None and first.chance.code in SURE):
        return None
    # Of all new reviews, those count that are not taken for the oldest part, which is only trained on.
    more = _more(verdict.basis, first, (folds + 1) / folds)
    return None if more is None else Advice(TOO_EARLY, None, (), verdict.basis.reviews, *more)


def _too_early_to_optimise(total: TrainedAnew) -> Optional[Advice]:
    if total.comparison is None:
        return Advice(TOO_EARLY_TO_OPTIMISE, reviews=0, more_days=MIN_DAYS)
    if total.comparison.code not in OPEN:
        return None
    more = _more(total.basis, total.comparison, 1.0) or (None, None)
    return Advice(TOO_EARLY_TO_OPTIMISE, None, (), total.basis.reviews, *more)


def _more(basis: Basis, comparison: Comparison, share: float) -> Optional[Tuple[int, int]]:
    """About how many more scored reviews and days are needed; None where that is not known, or very many."""
    times = times_as_many(basis, comparison)
    if times is None or not 1 < times <= MOST_TIMES:
        return None
    more_reviews, more_days = (ceil(round(count * (times - 1) * share, 6)) for count in (basis.reviews, basis.days))
    return more_reviews, more_days


def times_as_many(basis: Basis, comparison: Comparison) -> Optional[float]:
    """How many times the reviews there should be for an interval, or for one that decides; None: not known."""
    if comparison.code in (TOO_FEW, RARE):
        lacking = [MIN_DAYS / basis.days, MIN_CARDS / basis.cards]
        rarer = basis.rarer
        if rarer is not None:
            found = ((MIN_RARER, rarer.reviews), (MIN_RARER_GROUPS, min(rarer.cards, rarer.days)))
            lacking += [least / count if count else inf for least, count in found]
        return max(lacking)
    error, chance = comparison.difference.standard_error, comparison.chance
    if error is None or chance is None:
        return None
    return (ERRORS_OF_MANY * error / chance.expected) ** 2 if chance.expected else inf
