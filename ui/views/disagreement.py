"""What happened where two algorithms said different things: in sentences, as a graph of two, as a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Iterator, Sequence, Tuple

from ..text import _, pgettext, strings
from ..text.numbers import percents
from ..text.phrases import paragraph, whole
from .cells import ends, percent
from .slices import INTERVAL, SHARES, in_points
from .tables import ALGORITHM, REVIEWS
from .view import Block, Chart, Column, Table, View

if TYPE_CHECKING:
    from evaluator.report import Disagreement, Report, Side, Verdict
    from evaluator.sections.disagreement import GroupApart, PairDisagreement

DISAGREEMENT = _("Where they disagree")


def verdict_disagreement(verdict: Verdict) -> Tuple[str, ...]:
    """What happened where the pair of the verdict disagrees; nothing where one of them may have seen these reviews."""
    one, algorithm, baseline = verdict.disagreement, verdict.algorithm, verdict.baseline
    if one is None or verdict.in_sample or algorithm is None or baseline is None:
        return ()
    return _sides(one, algorithm, baseline)


def _sides(one: Disagreement, algorithm: str, baseline: str) -> Tuple[str, ...]:
    """A sentence on each side that is large enough to be described."""
    described = [side for side in (one.surer, one.less_sure) if side.recalled is not None]
    return tuple(_described(side, algorithm, baseline) for side in described)


def _described(side: Side, algorithm: str, baseline: str) -> str:
    shares = side.recalled or 0.0, side.predicted or 0.0, side.predicted_by_baseline or 0.0
    recalled, predicted, by_baseline = percents(*shares)
    return _("On {reviews} {algorithm} said {predicted}, {baseline} {by_baseline}. You remembered {recalled}.").format(
        reviews=strings.REVIEWS(side.reviews),
        algorithm=strings.SPOKEN.get(algorithm, algorithm),
        predicted=predicted,
        baseline=strings.SPOKEN.get(baseline, baseline),
        by_baseline=by_baseline,
        recalled=recalled,
    )


# --- the graph of two -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Apart:
    """What is drawn: both algorithms' gaps, by how far apart they were."""

    algorithm: str
    baseline: str
    groups: Tuple[GroupApart, ...]
    minimum: int  #: groups with fewer reviews are blank


def blocks(found: Sequence[PairDisagreement], report: Report, names: Sequence[str]) -> Iterator[Block]:
    """The graph of the first of these algorithms and the baseline; nothing without names."""
    compared = report.against_baseline(names)[:1]
    return (_of_two(one) for one in found if one.algorithm in compared)


def _of_two(one: PairDisagreement) -> Block:
    sides, pair = one.sides, (one.algorithm, one.baseline)
    drawn = any(group.gap.estimate is not None for group in one.groups)
    return Block(
        key="disagreement",
        heading=DISAGREEMENT,
        caption=_caption(one),
        table=Table(_side_columns(sides.threshold), tuple(_side_rows(one))),
        chart=Chart("disagreement", Apart(*pair, one.groups, sides.minimum)) if drawn else None,
        reading=(
            _("Near the dashed line a prediction was right. Equally good algorithms lie about on the dotted lines."),
        )
        if drawn
        else (),
        names=pair,
    )


def _caption(one: PairDisagreement) -> str:
    if one.in_sample:
        return paragraph(*(strings.MAY_BE_IN_SAMPLE.format(algorithm=name) for name in one.in_sample))
    return paragraph(*_sides(one.sides, one.algorithm, one.baseline))


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


VIEW = View(
    "disagreement", DISAGREEMENT, _("What happened where two algorithms said different things?"), blocks, most=2
)
