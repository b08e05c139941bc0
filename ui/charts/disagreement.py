"""What was remembered minus what each of two algorithms predicted, by how far apart the two predictions were."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, List

from matplotlib.lines import Line2D

from ..text import _, ngettext, strings
from ..text.numbers import points
from .axes import outside_note
from .panels import MARKERS, begin, dashed, draw_dots, draw_strokes, finish, share_counts
from .slices import scale_up

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..views.disagreement import Apart
    from .layout import Layout
    from .panels import Tick
    from .style import Style

_DOTS = (0, (1, 2))
#: The dots of the two stand so far beside the middle of their group, which is a twentieth wide.
_ASIDE = 0.006
#: Of the horizontal axis.
_TICK_STEPS = (0.05, 0.1, 0.2, 0.5)


def draw(figure: Figure, drawn: Apart, style: Style, *, title: str = "") -> None:
    """Draw a pair of dots with their intervals for each group, in place of what the figure showed.

    The dots of two that are equally good lie about on the dotted lines, equally far from 0 on either side: if what
    happened lies halfway between two predictions that are d apart, then it is d / 2 from each. Below: the number of
    reviews in each group.
    """
    shown = [group for group in drawn.groups if group.gap.estimate is not None]
    left, right = min(0.0, *(group.left for group in shown)), max(0.0, *(group.right for group in shown))
    inside = [group for group in drawn.groups if left <= group.apart <= right]
    legend = [
        *(
            Line2D([], [], color=colour, marker=marker, markersize=6, linewidth=1.4, label=name)
            for name, colour, marker in zip((drawn.algorithm, drawn.baseline), style.data, MARKERS)
        ),
        dashed(style, strings.CHART_DIAGONAL),
        # Translators: What the dotted lines of a graph are; in its legend.
        Line2D([], [], color=style.subtle, linestyle=_DOTS, linewidth=1.8, label=_("if both were equally good")),
    ]
    outside = sum(group.reviews for group in drawn.groups) - sum(group.reviews for group in inside)
    notes = [
        _("In percentage points. Bar: 95\N{NO-BREAK SPACE}% interval."),
        ngettext("Blank: fewer than {count} review.", "Blank: fewer than {count} reviews.", drawn.minimum).format(
            count=drawn.minimum
        )
        if len(shown) < len(inside)
        else "",
        _("Without a bar: too little forgotten or remembered.")
        if any(gap.ends is None for group in shown for gap in (group.gap, group.gap_of_baseline))
        else "",
        outside_note({drawn.algorithm: outside}),
    ]
    places, panels = begin(figure, style, title=title, legend=legend, notes=[note for note in notes if note])
    main = panels[0]
    main.axhline(0, color=style.diagonal, linestyle=dashed(style).get_linestyle(), linewidth=1.1, zorder=1.5)
    for gaps, colour, marker, side in zip(
        ([group.gap for group in shown], [group.gap_of_baseline for group in shown]), style.data, MARKERS, (-1, 1)
    ):
        ends = side * left / 2, side * right / 2
        main.plot([left, right], ends, color=colour, linestyle=_DOTS, linewidth=1.8, zorder=1.5)
        across = [group.apart + side * _ASIDE for group in shown]
        bars = [((x, gap.ends[0]), (x, gap.ends[1])) for x, gap in zip(across, gaps) if gap.ends]
        draw_strokes(main, bars, colour, 1.5, zorder=2.5)
        draw_dots(main, across, [gap.known for gap in gaps], colour, marker, style)
    scale_up(main, places, alone=False)
    main.set_xlim(left, right)
    main.names_across = _ticks(left, right, places)
    if len(panels) > 1:
        share_counts(panels[1], [[(group.left, group.right, group.reviews) for group in inside]], [style.subtle], 0.1)
    # Translators: A horizontal axis: to the left one of two algorithms was surer, to the right the other.
    label = _("← {baseline} surer · {algorithm} surer →")
    finish(
        panels,
        places,
        style,
        across=label.format(algorithm=drawn.algorithm, baseline=drawn.baseline),
        up=strings.CHART_DIFFERENCE,
    )


def _ticks(left: float, right: float, places: Layout) -> List[Tick]:
    """As many multiples of a round number of points as there is room for."""
    ticks: List[int] = []
    for step in _TICK_STEPS:
        ticks = list(range(math.ceil(left / step), math.floor(right / step) + 1))
        if len(ticks) <= places.most_ticks_across:
            break
    return [(k * step, points(k * step)) for k in ticks]
