"""WCAG asks for a contrast of 3:1 for lines, dots and edges of areas, and of 4.5:1 for texts."""

from __future__ import annotations

from typing import List, Sequence, Tuple

import made_graphs as made
import pytest
from chart_texts import draw_graph, texts
from made_workload import cheaper, knowledge
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_hex, to_rgba
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from wcag import contrast

from evaluator.workload.result import Workload
from ui.charts import draw
from ui.charts.style import LIGHT, NIGHT, Style
from ui.views import load
from ui.views.graphs_view import GRAPHS

Color = Tuple[float, ...]
REPORT = made.pair_report()


def blend(color: Sequence[float], canvas: Sequence[float]) -> Color:
    """Return the opaque color of an area with this RGBA color on the canvas."""
    return tuple(color[3] * own + (1 - color[3]) * under for own, under in zip(color, canvas[:3], strict=False))


def workload_figure(workload: Workload, style: Style) -> Figure:
    (block,) = (block for block in load("workload").of(REPORT.with_section("workload", workload)) if block.chart)
    figure = Figure(figsize=(6, 5))
    draw(figure, block.chart, style)
    return figure


def figures(style: Style) -> List[Figure]:
    """Draw every kind of graph."""
    algorithm_graphs = [draw_graph(REPORT, key, list(made.PAIR), style=style) for key in GRAPHS]
    return [*algorithm_graphs, *(workload_figure(workload, style) for workload in (cheaper(), knowledge()))]


@pytest.mark.parametrize("style", [LIGHT, NIGHT], ids=["light", "night"])
def test_everything_drawn_has_enough_contrast(style):
    canvas = to_rgba(style.canvas)
    for figure in figures(style):
        assert to_hex(figure.get_facecolor()) == style.canvas
        for panel in figure.axes:
            areas = panel.findobj(PolyCollection)
            shades = [blend(area.get_facecolor()[0], canvas) for area in areas]
            for line in panel.lines:
                for background in (canvas, *shades):
                    assert contrast(to_rgba(line.get_color()), background) >= 3
            for area in areas:
                assert contrast(area.get_edgecolor()[0], canvas) >= 3
                assert all(area.get_linewidth() > 0.5)
        for sample in figure.legends[0].findobj(Line2D):
            assert contrast(to_rgba(sample.get_color()), canvas) >= 3
        for text in texts(figure):
            assert contrast(to_rgba(text.get_color()), canvas) >= 4.5
