"""The year ahead under each scheduler: how much work it would be, how much would be known, and what that rests on."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Callable, Iterator, Optional, Sequence, Tuple

from ..text import Counted, _, strings
from ..text.numbers import with_sign
from ..text.phrases import listed, paragraph, with_interval
from .cells import ends, loss, percent, signed
from .slices import WORDS
from .view import Block, Chart, Column, Table, View
from .workload_answer import (
    KNOWLEDGE,
    answer,
    as_share,
    at_the_end,
    back_test_sentences,
    compared_with_sm2,
    name_of,
    rounded,
    same_as_sm2,
    untried,
    why_not,
)

if TYPE_CHECKING:
    from evaluator.interval import Interval
    from evaluator.report import Report
    from evaluator.workload.result import BackTest, Load, MemoryYear, Versus, Workload

TITLE = _("Reviews per day")
WORKLOAD_CHART = _("Minutes per day and cards remembered")
SM_2, FITTED, PUBLISHED = "SM-2", "FSRS-6", "FSRS-6 default"

#: By why these cards are not counted.
LEFT_OUT = {
    "gone": Counted("{count:,} deleted", "{count:,} deleted"),
    "set_aside": Counted("{count:,} suspended or buried", "{count:,} suspended or buried"),
    "not_seen": Counted("{count:,} not seen for 180 days", "{count:,} not seen for 180 days"),
    "left": Counted(
        "{count:,} in a deck that you have not studied for 90 days",
        "{count:,} in decks that you have not studied for 90 days",
    ),
}


@dataclass(frozen=True)
class Curve:
    """What is drawn: the cards remembered by the minutes a day; of who has so many a day, by the desired retention."""

    sm2: Load
    fitted: Tuple[Load, ...]
    published: Tuple[Load, ...]
    by_minutes: bool


def blocks(found: Workload, _report: Report, _names: Sequence[str]) -> Iterator[Block]:
    """The answer, its test on the past, the curve, the models of memory, and how the person studies.

    Where the test failed: why nothing can be told, the numbers of the test, and how the person studies.
    """
    test = found.back_test
    if found.memories:
        best = found.memories[0]
        yield _answer(found, best)
        yield _back_test(test)
        yield from _curves(found, best)
        yield _memories(found)
    else:
        yield Block("reviews-per-day", TITLE, why_not(test))
        if test.reviews is not None:
            yield _back_test(test)
    yield _habits(found)


def _answer(found: Workload, best: MemoryYear) -> Block:
    first = _versus(found.versus, FITTED)
    return Block(
        key="reviews-per-day",
        heading=TITLE,
        caption=paragraph(*answer(found, first, _loads(best, SM_2)[0])) if first is not None else "",
        table=_versus_table(found),
        notes=(
            *filter(None, map(at_the_end, found.versus)),
            _(
                "It is a simulation of your next {days}, from models that were fitted to your reviews. It counts how "
                "many cards you would remember, and says nothing of what you learn."
            ).format(days=strings.DAYS(found.horizon)),
        ),
    )


def _versus_table(found: Workload) -> Table:
    tip = _("How many more (+) or fewer (\N{MINUS SIGN}) than with SM-2, with the 95\N{NO-BREAK SPACE}% interval.")
    # Translators: A row below one in which FSRS is compared with SM-2: the desired retention with which that is so.
    desired = _("Desired retention for that")
    of_work = (
        (_("Reviews, for as many cards remembered"), *(_change(one.reviews) for one in found.versus)),
        (_("Minutes, for as many cards remembered"), *(_change(one.minutes) for one in found.versus)),
        (desired, *(_where(one.reviews, one.desired_retention) for one in found.versus)),
    )
    of_knowledge = (
        (_("Cards remembered, in as many minutes"), *(_change(one.known) for one in found.versus)),
        (desired, *(_where(one.known, one.desired_retention_at_equal_work) for one in found.versus)),
    )
    return Table(
        # Translators: A column: what is compared with SM-2.
        columns=(Column(_("Beside SM-2"), number=False), *(Column(one.scheduler, tip) for one in found.versus)),
        rows=of_knowledge if found.question == KNOWLEDGE else (*of_work, *of_knowledge),
    )


def _change(ratio: Interval) -> str:
    """How much less or more than 1 a ratio is, with its interval, in percent and with signs."""
    if ratio.ends is None:
        return strings.NO_VALUE
    digits = 1 if ratio.ends[1] - ratio.ends[0] < 0.02 else 0
    return with_interval(*(_signed_percent(x - 1, digits) for x in (ratio.known, *ratio.ends)))


def _where(ratio: Interval, desired_retention: Optional[float]) -> str:
    """The desired retention of a ratio; a dash where nothing is said of that."""
    return strings.NO_VALUE if ratio.ends is None else percent(desired_retention, 0)


def _signed_percent(share: float, digits: int) -> str:
    return _("{number}\N{NO-BREAK SPACE}%").format(number=with_sign(100 * share, digits))


def _back_test(test: BackTest) -> Block:
    compared = (
        (strings.CHART_COUNTS, test.reviews, rounded),
        (strings.COLUMN_RECALLED, test.remembered, _share),
        # Translators: A row: minutes of study.
        (_("Minutes"), test.minutes, rounded),
    )
    return Block(
        key="back-test",
        heading=_("Would it have foreseen your own past?"),
        caption=paragraph(*back_test_sentences(test)) if test.code == "passed" else "",
        table=Table(
            columns=(
                # Translators: A column: reviews, what was remembered, minutes.
                Column(_("What"), number=False),
                Column(
                    # Translators: A column: what was foreseen for a time.
                    _("Foreseen"),
                    _("What the simulation says of these days of study, from what came before them."),
                ),
                Column(
                    _("95\N{NO-BREAK SPACE}% interval"),
                    _("Where what there was is to be expected in 95 of 100 such cases."),
                ),
                # Translators: A column: what there really was, beside what was foreseen.
                Column(_("Really"), _("What your review log holds.")),
            ),
            rows=tuple(
                (name, written(one.foreseen.known), ends(one.foreseen, written), written(one.observed))
                for name, one, written in compared
                if one is not None
            ),
        ),
        notes=tuple(_back_test_notes(test)),
    )


def _share(number: float) -> str:
    return percent(as_share(number))


def _back_test_notes(test: BackTest) -> Iterator[str]:
    yield _(
        "Each card begins with its first review in that time, and with the interval that it was really given then; "
        "what follows is simulated, by models that were fitted to the reviews before. Nothing is told of the year "
        "ahead unless the number of reviews and the share remembered lie within their intervals, and the reviews "
        "foreseen, ends of the interval included, are 0.8 to 1.25 times those that there were."
    )
    if test.scheduler is not None:
        yield _(
            "This tests {scheduler}, the scheduler that you used. How well the other one is foreseen cannot be tested "
            "so."
        ).format(scheduler=test.scheduler)


def _curves(found: Workload, best: MemoryYear) -> Iterator[Block]:
    """The schedulers at each desired retention, as a graph and as a table; those with published parameters apart."""
    by_minutes = found.question != KNOWLEDGE
    (sm2,), fitted, published = (_loads(best, scheduler) for scheduler in (SM_2, FITTED, PUBLISHED))
    first, second = (_versus(found.versus, scheduler) for scheduler in (FITTED, PUBLISHED))
    yield Block(
        key="workload",
        heading=WORKLOAD_CHART if by_minutes else _("Desired retention and cards remembered"),
        caption=paragraph(
            _("What each desired retention would cost and give.")
            if by_minutes
            else _("What each desired retention would give with as many reviews a day as now."),
            same_as_sm2(first) if first is not None else "",
        ),
        table=_loads_table((sm2, *fitted)),
        chart=Chart("workload", Curve(sm2, fitted, published, by_minutes)),
        notes=(
            _("By {algorithm}, the model of your memory that predicted best.").format(algorithm=best.algorithm),
            _(
                "Each interval is of one scheduler by itself. What is not known of your memory makes all of them wide "
                "alike, so the schedulers can be told apart better than their intervals suggest: see above."
            ),
            *filter(None, [untried((sm2, *fitted))]),
        ),
    )
    if published:
        yield Block(
            key="published",
            heading=_("With the published parameters"),
            caption=paragraph(
                _("The same with the parameters that FSRS has before it is optimised."),
                *(compared_with_sm2(found, second, sm2) if second is not None else []),
            ),
            table=_loads_table(published),
            notes=tuple(filter(None, [untried(published)])),
        )


def _loads_table(loads: Sequence[Load]) -> Table:
    a_day = _(
        "The mean of all days from the 31st on, days without study included, with the 95\N{NO-BREAK SPACE}% interval."
    )
    return Table(
        columns=(
            # Translators: A column: SM-2 and FSRS-6.
            Column(_("Scheduler"), number=False),
            Column(TITLE, a_day),
            Column(_("Minutes per day"), a_day),
            Column(
                _("Cards remembered"),
                _(
                    "How many of your cards you would remember if you were asked, on the mean day, with the "
                    "95\N{NO-BREAK SPACE}% interval."
                ),
            ),
            Column(
                strings.COLUMN_RECALLED,
                _("The share of the reviews that you would remember, with the 95\N{NO-BREAK SPACE}% interval."),
            ),
            Column(
                # Translators: A column: the share of a scheduler's reviews like which there were some before.
                _("Tried"),
                _(
                    "The share of its reviews that your log knows: it has at least 20 after about as many days, and as "
                    "likely to be remembered. The rest is a guess."
                ),
                terse=True,
            ),
        ),
        rows=tuple(
            (
                name_of(load),
                _value(load.reviews, _few),
                _value(load.minutes, _few),
                _value(load.known, rounded),
                _value(load.remembered, lambda share: percent(as_share(share), 0)),
                percent(load.tried, 0),
            )
            for load in loads
        ),
    )


def _few(number: float) -> str:
    """A number of reviews or minutes a day."""
    return f"{max(number, 0.0):.1f}" if number < 100 else rounded(number)


def _value(value: Interval, written: Callable[[float], str]) -> str:
    if value.estimate is None:
        return strings.NO_VALUE
    if value.ends is None:
        return written(value.estimate)
    return with_interval(*map(written, (value.estimate, *value.ends)))


def _loads(memory: MemoryYear, scheduler: str) -> Tuple[Load, ...]:
    return tuple(load for load in memory.loads if load.scheduler == scheduler)


def _versus(versus: Sequence[Versus], scheduler: str) -> Optional[Versus]:
    return next((one for one in versus if one.scheduler == scheduler), None)


def _memories(found: Workload) -> Block:
    of_work = found.question != KNOWLEDGE
    several = sum(memory.kept for memory in found.memories) > 1
    return Block(
        key="memories",
        heading=_("The models of your memory"),
        caption=_(
            "The year is simulated with each model of your memory that predicted your later reviews about as well as "
            "the best. The answer takes in what all of these say: from the lowest end of their intervals to the "
            "highest."
        )
        if several
        else _("The year is simulated with the model of your memory that predicted your later reviews best."),
        table=Table(
            columns=(
                # Translators: A column: models of memory.
                Column(_("Model"), number=False),
                Column(
                    _("Log loss"),
                    _(
                        "On the days of the test only, fitted to those before, so it is not that of the main table. "
                        "Lower is better."
                    ),
                    terse=True,
                ),
                Column(
                    # Translators: A column: how much more log loss a model has than the best.
                    _("Worse by"),
                    _("Its log loss minus that of the best one, with the 95\N{NO-BREAK SPACE}% interval."),
                ),
                # Translators: A column: whether a model is used.
                Column(_("Used"), number=False),
                Column(
                    (_("Reviews with {scheduler}") if of_work else _("Cards remembered with {scheduler}")).format(
                        scheduler=FITTED
                    ),
                    _("How many more or fewer than with SM-2, for as many cards remembered.")
                    if of_work
                    else _("How many more or fewer than with SM-2, in as many minutes."),
                ),
                Column(
                    # Translators: A column: by how much FSRS looks better than it is.
                    _("Flattery"),
                    _(
                        "How far FSRS would seem to need too few (\N{MINUS SIGN}) or too many (+) reviews, because its "
                        "parameters and the model were fitted to the same reviews. Found by simulation, and already "
                        "taken off."
                    ),
                    terse=True,
                ),
            ),
            rows=tuple(_memory_row(memory, of_work) for memory in found.memories),
        ),
    )


def _memory_row(memory: MemoryYear, of_work: bool) -> Tuple[str, ...]:
    one, worse = _versus(memory.versus, FITTED), memory.worse_by
    return (
        memory.algorithm,
        loss(memory.log_loss),
        strings.NO_VALUE if worse is None else _value(worse, signed),
        # Translators: Whether a model is used.
        _("yes") if memory.kept else _("no: clearly worse"),
        strings.NO_VALUE if one is None else _change(one.reviews if of_work else one.known),
        strings.NO_VALUE if memory.optimism is None else _signed_percent(math.expm1(memory.optimism), 1),
    )


def _habits(found: Workload) -> Block:
    """How the person studies: what the year is simulated with, where it is."""
    person = found.person
    left_out = [LEFT_OUT[reason](count) for reason, count in person.left_out if count]
    button = _("By the button that you pressed.")
    return Block(
        key="habits",
        heading=_("How you study"),
        caption=_(
            "In the last {days} you studied on {studied} and began {new} new cards per calendar day. {on_time} of your "
            "reviews came on time: late by at most one day or a tenth of the interval, whichever is more. A new card "
            "that was not Easy took {after_first} further answers on its first day, a forgotten one {after_lapse}."
        ).format(
            days=strings.DAYS(person.days),
            studied=strings.DAYS(person.studied_days),
            new=_few(person.new_per_day),
            on_time=percent(person.on_time, 0),
            after_first=_few(person.same_day_after_first),
            after_lapse=_few(person.same_day_after_lapse),
        ),
        table=Table(
            columns=(
                # Translators: A column: what the numbers beside it are of.
                Column(_("Answers"), number=False),
                *(Column(name, button) for name in WORDS["last_rating"].names.values()),
            ),
            rows=(
                (_("Share of first answers"), *(percent(share, 0) for share in person.first_answers)),
                (
                    _("Share of remembered reviews"),
                    *(strings.NO_VALUE, *(percent(share, 0) for share in person.passed_answers)),
                ),
                (_("Seconds of a first answer"), *map(_few, person.seconds_first)),
                (_("Seconds of a further answer on the same day"), *map(_few, person.seconds_same_day)),
                (_("Seconds of a review on a later day"), *map(_few, person.seconds_later)),
            ),
        ),
        notes=(
            _("You study {cards}.").format(cards=strings.CARDS(person.cards)),
            *(
                [
                    _(
                        "The year is simulated with these habits, and with {cards} that were drawn from yours and from "
                        "the new ones that it brings."
                    ).format(cards=strings.CARDS(person.simulated))
                ]
                if found.memories
                else []
            ),
            *([_("Other cards are left out: {cards}.").format(cards=listed(left_out))] if left_out else []),
        ),
    )


VIEW = View(
    "workload",
    TITLE,
    _("How much work would each scheduler ask of you?"),
    blocks,
    _(
        "Simulates a year of your reviews under SM-2 and under FSRS-6, with several models of your memory, and tests "
        "first whether that would have foreseen your own past."
    ),
)
