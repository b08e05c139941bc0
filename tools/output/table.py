"""A report as text for the terminal: the headline, the table, and the accounting of all rows of the review log."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TextIO

from rich.console import Group, RenderableType
from rich.padding import Padding

from evaluator.report import Report, sanitized
from tools.output.terminal import TABLE_WIDTH, WIDTH, bulleted, format_columns, grid, heading, paragraph, spaced, words
from ui.text import strings
from ui.text.errors import error_sentence
from ui.text.phrases import all_of
from ui.text.phrases import paragraph as paragraph_of
from ui.views import NAMES, load, table_text
from ui.views.advice import advice_line
from ui.views.headline import DETAILS, headline_text, links_to_workload
from ui.views.labels import row_label
from ui.views.metrics import SUMMED_UP, USUAL, VIEWS
from ui.views.scope import scope_sentences
from ui.views.table_text import Row
from ui.views.view import Block, Column


def render(report: Report, stream: TextIO | None = None, *, sections: Sequence[str] = ()) -> str:
    """Return the first screen as text for the stream. It does not hint at the ``sections`` that follow."""
    report = sanitized(report)
    headline = headline_text(report)
    whose, scored, _folds, *choices = scope_sentences(report.scope)
    parts: list[RenderableType | None] = [
        _sentences([paragraph_of(headline.heading, headline.aside), *headline.below]),
        _sentences([advice_line(report)]),
        paragraph("For reviews per day: --sections workload.")
        if links_to_workload(report) and "workload" not in sections
        else None,
        _table(table_text.rows(report), table_text.columns()),
        _legend(report),
        _sentences([whose, scored, *choices]),
    ]
    return format_columns(spaced([part for part in parts if part]), stream)


def render_sections(
    report: Report, sections: Sequence[str], stream: TextIO | None = None, *, page: bool = False
) -> str:
    """Render the details and these sections of the report as text for the stream, or how to get them."""
    report = sanitized(report)
    if not sections:
        hint = "For details and more numbers: --sections quick." + ("" if page else " For graphs: --html report.html.")
        return format_columns(["", paragraph(hint)], stream)
    blocks = [block for name in sections if name in NAMES for block in load(name).of(report) or [_nothing(name)]]
    details = spaced([part for part in _details(report) if part])
    return format_columns(
        ["", *details, "", _funnel(report), *(part for block in blocks for part in ("", *_block(block)))], stream
    )


def _nothing(name: str) -> Block:
    return Block(name, load(name).title, "None of the algorithms that were run has anything to show here.")


def _details(report: Report) -> list[RenderableType | None]:
    """Return the facts behind the answer, how it was evaluated, and more numbers of the best."""
    _whose, _scored, folds, *_choices = scope_sentences(report.scope)
    details = headline_text(report).details
    return [
        Group(paragraph(f"{DETAILS}:"), bulleted(details)) if details else None,
        _sentences([folds]),
        *_more_numbers(report),
    ]


def _table(rows: Sequence[Row], columns: Sequence[Column], most: int = WIDTH) -> RenderableType:
    none = [strings.NO_VALUE] * (len(columns) - 1)
    numbers = (none if row.result.error else [cell.text for cell in row.cells] for row in rows)
    cells = [
        [f"{_plain(row.mark) or ' '} {row.label}", *(text.replace("\N{NO-BREAK SPACE}", " ") for text in texts)]
        for row, texts in zip(rows, numbers, strict=True)
    ]
    return grid([column.name for column in columns], cells, range(1, len(columns)), most)


def _block(block: Block) -> list[RenderableType]:
    columns, rows = block.table.columns, block.table.rows
    numbers = [index for index, column in enumerate(columns) if column.number]
    table = [grid([column.name for column in columns], rows, numbers)] if rows else []
    sentences = [paragraph(sentence) for sentence in block.notes if sentence]
    caption = [paragraph(block.caption)] if block.caption else []
    return [*([heading(block.heading)] if block.heading else []), *caption, *table, *sentences]


def _plain(text: str) -> str:
    return text.replace(table_text.STAR, "*")


def _legend(report: Report) -> Group:
    of_higher = [VIEWS[name].label for name in USUAL if VIEWS[name].better == "higher"]
    higher = f", except for {all_of(of_higher)}" if of_higher else ""
    rows = table_text.rows(report)
    legend = " ".join(
        [*(f"{_plain(line).rstrip('.')}." for line in table_text.legend(rows)), f"Lower is better{higher}."]
    )
    failed = [
        f"{row.label} could not be evaluated: {error_sentence(row.result.error)}" for row in rows if row.result.error
    ]
    if any(result.error and result.error.code == "mistake" for result in report.results):
        failed.append("--traceback shows where in the code.")
    unfinished = [f"Not run: {', '.join(map(row_label, report.unfinished))}."] if report.unfinished else []
    return Group(*map(paragraph, [legend, *failed, *unfinished]))


def _more_numbers(report: Report) -> list[RenderableType | None]:
    """Return all rows and metrics, the remarks on single rows, and the verdict on the best."""
    rows, columns = table_text.rows(report, SUMMED_UP), table_text.columns(SUMMED_UP)
    text = [[f"{row.label}:", *(cell.tip for cell in row.cells if cell.tip)] for row in rows if row.best]
    return [
        Group(heading(strings.MORE_NUMBERS), _table(rows, columns, TABLE_WIDTH)),
        _sentences(table_text.notes(rows)),
        *(_sentences(" ".join(lines).split("\n")) for lines in text if len(lines) > 1),
    ]


def _funnel(report: Report) -> Group:
    rows = [(f"{step.rows:,}", strings.FUNNEL[step.step].name) for step in report.funnel if step.rows]
    all_rows = sum(step.rows for step in report.funnel)
    above = words(f"Of the {all_rows:,} {'row' if all_rows == 1 else 'rows'} of the review log:")
    return Group(above, Padding(grid((), rows, {0}), (0, 0, 0, 2)))


def _sentences(sentences: Iterable[str]) -> RenderableType | None:
    text = " ".join(sentences)
    return paragraph(text) if text else None
