"""Summary as Markdown, and as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby

from evaluator.scope import WHOLE_DAY_TABLE
from tools.benchmark.results_format import METRICS
from tools.output.markdown import markdown_table
from tools.summarize.pairs import COMPARED, Pair
from tools.summarize.summary import WEIGHTINGS, Mean, Row, Summary
from ui.text.sanitize import escape_for_spreadsheet, sanitize_text
from ui.views.metric_views import COLUMNS, VIEWS
from ui.views.scope_sentences import TABLES

_MEANS_HEADER = ("Algorithm", "Parameters", "Inputs", *(VIEWS[name].label for name in COLUMNS))
#: Placeholder for a missing value.
NOTHING = "\N{EN DASH}"
#: Decimal logarithm of about the smallest p-value that a float holds.
MIN_EXPONENT = -300


def markdown(summary: Summary) -> str:
    """Return the summary as Markdown. The failures are only in the CSV and the JSON."""
    parts = ["# Algorithms compared over many collections", basis(summary)]
    for title, create_table in (("Means", table), ("More means", more_metrics_table)):
        for weighting in WEIGHTINGS:
            parts += [f"## {title}, {weighting}", create_table(summary, weighting)]
    return "\n\n".join([*parts, *_matrices(summary)]) + "\n"


def _matrices(summary: Summary) -> Iterator[str]:
    """Yield the headings, the explanations and the matrices of all pairs, metric by metric."""
    for metric, pairs in summary.pairs_by_metric.items():
        word = COMPARED[metric]
        yield f"## How often the row has the {VIEWS[metric].better} {word} than the column"
        yield "In percent of the collections that both have a result of; equal ones count half."
        yield _matrix(
            summary, pairs, lambda pair: NOTHING if pair.superiority is None else f"{100 * pair.superiority:.1f}"
        )
        yield f"## Effect size and p-value of the row against the column by {word}"
        yield _effect_words(summary, word)
        yield _matrix(
            summary, pairs, lambda pair: f"{_signed(pair.effect) if pair.is_significant else NOTHING} ({_p(pair)})"
        )


def basis(summary: Summary) -> str:
    """Return sentences on the collections that the means are over, and on those left out."""
    total = summary.collections + summary.incomplete + summary.unequal
    collections = _collections(total)
    reviews = f"{summary.all_reviews:,}"
    if summary.collections < total:
        collections = f"{summary.collections:,} of {collections}"
        reviews = f"{summary.reviews:,} of {reviews}"
    sentences = [] if summary.table == WHOLE_DAY_TABLE else [TABLES[summary.table]]
    sentences += [f"Means over {collections} ({reviews} scored reviews), the same for every algorithm."]
    means = [mean for row in summary.rows for mean in row.means[WEIGHTINGS[0]].values() if mean is not None]
    if any(mean.low is not None for mean in means):
        sentences.append(
            f"In parentheses: {100 * summary.confidence:g}% confidence intervals (BCa bootstrap over collections, "
            f"{summary.resamples:,} resamples, seed {summary.seed})."
        )
    else:
        sentences.append("There are too few collections for confidence intervals.")
    if summary.incomplete:
        fewest = min(summary.rows, key=lambda row: row.results)
        sentences.append(
            f"Left out: {_collections(summary.incomplete)} on which some algorithm has no result "
            f"(fewest results: {fewest.algorithm}, {fewest.results:,}; --without leaves an algorithm out)."
        )
    if summary.unequal:
        oddest = max(summary.rows, key=lambda row: row.odd)
        sentences.append(
            f"Left out: {_collections(summary.unequal)} on which the algorithms were scored on different reviews "
            f"({oddest.algorithm} most often on others, {oddest.odd:,})."
        )
    if summary.unreadable:
        sentences.append(f"Of {_collections(summary.unreadable)} no algorithm has a result.")
    if summary.without_results:
        sentences.append(f"Without a result on any collection: {', '.join(summary.without_results)}.")
    return sanitize_text(" ".join(filter(None, [*sentences, summary.note])))


def short_text(summary: Summary) -> str:
    """Return the basis and the first table."""
    return f"{basis(summary)}\n\nMeans, {WEIGHTINGS[0]}:\n\n{table(summary, WEIGHTINGS[0])}\n"


def table(summary: Summary, weighting: str) -> str:
    """Return a Markdown table of the means, with a row for each algorithm, the best first."""
    rows = [
        [
            row.label,
            NOTHING if row.parameters is None else f"{row.parameters:,}",
            _inputs(row),
            *(_mean(row.means[weighting][key]) for key in COLUMNS),
        ]
        for row in summary.rows
    ]
    return markdown_table(_MEANS_HEADER, rows, text_columns=(0, 2))


def more_metrics_table(summary: Summary, weighting: str) -> str:
    """Return a Markdown table of the metrics that are not in :func:`table`."""
    names = [name for name in METRICS if name not in COLUMNS]
    rows = [[row.label, *(_mean(row.means[weighting][name]) for name in names)] for row in summary.rows]
    return markdown_table(["Algorithm", *(VIEWS[name].label for name in names)], rows)


def means_csv(summary: Summary) -> str:
    """Return a CSV with a line for each algorithm, weighting and metric."""
    header = ("algorithm", "parameters", "inputs", "in_sample", "weighting", "metric", "mean", "low", "high")
    lines = (
        (
            row.algorithm,
            row.parameters,
            _inputs(row),
            int(row.in_sample),
            weighting,
            metric,
            mean.value,
            mean.low,
            mean.high,
            mean.collections,
        )
        for row in summary.rows
        for weighting, by_metric in row.means.items()
        for metric, mean in by_metric.items()
        if mean is not None
    )
    return _csv((*header, "collections"), lines)


def pairs_csv(summary: Summary) -> str:
    """Return a CSV with a line for each ordered pair of algorithms."""
    return _csv(tuple(Pair.__dataclass_fields__), (tuple(vars(pair).values()) for pair in summary.pairs))


def failures_csv(summary: Summary) -> str:
    """Return a CSV with a line for each failure. The algorithm is empty if the collection itself failed."""
    return _csv(
        ("collection", "algorithm", "error"),
        ((failure.collection, failure.algorithm, failure.error) for failure in summary.failures),
    )


def _matrix(summary: Summary, pairs: Sequence[Pair], cell: Callable[[Pair], str]) -> str:
    """Return a matrix of all pairs as a Markdown table. The columns are named by the numbers of the rows."""
    rows = []
    # The pairs are sorted like the rows.
    pairs_by_row = groupby(pairs, key=lambda pair: pair.algorithm)
    for number, (row, (_, pairs_of_row)) in enumerate(zip(summary.rows, pairs_by_row, strict=True)):
        cells = [cell(pair) for pair in pairs_of_row]
        rows.append([f"{number + 1}. {row.label}", *cells[:number], "", *cells[number:]])
    return markdown_table(["", *(str(n + 1) for n in range(len(rows)))], rows)


def _effect_words(summary: Summary, word: str) -> str:
    """Return the explanation of the matrix of effects."""
    return (
        f"Effect size r of Wilcoxon's signed-rank test by {word}, collection by collection: + where the row is "
        f"better, \N{MINUS SIGN} where it is worse, {NOTHING} where p is above {summary.level:g}. 0.1 is a small "
        "effect, 0.3 a medium one, 0.5 a large one. In parentheses: p after Holm's correction for the number of pairs."
    )


def _p(pair: Pair) -> str:
    """Format the corrected p-value, which may be too small for a float."""
    exponent = pair.log10_p_holm
    return f"{10**exponent:.2g}" if exponent > MIN_EXPONENT else f"1e{exponent:.0f}"


def _inputs(row: Row) -> str:
    return ", ".join(row.inputs) if row.inputs is not None else ""


def _mean(mean: Mean | None) -> str:
    """Format a mean and its interval, if there is one."""
    if mean is None:
        return NOTHING
    if mean.low is None or mean.high is None:
        return f"{mean.value:.4f}"
    return f"{mean.value:.4f} ({mean.low:.4f}{NOTHING}{mean.high:.4f})"


def _signed(value: float) -> str:
    return f"{value:+.2f}".replace("-", "\N{MINUS SIGN}")


def _collections(count: int) -> str:
    return f"{count:,} collection{'' if count == 1 else 's'}"


def _csv(header: Sequence[str], lines: Iterable[Sequence[object]]) -> str:
    """Return the text of a CSV file."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([_csv_cell(cell) for cell in line] for line in lines)
    return text.getvalue()


def _csv_cell(cell: object) -> object:
    """Return a float with nine digits, and a text such that no spreadsheet takes it for a formula."""
    if isinstance(cell, float):
        return f"{cell:.9g}"
    return escape_for_spreadsheet(cell) if isinstance(cell, str) else cell
