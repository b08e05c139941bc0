"""Figures of a report, drawn with matplotlib alone, so that they work in the terminal and inside Anki.

Each kind of graph is a file here, which ends in ``_chart`` and has a function ``draw(figure, data, style, title,
notes)``. It is imported when one is drawn. :mod:`ui.views` decides what to draw.
"""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Dict, List, Sequence

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..views.view import Block, Chart
    from .panels import Spot
    from .style import Style

#: Environment variable with matplotlib's backend. If a notebook has set it to one that is not installed here,
#: matplotlib cannot be imported, although no backend is needed.
_BACKEND = "MPLBACKEND"
if _BACKEND in os.environ and "matplotlib" not in sys.modules:
    _value = os.environ.pop(_BACKEND)
    # Set the backend after the import, because other add-ons may need it.
    with suppress(ImportError, ValueError):
        import_module("matplotlib").rcParams["backend"] = _value
    os.environ[_BACKEND] = _value

#: Size and resolution of a saved figure.
SIZE_INCHES = (6.8, 6.2)
DOTS_PER_INCH = 150
#: Font size in points above which text is made smaller until the figure has room for the two numbers below.
USUAL_SIZE = 10.0
#: Number of characters side by side.
CHARACTERS_PER_LINE = 36
#: Number of lines.
LINES_UP = 28
#: Maximum length of the name of an algorithm in a file name, in bytes. A file name may hold two of them.
MAX_BYTES = 100


def draw(figure: Figure, chart: Chart, style: Style, *, title: str = "", notes: Sequence[str] = ()) -> List[Spot]:
    """Draw the chart, replacing what the figure shows.

    Args:
        figure: where to draw.
        chart: what to draw.
        style: colors and font. In a small figure, the font is made smaller.
        title: title of a graph that is shown without other text.
        notes: sentences below the title.

    Returns:
        The columns that have a tooltip.
    """
    from matplotlib import rc_context

    width, height = (72 * inches for inches in (figure.get_figwidth(), figure.get_figheight()))
    max_font_size = max(USUAL_SIZE, min(width / CHARACTERS_PER_LINE, height / LINES_UP))
    style = replace(style, font_size=min(style.font_size, max_font_size))
    with rc_context(style.settings()):
        spots: List[Spot] = import_module(f".{chart.kind}_chart", __name__).draw(
            figure, chart.data, style, title=title, notes=notes
        )
    return spots


def save_chart(block: Block, path: Path) -> Path:
    """Write a graph in the format of the path's ending (.png or .svg), and return the path."""
    with path.open("wb") as file:
        write_chart(block, file, path.suffix[1:].lower())
    return path


def write_chart(block: Block, file: BinaryIO, kind: str) -> None:
    """Write a graph with its title, its notes and its source, in light colors. Equal input gives equal bytes.

    Args:
        block: the block, which must have a chart.
        file: where to write.
        kind: the format, "png" or "svg".

    Raises:
        ValueError: if the block has no chart.
    """
    from matplotlib.figure import Figure

    from .fonts import with_fonts
    from .matplotlib_settings import own_settings
    from .panels import draw_footer
    from .style import LIGHT

    if block.chart is None:
        raise ValueError(f"{block.key} has no graph")
    with own_settings():
        figure = Figure(figsize=SIZE_INCHES, dpi=DOTS_PER_INCH)
        style = with_fonts(LIGHT)
        draw(figure, block.chart, style, title=block.title, notes=[block.sentence])
        box = draw_footer(figure, block.source, style)
        options: Dict[str, Any] = {"metadata": {"Date": None}}
        if kind != "svg":
            # Compared with the default, this level takes half the time for a file that is a tenth larger.
            options = {"metadata": {"Software": None}, "pil_kwargs": {"compress_level": 3}}
        figure.savefig(file, format=kind, bbox_inches=box, **options)


def file_stem(block: Block) -> str:
    """Return a file name without ending that is valid on every system, e.g. ``calibration-fsrs-6-vs-sm-2``."""
    names = [re.sub(r"[\W_]+", "-", name.lower()).encode()[:MAX_BYTES].decode(errors="ignore") for name in block.names]
    stems = [name.strip("-") or "graph" for name in names]
    return f"{block.key}-{'-vs-'.join(stems)}" if stems else block.key
