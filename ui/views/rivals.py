"""Sentences on two algorithms, which are FSRS and SM-2 if both were run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Dict, Iterator, List

from ..science import interval
from ..science import report as reports
from ..text import _, strings
from ..text.numbers import decimals
from ..text.phrases import all_of, of_100
from .cells import format_difference, interval_requirement, with_ends
from .labels import row_label

if TYPE_CHECKING:
    from evaluator.report import Comparison, Report, Rivalry, Verdict

#: Sentences on an algorithm and its rival, by :attr:`evaluator.report.Rivalry.claim`.
CLAIMS = {
    "better": _("{algorithm} predicted better than {rival}."),
    "better_past": _("On your {reviews}, {algorithm} predicted better than {rival}."),
    "worse": _("{rival} predicted better than {algorithm}."),
    "worse_past": _("On your {reviews}, {rival} predicted better than {algorithm}."),
    "equivalent": _("{algorithm} and {rival} predicted about equally well."),
    "close": _("Too close to call: your {reviews} do not show whether {algorithm} or {rival} predicted better."),
    "early": _("Too early to tell from your {reviews} whether {algorithm} or {rival} predicted better."),
}
#: Such sentences on FSRS and SM-2 if FSRS is off.
WOULD = {
    **CLAIMS,
    "better": _("FSRS would predict your memory better than {rival}."),
    "worse": _("{rival} predicted your memory better than FSRS."),
    "equivalent": _("FSRS and {rival} would predict your memory about equally well."),
}
#: Names of adjusted SM-2 in a sentence, by whether FSRS is better.
ADJUSTED_SM2 = {
    True: _("Anki's SM-2, even with SM-2 adjusted to your history"),
    False: _("Anki's SM-2, adjusted to your history,"),
}
#: Names of the algorithms that are SM-2.
_SM2 = (reports.ADJUSTED, "Anki-SM-2", "SM-2")


def claim_sentence(
    rivalry: Rivalry, texts: Dict[str, str], algorithm: str = "FSRS", *, name_adjusted: bool = True
) -> str:
    """Return which of two algorithms predicted better, or that this is unknown.

    Args:
        rivalry: the comparison of the algorithm with its rival, which is usually SM-2.
        texts: sentences by claim.
        algorithm: name of the algorithm in the sentence.
        name_adjusted: whether to say that even adjusted SM-2 is worse. False if the next sentence says it.
    """
    claim = rivalry.claim
    rival = _rival(rivalry)
    if claim == interval.BETTER and rivalry.comparison.baseline == reports.ADJUSTED and not name_adjusted:
        rival = _("Anki's SM-2")
    return texts[claim].format(algorithm=algorithm, rival=rival, reviews=strings.REVIEWS(rivalry.reviews))


def _rival(rivalry: Rivalry) -> str:
    """Return the name of the second algorithm in a sentence."""
    baseline = rivalry.comparison.baseline
    if baseline == reports.ADJUSTED:
        return ADJUSTED_SM2[rivalry.is_better]
    return _("Anki's SM-2 as it is (without adjusting)") if baseline == "Anki-SM-2" else _name(baseline)


def _name(algorithm: str) -> str:
    return _("guessing your average") if algorithm == reports.AVERAGE else row_label(algorithm)


def pair_verdict(report: Report) -> str:
    """Return which of the verdict's two algorithms predicted better, or why that is unknown."""
    verdict = report.verdict
    rivalry = verdict.rivalry
    if rivalry is not None:
        algorithm = _pair_names(rivalry.comparison)[0]
        is_off = report.scope.fsrs is False and algorithm == "FSRS"
        text = claim_sentence(rivalry, WOULD if is_off else CLAIMS, algorithm, name_adjusted=False)
        # A sentence may begin with a name such as “guessing your average”.
        return text[:1].upper() + text[1:]
    if verdict.code == "no_pair":
        if len(report.results) > 1:
            return strings.TABLE_NAME
        second = "FSRS-6" if verdict.algorithm is None or verdict.algorithm in _SM2 else "Anki-SM-2"
        text = _("With one algorithm there is nothing to compare. Choose a second one, such as {second}.")
        return text.format(second=row_label(second))
    finished = {row.algorithm for row in report.results if row.log_loss is not None}
    missing = [row_label(name) for name in (verdict.algorithm, verdict.baseline) if name and name not in finished]
    return _("No comparison, because there is no result for {names}.").format(names=all_of(missing))


def pair_sentences(report: Report) -> Iterator[str]:
    """Yield sentences that follow :func:`pair_verdict`, the most important first."""
    verdict = report.verdict
    rivalry = verdict.rivalry
    if rivalry is None:
        if verdict.code == "unfinished":
            yield _("The table shows the other algorithms.")
        return
    comparison = rivalry.comparison
    yield from in_sample_notes(comparison, report)
    yield from _missing_data(comparison.code, verdict)
    if rivalry.claim in (reports.BETTER_PAST, reports.WORSE_PAST):
        yield _("This lead may not last ({losses}).").format(losses=_losses(rivalry, report))
    elif rivalry.is_better and comparison.baseline == reports.ADJUSTED:
        text = _("That holds even with SM-2 adjusted to your history ({losses}).")
        yield text.format(losses=_losses(rivalry, report))
    as_is = verdict.as_is
    if as_is is not None and not rivalry.is_better and as_is.claim not in (reports.CLOSE, reports.EARLY):
        yield claim_sentence(as_is, CLAIMS)
    yield from _peers(comparison if as_is is None else as_is.comparison)


def in_sample_notes(c: Comparison, report: Report) -> List[str]:
    """Return a sentence for each of the two algorithms that may have been fitted to these reviews."""
    rows = [row.algorithm for row in report.results if row.in_sample and row.algorithm in (c.algorithm, c.baseline)]
    return [strings.MAY_BE_IN_SAMPLE.format(algorithm=row_label(name, report)) for name in rows]


def _losses(rivalry: Rivalry, report: Report) -> str:
    """Return a clause with the log losses of the better algorithm, of the other one, and of guessing."""
    comparison = rivalry.comparison
    names = [comparison.algorithm, comparison.baseline]
    if rivalry.is_worse:
        names.reverse()
    by_name = {row.algorithm: row.log_loss for row in report.results if row.log_loss is not None}
    losses = [by_name[name] for name in (*names, reports.AVERAGE) if name in by_name]
    digits = next((n for n in (2, 3) if len({decimals(loss, n) for loss in losses}) == len(losses)), 4)
    first, second, *guessing = (decimals(loss, digits) for loss in losses)
    text = _("log loss {first} instead of {second}; guessing {guessing}")
    if not guessing or reports.AVERAGE in names:
        text = _("log loss {first} instead of {second}")
    return text.format(first=first, second=second, guessing="".join(guessing))


def _peers(c: Comparison) -> Iterator[str]:
    """Yield for how many of 100 other people the first algorithm predicted better, if such results were published."""
    if c.chance is not None:
        algorithm, baseline = _pair_names(c)
        text = _(
            "For {count} of 100 people with a similar number of reviews, {algorithm} predicted better than {baseline}."
        )
        if c.baseline == "Anki-SM-2":
            baseline = _("SM-2 as it is")
        count = of_100(c.chance.better_for / c.chance.others.collections)
        yield text.format(count=count, algorithm=algorithm, baseline=baseline)


def _pair_names(c: Comparison) -> List[str]:
    """Return the names of two algorithms in a sentence. Today's FSRS has a version only if both are FSRS."""
    pair = c.algorithm, c.baseline
    are_both_fsrs = all(name == reports.OWN or name.startswith("FSRS") for name in pair)
    is_todays = [name == reports.OWN or name.startswith("FSRS-") for name in pair]
    return ["FSRS" if todays and not are_both_fsrs else _name(name) for todays, name in zip(is_todays, pair)]


def _missing_data(reason: str, verdict: Verdict) -> Iterator[str]:
    """Yield which of the user's reviews are too few for an interval, given the code of the reason, if it is that."""
    sample_size = verdict.basis
    rarer = sample_size.rarer
    if reason == interval.TOO_FEW:
        text = _("Your own reviews show nothing yet: {cards} on {days}; {needed}.")
        cards = strings.CARDS(sample_size.cards)
        days = strings.DAYS(sample_size.days)
        yield text.format(cards=cards, days=days, needed=interval_requirement(reason))
    elif reason == interval.RARE and rarer is not None:
        text = _("Your own reviews show nothing yet: you pressed Again in only {reviews} ({cards}, {days}).")
        if rarer.outcome == 1:
            text = _("Your own reviews show nothing yet: you remembered only {reviews} ({cards}, {days}).")
        reviews = strings.REVIEWS(rarer.reviews)
        cards = strings.CARDS(rarer.cards)
        days = strings.DAYS(rarer.days)
        yield text.format(reviews=reviews, cards=cards, days=days)


# --- details ----------------------------------------------------------------------------------------------------------


def rivalry_details(rivalry: Rivalry, report: Report) -> Iterator[str]:
    """Yield sentences on the difference in log loss, on these and on further reviews."""
    c = rivalry.comparison
    reviews = strings.REVIEWS(rivalry.reviews)
    if not in_sample_notes(c, report):
        reviews = _("{reviews} unseen by both").format(reviews=reviews)
    text = _("Log loss of {algorithm} minus that of {baseline}, on {reviews}: {difference}; negative is better.")
    algorithm, baseline = (row_label(name, report) for name in (c.algorithm, c.baseline))
    difference = with_ends(c.difference, format_difference)
    yield text.format(algorithm=algorithm, baseline=baseline, reviews=reviews, difference=difference)
    if rivalry.would.low_high:
        text = _("To expect on further reviews: {difference}.")
        yield text.format(difference=with_ends(rivalry.would, format_difference))
