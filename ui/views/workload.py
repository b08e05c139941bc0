"""The year ahead under each scheduler: the work, the cards known, and the test behind both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable, Dict, Iterator, Sequence

from ..text import Counted, _, strings
from ..text.numbers import percents, with_sign
from ..text.phrases import labeled, paragraph, whole, with_interval
from .cells import percent, whole_percent
from .view import Block, Chart, Column, Table, View

if TYPE_CHECKING:
    from evaluator.interval import ConfidenceInterval
    from evaluator.report import Report
    from evaluator.workload.result import BackTest, Load, Workload

TITLE = _("Reviews per day")
WORKLOAD_CHART = _("Minutes per day and cards remembered")
NO_TIMES = _("Answer times are missing in the review log, so minutes per day are unknown.")
KNOWLEDGE = "knowledge"

# Translators: This and the next fill {retention} elsewhere; {desired} is a desired retention, {share} a percentage.
ONE_RETENTION = _("your desired retention of {desired}")
SEVERAL_RETENTIONS = _("a desired retention of {desired} for all your cards ({share} of them have it)")
#: By whether FSRS would be less work (-1) or more.
WORK = {
    -1: _("Less work for the same knowledge"),
    0: _("Unclear which is less work for the same knowledge"),
    1: _("More work for the same knowledge"),
}
SAME_WORK = _("About the same work for the same knowledge")
# Translators: {reviews} is a number of reviews, {others} a number.
WORK_NUMBERS = _(
    "to know equally many cards, {reviews} a day with FSRS, {others} with SM-2 (difference: {low} to {high})."
)
NOT_LESS_WORK = _("Better prediction is not the same as less work.")
NO_EQUAL_KNOWLEDGE = _(
    "At no desired retention would you reliably know as many cards with FSRS as with SM-2, so workloads cannot be "
    "compared."
)
BACKLOG = _("You have a backlog, so FSRS and SM-2 are compared with at most as many reviews a day as you do now.")
#: By whether FSRS would keep fewer cards known (-1) or more.
# Translators: {retention} is “your desired retention of 90%” or the like.
KNOWN = {
    -1: _("Fewer cards known with FSRS at {retention}"),
    0: _("About as many cards known with FSRS at {retention}"),
    1: _("More cards known with FSRS at {retention}"),
}
# Translators: {known} and {other_known} are numbers of cards, {reviews} is a number of reviews, {others} a number.
KNOWN_NUMBERS = _(
    "{known} against {other_known} with SM-2 (difference: {low} to {high}); {reviews} a day against {others}."
)
ASSUMED = _("All of this holds if your memory works as FSRS assumes.")
TESTED = _(
    "Test on your last {tested} of study: predicted {foreseen}, {share} of them remembered; actual: "
    "{observed}, {observed_share}."
)
#: Smaller changes, in reviews a day and as a share of the cards known, are not mentioned.
MIN_REVIEWS, MIN_SHARE = 2, 0.01
#: Minimum difference in work, as a share, that is not called about the same even if it may be chance.
MIN_DIFFERENCE = 0.1
# Translators: {retention} is “your desired retention of 90%”, “85%” or the like.
FSRS_AT = _("FSRS at {retention}")
# Translators: {before} is “with SM-2” or “at 90%”; {reviews} is a number of reviews.
FEWER_KNOWN = Counted(
    "{reviews} a day, {count:,} fewer card known than {before} ({share}).",
    "{reviews} a day, {count:,} fewer cards known than {before} ({share}).",
)
MORE_KNOWN = Counted(
    "{reviews} a day, {count:,} more card known than {before} ({share}).",
    "{reviews} a day, {count:,} more cards known than {before} ({share}).",
)

#: Reasons for no answer, by the code of the back-test.
WHY_NOT: Dict[str, str] = {
    "none_alive": _("Unknown: you no longer study any cards, so there is nothing to simulate."),
    "no_intervals": _("Unknown: your review log does not contain the intervals of your cards."),
    "switched": _("Unknown: in your last {tested} of study you switched between SM-2 and FSRS."),
    "unknown_scheduler": _("Unknown: it is not recorded whether SM-2 or FSRS set the intervals in your review log."),
    "fsrs_7": _("Unknown: some of your presets use FSRS-7 or newer, which is not simulated."),
    "too_few_days": _("Too early: you have studied on {days}; at least 30 days are needed."),
    "too_few_reviews": _(
        "Too early: there are {reviews} of cards seen on an earlier day; at least 300 are needed, 20 of them second "
        "or later reviews of a card within your last {tested} of study."
    ),
    "reviews": _(
        "Unknown: the simulation failed its test on your last {tested} of study (predicted: {foreseen}; "
        "actual: {observed})."
    ),
    "remembered": _(
        "Unknown: the simulation failed its test on your last {tested} of study (remembered: {share} "
        "predicted, {observed_share} actual)."
    ),
}
ANKIS_SIMULATOR = _(
    "The simulator in Anki's deck options shows how desired retention affects workload, but is not tested on your past."
)


def blocks(workload: Workload, _report: Report, _names: Sequence[str]) -> Iterator[Block]:
    """Yield the answer, and the curve with the back-test; if that failed, the reason."""
    test = workload.back_test
    if not workload.loads:
        yield Block("reviews-per-day", TITLE, paragraph(WHY_NOT[test.code].format(**_facts(test)), ANKIS_SIMULATOR))
        return
    answer, *changes = _answer(workload)
    yield Block("reviews-per-day", TITLE, answer, notes=tuple(changes))
    yield Block(
        key="workload",
        heading=WORKLOAD_CHART if workload.by_minutes else _("Desired retention and cards remembered"),
        table=_loads_table(workload.loads),
        chart=Chart("workload", workload),
        notes=(paragraph(ASSUMED, TESTED.format(**_facts(test))), *(() if workload.loads[0].minutes else (NO_TIMES,))),
    )


def _answer(result: Workload) -> Iterator[str]:
    sm2, *curve = result.loads
    index = [load.desired_retention for load in curve].index(result.desired_retention)
    own, other = curve[index], curve[index - 1 if index else 1]
    desired = whole_percent(result.desired_retention)
    named = ONE_RETENTION if round(100 * result.desired_share) == 100 else SEVERAL_RETENTIONS
    retention = named.format(desired=desired, share=percent(result.desired_share, 0))
    yield paragraph(*_comparison(result, own, retention))
    if result.question != KNOWLEDGE:
        # Translators: In “… fewer cards known than with SM-2”.
        yield from _change(retention, own, sm2, _("with SM-2"))
    # Translators: In “… fewer cards known than at 90%”.
    yield from _change(
        whole_percent(other.desired_retention or 0.0), other, own, _("at {desired}").format(desired=desired)
    )


def _change(retention: str, after: Load, before: Load, named: str) -> Iterator[str]:
    """Describe the cost and the gain of a change of scheduler or desired retention, unless it is negligible."""
    more = after.known.value - before.known.value
    share = abs(more) / before.known.value
    if share >= MIN_SHARE or abs(after.reviews.value - before.reviews.value) >= MIN_REVIEWS:
        change, reviews = MORE_KNOWN if more > 0 else FEWER_KNOWN, strings.REVIEWS(round(after.reviews.value))
        text = change(round(abs(more)), reviews=reviews, before=named, share=percents(share)[0])
        yield labeled(FSRS_AT.format(retention=retention), text)


def _comparison(workload: Workload, own: Load, retention: str) -> Iterator[str]:
    """Compare the work for the same knowledge or, with a backlog, the knowledge for the same work."""
    ratio, sm2 = workload.ratio, workload.loads[0]
    if ratio is None or ratio.low_high is None:
        yield NO_EQUAL_KNOWLEDGE
        return
    side, (low, high) = ratio.compare_with(1) or 0, (_signed_percent(end - 1) for end in ratio.low_high)
    facts = {"low": low, "high": high, "others": _rounded(sm2.reviews.value)}
    if workload.question == KNOWLEDGE:
        facts.update(known=_rounded(own.known.value), other_known=_rounded(sm2.known.value))
        numbers = KNOWN_NUMBERS.format(reviews=strings.REVIEWS(round(own.reviews.value)), **facts)
        yield paragraph(BACKLOG, labeled(KNOWN[side].format(retention=retention), numbers))
        return
    difference = abs(ratio.value - 1)
    same = difference * sm2.reviews.value < MIN_REVIEWS or (side == 0 and difference < MIN_DIFFERENCE)
    numbers = WORK_NUMBERS.format(reviews=strings.REVIEWS(round(sm2.reviews.value * ratio.value)), **facts)
    yield labeled(SAME_WORK if same else WORK[side], numbers)
    yield NOT_LESS_WORK if same else ""


def _facts(test: BackTest) -> Dict[str, str]:
    facts = {
        "days": strings.DAYS(test.days),
        "tested": strings.DAYS(test.tested),
        "reviews": strings.REVIEWS(test.later_reviews),
    }
    if test.reviews is not None and test.remembered is not None:
        shares = percents(_as_share(test.remembered.foreseen.value), _as_share(test.remembered.observed))
        facts["foreseen"] = strings.REVIEWS(round(test.reviews.foreseen.value))
        facts["observed"] = _rounded(test.reviews.observed)
        facts.update(zip(("share", "observed_share"), shares))
    return facts


def _loads_table(loads: Sequence[Load]) -> Table:
    a_day = _("The mean over all days from day 31 on, including days without study, with the 95% interval.")
    return Table(
        columns=(
            Column(_("Scheduler"), number=False),
            Column(TITLE, a_day),
            *((Column(_("Minutes per day"), a_day),) if loads[0].minutes else ()),
            Column(
                _("Cards remembered"),
                _("How many of your cards you would remember on an average day, with the 95% interval."),
            ),
            Column(
                strings.COLUMN_RECALLED, _("The share of the reviews that you would remember, with the 95% interval.")
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


def _value(value: ConfidenceInterval, written: Callable[[float], str]) -> str:
    if value.low_high is None:
        return strings.NO_VALUE
    return with_interval(*map(written, (value.value, *value.low_high)))


def _few(number: float) -> str:
    return f"{max(number, 0.0):.1f}" if number < 100 else _rounded(number)


def _rounded(number: float) -> str:
    return whole(round(max(number, 0.0)))


def _as_share(number: float) -> float:
    return min(max(number, 0.0), 1.0)


VIEW = View(
    "workload",
    TITLE,
    _("How much work would each scheduler take?"),
    blocks,
    _("Simulates a year of your reviews under Anki's SM-2 and under FSRS-6, after a test on your own past."),
)
