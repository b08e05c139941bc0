"""The comparison table as texts and tooltips, for the window, the page, the terminal and the clipboard."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Iterable, Iterator, List, Sequence, Tuple

from ..science import report as reports
from ..text import _, pgettext, strings
from ..text.error_sentences import error_sentence
from ..text.phrases import add_label, add_period, first_of, paragraph
from ..text.sanitize import escape_for_markdown, escape_for_spreadsheet
from .choices import parameters_and_inputs
from .labels import row_label
from .metric_views import MORE, USUAL, VIEWS
from .view import ALGORITHM, Column

if TYPE_CHECKING:
    from evaluator.report import AlgorithmResult, Report

#: Marks of two kinds of rows. :data:`LEGEND` explains them.
STAR = "\N{BLACK STAR}"
DAGGER = "\N{DAGGER}"
#: Code of the note on a row whose numbers look like a mistake.
_LOOKS_ODD = "certain"
#: Maximum number of presets that a note names.
_MAX_NAMES = 3

#: Texts on which values of a metric are better, by code.
BETTER = {"lower": _("Lower is better"), "higher": _("Higher is better"), "zero": _("Closer to 0 is better")}
#: Meanings of the marks.
LEGEND = {
    STAR: _("★ the best, or too close to call on these reviews."),
    DAGGER: _("† marks what may have been fitted to these reviews, and then looks better than it is."),
}


@dataclass(frozen=True)
class Cell:
    """A number as text, with a tooltip."""

    text: str
    tip: str = ""  #: sentences, each on a line of its own


@dataclass(frozen=True)
class Row:
    """The row of one algorithm."""

    result: AlgorithmResult
    label: str
    mark: str  #: :data:`STAR`, :data:`DAGGER`, or empty
    tip: str  #: description of the algorithm and of the row
    cells: Tuple[Cell, ...]  #: a cell for each metric, or only one with the error if the algorithm failed
    best: bool  #: whether the algorithm has the lowest log loss of all, once all are finished
    notes: Tuple[str, ...]  #: sentences on what is unusual about the row

    @property
    def algorithm(self) -> str:
        """The name of the algorithm in the catalog."""
        return self.result.algorithm

    @property
    def is_own(self) -> bool:
        """Whether it is the row of the user's parameters, which is first and set apart from the others."""
        return self.algorithm == reports.OWN


def columns(metrics: Sequence[str] = USUAL) -> Tuple[Column, ...]:
    """Return the column of the algorithm and those of the metrics."""
    return (ALGORITHM, *map(_metric_column, metrics))


def rows(report: Report, metrics: Sequence[str] = USUAL) -> List[Row]:
    """Return the rows in the order of the report, that of the user's parameters first."""
    unsorted_rows = [_row(result, report, metrics) for result in report.results]
    return sorted(unsorted_rows, key=lambda row: not row.is_own)


def all_metrics(report: Report) -> Tuple[str, ...]:
    """Return the metrics of the table with more numbers. A metric without any value is left out unless it is usual."""
    return (*USUAL, *(key for key in MORE if any(result.value(key) is not None for result in report.results)))


def legend(shown: Sequence[Row]) -> List[str]:
    """Return a sentence for each mark of these rows, and for each row whose numbers look like a mistake."""
    marks = {row.mark for row in shown}
    oddity_notes = [note for row in shown if row.result.note == _LOOKS_ODD for note in row.notes]
    return [*(meaning for mark, meaning in LEGEND.items() if mark in marks), *oddity_notes]


def notes(shown: Sequence[Row]) -> List[str]:
    """Return the notes on these rows that are not in their :func:`legend`."""
    return [note for row in shown if row.result.note != _LOOKS_ODD for note in row.notes]


def as_text(shown: Sequence[Row], metrics: Sequence[str]) -> str:
    """Return the table as tab-separated lines for spreadsheets, with a header and the notes."""
    note = escape_for_spreadsheet(_footnote(shown))
    return tab_separated(columns(metrics), _rows_to_copy(shown, metrics)) + (f"{note}\n" if note else "")


def tab_separated(headers: Sequence[Column], rows_of_text: Iterable[Sequence[str]]) -> str:
    """Return rows as tab-separated lines with a header, as spreadsheets take them."""
    lines = [[column.name for column in headers]]
    lines += (
        [cell if column.number else escape_for_spreadsheet(cell) for column, cell in zip(headers, row)]
        for row in rows_of_text
    )
    return "".join("\t".join(line) + "\n" for line in lines)


def as_markdown(shown: Sequence[Row], metrics: Sequence[str]) -> str:
    """Return the table as Markdown, with the notes. The row with the lowest log loss is bold."""
    lines = [[column.name for column in columns(metrics)], ["---", *("---:" for _unused in metrics)]]
    for row, texts in zip(shown, _rows_to_copy(shown, metrics)):
        cells = list(map(escape_for_markdown, texts))
        if row.best:
            cells[:2] = [f"**{text}**" for text in cells[:2]]
        lines.append(cells)
    note = escape_for_markdown(_footnote(shown))
    return "".join("| " + " | ".join(line) + " |\n" for line in lines) + (f"\n{note}\n" if note else "")


def _metric_column(metric: str) -> Column:
    view = VIEWS[metric]
    better = BETTER[view.better]
    return Column(view.label, paragraph(view.definition, add_period(better)), direction=better)


def _row(result: AlgorithmResult, report: Report, metrics: Sequence[str]) -> Row:
    """Return the row of an algorithm's result."""
    name = result.algorithm
    label = row_label(name, report)
    mark = STAR if name in report.best_set else ""
    if result.in_sample:
        mark = DAGGER
    remarks = tuple(_notes(result, label))
    failure = _("no result: {reason}").format(reason=error_sentence(result.error)) if result.error else ""
    return Row(
        result,
        label,
        mark,
        tip="\n".join(filter(None, (failure, *_tip_lines(result, report, mark, remarks)))),
        cells=(Cell(failure),) if failure else tuple(_cell(result, metric) for metric in metrics),
        best=name == report.best and not report.unfinished,
        notes=remarks,
    )


def _cell(result: AlgorithmResult, metric: str) -> Cell:
    """Return the cell with an algorithm's value of a metric, and with the notes on it."""
    value = result.value(metric)
    view = VIEWS[metric]
    sentences = filter(None, (sentence(result) for sentence in view.details))
    return Cell(strings.NO_VALUE if value is None else view.format_value(value), "\n".join(sentences))


def _notes(result: AlgorithmResult, label: str) -> Iterator[str]:
    """Yield sentences on what is unusual about an algorithm's row."""
    if result.note:
        yield add_label(label, strings.NOTES[result.note])
    if result.clipped:
        parts = [_("{title} ({count})").format(title=name, count=count) for name, count in result.clipped.items()]
        text = _("parameters clipped to FSRS's bounds, as in Anki: {parameters}.")
        yield add_label(label, text.format(parameters=first_of(parts, _MAX_NAMES)))


def _tip_lines(result: AlgorithmResult, report: Report, mark: str, remarks: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a row's tooltip. Empty ones are to be left out."""
    yield add_period(_(result.description))
    if result.family in {"SM-2", "Memrise"}:
        text = _(
            "It gives no probability. As in the benchmark, its interval is taken as the time until recall falls to 90%."
        )
        if result.algorithm == reports.ADJUSTED:
            text = _(
                "It gives no probability. Recall at the end of its interval, and how quickly it then falls, are "
                "adjusted to your earlier reviews."
            )
        yield text
    yield _("Family: {family}.").format(family=pgettext("family", result.family))
    yield parameters_and_inputs(result.trained, result.parameter_count, result.uses)
    yield from remarks
    if result.algorithm == report.best:
        yield _("The lowest log loss on these reviews.")
    yield LEGEND.get(mark, "")
    if result.algorithm == report.baseline:
        yield _("The baseline: the others are compared with it.")


def _rows_to_copy(shown: Sequence[Row], metrics: Sequence[str]) -> Iterator[List[str]]:
    """Yield the texts of each row, as many as there are columns."""
    for row in shown:
        name = f"{row.label} {DAGGER}" if row.mark == DAGGER else row.label
        cells = [name, *(cell.text for cell in row.cells)]
        yield [*cells, *[""] * (1 + len(metrics) - len(cells))]


def _footnote(shown: Sequence[Row]) -> str:
    """Return the meaning of the dagger, if there is one, and the notes on these rows."""
    footnotes = [LEGEND[DAGGER]] if any(row.mark == DAGGER for row in shown) else []
    return paragraph(*footnotes, *(note for row in shown for note in row.notes))
