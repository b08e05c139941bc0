"""A chart as inline SVG in the page's colors and fonts: drawn once, it suits light and dark, and paper.

matplotlib writes colors out, so those of the light style are replaced by the page's variables, which the style sheet
sets to the light or the dark style's. A figure with other colors (a map of shades) is drawn once for each instead.
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
from .markup import Html, each, element, folded, joined
from .tables import table_of

if TYPE_CHECKING:
    from ..charts.panels import Spot
    from ..views.view import Block, Chart

#: Small, so that text stays readable on a narrow page.
SIZE_INCHES = (5.0, 4.6)
#: Distance from a point, in points of 1/72 inch, within which the mouse shows its tooltip.
_REACH = "6"
#: Font families: a first one that never changes, then those that the text needs.
_FACES = re.compile(f"'{FALLBACK_FAMILY}'(?:, '[^']*')*")
_COLOR = re.compile(r"#[0-9a-f]{6}\b")
_NAMED = re.compile(r' id="([^"]*)"')
_REFERENCE = re.compile(r'(?<=url\(#)[^)]+(?=\))|(?<=href="#)[^"]+(?=")')


def chart_block(block: Block, heading: str = "h4", *, reading: Sequence[str] = ()) -> Html:
    """Return the drawing with its title above; below it, what the graph says, and its numbers, folded.

    How to read it is added if given, otherwise once for all graphs, like the meaning of the columns.
    """
    caption = each("figcaption", [paragraph(*reading, block.caption, *block.notes)])
    return element(
        "section",
        element("figure", element(heading, block.heading), drawing(block), caption),
        folded(_("The numbers behind “{graph}”").format(graph=block.heading), table_of(block))
        if block.table.rows
        else "",
        class_="chart",
    )


def palette() -> Dict[str, Tuple[str, str]]:
    """Return every color of a style: its variable on the page, and its value by day and by night."""
    return {
        f"--{name}": (day, night) for (name, day), (_unused, night) in zip(_named_colors(LIGHT), _named_colors(NIGHT))
    }


def _named_colors(style: Style) -> Iterator[Tuple[str, str]]:
    for field in fields(style):
        value = getattr(style, field.name)
        values = value if isinstance(value, tuple) else (value,)
        for number, item in enumerate(values, start=1):
            if isinstance(item, str) and _COLOR.fullmatch(item):
                yield (f"{field.name}-{number}" if isinstance(value, tuple) else field.name), item


def drawing(block: Block) -> Html:
    """Return the graph of the block, if it has one."""
    if block.chart is None:
        return Html("")
    words, stem = block.sentence or block.heading, file_stem(block)
    day, spots = _svg(block.chart, with_fonts(LIGHT))
    variables = _variables()
    if set(_COLOR.findall(day)) <= set(variables):
        return _inline(_COLOR.sub(lambda color: variables[color[0]], day), spots, stem, words)
    night, _same = _svg(block.chart, with_fonts(NIGHT))
    return joined([_inline(day, spots, stem, words, "day"), _inline(night, spots, f"{stem}-night", words, "night")])


def _variables() -> Dict[str, str]:
    """Return the page's variable for each color of the light style; none for a color that stands for two at night."""
    result: Dict[str, Tuple[str, str]] = {}
    for name, (day, night) in palette().items():
        if day in result and result[day][1] != night:
            result[day] = ("", "")
        else:
            result.setdefault(day, (name, night))
    return {day: f"var({name})" for day, (name, _unused) in result.items() if name}


def _svg(chart: Chart, style: Style) -> Tuple[str, Sequence[Spot]]:
    written = io.StringIO()
    # Letters are left to the browser: smaller, they can be searched and selected, and it has a font for each of them.
    with own_settings(svg_letters="none"):
        figure = Figure(figsize=SIZE_INCHES)
        spots = draw(figure, chart, style)
        nothing = dict.fromkeys(("Creator", "Date", "Format", "Type"))
        figure.savefig(written, format="svg", metadata=nothing)
    return _FACES.sub("var(--face)", written.getvalue()), spots


def _inline(svg: str, spots: Sequence[Spot], stem: str, words: str, class_: str = "") -> Html:
    """Return the drawing as part of a page, with unique names and a tooltip over each point, without a style of its
    own.
    """
    box = re.search(r'viewBox="([^"]*)"', svg)
    if box is None:
        raise ValueError("matplotlib wrote an SVG without a viewBox")
    inside = svg[svg.index(">", box.end()) + 1 : svg.rindex("</svg>")]
    inside = re.sub(r"<style\b.*?</style>", "", inside, flags=re.DOTALL)
    inside = re.sub(r"\s*\n\s*", " ", inside).replace("> <", "><")
    names = {name: f"{stem}-{number}" for number, name in enumerate(dict.fromkeys(_REFERENCE.findall(inside)), 1)}
    inside = _NAMED.sub(lambda name: f' id="{names[name[1]]}"' if name[1] in names else "", inside)
    inside = _REFERENCE.sub(lambda name: names[name[0]], inside)
    width, height = map(float, box[1].split()[2:])
    tips = [
        element("circle", element("title", text), cx=f"{x * width:.1f}", cy=f"{y * height:.1f}", r=_REACH, opacity="0")
        for x, y, text in spots
    ]
    return element("svg", Html(inside), *tips, viewBox=box[1], role="img", aria_label=words, class_=class_)
