"""The verdict in sentences, and what the star means."""

from __future__ import annotations

from typing import TYPE_CHECKING, List, Optional, Tuple

from ..science import interval
from ..text import strings
from ..text.wording import signed

if TYPE_CHECKING:
    from evaluator.report import Comparison, Report, Verdict


def verdict_sentences(verdict: Verdict) -> Tuple[str, ...]:
    """The verdict in plain words: the answer, the evidence, and what else stands out."""
    if verdict.code == "no_pair":
        second = "FSRS-6" if verdict.algorithm in (None, "SM-2") else "SM-2"
        return (strings.NO_PAIR.format(second=second),)
    if verdict.code == "unfinished":
        unfinished = strings.UNFINISHED.format(algorithm=verdict.algorithm, baseline=verdict.baseline)
        return (unfinished, strings.UNFINISHED_TABLE)
    first, *others = verdict.comparisons
    known = [strings.IN_SAMPLE.format(algorithm=name) for name in verdict.in_sample]
    answer = _filled(strings.ANSWERS[first.code], first)
    return (answer, _evidence(verdict, first), *known, *_asides(others, verdict.untrained))


def detectable(c: Comparison) -> str:
    """The smallest difference that could have been shown, to two digits; it is an estimate."""
    return f"{c.smallest_detectable or 0.0:.2g}"


def by_how_much(c: Comparison) -> str:
    """The size of a difference, and its interval."""
    return strings.BY_HOW_MUCH.format(difference=abs(c.difference.known), interval=_interval(c))


def _filled(text: str, c: Comparison) -> str:
    """A text about a comparison."""
    return text.format(
        algorithm=c.algorithm,
        baseline=c.baseline,
        margin=interval.MARGIN,
        detectable=detectable(c),
        by_how_much=by_how_much(c),
    )


def _evidence(verdict: Verdict, c: Comparison) -> str:
    basis = verdict.basis
    reviews = strings.REVIEWS(basis.reviews)
    difference = c.difference.known
    said = (strings.LOSS_LOWER if difference <= 0 else strings.LOSS_HIGHER).format(
        reviews=reviews if verdict.in_sample else strings.UNSEEN.format(reviews=reviews),
        algorithm=c.algorithm,
        difference=abs(difference),
    )
    if c.difference.ends is None:
        cards, days = strings.CARDS(basis.cards), strings.DAYS(basis.days)
        return strings.EVIDENCE_TOO_FEW.format(said=said, cards=cards, days=days, least=interval.MIN_GROUPS)
    text = strings.EVIDENCE_OF_CHANCE if c.code == interval.CANNOT_TELL else strings.EVIDENCE
    return text.format(said=said, interval=_interval(c))


def _interval(c: Comparison) -> str:
    """The 95 % interval of the difference, counted in its own direction."""
    difference = c.difference.known
    low, high = c.difference.ends or (difference, difference)
    if difference <= 0:
        low, high = -high, -low
    return strings.INTERVAL.format(low=signed(low), high=signed(high))


def _asides(others: List[Comparison], untrained: Optional[str]) -> List[str]:
    """What else a person would want to know at once; nothing that chance could have made."""
    said = []
    for c in others:
        if c.baseline == "AVG" and c.code == interval.WORSE:
            said.append(_filled(strings.WORSE_THAN_AVERAGE, c))
        elif c.baseline == untrained and c.code in strings.TRAINING:
            said.append(_filled(strings.TRAINING[c.code], c))
    return said


# --- the star ---------------------------------------------------------------------------------------------------------

#: What a star means that marks no more than the row in bold.
LOWEST = strings.STAR_LOWEST


def star_meaning(report: Report) -> str:
    """What the star before some names in the table says, without an end mark; empty where none has one."""
    if report.best_set is not None:
        return strings.STAR_BEST
    starred = _lowest_unseen(report)
    if starred is None:
        return ""
    return LOWEST if starred == report.best else strings.STAR_LOWEST_UNSEEN


def has_star(report: Report, algorithm: str) -> bool:
    """Whether the table marks this row; never what is in-sample."""
    return algorithm == _lowest_unseen(report) if report.best_set is None else algorithm in report.best_set


def _lowest_unseen(report: Report) -> Optional[str]:
    """The algorithm with the lowest log loss of those that had not seen the reviews; None where there is none."""
    return next((row.algorithm for row in report.results if not row.error and not row.in_sample), None)


def star_order_sentence(report: Report) -> str:
    """Why a row with a star stands below one without it; empty where none does, or what the star means says it."""
    if report.best_set is None:
        return ""
    stars = [has_star(report, result.algorithm) for result in report.results if not result.error]
    return "" if sorted(stars, reverse=True) == stars else strings.STAR_ORDER
