"""What somebody has set for matplotlib is neither heeded nor lost."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Iterator

import fake
import matplotlib as mpl
import pytest
from aqt.qt import QApplication
from chart_texts import graph
from waiting import PATIENCE

from ui.charts import save_chart
from ui.charts.settings import own_settings
from ui.page.figures import chart_block
from ui.window.graph_panel import GraphView

BLOCK = graph(fake.report(), "calibration", ["FSRS-6"])
#: LaTeX is hardly anywhere, and raises.
ODD = {
    "text.usetex": True,
    "font.size": 40.0,
    "axes.grid": True,
    "axes.linewidth": 9,
    "figure.dpi": 300,
    "axes.facecolor": "red",
}


@pytest.fixture
def odd() -> Iterator[None]:
    with mpl.rc_context(ODD):
        yield
        assert {name: mpl.rcParams[name] for name in ODD} == ODD, "they are as they were"


def saved(path: Path) -> bytes:
    return save_chart(BLOCK, path).read_bytes()


@pytest.fixture
def usual(tmp_path: Path, qapp: QApplication) -> list[object]:
    """Drawn with matplotlib's own settings."""
    return [saved(tmp_path / "a.png"), chart_block(BLOCK), on_screen()]


def on_screen() -> bytes:
    view = GraphView(lambda task, then: then(task()))
    view.resize(500, 400)
    assert BLOCK.chart is not None
    view.show_chart(BLOCK.chart, described="")
    view.redraw()
    image = view.image
    assert image is not None
    assert (image.width(), image.height()) == (500, 400)
    return image.constBits().asstring(image.sizeInBytes())


def test_every_figure_is_as_usual(usual: list[object], odd: None, tmp_path: Path) -> None:
    assert [saved(tmp_path / "b.png"), chart_block(BLOCK), on_screen()] == usual


def test_two_threads_do_not_mix_them_up(odd: None) -> None:
    """Whoever ends last would restore what the other one had set."""
    inside, leave = threading.Event(), threading.Event()

    def hold() -> None:
        with own_settings(svg_letters="none"):
            inside.set()
            leave.wait(PATIENCE)

    thread = threading.Thread(target=hold)
    thread.start()
    inside.wait(PATIENCE)
    threading.Timer(0.2, leave.set).start()
    with own_settings():
        assert not thread.is_alive() or leave.is_set()
        assert mpl.rcParams["svg.fonttype"] == "path"
    thread.join(PATIENCE)
    assert mpl.rcParams["font.size"] == 40.0
