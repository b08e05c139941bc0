"""How to read the graphs and the tables behind them: said once for all of them, not below each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Dict, List, Sequence, Tuple

from .. import strings
from .markup import Html, element
from .tables import column_words, definitions

if TYPE_CHECKING:
    from evaluator.report import Report

    from ..charts import Chart
    from ..tables import Column

#: Graphs with the algorithms in them.
Occasions = Sequence[Tuple["Chart", Sequence[str]]]


def how_to_read(report: Report, drawn: Occasions) -> Html:
    """Each sentence that several graphs would repeat, with the graphs that it is about."""
    found: Dict[str, List[str]] = {}
    for chart, algorithms in drawn:
        for words in chart.reading(report, algorithms):
            about = found.setdefault(words, [])
            title = chart.title if len(algorithms) < 2 else strings.PAGE_OF_TWO.format(graph=chart.title)
            if not {title, chart.title} & set(about):
                about.append(title)
    if not found:
        return Html("")
    pairs = [(", ".join(about), words) for words, about in found.items()]
    return element("section", element("h3", strings.PAGE_READING), definitions(pairs))


def what_columns_mean(report: Report, drawn: Occasions) -> Html:
    """Of all tables behind these graphs."""
    columns: Dict[Column, None] = {}
    for chart, algorithms in drawn:
        columns.update(dict.fromkeys(chart.table(report, algorithms).columns))
    return column_words(list(columns))
