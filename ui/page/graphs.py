"""All graphs, by what they are of: the pair that the verdict compares, each of the two, the best; the others folded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Dict, List, Sequence, Tuple

from ..text import _, pgettext
from .markup import Html, element, folded

if TYPE_CHECKING:
    from evaluator.report import Report

PAGE_PAIR = _("{first} and {second}, laid over each other")
PAGE_BASELINE = pgettext("heading", "{algorithm}, the baseline")
PAGE_BEST = _("{algorithm}, with the lowest log loss")
PAGE_OTHER_GRAPHS = _(
    "To see the graphs of the other algorithms, too, select them in the table of the window in Anki, or make this page "
    "by the command line with --graphs all."
)

#: The finished charts by the algorithms in them; by none: those about the whole report.
Drawn = Dict[Tuple[str, ...], List[Html]]


def graphs(report: Report, drawn: Drawn) -> List[Html]:
    """The graphs in parts: one for each algorithm, and one for the pair of the verdict."""
    verdict = report.verdict
    first = [name for name in (verdict.algorithm, report.baseline, report.best) if name]
    names = dict.fromkeys([*first, *(result.algorithm for result in report.results)])
    order = [pair for pair in drawn if len(pair) > 1] + [(name,) for name in names]
    return [_part(_title(asked, report), drawn[asked], shown=asked[0] in first) for asked in order if asked in drawn]


def others_wanted(report: Report, drawn: Drawn) -> str:
    """How to get the graphs of the other algorithms; empty where they are there."""
    others = any(not result.error and (result.algorithm,) not in drawn for result in report.results)
    return PAGE_OTHER_GRAPHS if others else ""


def _part(title: str, charts: Sequence[Html], *, shown: bool) -> Html:
    side_by_side = element("div", *charts, class_="charts")
    if shown:
        return element("section", element("h3", title), side_by_side)
    return folded(element("h3", title), side_by_side, class_="other")


def _title(asked: Sequence[str], report: Report) -> str:
    if len(asked) > 1:
        return PAGE_PAIR.format(first=asked[0], second=asked[1])
    if asked[0] == report.baseline:
        return PAGE_BASELINE.format(algorithm=asked[0])
    return PAGE_BEST.format(algorithm=asked[0]) if asked[0] == report.best else asked[0]
