"""The table's cells as text, for the window and the clipboard alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, List, Sequence, Tuple

from ..science import in_markdown, in_spreadsheet
from ..text import _, pgettext, strings
from ..text.errors import error_sentence
from ..text.phrases import ended, first_of, labelled, paragraph
from .choices import facts
from .headline import has_star, star_meaning
from .metrics import USUAL, VIEWS

if TYPE_CHECKING:
    from evaluator.report import AlgorithmResult, Report

#: Maximum number of presets that a note names.
_MAX_PRESETS = 3

LEGEND_BEST = _("bold: lowest log loss")
BETTER = {
    "lower": _("Lower is better"),
    "higher": _("Higher is better"),
    "zero": _("Nearer to 0 is better"),
}


def cell(result: AlgorithmResult, metric: str) -> str:
    """The cell of an algorithm under a metric."""
    value = result.value(metric)
    return strings.NO_VALUE if value is None else VIEWS[metric].written(value)


def header(metric: str) -> str:
    """The metric's name, and on a second line which way is better."""
    view = VIEWS[metric]
    return f"{view.label}\n{BETTER[view.better]}"


def header_tip(metric: str) -> str:
    """What the metric is and which way is better."""
    view = VIEWS[metric]
    return paragraph(view.definition, ended(BETTER[view.better]))


def verdict_tip() -> str:
    """What log loss and interval mean, which the verdict speaks of."""
    meanings = (VIEWS["log_loss"].label, header_tip("log_loss")), strings.GLOSSARY["interval"]
    return "\n".join(labelled(*meaning) for meaning in meanings)


def name(result: AlgorithmResult, report: Report) -> str:
    """The algorithm's name, with a word if it is the baseline, and a mark if it may know the answers already."""
    name = result.algorithm
    if knows_answers(result):
        # Translators: A name in the table. What (1) means stands below the table.
        name = _("{algorithm} (1)").format(algorithm=name)
    if result.algorithm == report.baseline:
        # Translators: A name in the table. What the mark means stands below the table.
        name = _("{algorithm} (baseline)").format(algorithm=name)
    return name


def knows_answers(result: AlgorithmResult) -> bool:
    """Whether its numbers need the footnote: its parameters may come from the very reviews that are scored."""
    return result.in_sample and not result.error


def footnote(results: Sequence[AlgorithmResult]) -> str:
    """What stands under the table about single rows; empty where there is nothing to say."""
    seen = [_("(1) fitted on some of these reviews")] if any(map(knows_answers, results)) else []
    return paragraph(*seen, *notes(results))


def notes(results: Sequence[AlgorithmResult]) -> List[str]:
    """Return what else there is to know of these rows, a sentence each."""
    found = []
    for result in results:
        if result.note:
            found.append(labelled(result.algorithm, strings.NOTES[result.note]))
        if result.clipped:
            parts = [strings.CLIPPED_PARAMETERS(count, preset=name) for name, count in result.clipped.items()]
            clipped = strings.CLIPPED.format(parameters=first_of(parts, _MAX_PRESETS))
            found.append(labelled(result.algorithm, clipped))
    return found


def about(result: AlgorithmResult) -> str:
    """What the algorithm is, in a few lines."""
    lines = [
        ended(_(result.description)),
        _("Family: {family}.").format(family=pgettext("family", result.family)),
        facts(trained=result.trained, parameter_count=result.parameter_count, uses=result.uses),
    ]
    return "\n".join([*lines, *notes([result])])


def about_row(result: AlgorithmResult, report: Report) -> List[str]:
    """What the algorithm is, and what the signs of its row mean."""
    parts = [failure(result), about(result)]
    if knows_answers(result):
        parts.append(strings.IN_SAMPLE_TIP)
    if result.algorithm == report.best:
        parts.append(_("The lowest log loss here."))
    if has_star(report, result.algorithm):
        parts.append(strings.LEGEND_STAR.format(meaning=star_meaning(report)))
    if result.algorithm == report.baseline:
        parts.append(_("The baseline: what the others are compared with."))
    return [part for part in parts if part]


def details(result: AlgorithmResult, metric: str) -> str:
    """What else there is to know of an algorithm's value of a metric, a sentence a line; or nothing."""
    return "\n".join(filter(None, (sentence(result) for sentence in VIEWS[metric].details)))


def explained(report: Report) -> List[str]:
    """What the rows are whose names do not say it, and that a reader would look for."""
    names = {result.algorithm for result in report.results}
    rows = {"FSRS-6 default": _("FSRS: optimised, unless default"), "AVG": _("AVG: your average")}
    return [said for name, said in rows.items() if name in names]


def signs(report: Report) -> List[str]:
    """What the star, the bold type, "(baseline)" and some names mean, as far as the table has them."""
    star = star_meaning(report)
    meanings = [strings.LEGEND_STAR.format(meaning=star)] if star else []
    meanings += [LEGEND_BEST] if report.best else []
    meanings += [_("(baseline) what the others are compared with")] if report.baseline else []
    return [*meanings, *explained(report)]


#: Between two signs.
_APART = "      "


def legend(report: Report) -> str:
    """What the signs in the table mean, in one text that is broken into lines between two meanings, if it can be."""
    return _APART.join(meaning.replace(" ", "\N{NO-BREAK SPACE}") for meaning in signs(report))


def failure(result: AlgorithmResult) -> str:
    """Why an algorithm has no numbers; empty where it has some."""
    return _("no result: {reason}").format(reason=error_sentence(result.error)) if result.error else ""


def as_text(report: Report, results: Sequence[AlgorithmResult], metrics: Sequence[str] = USUAL) -> str:
    """Tab-separated lines with a header, as spreadsheets take them; the footnote last."""
    cells = (_cells(result, report, metrics) for result in results)
    rows = [_headers(metrics), *((in_spreadsheet(name), *numbers) for name, *numbers in cells)]
    note = in_spreadsheet(footnote(results))
    return "".join("\t".join(row) + "\n" for row in rows) + (f"{note}\n" if note else "")


def as_markdown(report: Report, results: Sequence[AlgorithmResult], metrics: Sequence[str] = USUAL) -> str:
    """A Markdown table, the lowest log loss in bold; the footnote below."""
    rows: List[Tuple[str, ...]] = [_headers(metrics), ("---", *("---:" for _unused in metrics))]
    for result in results:
        cells = [in_markdown(text) for text in _cells(result, report, metrics)]
        if result.algorithm == report.best:
            cells[:2] = [f"**{text}**" for text in cells[:2]]
        rows.append(tuple(cells))
    note = in_markdown(footnote(results))
    return "".join("| " + " | ".join(row) + " |\n" for row in rows) + (f"\n{note}\n" if note else "")


def _headers(metrics: Sequence[str]) -> Tuple[str, ...]:
    return (strings.COLUMN_ALGORITHM, *(VIEWS[metric].label for metric in metrics))


def _cells(result: AlgorithmResult, report: Report, metrics: Sequence[str]) -> Tuple[str, ...]:
    if result.error:
        return (name(result, report), failure(result), *("" for _unused in metrics[1:]))
    return (name(result, report), *(cell(result, metric) for metric in metrics))
