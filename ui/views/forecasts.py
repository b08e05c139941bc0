"""How earlier verdicts fared on the reviews that were made since."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, List, Optional, Sequence, Tuple

from ..text import _, strings
from ..text.numbers import four_digits, with_sign
from ..text.phrases import from_to, paragraph, whole, with_interval
from .view import Block, Column, Table, View

if TYPE_CHECKING:
    from evaluator.forecasts import Forecast, Outcome
    from evaluator.interval import Interval
    from evaluator.report import Report
    from evaluator.sections.forecasts import Forecasts

TITLE = _("How our verdicts fared")

#: By the code of the outcome: in the table, and after the sentence.
FARED = {
    "kept": _("as expected"),
    # Translators: In the column "Fared": the log loss is lower than expected, which is better.
    "lower": _("better than expected"),
    # Translators: In the column "Fared": the log loss is higher than expected, which is worse.
    "higher": _("worse than expected"),
}
KEPT = {
    "kept": _("The verdict held: {expected} was to be expected."),
    "lower": _("That is better for {algorithm} than what was to be expected: {expected}."),
    "higher": _("That is worse for {algorithm} than what was to be expected: {expected}."),
}
#: By the code of the section: why no forecast waits.
WHY_NOT = {
    "other_reviews": _(
        "Only evaluations of the whole collection with the usual options are held against later reviews."
    ),
    "other_collection": _(
        "The verdicts that are kept are those of another collection, so they cannot be judged here, and no new one is "
        "kept. Erase them to begin anew."
    ),
    "no_verdict": _("Nothing is kept to be judged later: that needs a verdict with an interval."),
    "not_repeatable": _(
        "This verdict is not kept to be judged later: the parameters of one of the two are not fitted here for all "
        "cards together, so its predictions could not be repeated."
    ),
}
SCHEDULERS = {True: _("FSRS"), False: _("SM-2")}


def blocks(found: Forecasts, _report: Report, _names: Sequence[str]) -> Iterator[Block]:
    """One, with a row for each forecast, the newest first."""
    judged = [(one, one.outcome) for one in found.made if one.outcome is not None]
    yield Block(
        key="forecasts",
        heading=TITLE,
        caption=paragraph(*_fared(*judged[-1])) if judged else _state(found),
        table=_table(found) if judged else Table(),
        notes=(_state(found), *_notes(judged)) if judged else (),
    )


def _state(found: Forecasts) -> str:
    """What waits to be judged, and until when; or why nothing does."""
    if found.code in WHY_NOT:
        return WHY_NOT[found.code]
    waiting = found.made[-1]
    about = _(
        "What was found on {date} is still open: {algorithm} and {baseline}, with the parameters that they had then, "
        "will be compared once, on your later reviews."
    ).format(date=waiting.date, algorithm=waiting.algorithm, baseline=waiting.baseline)
    if found.code == "too_few":
        so_far = _("So far these are {reviews} on {days}: of too few cards, or too few of them were forgotten.")
    else:
        so_far = _(
            "This needs at least {needed_reviews} on {needed_days} of study; so far there are {reviews} on {days}."
        )
    return paragraph(
        about,
        so_far.format(
            needed_reviews=strings.REVIEWS(found.needed_reviews),
            needed_days=strings.DAYS(found.needed_days),
            reviews=strings.REVIEWS(found.reviews),
            days=strings.DAYS(found.days),
        ),
    )


def _fared(forecast: Forecast, outcome: Outcome) -> Tuple[str, ...]:
    """What was found, what came, and whether that was to be expected."""
    names = {"algorithm": forecast.algorithm, "baseline": forecast.baseline}
    then, since = forecast.difference, outcome.difference
    found = (
        _("On {date} {algorithm} was ahead of {baseline} by {by} of log loss.")
        if then.known <= 0
        else _("On {date} {algorithm} was behind {baseline} by {by} of log loss.")
    ).format(date=forecast.date, by=_size(then, then), **names)
    reviews = strings.REVIEWS(outcome.reviews)
    came = (
        _("On the {reviews} from then to {date} it was ahead by {by}.")
        if since.known <= 0
        else _("On the {reviews} from then to {date} it was behind by {by}.")
    ).format(reviews=reviews, date=outcome.date, by=_size(since, since))
    ends = from_to(*map(four_digits, _ends(outcome.expected, then)))
    # Translators: {ends} is such as "0.0100 to 0.0200", and completes "ahead by" or "behind by".
    expected = (_("{ends} ahead") if then.known <= 0 else _("{ends} behind")).format(ends=ends)
    return found, came, KEPT[outcome.code].format(expected=expected, **names)


def _ends(value: Interval, like: Interval) -> Tuple[float, float]:
    """The ends of an interval, as sizes where the difference ``like`` is given as its size."""
    low, high = value.ends or (value.known, value.known)
    return (-high, -low) if like.known <= 0 else (low, high)


def _size(value: Interval, like: Interval) -> str:
    return with_interval(four_digits(abs(value.known)), *map(four_digits, _ends(value, like)))


def _table(found: Forecasts) -> Table:
    difference = _(
        "Log loss of the first minus that of the second, with its 95\N{NO-BREAK SPACE}% interval: below 0 the first is "
        "ahead."
    )
    return Table(
        columns=(
            # Translators: A column: the day on which something was found.
            Column(_("Found on"), number=False),
            # Translators: A column: two algorithms.
            Column(_("Compared"), number=False),
            # Translators: A column: a difference on the day on which it was found.
            Column(_("Difference then"), difference),
            # Translators: A column: how many reviews came after that day.
            Column(_("Reviews since")),
            # Translators: A column: the difference on the reviews that came after that day.
            Column(_("Difference since")),
            Column(
                # Translators: A column: between which ends a difference was expected.
                _("Expected"),
                _(
                    "Where the difference on the later reviews lies in 95 of 100 cases if nothing has changed. It is "
                    "wider than the interval of either, as both are measured with an error."
                ),
            ),
            # Translators: A column: how a verdict has fared.
            Column(_("Fared"), number=False),
        ),
        rows=tuple(_row(one, one.outcome, found) for one in reversed(found.made)),
    )


def _row(one: Forecast, outcome: Optional[Outcome], found: Forecasts) -> Tuple[str, ...]:
    pair = _("{algorithm}, {baseline}").format(algorithm=one.algorithm, baseline=one.baseline)
    then = _signed(one.difference)
    if outcome is None:
        return one.date, pair, then, whole(found.reviews), *[strings.NO_VALUE] * 2, _("still open")
    low, high = (with_sign(end, 4) for end in outcome.expected.ends or ())
    return (
        *(one.date, pair, then, whole(outcome.reviews), with_sign(outcome.difference.known, 4)),
        from_to(low, high),
        FARED[outcome.code],
    )


def _signed(value: Interval) -> str:
    return with_interval(*(with_sign(number, 4) for number in (value.known, *(value.ends or ()))))


def _notes(judged: Sequence[Tuple[Forecast, Outcome]]) -> List[str]:
    if not judged:
        return []
    notes = [
        _(
            "The earlier difference comes from earlier, smaller trainings: each fold learned only from the reviews "
            "before it. The later one comes from parameters trained on all reviews until that day, so what is trained "
            "may gain a little. Nothing was fitted to the later reviews."
        )
    ]
    forecast, outcome = judged[-1]
    before, after = forecast.fsrs, outcome.fsrs
    if before is not None and after is not None and before != after:
        notes.append(
            _(
                "You have switched from {before} to {after} since, so some of the later reviews came after other "
                "intervals than the earlier ones."
            ).format(before=SCHEDULERS[before], after=SCHEDULERS[after])
        )
    return notes


VIEW = View(
    "forecasts",
    TITLE,
    _("Did what was found earlier hold on the reviews that came after it?"),
    blocks,
    kept=True,
)
