"""Figures of a report: matplotlib, no Qt, no pyplot. Works in the terminal and inside Anki alike.

Each kind of graph is a file here with a function ``draw(figure, data, style, title, notes)``, which is imported when
one is drawn. :mod:`ui.views` decides what to draw.
"""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Callable, Iterable, List, Optional, Sequence

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..views.view import Block, Chart
    from .panels import Spot
    from .style import Style

#: A notebook sets it for every command to a backend that may not be installed here. matplotlib could then not be
#: imported, although no backend is needed.
_BACKEND = "MPLBACKEND"
if _BACKEND in os.environ and "matplotlib" not in sys.modules:
    _value = os.environ.pop(_BACKEND)
    with suppress(ImportError, ValueError):
        import_module("matplotlib").rcParams["backend"] = _value  # other add-ons may need it
    os.environ[_BACKEND] = _value

#: Size and resolution of a saved figure.
SIZE_INCHES = (6.8, 6.2)
DOTS_PER_INCH = 150
#: Letters larger than usual are made smaller until the figure is this many of them wide and high.
USUAL_SIZE, LETTERS_ACROSS, LINES_UP = 10.0, 36, 28
#: Maximum length of an algorithm in a file name, which may contain two and has at most 255 characters.
MAX_BYTES = 100


def draw(figure: Figure, chart: Chart, style: Style, *, title: str = "", notes: Sequence[str] = ()) -> List[Spot]:
    """Draw the chart, replacing what the figure showed. The title and the notes are for a graph shown alone.

    Returns:
        The columns that have a tooltip.
    """
    from matplotlib import rc_context

    across, up = (72 * inches for inches in (figure.get_figwidth(), figure.get_figheight()))
    largest = max(USUAL_SIZE, min(across / LETTERS_ACROSS, up / LINES_UP))
    style = replace(style, font_size=min(style.font_size, largest))
    with rc_context(style.settings()):
        spots: List[Spot] = import_module(f".{chart.kind}", __name__).draw(
            figure, chart.data, style, title=title, notes=notes
        )
    return spots


def save_charts(
    blocks: Iterable[Block], folder: Path, on_step: Callable[[float], object] = lambda _: None
) -> List[Path]:
    """Write the graphs of these blocks as PNG.

    ``on_step`` is called with the fraction done.

    Returns:
        The files written, in the same order. The folder is made if need be.
    """
    folder.mkdir(parents=True, exist_ok=True)
    requested, written = list(blocks), []
    # Names such as "My model" and "my_model" are alike.
    endings = ("", *(f"-{count}" for count in range(2, len(requested) + 2)))
    for number, block in enumerate(requested):
        on_step(number / len(requested))
        paths = (folder / f"{file_stem(block)}{ending}.png" for ending in endings)
        written.append(save_chart(block, next(path for path in paths if path not in written)))
    return written


def save_chart(block: Block, path: Path, style: Optional[Style] = None) -> Path:
    """Write one graph in the format of the path's ending (.png or .svg), and return the path."""
    with path.open("wb") as file:
        write_chart(block, file, path.suffix[1:].lower(), style)
    return path


def write_chart(block: Block, file: BinaryIO, kind: str, style: Optional[Style] = None) -> None:
    """Write one graph, with what it is of, as "png" or "svg". The same input gives the same bytes."""
    from matplotlib.figure import Figure

    from .fonts import with_fonts
    from .settings import own_settings
    from .style import LIGHT

    if block.chart is None:
        raise ValueError(f"{block.key} has no graph")
    with own_settings():
        figure = Figure(figsize=SIZE_INCHES, dpi=DOTS_PER_INCH)
        notes = (block.sentence, block.source)
        draw(figure, block.chart, style or with_fonts(LIGHT), title=block.title, notes=notes)
        if kind == "svg":
            figure.savefig(file, format=kind, metadata={"Date": None})
        else:
            # Half the time to compress it, for a file that is a tenth larger.
            small = {"compress_level": 3}
            figure.savefig(file, format=kind, dpi=DOTS_PER_INCH, metadata={"Software": None}, pil_kwargs=small)


def file_stem(block: Block) -> str:
    """Return a file name valid on every system, e.g. ``calibration-fsrs-6-vs-sm-2``, in any script."""
    names = [re.sub(r"[\W_]+", "-", name.lower()).encode()[:MAX_BYTES].decode(errors="ignore") for name in block.names]
    names = [name.strip("-") or "graph" for name in names]
    return "-".join([block.key, *(["-vs-".join(names)] if names else [])])
