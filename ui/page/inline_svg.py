"""Charts as inline SVG in the colors and fonts of the page, for light and dark screens and for paper.

matplotlib draws in the colors of the light style. Each of these is replaced by a CSS variable, whose value in the style
sheet is the color of the light or the dark style.
"""

from __future__ import annotations

import io
import re
from dataclasses import fields
from typing import TYPE_CHECKING, Dict, Iterator, Optional, Sequence, Tuple

from ..charts import draw, file_stem  # isort: skip - before matplotlib
from matplotlib.figure import Figure

from ..charts.fonts import with_fonts
from ..charts.matplotlib_settings import own_settings
from ..charts.style import FALLBACK_FAMILY, LIGHT, NIGHT, Style
from ..text import _
from ..text.phrases import paragraph
from .markup import Html, element, elements, fold, join
from .tables import table_of

if TYPE_CHECKING:
    from ..views.view import Block, Chart

#: Width and height by class. The style sheet shows only the class that fits the page, so letters have one size.
SIZES_INCHES = {"wide": (5.0, 4.5), "narrow": (3.4, 4.0)}
#: Font families in the SVG. The first is always the same, and the others depend on the text.
_FACES = re.compile(f"'{FALLBACK_FAMILY}'(?:, '[^']*')*")
#: Names that matplotlib gives to groups. Nothing refers to them.
_NAME = re.compile(r' id="[A-Za-z.]+(2d)?_\d+"')


def chart_block(block: Block, heading: str = "h4", *, reading: Optional[Sequence[str]] = None) -> Html:
    """Return a graph with its title, its caption, and its numbers, which are folded.

    Args:
        block: block of the graph.
        heading: tag of the title.
        reading: sentences on how to read the graph. With None, the page has them in another place, and the graph is
            folded on narrow screens.
    """
    title = element(heading, block.heading)
    caption = paragraph(*(reading or ()), block.caption, *block.notes)
    if reading is not None:
        content = join([title, drawing(block), elements("figcaption", [caption])])
    else:
        content = fold(join([title, elements("span", [caption])]), drawing(block), class_="narrow-fold")
    summary = _("The numbers behind “{graph}”").format(graph=block.heading)
    numbers = fold(summary, table_of(block)) if block.table.rows else ""
    return element("section", element("figure", content), numbers, class_="chart")


def palette() -> Dict[str, Tuple[str, str]]:
    """Return the color in the light and in the dark style of each CSS variable."""
    return {
        f"--{name}": (day, night) for (name, day), (_unused, night) in zip(_named_colors(LIGHT), _named_colors(NIGHT))
    }


def _named_colors(style: Style) -> Iterator[Tuple[str, str]]:
    """Yield the name and the value of each color. If a field has several colors, the names have numbers."""
    for field in fields(style):
        value = getattr(style, field.name)
        values = value if isinstance(value, tuple) else (value,)
        for number, item in enumerate(values, start=1):
            if str(item).startswith("#"):
                yield field.name if len(values) == 1 else f"{field.name}-{number}", item


def drawing(block: Block) -> Html:
    """Return the graph of the block in each size, or nothing if the block has no graph."""
    if block.chart is None:
        return Html("")
    return join(_svg(block, block.chart, class_) for class_ in SIZES_INCHES)


def _svg(block: Block, chart: Chart, class_: str) -> Html:
    """Return the graph as SVG in the page's colors and fonts, with a tooltip for each of its spots."""
    file = io.StringIO()
    # Letters remain text, because the browser has fonts for them, and users can search and select them.
    with own_settings(svg_letters="none", salt=f"{file_stem(block)} {class_}"):
        figure = Figure(figsize=SIZES_INCHES[class_])
        spots = draw(figure, chart, with_fonts(LIGHT))
        figure.savefig(file, format="svg", metadata=dict.fromkeys(("Creator", "Date", "Format", "Type")))
    svg = _FACES.sub("var(--face)", file.getvalue())
    for name, (day, _night) in palette().items():
        svg = svg.replace(day, f"var({name})")
    # The style sheet of matplotlib is dropped, because it would apply to the whole page.
    content = _NAME.sub("", svg[svg.index("</defs>") + len("</defs>") : svg.rindex("</svg>")])
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
