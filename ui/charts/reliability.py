"""The reliability curve: observed recall over the prediction, without bins, and the band of what is exactly right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, Sequence, Tuple

from matplotlib.lines import Line2D

from ..text import _, strings
from .axes import draw_diagonal, outside_note, same_range
from .panels import begin, dashed, filled, finish, share_counts

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from evaluator.sections.reliability_curve import ReliabilityCurve

    from .panels import Panel
    from .style import Style

#: Of the curves, beside the colour.
_LINES: Tuple[Any, ...] = ("-", (0, (6, 1.5, 1.5, 1.5)))


def draw(
    figure: Figure, drawn: Tuple[float, Sequence[Tuple[str, ReliabilityCurve]]], style: Style, *, title: str = ""
) -> None:
    """Draw the curves of one or two algorithms, each with its name, on axes that begin at the given prediction.

    Above: each curve with its band around the dashed diagonal; inside it the curve cannot be told from exactly right.
    Below: how often which recall was predicted.
    """
    lowest, named = drawn
    names, curves = [name for name, _unused in named], [curve for _unused, curve in named]
    colours = style.data[: len(curves)]
    handles = [
        Line2D([], [], color=colour, linestyle=line, linewidth=1.8, label=name)
        for name, colour, line in zip(names, colours, _LINES)
    ]
    bands = [filled(style, style.diagonal if len(names) > 1 else colours[0], _("what chance allows"), alpha=0.3)]
    places, panels = begin(
        figure,
        style,
        title=title,
        legend=[*handles, *bands, dashed(style, strings.CHART_DIAGONAL)],
        notes=_notes(named, lowest),
    )
    draw_diagonal(panels[0], lowest, style)
    for curve, colour, line in zip(curves, colours, _LINES):
        _draw_curve(panels[0], curve, colour, line)
    same_range(panels[0], lowest, places)
    if len(panels) > 1:
        _draw_histograms(panels[1], curves, colours)
    finish(panels, places, style, across=strings.CHART_X, up=strings.CHART_Y)


def limits(curve: ReliabilityCurve) -> List[Tuple[float, float, float]]:
    """The band that the curve is judged by: (prediction, low, high)."""
    return [
        (at.predicted, at.chance_low, at.chance_high)
        if at.low is None or at.high is None
        else (at.predicted, at.low, at.high)
        for at in curve.band
    ]


def _notes(named: Sequence[Tuple[str, ReliabilityCurve]], lowest: float) -> List[str]:
    outside = outside_note({name: _below(curve, lowest) for name, curve in named})
    return [outside] if outside else []


def _below(curve: ReliabilityCurve, lowest: float) -> int:
    """The number of reviews with predictions below the range of the graph."""
    return sum(curve.histogram[: round(lowest * len(curve.histogram))])


def _draw_curve(axes: Panel, curve: ReliabilityCurve, colour: str, line: Any) -> None:
    at, low, high = zip(*limits(curve))
    axes.fill_between(at, low, high, color=colour, alpha=0.22, linewidth=0, zorder=1)
    x = [edge for step in curve.steps for edge in (step.left, step.right)]
    y = [step.observed for step in curve.steps for _unused in range(2)]
    axes.plot(x, y, color=colour, linestyle=line, linewidth=1.8, zorder=3)


def _draw_histograms(axes: Panel, curves: Sequence[ReliabilityCurve], colours: Sequence[str]) -> None:
    bars = [
        [(at / len(one.histogram), (at + 1) / len(one.histogram), n) for at, n in enumerate(one.histogram) if n]
        for one in curves
    ]
    share_counts(axes, bars, colours, apart=0.03)
