"""The verdict in sentences, and what the star means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, List, Tuple

from ..science import SAME_DAY_TABLE, interval, report
from ..text import _, strings
from ..text.numbers import four_digits
from ..text.phrases import labelled
from .disagreement import verdict_disagreement
from .lacking import needed

if TYPE_CHECKING:
    from evaluator.report import Basis, Comparison, Report, Verdict

#: By the comparison's code. {days} is such as "208 days": a verdict is about the days of the scored reviews alone.
ANSWERS = {
    "better": _(
        "In these {days} of reviews, {algorithm} predicted what you would remember better than {baseline} did."
    ),
    "worse": _("In these {days} of reviews, {algorithm} predicted what you would remember worse than {baseline} did."),
    "equivalent": _(
        "In these {days} of reviews, {algorithm} and {baseline} predicted equally well what you would remember."
    ),
    "cannot_tell": _(
        "It cannot be told yet whether {algorithm} or {baseline} predicts better what you will remember: whatever "
        "these {days} of reviews show may be chance."
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
#: What learning from these reviews is worth, by the comparison's code.
TRAINING = {
    "better": _("{algorithm} predicts better after learning from your reviews than with its default parameters."),
    "worse": _("{algorithm} predicts worse after learning from your reviews than with its default parameters."),
    "equivalent": _("{algorithm} predicts as well with its default parameters as after learning from your reviews."),
    "cannot_tell": _("Whether {algorithm} gains by learning from your reviews cannot be told yet."),
}
#: What would predict better, a forecaster by its name.
GUESSING = {report.AVERAGE: _("Guessing your average every time would have predicted better than {algorithm} did.")}
#: With four digits, less than this is 0.
_SMALLEST_SHOWN = 0.00005
#: Names that say nothing to somebody who has not read of them.
_SPOKEN = {report.AVERAGE: _("guessing your average every time (AVG)")}


def answer_sentences(report: Report) -> Tuple[str, ...]:
    """The report's verdict in plain words; the answer says of which table it is, unless of the usual one."""
    answer, *others = verdict_sentences(report.verdict)
    if report.scope.table == SAME_DAY_TABLE and report.verdict.comparisons:
        answer = labelled(strings.WITH_SAME_DAY, answer)
    return (answer, *others)


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
    said = answer, *_lacking(first, verdict.basis), *verdict_disagreement(verdict), *_turned(first)
    return (*said, *_asides(others, verdict), *known, _in_numbers(verdict, first))


def detectable(c: Comparison) -> str:
    """The smallest difference that could have been shown, to two digits; it is an estimate."""
    return f"{c.smallest_detectable or 0.0:.2g}"


def by_how_much(c: Comparison) -> str:
    """The size of a comparison's difference, and its interval."""
    return _("{difference:.4f}; {interval}").format(difference=abs(c.difference.known), interval=_interval(c))


def _filled(text: str, c: Comparison, basis: Basis) -> str:
    """Fill in a text about a comparison."""
    algorithm, baseline = (_SPOKEN.get(name, name) for name in (c.algorithm, c.baseline))
    return text.format(days=strings.DAYS(basis.days), algorithm=algorithm, baseline=baseline)


def _in_numbers(verdict: Verdict, c: Comparison) -> str:
    """The difference of log loss, what it means, and its interval."""
    reviews, difference = strings.REVIEWS(verdict.basis.reviews), c.difference.known
    if abs(difference) < _SMALLEST_SHOWN:
        text = _(
            "In numbers: on {reviews}, the log loss of {algorithm} (how much your answers surprised it) is the same as "
            "that of {baseline}, to four digits"
        )
    elif difference < 0:
        text = _(
            "In numbers: on {reviews}, the log loss of {algorithm} (how much your answers surprised it) is "
            "{difference:.4f} lower than that of {baseline}"
        )
    else:
        text = _(
            "In numbers: on {reviews}, the log loss of {algorithm} (how much your answers surprised it) is "
            "{difference:.4f} higher than that of {baseline}"
        )
    said = text.format(
        reviews=reviews if verdict.in_sample else _("{reviews} that neither had learned from").format(reviews=reviews),
        algorithm=c.algorithm,
        baseline=c.baseline,
        difference=abs(difference),
    )
    # Translators: {said} is such as "In numbers: on 9 reviews, the log loss of A is 0.1000 lower than that of B".
    text = _("{said}.") if c.difference.ends is None else _("{said} ({interval}).")
    return text.format(said=said, interval=_interval_and_limit(c))


def _interval_and_limit(c: Comparison) -> str:
    """The interval, and what it could have shown or what does not matter, where that is what the verdict rests on."""
    if c.code == interval.CANNOT_TELL:
        return _("{interval}; only differences above {detectable} could have been shown").format(
            interval=_interval(c), detectable=detectable(c)
        )
    if c.code == interval.EQUIVALENT:
        return _("{interval}; up to {margin:g} does not matter").format(interval=_interval(c), margin=interval.MARGIN)
    return _interval(c)


def _lacking(c: Comparison, basis: Basis) -> Iterator[str]:
    """What there is too little of for a verdict, and how much of it would be enough."""
    rarer = basis.rarer
    if c.code == interval.TOO_FEW:
        yield _("So far: {cards} on {days}; {needed}.").format(
            cards=strings.CARDS(basis.cards), days=strings.DAYS(basis.days), needed=needed(c.code)
        )
    if c.code in (interval.TOO_FEW, interval.RARE) and rarer is not None and not rarer.enough:
        text = (
            _(
                "You remembered {reviews} (of {cards}, on {days}); needed are {least}, of at least {groups} cards "
                "and on at least {groups} days."
            )
            if rarer.outcome == 1
            else _(
                "You forgot {reviews} (of {cards}, on {days}); needed are {least}, of at least {groups} cards and "
                "on at least {groups} days."
            )
        )
        yield text.format(
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
            "But the two halves of these days say opposite things: in the earlier half {first} predicted better, in "
            "the later half {second}."
        ).format(first=ahead[0], second=ahead[1])


def _interval(c: Comparison) -> str:
    """The 95 % interval of the size of a comparison's difference, whatever its sign."""
    difference = c.difference.known
    low, high = c.difference.ends or (difference, difference)
    if difference <= 0:
        low, high = -high, -low
    return _("95\N{NO-BREAK SPACE}% interval: {low} to {high}").format(low=four_digits(low), high=four_digits(high))


def _asides(others: List[Comparison], verdict: Verdict) -> Iterator[str]:
    """What else a person would want to know at once; nothing that chance could have made."""
    for c in others:
        if c.baseline in GUESSING and c.code == interval.WORSE:
            yield _filled(GUESSING[c.baseline], c, verdict.basis)
        elif (
            c.baseline == verdict.untrained and c.code in TRAINING and {c.code, verdict.code} != {interval.CANNOT_TELL}
        ):
            yield _filled(TRAINING[c.code], c, verdict.basis)


# --- the star ---------------------------------------------------------------------------------------------------------

STAR_MEANING = _("may be the best")


def star_meaning(report: Report) -> str:
    """What the star before some names in the table says, without an end mark; empty where none has one."""
    return STAR_MEANING if report.best_set else ""


def has_star(report: Report, algorithm: str) -> bool:
    """Whether the table marks the algorithm with a star; never one that is in-sample."""
    return algorithm in (report.best_set or ())
