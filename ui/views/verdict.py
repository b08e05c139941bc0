"""The verdict in sentences, and what the star means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, List, Optional, Tuple

from ..science import interval
from ..text import _, strings
from ..text.numbers import four_digits
from .disagreement import verdict_disagreement
from .lacking import needed

if TYPE_CHECKING:
    from evaluator.report import Basis, Comparison, Report, Verdict

#: By the comparison's code. {days} is such as "208 days": a verdict is about the days of the scored reviews alone.
ANSWERS = {
    "better": _("In these {days} of reviews, {algorithm} predicted better than {baseline} what you would remember."),
    "worse": _("In these {days} of reviews, {algorithm} predicted worse than {baseline} what you would remember."),
    "equivalent": _(
        "In these {days} of reviews, {algorithm} and {baseline} predicted equally well what you would remember."
    ),
    "cannot_tell": _(
        "It cannot be told yet whether {algorithm} or {baseline} predicts better what you will remember: in these "
        "{days} of reviews the difference may be chance."
    ),
    "too_few": _(
        "There are too few days or cards to say whether {algorithm} or {baseline} predicts better what you will "
        "remember."
    ),
    "rare_outcome": _(
        "Too little was forgotten to say whether {algorithm} or {baseline} predicts better what you will remember."
    ),
}
#: Where it is what was remembered that is rare.
TOO_LITTLE_REMEMBERED = _(
    "Too little was remembered to say whether {algorithm} or {baseline} predicts better what you will remember."
)
GUESSING = _("AVG knows nothing about your cards and always says your average so far.")
#: What learning from these reviews is worth, by the comparison's code.
TRAINING = {
    "better": _("{algorithm} predicts better once it has learned from your reviews than as it comes ({by_how_much})."),
    "worse": _("{algorithm} predicts worse once it has learned from your reviews than as it comes ({by_how_much})."),
    "equivalent": _("{algorithm} predicts as well as it comes as once it has learned from your reviews."),
    "cannot_tell": _(
        "Whether {algorithm} gains by learning from your reviews cannot be told yet: only differences above "
        "{detectable} could have been shown."
    ),
}


def verdict_sentences(verdict: Verdict) -> Tuple[str, ...]:
    """The verdict in plain words: the answer, what happened where the two disagree, the evidence, and what else."""
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
    rarer = verdict.basis.rarer
    remembered = first.code == interval.RARE and rarer is not None and rarer.outcome == 1
    answer = _filled(TOO_LITTLE_REMEMBERED if remembered else ANSWERS[first.code], first, verdict.basis)
    guessing = (GUESSING,) if first.baseline == "AVG" else ()
    said = answer, *verdict_disagreement(verdict), _evidence(verdict, first), *_turned(first), *guessing, *known
    return (*said, *_asides(others, verdict))


def detectable(c: Comparison) -> str:
    """The smallest difference that could have been shown, to two digits; it is an estimate."""
    return f"{c.smallest_detectable or 0.0:.2g}"


def by_how_much(c: Comparison) -> str:
    """The size of a comparison's difference, and its interval."""
    return _("{difference:.4f}; {interval}").format(difference=abs(c.difference.known), interval=_interval(c))


def _filled(text: str, c: Comparison, basis: Basis) -> str:
    """Fill in a text about a comparison."""
    return text.format(
        days=strings.DAYS(basis.days),
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
        _(
            "On {reviews}, your answers surprised {algorithm} less than {baseline}: its log loss, which measures that, "
            "is {difference:.4f} lower"
        )
        if difference <= 0
        else _(
            "On {reviews}, your answers surprised {algorithm} more than {baseline}: its log loss, which measures that, "
            "is {difference:.4f} higher"
        )
    ).format(
        reviews=reviews if verdict.in_sample else _("{reviews} that neither had seen before").format(reviews=reviews),
        algorithm=c.algorithm,
        baseline=c.baseline,
        difference=abs(difference),
    )
    if c.difference.ends is None:
        return _("{said}. How much of that is chance is not known: {lacking}.").format(
            said=said, lacking=_lacking(c, basis)
        )
    if c.code == interval.CANNOT_TELL:
        text = _(
            "{said}, but chance alone could make such a difference ({interval}). Only differences above {detectable} "
            "could have been shown."
        )
    elif c.code == interval.EQUIVALENT:
        text = _("{said} ({interval}). Differences up to {margin:g} do not matter.")
    else:
        # Translators: {said} is such as "On 9 reviews, your answers surprised ..., is 0.1000 lower".
        text = _("{said} ({interval}).")
    return text.format(said=said, interval=_interval(c), detectable=detectable(c), margin=interval.MARGIN)


def _lacking(c: Comparison, basis: Basis) -> str:
    """What there is too little of, and how much of it would be enough."""
    rarer = basis.rarer
    if c.code == interval.TOO_FEW or rarer is None:
        cards, days = strings.CARDS(basis.cards), strings.DAYS(basis.days)
        return _("there are {cards} on {days}, and {needed}").format(cards=cards, days=days, needed=needed(c.code))
    text = (
        _(
            "only {reviews} of {cards} on {days} were remembered, and at least {least} of {groups} cards on {groups} "
            "days are needed"
        )
        if rarer.outcome == 1
        else _(
            "only {reviews} of {cards} on {days} were forgotten, and at least {least} of {groups} cards on {groups} "
            "days are needed"
        )
    )
    return text.format(
        reviews=strings.REVIEWS(rarer.reviews),
        cards=strings.CARDS(rarer.cards),
        days=strings.DAYS(rarer.days),
        least=interval.MIN_RARER,
        groups=interval.MIN_RARER_GROUPS,
    )


def _turned(c: Comparison) -> Iterator[str]:
    """That the two halves of the reviews say opposite things, where they do although one is better over all."""
    decided = c.code in (interval.BETTER, interval.WORSE)
    if decided and c.turned and c.earlier_half is not None and c.later_half is not None:
        ahead = (c.algorithm, c.baseline) if c.earlier_half < 0 else (c.baseline, c.algorithm)
        yield _(
            "The two halves of these days say opposite things: in the earlier half {first} predicted better (by "
            "{earlier:.4f}), in the later half {second} (by {later:.4f})."
        ).format(first=ahead[0], earlier=abs(c.earlier_half), second=ahead[1], later=abs(c.later_half))


def _interval(c: Comparison) -> str:
    """The 95 % interval of the size of a comparison's difference, whatever its sign."""
    difference = c.difference.known
    low, high = c.difference.ends or (difference, difference)
    if difference <= 0:
        low, high = -high, -low
    return _("95\N{NO-BREAK SPACE}% interval: {low} to {high}").format(low=four_digits(low), high=four_digits(high))


def _asides(others: List[Comparison], verdict: Verdict) -> List[str]:
    """What else a person would want to know at once; nothing that chance could have made."""
    said = []
    for c in others:
        if c.baseline == "AVG" and c.code == interval.WORSE:
            said.append(
                _filled(
                    _("{algorithm} predicts worse than guessing your average each time would ({by_how_much})."),
                    c,
                    verdict.basis,
                )
            )
        elif (
            c.baseline == verdict.untrained and c.code in TRAINING and {c.code, verdict.code} != {interval.CANNOT_TELL}
        ):
            said.append(_filled(TRAINING[c.code], c, verdict.basis))
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
