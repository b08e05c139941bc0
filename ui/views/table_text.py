"""The table's cells as text, for the window and the clipboard alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, List, Sequence, Tuple

from ..science import escape_for_markdown, escape_for_spreadsheet
from ..text import _, pgettext, strings
from ..text.errors import error_sentence
from ..text.phrases import ended, first_of, labeled, paragraph
from .choices import facts
from .headline import has_star, star_meaning
from .labels import row_label
from .metrics import MORE, USUAL, VIEWS

if TYPE_CHECKING:
    from evaluator.report import AlgorithmResult, Report

#: Maximum number of presets that a note names.
_MAX_PRESETS = 3

BETTER = {"lower": _("Lower is better"), "higher": _("Higher is better"), "zero": _("Closer to 0 is better")}
#: How the intervals of the family SM-2 became probabilities.
_READ_AS_90 = _(
    "It gives no probability. As in the benchmark, its interval is taken as the time until recall falls to 90%."
)
_READ_AS_ADJUSTED = _(
    "It gives no probability. Recall at the end of its interval, and how quickly it then falls, are "
    "adjusted to your earlier reviews."
)


def cell(result: AlgorithmResult, metric: str) -> str:
    """Return the cell of an algorithm under a metric."""
    value = result.value(metric)
    return strings.NO_VALUE if value is None else VIEWS[metric].written(value)


def header(metric: str) -> str:
    """Return the metric's name, and on a second line which direction is better."""
    view = VIEWS[metric]
    return f"{view.label}\n{BETTER[view.better]}"


def header_tip(metric: str) -> str:
    """Return the meaning of the metric, and which direction is better."""
    view = VIEWS[metric]
    return paragraph(view.definition, ended(BETTER[view.better]))


def first_table(report: Report) -> Tuple[AlgorithmResult, ...]:
    """Return the rows of the first screen: those whose parameters cannot have been fitted to the scored reviews."""
    return tuple(result for result in report.results if not knows_answers(result)) or report.results


def all_metrics(report: Report) -> Tuple[str, ...]:
    """Return the metrics of the table with more numbers: the usual ones, and others that some row has."""
    return (*USUAL, *(key for key in MORE if any(result.value(key) is not None for result in report.results)))


def knows_answers(result: AlgorithmResult) -> bool:
    """Return whether the row's parameters may have been fitted to the scored reviews."""
    return result.in_sample and not result.error


def notes(results: Sequence[AlgorithmResult]) -> List[str]:
    """Return notes on these rows, a sentence each."""
    texts = []
    for result in results:
        name = row_label(result.algorithm)
        if knows_answers(result):
            texts.append(strings.MAY_BE_IN_SAMPLE.format(algorithm=name))
        if result.note:
            texts.append(labeled(name, strings.NOTES[result.note]))
        if result.clipped:
            parts = [strings.CLIPPED_PARAMETERS(count, preset=name) for name, count in result.clipped.items()]
            clipped = strings.CLIPPED.format(parameters=first_of(parts, _MAX_PRESETS))
            texts.append(labeled(name, clipped))
    return texts


def about(result: AlgorithmResult) -> str:
    """Return a description of the algorithm, in a few lines."""
    read_as = _READ_AS_ADJUSTED if result.algorithm == "Anki-SM-2 calibrated" else _READ_AS_90
    lines = [
        ended(_(result.description)),
        *([read_as] if result.family == "SM-2" else []),
        _("Family: {family}.").format(family=pgettext("family", result.family)),
        facts(trained=result.trained, parameter_count=result.parameter_count, uses=result.uses),
    ]
    return "\n".join([*lines, *notes([result])])


def about_row(result: AlgorithmResult, report: Report) -> List[str]:
    """Return a description of the algorithm, and the meaning of its row's signs."""
    parts = [failure(result), about(result)]
    if result.algorithm == report.best:
        parts.append(_("The lowest log loss here."))
    if has_star(report, result.algorithm):
        parts.append(strings.LEGEND_STAR.format(meaning=star_meaning(report)))
    if result.algorithm == report.baseline:
        parts.append(_("The baseline: the others are compared with it."))
    return [part for part in parts if part]


def details(result: AlgorithmResult, metric: str) -> str:
    """Return notes on an algorithm's value of a metric, a sentence a line; empty if there are none."""
    return "\n".join(filter(None, (sentence(result) for sentence in VIEWS[metric].details)))


def legend(report: Report) -> str:
    """Return what the star means; empty if no row has one."""
    star = star_meaning(report)
    return strings.LEGEND_STAR.format(meaning=star) if star else ""


def failure(result: AlgorithmResult) -> str:
    """Return why an algorithm has no numbers; empty if it has some."""
    return _("no result: {reason}").format(reason=error_sentence(result.error)) if result.error else ""


def as_text(_report: Report, results: Sequence[AlgorithmResult], metrics: Sequence[str] = USUAL) -> str:
    """Return tab-separated lines with a header, as spreadsheets take them; the notes last."""
    cells = (_cells(result, metrics) for result in results)
    rows = [_headers(metrics), *((escape_for_spreadsheet(name), *numbers) for name, *numbers in cells)]
    note = escape_for_spreadsheet(paragraph(*notes(results)))
    return "".join("\t".join(row) + "\n" for row in rows) + (f"{note}\n" if note else "")


def as_markdown(report: Report, results: Sequence[AlgorithmResult], metrics: Sequence[str] = USUAL) -> str:
    """Return a Markdown table, the lowest log loss in bold; the notes below."""
    rows: List[Tuple[str, ...]] = [_headers(metrics), ("---", *("---:" for _unused in metrics))]
    for result in results:
        cells = [escape_for_markdown(text) for text in _cells(result, metrics)]
        if result.algorithm == report.best:
            cells[:2] = [f"**{text}**" for text in cells[:2]]
        rows.append(tuple(cells))
    note = escape_for_markdown(paragraph(*notes(results)))
    return "".join("| " + " | ".join(row) + " |\n" for row in rows) + (f"\n{note}\n" if note else "")


def _headers(metrics: Sequence[str]) -> Tuple[str, ...]:
    return (strings.COLUMN_ALGORITHM, *(VIEWS[metric].label for metric in metrics))


def _cells(result: AlgorithmResult, metrics: Sequence[str]) -> Tuple[str, ...]:
    label = row_label(result.algorithm)
    if result.error:
        return (label, failure(result), *("" for _unused in metrics[1:]))
    return (label, *(cell(result, metric) for metric in metrics))
