from __future__ import annotations

import itertools
from typing import List, Sequence, Tuple

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from evaluator.report import Report
from ui.charts import SIZE_INCHES, draw
from ui.charts.style import LIGHT, Style
from ui.views.graphs import GRAPHS
from ui.views.view import Block

#: Keys of all graphs of algorithms.
KEYS = tuple(GRAPHS)


def graph(report: Report, key: str, names: Sequence[str] = ()) -> Block:
    """The block with the graph of that key."""
    return next(block for block in GRAPHS[key].of(report, names) if block.key == key)


def drawn(
    report: Report, key: str, names: Sequence[str], size: Tuple[float, float] = SIZE_INCHES, style: Style = LIGHT
) -> Figure:
    """Return the graph of that key, laid out. At the size of a file it has a title."""
    figure = Figure(figsize=size, dpi=96)
    FigureCanvasAgg(figure)
    block = graph(report, key, names)
    assert block.chart is not None
    saved = {"title": block.title, "notes": [block.sentence]} if size == SIZE_INCHES else {}
    draw(figure, block.chart, style, **saved)
    figure.draw_without_rendering()
    return figure


def texts(figure: Figure) -> List[Text]:
    """Return all texts in a figure."""
    result = [text for text in figure.findobj(Text) if text.get_visible() and text.get_text()]
    if len(figure.axes) > 1:  # what is below both panels
        hidden = figure.axes[0].get_xticklabels()
        result = [text for text in result if text not in hidden]
    return result


def names_across(figure: Figure) -> List[str]:
    """The names along the horizontal axis."""
    return [text.get_text() for text in figure.axes[-1].get_xticklabels()]


def extent(text: Text) -> Bbox:
    """Return where its letters are: the first line of a name in the second line is empty."""
    box = text.get_window_extent()
    top = (box.y0 + box.y1) / 2 if text.get_text().startswith("\n") else box.y1
    return Bbox.from_extents(box.x0, box.y0, box.x1, top)


def assert_legible(figure: Figure) -> None:
    """Every text lies inside the figure, and no two lie over each other."""
    written = texts(figure)
    boxes = [extent(text) for text in written]
    for text, box in zip(written, boxes, strict=True):
        inside = box.x0 >= 0 and box.y0 >= 0 and box.x1 <= figure.bbox.x1 and box.y1 <= figure.bbox.y1
        assert inside, (text.get_text(), box, figure.bbox)
    for (first, a), (second, b) in itertools.combinations(zip(written, boxes, strict=True), 2):
        shrunk = Bbox.from_extents(a.x0 + 1, a.y0 + 1, a.x1 - 1, a.y1 - 1)
        assert not shrunk.overlaps(b), (first.get_text(), second.get_text())
