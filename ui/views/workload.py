"""The work and the cards known in a simulated year under each scheduler, with a test of the simulation on the past."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Callable, Dict, Iterator, Optional, Sequence, Tuple

from ..science import SAME_DAY_TABLE
from ..text import Counted, _, strings
from ..text.numbers import percents, with_sign
from ..text.phrases import add_label, finish, integer, list_of, paragraph, with_semicolons
from .cells import as_share, percent, whole_percent, with_ends
from .view import Block, Chart, Column, Table, View, without_sparse_columns

if TYPE_CHECKING:
    from evaluator.interval import ConfidenceInterval
    from evaluator.report import Report
    from evaluator.workload.result import BackTest, Load, Workload

TITLE = _("Reviews per day")
KNOWLEDGE = "knowledge"
#: Maximum number of scored reviews for which the simulation starts when its tab is opened.
MAX_UNASKED = 30_000
#: Minimum number of study days and of reviews for the back-test. These are known before the simulation.
MIN_DAYS, MIN_REVIEWS_NEEDED = 30, 300
#: Codes of notes on rows if presets run FSRS-7, which cannot be simulated.
FSRS_7_NOTES = {"fsrs7", "published_fsrs7", "partly_published_fsrs7", "versions"}
#: The default and the minimum of desired retention in Anki.
DEFAULT_RETENTION, LOWEST_RETENTION = 0.9, 0.7
#: Minimum change that is mentioned, in reviews a day and as a share of the cards known.
MIN_REVIEWS, MIN_SHARE = 2, 0.01
#: Minimum difference in work, as a share, that is called unclear if it may be chance. Smaller ones are called the same.
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
# Translators: {before} is “with SM-2” or “at 90%”.
FEWER_KNOWN = Counted(
    "{count:,} fewer card known than {before} ({share})", "{count:,} fewer cards known than {before} ({share})"
)
MORE_KNOWN = Counted(
    "{count:,} more card known than {before} ({share})", "{count:,} more cards known than {before} ({share})"
)

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
class CurveData:
    """The data of the graph."""

    workload: Workload
    #: The desired retention at which FSRS gives as many cards known as SM-2, and the reviews a day there.
    equal_point: Optional[Tuple[float, float]]
    labeled_retentions: Tuple[Tuple[float, str], ...]  #: desired retentions with their labels
    note: str  #: what the labels mean
    tips: Tuple[str, ...]  #: tooltip of each load, with each number on a line of its own
    schedulers: Tuple[str, ...]  #: the labels of FSRS and SM-2


def has_answer(report: Report) -> bool:
    """Return whether the workload is known. If it was not simulated, return whether it probably can be."""
    scope, workload = report.scope, report.sections.get("workload")
    if workload:
        return bool(getattr(workload, "loads", ()))
    return (
        scope.table != SAME_DAY_TABLE
        and scope.days >= MIN_DAYS
        and scope.reviews >= MIN_REVIEWS_NEEDED
        and not (scope.fsrs and any(row.note in FSRS_7_NOTES for row in report.results))
    )


def blocks(workload: Workload, report: Report, _names: Sequence[str]) -> Iterator[Block]:
    """Yield the answer and the graph, or only the reason why there is no answer."""
    test = workload.back_test
    if not workload.loads:
        yield Block("reviews-per-day", TITLE, paragraph(WHY_NOT[test.code].format(**_facts(test)), ANKIS_SIMULATOR))
        return
    retention, note = _desired_retention(workload, report)
    answer, *changes = _answer(workload, retention)
    yield Block("reviews-per-day", TITLE, answer, notes=(*changes, OTHER_MEMORIES))
    is_knowledge, table = workload.question == KNOWLEDGE, _loads_table(workload.loads)
    yield Block(
        key="workload",
        heading=_("Desired retention and cards known") if is_knowledge else _("Reviews per day and cards known"),
        table=table,
        chart=Chart("workload", _curve_data(workload, note, _tips(table))),
        notes=(TESTED.format(**_facts(test)), *(() if workload.loads[0].minutes else (NO_TIMES,))),
    )


def _desired_retention(workload: Workload, report: Report) -> Tuple[str, str]:
    """Return a phrase on the user's desired retention for a sentence, and a note on it for the graph.

    If FSRS is off, the default of Anki is called that, because the user did not choose it.
    """
    # Translators: These fill {retention} elsewhere; {desired} is a desired retention, {share} a percentage.
    phrase, note = _("your desired retention of {desired}"), _("{desired}: yours.")
    if round(100 * workload.desired_share) < 100:
        phrase = _("a desired retention of {desired} for all your cards ({share} of them have it)")
        note = _("{desired}: most of your cards.")
    elif not report.scope.fsrs and workload.desired_retention == DEFAULT_RETENTION:
        phrase, note = _("Anki's default of {desired}"), _("{desired}: Anki's default.")
    desired, share = whole_percent(workload.desired_retention), percent(workload.desired_share, 0)
    return phrase.format(desired=desired, share=share), note.format(desired=desired)


def _curve_data(workload: Workload, note: str, tips: Tuple[str, ...]) -> CurveData:
    retentions = (load.desired_retention or 0.0 for load in _load_and_neighbor(workload))
    labeled_retentions = [(retention, whole_percent(retention)) for retention in retentions]
    equal_point = _equal_point(workload)
    if equal_point is not None and _is_at_own_retention(equal_point, workload):
        equal_point = None
    if equal_point is not None:
        labeled_retentions.append((equal_point[0], percent(equal_point[0], 0)))
        # Translators: A note of the graph. {desired} is a desired retention.
        equal_note = _("{desired}: as many cards known as with SM-2.").format(desired=labeled_retentions[-1][1])
        note = paragraph(equal_note, note)
    schedulers = tuple(_scheduler_label(load.scheduler) for load in (workload.loads[1], workload.loads[0]))
    return CurveData(workload, equal_point, tuple(labeled_retentions), note, tips, schedulers)


def _equal_point(workload: Workload) -> Optional[Tuple[float, float]]:
    """Return the desired retention at which FSRS gives as many known cards as SM-2, and the reviews a day there."""
    if workload.equal_retention is None or workload.ratio is None or workload.ratio.low_high is None:
        return None
    return workload.equal_retention, workload.loads[0].reviews.value * workload.ratio.value


def _is_at_own_retention(equal_point: Tuple[float, float], workload: Workload) -> bool:
    return percent(equal_point[0], 0) == percent(workload.desired_retention, 0)


def _load_and_neighbor(workload: Workload) -> Tuple[Load, Load]:
    """Return the load at the user's desired retention, and that at the next lower one.

    If the user's is the lowest, the second is the load at the next higher one.
    """
    curve = workload.loads[1:]
    index = [load.desired_retention for load in curve].index(workload.desired_retention)
    return curve[index], curve[index - 1 if index else 1]


def _answer(workload: Workload, retention: str) -> Iterator[str]:
    """Yield a comparison of FSRS with SM-2, and then of other desired retentions.

    Args:
        workload: the simulated loads.
        retention: phrase on the user's desired retention.
    """
    sm2, (own, other), equal_point = workload.loads[0], _load_and_neighbor(workload), _equal_point(workload)
    if workload.question == KNOWLEDGE:
        yield _compare_knowledge(workload, own, retention)
    elif equal_point is not None and _is_at_own_retention(equal_point, workload):
        yield _compare_work(workload, equal_point, retention)
    else:
        # Translators: Fills {retention} elsewhere.
        phrase = _("a desired retention of {desired}").format(desired=percent(equal_point[0], 0)) if equal_point else ""
        yield _compare_work(workload, equal_point, phrase)
        # Translators: In “… fewer cards known than with SM-2”.
        yield from _change(retention, own, sm2, _("with SM-2"))
    # Translators: In “… fewer cards known than at 90%”.
    before = _("at {desired}").format(desired=whole_percent(workload.desired_retention))
    yield from _change(whole_percent(other.desired_retention or 0.0), other, own, before)


def _change(retention: str, after: Load, before: Load, before_phrase: str) -> Iterator[str]:
    """Yield the cost and the gain of another scheduler or desired retention, unless both are negligible."""
    known_change = after.known.value - before.known.value
    share = abs(known_change) / before.known.value
    if share >= MIN_SHARE or abs(after.reviews.value - before.reviews.value) >= MIN_REVIEWS:
        known_text = MORE_KNOWN if known_change > 0 else FEWER_KNOWN
        known = known_text(round(abs(known_change)), before=before_phrase, share=percents(share)[0])
        # Translators: {reviews} is a number of reviews.
        reviews = _("{reviews} a day").format(reviews=strings.REVIEWS(round(after.reviews.value)))
        clauses = _larger_first(reviews, known, after, before)
        # Translators: {retention} is “your desired retention of 90%”, “85%” or the like.
        yield add_label(_("At {retention}").format(retention=retention), finish(list_of(clauses)))


def _larger_first(reviews: str, known: str, after: Load, before: Load) -> Tuple[str, str]:
    """Return the two texts in the order of the relative changes that they describe, the larger first."""
    reviews_change = abs(after.reviews.value / before.reviews.value - 1)
    known_change = abs(after.known.value / before.known.value - 1)
    return (reviews, known) if reviews_change >= known_change else (known, reviews)


def _compare_work(workload: Workload, equal_point: Optional[Tuple[float, float]], retention: str) -> str:
    """Compare the work of FSRS and SM-2 at the desired retention that gives as many known cards."""
    ratio, sm2_reviews = workload.ratio, workload.loads[0].reviews.value
    if equal_point is None or ratio is None or ratio.low_high is None:
        return NO_EQUAL_KNOWLEDGE
    side, difference = ratio.compare_with(1), abs(ratio.value - 1)
    text = DIFFERENT_WORK if side else UNCLEAR_WORK
    if difference * sm2_reviews < MIN_REVIEWS or (not side and difference < MIN_DIFFERENCE):
        text = SAME_WORK
    reviews = strings.REVIEWS(round(equal_point[1]))
    minimum_note = _("Anki allows no desired retention below {desired}.").format(desired=percent(LOWEST_RETENTION, 0))
    return paragraph(
        text.format(retention=retention, reviews=reviews, others=_count(sm2_reviews), **_ends_as_percent(ratio)),
        minimum_note if round(equal_point[0], 2) < LOWEST_RETENTION else "",
        _("Better prediction is not the same as less work.") if text == SAME_WORK else "",
    )


def _compare_knowledge(workload: Workload, own: Load, retention: str) -> str:
    """Compare the cards known with FSRS and SM-2 for at most the same number of reviews."""
    ratio, sm2 = workload.ratio, workload.loads[0]
    text = _("You have a backlog, so FSRS and SM-2 are compared with at most as many reviews a day as you do now.")
    if ratio is None or ratio.low_high is None:
        return paragraph(text, NO_EQUAL_KNOWLEDGE)
    # Translators: {reviews} is a number of reviews, {others} a number.
    reviews = _("{reviews} a day against {others}")
    reviews = reviews.format(reviews=strings.REVIEWS(round(own.reviews.value)), others=_count(sm2.reviews.value))
    # Translators: {known} and {others} are numbers of cards.
    known = _("cards known: {known} against {others} (difference: {low} to {high})")
    known = known.format(known=_count(own.known.value), others=_count(sm2.known.value), **_ends_as_percent(ratio))
    # Translators: {retention} is “your desired retention of 90%” or the like.
    with_fsrs = _("With FSRS at {retention} instead of SM-2").format(retention=retention)
    return paragraph(text, add_label(with_fsrs, finish(with_semicolons(_larger_first(reviews, known, own, sm2)))))


def _ends_as_percent(ratio: ConfidenceInterval) -> Dict[str, str]:
    low, high = (_("{number}%").format(number=with_sign(100 * (end - 1), 0)) for end in ratio.low_high or (1.0, 1.0))
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


def _loads_table(loads: Sequence[Load]) -> Table:
    per_day_tip = _("The mean over all days from day 31 on, including days without study, with the 95% interval.")
    known_tip = _("How many of your cards you would remember on an average day, with the 95% interval.")
    remembered_tip = _("The share of the reviews that you would remember, with the 95% interval.")
    columns = (
        Column(_("Scheduler"), number=False),
        Column(TITLE, per_day_tip),
        Column(_("Minutes per day"), per_day_tip),
        Column(_("Cards known"), known_tip),
        Column(strings.COLUMN_RECALLED, remembered_tip),
    )
    rows = tuple(
        (
            _load_label(load),
            _value(load.reviews, _one_decimal),
            _value(load.minutes, _one_decimal),
            _value(load.known, _count),
            _value(load.remembered, lambda share: percent(as_share(share), 0)),
        )
        for load in loads
    )
    return without_sparse_columns(Table(columns, rows))


def _tips(table: Table) -> Tuple[str, ...]:
    names = [column.name for column in table.columns[1:]]
    return tuple("\n".join([scheduler, *map(add_label, names, cells)]) for scheduler, *cells in table.rows)


def _scheduler_label(name: str) -> str:
    return _("Anki's SM-2") if name == "Anki-SM-2" else name


def _load_label(load: Load) -> str:
    scheduler = _scheduler_label(load.scheduler)
    if load.desired_retention is None:
        return scheduler
    # Translators: {scheduler} is FSRS-6, {percent} its desired retention.
    return _("{scheduler} at {percent}").format(scheduler=scheduler, percent=whole_percent(load.desired_retention))


def _value(value: Optional[ConfidenceInterval], format_number: Callable[[float], str]) -> str:
    return strings.NO_VALUE if value is None or value.low_high is None else with_ends(value, format_number)


def _one_decimal(number: float) -> str:
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
