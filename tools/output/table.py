"""Report as text for the terminal: the first screen, the table, the sections, and the row accounting."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil, copysign
from typing import TextIO

from rich.console import Group, RenderableType
from rich.padding import Padding

from evaluator.report import Report
from tools.output.terminal import (
    TABLE_WIDTH,
    WIDTH,
    bullets,
    format_columns,
    grid,
    heading,
    paragraph,
    stack,
    styled_text,
)
from ui.text import strings
from ui.text.error_sentences import error_sentence
from ui.text.phrases import all_of
from ui.text.sanitize import sanitize_report
from ui.views import NAMES, WITHOUT_SECTION, load, results_table_cells
from ui.views.finding_rows import COLUMNS, LEGEND, ListRow, list_rows, reach
from ui.views.finding_sentences import SIGNS, subject_title
from ui.views.first_screen import DETAILS, first_screen, links_to_workload, why_no_table
from ui.views.labels import row_label
from ui.views.metric_views import USUAL, VIEWS
from ui.views.results_table_cells import Row
from ui.views.scope_sentences import scope_sentences
from ui.views.view import Block, Column, Table

#: Number of characters from the middle of a strip to the farthest end of an interval.
_HALF_STRIP = 9


def render(report: Report, stream: TextIO | None, *, sections: Sequence[str] = ()) -> str:
    """Return the first screen as text for the stream.

    ``sections`` are the names of the sections that follow, to which the first screen does not point.
    """
    report = sanitize_report(report)
    texts = first_screen(report)
    below = "\n".join(filter(None, (texts.numbers, texts.advice)))
    cards, scored, _folds, *choices = scope_sentences(report)
    parts: list[RenderableType | None] = [
        heading(texts.heading),
        paragraph(below) if below else None,
        paragraph("For reviews per day: --sections workload.")
        if links_to_workload(report) and "workload" not in sections
        else None,
        _findings_list(list_rows(report)),
        *(_comparison(report) if report.has_table else [paragraph(why_no_table(report))]),
        _sentences([cards, scored, *choices]),
    ]
    return format_columns(stack([part for part in parts if part]), stream)


def render_sections(report: Report, sections: Sequence[str], stream: TextIO | None, *, page: bool) -> str:
    """Return the details and these sections as text for the stream.

    Without sections, return a hint on how to get them. It mentions graphs unless a web page is written (``page``).
    """
    report = sanitize_report(report)
    if not sections:
        graphs = " For graphs: --html report.html." if report.has_table and not page else ""
        hint = f"For details and more numbers: --sections quick.{graphs}"
        return format_columns(["", paragraph(hint)], stream)
    blocks = [block for name in NAMES if name in sections for block in load(name).of(report) or [_empty_block(name)]]
    details = stack([part for part in _details(report) if part])
    shown_sections = [part for block in blocks for part in ("", *_block(block))]
    return format_columns(["", *details, "", _row_accounting(report), *shown_sections], stream)


def _empty_block(name: str) -> Block:
    return Block(name, load(name).title, "None of the algorithms that were run has anything to show here.")


def _details(report: Report) -> list[RenderableType | None]:
    """Return the details of the first screen, a sentence on the folds, and the table of more metrics."""
    _cards, _scored, folds, *_choices = scope_sentences(report)
    details = first_screen(report).details
    return [
        Group(paragraph(f"{DETAILS}:"), bullets(details)) if details else None,
        _sentences([folds]),
        *(_more_numbers(report) if report.has_table else []),
    ]


def _comparison(report: Report) -> list[RenderableType | None]:
    """Return the title, the table of algorithms, and its legend."""
    table = _table(results_table_cells.rows(report), results_table_cells.columns())
    return [_sentences([subject_title(report)]), table, _legend(report)]


def _findings_list(rows: Sequence[ListRow]) -> RenderableType | None:
    """Return the list of findings with its legend, or None if it has no rows."""
    cells = [
        (
            f"{'  ' * row.level}{SIGNS[row.sign] or ' '} {row.name}",
            row.said,
            row.remembered,
            _strip(row, reach(rows)),
            row.tested,
            row.advice,
        )
        for row in rows
    ]
    return Group(*_block(Block("", "", table=Table(COLUMNS, tuple(cells)), notes=(LEGEND,)))) if rows else None


def _strip(row: ListRow, furthest: float) -> str:
    """Return a strip of characters for the gap between what was remembered and what FSRS said, with its interval.

    The middle means no gap. Other positions are rounded away from it. ``furthest`` is the gap that reaches its ends.
    """
    if row.strip is None:
        return row.no_strip
    low, value, high = (int(copysign(ceil(abs(end) / furthest * _HALF_STRIP), end)) for end in row.strip)
    marks = {0: "|", min(low, value - 1): "[", max(high, value + 1): "]", value: "*"}
    return "".join(marks.get(x, "=" if low < x < high else "-") for x in range(-_HALF_STRIP - 1, _HALF_STRIP + 2))


def _table(rows: Sequence[Row], columns: Sequence[Column], max_width: int = WIDTH) -> RenderableType:
    """Return the table of algorithms, with a gap below the row of the user's own parameters."""
    placeholders = [strings.NO_VALUE] * (len(columns) - 1)
    numbers = (placeholders if row.result.error else [cell.text for cell in row.cells] for row in rows)
    cells = [
        [f"{_replace_star(row.mark) or ' '} {row.label}", *(text.replace("\N{NO-BREAK SPACE}", " ") for text in texts)]
        for row, texts in zip(rows, numbers, strict=True)
    ]
    if len(rows) > 1 and rows[0].is_own:
        cells.insert(1, [""] * len(columns))
    return grid([column.name for column in columns], cells, range(1, len(columns)), max_width)


def _block(block: Block) -> list[RenderableType]:
    """Return the heading, the caption, the table and the sentences of a block. A chart is not shown."""
    columns = block.table.columns
    rows = block.table.rows
    numbers = [index for index, column in enumerate(columns) if column.number]
    table = [grid([column.name for column in columns], rows, numbers)] if rows else []
    sentences = [paragraph(sentence) for sentence in (*block.notes, *block.details) if sentence]
    caption = [paragraph(block.caption)] if block.caption else []
    return [*([heading(block.heading)] if block.heading else []), *caption, *table, *sentences]


def _replace_star(text: str) -> str:
    return text.replace(results_table_cells.STAR, "*")


def _legend(report: Report) -> Group:
    """Return the legend of the table, and sentences on algorithms without a result."""
    higher_is_better = [VIEWS[name].label for name in USUAL if VIEWS[name].better == "higher"]
    exception = f", except for {all_of(higher_is_better)}" if higher_is_better else ""
    rows = results_table_cells.rows(report)
    legend = " ".join(
        [
            *(f"{_replace_star(line).rstrip('.')}." for line in results_table_cells.legend(rows)),
            f"Lower is better{exception}.",
        ]
    )
    failures = [
        f"{row.label} could not be evaluated: {error_sentence(row.result.error)}" for row in rows if row.result.error
    ]
    if any(result.error and result.error.code == "mistake" for result in report.results):
        failures.append("--traceback shows where in the code.")
    unfinished = [f"Not run: {', '.join(map(row_label, report.unfinished))}."] if report.unfinished else []
    return Group(*map(paragraph, [legend, *failures, *unfinished]))


def _more_numbers(report: Report) -> list[RenderableType | None]:
    """Return a table of all algorithms and metrics, the notes on its rows, and the comparisons with the baseline."""
    rows = results_table_cells.rows(report, tuple(VIEWS))
    columns = results_table_cells.columns(tuple(VIEWS))
    tips = [
        [f"{row.label}:", *(cell.tip for cell in row.cells if cell.tip)] for row in rows if row.algorithm == report.best
    ]
    return [
        Group(heading(strings.MORE_NUMBERS), _table(rows, columns, TABLE_WIDTH)),
        _sentences(results_table_cells.notes(rows)),
        *(_sentences(" ".join(lines).split("\n")) for lines in tips if len(lines) > 1),
        *(Group(*_block(block)) for name in WITHOUT_SECTION for block in load(name).of(report)),
    ]


def _row_accounting(report: Report) -> Group:
    """Return the row accounting, in which every row of the review log is in one step."""
    rows = [(f"{step.rows:,}", strings.ROW_OUTCOMES[step.step].name) for step in report.funnel if step.rows]
    all_rows = sum(step.rows for step in report.funnel)
    introduction = styled_text(f"Of the {all_rows:,} {'row' if all_rows == 1 else 'rows'} of the review log:")
    return Group(introduction, Padding(grid((), rows, {0}), (0, 0, 0, 2)))


def _sentences(sentences: Iterable[str]) -> RenderableType | None:
    text = " ".join(sentences)
    return paragraph(text) if text else None
