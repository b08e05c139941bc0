"""The report as one HTML file: it needs no scripts and loads nothing. No Qt; the figures are matplotlib's.

Everything that the window shows is in it. What can only be seen by hovering or choosing there is written out or folded
here. The same report gives the same bytes.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Iterator, List, Sequence, Tuple

from ..science import SILENT, Progress
from ..science import report as reports
from ..text import _, code, ngettext, strings
from ..text.phrases import labelled, paragraph
from ..views import GLANCE, PAGES, load
from ..views.advice import advice_line
from ..views.funnel import funnel_table
from ..views.graphs import occasions
from ..views.scope import scope_sentences
from ..views.verdict import FIRST, answer_sentences
from ..views.view import Block
from .comparison import comparison
from .graphs import Drawn, graphs, others_wanted
from .markup import Html, each, element, folded, joined, slug
from .tables import column_words, definitions, table_block

if TYPE_CHECKING:
    from evaluator.report import Report

PAGE_COMPARISON = _("Result")
PAGE_GRAPHS = _("Graphs")
PAGE_FUNNEL = _("Where every row of the review log went")
PAGE_MADE = _("How this was made")
MADE = _(
    "By {software}, on one computer and without a network. The same version gives the same numbers for the same "
    "reviews. This file holds your results and the names of your decks and presets, but nothing that is written on "
    "your cards, and no single review. It loads nothing from anywhere."
)

#: A part of the page: its heading, and what stands below.
Part = Tuple[str, Html]

#: No scripts, nothing from elsewhere: the browser is asked to see to it.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def page(report: Report, *, of_each: bool = False, note: str = "", progress: Progress = SILENT) -> str:
    """The whole file, ending in a newline. Its graphs are those that :func:`ui.views.graphs.occasions` names.

    ``note`` stands below the verdict: what the reader must know of these reviews.
    """
    from .figures import chart_block  # matplotlib takes half a second to load

    report = reports.shown(report)
    wanted = [block for block in occasions(report, of_each=of_each) if block.names]
    drawn: Drawn = {}
    for number, block in enumerate(wanted):
        progress(number / len(wanted))
        drawn.setdefault(block.names, []).append(chart_block(block))
    return _document(report, list(_parts(report, drawn, wanted)), note)


def _parts(report: Report, drawn: Drawn, wanted: Sequence[Block]) -> Iterator[Part]:
    """The parts of the page that have something in them, in the order of the window."""
    yield _("What was evaluated"), element("p", paragraph(*scope_sentences(report.scope)))
    yield PAGE_COMPARISON, comparison(report)
    if drawn:
        yield (
            PAGE_GRAPHS,
            joined(
                [
                    _shown(GLANCE, report),
                    each("p", [others_wanted(report, drawn)]),
                    each("p", dict.fromkeys(words for block in wanted for words in block.reading)),
                    *graphs(report, drawn),
                    column_words(list(dict.fromkeys(column for block in wanted for column in block.table.columns))),
                ]
            ),
        )
    for of_window in PAGES:
        shown = {name: blocks for name in of_window.views if (blocks := _shown(name, report))}
        if shown:
            questions = paragraph(*(load(name).question for name in shown))
            yield of_window.title, joined([each("p", [questions]), *shown.values()])
    yield PAGE_FUNNEL, _funnel(report)
    yield PAGE_MADE, element("p", MADE.format(software=report.software))
    yield _("Glossary"), _glossary()


def _shown(name: str, report: Report) -> Html:
    """The blocks of that view, if any, each under its heading; a graph stands below its table."""
    from .figures import drawing

    return joined(
        element(
            "section",
            element("h3", block.heading),
            table_block(block),
            element("figure", drawing(block)) if block.chart is not None else "",
        )
        for block in load(name).of(report)
    )


def _funnel(report: Report) -> Html:
    rows = sum(step.rows for step in report.funnel)
    words = _(
        "Not every row of the review log can be predicted. This table accounts for each of the {rows}: {scored}."
    ).format(
        rows=ngettext("{count:,} row", "{count:,} rows", rows).format(count=rows),
        scored=ngettext("{count:,} was scored", "{count:,} were scored", report.scope.reviews).format(
            count=report.scope.reviews
        ),
    )
    return joined([element("p", words), table_block(Block("funnel", strings.FUNNEL_NAME, table=funnel_table(report)))])


def _glossary() -> Html:
    """The metrics are explained below the comparison."""
    return definitions(list(strings.GLOSSARY.values()))


def _document(report: Report, parts: List[Part], note: str = "") -> str:
    answer, *others = answer_sentences(report)
    first, why = [*others[:FIRST], *([note] if note else [])], others[FIRST:]
    advice = advice_line(report)
    contents = (element("li", element("a", title, href=f"#{slug(title)}")) for title, _unused in parts)
    sections = (element("section", element("h2", title), content, id=slug(title)) for title, content in parts)
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("meta", name="generator", content=report.software),
        element("title", labelled(strings.TITLE, answer)),
        element("style", Html(_style())),
    )
    body = element(
        "body",
        element(
            "header",
            element("p", strings.TITLE, class_="name"),
            element("h1", answer),
            each("p", first),
            element("p", advice, class_="advice") if advice else "",
            folded(_("Why?"), each("p", why)) if why else "",
        ),
        element("nav", element("ul", *contents), aria_label=_("Contents")),
        element("main", *sections),
    )
    return f"<!DOCTYPE html>\n{element('html', head, body, lang=code())}\n"


def _style() -> str:
    """The style sheet, with the colours of the figures by day and by night put in."""
    from .figures import palette

    sheet = Path(__file__).with_name("page.css").read_text(encoding="utf-8")
    for place, index in (("/* day */", 0), ("/* night */", 1)):
        sheet = sheet.replace(place, " ".join(f"{name}: {both[index]};" for name, both in palette().items()))
    return sheet
