"""Draw graphs, and read their texts."""

from __future__ import annotations

import itertools
from typing import List, Sequence, Set, Tuple

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from evaluator.report import Report
from ui.charts import SIZE_INCHES, draw
from ui.charts.style import LIGHT, Style
from ui.views.graphs_view import GRAPHS
from ui.views.view import Block


def graph(report: Report, key: str, names: Sequence[str]) -> Block:
    """Return the block with this graph."""
    return next(block for block in GRAPHS[key].of(report, names) if block.key == key)


def draw_graph(
    report: Report, key: str, names: Sequence[str], size: Tuple[float, float] = SIZE_INCHES, style: Style = LIGHT
) -> Figure:
    """Draw a graph of these algorithms. At the size of a saved file it has its title and its sentence."""
    figure = Figure(figsize=size, dpi=96)
    FigureCanvasAgg(figure)
    block = graph(report, key, names)
    file_texts = {"title": block.title, "notes": [block.sentence]} if size == SIZE_INCHES else {}
    draw(figure, block.chart, style, **file_texts)
    figure.draw_without_rendering()
    return figure


def texts(figure: Figure) -> List[Text]:
    """Return all visible texts of a figure."""
    visible = [text for text in figure.findobj(Text) if text.get_visible() and text.get_text()]
    # The upper of two panels has tick labels that are not drawn.
    hidden = figure.axes[0].get_xticklabels() if len(figure.axes) > 1 else []
    return [text for text in visible if text not in hidden]


def lines_of(figure: Figure) -> Set[str]:
    """Return all visible texts of a figure, each in one line."""
    return {text.get_text().replace("\n", " ") for text in texts(figure)}


def group_names(figure: Figure) -> List[str]:
    """Return the names along the horizontal axis."""
    return [text.get_text() for text in figure.axes[-1].get_xticklabels()]


def letter_extent(text: Text) -> Bbox:
    """Return where the letters are. Names in the second line begin with an empty line, which is left out."""
    box = text.get_window_extent()
    top = (box.y0 + box.y1) / 2 if text.get_text().startswith("\n") else box.y1
    return Bbox.from_extents(box.x0, box.y0, box.x1, top)


def assert_legible(figure: Figure) -> None:
    """Expect that every text is inside the figure, and that no two texts overlap."""
    boxes = [(text.get_text(), letter_extent(text)) for text in texts(figure)]
    for text, box in boxes:
        inside = box.x0 >= 0 and box.y0 >= 0 and box.x1 <= figure.bbox.x1 and box.y1 <= figure.bbox.y1
        assert inside, (text, box, figure.bbox)
    for (first, a), (second, b) in itertools.combinations(boxes, 2):
        shrunk = Bbox.from_extents(a.x0 + 1, a.y0 + 1, a.x1 - 1, a.y1 - 1)
        assert not shrunk.overlaps(b), (first, second)
