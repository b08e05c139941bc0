"""The report as one HTML file that has no scripts and loads nothing.

The page has everything that the window shows. Tooltips and content shown on request are written out or folded. Equal
reports have identical pages.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Dict, Iterator, List, Sequence, Tuple

from ..science import SILENT, Progress
from ..text import _, language_code, strings
from ..text.phrases import add_label, list_of, paragraph
from ..text.sanitize import sanitize_report
from ..views import GRAPHS_SUMMARY, PAGES, load, results_table_cells
from ..views.finding_rows import COLUMNS, LEGEND, ListRow, list_rows, reach
from ..views.finding_sentences import SIGNS, subject_title
from ..views.first_screen import DETAILS, WORKLOAD_LINK, first_screen, links_to_workload, why_no_table
from ..views.graphs_view import report_graphs
from ..views.labels import row_label
from ..views.results_table_cells import Row
from ..views.row_accounting_table import row_accounting_table
from ..views.scope_sentences import scope_sentences
from ..views.view import Block, Column
from .markup import Html, element, elements, fold, join, slug
from .tables import column_meanings, notes, scroll_box, table_block, table_element, table_of

if TYPE_CHECKING:
    from evaluator.report import Report

HOW_MADE = _(
    "Made by {software} on one computer, without a network. The same version gives the same numbers for "
    "the same reviews. This file holds your results and the names of your decks and presets, but no card "
    "content and no individual reviews. It loads nothing from the network."
)


#: Finished graphs with their blocks, by the algorithms in them.
DrawnGraphs = Dict[Tuple[str, ...], List[Tuple[Block, Html]]]
#: Heading and content of a part of the page.
Part = Tuple[str, Html]

#: Half of the width of a strip, in pixels of its drawing.
_HALF_STRIP = 60
#: Height of a strip, in these pixels.
_STRIP_HEIGHT = 16
#: Policy by which the browser refuses scripts and external resources.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def page(report: Report, *, every_algorithm: bool = False, note: str = "", progress: Progress = SILENT) -> str:
    """Return the content of the HTML file.

    Args:
        report: the report to show.
        every_algorithm: whether to draw the graphs of every algorithm, not only those of the headline's.
        note: a sentence without which the results would be misunderstood, shown below the headline.
        progress: called before each graph with the share of the graphs that are finished.
    """
    # The import is here because matplotlib takes half a second to load.
    from .inline_svg import chart_block

    report = sanitize_report(report)
    # The graphs of sections are in the parts of their pages.
    all_blocks = report_graphs(report, every_algorithm=every_algorithm)
    graph_blocks = [block for block in all_blocks if block.names and report.has_table]
    first_chart = Html("")
    drawn: DrawnGraphs = {}
    for number, block in enumerate(graph_blocks):
        progress(number / len(graph_blocks))
        if number == 0:
            first_chart = chart_block(block, "h2", reading=block.reading)
        else:
            is_pair = len(block.names) > 1
            chart = chart_block(replace(block, heading=block.title), "h3") if is_pair else chart_block(block)
            drawn.setdefault(block.names, []).append((block, chart))
    result = join([_finding_list(report), _comparison(report, first_chart)])
    return _document(report, result, list(_parts(report, drawn, graph_blocks)), note)


def _parts(report: Report, drawn: DrawnGraphs, graph_blocks: Sequence[Block]) -> Iterator[Part]:
    """Yield the parts of the page that have content, in the order of the window's pages."""
    if report.has_table:
        yield from _parts_on_results(report, drawn, graph_blocks)
    yield _("What was evaluated"), _scope_part(report)
    yield _("How this was made"), element("p", HOW_MADE.format(software=report.software))


def _parts_on_results(report: Report, drawn: DrawnGraphs, graph_blocks: Sequence[Block]) -> Iterator[Part]:
    """Yield the graphs, a part for each page of the window, and the descriptions of the algorithms."""
    # The headline's graphs have these captions already, if they are drawn.
    summary = Html("") if (report.headline_algorithm,) in drawn else _view_blocks(GRAPHS_SUMMARY, report)
    if drawn or summary:
        reading = dict.fromkeys(sentence for block in graph_blocks[1:] for sentence in block.reading)
        new_reading = paragraph(*(sentence for sentence in reading if sentence not in graph_blocks[0].reading))
        columns = list(dict.fromkeys(column for block in graph_blocks for column in block.table.columns))
        graphs = join(_graphs(report, drawn))
        yield _("Graphs"), join([element("p", new_reading), graphs, column_meanings(columns), summary])
    for window_page in PAGES:
        all_blocks = {name: _view_blocks(name, report) for name in window_page.views}
        blocks_by_view = {name: blocks for name, blocks in all_blocks.items() if blocks}
        if blocks_by_view:
            questions = paragraph(*(load(name).question for name in blocks_by_view))
            yield window_page.title, join([elements("p", [questions]), *blocks_by_view.values()])
    rows = results_table_cells.rows(report, results_table_cells.all_metrics(report))
    yield _("More about the algorithms"), join(map(_describe_algorithm, rows))


def _finding_list(report: Report) -> Html:
    """Return the list of findings with its legend, or nothing if there is only one subject."""
    rows = list_rows(report)
    if not rows:
        return Html("")
    items = [_list_row(row, reach(rows), is_shown=row.index == report.subject) for row in rows]
    legend = notes([LEGEND.replace("*", "\N{BLACK CIRCLE}")])
    return join([table_element(COLUMNS, items, class_="list"), legend, column_meanings(COLUMNS)])


def _list_row(row: ListRow, furthest: float, *, is_shown: bool) -> Html:
    """Return a row of the list of findings.

    Args:
        row: the row.
        furthest: distance from the middle of a strip to its ends.
        is_shown: whether the page is about this row's subject.
    """
    strip = row.no_strip if row.strip is None else _strip([position / furthest for position in row.strip], row.tip)
    return element(
        "tr",
        element("th", _sign(row.sign), row.name, scope="row", class_="deck" if row.level else ""),
        *(element("td", text, class_="number") for text in (row.said, row.remembered)),
        element("td", strip),
        element("td", row.tested, class_="number"),
        element("td", row.advice),
        title=row.tip,
        aria_current="true" if is_shown else "",
    )


def _sign(sign: str) -> Html:
    """Return the sign before a verdict or a name, in its color and shape."""
    return join([element("span", SIGNS[sign], class_=f"sign {sign}"), " "])


def _strip(positions: Sequence[float], label: str) -> Html:
    """Draw the share remembered minus what FSRS said, with its interval.

    Args:
        positions: low end, value and high end, from -1 to 1. The middle of the strip is 0.
        label: accessible description.
    """
    middle = _STRIP_HEIGHT / 2
    # A margin of 5 pixels has room for the circle.
    low, value, high = (f"{(_HALF_STRIP - 5) * position + _HALF_STRIP:.1f}" for position in positions)
    lines = {
        "axis": f"M0 {middle}H{2 * _HALF_STRIP}",
        "middle": f"M{_HALF_STRIP} 0V{_STRIP_HEIGHT}",
        "bracket": f"M{low} {middle}H{high}M{low} 3h3h-3v10h3M{high} 3h-3h3v10h-3",
    }
    return element(
        "svg",
        *(element("path", d=line, class_=class_) for class_, line in lines.items()),
        element("circle", cx=value, cy=str(middle), r="3.5"),
        viewBox=f"0 0 {2 * _HALF_STRIP} {_STRIP_HEIGHT}",
        role="img",
        aria_label=label,
        class_="strip",
    )


def _comparison(report: Report, first_chart: Html) -> Html:
    """Return the tables and the first graph, or if there are too few reviews, a sentence that says so."""
    if not report.has_table:
        return element("p", why_no_table(report))
    not_run = strings.NOT_RUN.format(names=list_of(map(row_label, report.unfinished))) if report.unfinished else ""
    rows = results_table_cells.rows(report)
    table = _comparison_table(rows, results_table_cells.columns())
    subject = elements("h2", [subject_title(report)])
    legend = notes([*results_table_cells.legend(rows), not_run])
    first = element("div", subject, scroll_box(table, strings.TABLE_NAME), legend)
    return join([element("div", first, first_chart, class_="first"), _more_numbers(report)])


def _more_numbers(report: Report) -> Html:
    """Return the table with all metrics, folded."""
    metrics = results_table_cells.all_metrics(report)
    rows = results_table_cells.rows(report, metrics)
    columns = results_table_cells.columns(metrics)
    table = scroll_box(_comparison_table(rows, columns), strings.MORE_NUMBERS)
    return fold(strings.MORE_NUMBERS, table, column_meanings(columns), notes(results_table_cells.notes(rows)))


def _comparison_table(rows: Sequence[Row], columns: Sequence[Column]) -> Html:
    return table_element(columns, [_table_row(row, columns[1:]) for row in rows], class_="comparison")


def _table_row(row: Row, metrics: Sequence[Column]) -> Html:
    name = element("th", element("span", row.mark, class_="star"), row.label, scope="row", title=row.tip)
    if row.result.error:
        cells = [element("td", row.cells[0].text, colspan=str(len(metrics)), class_="failure")]
    else:
        cells = [
            element("td", cell.text, class_="number", title=cell.tip, data_label=metric.name)
            for metric, cell in zip(metrics, row.cells)
        ]
    classes = {"best": row.best, "own": row.is_own}
    return element("tr", name, *cells, class_=" ".join(class_ for class_, applies in classes.items() if applies))


def _describe_algorithm(row: Row) -> Html:
    """Return the tooltips of a row, folded under the algorithm's name. A line that several cells share appears once."""
    tips = [row.tip, *(cell.tip for cell in row.cells)]
    lines = [line for tip in tips for line in tip.split("\n")]
    return fold(row.label, elements("p", dict.fromkeys(lines)), class_="narrow-fold algorithm")


def _graphs(report: Report, drawn: DrawnGraphs) -> Iterator[Html]:
    """Yield the graphs of the headline's algorithm and of the pair, then those of each other algorithm, folded."""
    headline_names = (report.headline_algorithm,)
    for names in sorted(drawn, key=lambda names: (names != headline_names, len(names) == 1)):
        # The title of a graph of two algorithms names them.
        title = element("h3", row_label(names[0], report)) if len(names) == 1 else ""
        off = element("div", *(chart for block, chart in drawn[names] if not block.nothing_off), class_="charts")
        others = {_within_a_line(block.heading): chart for block, chart in drawn[names] if block.nothing_off}
        line = _("No group is clearly off: {graphs}").format(graphs=list_of(others))
        folded = fold(line, element("div", *others.values(), class_="charts")) if others else ""
        charts = join([off, folded])
        is_open = names == headline_names or len(names) > 1
        yield element("section", title, charts) if is_open else fold(title, charts, class_="other")


def _within_a_line(heading: str) -> str:
    """Return a heading without its capital, unless it begins with a name such as FSRS."""
    return heading[:1].lower() + heading[1:] if heading[1:2].islower() else heading


def _view_blocks(name: str, report: Report) -> Html:
    """Return the blocks of the view with this name, if it has any."""
    return join(map(_block_section, load(name).of(report)))


def _block_section(block: Block) -> Html:
    """Return the heading, the graph and the table of a block."""
    from .inline_svg import drawing

    heading = element("h3", block.heading)
    # A page break never divides a figure, so a printed graph stays with its heading.
    begin = heading if block.chart is None else element("figure", heading, drawing(block))
    return element("section", begin, table_block(block))


def _scope_part(report: Report) -> Html:
    """Return the sentences on what was evaluated, and the row accounting, which is folded."""
    block = Block("row-accounting", strings.ROW_ACCOUNTING, table=row_accounting_table(report.funnel))
    scope = element("p", paragraph(*scope_sentences(report)))
    return join([scope, fold(strings.ROW_ACCOUNTING, table_of(block), column_meanings(block.table.columns))])


def _document(report: Report, result: Html, parts: Sequence[Part], note: str) -> str:
    """Return the page with the headline, the result, links to the parts, and the parts, in this order."""
    texts = first_screen(report)
    workload_title = next(page.title for page in PAGES if "workload" in page.views)
    workload = workload_title if links_to_workload(report) and workload_title in dict(parts) else ""
    links = (element("li", element("a", title, href=f"#{slug(title)}")) for title, _unused in parts)
    sections = (element("section", element("h2", title), content, id=slug(title)) for title, content in parts)
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("meta", name="generator", content=report.software),
        element("title", add_label(strings.TITLE, texts.verdict)),
        element("style", Html(_style())),
    )
    body = element(
        "body",
        element(
            "header",
            element("p", strings.TITLE, class_="name"),
            element("h1", _sign(texts.sign) if texts.sign else "", texts.verdict),
            elements("p", [texts.numbers]),
            element("p", texts.advice, class_="advice") if texts.advice else "",
            elements("p", [note]),
            element("p", element("a", WORKLOAD_LINK, href=f"#{slug(workload)}")) if workload else "",
            fold(DETAILS, element("ul", elements("li", texts.details))) if texts.details else "",
        ),
        element("main", result, element("nav", element("ul", *links), aria_label=_("Contents")), *sections),
    )
    return f"<!DOCTYPE html>\n{element('html', head, body, lang=language_code())}\n"


def _style() -> str:
    """Return the style sheet, with the colors of the light and of the dark style."""
    from .inline_svg import palette

    sheet = Path(__file__).with_name("page.css").read_text(encoding="utf-8")
    for comment, index in (("/* day */", 0), ("/* night */", 1)):
        sheet = sheet.replace(comment, " ".join(f"{name}: {colors[index]};" for name, colors in palette().items()))
    return sheet
