"""The sentences under the graphs of reliability and of slices: what they show here, and how to read them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Sequence

from .. import strings
from ..numbers import told_apart, where
from ..science import report as known
from .ranges import curves_begin

if TYPE_CHECKING:
    from evaluator.report import AlgorithmGraphs, SliceGraph


#: What is not seen but worked out by a model of memory, by the key of the slices.
_MODEL = {"stability": strings.READ_STABILITY, "difficulty": strings.READ_DIFFICULTY}


def slices_sentence(graphs: Sequence[AlgorithmGraphs], key: str) -> str:
    """For one or two algorithms: the worst slice that the band proves wrong, or that none can be told from right."""
    return " ".join([*(slices_finding(one, key) for one in graphs), *slices_reading(graphs, key)])


def slices_reading(graphs: Sequence[AlgorithmGraphs], key: str) -> Sequence[str]:
    """How to read it."""
    models = [_MODEL[key].format(model=graphs[0].memory_model)] if key in _MODEL else []
    return [strings.READ_ONE if len(graphs) == 1 else strings.READ_TWO, *models]


def memory_sentence(graphs: AlgorithmGraphs) -> str:
    """The same for the map."""
    return " ".join([slices_finding(graphs, "memory"), *memory_reading(graphs)])


def memory_reading(graphs: AlgorithmGraphs) -> Sequence[str]:
    """Likewise."""
    return [strings.READ_MEMORY, *(form.format(model=graphs.memory_model) for form in _MODEL.values())]


def reliability_sentence(graphs: Sequence[AlgorithmGraphs]) -> str:
    """For how many of the reviews the curve is outside its band, and where most."""
    begins = curves_begin(one.reliability for one in graphs)
    parts = [_curve_finding(one, begins) for one in graphs]
    parts.append(strings.READ_RELIABILITY)
    if not all(one.reliability.clustered for one in graphs):
        parts.append(strings.CURVE_BY_CHANCE)
    return " ".join(parts)


def slices_finding(graphs: AlgorithmGraphs, key: str, *, begins: float = 0.0) -> str:
    """What the slices of that kind show of one algorithm; the graph shows no recall below where it ``begins``."""
    graph, name = graphs.slice_graph(key), graphs.algorithm
    if not any(one.predicted is not None for one in graph.slices):
        return strings.FINDING_BLANK.format(algorithm=name, minimum=graphs.minimum)
    if not graph.banded:
        return strings.FINDING_NO_BAND.format(algorithm=name, least=graphs.least_groups)
    if not graph.wrong and len(graph.banded) == 1:
        return strings.FINDING_RIGHT_ONE.format(algorithm=name)
    if not graph.wrong:
        return strings.FINDING_RIGHT.format(algorithm=name, banded=len(graph.banded))
    return _wrong(graph, name, begins)


def _wrong(graph: SliceGraph, algorithm: str, begins: float) -> str:
    worst, wrong = graph.wrong[0], len(graph.wrong)
    shares = worst.recalled or 0.0, worst.predicted or 0.0
    recalled, predicted = told_apart(*shares)
    place = where(graph.key, worst.name)
    form = strings.FINDING_WRONG if wrong > 1 else strings.FINDING_WRONG_ONE
    return form.format(
        algorithm=algorithm,
        wrong=wrong,
        banded=len(graph.banded),
        where=strings.OUTSIDE_GRAPH.format(where=place) if min(shares) < begins else place,
        predicted=predicted,
        recalled=recalled,
    )


def _curve_finding(graphs: AlgorithmGraphs, begins: float) -> str:
    curve, name = graphs.reliability, graphs.algorithm
    stretch = curve.stretch
    if not curve.clustered:
        return strings.FINDING_NO_BAND.format(algorithm=name, least=known.MIN_GROUPS)
    if stretch is None:
        return strings.CURVE_INSIDE.format(algorithm=name)
    outside, chance = (
        strings.PERCENT.format(value=100 * share, digits=0) for share in (curve.outside, curve.outside_by_chance)
    )
    if not curve.is_wrong:
        return strings.CURVE_CHANCE.format(algorithm=name, outside=outside, chance=chance)
    left, right = told_apart(stretch.left, stretch.right)
    between = strings.CURVE_BETWEEN.format(left=left, right=right)
    if min(stretch.right, stretch.recalled) <= begins:
        between = strings.OUTSIDE_GRAPH.format(where=between)
    elif stretch.left < begins:
        between = strings.PARTLY_OUTSIDE_GRAPH.format(where=between)
    recalled, predicted = told_apart(stretch.recalled, stretch.predicted)
    return strings.CURVE_OUTSIDE.format(
        algorithm=name,
        outside=outside,
        chance=chance,
        between=between,
        recalled=recalled,
        predicted=predicted,
    )
