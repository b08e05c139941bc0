"""The verdict in sentences, and what the star means."""

from __future__ import annotations

from typing import TYPE_CHECKING, List, Optional, Tuple

from ..science import interval
from ..text import _, strings
from ..text.numbers import four_digits

if TYPE_CHECKING:
    from evaluator.report import Comparison, Report, Verdict

#: By the comparison's code.
ANSWERS = {
    "better": _("{algorithm} predicts your memory better than {baseline}."),
    "worse": _("{algorithm} predicts your memory worse than {baseline}."),
    "equivalent": _(
        "{algorithm} and {baseline} predict your memory equally well: any difference is smaller than {margin:g}."
    ),
    "cannot_tell": _(
        "It cannot be told whether {algorithm} or {baseline} predicts your memory better: with these reviews only "
        "differences above {detectable} could have been shown."
    ),
    "too_few": _(
        "There are too few days or cards to say whether {algorithm} or {baseline} predicts your memory better."
    ),
}
#: Of the parameters, by the comparison's code.
TRAINING = {
    "better": _("Parameters trained on your reviews predict better than the published ones (by {by_how_much})."),
    "worse": _("The published parameters predict better than those trained on your reviews (by {by_how_much})."),
    "equivalent": _(
        "The published parameters predict as well as those trained on your reviews: any difference is smaller than "
        "{margin:g}."
    ),
    "cannot_tell": _(
        "Whether parameters trained on your reviews are better than the published ones cannot be told yet: only "
        "differences above {detectable} could have been shown."
    ),
}


def verdict_sentences(verdict: Verdict) -> Tuple[str, ...]:
    """The verdict in plain words: the answer, the evidence, and what else stands out."""
    if verdict.code == "no_pair":
        second = "FSRS-6" if verdict.algorithm in (None, "SM-2") else "SM-2"
        return (
            _("With one algorithm there is nothing to compare. Choose a second one, such as {second}.").format(
                second=second
            ),
        )
    if verdict.code == "unfinished":
        unfinished = _("There is no verdict, because {algorithm} or {baseline} has no result.").format(
            algorithm=verdict.algorithm, baseline=verdict.baseline
        )
        return (unfinished, _("The table shows the algorithms that have one."))
    first, *others = verdict.comparisons
    known = [
        _("{algorithm} may have been fitted on these very reviews, which flatters it.").format(algorithm=name)
        for name in verdict.in_sample
    ]
    answer = _filled(ANSWERS[first.code], first)
    return (answer, _evidence(verdict, first), *known, *_asides(others, verdict.untrained))


def detectable(c: Comparison) -> str:
    """The smallest difference that could have been shown, to two digits; it is an estimate."""
    return f"{c.smallest_detectable or 0.0:.2g}"


def by_how_much(c: Comparison) -> str:
    """The size of a comparison's difference, and its interval."""
    return _("{difference:.4f}; {interval}").format(difference=abs(c.difference.known), interval=_interval(c))


def _filled(text: str, c: Comparison) -> str:
    """Fill in a text about a comparison."""
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
    said = (
        _("On {reviews}, the log loss of {algorithm} is {difference:.4f} lower")
        if difference <= 0
        else _("On {reviews}, the log loss of {algorithm} is {difference:.4f} higher")
    ).format(
        reviews=reviews if verdict.in_sample else _("{reviews} that neither had seen before").format(reviews=reviews),
        algorithm=c.algorithm,
        difference=abs(difference),
    )
    if c.difference.ends is None:
        cards, days = strings.CARDS(basis.cards), strings.DAYS(basis.days)
        return _(
            "{said}. How much of that is chance is not known: there are {cards} on {days}, and at least {least} of "
            "both are needed."
        ).format(said=said, cards=cards, days=days, least=interval.MIN_GROUPS)
    text = (
        _("{said}, but chance alone could make such a difference ({interval}).")
        if c.code == interval.CANNOT_TELL
        # Translators: {said} is such as "On 9 reviews, the log loss of A is 0.1000 lower".
        else _("{said} ({interval}).")
    )
    return text.format(said=said, interval=_interval(c))


def _interval(c: Comparison) -> str:
    """The 95 % interval of the size of a comparison's difference, whatever its sign."""
    difference = c.difference.known
    low, high = c.difference.ends or (difference, difference)
    if difference <= 0:
        low, high = -high, -low
    return _("95\N{NO-BREAK SPACE}% interval: {low} to {high}").format(low=four_digits(low), high=four_digits(high))


def _asides(others: List[Comparison], untrained: Optional[str]) -> List[str]:
    """What else a person would want to know at once; nothing that chance could have made."""
    said = []
    for c in others:
        if c.baseline == "AVG" and c.code == interval.WORSE:
            said.append(_filled(_("{algorithm} is worse than always guessing your average (by {by_how_much})."), c))
        elif c.baseline == untrained and c.code in TRAINING:
            said.append(_filled(TRAINING[c.code], c))
    return said


# --- the star ---------------------------------------------------------------------------------------------------------

#: What a star means that marks no more than the row in bold.
# Translators: No end mark, as it completes "★ ...".
LOWEST = _("lowest log loss")


def star_meaning(report: Report) -> str:
    """What the star before some names in the table says, without an end mark; empty where none has one."""
    if report.best_set is not None:
        # Translators: No end mark, as it completes "★ ...".
        return _("cannot be told from the best on these reviews")
    starred = _lowest_unseen(report)
    if starred is None:
        return ""
    # Translators: No end mark, as it completes "★ ...".
    return LOWEST if starred == report.best else _("lowest log loss of those that are not in-sample")


def has_star(report: Report, algorithm: str) -> bool:
    """Whether the table marks the algorithm with a star; never one that is in-sample."""
    return algorithm == _lowest_unseen(report) if report.best_set is None else algorithm in report.best_set


def _lowest_unseen(report: Report) -> Optional[str]:
    """The algorithm with the lowest log loss of those that had not seen the reviews; None where there is none."""
    return next((row.algorithm for row in report.results if not row.error and not row.in_sample), None)


def star_order_sentence(report: Report) -> str:
    """Why a row with a star stands below one without it; empty where none does, or what the star means says it."""
    if report.best_set is None:
        return ""
    stars = [has_star(report, result.algorithm) for result in report.results if not result.error]
    return (
        ""
        if sorted(stars, reverse=True) == stars
        else _(
            "A star may stand below a row without one: algorithms are compared review by review, and two that err on "
            "the same reviews are told apart by a smaller difference than two that err on others. What is in-sample "
            "has none."
        )
    )
