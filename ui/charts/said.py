"""What is said below a graph, in its parts: what it shows here, and how to read it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Sequence

from ..science import interval
from ..text import Counted, _, ngettext
from ..text.numbers import percent, percents, told_apart, where
from ..text.phrases import paragraph
from ..views.results import bias_sentence
from .ranges import curves_begin

if TYPE_CHECKING:
    from evaluator.report import AlgorithmResult, CalibrationBin
    from evaluator.sections.graphs import AlgorithmGraphs
    from evaluator.statistics.slices import SliceGraph

# Translators: {count} is the number of groups that were looked at, {wrong} (2 or more) of those that are off.
FINDING_WRONG = Counted(
    "{algorithm} is off by more than chance in {wrong} of {count} groups, most of all {where}: it said {predicted}, "
    "you remembered {recalled}.",
    "{algorithm} is off by more than chance in {wrong} of {count} groups, most of all {where}: it said {predicted}, "
    "you remembered {recalled}.",
)
# Translators: {count} is the number of groups that were looked at.
FINDING_WRONG_ONE = Counted(
    "{algorithm} is off by more than chance in 1 of {count} groups, {where}: it said {predicted}, you remembered "
    "{recalled}.",
    "{algorithm} is off by more than chance in 1 of {count} groups, {where}: it said {predicted}, you remembered "
    "{recalled}.",
)
# Translators: In place of {where}: a part of the graph that is not shown.
OUTSIDE_GRAPH = _("{where} (off the graph)")
FINDING_NO_BAND = Counted(
    "{algorithm}: too few cards or days to tell error from chance; {count} of both is needed.",
    "{algorithm}: too few cards or days to tell error from chance; {count} of both are needed.",
)


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
    return Said(
        parts,
        [_("Above the dashed line you remembered more than predicted, below it less; the closer to it, the better.")],
    )


def _said(result: AlgorithmResult) -> str:
    """Predicted and actual recall in the largest group of reviews."""
    group = _largest(result)
    predicted, recalled = percents(group.predicted, group.recalled)
    return _("When {algorithm} said {predicted}, as it did most often, you remembered {recalled}.").format(
        algorithm=result.algorithm, predicted=predicted, recalled=recalled
    )


def _largest(result: AlgorithmResult) -> CalibrationBin:
    if result.calibration is None:
        raise ValueError(result.algorithm)
    return max(result.calibration.log_spaced, key=lambda group: group.reviews)


#: What is not seen but worked out by a model of memory, by the key of the slices.
_MODEL = {
    "stability": _("Stability: days until recall falls to 90\N{NO-BREAK SPACE}%, by {model}."),
    "difficulty": _("Difficulty: 1 (easy) to 10 (hard), by {model}."),
}


def slices_said(graphs: Sequence[AlgorithmGraphs], key: str) -> Said:
    """For one or two algorithms: the worst slice that the band proves wrong, or that none can be told from right."""
    models = [_MODEL[key].format(model=graphs[0].memory_model)] if key in _MODEL else []
    read = (
        _(
            "The dots are what you remembered, the blue lines what was predicted. Where the blue line lies outside of "
            "what chance allows for the dot (95\N{NO-BREAK SPACE}%, all groups at once), predictions are off."
        )
        if len(graphs) == 1
        else _(
            "Above the dashed line you remembered more than predicted. Where it lies outside of what chance allows "
            "(95\N{NO-BREAK SPACE}%, all groups at once), predictions are off."
        )
    )
    return Said([slices_finding(one, key) for one in graphs], [read, *models])


def memory_said(graphs: AlgorithmGraphs) -> Said:
    """For the map of difficulty and stability: its worst cell, or that none can be told from right."""
    models = [form.format(model=graphs.memory_model) for form in _MODEL.values()]
    return Said(
        [slices_finding(graphs, "memory")],
        [
            _(
                "Numbers are percentage points: + where you remembered more than predicted. A dot marks what is more "
                "than chance (95\N{NO-BREAK SPACE}%, all cells at once)."
            ),
            *models,
        ],
    )


def reliability_said(graphs: Sequence[AlgorithmGraphs]) -> Said:
    """For how many of the reviews the curve is outside its band, and where most."""
    begins = curves_begin(one.reliability for one in graphs)
    clustered = all(one.reliability.clustered for one in graphs)
    found = [_curve_finding(one, begins) for one in graphs]
    return Said(
        found,
        [
            _(
                "Above the dashed line you remembered more than predicted, below it less; within the band that may be "
                "chance."
            )
        ],
        []
        if clustered
        else [_("The band here does not know that reviews of one card, or of one day, resemble each other.")],
    )


def slices_finding(graphs: AlgorithmGraphs, key: str, *, begins: float = 0.0) -> str:
    """What the slices of that kind show of one algorithm; the graph shows no recall below where it ``begins``."""
    graph, name = graphs.slice_graph(key), graphs.algorithm
    if not any(one.predicted is not None for one in graph.slices):
        return ngettext(
            "{algorithm}: no group has {count} review.", "{algorithm}: no group has {count} reviews.", graphs.minimum
        ).format(count=graphs.minimum, algorithm=name)
    if not graph.banded:
        return FINDING_NO_BAND(graphs.least_groups, algorithm=name)
    if not graph.wrong:
        # Translators: {count} is the number of groups that are large enough.
        return ngettext(
            "{algorithm} is not off by more than chance in the one group that is large enough.",
            "{algorithm} is not off by more than chance in any of {count} groups.",
            len(graph.banded),
        ).format(count=len(graph.banded), algorithm=name)
    return _wrong(graph, name, begins)


def _wrong(graph: SliceGraph, algorithm: str, begins: float) -> str:
    worst, wrong = graph.wrong[0], len(graph.wrong)
    shares = worst.recalled or 0.0, worst.predicted or 0.0
    recalled, predicted = told_apart(*shares)
    place = where(graph.key, worst.name)
    form = FINDING_WRONG if wrong > 1 else FINDING_WRONG_ONE
    return form(
        len(graph.banded),
        algorithm=algorithm,
        wrong=wrong,
        where=OUTSIDE_GRAPH.format(where=place) if min(shares) < begins else place,
        predicted=predicted,
        recalled=recalled,
    )


def _curve_finding(graphs: AlgorithmGraphs, begins: float) -> str:
    curve, name = graphs.reliability, graphs.algorithm
    stretch = curve.stretch
    if not curve.clustered:
        return FINDING_NO_BAND(interval.MIN_GROUPS, algorithm=name)
    if stretch is None:
        return _("{algorithm} never leaves its band.").format(algorithm=name)
    outside, chance = percent(curve.outside), percent(curve.outside_by_chance)
    if not curve.is_wrong:
        return _(
            "{algorithm} is outside its band for {outside} of the reviews, but chance alone makes up to {chance}."
        ).format(algorithm=name, outside=outside, chance=chance)
    left, right = told_apart(stretch.left, stretch.right)
    # Translators: Stands for {between}.
    between = _("between {left} and {right}").format(left=left, right=right)
    if min(stretch.right, stretch.recalled) <= begins:
        between = OUTSIDE_GRAPH.format(where=between)
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
