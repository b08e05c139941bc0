"""The graphs of slices of the reviews, with what was predicted and what was remembered in each, and their tables.

:mod:`evaluator.statistics.slicings` says how to add one. Its labels are in :data:`SLICE_LABELS`, or made from its key.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Iterable, Iterator, List, Mapping, NamedTuple, Sequence, Tuple

from ..science import interval
from ..text import Counted, _, pgettext, strings
from ..text.numbers import distinct_percents, points
from ..text.phrases import labeled, paragraph, whole
from .cells import ends, needed, percent
from .labels import row_label
from .view import ALGORITHM, REVIEWS, Block, Chart, Column, Table, View

if TYPE_CHECKING:
    from evaluator.report import CalibrationBin, Report
    from evaluator.sections.graphs import AlgorithmGraphs
    from evaluator.statistics.slices import RecallSlice


class SliceLabels(NamedTuple):
    """Labels of one kind of slices and of its graph."""

    title: str  #: title in the list of graphs
    across: str  #: label of the horizontal axis
    # Translators: {name} is that of a group, as "1–2", "Monday": a part of a sentence.
    where: str = _("in the group {name}")  #: phrase for one slice in a sentence
    names: Mapping[str, str] = {}  #: labels of slices, by their name in the report
    model: str = ""  #: sentence on which {model} of memory computes what is sliced by
    months: bool = False  #: whether the slices are months, with names such as "2024-05"
    why: str = ""  #: explanation of what may surprise in the graph


#: Labels of slices within a day.
_WITHIN_DAY = {
    "<1min": _("under 1 min"),
    "1-10min": _("1–10 min"),
    "10-60min": _("10–60 min"),
    "1-6h": _("1–6 h"),
    "6-24h": _("6–24 h"),
}
#: Labels by the key of the slicing, in the order of the list of graphs.
SLICE_LABELS = {
    "calibration": SliceLabels(_("Calibration"), strings.CHART_X, _("at predictions of {name}%")),
    "interval": SliceLabels(
        _("By interval"),
        _("Days since the last review"),
        _("at interval {name}"),
        names=_WITHIN_DAY,
        why=_("Recall often rises with the interval, because cards you know well get long intervals."),
    ),
    "review_number": SliceLabels(_("By review number"), _("Review number"), _("at review {name}")),
    "last_rating": SliceLabels(
        _("By last answer"),
        _("Previous answer"),
        _("after {name}"),
        names={
            "Again": pgettext("Anki", "Again"),
            "Hard": pgettext("Anki", "Hard"),
            "Good": pgettext("Anki", "Good"),
            "Easy": pgettext("Anki", "Easy"),
        },
    ),
    "maturity": SliceLabels(
        _("Young and mature cards"),
        _("Mature: 21 days or more"),
        _("for {name} cards"),
        names={"young": _("young"), "mature": _("mature")},
    ),
    "month": SliceLabels(_("By month"), _("Month"), _("in {name}"), months=True),
    "stability": SliceLabels(
        _("By stability"),
        _("Stability in days"),
        _("at stability {name}"),
        names=_WITHIN_DAY,
        model=_("Stability, by {model}: days until recall falls to 90%."),
    ),
    "difficulty": SliceLabels(
        _("By difficulty"),
        _("Difficulty"),
        _("at difficulty {name}"),
        model=_("Difficulty, by {model}: 1 (easy) to 10 (hard)."),
    ),
}
SHARES = (
    Column(_("Predicted"), _("The mean of what the algorithm said before these reviews were answered.")),
    Column(strings.COLUMN_RECALLED, strings.COLUMN_RECALLED_TIP),
    Column(
        strings.CHART_DIFFERENCE, _("In percentage points: above 0 you remembered more than predicted, below 0 less.")
    ),
    Column(
        _("95% band"),
        _(
            "Where the true difference probably lies, for all groups of the graph at once. If it excludes 0, "
            "chance is unlikely to explain the error."
        ),
    ),
)
OFF = Counted(
    "The error exceeds chance in {wrong} of {count} group.", "The error exceeds chance in {wrong} of {count} groups."
)


def slice_labels(key: str) -> SliceLabels:
    """Return the labels of a kind of slices, made from its key if it has none."""
    name = key[:1].upper() + key[1:].replace("_", " ")
    return SLICE_LABELS.get(key) or SliceLabels(name, name)


@dataclass(frozen=True)
class ComparedSlices:
    """Data of the graph: the same slices as one or two algorithms predicted them."""

    across: str  #: label of the horizontal axis
    names: Tuple[str, ...]  #: labels of the slices
    of: Tuple[Tuple[str, Tuple[RecallSlice, ...]], ...]  #: label of each algorithm with its slices
    months: bool = False  #: whether the slices are months, with names such as "2024-05"


def view(key: str) -> View:
    """Return the view of the graph of one kind of slices."""

    def blocks(result: Sequence[AlgorithmGraphs], report: Report, names: Sequence[str]) -> Iterator[Block]:
        graphs = select_graphs(result, names)
        if graphs:
            yield _block(key, graphs, [row_label(item.algorithm, report) for item in graphs])

    return View("graphs", slice_labels(key).title, "", blocks, most=2)


def computed_graphs(report: Report) -> Sequence[AlgorithmGraphs]:
    """Return the graphs that the report holds, or none if the section failed."""
    result = report.section("graphs")
    return result if isinstance(result, tuple) else ()


def select_graphs(graphs: Iterable[AlgorithmGraphs], names: Sequence[str]) -> List[AlgorithmGraphs]:
    """Return the graphs of the first two of the named algorithms that have any, in the order of the names."""
    by_name = {item.algorithm: item for item in graphs}
    return [by_name[name] for name in names if name in by_name][:2]


def _block(key: str, graphs: Sequence[AlgorithmGraphs], labels: Sequence[str]) -> Block:
    text, shown = slice_labels(key), [item.slice_graph(key).slices for item in graphs]
    has_bars = any(slice_.band.low_high for slice_ in shown[0])
    findings = [labeled(label, finding(key, item)) for item, label in zip(graphs, labels)]
    caption = paragraph(*findings, *((_("Bars: chance variation."), text.why) if has_bars else ()))
    models = (text.model.format(model=row_label(graphs[0].memory_model)),) if text.model else ()
    compared = ComparedSlices(
        across=text.across,
        names=tuple(slice_name(slice_.name, key) for slice_ in shown[0]),
        of=tuple(zip(labels, shown)),
        months=text.months,
    )
    return Block(
        key=key,
        heading=text.title,
        caption=caption,
        table=table(graphs, labels, key),
        chart=Chart("slices", compared),
        reading=models,
        names=tuple(item.algorithm for item in graphs),
        labels=tuple(labels),
    )


def table(graphs: Sequence[AlgorithmGraphs], labels: Sequence[str], key: str) -> Table:
    """Return a table with a row for each slice with enough reviews and each algorithm."""
    in_points = partial(points, digits=1)
    rows = [
        (
            *(slice_name(item.name, key), label, whole(item.reviews)),
            *(percent(item.predicted), percent(item.recalled), in_points(item.difference.value)),
            ends(item.band, in_points),
        )
        for slices in zip(*(algorithm_graphs.slice_graph(key).slices for algorithm_graphs in graphs))
        for label, item in zip(labels, slices)
        if item.predicted is not None
    ]
    return Table((Column(slice_labels(key).across, number=False), ALGORITHM, REVIEWS, *SHARES), tuple(rows))


def finding(key: str, graphs: AlgorithmGraphs) -> str:
    """Say in how many slices one algorithm is off by more than chance, and which is the worst."""
    graph = graphs.slice_graph(key)
    if not any(slice_.predicted is not None for slice_ in graph.slices):
        return _("No group has {reviews}.").format(reviews=strings.REVIEWS(graphs.minimum))
    if not graph.banded:
        text = _("Too few cards or days to distinguish error from chance; {needed}.")
        return text.format(needed=needed(interval.TOO_FEW))
    if not graph.miscalibrated:
        return _("No group's error exceeds chance.")
    worst = graph.miscalibrated[0]
    return paragraph(
        OFF(len(graph.banded), wrong=len(graph.miscalibrated)),
        furthest_off(worst, slice_labels(key).where.format(name=slice_name(worst.name, key))),
    )


def furthest_off(group: RecallSlice | CalibrationBin, where: str = "") -> str:
    """Say what was predicted and what was remembered in the worst group."""
    recalled, predicted = distinct_percents(group.recalled or 0.0, group.predicted or 0.0)
    text = _("Furthest off: it said {predicted}, you remembered {recalled} ({reviews}).")
    if where:
        text = _("Furthest off, {where}: it said {predicted}, you remembered {recalled} ({reviews}).")
    return text.format(where=where, predicted=predicted, recalled=recalled, reviews=strings.REVIEWS(group.reviews))


# --- names of slices --------------------------------------------------------------------------------------------------


def slice_name(name: str, key: str) -> str:
    """Return a slice's label on an axis."""
    text = slice_labels(key)
    return name if text.months else text.names.get(name) or name.replace("-", "\N{EN DASH}")
