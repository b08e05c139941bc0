"""All algorithms in one table, what its columns and signs mean, and what else there is to know of each row."""

from __future__ import annotations

from typing import TYPE_CHECKING, List

from ..text import _, strings
from ..text.phrases import listed
from ..views import table_text
from ..views.metrics import COLUMNS, VIEWS
from ..views.verdict import has_star, star_meaning
from .markup import Html, each, element, folded, joined
from .tables import definitions, header, notes, scrolling

if TYPE_CHECKING:
    from evaluator.report import AlgorithmResult, Report


def comparison(report: Report) -> Html:
    """The table of results, and all that stands below it."""
    not_run = [strings.NOT_RUN.format(names=listed(report.unfinished))] if report.unfinished else []
    small_print = [table_text.footnote(report.results), *not_run]
    return joined(
        [
            scrolling(_table(report), strings.TABLE_NAME),
            element("ul", each("li", table_text.signs(report)), class_="legend"),
            notes(small_print),
            definitions([(VIEWS[metric].label, table_text.header_tip(metric)) for metric in COLUMNS]),
            folded(
                _("More about each algorithm and its numbers"),
                element("dl", *(_about(result, report) for result in report.results)),
            ),
        ]
    )


def _table(report: Report) -> Html:
    head = [header(strings.COLUMN_ALGORITHM, number=False)]
    for metric in COLUMNS:
        name, _unused, better = table_text.header(metric).partition("\n")
        head.append(header(name, element("small", better), tip=table_text.header_tip(metric)))
    rows = [_row(result, report) for result in report.results]
    return element("table", element("thead", element("tr", *head)), element("tbody", *rows), class_="comparison")


def _row(result: AlgorithmResult, report: Report) -> Html:
    star = has_star(report, result.algorithm)
    sign = element("span", "★" if star else "", class_="star", title=star_meaning(report) if star else "")
    name = element("th", sign, table_text.name(result, report), scope="row", title=table_text.about(result))
    if result.error:
        cells = [element("td", table_text.failure(result), colspan=str(len(COLUMNS)), class_="failure")]
    else:
        cells = [
            element("td", table_text.cell(result, metric), class_="number", title=table_text.details(result, metric))
            for metric in COLUMNS
        ]
    return element("tr", name, *cells, class_="best" if result.algorithm == report.best else "")


def _about(result: AlgorithmResult, report: Report) -> Html:
    lines: List[str] = [table_text.failure(result), *table_text.about(result).split("\n")]
    for metric in COLUMNS:
        lines += table_text.details(result, metric).split("\n")
    lines += [strings.IN_SAMPLE_TIP] if table_text.knows_answers(result) else []
    lines += [strings.BASELINE_TIP] if result.algorithm == report.baseline else []
    return joined([element("dt", result.algorithm), element("dd", each("p", dict.fromkeys(lines)))])
