"""A report as text for the terminal: the headline, the table, and the accounting of all rows of the review log."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TextIO

from rich.console import Group, RenderableType
from rich.padding import Padding

from evaluator.report import AlgorithmResult, Report, Scope, sanitized
from tools.output.terminal import TABLE_WIDTH, WIDTH, bulleted, format_columns, grid, heading, paragraph, spaced, words
from ui.text import strings
from ui.text.errors import error_sentence
from ui.text.phrases import all_of
from ui.text.phrases import paragraph as paragraph_of
from ui.views import NAMES, load, table_text
from ui.views.advice import advice_line
from ui.views.headline import DETAILS, has_star, headline_text, links_to_workload, star_meaning
from ui.views.labels import row_label
from ui.views.metrics import SUMMED_UP, USUAL, VIEWS
from ui.views.scope import scope_sentences
from ui.views.view import Block


def render(report: Report, stream: TextIO | None = None, *, sections: Sequence[str] = ()) -> str:
    """Return the first screen as text for the stream, ending in a newline; ``sections`` follow, so no hint at them."""
    report = sanitized(report)
    headline = headline_text(report)
    parts: list[RenderableType | None] = [
        _sentences([paragraph_of(headline.heading, headline.aside), *headline.below]),
        _sentences([advice_line(report)]),
        paragraph("For reviews per day: --sections workload.")
        if links_to_workload(report) and "workload" not in sections
        else None,
        _table(report, table_text.first_table(report), USUAL),
        _legend(report),
        _sentences(_evaluated(report.scope)),
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


def _evaluated(scope: Scope) -> list[str]:
    """Return whose reviews were evaluated, how many, and unusual options."""
    whose, scored, _folds, *choices = scope_sentences(scope)
    return [whose, scored, *choices]


def _details(report: Report) -> list[RenderableType | None]:
    """Return the facts behind the answer, how it was evaluated, and more numbers of the best."""
    _whose, _scored, folds, *_choices = scope_sentences(report.scope)
    details = headline_text(report).details
    return [
        Group(paragraph(f"{DETAILS}:"), bulleted(details)) if details else None,
        _sentences([folds]),
        *_more_numbers(report),
    ]


def _table(
    report: Report, results: Sequence[AlgorithmResult], metrics: Sequence[str], most: int = WIDTH
) -> RenderableType:
    header = ["Algorithm", *(VIEWS[name].label for name in metrics)]
    rows = [[_name(report, result), *_numbers(result, metrics)] for result in results]
    return grid(header, rows, range(1, len(header)), most)


def _block(block: Block) -> list[RenderableType]:
    columns, rows = block.table.columns, block.table.rows
    numbers = [index for index, column in enumerate(columns) if column.number]
    table = [grid([column.name for column in columns], rows, numbers)] if rows else []
    sentences = [paragraph(sentence) for sentence in block.notes if sentence]
    caption = [paragraph(block.caption)] if block.caption else []
    return [*([heading(block.heading)] if block.heading else []), *caption, *table, *sentences]


def _name(report: Report, result: AlgorithmResult) -> str:
    return ("* " if has_star(report, result.algorithm) else "  ") + row_label(result.algorithm)


def _numbers(result: AlgorithmResult, metrics: Sequence[str]) -> list[str]:
    return [table_text.cell(result, name).replace("\N{NO-BREAK SPACE}", " ") for name in metrics]


def _legend(report: Report) -> Group:
    of_higher = [VIEWS[name].label for name in USUAL if VIEWS[name].better == "higher"]
    higher = f", except for {all_of(of_higher)}" if of_higher else ""
    star = star_meaning(report)
    legend = f"{f'* {star}. ' if star else ''}Lower is better{higher}."
    failed = [
        f"{row_label(result.algorithm)} could not be evaluated: {error_sentence(result.error)}"
        for result in report.results
        if result.error
    ]
    if any(result.error and result.error.code == "mistake" for result in report.results):
        failed.append("--traceback shows where in the code.")
    unfinished = [f"Not run: {', '.join(report.unfinished)}."] if report.unfinished else []
    return Group(*map(paragraph, [legend, *failed, *unfinished]))


def _more_numbers(report: Report) -> list[RenderableType | None]:
    """Return all rows and metrics, the remarks on single rows, and the verdict on the best."""
    best = next((result for result in report.results if result.algorithm == report.best), None)
    text = [sentence(best) for name in SUMMED_UP for sentence in VIEWS[name].details] if best else []
    return [
        Group(heading(strings.MORE_NUMBERS), _table(report, report.results, SUMMED_UP, TABLE_WIDTH)),
        _sentences(table_text.notes(report.results)),
        _sentences([f"{row_label(best.algorithm)}:", *filter(None, text)]) if best and any(text) else None,
    ]


def _funnel(report: Report) -> Group:
    rows = [(f"{step.rows:,}", strings.FUNNEL[step.step].name) for step in report.funnel if step.rows]
    whole = sum(step.rows for step in report.funnel)
    above = words(f"Of the {whole:,} {'row' if whole == 1 else 'rows'} of the review log:")
    return Group(above, Padding(grid((), rows, {0}), (0, 0, 0, 2)))


def _sentences(sentences: Iterable[str]) -> RenderableType | None:
    text = " ".join(sentences)
    return paragraph(text) if text else None
