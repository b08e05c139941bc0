"""What was remembered minus what each of two algorithms predicted, by how far apart the two predictions were."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.lines import Line2D

from ..text import _, strings
from ..text.numbers import points
from .panels import (
    MARKERS,
    begin,
    blank_note,
    dashed,
    draw_dots,
    draw_strokes,
    draw_zero,
    finish,
    name_ticks,
    of_algorithms,
    outside_note,
    round_ticks,
    share_counts,
)
from .slices import scale_up

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..views.disagreement import Apart
    from .style import Style

_DOTS = (0, (1, 2))
#: The dots of the two stand so far beside the middle of their group, which is a twentieth wide.
_ASIDE = 0.006


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
        *of_algorithms((drawn.algorithm, drawn.baseline), style),
        dashed(style),
        # Translators: What the dotted lines of a graph are; in its legend.
        Line2D([], [], color=style.subtle, linestyle=_DOTS, linewidth=1.8, label=_("if both were equally good")),
    ]
    outside = sum(group.reviews for group in drawn.groups) - sum(group.reviews for group in inside)
    notes = [
        _("In percentage points. Bar: 95\N{NO-BREAK SPACE}% interval."),
        blank_note(drawn.minimum) if len(shown) < len(inside) else "",
        _("Without a bar: too little forgotten or remembered.")
        if any(gap.ends is None for group in shown for gap in (group.gap, group.gap_of_baseline))
        else "",
        outside_note({drawn.algorithm: outside}),
    ]
    places, panels = begin(figure, style, title=title, legend=legend, notes=notes)
    main = panels[0]
    draw_zero(main, style)
    for gaps, colour, marker, side in zip(
        ([group.gap for group in shown], [group.gap_of_baseline for group in shown]), style.data, MARKERS, (-1, 1)
    ):
        ends = side * left / 2, side * right / 2
        main.plot([left, right], ends, color=colour, linestyle=_DOTS, linewidth=1.8, zorder=1.5)
        across = [group.apart + side * _ASIDE for group in shown]
        bars = [((x, gap.ends[0]), (x, gap.ends[1])) for x, gap in zip(across, gaps) if gap.ends]
        draw_strokes(main, bars, colour, 1.5, zorder=2.5)
        draw_dots(main, across, [gap.known for gap in gaps], colour, marker, style)
    scale_up(main, places, style, alone=False)
    main.set_xlim(left, right)
    name_ticks(panels[-1].xaxis, round_ticks((left, right), places.most_ticks_across, points), style)
    counts = [(group.left, group.right, group.reviews) for group in inside]
    share_counts(panels, [counts], [style.subtle], 0.1, places, style)
    # Translators: A horizontal axis: to the left one of two algorithms was surer, to the right the other.
    label = _("← {baseline} surer · {algorithm} surer →")
    finish(
        panels,
        places,
        style,
        across=label.format(algorithm=drawn.algorithm, baseline=drawn.baseline),
        up=strings.CHART_DIFFERENCE,
    )
