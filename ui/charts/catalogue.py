"""Every graph by its key: how it is drawn, the sentence under it, and the table behind it.

To add one: a file that draws it, and an entry in ``CHARTS``. This module loads no matplotlib: ``draw`` does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Callable, Dict, List, Protocol, Sequence

from ..tables.calibration import calibration_table
from ..tables.graphs import reliability_table, slices_table
from ..tables.stability import evidence_table, learning_table
from ..text import strings
from .ranges import calibration_begins
from .said import Said, calibration_said, memory_said, reliability_said, slices_finding, slices_said

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from evaluator.report import Report
    from evaluator.sections.graphs import AlgorithmGraphs

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
    said: Callable[[Report, Sequence[str]], Said]  #: how to read it and what it shows here
    table: Callable[[Report, Sequence[str]], Table]  #: the numbers behind it

    def shown(self, report: Report, algorithms: Sequence[str]) -> List[str]:
        """Those of the algorithms that the graph would show."""
        return [name for name in algorithms if self.can_show(report, name)][: self.most]

    def sentence(self, report: Report, algorithms: Sequence[str]) -> str:
        """All that is said below it."""
        return self.said(report, algorithms).sentence


def _graphs(report: Report, algorithms: Sequence[str]) -> List[AlgorithmGraphs]:
    """Of those that have them."""
    found = [report.section_of("graphs", name) for name in algorithms]
    return [graphs for graphs in found if graphs is not None]


def _draw_calibration(figure: Figure, report: Report, algorithms: Sequence[str], style: Style, *, titled: bool) -> None:
    from .calibration import draw

    bands = {one.algorithm: one.slice_graph("calibration") for one in _graphs(report, algorithms)}
    draw(figure, [report.result(name) for name in algorithms], style, bands=bands, titled=titled)


def _draw_reliability(figure: Figure, report: Report, algorithms: Sequence[str], style: Style, *, titled: bool) -> None:
    from .reliability import draw

    draw(figure, _graphs(report, algorithms), style, titled=titled)


def _draw_memory(figure: Figure, report: Report, algorithms: Sequence[str], style: Style, *, titled: bool) -> None:
    from .memory import draw

    draw(figure, _graphs(report, algorithms)[0], style, titled=titled)


def _draw_learning(
    figure: Figure,
    report: Report,
    algorithms: Sequence[str],  # noqa: ARG001 - it is about the whole report
    style: Style,
    *,
    titled: bool,
) -> None:
    from .learning import draw

    if report.section("stability") is not None and report.section("stability").learning is not None:
        draw(figure, report.section("stability").learning, style, titled=titled)


def _draw_evidence(
    figure: Figure,
    report: Report,
    algorithms: Sequence[str],  # noqa: ARG001 - it is about the whole report
    style: Style,
    *,
    titled: bool,
) -> None:
    from .evidence import draw

    if report.section("stability") is not None and report.section("stability").evidence is not None:
        draw(figure, report.section("stability").evidence, style, titled=titled)


def _calibration_said(report: Report, algorithms: Sequence[str]) -> Said:
    results = [report.result(name) for name in algorithms]
    begins = calibration_begins(one.calibration.log_spaced for one in results if one.calibration)
    findings = [slices_finding(one, "calibration", begins=begins) for one in _graphs(report, algorithms)]
    return calibration_said(results, findings)


def _calibration_table(report: Report, algorithms: Sequence[str]) -> Table:
    """With intervals and bands where the graphs were made."""
    graphs = _graphs(report, algorithms)
    if len(graphs) < len(algorithms):
        return calibration_table(report, algorithms)
    return slices_table(graphs, "calibration")


def _has_calibration(report: Report, algorithm: str) -> bool:
    calibration = report.result(algorithm).calibration
    return calibration is not None and bool(calibration.log_spaced)


def _has_graphs(report: Report, algorithm: str) -> bool:
    return report.section_of("graphs", algorithm) is not None


def slices_chart(key: str) -> Chart:
    """The graph of slices of one kind."""

    def draw(figure: Figure, report: Report, algorithms: Sequence[str], style: Style, *, titled: bool) -> None:
        from .slices import draw

        draw(figure, _graphs(report, algorithms), key, style, titled=titled)

    return Chart(
        key=key,
        title=strings.GRAPHS[key].title,
        most=2,
        section="graphs",
        can_show=_has_graphs,
        draw=draw,
        said=lambda report, names: slices_said(_graphs(report, names), key),
        table=lambda report, names: slices_table(_graphs(report, names), key),
    )


CHARTS: Dict[str, Chart] = {
    chart.key: chart
    for chart in (
        Chart(
            key="reliability",
            title=strings.RELIABILITY,
            most=2,
            section="graphs",
            can_show=_has_graphs,
            draw=_draw_reliability,
            said=lambda report, names: reliability_said(_graphs(report, names)),
            table=lambda report, names: reliability_table(_graphs(report, names)),
        ),
        Chart(
            key="calibration",
            title=strings.GRAPHS["calibration"].title,
            most=2,
            section="",
            can_show=_has_calibration,
            draw=_draw_calibration,
            said=_calibration_said,
            table=_calibration_table,
        ),
        *(slices_chart(key) for key in strings.GRAPHS if key not in ("calibration", "memory")),
        Chart(
            key="memory",
            title=strings.GRAPHS["memory"].title,
            most=1,
            section="graphs",
            can_show=_has_graphs,
            draw=_draw_memory,
            said=lambda report, names: memory_said(_graphs(report, names)[0]),
            table=lambda report, names: slices_table(_graphs(report, names), "memory"),
        ),
        Chart(
            key="learning",
            title=strings.LEARNING_CHART,
            most=0,
            section="stability",
            can_show=lambda report, _: (
                report.section("stability") is not None and report.section("stability").learning is not None
            ),
            draw=_draw_learning,
            said=lambda report, _: Said([learning_table(report).sentence]),
            table=lambda report, _: learning_table(report),
        ),
        Chart(
            key="evidence",
            title=strings.EVIDENCE_CHART,
            most=0,
            section="stability",
            can_show=lambda report, _: (
                report.section("stability") is not None and report.section("stability").evidence is not None
            ),
            draw=_draw_evidence,
            said=lambda report, _: Said([evidence_table(report).sentence]),
            table=lambda report, _: evidence_table(report),
        ),
    )
}
