"""Get matplotlib's slow first time over with, on whatever thread this is called."""

from __future__ import annotations


def warm_up() -> None:
    """Import what drawing needs and draw text once, which reads fonts (and, the very first time, lists them)."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    from ..charts import calibration  # noqa: F401 - imported for later
    from ..charts.fonts import font_families
    from ..charts.settings import own_settings

    with own_settings():
        figure = Figure(figsize=(2, 2), dpi=50)
        canvas = FigureCanvasAgg(figure)
        figure.add_subplot().set_title("0 %", fontweight="bold", fontfamily=list(font_families()))
        canvas.draw()  # type: ignore[no-untyped-call]
