"""Every graph by its key: how it is drawn, the sentence under it, and the table behind it.

To add one: a file that draws it, and an entry in ``CHARTS``. This module loads no matplotlib: ``draw`` does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Callable, Dict, List, Protocol, Sequence

from .. import strings
from ..tables.calibration import calibration_table
from .sentence import calibration_sentence

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from evaluator.report import Report

    from ..tables import Table
    from .style import Style


class Draw(Protocol):
    """Draws into the figure, in place of what it showed; without a title where the window says it already."""

    def __call__(
        self, figure: Figure, report: Report, algorithms: Sequence[str], style: Style, *, titled: bool
    ) -> None: ...


@dataclass(frozen=True)
class Chart:
    """One graph. ``algorithms`` are names, of which it takes the first ``most`` that it can show."""

    key: str  #: in file names
    title: str  #: in the list to choose from
    most: int  #: algorithms laid over each other; 0: the graph is about the whole report
    section: str  #: the section of the report that it needs; "" where the report itself will do
    can_show: Callable[[Report, str], bool]  #: whether there is something to show of this algorithm ("" with most = 0)
    draw: Draw
    sentence: Callable[[Report, Sequence[str]], str]  #: how to read it and what it shows here
    table: Callable[[Report, Sequence[str]], Table]  #: the numbers behind it

    def shown(self, report: Report, algorithms: Sequence[str]) -> List[str]:
        """Those of the algorithms that the graph would show."""
        return [name for name in algorithms if self.can_show(report, name)][: self.most]


def _draw_calibration(figure: Figure, report: Report, algorithms: Sequence[str], style: Style, *, titled: bool) -> None:
    from .calibration import draw

    draw(figure, [report.result(name) for name in algorithms], style, titled=titled)


def _has_calibration(report: Report, algorithm: str) -> bool:
    calibration = report.result(algorithm).calibration
    return calibration is not None and bool(calibration.log_spaced)


CHARTS: Dict[str, Chart] = {
    chart.key: chart
    for chart in (
        Chart(
            key="calibration",
            title=strings.CHART_CALIBRATION,
            most=2,
            section="",
            can_show=_has_calibration,
            draw=_draw_calibration,
            sentence=lambda report, names: calibration_sentence([report.result(name) for name in names]),
            table=calibration_table,
        ),
    )
}
