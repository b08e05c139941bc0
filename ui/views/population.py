"""The numbers of an algorithm beside those of other people: a table of all, and a graph of each number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Iterator, Sequence, Tuple

from ..text import _, strings
from ..text.numbers import percent
from ..text.phrases import labelled, of_100, size_words, whole
from .metrics import SKILL, VIEWS
from .results import placed
from .tables import ALGORITHM
from .view import Block, Chart, Column, Table, View

if TYPE_CHECKING:
    from evaluator.report import Placement, Report
    from evaluator.sections.population import Beside, Fan, Size

#: By the number that is placed: the graph's name in lists and files, and its title there.
GRAPHS = {
    "rmse_bins_benchmark": ("beside_others", _("Beside others")),
    "auc": ("beside_others_auc", _("Beside others (AUC)")),
    "skill_average": ("beside_others_skill", _("Beside others (skill)")),
}


@dataclass(frozen=True)
class Drawn:
    """What the graph draws."""

    up: str  #: the name of the number
    more_is_better: bool
    percents: bool  #: whether it is written in percent
    sizes: Tuple[Size, ...]
    reviews: int
    value: float
    said: str  #: of the person's dot


def label(metric: str) -> str:
    """What the number is called."""
    return SKILL if metric == "skill_average" else VIEWS[metric].label


def blocks(found: Sequence[Beside], _report: Report, _names: Sequence[str]) -> Iterator[Block]:
    """The table of all algorithms."""
    columns = (
        ALGORITHM,
        *(
            Column(label(metric), _("So many of 100 people with about as many reviews have a worse one."))
            for metric in GRAPHS
        ),
        Column(_("Theirs are of"), _("Whose results of others it is held against."), number=False),
    )
    rows = tuple((one.algorithm, *_places(one), one.fans[0].placement.algorithm) for one in found)
    yield Block(
        "population", _("Better than how many of 100?"), people(found[0].fans[0].placement), Table(columns, rows)
    )


def people(placement: Placement) -> str:
    """Who the others are."""
    others = placement.others
    return _(
        "{collections:,} whole collections with {size} scored reviews, in the SRS Benchmark of January 2025: no random "
        "sample of people."
    ).format(collections=others.collections, size=size_words(others.at_least, others.below))


def _places(one: Beside) -> Iterator[str]:
    known = {fan.placement.metric: str(of_100(fan.placement.better_than)) for fan in one.fans}
    yield from (known.get(metric, strings.NO_VALUE) for metric in GRAPHS)


def graph(metric: str) -> View:
    """The view of the graph of one number."""

    def one_graph(found: Sequence[Beside], _report: Report, names: Sequence[str]) -> Iterator[Block]:
        for one in found:
            for fan in one.fans:
                if one.algorithm in names[:1] and fan.placement.metric == metric:
                    yield _block(one, fan)

    return View("population", GRAPHS[metric][1], "", one_graph, most=1)


def _block(one: Beside, fan: Fan) -> Block:
    metric = fan.placement.metric
    higher = metric != "rmse_bins_benchmark"
    said = _("You: better than {count} of 100 people").format(count=of_100(fan.placement.better_than))
    written = "{:.3f}".format if metric == "auc" else _written
    columns = (
        ALGORITHM,
        Column(_("Scored reviews"), _("In the middle of each class of size.")),
        *(
            Column(_("{share} have less").format(share=percent(share)), _("So many of the others have less than this."))
            for share in (0.1, 0.25, 0.5, 0.75, 0.9)
        ),
    )
    rows = tuple(
        (one.algorithm, whole(round(size.reviews)), *(written(value) for value in size.values)) for size in fan.sizes
    )
    return Block(
        key=GRAPHS[metric][0],
        heading=GRAPHS[metric][1],
        caption=labelled(label(metric), placed(fan.placement, written(fan.value))),
        table=Table(columns, rows),
        chart=Chart("fan", Drawn(label(metric), higher, metric != "auc", fan.sizes, one.reviews, fan.value, said)),
        names=(one.algorithm,),
    )


def _written(value: float) -> str:
    return percent(value, 1)


VIEW = View("population", _("Beside others"), _("Are the numbers good, beside those of other people?"), blocks)
