"""The year ahead in sentences: what a scheduler would save or gain, and whether that would have foreseen the past."""

from __future__ import annotations

from typing import TYPE_CHECKING, Dict, Iterator, List, Sequence, Tuple

from ..text import Counted, _, strings
from ..text.numbers import percents, with_sign
from ..text.phrases import all_of, whole
from .cells import about, percent

if TYPE_CHECKING:
    from evaluator.interval import Interval
    from evaluator.workload.result import BackTest, Foreseen, Load, Versus, Workload

KNOWLEDGE = "knowledge"

#: By the side of 1 on which the ratio of reviews lies; where the minutes lie on the same one, these are said, too.
REVIEWS = {
    -1: _(
        "For the same number of cards remembered, {scheduler} would ask you for {percent} fewer reviews than SM-2 "
        "(95\N{NO-BREAK SPACE}% interval: {low} to {high})."
    ),
    0: _(
        "For the same number of cards remembered, no fewer reviews can be promised with {scheduler} than with SM-2: "
        "anything from {low} fewer to {high} more is possible (95\N{NO-BREAK SPACE}% interval)."
    ),
    1: _(
        "For the same number of cards remembered, {scheduler} would ask you for {percent} more reviews than SM-2 "
        "(95\N{NO-BREAK SPACE}% interval: {low} to {high})."
    ),
}
REVIEWS_AND_MINUTES = {
    -1: _(
        "For the same number of cards remembered, {scheduler} would ask you for {percent} fewer reviews than SM-2 "
        "(95\N{NO-BREAK SPACE}% interval: {low} to {high}), some {minutes} minutes a day instead of {instead}."
    ),
    1: _(
        "For the same number of cards remembered, {scheduler} would ask you for {percent} more reviews than SM-2 "
        "(95\N{NO-BREAK SPACE}% interval: {low} to {high}), some {minutes} minutes a day instead of {instead}."
    ),
}
#: By the side of 1 on which the ratio of minutes lies, where that is not the side of the reviews.
MINUTES = {
    -1: _("These would take {percent} fewer minutes (95\N{NO-BREAK SPACE}% interval: {low} to {high})."),
    0: _(
        "No fewer minutes can be promised: anything from {low} fewer to {high} more is possible "
        "(95\N{NO-BREAK SPACE}% interval)."
    ),
    1: _("These would take {percent} more minutes (95\N{NO-BREAK SPACE}% interval: {low} to {high})."),
}
# Translators: {low} and {high} are numbers of cards.
KNOWN_MORE = Counted(
    "With the same time, {scheduler} would keep {count:,} more card known than SM-2 (95\N{NO-BREAK SPACE}% interval: "
    "{low} to {high}).",
    "With the same time, {scheduler} would keep {count:,} more cards known than SM-2 (95\N{NO-BREAK SPACE}% interval: "
    "{low} to {high}).",
)
# Translators: {low} and {high} are numbers of cards.
KNOWN_FEWER = Counted(
    "With the same time, {scheduler} would keep {count:,} fewer card known than SM-2 (95\N{NO-BREAK SPACE}% interval: "
    "{low} to {high}).",
    "With the same time, {scheduler} would keep {count:,} fewer cards known than SM-2 (95\N{NO-BREAK SPACE}% interval: "
    "{low} to {high}).",
)
# Translators: {low} and {high} are numbers of cards.
KNOWN_EITHER = _(
    "With the same time, no more cards known can be promised with {scheduler} than with SM-2: anything from {low} "
    "fewer to {high} more is possible (95\N{NO-BREAK SPACE}% interval)."
)
# Translators: {low} and {high} are numbers of cards.
KNOWN_SAME = _(
    "With the same time, {scheduler} would keep about as many cards known as SM-2: the difference is less than "
    "1\N{NO-BREAK SPACE}% ({low} to {high} cards, 95\N{NO-BREAK SPACE}% interval)."
)
BEHIND = _(
    "Only {on_time} of your reviews of the last {days} came on time, so the question is not how much time a scheduler "
    "would save you, but how many cards you would know with the reviews that you do."
)
ONLY_FSRS = _(
    "That is so if your memory works as FSRS assumes: every other model of it predicted your reviews clearly worse."
)
#: Where there is no ratio.
NO_EQUAL_KNOWLEDGE = _(
    "Not every model of your memory finds a desired retention with which {scheduler} keeps as many cards known as "
    "SM-2, so what that would take cannot be told."
)
NO_EQUAL_WORK = _(
    "Not every model of your memory finds a desired retention with which {scheduler} takes as long as SM-2, so how "
    "many cards it would keep known in that time cannot be told."
)
#: Where there is one without an interval.
UNSURE_WORK = _(
    "How many reviews {scheduler} would ask for, for as many cards remembered as under SM-2, cannot be told: no "
    "interval can be given."
)
UNSURE_KNOWLEDGE = _(
    "How many cards {scheduler} would keep known in the same time cannot be told: no interval can be given."
)

#: Why nothing can be told, by the code of the back-test.
WHY_NOT: Dict[str, str] = {
    "none_alive": _("Cannot be told: you study no card any more, so there is nothing to simulate."),
    "no_intervals": _("Cannot be told: your review log does not say which intervals your cards were given."),
    "switched": _(
        "Cannot be told: in your last {days} of study you switched between SM-2 and FSRS, so it cannot be tested "
        "whether the simulation would have foreseen them."
    ),
    "unknown_scheduler": _("Cannot be told: nothing says whether SM-2 or FSRS set the intervals in your review log."),
    "fsrs_7": _("Cannot be told: presets of yours run FSRS-7, which is not simulated."),
    "too_few_days": _(
        "Cannot be told: whether the simulation would have foreseen your own past is tested on the last fifth of your "
        "days of study. These are {days} so far, and at least {needed} are needed."
    ),
    "too_few_reviews": _(
        "Cannot be told: in your last {days} of study there were too few reviews of the same card to test whether the "
        "simulation would have foreseen them ({cards} in all)."
    ),
    "too_wide": _(
        "Cannot be told: there are too few reviews to test the simulation on. For your last {days} of study it would "
        "have foreseen anything from {low} to {high} reviews (95\N{NO-BREAK SPACE}% interval), and there were "
        "{observed}."
    ),
    "reviews": _(
        "Cannot be told: the simulation does not foresee your own past. For your last {days} of study it would have "
        "foreseen {foreseen} (95\N{NO-BREAK SPACE}% interval: {low} to {high}), and there were {observed}."
    ),
    "remembered": _(
        "Cannot be told: the simulation does not foresee your own past. Of the reviews of your last {days} of study it "
        "would have foreseen {foreseen} to be remembered (95\N{NO-BREAK SPACE}% interval: {low} to {high}), and "
        "{observed} were."
    ),
}
#: So many days of study are tested on at least.
LEAST_DAYS = 30

#: Where less of a scheduler's work is like what the person's log holds, that is said.
_TRIED = 0.8
#: Of more than so many of them it is said how many.
_MOST_NAMES = 3
#: So many cards more or fewer, as a share, make no difference to anybody.
_NOTHING = 0.01
#: So much less or more is worth a word at the end of the year.
_SAME = 0.02


def answer(found: Workload, one: Versus, sm2: Load) -> List[str]:
    """What this scheduler would save and gain, and of whom that holds."""
    person, behind = found.person, found.question == KNOWLEDGE
    on_time, days = percent(person.on_time, 0), strings.DAYS(person.days)
    return [
        BEHIND.format(on_time=on_time, days=days) if behind else "",
        *compared_with_sm2(found, one, sm2),
        ONLY_FSRS if found.only_fsrs else "",
        untried([sm2, *_nearest(found, one)]),
    ]


def compared_with_sm2(found: Workload, one: Versus, sm2: Load) -> List[str]:
    """The work for the same knowledge, of who keeps up, and the knowledge for the same work."""
    return [*(_work(one, sm2) if found.question != KNOWLEDGE else []), _knowledge(one, sm2)]


def _work(one: Versus, sm2: Load) -> List[str]:
    """The reviews and minutes for as many cards remembered."""
    side, of_minutes = one.reviews.side(1), one.minutes.side(1)
    if side is None:
        return [(NO_EQUAL_KNOWLEDGE if one.reviews.estimate is None else UNSURE_WORK).format(scheduler=one.scheduler)]
    if of_minutes == side and one.minutes_a_day is not None and side in REVIEWS_AND_MINUTES:
        minutes, instead = _minutes(one.minutes_a_day, sm2.minutes.known)
        return [_ratio(REVIEWS_AND_MINUTES[side], one.reviews, one.scheduler, minutes=minutes, instead=instead)]
    said = _ratio(REVIEWS[side], one.reviews, one.scheduler)
    return [said] if of_minutes in (None, side) else [said, _ratio(MINUTES[of_minutes], one.minutes, one.scheduler)]


def _ratio(text: str, ratio: Interval, scheduler: str, **facts: str) -> str:
    """Fill in a text about a ratio with an interval: how much less or more it is than 1."""
    low, high = ratio.ends or (ratio.known, ratio.known)
    size, less, more = percents(abs(ratio.known - 1), *sorted((abs(low - 1), abs(high - 1))))
    if ratio.side(1) == 0:
        less, more = percents(1 - low, high - 1)
    return text.format(scheduler=scheduler, percent=size, low=less, high=more, **facts)


def _minutes(*values: float) -> Tuple[str, ...]:
    """Minutes, with a digit after the point where they are few or would look alike."""
    plain = tuple(f"{value:.0f}" for value in values)
    return plain if min(values) >= 5 and len(set(plain)) == len(plain) else tuple(f"{value:.1f}" for value in values)


def _knowledge(one: Versus, sm2: Load) -> str:
    """The cards remembered in as many minutes. How many SM-2's are is known much better than the ratio to them."""
    side, ratio = one.known.side(1), one.known
    if side is None or ratio.ends is None:
        return (NO_EQUAL_WORK if ratio.estimate is None else UNSURE_KNOWLEDGE).format(scheduler=one.scheduler)
    estimate, *reach = (about(round(abs(x - 1) * sm2.known.known)) for x in (ratio.known, *ratio.ends))
    if max(abs(end - 1) for end in ratio.ends) < _NOTHING:
        few, many = (with_sign((end - 1) * sm2.known.known, 0) for end in ratio.ends)
        return KNOWN_SAME.format(scheduler=one.scheduler, low=few, high=many)
    if side == 0:
        return KNOWN_EITHER.format(scheduler=one.scheduler, low=whole(reach[0]), high=whole(reach[1]))
    low, high = map(whole, sorted(reach))
    return (KNOWN_MORE if side > 0 else KNOWN_FEWER)(estimate, scheduler=one.scheduler, low=low, high=high)


def _nearest(found: Workload, one: Versus) -> List[Load]:
    """Of the schedulers that were simulated the one that is nearest to what the answer is about."""
    desired = one.desired_retention_at_equal_work if found.question == KNOWLEDGE else one.desired_retention
    if desired is None:
        return []
    of_it = [load for load in found.memories[0].loads if load.scheduler == one.scheduler]
    return [min(of_it, key=lambda load: abs((load.desired_retention or 0.0) - desired))]


def untried(loads: Sequence[Load]) -> str:
    """How little of their work is like what the log holds; empty where none has too little."""
    few = [load for load in loads if load.tried < _TRIED]
    if not few:
        return ""
    if len(few) > _MOST_NAMES:
        return _(
            "In {count} rows of this table less than {percent} of the simulated reviews are like any in your log; the "
            "rest is a guess."
        ).format(count=len(few), percent=percent(_TRIED, 0))
    # Translators: {name} is a scheduler. It stands after "Only", in a list.
    share = _("{percent} of the reviews simulated with {name}")
    shares = [share.format(percent=percent(load.tried, 0), name=name_of(load)) for load in few]
    # Translators: {shares} is such as: 62 % of the reviews simulated with SM-2
    return _("Only {shares} are like any in your log; the rest is a guess.").format(shares=all_of(shares))


def at_the_end(one: Versus) -> str:
    """What is remembered on the last day, where that is not as much as the mean of the year says."""
    ratio = one.known_at_the_end
    if ratio is None or abs(ratio - 1) <= _SAME:
        return ""
    text = (
        _(
            "Over the year as many cards are remembered under {scheduler} as under SM-2, but on its last day "
            "{percent} more."
        )
        if ratio > 1
        else _(
            "Over the year as many cards are remembered under {scheduler} as under SM-2, but on its last day "
            "{percent} fewer."
        )
    )
    return text.format(scheduler=one.scheduler, percent=percent(abs(ratio - 1), 0))


def same_as_sm2(one: Versus) -> str:
    """With which desired retention it is as SM-2; empty where that is not known."""
    if one.desired_retention is None or one.desired_retention_at_equal_work is None or one.reviews.ends is None:
        return ""
    knows, takes = (percent(x, 0) for x in (one.desired_retention, one.desired_retention_at_equal_work))
    return _(
        "{scheduler} keeps as many cards known as SM-2 at a desired retention of about {knows}, and takes as long as "
        "SM-2 at about {takes}."
    ).format(scheduler=one.scheduler, knows=knows, takes=takes)


def why_not(test: BackTest) -> str:
    """Why nothing can be told, with the numbers of the test."""
    compared = test.remembered if test.code == "remembered" else test.reviews
    facts = {} if compared is None else _facts(compared, share=test.code == "remembered")
    days, cards = strings.DAYS(test.days), strings.CARDS(test.cards)
    return WHY_NOT[test.code].format(days=days, cards=cards, needed=LEAST_DAYS, **facts)


def _facts(one: Foreseen, *, share: bool) -> Dict[str, str]:
    """What was foreseen, its interval and what there was, for sentences."""
    known = one.foreseen.known
    numbers = (known, *(one.foreseen.ends or (known, known)), one.observed)
    said = percents(*map(as_share, numbers)) if share else [strings.REVIEWS(round(known)), *map(rounded, numbers[1:])]
    return dict(zip(("foreseen", "low", "high", "observed"), said))


def back_test_sentences(test: BackTest) -> Iterator[str]:
    """What would have been foreseen of the reviews and of the share remembered, and what there was."""
    days, cards = strings.DAYS(test.days), strings.CARDS(test.cards)
    if test.reviews is not None:
        yield _(
            "For your last {days} of study this would have foreseen {foreseen} of {cards} that you saw then "
            "(95\N{NO-BREAK SPACE}% interval: {low} to {high}); there were {observed}."
        ).format(days=days, cards=cards, **_facts(test.reviews, share=False))
    if test.remembered is not None:
        yield _(
            "It would have foreseen {foreseen} of them to be remembered (95\N{NO-BREAK SPACE}% interval: {low} to "
            "{high}); {observed} were."
        ).format(**_facts(test.remembered, share=True))


def name_of(load: Load) -> str:
    """Scheduler and desired retention."""
    if load.desired_retention is None:
        return load.scheduler
    # Translators: {scheduler} is FSRS-6, {percent} its desired retention.
    return _("{scheduler} at {percent}").format(scheduler=load.scheduler, percent=percent(load.desired_retention, 0))


def rounded(number: float) -> str:
    """A number of reviews or minutes, which is not below 0."""
    return whole(round(max(number, 0.0)))


def as_share(number: float) -> float:
    """The same number, as far as it can be a share."""
    return min(max(number, 0.0), 1.0)
