"""The work and the cards known in a simulated year under each scheduler, with a test of the simulation on the past."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Callable, Dict, Iterable, Iterator, Optional, Sequence, Tuple

from ..science import interval
from ..science import report as reports
from ..text import _, strings
from ..text.numbers import change, percent, percents
from ..text.phrases import add_label, add_period, integer, paragraph, with_semicolons
from .cells import as_share, percent_or_dash, whole_percent, with_ends
from .view import Block, Chart, Column, Table, View, without_sparse_columns

if TYPE_CHECKING:
    from evaluator.interval import ConfidenceInterval
    from evaluator.report import Report
    from evaluator.workload.result import BackTest, Load, Workload

TITLE = _("Reviews per day")
KNOWLEDGE = "knowledge"
#: Maximum number of tested reviews with which the simulation starts when its tab is opened.
MAX_UNASKED = 30_000
#: Codes of a quick back-test after which there is probably an answer. It ignores how uncertain the parameters are, and
#: so finds the share remembered wrong too often.
PROBABLE = ("passed", "remembered")

#: Minimum difference in reviews a day. With a smaller one, the work is called the same.
MIN_REVIEWS = 2
#: Minimum difference in work, as a share, that is called unclear if it may be chance. With a smaller one, the work is
#: called the same.
MIN_DIFFERENCE = 0.1

# Translators: {retention} is “your desired retention of 90%” or the like, {reviews} a number of reviews, {others} a
# number.
DIFFERENT_WORK = _(
    "With FSRS at {retention} you would know as many cards as with SM-2, with {reviews} a day instead of {others} "
    "(difference: {low} to {high})."
)
SAME_WORK = _(
    "With FSRS at {retention} you would know as many cards as with SM-2, with about as much work: {reviews} a day "
    "instead of {others} (difference: {low} to {high})."
)
UNCLEAR_WORK = _(
    "With FSRS at {retention} you would know as many cards as with SM-2. It is unclear which is less work: {reviews} a "
    "day instead of {others} (difference: {low} to {high})."
)
NO_EQUAL_KNOWLEDGE = _(
    "No desired retention reliably gives you as many known cards with FSRS as with SM-2, so their workloads cannot be "
    "compared."
)
OTHER_MEMORIES = _(
    "This assumes that your memory works as FSRS models it. For simulated people whose memory works differently, up to "
    "half of such intervals missed the truth."
)
TESTED = _(
    "In a test on your last {tested} of study, the forecast was {foreseen}, with {share} remembered. You did "
    "{observed} and remembered {observed_share}."
)
NO_TIMES = _("Answer times are missing in the review log, so minutes per day are unknown.")
# Translators: {known} and {others} are numbers of cards.
KNOWN = _("cards known: {known} against {others}")
KNOWN_WITH_INTERVAL = _("cards known: {known} against {others} (difference: {low} to {high})")

#: Sentences on why there is no answer, by the code of the back-test.
WHY_NOT: Dict[str, str] = {
    "none_alive": _("Unknown: you no longer study any cards, so there is nothing to simulate."),
    "no_intervals": _("Unknown: your review log does not contain the intervals of your cards."),
    "switched": _("Unknown: in your last {tested} of study you switched between SM-2 and FSRS."),
    "unknown_scheduler": _("Unknown: it is not recorded whether SM-2 or FSRS set the intervals in your review log."),
    "fsrs_7": _("Unknown: some of your presets use FSRS-7 or newer, which is not simulated."),
    "too_few_days": _("Too early: you have studied on {days}; at least 30 days are needed."),
    "too_few_reviews": _(
        "Too early: you have done {reviews} of cards seen on an earlier day; at least 300 are needed."
    ),
    "too_few_to_predict": _(
        "Too early: your last {tested} of study hold {further} of cards that you had already reviewed in these days; "
        "at least 20 are needed to test the simulation."
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


@dataclass(frozen=True)
class Choice:
    """A desired retention that is compared, with its load."""

    load: Load
    desired: str  #: the desired retention as a text
    meaning: str = ""  #: whose it is, or what it leads to


@dataclass(frozen=True)
class CurveData:
    """The data of the graph."""

    workload: Workload
    choices: Tuple[Choice, ...]  #: the desired retentions to label
    note: str  #: what the labels mean
    tips: Tuple[str, ...]  #: tooltip of each load, with each number on a line of its own
    schedulers: Tuple[str, ...]  #: the labels of FSRS and SM-2


def has_answer(report: Report) -> bool:
    """Return whether the workload is known, or if it was not simulated, whether that will probably succeed."""
    workload = report.sections.get("workload")
    # If the section failed, it has no loads.
    return bool(getattr(workload, "loads", ())) if workload else report.workload_test in PROBABLE


def blocks(report: Report) -> Iterator[Block]:
    """Yield the loads to choose from with the answer, and the graph, or only the reason why there is no answer.

    If FSRS is on, changes are from the user's desired retention, and the answer follows the table. Otherwise they are
    from SM-2, and the answer comes first, because it names a desired retention with which to turn FSRS on.
    """
    workload: Workload = report.section("workload")
    test = workload.back_test
    loads = workload.loads
    is_on = report.scope.fsrs
    if not loads:
        yield Block("reviews-per-day", TITLE, paragraph(WHY_NOT[test.code].format(**_facts(test)), ANKIS_SIMULATOR))
        return
    retention, meaning = _desired_retention(workload, report)
    choices = tuple(_choices(workload, meaning))
    answer = paragraph(*_answer(workload, retention))
    base = _own_and_neighbor(workload)[0] if is_on else loads[0]
    # Translators: {scheduler} is “your desired retention of 90%”, “SM-2” or the like.
    changes = _("In parentheses: the change from {scheduler}.").format(scheduler=retention if is_on else "SM-2")
    yield Block(
        key="reviews-per-day",
        heading=TITLE,
        caption="" if is_on else answer,
        table=_choices_table([*choices, Choice(loads[0], "")], base),
        notes=(changes, answer) if is_on else (changes,),
    )
    is_knowledge = workload.question == KNOWLEDGE
    table = _loads_table(loads)
    yield Block(
        key="workload",
        heading=_("Desired retention and cards known") if is_knowledge else _("Reviews per day and cards known"),
        table=table,
        chart=Chart("workload", _curve_data(workload, choices, _tips(table))),
        notes=(TESTED.format(**_facts(test)), *(() if loads[0].minutes else (NO_TIMES,))),
        details=(OTHER_MEMORIES,),
    )


def _desired_retention(workload: Workload, report: Report) -> Tuple[str, str]:
    """Return a phrase on the user's desired retention for sentences, and whose it is for the table and the graph.

    If FSRS is off, Anki's default is called so, because the user did not choose it.
    """
    # Translators: These fill {retention} elsewhere; {desired} is a desired retention, {share} a percentage.
    phrase = _("your desired retention of {desired}")
    meaning = _("yours")
    if round(100 * workload.desired_share) < 100:
        phrase = _("a desired retention of {desired} for all your cards ({share} of them have it)")
        meaning = _("most of your cards")
    elif not report.scope.fsrs and workload.desired_retention == reports.DEFAULT_RETENTION:
        phrase = _("Anki's default of {desired}")
        meaning = _("Anki's default")
    desired = whole_percent(workload.desired_retention)
    share = percent(workload.desired_share)
    return phrase.format(desired=desired, share=share), meaning


def _curve_data(workload: Workload, choices: Tuple[Choice, ...], tips: Tuple[str, ...]) -> CurveData:
    """Return the data of the graph, with a note on the desired retentions to label."""
    # Translators: A note of the graph. {desired} is a desired retention, {meaning} “yours” or the like.
    note = _("{desired}: {meaning}.")
    notes = (note.format(desired=choice.desired, meaning=choice.meaning) for choice in choices if choice.meaning)
    schedulers = tuple(_scheduler_label(load.scheduler) for load in (workload.loads[1], workload.loads[0]))
    return CurveData(workload, choices, paragraph(*notes), tips, schedulers)


def _choices(workload: Workload, meaning: str) -> Iterator[Choice]:
    """Yield a step from the user's desired retention, the user's own, and that with as many known cards as SM-2.

    At the last of these, a review is assumed to take as long as at the nearest desired retention that was simulated.
    """
    own, neighbor = _own_and_neighbor(workload)
    retention = workload.equal_retention
    ratio = workload.known_ratio
    sm2, *curve = workload.loads
    equal = None
    if retention is not None and ratio and not _is_equal_at(own, workload):
        nearest = min(curve, key=lambda load: abs((load.desired_retention or 0.0) - retention))
        reviews = sm2.reviews.value * ratio.value
        minutes = None
        if nearest.minutes is not None:
            minutes = interval.ConfidenceInterval(nearest.minutes.value * reviews / nearest.reviews.value)
        equal = replace(
            nearest,
            desired_retention=retention,
            reviews=interval.ConfidenceInterval(reviews),
            minutes=minutes,
            known=interval.ConfidenceInterval(sm2.known.value),
        )
    if equal is None or not _is_equal_at(neighbor, workload):
        yield Choice(neighbor, whole_percent(neighbor.desired_retention or 0.0))
    yield Choice(own, whole_percent(workload.desired_retention), meaning)
    if equal is not None:
        # Translators: What a desired retention leads to.
        yield Choice(equal, percent_or_dash(retention, 0), _("as many known as with SM-2"))


def _is_equal_at(load: Load, workload: Workload) -> bool:
    """Return whether FSRS gives as many known cards as SM-2 at the desired retention of this load, in whole percent."""
    return percent_or_dash(workload.equal_retention, 0) == percent_or_dash(load.desired_retention, 0)


def _own_and_neighbor(workload: Workload) -> Tuple[Load, Load]:
    """Return the load at the user's desired retention, and that at the next lower one.

    If the user's is the lowest, the second load is that at the next higher one.
    """
    curve = workload.loads[1:]
    index = [load.desired_retention for load in curve].index(workload.desired_retention)
    return curve[index], curve[index - 1 if index else 1]


def _answer(workload: Workload, retention: str) -> Iterator[str]:
    """Yield comparisons of FSRS with SM-2, given a phrase on the user's desired retention."""
    own = _own_and_neighbor(workload)[0]
    sm2 = workload.loads[0]
    if workload.question == KNOWLEDGE:
        yield _compare_knowledge(workload, own, retention)
    elif _is_equal_at(own, workload):
        yield _compare_work(workload, retention)
    else:
        # Translators: Fills {retention} elsewhere.
        phrase = _("a desired retention of {desired}")
        yield _compare_work(workload, phrase.format(desired=percent_or_dash(workload.equal_retention, 0)))
        # Translators: {retention} is “your desired retention of 90%” or the like.
        yield _compare_loads(own, sm2, _("At {retention}").format(retention=retention), KNOWN)


def _compare_work(workload: Workload, retention: str) -> str:
    """Compare the work of FSRS and SM-2 at the desired retention with as many known cards."""
    ratio = workload.known_ratio
    sm2_reviews = workload.loads[0].reviews.value
    if workload.equal_retention is None or ratio is None:
        return NO_EQUAL_KNOWLEDGE
    side = ratio.compare_with(1)
    difference = abs(ratio.value - 1)
    text = DIFFERENT_WORK if side else UNCLEAR_WORK
    if difference * sm2_reviews < MIN_REVIEWS or (not side and difference < MIN_DIFFERENCE):
        text = SAME_WORK
    reviews = strings.REVIEWS(round(sm2_reviews * ratio.value))
    minimum_note = _("Anki allows no desired retention below {desired}.").format(desired=percent(reports.MIN_RETENTION))
    return paragraph(
        text.format(retention=retention, reviews=reviews, others=_count(sm2_reviews), **_ends_as_percent(ratio)),
        minimum_note if round(workload.equal_retention, 2) < reports.MIN_RETENTION else "",
        _("Better prediction is not the same as less work.") if text == SAME_WORK else "",
    )


def _compare_knowledge(workload: Workload, own: Load, retention: str) -> str:
    """Compare the cards known with FSRS and SM-2 for at most the same number of reviews."""
    ratio = workload.known_ratio
    sm2 = workload.loads[0]
    text = _("You have a backlog, so FSRS and SM-2 are compared with at most as many reviews a day as you do now.")
    if ratio is None:
        return paragraph(text, NO_EQUAL_KNOWLEDGE)
    # Translators: {retention} is “your desired retention of 90%” or the like.
    label = _("With FSRS at {retention} instead of SM-2").format(retention=retention)
    return paragraph(text, _compare_loads(own, sm2, label, KNOWN_WITH_INTERVAL, **_ends_as_percent(ratio)))


def _compare_loads(own: Load, sm2: Load, label: str, known_text: str, **ends: str) -> str:
    """Compare reviews and cards known with FSRS and SM-2. The larger difference comes first."""
    # Translators: {reviews} is a number of reviews, {others} a number.
    reviews = _("{reviews} a day against {others}")
    reviews = reviews.format(reviews=strings.REVIEWS(round(own.reviews.value)), others=_count(sm2.reviews.value))
    known = known_text.format(known=_count(own.known.value), others=_count(sm2.known.value), **ends)
    reviews_ratio = own.reviews.value / sm2.reviews.value
    known_ratio = own.known.value / sm2.known.value
    clauses = (reviews, known) if abs(reviews_ratio - 1) >= abs(known_ratio - 1) else (known, reviews)
    return add_label(label, add_period(with_semicolons(clauses)))


def _ends_as_percent(ratio: ConfidenceInterval) -> Dict[str, str]:
    """Return the ends of a ratio's interval as changes in percent, by the names of the fields in sentences."""
    low, high = (change(end - 1) for end in ratio.low_high or (1.0, 1.0))
    return {"low": low, "high": high}


def _facts(test: BackTest) -> Dict[str, str]:
    """Return the numbers of the back-test as texts, by the names of the fields in sentences."""
    facts = {
        "days": strings.DAYS(test.days),
        "tested": strings.DAYS(test.tested),
        "reviews": strings.REVIEWS(test.later_reviews),
        "further": strings.REVIEWS(test.further_reviews),
    }
    if test.reviews is not None and test.remembered is not None:
        shares = percents(as_share(test.remembered.foreseen.value), as_share(test.remembered.observed))
        facts["foreseen"] = strings.REVIEWS(round(test.reviews.foreseen.value))
        facts["observed"] = _count(test.reviews.observed)
        facts["share"], facts["observed_share"] = shares
    return facts


def _choices_table(choices: Sequence[Choice], base: Load) -> Table:
    """Return the table of the choices, with the change from the base in each row but that of the base."""
    # Translators: A scheduler and what its desired retention means.
    label = _("{scheduler} ({meaning})")

    def cell(
        value: Optional[ConfidenceInterval],
        base_value: Optional[ConfidenceInterval],
        format_number: Callable[[float], str],
    ) -> str:
        """Format a number, with its change from the base, unless it is that of the base."""
        if value is None or base_value is None:
            return strings.NO_VALUE
        text = format_number(value.value)
        # Translators: A number and its change in percent.
        with_change = _("{value} ({change})").format(value=text, change=change(value.value / base_value.value - 1))
        return text if value is base_value else with_change

    rows = []
    formats = (_count, _one_decimal, _count)
    for choice in choices:
        scheduler = _load_label(choice.load, choice.desired)
        name = label.format(scheduler=scheduler, meaning=choice.meaning) if choice.meaning else scheduler
        rows.append((name, *map(cell, _amounts(choice.load), _amounts(base), formats)))
    return _table(rows)


def _loads_table(loads: Sequence[Load]) -> Table:
    """Return the table of all simulated loads, with their intervals."""
    return _table(
        (
            _load_label(load, "" if load.desired_retention is None else whole_percent(load.desired_retention)),
            *map(_value_with_interval, _amounts(load), (_one_decimal, _one_decimal, _count)),
        )
        for load in loads
    )


def _amounts(load: Load) -> Tuple[ConfidenceInterval, Optional[ConfidenceInterval], ConfidenceInterval]:
    """Return the numbers of a load in the order of the columns."""
    return load.reviews, load.minutes, load.known


def _table(rows: Iterable[Tuple[str, ...]]) -> Table:
    """Return a table of loads with these rows. It has no minutes if they are unknown."""
    per_day_tip = _("The mean over all days from day 31 on, including days without study.")
    columns = (
        Column(_("Scheduler"), number=False),
        Column(TITLE, per_day_tip),
        Column(_("Minutes per day"), per_day_tip),
        Column(_("Cards known"), _("How many of your cards you would remember on an average day.")),
    )
    return without_sparse_columns(Table(columns, tuple(rows)))


def _tips(table: Table) -> Tuple[str, ...]:
    """Return a tooltip for each row of the table, with each of its cells on a line of its own."""
    names = [column.name for column in table.columns[1:]]
    return tuple("\n".join([scheduler, *map(add_label, names, cells)]) for scheduler, *cells in table.rows)


def _scheduler_label(name: str) -> str:
    return _("Anki's SM-2") if name == "Anki-SM-2" else name


def _load_label(load: Load, desired: str) -> str:
    scheduler = _scheduler_label(load.scheduler)
    # Translators: {scheduler} is FSRS-6, {percent} its desired retention.
    return _("{scheduler} at {percent}").format(scheduler=scheduler, percent=desired) if desired else scheduler


def _value_with_interval(value: Optional[ConfidenceInterval], format_number: Callable[[float], str]) -> str:
    """Format a number with its interval. Without an interval, it is a dash."""
    return strings.NO_VALUE if value is None or value.low_high is None else with_ends(value, format_number)


def _one_decimal(number: float) -> str:
    """Format a number with one decimal, or with none if it is large."""
    return f"{max(number, 0.0):.1f}" if number < 100 else _count(number)


def _count(number: float) -> str:
    return integer(round(max(number, 0.0)))


VIEW = View(
    "workload",
    TITLE,
    _("How much work would each scheduler take?"),
    blocks,
    _("Simulates a year of your reviews under Anki's SM-2 and under FSRS-6, after a test on your own past."),
    max_unasked=MAX_UNASKED,
)
