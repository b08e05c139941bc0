"""The classic calibration graph: what was predicted against what was recalled, in the benchmark's 20 groups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, List, Optional, Sequence, Tuple

from ..text import _, strings
from ..text.numbers import percent
from ..text.phrases import paragraph
from .panels import (
    DASHES,
    MARKERS,
    begin,
    dashed,
    draw_strokes,
    finish,
    name_ticks,
    of_algorithms,
    round_ticks,
    share_counts,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from evaluator.report import CalibrationBin
    from evaluator.statistics.slices import RecallSlice, SliceGraph

    from .style import Style


@dataclass(frozen=True)
class _Series:
    """What the graph shows of one algorithm."""

    name: str
    groups: Tuple[CalibrationBin, ...]
    bands: Tuple[Optional[RecallSlice], ...]  #: of each group
    telling: Tuple[CalibrationBin, ...]  #: the groups that are large enough to say something; others are faint
    colour: str
    marker: str

    @property
    def reviews(self) -> int:
        return sum(group.reviews for group in self.groups)


def draw(
    figure: Figure,
    drawn: Tuple[float, float, Sequence[Tuple[str, Sequence[CalibrationBin], Optional[SliceGraph]]]],
    style: Style,
    *,
    title: str = "",
) -> None:
    """Draw the benchmark's groups of one or two algorithms, with their bars if those are known.

    Above: each point is a group of reviews with similar predictions (the benchmark's groups, finer near 100 %); its
    area grows with the number of reviews, and those that tell nothing are faint and left out of the line. On the dashed
    diagonal, predictions are exactly right. Where the slices are known, each point that tells something has a bar:
    where that does not touch the diagonal, chance does not explain the distance. Both axes have the same range; a note
    says that some lie outside. Below: the number of reviews in each group.

    ``drawn`` says where both axes begin, below which share of the reviews a group is faint where slices are not known,
    and of each algorithm its name, groups and slices.
    """
    lowest, faint, of = drawn
    series = []
    for place, (name, groups, graph) in enumerate(of):
        bands, least = _bands(groups, graph), faint * sum(group.reviews for group in groups)
        telling = [
            group
            for group, band in zip(groups, bands)
            if (group.reviews >= least if band is None else band.predicted is not None)
        ]
        series.append(_Series(name, tuple(groups), bands, tuple(telling), style.data[place], MARKERS[place]))
    legend = [*of_algorithms([one.name for one in series], style), dashed(style)]
    places, panels = begin(figure, style, title=title, legend=legend, notes=_notes(series, lowest))
    main = panels[0]
    _draw_calibration(main, series, lowest, style)
    main.set_xlim(lowest, 1)
    main.set_ylim(lowest, 1)
    name_ticks(panels[-1].xaxis, round_ticks((lowest, 1), places.most_ticks_across, percent), style)
    name_ticks(main.yaxis, round_ticks((lowest, 1), places.most_ticks_up, percent), style)
    # As wide as the groups.
    bars = [[(group.left, group.right, group.reviews) for group in one.groups] for one in series]
    share_counts(panels, bars, [one.colour for one in series], 0.05, places, style)
    finish(panels, places, style, across=strings.CHART_X, up=strings.CHART_Y)


def _bands(groups: Sequence[CalibrationBin], graph: Optional[SliceGraph]) -> Tuple[Optional[RecallSlice], ...]:
    """The slice of each group, which has its bar: groups are the slices that hold a review."""
    if graph is None:
        return (None,) * len(groups)
    return tuple(one for one in graph.slices if one.reviews)


def _notes(series: Sequence[_Series], lowest: float) -> List[str]:
    barred = any(band is not None and band.band.ends for one in series for band in one.bands)
    shown = [(one, group) for one in series for group in one.groups if _inside(group, lowest)]
    return [
        strings.CHART_BARS if barred else "",
        paragraph(
            _("Faint: too few reviews.") if any(group not in one.telling for one, group in shown) else "",
            _("Off the graph: rare predictions.") if len(shown) < sum(len(one.groups) for one in series) else "",
        ),
    ]


def _inside(group: CalibrationBin, lowest: float) -> bool:
    return group.predicted >= lowest and group.recalled >= lowest


def _draw_calibration(axes: Axes, series: Sequence[_Series], lowest: float, style: Style) -> None:
    axes.plot([lowest, 1], [lowest, 1], linestyle=DASHES, linewidth=1.1, color=style.diagonal, zorder=1.5)
    for one in series:
        shown = [group for group in one.groups if _inside(group, lowest)]
        telling = [group for group in shown if group in one.telling]
        x, y = [group.predicted for group in telling], [group.recalled for group in telling]
        axes.plot(x, y, color=one.colour, linewidth=1.2, alpha=0.65, zorder=2)
        _draw_bars(axes, one, lowest)
        _draw_points(axes, one, telling, style)
        _draw_points(axes, one, [group for group in shown if group not in telling], style, alpha=0.4)


def _draw_bars(axes: Axes, one: _Series, lowest: float) -> None:
    bars = [
        ((group.predicted, group.predicted + low), (group.predicted, group.predicted + high))
        for group, slice_ in zip(one.groups, one.bands)
        if slice_ is not None and slice_.band.ends is not None and _inside(group, lowest)
        for low, high in [slice_.band.ends]
    ]
    draw_strokes(axes, bars, one.colour, 1.4, zorder=2.5)


def _draw_points(
    axes: Axes, one: _Series, groups: Sequence[CalibrationBin], style: Style, *, alpha: float = 1.0
) -> None:
    axes.scatter(
        [group.predicted for group in groups],
        [group.recalled for group in groups],
        s=[16 + 130 * group.reviews / one.reviews for group in groups],
        marker=one.marker,
        facecolor=one.colour,
        edgecolor=style.canvas,
        linewidth=0.7,
        alpha=alpha,
        clip_on=False,
        zorder=3,
    )
