"""The graph of the reliability curve: for how many of the reviews it leaves its band, and where most."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, Sequence, Tuple

from ..science import interval
from ..text import _, pgettext, strings
from ..text.numbers import percent as in_percent
from ..text.numbers import told_apart
from ..text.phrases import from_to, paragraph
from .cells import percent
from .lacking import needed
from .ranges import reliability_axis_minimum
from .slices import ALGORITHM, of_names
from .tables import evenly
from .view import Block, Chart, Column, Table, View

if TYPE_CHECKING:
    from evaluator.report import Report
    from evaluator.sections.graphs import AlgorithmGraphs
    from evaluator.sections.reliability_curve import ReliabilityBand

RELIABILITY = _("Reliability curve")

#: Points of a curve in the table; the graph shows more.
MOST_POINTS = 20


def blocks(found: Sequence[AlgorithmGraphs], _report: Report, names: Sequence[str]) -> Iterator[Block]:
    """The curves of one or two algorithms."""
    graphs = of_names(found, names, 2)
    if not graphs:
        return
    begins = reliability_axis_minimum(one.reliability for one in graphs)
    yield Block(
        key="reliability",
        heading=RELIABILITY,
        caption=paragraph(*(_finding(one, begins) for one in graphs)),
        table=_table(graphs),
        chart=Chart("reliability", (begins, tuple((one.algorithm, one.reliability) for one in graphs))),
        notes=()
        if all(one.reliability.clustered for one in graphs)
        else (_("The band here does not know that reviews of one card, or of one day, resemble each other."),),
        reading=(
            _(
                "Above the dashed line you remembered more than predicted, below it less; within the band that may be "
                "chance."
            ),
        ),
        names=tuple(one.algorithm for one in graphs),
    )


VIEW = View("graphs", RELIABILITY, "", blocks, most=2)


def _table(graphs: Sequence[AlgorithmGraphs]) -> Table:
    """A row for some points of each algorithm's curve, with its bands there."""
    return Table(
        columns=(
            ALGORITHM,
            Column(
                strings.CHART_X,
                _(
                    "How likely the algorithm said it was, before a review, that you would remember the card. Each row "
                    "is about the reviews for which it said so, or nearly so."
                ),
            ),
            Column(
                strings.COLUMN_RECALLED,
                _("How high the curve lies there: your recall where the algorithm said about so much."),
            ),
            Column(
                pgettext("range of a curve", "By chance"),
                _(
                    "If every prediction were exactly right, the curve would lie in this range 95 times of 100: each "
                    "answer is a toss of a coin with just the predicted chance."
                ),
            ),
            Column(
                # Translators: A column: where the curve would lie if predictions were right on average.
                _("Right on average"),
                _(
                    "The wider range that the graph shows. Here predictions need be right on average only: some cards "
                    "may be easier than predicted and others harder, some days good and others bad. Outside of it the "
                    "predictions are off."
                ),
            ),
        ),
        rows=tuple(
            (one.algorithm, *_row(point)) for one in graphs for point in evenly(one.reliability.band, MOST_POINTS)
        ),
    )


def _row(point: ReliabilityBand) -> Tuple[str, ...]:
    ranges = (
        strings.NO_VALUE if low is None or high is None else from_to(percent(low), percent(high))
        for low, high in ((point.chance_low, point.chance_high), (point.low, point.high))
    )
    return (percent(point.predicted), percent(point.observed), *ranges)


def _finding(graphs: AlgorithmGraphs, begins: float) -> str:
    curve, name = graphs.reliability, graphs.algorithm
    stretch = curve.stretch
    if not curve.clustered:
        return strings.FINDING_NO_BAND.format(algorithm=name, needed=needed(interval.TOO_FEW))
    if stretch is None:
        return _("{algorithm} never leaves its band.").format(algorithm=name)
    outside, chance = in_percent(curve.outside), in_percent(curve.outside_by_chance)
    if not curve.is_wrong:
        return _(
            "{algorithm} is outside its band for {outside} of the reviews, but chance alone makes up to {chance}."
        ).format(algorithm=name, outside=outside, chance=chance)
    left, right = told_apart(stretch.left, stretch.right)
    # Translators: Stands for {between}.
    between = _("between {left} and {right}").format(left=left, right=right)
    if min(stretch.right, stretch.recalled) <= begins:
        between = strings.OUTSIDE_GRAPH.format(where=between)
    elif stretch.left < begins:
        between = _("{where} (partly off the graph)").format(where=between)
    recalled, predicted = told_apart(stretch.recalled, stretch.predicted)
    return _(
        "{algorithm} is outside its band for {outside} of the reviews (chance makes up to {chance}), most of all "
        "{between}: there it said {predicted} on average, you remembered {recalled}."
    ).format(
        algorithm=name,
        outside=outside,
        chance=chance,
        between=between,
        recalled=recalled,
        predicted=predicted,
    )
