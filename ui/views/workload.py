"""The year ahead under each scheduler: how much work it would be, how much would be known, and what that rests on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable, Dict, Iterator, Sequence

from ..text import Counted, _, strings
from ..text.numbers import percents, with_sign
from ..text.phrases import paragraph, whole, with_interval
from .cells import percent, whole_percent
from .view import Block, Chart, Column, Table, View

if TYPE_CHECKING:
    from evaluator.interval import Interval
    from evaluator.report import Report
    from evaluator.workload.result import BackTest, Load, Workload

TITLE = _("Reviews per day")
WORKLOAD_CHART = _("Minutes per day and cards remembered")
NO_TIMES = _("Answer times are missing in the review log, so minutes per day are not known.")
KNOWLEDGE = "knowledge"

# Translators: This and the next fill {retention} elsewhere; {desired} is a desired retention, {share} a percentage.
ONE_RETENTION = _("your desired retention of {desired}")
SEVERAL_RETENTIONS = _("a desired retention of {desired} for all your cards ({share} of them have it)")
# Translators: {retention} is “your desired retention of 90 %” or the like, {reviews} a number of reviews.
ASKED = _("At {retention} FSRS-6 would ask for about {reviews} a day.")
#: By the side of 1 on which FSRS-6 / SM-2 lies, in reviews for as many cards known.
WORK = {
    -1: _(
        "For as many cards known it would take {size} fewer reviews than Anki's SM-2 ({low} to {high}), if your memory "
        "works as FSRS assumes."
    ),
    0: _(
        "For as many cards known that is about the same work as with Anki's SM-2 ({low} to {high}), if your memory "
        "works as FSRS assumes."
    ),
    1: _(
        "For as many cards known it would take {size} more reviews than Anki's SM-2 ({low} to {high}), if your memory "
        "works as FSRS assumes."
    ),
}
NO_EQUAL_KNOWLEDGE = _(
    "No desired retention is sure to keep as many cards known as Anki's SM-2, so their work cannot be compared."
)
#: Of who does not keep up.
BEHIND = _(
    "Only {on_time} of your latest reviews came on time, so this is about what you would know with at most as many "
    "reviews a day as now."
)
# Translators: {retention} is “your desired retention of 90 %” or the like, {others} a number of reviews.
KNOWN = {
    -1: _(
        "At {retention} and with about {reviews} a day FSRS-6 would keep {size} fewer cards known than Anki's SM-2 "
        "with about {others} ({low} to {high}), if your memory works as FSRS assumes."
    ),
    0: _(
        "At {retention} and with about {reviews} a day FSRS-6 would keep about as many cards known as Anki's SM-2 "
        "with about {others} ({low} to {high}), if your memory works as FSRS assumes."
    ),
    1: _(
        "At {retention} and with about {reviews} a day FSRS-6 would keep {size} more cards known than Anki's SM-2 "
        "with about {others} ({low} to {high}), if your memory works as FSRS assumes."
    ),
}
# Translators: {other} and {desired} are desired retentions, {reviews} is a number of reviews.
STEP_DOWN = Counted(
    "{other} instead of {desired}: {reviews} a day, {count:,} card ({share}) fewer known.",
    "{other} instead of {desired}: {reviews} a day, {count:,} cards ({share}) fewer known.",
)
# Translators: {other} and {desired} are desired retentions, {reviews} is a number of reviews.
STEP_UP = Counted(
    "{other} instead of {desired}: {reviews} a day, {count:,} card ({share}) more known.",
    "{other} instead of {desired}: {reviews} a day, {count:,} cards ({share}) more known.",
)

#: Why nothing can be told, by the code of the back-test.
WHY_NOT: Dict[str, str] = {
    "none_alive": _("Cannot be told: you study no card any more, so there is nothing to simulate."),
    "no_intervals": _("Cannot be told: your review log does not say which intervals your cards were given."),
    "switched": _("Cannot be told: in your last {tested} of study you switched between SM-2 and FSRS."),
    "unknown_scheduler": _("Cannot be told: nothing says whether SM-2 or FSRS set the intervals in your review log."),
    "fsrs_7": _("Cannot be told: presets of yours run FSRS-7 or newer, which is not simulated."),
    "too_few_days": _("Cannot be told yet: you have studied on {days}, and at least 30 days are needed."),
    "too_few_reviews": _(
        "Cannot be told yet: there are {reviews} on later days, and at least 300 are needed, of which at least 20 of "
        "cards that come up again within your last {tested} of study."
    ),
    "reviews": _(
        "Cannot be told: for your last {tested} of study the simulation foresees {foreseen}, and there were {observed}."
    ),
    "remembered": _(
        "Cannot be told: for your last {tested} of study the simulation foresees that you remember {share}, and it was "
        "{observed_share}."
    ),
}
ANKIS_SIMULATOR = _(
    "The simulator in Anki's deck options shows how a desired retention changes the work, without testing itself on "
    "your past."
)


def blocks(found: Workload, _report: Report, _names: Sequence[str]) -> Iterator[Block]:
    """The answer, and the curve with the test on the past; where that failed, why nothing can be told."""
    test = found.back_test
    if not found.loads:
        yield Block("reviews-per-day", TITLE, paragraph(WHY_NOT[test.code].format(**_facts(test)), ANKIS_SIMULATOR))
        return
    yield Block("reviews-per-day", TITLE, paragraph(*answer(found)))
    yield Block(
        key="workload",
        heading=WORKLOAD_CHART if found.by_minutes else _("Desired retention and cards remembered"),
        table=_loads_table(found.loads),
        chart=Chart("workload", found),
        notes=(
            _(
                "Tested on your own past: for your last {tested} of study it foresees {foreseen}, of which {share} are "
                "remembered; there were {observed}, and {observed_share}."
            ).format(**_facts(test)),
            *(() if found.loads[0].minutes else (NO_TIMES,)),
        ),
    )


def answer(found: Workload) -> Iterator[str]:
    """What FSRS-6 would ask for or keep known, beside Anki's SM-2, and what another desired retention would change."""
    fsrs = {load.desired_retention: load for load in found.loads[1:]}
    own, desired = fsrs[found.desired_retention], whole_percent(found.desired_retention)
    named = ONE_RETENTION if round(100 * found.desired_share) == 100 else SEVERAL_RETENTIONS
    retention = named.format(desired=desired, share=percent(found.desired_share, 0))
    reviews, others = strings.REVIEWS(round(own.reviews.known)), _rounded(found.loads[0].reviews.known)
    ratio = found.ratio
    if found.question == KNOWLEDGE:
        yield BEHIND.format(on_time=percent(found.on_time, 0))
    else:
        yield ASKED.format(retention=retention, reviews=reviews)
    side = None if ratio is None else ratio.side(1)
    if ratio is None or side is None or ratio.ends is None:
        yield NO_EQUAL_KNOWLEDGE
    else:
        low, high = (_signed_percent(end - 1) for end in ratio.ends)
        by_side = KNOWN if found.question == KNOWLEDGE else WORK
        size = percent(abs(ratio.known - 1), 0)
        yield by_side[side].format(size=size, low=low, high=high, retention=retention, reviews=reviews, others=others)
    lower = [one for one in fsrs if one is not None and one < found.desired_retention]
    higher = [one for one in fsrs if one is not None and one > found.desired_retention]
    other = max(lower) if lower else min(higher)
    more = fsrs[other].known.known - own.known.known
    if round(abs(more)):
        yield (STEP_UP if more > 0 else STEP_DOWN)(
            round(abs(more)),
            other=whole_percent(other),
            desired=desired,
            reviews=strings.REVIEWS(round(fsrs[other].reviews.known)),
            share=percent(abs(more) / own.known.known, 0),
        )


def _facts(test: BackTest) -> Dict[str, str]:
    """The numbers of a test, in words."""
    facts = {
        "days": strings.DAYS(test.days),
        "tested": strings.DAYS(test.tested),
        "reviews": strings.REVIEWS(test.later_reviews),
    }
    if test.reviews is not None and test.remembered is not None:
        shares = percents(_as_share(test.remembered.foreseen.known), _as_share(test.remembered.observed))
        facts["foreseen"] = strings.REVIEWS(round(test.reviews.foreseen.known))
        facts["observed"] = _rounded(test.reviews.observed)
        facts.update(zip(("share", "observed_share"), shares))
    return facts


def _loads_table(loads: Sequence[Load]) -> Table:
    a_day = _(
        "The mean of all days from the 31st on, days without study included, with the 95\N{NO-BREAK SPACE}% interval."
    )
    return Table(
        columns=(
            Column(_("Scheduler"), number=False),
            Column(TITLE, a_day),
            *((Column(_("Minutes per day"), a_day),) if loads[0].minutes else ()),
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
        ),
        rows=tuple(
            (
                _name_of(load),
                _value(load.reviews, _few),
                *((_value(load.minutes, _few),) if load.minutes else ()),
                _value(load.known, _rounded),
                _value(load.remembered, lambda share: percent(_as_share(share), 0)),
            )
            for load in loads
        ),
    )


def _name_of(load: Load) -> str:
    if load.desired_retention is None:
        return load.scheduler
    # Translators: {scheduler} is FSRS-6, {percent} its desired retention.
    return _("{scheduler} at {percent}").format(scheduler=load.scheduler, percent=whole_percent(load.desired_retention))


def _signed_percent(share: float) -> str:
    return _("{number}%").format(number=with_sign(100 * share, 0))


def _value(value: Interval, written: Callable[[float], str]) -> str:
    if value.ends is None:
        return strings.NO_VALUE
    return with_interval(*map(written, (value.known, *value.ends)))


def _few(number: float) -> str:
    """A number of reviews or minutes a day."""
    return f"{max(number, 0.0):.1f}" if number < 100 else _rounded(number)


def _rounded(number: float) -> str:
    """A number of reviews or minutes, which is not below 0."""
    return whole(round(max(number, 0.0)))


def _as_share(number: float) -> float:
    """The same number, as far as it can be a share."""
    return min(max(number, 0.0), 1.0)


VIEW = View(
    "workload",
    TITLE,
    _("How much work would each scheduler ask of you?"),
    blocks,
    _("Simulates a year of your reviews under Anki's SM-2 and under FSRS-6, and tests itself on your own past first."),
)
