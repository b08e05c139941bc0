"""The comparison table as text, with tooltips and marks, for the window, the page, the terminal and the clipboard."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Iterator, List, Sequence, Tuple

from ..science import escape_for_markdown, escape_for_spreadsheet
from ..science import report as reports
from ..text import _, pgettext, strings
from ..text.errors import error_sentence
from ..text.phrases import ended, first_of, labeled, paragraph
from .choices import facts
from .labels import row_label
from .metrics import MORE, USUAL, VIEWS
from .view import ALGORITHM, Column

if TYPE_CHECKING:
    from evaluator.report import AlgorithmResult, Report

#: Marks of rows: of the best and those too close to call, and of those that may have been fitted to these reviews.
STAR, DAGGER = "\N{BLACK STAR}", "\N{DAGGER}"
#: Code of the note on a row whose numbers look like a mistake.
_LOOKS_ODD = "certain"
#: Maximum number of presets that a note names.
_MAX_PRESETS = 3

#: Which direction is better, by code.
BETTER = {"lower": _("Lower is better"), "higher": _("Higher is better"), "zero": _("Closer to 0 is better")}
#: Sentences on how the intervals of SM-2 become probabilities.
_READ_AS_90 = _(
    "It gives no probability. As in the benchmark, its interval is taken as the time until recall falls to 90%."
)
_READ_AS_ADJUSTED = _(
    "It gives no probability. Recall at the end of its interval, and how quickly it then falls, are "
    "adjusted to your earlier reviews."
)
#: Meanings of the marks.
LEGEND = {
    STAR: _("★ marks the best algorithm, or one too close to call."),
    DAGGER: _("† marks what may have been fitted to these reviews, and then looks better than it is."),
}


@dataclass(frozen=True)
class Cell:
    """A number as text, and notes on it, one sentence a line."""

    text: str
    tip: str = ""


@dataclass(frozen=True)
class Row:
    """One algorithm in the table."""

    result: AlgorithmResult
    label: str
    mark: str  #: :data:`STAR`, :data:`DAGGER`, or empty
    tip: str  #: description of the algorithm, and of what the row shows
    cells: Tuple[Cell, ...]  #: one for each metric, or a single one with the reason if the algorithm failed
    best: bool  #: whether it has the lowest log loss
    notes: Tuple[str, ...]  #: sentences

    @property
    def algorithm(self) -> str:
        """Name in the catalog."""
        return self.result.algorithm


def columns(metrics: Sequence[str] = USUAL) -> Tuple[Column, ...]:
    """Return the columns of the table: the algorithm, then these metrics."""
    return (ALGORITHM, *map(_metric_column, metrics))


def rows(report: Report, metrics: Sequence[str] = USUAL) -> List[Row]:
    """Return the rows in the order of the report. Those that may have been fitted to these reviews come last."""
    unsorted_rows = [_row(result, report, metrics) for result in report.results]
    return sorted(unsorted_rows, key=lambda row: row.mark == DAGGER)


def all_metrics(report: Report) -> Tuple[str, ...]:
    """Return the metrics of the table with more numbers: the usual ones, and others that a row has."""
    return (*USUAL, *(key for key in MORE if any(result.value(key) is not None for result in report.results)))


def legend(shown: Sequence[Row]) -> List[str]:
    """Explain the marks of these rows, and numbers that look like mistakes, one line each."""
    marks = {row.mark for row in shown}
    odd = [note for row in shown if row.result.note == _LOOKS_ODD for note in row.notes]
    return [*(meaning for mark, meaning in LEGEND.items() if mark in marks), *odd]


def notes(shown: Sequence[Row]) -> List[str]:
    """Return the other notes on these rows."""
    return [note for row in shown if row.result.note != _LOOKS_ODD for note in row.notes]


def as_text(shown: Sequence[Row], metrics: Sequence[str] = USUAL) -> str:
    """Return the table as tab-separated lines with a header, as spreadsheets take them, and the notes."""
    header, *rows_to_copy = _rows_to_copy(shown, metrics)
    lines = [header, *([escape_for_spreadsheet(name), *cells] for name, *cells in rows_to_copy)]
    note = escape_for_spreadsheet(_footnote(shown))
    return "".join("\t".join(line) + "\n" for line in lines) + (f"{note}\n" if note else "")


def as_markdown(shown: Sequence[Row], metrics: Sequence[str] = USUAL) -> str:
    """Return the table as Markdown with the lowest log loss in bold, and the notes."""
    header, *rows_to_copy = _rows_to_copy(shown, metrics)
    lines = [header, ["---", *("---:" for _unused in metrics)]]
    for row, texts in zip(shown, rows_to_copy):
        cells = list(map(escape_for_markdown, texts))
        if row.best:
            cells[:2] = [f"**{text}**" for text in cells[:2]]
        lines.append(cells)
    note = escape_for_markdown(_footnote(shown))
    return "".join("| " + " | ".join(line) + " |\n" for line in lines) + (f"\n{note}\n" if note else "")


def _metric_column(metric: str) -> Column:
    view = VIEWS[metric]
    better = BETTER[view.better]
    return Column(view.label, paragraph(view.definition, ended(better)), direction=better)


def _row(result: AlgorithmResult, report: Report, metrics: Sequence[str]) -> Row:
    label, name = row_label(result.algorithm, report), result.algorithm
    mark = DAGGER if result.in_sample and not result.error else STAR if name in (report.best_set or ()) else ""
    remarks = tuple(_notes(result, label))
    failure = _("no result: {reason}").format(reason=error_sentence(result.error)) if result.error else ""
    return Row(
        result,
        label,
        mark,
        tip="\n".join(filter(None, (failure, *_tip_lines(result, report, mark, remarks)))),
        cells=(Cell(failure),) if failure else tuple(_cell(result, metric) for metric in metrics),
        best=name == report.best,
        notes=remarks,
    )


def _cell(result: AlgorithmResult, metric: str) -> Cell:
    value, view = result.value(metric), VIEWS[metric]
    details = filter(None, (sentence(result) for sentence in view.details))
    return Cell(strings.NO_VALUE if value is None else view.written(value), "\n".join(details))


def _notes(result: AlgorithmResult, label: str) -> Iterator[str]:
    if result.note:
        yield labeled(label, strings.NOTES[result.note])
    if result.clipped:
        parts = [strings.CLIPPED_PARAMETERS(count, preset=name) for name, count in result.clipped.items()]
        yield labeled(label, strings.CLIPPED.format(parameters=first_of(parts, _MAX_PRESETS)))


def _tip_lines(result: AlgorithmResult, report: Report, mark: str, remarks: Sequence[str]) -> Iterator[str]:
    """Yield what the algorithm is and what its row shows, one line each, of which some are empty."""
    yield ended(_(result.description))
    if result.family == "SM-2":
        yield _READ_AS_ADJUSTED if result.algorithm == reports.ADJUSTED else _READ_AS_90
    yield _("Family: {family}.").format(family=pgettext("family", result.family))
    yield facts(result.trained, result.parameter_count, result.uses)
    yield from remarks
    if result.algorithm == report.best:
        yield _("The lowest log loss here.")
    yield LEGEND.get(mark, "")
    if result.algorithm == report.baseline:
        yield _("The baseline: the others are compared with it.")


def _rows_to_copy(shown: Sequence[Row], metrics: Sequence[str]) -> Iterator[List[str]]:
    """Yield the header and each row with a text for each column."""
    yield [column.name for column in columns(metrics)]
    for row in shown:
        name = f"{row.label} {DAGGER}" if row.mark == DAGGER else row.label
        cells = [name, *(cell.text for cell in row.cells)]
        yield [*cells, *[""] * (1 + len(metrics) - len(cells))]


def _footnote(shown: Sequence[Row]) -> str:
    footnotes = [LEGEND[DAGGER]] if any(row.mark == DAGGER for row in shown) else []
    return paragraph(*footnotes, *(note for row in shown for note in row.notes))
