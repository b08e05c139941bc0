"""An algorithm's numbers compared with published results: a table of all, and a graph of the skill."""

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
    from evaluator.report import PercentileRank, Report
    from evaluator.sections.population import PeerComparison, PeerDistribution, SizeClass

#: The metric of the graph, and those of the table.
_DRAWN = "skill_average"
_PLACED = (_DRAWN, "auc")


@dataclass(frozen=True)
class FanData:
    """Data of the graph."""

    sizes: Tuple[SizeClass, ...]
    reviews: int
    value: float
    position: str  #: rank of the user, as the legend of the dot
    guessing: str  #: label of the algorithm that guesses the average


def blocks(found: Sequence[PeerComparison], report: Report, _names: Sequence[str]) -> Iterator[Block]:
    """Yield the table of all algorithms."""
    columns = (
        ALGORITHM,
        Column(strings.GAIN, VIEWS[results.COMPARED_WITH_OTHERS].definition),
        Column(VIEWS["auc"].label, _("How many of 100 people with a similar number of reviews have a lower AUC.")),
        Column(_("Compared with"), _("The published algorithm whose results it is compared with."), number=False),
    )
    rows = tuple(
        (row_label(item.algorithm, report), *_percentiles(item), row_label(item.fans[0].placement.algorithm))
        for item in found
    )
    yield Block(
        "population", _("Better than how many of 100 people?"), people(found[0].fans[0].placement), Table(columns, rows)
    )


def people(placement: PercentileRank) -> str:
    """Describe the peer group."""
    others = placement.others
    return _(
        "{collections:,} whole collections with {size} scored reviews, in the SRS Benchmark of January "
        "2025: not a random sample of people."
    ).format(collections=others.collections, size=size_words(others.at_least, others.below))


def _percentiles(item: PeerComparison) -> Iterator[str]:
    known = {fan.placement.metric: str(of_100(fan.placement.better_than)) for fan in item.fans}
    yield from (known.get(metric, strings.NO_VALUE) for metric in _PLACED)


def _graph(result: Sequence[PeerComparison], report: Report, names: Sequence[str]) -> Iterator[Block]:
    for item in result:
        for fan in item.fans:
            if item.algorithm in names[:1] and fan.placement.metric == _DRAWN:
                yield _block(item, fan, row_label(item.algorithm, report))


def _block(item: PeerComparison, fan: PeerDistribution, label: str) -> Block:
    text = _("You: higher than {count} of 100 people").format(count=of_100(fan.placement.better_than))
    return Block(
        key="compared_with_others",
        heading=GRAPH.title,
        caption=rank_sentence(fan.placement),
        chart=Chart("fan", FanData(fan.sizes, item.reviews, fan.value, text, row_label(results.AVERAGE))),
        names=(item.algorithm,),
        labels=(label,),
    )


VIEW = View("population", _("Compared with others"), _("Are the numbers good, compared with other people's?"), blocks)
GRAPH = View("population", VIEW.title, "", _graph, most=1)
