"""What is said below a graph, in its parts: what it shows here, and how to read it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Sequence

from .. import strings
from ..numbers import percent, percents, told_apart, where
from ..phrases import paragraph
from ..science import interval
from ..views.results import bias_sentence
from .ranges import curves_begin

if TYPE_CHECKING:
    from evaluator.report import AlgorithmResult, CalibrationBin
    from evaluator.sections.graphs import AlgorithmGraphs
    from evaluator.statistics.slices import SliceGraph


class Said(NamedTuple):
    """Sentences. Those on how to read it are the same whatever it shows: of many graphs they are said once."""

    found: Sequence[str] = ()  #: what it shows here
    reading: Sequence[str] = ()  #: how to read it
    reserve: Sequence[str] = ()  #: what is to be kept in mind here

    @property
    def sentence(self) -> str:
        """All of it."""
        return paragraph(*self.found, *self.reading, *self.reserve)

    @property
    def finding(self) -> str:
        """Without how to read it."""
        return paragraph(*self.found, *self.reserve)


def calibration_said(results: Sequence[AlgorithmResult], findings: Sequence[str] = ()) -> Said:
    """For the one or two results of one graph; empty where there is nothing to say.

    ``findings``: what the groups' bands show of each, where they are known. Of two that is enough to say.
    """
    shown = [result for result in results if result.calibration and result.calibration.log_spaced][:2]
    if not shown:
        return Said()
    parts = list(findings)
    if len(shown) == 1:
        parts += [_said(shown[0]), bias_sentence(shown[0])]
    elif not findings:
        parts += map(_said, shown)
    return Said(parts, [strings.SENTENCE_READ])


def _said(result: AlgorithmResult) -> str:
    """Predicted and actual recall in the largest group of reviews."""
    group = _largest(result)
    predicted, recalled = percents(group.predicted, group.recalled)
    return strings.SENTENCE_ONE.format(algorithm=result.algorithm, predicted=predicted, recalled=recalled)


def _largest(result: AlgorithmResult) -> CalibrationBin:
    if result.calibration is None:
        raise ValueError(result.algorithm)
    return max(result.calibration.log_spaced, key=lambda group: group.reviews)


#: What is not seen but worked out by a model of memory, by the key of the slices.
_MODEL = {"stability": strings.READ_STABILITY, "difficulty": strings.READ_DIFFICULTY}


def slices_said(graphs: Sequence[AlgorithmGraphs], key: str) -> Said:
    """For one or two algorithms: the worst slice that the band proves wrong, or that none can be told from right."""
    models = [_MODEL[key].format(model=graphs[0].memory_model)] if key in _MODEL else []
    read = strings.READ_ONE if len(graphs) == 1 else strings.READ_TWO
    return Said([slices_finding(one, key) for one in graphs], [read, *models])


def memory_said(graphs: AlgorithmGraphs) -> Said:
    """For the map of difficulty and stability: its worst cell, or that none can be told from right."""
    models = [form.format(model=graphs.memory_model) for form in _MODEL.values()]
    return Said([slices_finding(graphs, "memory")], [strings.READ_MEMORY, *models])


def reliability_said(graphs: Sequence[AlgorithmGraphs]) -> Said:
    """For how many of the reviews the curve is outside its band, and where most."""
    begins = curves_begin(one.reliability for one in graphs)
    clustered = all(one.reliability.clustered for one in graphs)
    found = [_curve_finding(one, begins) for one in graphs]
    return Said(found, [strings.READ_RELIABILITY], [] if clustered else [strings.CURVE_BY_CHANCE])


def slices_finding(graphs: AlgorithmGraphs, key: str, *, begins: float = 0.0) -> str:
    """What the slices of that kind show of one algorithm; the graph shows no recall below where it ``begins``."""
    graph, name = graphs.slice_graph(key), graphs.algorithm
    if not any(one.predicted is not None for one in graph.slices):
        return strings.FINDING_BLANK(graphs.minimum, algorithm=name)
    if not graph.banded:
        return strings.FINDING_NO_BAND(graphs.least_groups, algorithm=name)
    if not graph.wrong:
        return strings.FINDING_RIGHT(len(graph.banded), algorithm=name)
    return _wrong(graph, name, begins)


def _wrong(graph: SliceGraph, algorithm: str, begins: float) -> str:
    worst, wrong = graph.wrong[0], len(graph.wrong)
    shares = worst.recalled or 0.0, worst.predicted or 0.0
    recalled, predicted = told_apart(*shares)
    place = where(graph.key, worst.name)
    form = strings.FINDING_WRONG if wrong > 1 else strings.FINDING_WRONG_ONE
    return form(
        len(graph.banded),
        algorithm=algorithm,
        wrong=wrong,
        where=strings.OUTSIDE_GRAPH.format(where=place) if min(shares) < begins else place,
        predicted=predicted,
        recalled=recalled,
    )


def _curve_finding(graphs: AlgorithmGraphs, begins: float) -> str:
    curve, name = graphs.reliability, graphs.algorithm
    stretch = curve.stretch
    if not curve.clustered:
        return strings.FINDING_NO_BAND(interval.MIN_GROUPS, algorithm=name)
    if stretch is None:
        return strings.CURVE_INSIDE.format(algorithm=name)
    outside, chance = percent(curve.outside), percent(curve.outside_by_chance)
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
