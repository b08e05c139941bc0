"""A chart as inline SVG in the page's colors and fonts, so that it suits light and dark, and paper.

matplotlib writes colors out. Those of the light style are replaced by the page's variables, which the style sheet sets
to the light or the dark style's.
"""

from __future__ import annotations

import io
import re
from dataclasses import fields
from typing import TYPE_CHECKING, Dict, Iterator, Sequence, Tuple

from ..charts import draw, file_stem  # isort: skip - before matplotlib
from matplotlib.figure import Figure

from ..charts.fonts import with_fonts
from ..charts.settings import own_settings
from ..charts.style import FALLBACK_FAMILY, LIGHT, NIGHT, Style
from ..text import _
from ..text.phrases import paragraph
from .markup import Html, element, elements, folded, joined
from .tables import table_of

if TYPE_CHECKING:
    from ..views.view import Block, Chart

#: Sizes, by the class that the style sheet shows where there is room for it: so the text is as large everywhere.
SIZES_INCHES = {"wide": (5.0, 4.5), "narrow": (3.4, 4.0)}
#: Font families: a first one that never changes, then those that the text needs.
_FACES = re.compile(f"'{FALLBACK_FAMILY}'(?:, '[^']*')*")
#: Names that matplotlib gives to groups, to which nothing refers.
_NAME = re.compile(r' id="[A-Za-z.]+(2d)?_\d+"')


def chart_block(block: Block, heading: str = "h4", *, reading: Sequence[str] = ()) -> Html:
    """Return the graph under its title, its sentences, and its numbers, which are folded.

    Args:
        block: what to show.
        heading: tag of the title.
        reading: how to read the graph, unless the page says that once for all graphs.
    """
    caption = elements("figcaption", [paragraph(*reading, block.caption, *block.notes)])
    return element(
        "section",
        element("figure", element(heading, block.heading), drawing(block), caption),
        folded(_("The numbers behind “{graph}”").format(graph=block.heading), table_of(block))
        if block.table.rows
        else "",
        class_="chart",
    )


def palette() -> Dict[str, Tuple[str, str]]:
    """Return each color of a style: its CSS variable, and its value by day and by night."""
    return {
        f"--{name}": (day, night) for (name, day), (_unused, night) in zip(_named_colors(LIGHT), _named_colors(NIGHT))
    }


def _named_colors(style: Style) -> Iterator[Tuple[str, str]]:
    for field in fields(style):
        value = getattr(style, field.name)
        for number, item in enumerate(value if isinstance(value, tuple) else (value,), start=1):
            if str(item).startswith("#"):
                yield (f"{field.name}-{number}" if isinstance(value, tuple) else field.name), item


def drawing(block: Block) -> Html:
    """Return the graph of the block once for each width, or nothing if it has none."""
    if block.chart is None:
        return Html("")
    return joined(_svg(block, block.chart, class_) for class_ in SIZES_INCHES)


def _svg(block: Block, chart: Chart, class_: str) -> Html:
    """Return the graph as SVG in the page's colors and fonts, with a tooltip for each column."""
    file = io.StringIO()
    # Letters are left to the browser: smaller, they can be searched and selected, and it has a font for each of them.
    with own_settings(svg_letters="none", salt=f"{file_stem(block)} {class_}"):
        figure = Figure(figsize=SIZES_INCHES[class_])
        spots = draw(figure, chart, with_fonts(LIGHT))
        figure.savefig(file, format="svg", metadata=dict.fromkeys(("Creator", "Date", "Format", "Type")))
    svg = _FACES.sub("var(--face)", file.getvalue())
    for name, (day, _night) in palette().items():
        svg = svg.replace(day, f"var({name})")
    content = _NAME.sub("", svg[svg.index("</defs>") + len("</defs>") : svg.rindex("</svg>")])  # without a style sheet
    width, height = (72 * inches for inches in SIZES_INCHES[class_])
    tips = [
        element(
            "rect",
            element("title", spot.tip),
            x=f"{spot.left * width:.1f}",
            y=f"{spot.top * height:.1f}",
            width=f"{(spot.right - spot.left) * width:.1f}",
            height=f"{(spot.bottom - spot.top) * height:.1f}",
        )
        for spot in spots
    ]
    return element(
        "svg",
        Html(re.sub(r"\s*\n\s*", " ", content).replace("> <", "><")),
        element("g", *tips, opacity="0"),
        viewBox=f"0 0 {width:g} {height:g}",
        role="img",
        aria_label=block.sentence or block.heading,
        class_=class_,
    )
