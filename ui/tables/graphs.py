"""The numbers behind the graphs of reliability and of slices, and what all graphs show at a glance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Sequence, Tuple

from ..text import _, pgettext, strings
from ..text.numbers import points, slice_name, where
from ..text.phrases import from_to, whole
from .cells import ends, percent
from .table import Column, Table

if TYPE_CHECKING:
    from evaluator.report import Report
    from evaluator.sections.graphs import AlgorithmGraphs
    from evaluator.sections.reliability_curve import ReliabilityBand
    from evaluator.statistics.slices import RecallSlice

#: Places of a curve; the graph shows more.
MOST_PLACES = 20

_ALGORITHM = Column(strings.COLUMN_ALGORITHM, number=False)
_SHARES = (
    Column(strings.COLUMN_PREDICTED, strings.COLUMN_PREDICTED_TIP),
    Column(strings.COLUMN_RECALLED, strings.COLUMN_RECALLED_TIP),
    Column(
        strings.CHART_DIFFERENCE, _("In percentage points: above 0 you remembered more than predicted, below 0 less.")
    ),
)
_BAND = Column(
    _("95\N{NO-BREAK SPACE}% band"),
    _("Wider, so that it holds for all groups of the graph at once: of twenty intervals one is off by chance."),
)


def slices_table(graphs: Sequence[AlgorithmGraphs], key: str) -> Table:
    """A row for each slice with a review, of each algorithm in turn."""
    rows = [
        (
            slice_name(one.name, key),
            owner.algorithm,
            whole(one.reviews),
            *_shares(one),
            ends(one.difference, _points),
            ends(one.band, _points),
            _proven(one),
        )
        for slices in zip(*(owner.slice_graph(key).slices for owner in graphs))
        for owner, one in zip(graphs, slices)
        if one.reviews
    ]
    words = strings.GRAPHS[key]
    # Translators: The column of the map's cells: a range of each.
    across = _("Difficulty / Stability in days") if key == "memory" else words.across
    return Table(
        title=words.title,
        columns=(
            Column(across, number=False),
            _ALGORITHM,
            Column(strings.CHART_COUNTS, strings.COUNTS_TIP),
            *_SHARES,
            Column(
                _("95\N{NO-BREAK SPACE}% interval"),
                _(
                    "Where the true difference lies in 95 of 100 such groups, looked at alone; cards and days are "
                    "allowed for."
                ),
            ),
            _BAND,
            # Translators: A column in which stands "too high" or "too low".
            Column(_("Predictions are"), _("Said only where the band leaves out 0."), number=False),
        ),
        rows=tuple(rows),
    )


def reliability_table(graphs: Sequence[AlgorithmGraphs]) -> Table:
    """A row for some places of the band of each algorithm, with the curve there."""
    return Table(
        title=strings.RELIABILITY,
        columns=(
            _ALGORITHM,
            Column(strings.CHART_X, _("A probability that the algorithm may give to a review.")),
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
        rows=tuple((one.algorithm, *_place(at)) for one in graphs for at in some(one.reliability.band)),
    )


def graphs_table(report: Report) -> Table:
    """For each graph of each algorithm the slice that is furthest off, of those that the band proves wrong."""
    rows = [
        (
            owner.algorithm,
            strings.GRAPHS[graph.key].title,
            where(graph.key, graph.wrong[0].name),
            *_shares(graph.wrong[0]),
            ends(graph.wrong[0].band, _points),
            _("{wrong} of {banded}").format(wrong=len(graph.wrong), banded=len(graph.banded)),
        )
        for owner in report.section("graphs")
        for graph in (*owner.slices, owner.memory.cells)
        if graph.wrong
    ]
    return Table(
        title=_("Where predictions are wrong by more than chance"),
        columns=(
            _ALGORITHM,
            Column(_("Graph"), number=False),
            Column(_("Group"), number=False),
            *_SHARES,
            _BAND,
            # Translators: A column: how many groups the bands prove wrong.
            Column(_("Such groups"), _("How many of the groups that have a band it proves wrong."), terse=True),
        ),
        rows=tuple(rows),
        sentence=_(
            "This table names, for each graph of each algorithm, the group that lies furthest off, of those that "
            "chance hardly explains: their 95\N{NO-BREAK SPACE}% bands hold for all groups of a graph at once. The "
            "graphs show the others."
        )
        if rows
        else _("In no graph of any algorithm is there a group that can be told from exactly right."),
    )


def some(band: Sequence[ReliabilityBand]) -> Sequence[ReliabilityBand]:
    """At most so many of them, evenly, with both ends."""
    if len(band) <= MOST_PLACES:
        return band
    last = len(band) - 1
    return [band[round(last * k / (MOST_PLACES - 1))] for k in range(MOST_PLACES)]


def _place(at: ReliabilityBand) -> Tuple[str, ...]:
    chance, clustered = (
        strings.NO_VALUE if low is None or high is None else from_to(percent(low), percent(high))
        for low, high in ((at.chance_low, at.chance_high), (at.low, at.high))
    )
    return percent(at.predicted), percent(at.observed), chance, clustered


def _shares(one: RecallSlice) -> Tuple[str, ...]:
    difference = one.difference.estimate
    shown = strings.NO_VALUE if difference is None else _points(difference)
    return percent(one.predicted), percent(one.recalled), shown


def _points(difference: float) -> str:
    return points(difference, 1)


def _proven(one: RecallSlice) -> str:
    return {-1: _("too high"), 1: _("too low")}.get(one.band.side() or 0, strings.NO_VALUE)
