"""Graphs and tables of predicted and actual recall in slices of the reviews.

:mod:`evaluator.statistics.slicings` explains how to add a slicing. A slicing without labels in :data:`SLICE_LABELS` is
labeled by its key.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Iterable, Iterator, List, Mapping, NamedTuple, Sequence, Tuple

from ..text import Counted, _, pgettext, strings
from ..text.numbers import distinct_percents, points
from ..text.phrases import add_label, from_to, integer
from .cells import percent_or_dash
from .labels import row_label
from .view import ALGORITHM, REVIEWS, AlgorithmsView, Block, Chart, Column, Table

if TYPE_CHECKING:
    from evaluator.report import Report
    from evaluator.sections.graphs_section import AlgorithmGraphs
    from evaluator.statistics.slices import RecallSlice


class SliceLabels(NamedTuple):
    """The labels of one slicing and of its graph."""

    title: str  #: title in the list of graphs
    across: str  #: label of the horizontal axis
    # Translators: {name} is that of a group, as "1–2", "Monday": a part of a sentence.
    where: str = _("in the group {name}")  #: phrase that names one slice in a sentence
    names: Mapping[str, str] = {}  #: labels by the names of slices in the report
    model: str = ""  #: sentence on the quantity that decides on the slice, if a {model} of memory computes it
    months: bool = False  #: whether the slices are months, with names such as "2024-05"
    why: str = ""  #: explanation of a pattern that may be surprising


#: Labels of intervals shorter than a day.
_WITHIN_DAY = {
    "<1min": _("under 1 min"),
    "1-10min": _("1–10 min"),
    "10-60min": _("10–60 min"),
    "1-6h": _("1–6 h"),
    "6-24h": _("6–24 h"),
}
#: Labels by the key of the slicing, in the order in which the graphs are listed.
SLICE_LABELS = {
    "calibration": SliceLabels(_("Calibration"), strings.CHART_X, _("at predictions of {name}%")),
    "interval": SliceLabels(
        _("By interval"),
        _("Days since the last review"),
        _("at interval {name}"),
        names=_WITHIN_DAY,
        why=_("Recall often rises with the interval, because cards you know well get long intervals."),
    ),
    "lateness": SliceLabels(
        _("By lateness"),
        _("Days late, as a share of the scheduled interval"),
        # Translators: {name} is "early", "on the day", or "10–25%" late.
        _("at lateness “{name}”"),
        names={"early": _("early"), "on_day": _("on the day")},
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
    Column(_("Predicted"), _("The mean prediction for these reviews, made before they were answered.")),
    # Translators: A column of shares.
    Column(_("Remembered"), _("The share of these reviews that you did not answer with Again.")),
    Column(
        _("Remembered \N{MINUS SIGN}\N{NO-BREAK SPACE}predicted"),
        _("In percentage points: above 0 you remembered more than predicted, below 0 less."),
    ),
    Column(
        _("Could be luck"),
        _(
            "If all predictions are right, the shares remembered are in these ranges in all groups of the graph, for "
            "about 95 of 100 people."
        ),
    ),
)
# Translators: {where} is a phrase such as "at interval 1–2".
OFF = Counted(
    "Off by more than chance in {wrong} of {count} group, {where}: it said {predicted}, you remembered {recalled} "
    "({reviews}).",
    "Off by more than chance in {wrong} of {count} groups, furthest {where}: it said {predicted}, you remembered "
    "{recalled} ({reviews}).",
)


def slice_labels(key: str) -> SliceLabels:
    """Return the labels of a slicing, which are made from its key if :data:`SLICE_LABELS` has none."""
    name = key[:1].upper() + key[1:].replace("_", " ")
    return SLICE_LABELS.get(key) or SliceLabels(name, name)


@dataclass(frozen=True)
class ComparedSlices:
    """Data of the graph of one or two algorithms in the same slices."""

    across: str  #: label of the horizontal axis
    names: Tuple[str, ...]  #: labels of the slices
    by_algorithm: Tuple[Tuple[str, Tuple[RecallSlice, ...]], ...]  #: label and slices of each algorithm
    months: bool  #: whether the slices are months, with names such as "2024-05"


def view(key: str) -> AlgorithmsView:
    """Return the view of the graph of one slicing."""
    return AlgorithmsView("graphs", slice_labels(key).title, partial(_blocks, key))


def computed_graphs(report: Report) -> Sequence[AlgorithmGraphs]:
    """Return the graphs in the report, none if their section was not computed or failed."""
    result = report.section("graphs")
    return result if isinstance(result, tuple) else ()


def select_graphs(graphs: Iterable[AlgorithmGraphs], names: Sequence[str]) -> List[AlgorithmGraphs]:
    """Return the graphs of the named algorithms, in the order of the names. Some may have none."""
    by_name = {item.algorithm: item for item in graphs}
    return [by_name[name] for name in names if name in by_name]


def _blocks(key: str, report: Report, names: Sequence[str]) -> Iterator[Block]:
    """Yield the graph of one slicing for one or two algorithms, unless it is not computed."""
    graphs = select_graphs(computed_graphs(report), names)
    text = slice_labels(key)
    if not graphs:
        return
    labels = tuple(row_label(item.algorithm, report) for item in graphs)
    slices_by_graph = [item.slice_graph(key).slices for item in graphs]
    bars = _("Vertical lines: what could be luck.") if graphs[0].slice_graph(key).shown else ""
    model = text.model.format(model=row_label(graphs[0].memory_model))
    slice_names = tuple(slice_name(slice_.name, key) for slice_ in slices_by_graph[0])
    compared = ComparedSlices(text.across, slice_names, tuple(zip(labels, slices_by_graph)), text.months)
    yield Block(
        key=key,
        heading=text.title,
        # The points and bars are those of the first algorithm.
        caption=add_label(labels[0], off_sentence(key, slices_by_graph[0])),
        table=table(graphs, labels, key),
        chart=Chart("slices", compared),
        reading=tuple(filter(None, (bars, model, text.why))),
        nothing_off=not any(group.is_off for slices in slices_by_graph for group in slices),
        names=tuple(item.algorithm for item in graphs),
        labels=labels,
    )


def table(graphs: Sequence[AlgorithmGraphs], labels: Sequence[str], key: str) -> Table:
    """Return a table with a row for each algorithm in each slice. Slices with too few reviews are left out."""
    rows = [
        (
            slice_name(item.name, key),
            label,
            integer(item.reviews),
            percent_or_dash(item.predicted),
            percent_or_dash(item.recalled),
            points(item.difference),
            from_to(percent_or_dash(item.low), percent_or_dash(item.high)),
        )
        for slices in zip(*(algorithm_graphs.slice_graph(key).slices for algorithm_graphs in graphs))
        for label, item in zip(labels, slices)
        if item.predicted is not None
    ]
    return Table((Column(slice_labels(key).across, number=False), ALGORITHM, REVIEWS, *SHARES), tuple(rows))


def off_sentence(key: str, groups: Sequence[RecallSlice]) -> str:
    """Say how many of the groups are off by more than chance, and what was remembered in the group furthest off.

    Args:
        key: key of the graph.
        groups: its groups. Those with too few reviews are ignored.
    """
    shown = [group for group in groups if group.predicted is not None]
    off = [group for group in shown if group.is_off]
    if not shown:
        return _("No group has 100 reviews.")
    if not off:
        if any(group.is_outside for group in shown):
            return _("In each group, the error could be luck or is below 2 points.")
        return _("In each group, the error could be luck.")
    worst = max(off, key=lambda group: abs(group.difference))
    recalled, predicted = distinct_percents(worst.recalled or 0.0, worst.predicted or 0.0)
    return OFF(
        len(shown),
        wrong=len(off),
        where=slice_labels(key).where.format(name=slice_name(worst.name, key)),
        predicted=predicted,
        recalled=recalled,
        reviews=strings.REVIEWS(worst.reviews),
    )


def slice_name(name: str, key: str) -> str:
    """Return the label of a slice. Months keep their name, which the chart parses."""
    text = slice_labels(key)
    return name if text.months else text.names.get(name) or name.replace("-", "\N{EN DASH}")
