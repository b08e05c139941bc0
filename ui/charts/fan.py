"""Graph of the user's gain over guessing compared with other people's, by the number of scored reviews."""

from __future__ import annotations

from math import log10
from typing import TYPE_CHECKING, List, Sequence

from matplotlib.lines import Line2D

from ..text import _, strings
from ..text.numbers import percent
from ..text.phrases import add_label, integer
from .panels import DASHES, Spot, draw_band, filled, finish, name_ticks, round_ticks, spots, start_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from evaluator.sections.population import SizeClass

    from ..views.population import FanData
    from .style import Style

#: Opacity of the fan's outer band, and of the inner one over it.
_OUTER, _INNER = 0.12, 0.2
#: Margin of the vertical axis as a share of its range, and of the horizontal, logarithmic one as a factor.
_MARGIN, _FACTOR = 0.06, 1.4


def draw(figure: Figure, drawn: FanData, style: Style, *, title: str, notes: Sequence[str]) -> List[Spot]:
    """Draw the median of other people's gain, bands for half and for 80% of them, and a dot for the user."""
    band, dot = style.data
    legend = [
        Line2D([], [], color=dot, marker="o", markersize=9, linestyle="", label=drawn.position),
        Line2D([], [], color=band, linewidth=1.8, label=_("half of the others above, half below")),
        filled(band, _("the middle half of the others"), _OUTER + _INNER),
        filled(band, _("80% of the others"), _OUTER),
        Line2D([], [], color=style.text, linewidth=1.0, linestyle=DASHES, label=drawn.guessing),
    ]
    all_notes = [
        _("Gain: how much lower its log loss is than that of guessing your average. Higher is better."),
        _("The others: people in the SRS Benchmark, January 2025, by number of reviews."),
        *notes,
    ]
    layout, panels = start_figure(figure, style, title=title, legend=legend, notes=all_notes)
    axes = panels[0]
    min_reviews = min(drawn.reviews, drawn.sizes[0].reviews) / _FACTOR
    max_reviews = max(drawn.reviews, drawn.sizes[-1].reviews) * _FACTOR
    # Extend the bands level to both ends, because the first and last class include people with fewer or more reviews.
    x = [log10(reviews) for reviews in (min_reviews, *(size.reviews for size in drawn.sizes), max_reviews)]
    columns = list(zip(*(size.values for size in (drawn.sizes[0], *drawn.sizes, drawn.sizes[-1]))))
    draw_band(axes, list(zip(x, columns[0], columns[4])), band, _OUTER)
    draw_band(axes, list(zip(x, columns[1], columns[3])), band, _INNER)
    axes.plot(x, columns[2], color=band, linewidth=1.8, zorder=2)
    axes.axhline(0.0, color=style.text, linewidth=1.0, linestyle=DASHES, zorder=1.5)
    axes.plot(
        log10(drawn.reviews),
        drawn.value,
        "o",
        color=dot,
        markersize=11,
        markeredgecolor=style.canvas,
        markeredgewidth=1.2,
        zorder=3,
        clip_on=False,
    )
    low, high = min(drawn.value, 0.0, *columns[0]), max(drawn.value, 0.0, *columns[4])
    margin = _MARGIN * (high - low)
    axes.set_xlim(x[0], x[-1])
    axes.set_ylim(low - margin, high + margin)
    counts = [count * 10**power for power in range(8) for count in (1, 3)]
    ticks = [count for count in counts if x[0] <= log10(count) <= x[-1]]
    step = -(-len(ticks) // layout.steps_across)
    name_ticks(axes.xaxis, [(log10(count), integer(count)) for count in ticks[::step]])
    name_ticks(axes.yaxis, round_ticks(axes.get_ylim(), layout.steps_up, percent))
    finish(figure, panels, layout, style, across=_("Scored reviews"), up=strings.GAIN)
    tips = [(x_of_size, _tip(size)) for x_of_size, size in zip(x[1:], drawn.sizes)]
    return spots(panels, [*tips, (log10(drawn.reviews), add_label(drawn.position, percent(drawn.value, 1)))])


def _tip(size: SizeClass) -> str:
    lowest, low, median, high, highest = (percent(value, 1) for value in size.values)
    return _(
        "With about {reviews} scored reviews, half of the others gain {low} to {high} (median {median}), and 80% of "
        "them {lowest} to {highest}."
    ).format(reviews=integer(round(size.reviews)), lowest=lowest, low=low, median=median, high=high, highest=highest)
