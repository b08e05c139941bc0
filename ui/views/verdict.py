"""The verdict in sentences, and what the star means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, List, Tuple

from ..science import SAME_DAY_TABLE, interval, report
from ..text import _, strings
from ..text.numbers import decimals, percent, percents
from ..text.phrases import labelled, of_100, size_words
from .cells import needed

if TYPE_CHECKING:
    from evaluator.report import Basis, Comparison, Report, Verdict

#: By the comparison's code: what the person's own reviews decide, and else what cannot be told.
ANSWERS = {
    "better": _("{algorithm} knew better than {baseline} which cards you would forget."),
    "worse": _("{baseline} knew better than {algorithm} which cards you would forget."),
    "equivalent": _("{algorithm} and {baseline} knew equally well which cards you would forget."),
}
CANNOT_TELL = _("It cannot be told yet whether {algorithm} or {baseline} knows better which cards you will forget.")
#: By the chance's code, where the own reviews alone do not decide.
LIKELY = {
    "almost_certainly": _("{ahead} almost certainly knows better than {behind} which cards you will forget."),
    "very_probably": _("{ahead} very probably knows better than {behind} which cards you will forget."),
    "probably": _("{ahead} probably knows better than {behind} which cards you will forget."),
}
#: What learning from these reviews is worth, by the comparison's code.
TRAINING = {
    "better": _("{algorithm} predicts better after learning from your reviews than with its default parameters."),
    "worse": _("{algorithm} predicts worse after learning from your reviews than with its default parameters."),
    "equivalent": _("{algorithm} predicts as well with its default parameters as after learning from your reviews."),
}
#: By the direction of a disagreement.
MORE_CONFIDENT = _(
    "On {reviews} {algorithm} was at least {points} points more confident: it said {predicted}, {baseline} "
    "{by_baseline}; you remembered {recalled}."
)
LESS_CONFIDENT = _(
    "On {reviews} {algorithm} was at least {points} points less confident: it said {predicted}, {baseline} "
    "{by_baseline}; you remembered {recalled}."
)
#: What would predict better, a forecaster by its name.
GUESSING = {report.AVERAGE: _("Guessing your average every time would have predicted better than {algorithm} did.")}
#: With four digits, less than this is 0.
_SMALLEST_SHOWN = 0.00005
#: Names that say nothing to somebody who has not read of them.
_SPOKEN = {**strings.SPOKEN, report.AVERAGE: _("AVG (guessing your average)")}


#: At most so many sentences stand below the answer; the others are for who asks why.
_BELOW = 2


def answer_and_why(report: Report) -> Tuple[List[str], List[str]]:
    """The report's verdict in plain words: the answer with what stands below it, and what is for who asks why.

    The answer says of which table it is, unless of the usual one.
    """
    verdict = report.verdict
    answer, *others = verdict_sentences(verdict, tuple(_own_parameters(report)))
    if report.scope.table == SAME_DAY_TABLE and verdict.comparisons:
        answer = labelled(strings.WITH_SAME_DAY, answer)
    below = min(_BELOW, len(others) - len(_evidence(verdict)))
    return [answer, *others[:below]], others[below:]


def verdict_sentences(verdict: Verdict, own_parameters: Tuple[str, ...] = ()) -> Tuple[str, ...]:
    """The verdict in plain words: the answer, what happened where the two disagree, the evidence, and what else.

    ``own_parameters`` is what is to be said of the person's own, after how it is for others.
    """
    if verdict.code == "no_pair":
        second = "FSRS-6" if verdict.algorithm in (None, "SM-2", "Anki-SM-2") else "Anki-SM-2"
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
    known = [strings.MAY_BE_IN_SAMPLE.format(algorithm=name) for name in verdict.in_sample]
    own = () if first.code in ANSWERS else _own_reviews(first, verdict.basis)
    said = _answer(first), *known, *_others(first), *own_parameters, *own, *verdict_disagreement(verdict)
    return (*said, *_turned(first), *_asides(others, verdict), *_evidence(verdict))


def _evidence(verdict: Verdict) -> Tuple[str, ...]:
    """What the answer rests on, in numbers, if there is an answer."""
    if not verdict.comparisons:
        return ()
    first = verdict.comparisons[0]
    return (_in_numbers(verdict, first), *_who_they_are(first))


def _own_parameters(report: Report) -> Iterator[str]:
    """How the parameters in the presets did on reviews made since they were set, against optimised ones."""
    trained = report.scheduler.trained_anew if report.scheduler is not None else ()
    c = trained[0].comparison if trained else None
    if c is None:
        return
    reviews = strings.REVIEWS(trained[0].basis.reviews)
    if c.code == interval.BETTER:
        yield _(
            "Optimised parameters would have predicted your last {reviews} better (log loss {difference:.4f} lower)."
        ).format(reviews=reviews, difference=abs(c.difference.known))
    elif c.code in (interval.WORSE, interval.EQUIVALENT):
        yield _("Your own parameters predicted your last {reviews} as well as optimised ones would have.").format(
            reviews=reviews
        )
    elif c.difference.known < 0:
        yield _(
            "Optimised parameters would have predicted your last {reviews} better (log loss {difference:.4f} lower), "
            "but that may be chance."
        ).format(reviews=reviews, difference=abs(c.difference.known))
    else:
        text = _("Optimised parameters would not have predicted your last {reviews} better; that may be chance.")
        yield text.format(reviews=reviews)


def detectable(c: Comparison) -> str:
    """The smallest difference that could have been shown, to two digits; it is an estimate."""
    return f"{c.smallest_detectable or 0.0:.2g}"


def by_how_much(c: Comparison) -> str:
    """The size of a comparison's difference, and its interval."""
    return _("{difference:.4f}; {interval}").format(difference=abs(c.difference.known), interval=_interval(c))


def _filled(text: str, c: Comparison, **facts: int) -> str:
    """Fill in a text about a comparison, in which {ahead} is the one that is likelier to be better."""
    algorithm, baseline = (_SPOKEN.get(name, name) for name in (c.algorithm, c.baseline))
    ahead, behind = (algorithm, baseline) if c.chance is None or c.chance.better >= 0.5 else (baseline, algorithm)
    return text.format(algorithm=algorithm, baseline=baseline, ahead=ahead, behind=behind, **facts)


def _answer(c: Comparison) -> str:
    if c.code == interval.WORSE and c.baseline in GUESSING:
        return _filled(GUESSING[c.baseline], c)
    likely = CANNOT_TELL if c.chance is None else LIKELY.get(c.chance.code, CANNOT_TELL)
    return _filled(ANSWERS.get(c.code, likely), c)


def _others(c: Comparison) -> Iterator[str]:
    """Of how many others the same is true; where that much cannot be told, for how many the algorithm is better."""
    if c.chance is None:
        return
    for_algorithm = of_100(c.chance.better_for / c.chance.others.collections)
    if c.code == interval.EQUIVALENT or (c.code not in ANSWERS and c.chance.code not in LIKELY):
        text = _("{algorithm} is better for {count} of 100 people with about as many reviews.")
    else:
        if c.code == interval.WORSE or (c.code != interval.BETTER and c.chance.better < 0.5):
            for_algorithm = 100 - for_algorithm
        text = (
            _("The same was true for {count} of 100 other people with about as many reviews.")
            if for_algorithm >= 50
            else _("The same was true for only {count} of 100 other people with about as many reviews.")
        )
    yield _filled(text, c, count=for_algorithm)


def _own_reviews(c: Comparison, basis: Basis) -> Iterator[str]:
    """What the person's own reviews say, where they do not decide."""
    rarer = basis.rarer
    if c.code == interval.TOO_FEW:
        yield _("Your own reviews cannot say anything yet: they are of {cards} on {days}; {needed}.").format(
            cards=strings.CARDS(basis.cards), days=strings.DAYS(basis.days), needed=needed(c.code)
        )
    elif c.code == interval.RARE and rarer is not None:
        text = (
            _("Your own reviews cannot say anything yet: you remembered only {reviews} (of {cards}, on {days}).")
            if rarer.outcome == 1
            else _(
                "Your own reviews cannot say anything yet: you pressed Again in only {reviews} (of {cards}, on {days})."
            )
        )
        yield text.format(
            reviews=strings.REVIEWS(rarer.reviews), cards=strings.CARDS(rarer.cards), days=strings.DAYS(rarer.days)
        )
    elif c.chance is not None:
        of_others = c.chance.better_for / c.chance.others.collections
        ahead = (c.chance.better if c.chance.code in LIKELY else of_others) >= 0.5
        yield (
            _("Your own reviews point the same way, but are too few to show it alone.")
            if (c.difference.known < 0) == ahead
            else _("Your own reviews point the other way, but are too few to show that.")
        )


def verdict_disagreement(verdict: Verdict) -> Iterator[str]:
    """What happened where the pair of the verdict disagrees: on each side that is large enough to be described.

    Nothing where one of them may have seen these reviews.
    """
    one = verdict.disagreement
    if one is None or verdict.in_sample:
        return
    for text, side in ((MORE_CONFIDENT, one.surer), (LESS_CONFIDENT, one.less_sure)):
        if side.recalled is None:
            continue
        shares = side.recalled, side.predicted or 0.0, side.predicted_by_baseline or 0.0
        recalled, predicted, by_baseline = percents(*shares)
        algorithm, baseline = (strings.SPOKEN.get(name, name) for name in (verdict.algorithm, verdict.baseline) if name)
        yield text.format(
            reviews=strings.REVIEWS(side.reviews),
            algorithm=algorithm,
            points=round(100 * one.threshold),
            predicted=predicted,
            baseline=baseline,
            by_baseline=by_baseline,
            recalled=recalled,
        )


def _who_they_are(c: Comparison) -> Iterator[str]:
    """Whose results those of other people are, and the chance in numbers."""
    if c.chance is not None:
        yield _(
            "The other people: {collections:,} whole collections with {size} scored reviews, in the SRS Benchmark of "
            "January 2025, where {theirs} was compared with {with_theirs}. With your own reviews, the chance that "
            "{algorithm} is better is {chance}."
        ).format(
            collections=c.chance.others.collections,
            size=size_words(c.chance.others.at_least, c.chance.others.below),
            theirs=c.chance.algorithm,
            with_theirs=c.chance.baseline,
            algorithm=c.algorithm,
            chance=percent(c.chance.better, 1),
        )


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
        algorithm=strings.SPOKEN.get(c.algorithm, c.algorithm),
        baseline=strings.SPOKEN.get(c.baseline, c.baseline),
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


def _turned(c: Comparison) -> Iterator[str]:
    """That the two halves of the reviews say opposite things, where they do although one is better over all."""
    decided = c.code in (interval.BETTER, interval.WORSE)
    if decided and c.turned and c.earlier_half is not None and c.later_half is not None:
        names = [_SPOKEN.get(name, name) for name in (c.algorithm, c.baseline)]
        ahead = names if c.earlier_half < 0 else names[::-1]
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
    return _("95\N{NO-BREAK SPACE}% interval: {low} to {high}").format(low=decimals(low, 4), high=decimals(high, 4))


def _asides(others: List[Comparison], verdict: Verdict) -> Iterator[str]:
    """What else a person would want to know at once; nothing that chance could have made."""
    for c in others:
        if c.baseline in GUESSING and c.code == interval.WORSE:
            yield _filled(GUESSING[c.baseline], c)
        elif c.baseline == verdict.untrained and c.code in TRAINING:
            yield _filled(TRAINING[c.code], c)


# --- the star ---------------------------------------------------------------------------------------------------------

STAR_MEANING = _("may be the best")


def star_meaning(report: Report) -> str:
    """What the star before some names in the table says, without an end mark; empty where none has one."""
    return STAR_MEANING if report.best_set else ""


def has_star(report: Report, algorithm: str) -> bool:
    """Whether the table marks the algorithm with a star; never one that is in-sample."""
    return algorithm in (report.best_set or ())
