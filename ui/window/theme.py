"""Anki's current theme as a style for figures."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from aqt import colors
from aqt.qt import QFontInfo
from aqt.theme import theme_manager

from ..charts.fonts import font_families, own_family
from ..charts.style import LIGHT, NIGHT, Style

if TYPE_CHECKING:
    from aqt.qt import QWidget


def current_style(widget: QWidget) -> Style:
    """Return the style with the theme's text color and the widget's font."""
    base = NIGHT if theme_manager.night_mode else LIGHT
    font = widget.font()
    return replace(
        base,
        text=theme_manager.qcolor(colors.FG).name(),
        font_families=(*own_family(font.family()), *font_families()),
        font_size=QFontInfo(font).pointSizeF(),
    )


def warm_up() -> None:
    """Import what drawing needs and draw text once, which reads fonts, and lists them the very first time.

    It takes long on any thread.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    from ..charts import calibration_chart  # noqa: F401 - imported for later
    from ..charts.matplotlib_settings import own_settings

    with own_settings():
        figure = Figure(figsize=(2, 2), dpi=50)
        canvas = FigureCanvasAgg(figure)
        figure.add_subplot().set_title("0 %", fontweight="bold", fontfamily=list(font_families()))
        canvas.draw()  # type: ignore[no-untyped-call]
