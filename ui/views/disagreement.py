"""What happened where two algorithms said different things: in sentences, as a graph of two, as tables of all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Iterator, List, Optional, Sequence, Tuple

from ..science import interval
from ..text import _, pgettext, strings
from ..text.numbers import percents
from ..text.phrases import all_of, from_to, paragraph, whole
from .cells import ends, percent, signed
from .slices import ALGORITHM, INTERVAL, SHARES, in_points
from .tables import ENDS, REVIEWS
from .view import Block, Chart, Column, Table, View

if TYPE_CHECKING:
    from evaluator.report import Disagreement, Interval, Report, Side, Verdict
    from evaluator.sections.disagreement import GroupApart, PairDisagreement

DISAGREEMENT = _("Where they disagree")

#: Of the first side that is described, and of the second; {points} is 5 or 10.
SURER = _(
    "On {reviews}, {algorithm} gave you a chance of remembering at least {points} percentage points higher than "
    "{baseline} did: it said {predicted}, {baseline} said {by_baseline}, and you remembered {recalled}."
)
LESS_SURE = _(
    "On {reviews}, {algorithm} gave you a chance of remembering at least {points} percentage points lower than "
    "{baseline} did: it said {predicted}, {baseline} said {by_baseline}, and you remembered {recalled}."
)
ALSO_LESS_SURE = _(
    "On {reviews}, its chance was lower by at least as much: it said {predicted}, {baseline} said {by_baseline}, and "
    "you remembered {recalled}."
)
#: Of a side that is too small, beside one that is described.
TOO_FEW_SURER = _("Its chance was higher by as much on only {reviews} (of {cards}, on {days}), too few to tell more.")
TOO_FEW_LESS_SURE = _(
    "Its chance was lower by as much on only {reviews} (of {cards}, on {days}), too few to tell more."
)
NEVER_SURER = _("Its chance was never higher by as much.")
NEVER_LESS_SURE = _("Its chance was never lower by as much.")
TOO_FEW_OF_BOTH = _(
    "The predictions of {algorithm} and {baseline} are {points} percentage points or more apart on too few reviews to "
    "tell what happened there ({reviews})."
)
NEVER_APART = _("The predictions of {algorithm} and {baseline} are never {points} percentage points or more apart.")
NEARER = _("Over all these reviews, the predictions of {nearer} were nearer to what happened.")
#: Where the log loss of all reviews says the opposite.
CONTRADICTION = _(
    "On all these reviews together, {nearer} was nearer to what happened, although {other} has the lower log loss over "
    "all reviews. Both are true; log loss weighs sure predictions that failed more heavily, and it is what decides."
)
CANNOT_TELL = _("Which of the two was nearer to what happened cannot be told.")
SHARE = _(
    "Where they are {points} percentage points or more apart: on a scale from 0 (as {baseline} predicted) to "
    "100\N{NO-BREAK SPACE}% (as {algorithm} predicted), what happened lies at {share} ({interval})."
)


def verdict_disagreement(verdict: Verdict) -> Tuple[str, ...]:
    """What happened where the pair of the verdict disagrees; nothing where one of them may have seen these reviews.

    Which was nearer is said unless it is what the verdict says anyway.
    """
    one, algorithm, baseline = verdict.disagreement, verdict.algorithm, verdict.baseline
    if one is None or verdict.in_sample or algorithm is None or baseline is None:
        return ()
    contradicts = {verdict.code, one.code} == {interval.BETTER, interval.WORSE}
    nearer = "" if verdict.code == one.code else _nearer(one, algorithm, baseline, contradicts=contradicts)
    return tuple(sentence for sentence in (*_sides(one, algorithm, baseline), nearer) if sentence)


def _sides(one: Disagreement, algorithm: str, baseline: str) -> List[str]:
    """Both sides, or that they are too small."""
    names = {"algorithm": algorithm, "baseline": baseline, "points": f"{100 * one.threshold:.0f}"}
    surer, less_sure = one.surer, one.less_sure
    if surer.recalled is None and less_sure.recalled is None:
        apart = surer.reviews + less_sure.reviews
        return [(TOO_FEW_OF_BOTH if apart else NEVER_APART).format(reviews=strings.REVIEWS(apart), **names)]
    if surer.recalled is None:
        return [_described(LESS_SURE, less_sure, **names), _too_few(surer, NEVER_SURER, TOO_FEW_SURER)]
    if less_sure.recalled is None:
        return [_described(SURER, surer, **names), _too_few(less_sure, NEVER_LESS_SURE, TOO_FEW_LESS_SURE)]
    return [_described(SURER, surer, **names), _described(ALSO_LESS_SURE, less_sure, **names)]


def _described(text: str, side: Side, **names: str) -> str:
    shares = side.recalled or 0.0, side.predicted or 0.0, side.predicted_by_baseline or 0.0
    recalled, predicted, by_baseline = percents(*shares)
    reviews = strings.REVIEWS(side.reviews)
    return text.format(recalled=recalled, predicted=predicted, by_baseline=by_baseline, reviews=reviews, **names)


def _too_few(side: Side, never: str, too_few: str) -> str:
    counts = strings.REVIEWS(side.reviews), strings.CARDS(side.cards), strings.DAYS(side.days)
    return too_few.format(reviews=counts[0], cards=counts[1], days=counts[2]) if side.reviews else never


def _nearer(one: Disagreement, algorithm: str, baseline: str, *, contradicts: bool = False) -> str:
    """Which of the two was nearer over both sides together; empty where that cannot be told."""
    names = {interval.BETTER: (algorithm, baseline), interval.WORSE: (baseline, algorithm)}.get(one.code)
    return (CONTRADICTION if contradicts else NEARER).format(nearer=names[0], other=names[1]) if names else ""


# --- the graph of two -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Apart:
    """What is drawn: both algorithms' gaps, by how far apart they were."""

    algorithm: str
    baseline: str
    groups: Tuple[GroupApart, ...]
    minimum: int  #: groups with fewer reviews are blank


def blocks(found: Sequence[PairDisagreement], report: Report, names: Sequence[str]) -> Iterator[Block]:
    """The graph of two algorithms, one alone being compared with the baseline; without names the tables of all."""
    if not names:
        yield from _of_all(found, report)
        return
    pair = report.pair(names)
    for one in found:
        if (one.algorithm, one.baseline) == pair:
            yield _of_two(one, report, alone=len(names) == 1)


def _of_two(one: PairDisagreement, report: Report, *, alone: bool) -> Block:
    sides, pair = one.sides, (one.algorithm, one.baseline)
    drawn = any(group.gap.estimate is not None for group in one.groups)
    notes = [_("Select two algorithms to see where those disagree.")] if alone else []
    return Block(
        key="disagreement",
        heading=DISAGREEMENT,
        caption=_caption(one, report.verdict),
        table=Table(_side_columns(sides.threshold), tuple(_side_rows(one))),
        chart=Chart("disagreement", Apart(*pair, one.groups, sides.minimum)) if drawn else None,
        reading=(
            _("Near the dashed line a prediction was right. Equally good algorithms lie about on the dotted lines."),
        )
        if drawn
        else (),
        notes=tuple(notes),
        names=pair,
    )


def _caption(one: PairDisagreement, verdict: Verdict) -> str:
    """The two sides; or, since the verdict has described those of its own pair, where between the two the truth lay."""
    sides, algorithm, baseline = one.sides, one.algorithm, one.baseline
    if one.in_sample:
        return paragraph(*(strings.MAY_BE_IN_SAMPLE.format(algorithm=name) for name in one.in_sample))
    nearer = _nearer(sides, algorithm, baseline)
    if (algorithm, baseline) != (verdict.algorithm, verdict.baseline) or sides.share.ends is None:
        return paragraph(*_sides(sides, algorithm, baseline), nearer)
    share = SHARE.format(
        points=f"{100 * sides.threshold:.0f}",
        share=percent(sides.share.known, 0),
        interval=from_to(*(percent(end, 0) for end in sides.share.ends)),
        algorithm=algorithm,
        baseline=baseline,
    )
    return paragraph(share, "" if nearer else CANNOT_TELL)


def _side_columns(threshold: float) -> Tuple[Column, ...]:
    return (
        Column(
            # Translators: A column in which stands "FSRS-6 was surer" or "FSRS-6 was less sure".
            pgettext("column", "Where"),
            _(
                "Where the two predictions were {points} percentage points or more apart. The surer of two equally "
                "good algorithms often looks nearer on both sides, so neither side alone says which is better."
            ).format(points=f"{100 * threshold:.0f}"),
            number=False,
            terse=True,
        ),
        ALGORITHM,
        REVIEWS,
        *SHARES,
        INTERVAL,
    )


def _side_rows(one: PairDisagreement) -> Iterator[Tuple[str, ...]]:
    for where, side in (
        (_("{algorithm} was surer"), one.sides.surer),
        (_("{algorithm} was less sure"), one.sides.less_sure),
    ):
        for name, predicted, gap in (
            (one.algorithm, side.predicted, side.gap),
            (one.baseline, side.predicted_by_baseline, side.gap_of_baseline),
        ):
            yield (
                where.format(algorithm=one.algorithm),
                name,
                whole(side.reviews),
                percent(predicted),
                percent(side.recalled),
                strings.NO_VALUE if gap.estimate is None else in_points(gap.known),
                ends(gap, in_points),
            )


# --- all against the baseline -----------------------------------------------------------------------------------------


def _of_all(found: Sequence[PairDisagreement], report: Report) -> Iterator[Block]:
    baseline = report.baseline or ""
    against = [one for one in found if one.baseline == baseline]
    if not against:
        return
    heading = _("Where each algorithm and {baseline} disagree").format(baseline=baseline)
    yield Block(
        key="disagreement",
        heading=heading,
        caption=_together(against, baseline),
        table=Table(_columns(baseline), tuple(map(_row, against))),
        notes=tuple(
            strings.MAY_BE_IN_SAMPLE.format(algorithm=name)
            for name in dict.fromkeys(name for one in against for name in one.in_sample)
        ),
    )


def _together(against: Sequence[PairDisagreement], baseline: str) -> str:
    """Which algorithms were nearer than the baseline, and which less near."""
    texts = {
        interval.BETTER: _("Nearer to what happened than {baseline}: {names}."),
        interval.WORSE: _("Not as near to what happened as {baseline}: {names}."),
    }
    said = []
    for code, text in texts.items():
        names = [one.algorithm for one in against if one.sides.code == code and not one.in_sample]
        if names:
            said.append(text.format(baseline=baseline, names=all_of(names)))
    return paragraph(*said) or _("Of none can it be told whether it or {baseline} was nearer to what happened.").format(
        baseline=baseline
    )


def _columns(baseline: str) -> Tuple[Column, ...]:
    return (
        ALGORITHM,
        Column(
            # Translators: A column: from how many percentage points on two predictions count as apart.
            _("Apart by"),
            _("So many percentage points apart, or more, were the two: 10, or 5 where too few reviews reach 10."),
        ),
        Column(
            # Translators: A column: reviews where the algorithm was surer.
            _("Surer"),
            _("Reviews where it was surer than {baseline} that you would remember.").format(baseline=baseline),
        ),
        Column(
            # Translators: A column: reviews where the algorithm was less sure.
            _("Less sure"),
            _("Reviews where it was less sure than {baseline} that you would remember.").format(baseline=baseline),
        ),
        Column(
            _("Brier difference"),
            _(
                "Mean squared error on both kinds of reviews together, minus that of {baseline}. Below 0: nearer to "
                "what happened."
            ).format(baseline=baseline),
            terse=True,
        ),
        *ENDS,
        Column(
            # Translators: A column: how far what happened lay from one prediction to the other.
            _("Of the way"),
            _(
                "How far what happened lay on the way from what {baseline} said (0\N{NO-BREAK SPACE}%) to what the "
                "algorithm said (100\N{NO-BREAK SPACE}%)."
            ).format(baseline=baseline),
            terse=True,
        ),
        Column(
            _("UM+"),
            _(
                "Universal Metric+: how far predictions are off in groups of reviews for which the two are equally far "
                "apart. Lower is better."
            ),
            terse=True,
        ),
        Column(
            _("UM+ of {baseline}").format(baseline=baseline),
            _("The same of {baseline}, in the same groups.").format(baseline=baseline),
        ),
    )


def _row(one: PairDisagreement) -> Tuple[str, ...]:
    sides = one.sides
    return (
        one.algorithm,
        f"{100 * sides.threshold:.0f}",
        whole(sides.surer.reviews),
        whole(sides.less_sure.reviews),
        *map(signed, (sides.difference.estimate, sides.difference.low, sides.difference.high)),
        _share(sides.share),
        percent(one.universal_metric, 2),
        percent(one.universal_metric_of_baseline, 2),
    )


def _share(share: Interval) -> str:
    known: Optional[float] = share.estimate
    return strings.NO_VALUE if known is None else percent(known, 0)


VIEW = View(
    "disagreement", DISAGREEMENT, _("What happened where two algorithms said different things?"), blocks, most=2
)
