"""The table and the graph that compare algorithms with published results of other people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Iterator, Sequence, Tuple

from ..science import report as results
from ..text import _, strings
from ..text.phrases import of_100, size_words
from .labels import row_label
from .metrics import VIEWS, rank_sentence
from .view import ALGORITHM, Block, Chart, Column, Table, View

if TYPE_CHECKING:
    from evaluator.report import Report
    from evaluator.sections.population import PeerComparison, SizeClass

#: The metric of the graph.
_GRAPH_METRIC = "skill_average"
#: The metrics of the table.
_TABLE_METRICS = (_GRAPH_METRIC, "auc")


@dataclass(frozen=True)
class FanData:
    """The data of the graph."""

    sizes: Tuple[SizeClass, ...]  #: distribution of other people's values for each number of reviews
    reviews: int  #: the user's number of scored reviews
    value: float  #: the user's value
    position: str  #: legend of the user's dot, with the rank
    guessing: str  #: label of the algorithm that always predicts the average


def blocks(peers: Sequence[PeerComparison], report: Report, _names: Sequence[str]) -> Iterator[Block]:
    """Yield the table with a row for each algorithm."""
    columns = (
        ALGORITHM,
        Column(strings.GAIN, VIEWS[results.COMPARED_WITH_OTHERS].definition),
        Column(VIEWS["auc"].label, _("How many of 100 people with a similar number of reviews have a lower AUC.")),
        Column(_("Compared with"), _("The published algorithm whose results it is compared with."), number=False),
    )
    rows = []
    for peer in peers:
        count_by_metric = {fan.placement.metric: str(of_100(fan.placement.better_than)) for fan in peer.fans}
        percentiles = (count_by_metric.get(metric, strings.NO_VALUE) for metric in _TABLE_METRICS)
        rows.append((row_label(peer.algorithm, report), *percentiles, row_label(peer.fans[0].placement.algorithm)))
    heading, peer_group = _("Better than how many of 100 people?"), peers[0].fans[0].placement.others
    text = _(
        "{collections:,} whole collections with {size} scored reviews, in the SRS Benchmark of January 2025: not a "
        "random sample of people."
    )
    text = text.format(collections=peer_group.collections, size=size_words(peer_group.at_least, peer_group.below))
    yield Block("population", heading, text, Table(columns, tuple(rows)))


def _graph_blocks(peers: Sequence[PeerComparison], report: Report, names: Sequence[str]) -> Iterator[Block]:
    for peer in peers:
        for fan in peer.fans:
            if peer.algorithm in names[:1] and fan.placement.metric == _GRAPH_METRIC:
                count = of_100(fan.placement.better_than)
                position = _("You: higher than {count} of 100 people").format(count=count)
                data = FanData(fan.sizes, peer.reviews, fan.value, position, row_label(results.AVERAGE))
                yield Block(
                    key="compared_with_others",
                    heading=GRAPH.title,
                    caption=rank_sentence(fan.placement),
                    chart=Chart("fan", data),
                    names=(peer.algorithm,),
                    labels=(row_label(peer.algorithm, report),),
                )


VIEW = View("population", _("Compared with others"), _("Are the numbers good, compared with other people's?"), blocks)
GRAPH = View("population", VIEW.title, "", _graph_blocks, most=1)
