from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import fake
import matplotlib as mpl
import pytest
from chart_texts import graph
from waiting import PATIENCE

from ui.charts import save_chart
from ui.charts.matplotlib_settings import own_settings
from ui.page.inline_svg import chart_block
from ui.window.graph_panel import GraphView
from ui.window.theme import warm_up

ROOT = Path(__file__).resolve().parents[3]
BLOCK = graph(fake.report(), "calibration", ["FSRS-6"])
#: Settings that would change every graph. LaTeX is not installed and would raise an error.
FOREIGN = {
    "text.usetex": True,
    "font.size": 40.0,
    "axes.grid": True,
    "axes.linewidth": 9,
    "figure.dpi": 300,
    "axes.facecolor": "red",
}


@pytest.fixture
def foreign_settings():
    """Apply the foreign settings, and expect that they stay."""
    with mpl.rc_context(FOREIGN):
        yield
        assert {name: mpl.rcParams[name] for name in FOREIGN} == FOREIGN


def save(path: Path) -> bytes:
    return save_chart(BLOCK, path).read_bytes()


def draw_everywhere(folder: Path) -> list[object]:
    return [save(folder / "a.png"), chart_block(BLOCK), draw_in_window()]


@pytest.fixture
def expected(tmp_path, qapp):
    """Drawings with matplotlib's default settings."""
    return draw_everywhere(tmp_path)


def draw_in_window() -> bytes:
    view = GraphView(lambda task, then: then(task()), lambda _: None)
    view.resize(500, 400)
    view.show_graph(BLOCK)
    view.redraw()
    image = view.pixmap().toImage()
    assert (image.width(), image.height()) == (500, 400)
    return image.constBits().asstring(image.sizeInBytes())


def test_foreign_settings_change_nothing(expected, foreign_settings, tmp_path):
    warm_up()
    assert draw_everywhere(tmp_path) == expected


#: Program that imports a module, draws, and expects that the environment does not change.
DRAW = """
import importlib, os, sys
from pathlib import Path
importlib.import_module(sys.argv[1])
from test_matplotlib_settings import BLOCK, chart_block, save
save(Path("a.png")), save(Path("a.svg"))
Path("a.html").write_text(chart_block(BLOCK))
assert os.environ["MPLBACKEND"] == "nonsense"
"""


@pytest.mark.parametrize("module", ["ui.charts", "ui.page.inline_svg", "ui.window.theme", "tools.summarize.figures"])
def test_environment_and_file_change_nothing(module, tmp_path):
    (tmp_path / "matplotlibrc").write_text("".join(f"{name}: {value}\n" for name, value in FOREIGN.items()))
    path = os.pathsep.join(map(str, (ROOT, ROOT / "tests", ROOT / "tests" / "ui", Path(__file__).parent)))
    environment = {**os.environ, "MPLBACKEND": "nonsense", "PYTHONPATH": path}
    subprocess.run([sys.executable, "-c", DRAW, module], cwd=tmp_path, env=environment, check=True, timeout=PATIENCE)
    drawings = [(tmp_path / name).read_bytes() for name in ("a.png", "a.svg", "a.html")]
    assert drawings == [save(tmp_path / "b.png"), save(tmp_path / "b.svg"), str(chart_block(BLOCK)).encode()]


def test_second_thread_waits_for_the_settings(foreign_settings):
    inside = threading.Event()
    leave = threading.Event()

    def hold():
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
    assert mpl.rcParams["font.size"] == FOREIGN["font.size"]
