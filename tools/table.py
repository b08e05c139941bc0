"""A report as text for the terminal: the verdict, the table, and where all rows of the review log went."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest

from evaluator.report import AlgorithmResult, Report, shown
from ui.text import strings
from ui.text.errors import error_sentence
from ui.text.lines import break_lines, cells, unbroken
from ui.views import NAMES, load, table_text
from ui.views.advice import advice_line
from ui.views.metrics import COLUMNS, VIEWS
from ui.views.scope import covered_sentence, scope_sentences
from ui.views.verdict import answer_sentences, has_star, star_meaning, star_order_sentence
from ui.views.view import Block, Column

#: Of text, and the most that a table takes, beyond which its cells are broken into lines.
WIDTH = 100
TABLE_WIDTH = 120
_GAP = 2


def render(report: Report) -> str:
    """The comparison and what was compared, as text ending in a newline."""
    report = shown(report)
    parts = [
        _paragraph(answer_sentences(report)),
        _wrapped(advice_line(report)),
        _table(report),
        _legend(report),
        _paragraph(scope_sentences(report.scope)),
        _funnel(report),
        *(_on_covered(report.on_covered, report) if report.on_covered else ()),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def render_sections(report: Report, sections: Sequence[str]) -> str:
    """These sections, which the report must have, as text: an empty line and a block for each."""
    report = shown(report)
    blocks = [block for name in sections if name in NAMES for block in load(name).of(report)]
    return "".join(f"\n{_block(block)}\n" for block in blocks)


def _table(report: Report) -> str:
    header = ["Algorithm", *(VIEWS[name].label for name in COLUMNS)]
    rows = [[_name(report, result), *_numbers(result)] for result in report.results]
    return _lines(header, rows, [False, *(True for _ in COLUMNS)])


def _on_covered(part: Report, whole: Report) -> tuple[str, ...]:
    return _wrapped(covered_sentence(whole)), _paragraph(answer_sentences(part)), _table(part), _legend(part)


def _block(block: Block) -> str:
    columns, rows = block.table.columns, block.table.rows
    lines = _lines([column.name for column in columns], rows, [column.number for column in columns]) if rows else ""
    words = _column_words(columns) if rows else []
    parts = [block.heading, _wrapped(block.caption), lines, *map(_wrapped, [*words, *block.notes])]
    return "\n".join(part for part in parts if part)


def _column_words(columns: Iterable[Column]) -> list[str]:
    """Explanations of columns whose names say too little, each once."""
    names: dict[str, list[str]] = {}
    for column in columns:
        if column.terse:
            names.setdefault(column.tip, []).append(column.name)
    return [f"{_joined(those)}: {tip}" for tip, those in names.items()]


def _lines(header: Sequence[str], rows: Sequence[Sequence[str]], number: Sequence[bool]) -> str:
    """A table as text: columns of text to the left, of numbers to the right, under a rule."""
    widths = _widths(header, rows, number)
    rule = "-" * (sum(widths) + _GAP * (len(widths) - 1))

    def lines(row: Sequence[str], *, at_bottom: bool) -> list[str]:
        broken = [_broken(cell, width) for cell, width in zip(row, widths, strict=True)]
        most = max(map(len, broken))
        if at_bottom:
            broken = [[*[""] * (most - len(cell)), *cell] for cell in broken]
        return [_line(line, widths, number) for line in zip_longest(*broken, fillvalue="")]

    body = [line for row in rows for line in lines(row, at_bottom=False)]
    return "\n".join([*lines(header, at_bottom=True), rule, *body])


def _line(texts: Sequence[str], widths: Sequence[int], number: Sequence[bool]) -> str:
    padded = (_padded(text, width, right) for text, width, right in zip(texts, widths, number, strict=True))
    return (" " * _GAP).join(padded).rstrip()


def _padded(text: str, width: int, right: bool) -> str:
    room = " " * (width - cells(text))
    return room + text if right else text + room


def _broken(cell: str, width: int) -> list[str]:
    return [cell] if cells(cell) <= width else break_lines(cell, width)


def _widths(header: Sequence[str], rows: Sequence[Sequence[str]], number: Sequence[bool]) -> list[int]:
    """Widths of the columns: as wide as their content; where the table would be too wide, long text is broken.

    Names in the first column stay whole, and so do numbers; their headers may be broken between words.
    """
    columns = list(zip(header, *rows, strict=True))
    widths = [max(map(cells, column)) for column in columns]
    least = [
        max(
            [
                *map(cells, below if place == 0 or right else ()),
                *(cells(part) for cell in (head, *below) for part in unbroken(cell)),
            ]
        )
        for place, ((head, *below), right) in enumerate(zip(columns, number, strict=True))
    ]
    while sum(widths) + _GAP * (len(widths) - 1) > TABLE_WIDTH:
        breakable = [place for place in range(len(widths)) if widths[place] > least[place]]
        if not breakable:
            break
        widths[max(breakable, key=widths.__getitem__)] -= 1
    return widths


def _name(report: Report, result: AlgorithmResult) -> str:
    mark = "* " if has_star(report, result.algorithm) else "  "
    in_sample = " (in-sample)" if result.in_sample and not result.error else ""
    return mark + result.algorithm + (" (baseline)" if result.algorithm == report.baseline else "") + in_sample


def _numbers(result: AlgorithmResult) -> list[str]:
    return [table_text.cell(result, name).replace("\N{NO-BREAK SPACE}", " ") for name in COLUMNS]


def _legend(report: Report) -> str:
    by_direction = {
        direction: _joined([VIEWS[name].label for name in COLUMNS if VIEWS[name].better == direction])
        for direction in ("lower", "higher")
    }
    star = star_meaning(report)
    legend = f"* {star}. " if star else ""
    legend += f"Lower is better: {by_direction['lower']}. Higher is better: {by_direction['higher']}."
    best = [
        by_chance(result)
        for result in report.results
        if result.algorithm == report.best
        for by_chance in VIEWS["rmse_bins"].details
    ]
    chance = [f"{report.best}: {sentence}" for sentence in best if sentence]
    in_sample = [result.algorithm for result in report.results if result.in_sample and not result.error]
    notes = [f"In-sample: {_joined(in_sample)} may have been fitted on these very reviews."] if in_sample else []
    notes += [f"{result.algorithm}: {strings.NOTES[result.note]}" for result in report.results if result.note]
    order = [sentence for sentence in [star_order_sentence(report)] if sentence]
    failed = [
        f"{result.algorithm} could not be evaluated: {error_sentence(result.error)}"
        for result in report.results
        if result.error
    ]
    unfinished = [f"Not run: {', '.join(report.unfinished)}."] if report.unfinished else []
    return "\n".join(_wrapped(line) for line in [legend, *order, *chance, *notes, *failed, *unfinished])


def _funnel(report: Report) -> str:
    rows = sum(step.rows for step in report.funnel)
    width = max(len(f"{step.rows:,}") for step in report.funnel)
    lines = [f"Of the {_count(rows, 'row')} of the review log:"]
    lines += [f"  {step.rows:>{width},}  {strings.FUNNEL[step.step].name}" for step in report.funnel if step.rows]
    return "\n".join(lines)


def _paragraph(sentences: Iterable[str]) -> str:
    return _wrapped(" ".join(sentences))


def _wrapped(text: str) -> str:
    return "\n".join(break_lines(text, WIDTH))


def _joined(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _count(n: int, noun: str) -> str:
    return f"{n:,} {noun if n == 1 else noun + 's'}"
