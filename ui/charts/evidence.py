"""Evidence over time: the difference as it came in, with a band that holds for all days at once."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, List, Sequence, Tuple

from matplotlib.lines import Line2D

from ..text import _
from .axes import difference_axis
from .panels import begin, dashed, filled, finish

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from evaluator.sections.stability import EvidenceOverTime, EvidencePoint

    from .style import Style

#: The band is very wide at first: so large a share of its beginning may leave the picture.
_BEGINNING = 0.1
_BAND_ALPHA = 0.22
_DOTS = (0, (1, 2))

#: Months between ticks; where even the last are too many, there is one tick in so many years.
_MONTHS = (1, 2, 3, 6, 12, 24, 60, 120)


def draw(figure: Figure, evidence: EvidenceOverTime, style: Style, *, title: str = "") -> None:
    """Draw the mean and its band from day to day, in place of what the figure showed.

    Where the whole band is on one side of the dashed line the evidence is enough; a dotted line marks the first day.
    """
    colour = style.data[0]
    pair = {"algorithm": evidence.algorithm, "baseline": evidence.baseline}
    banded = [(_day(point), *point.difference.ends) for point in evidence.points if point.difference.ends]
    legend: List[Line2D] = [Line2D([], [], color=colour, linewidth=1.6, label=_("mean until then"))]
    if banded:
        legend.append(filled(style, colour, _("95\N{NO-BREAK SPACE}% for all days at once"), _BAND_ALPHA))
    legend.append(dashed(style, _("no difference; below, {algorithm} is better").format(**pair)))
    if evidence.decided is not None:
        decided = Line2D([], [], color=style.text, linestyle=_DOTS, linewidth=1.4, label=_("enough from here on"))
        legend.append(decided)
    places, panels = begin(figure, style, title=title, legend=legend, notes=[], two_panels=False)
    axes = panels[0]
    days = [_day(point) for point in evidence.points]
    axes.plot(days, [point.difference.known for point in evidence.points], color=colour, linewidth=1.6, zorder=3)
    if banded:
        x, low, high = zip(*banded)
        axes.fill_between(x, low, high, color=colour, alpha=_BAND_ALPHA, linewidth=0, zorder=2)
    if evidence.decided is not None:
        axes.axvline(_day(evidence.decided), color=style.text, linestyle=_DOTS, linewidth=1.4, zorder=2.5)
    axes.set_xlim(days[0], max(days[-1], days[0] + 1))
    difference_axis(axes, _in_view(evidence.points), places, style)
    axes.names_across = date_ticks(days[0], days[-1], max(places.most_ticks_across - 1, 2))
    finish(panels, places, style, across=_("Scored until"), up=_("Log loss difference"))


def _day(point: EvidencePoint) -> int:
    return dt.date.fromisoformat(point.date).toordinal()


def _in_view(points: Sequence[EvidencePoint]) -> List[float]:
    """The values that the vertical axis has to hold: all but the beginning's, whose band is very wide."""
    beginning = sum(point.difference.ends is None for point in points)
    beginning += round(_BEGINNING * (len(points) - beginning))
    shown = points[beginning:] or points
    return [end for point in shown for end in (point.difference.known, *(point.difference.ends or ()))]


def date_ticks(first: int, last: int, most: int) -> List[Tuple[int, str]]:
    """Days (as ordinals) and what to write there: beginnings of months, or some days where there are too few of them.

    At most ``most`` of them, at least 2.
    """
    for months in _MONTHS:
        ticks = _months(first, last, months)
        if len(ticks) <= most:
            break
    if len(ticks) >= 2:
        return [(day, dt.date.fromordinal(day).strftime("%Y-%m")) for day in ticks[:most]]
    step = max((last - first) // max(most - 1, 1), 1)
    return [(day, dt.date.fromordinal(day).isoformat()[5:]) for day in range(first, last + 1, step)][:most]


def _months(first: int, last: int, step: int) -> List[int]:
    """The first days of every ``step``-th month between two days."""
    begin, end = dt.date.fromordinal(first), dt.date.fromordinal(last)
    numbers = range(12 * begin.year + begin.month - 1, 12 * end.year + end.month)
    days = [dt.date(number // 12, number % 12 + 1, 1).toordinal() for number in numbers if number % step == 0]
    return [day for day in days if first <= day <= last]
