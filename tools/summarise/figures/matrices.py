"""The two matrices of all pairs of algorithms, as heat maps: how often one is better, and the size of the effect."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tools.summarise.figures import heat_map
from tools.summarise.figures.sheet import Sheet, name_rows, width_of
from tools.summarise.pairs import Pair
from tools.summarise.summary import Summary
from tools.summarise.text import judgement_title, judgement_words

#: Sides of a cell, in inches: as large as a number of three digits needs, larger where there are few.
_LEAST, _MOST, _ALL = 0.36, 0.62, 7.0
_SCALE_HEIGHT, _SCALE_ROOM = 0.16, 0.6
#: The effect at which colours end; the largest that there can be is about 0.87.
_FULL_EFFECT = 0.8


def superiority(summary: Summary) -> Sheet:
    """Draw on how many of 100 collections the row has the lower log loss."""
    return _draw(
        summary,
        title="How often is the algorithm of the row better than that of the column?",
        text="Percent of the collections on which the row has the lower log loss (each on the same reviews; equal ones "
        "count half). Algorithms are ordered by their mean log loss, weighted by reviews, the best first. "
        f"{_many(summary)}",
        strength=lambda pair: None if pair.superiority is None else 2 * pair.superiority - 1,
        number=lambda pair: "" if pair.superiority is None else f"{100 * pair.superiority:.0f}",
        words=("row never better", "50 %: even", "row always better"),
    )


def effects(summary: Summary) -> Sheet:
    """Draw the effect size of Wilcoxon's test, where there is evidence of a difference."""
    return _draw(
        summary,
        title="Effect size of the row against the column",
        text="Effect size r of Wilcoxon\N{RIGHT SINGLE QUOTATION MARK}s signed-rank test of the log losses, collection "
        "by collection: 0.1 is small, 0.3 medium, 0.5 large; blue where the row is better, orange with a minus sign "
        "where it is worse. "
        f"A dot: no evidence of a difference (p above {summary.level:g}, with Holm\N{RIGHT SINGLE QUOTATION MARK}s "
        "correction for the number of pairs). Algorithms are ordered by their mean log loss, weighted by reviews, the "
        f"best first. {_many(summary)}",
        strength=lambda pair: min(max(pair.effect / _FULL_EFFECT, -1), 1) if pair.significant else None,
        number=lambda pair: _signed(pair.effect) if pair.significant else "\N{MIDDLE DOT}",
        words=(f"row worse, {_signed(-_FULL_EFFECT)}", "0", f"row better, {_signed(_FULL_EFFECT)}"),
    )


def judgements(summary: Summary, metric: str) -> Sheet:
    """Draw a metric of pairs: how far off the row is in groups that the column makes."""
    most = max(value for pair in summary.pairs if (value := pair.judged[metric]) is not None) or 1.0

    def strength(pair: Pair) -> float | None:
        value = pair.judged[metric]
        return None if value is None else 1 - 2 * value / most

    def number(pair: Pair) -> str:
        value = pair.judged[metric]
        return "" if value is None else f"{100 * value:.1f}"

    return _draw(
        summary,
        title=judgement_title(metric),
        text=f"{judgement_words(metric)} In percent; lower is better. Algorithms are ordered by their mean log loss, "
        f"weighted by reviews, the best first. {summary.note}".rstrip(),
        strength=strength,
        number=number,
        words=(f"{100 * most:.1f} %", f"{50 * most:.1f} %", "0 %"),
    )


def _draw(
    summary: Summary,
    *,
    title: str,
    text: str,
    strength: Callable[[Pair], float | None],
    number: Callable[[Pair], str],
    words: tuple[str, str, str],
) -> Sheet:
    names = [row.label for row in summary.rows]
    place = {row.algorithm: number for number, row in enumerate(summary.rows)}
    values = np.full((len(names), len(names)), np.nan)
    texts = [["" for _ in names] for _ in names]
    for pair in summary.pairs:
        row, column = place[pair.algorithm], place[pair.other]
        found = strength(pair)
        values[row, column] = np.nan if found is None else found
        texts[row][column] = number(pair)
    side = min(max(_ALL / len(names), _LEAST), _MOST)
    cells, labels = side * len(names), width_of(names)
    sheet = Sheet(labels + cells + 0.1, cells + labels + _SCALE_ROOM, title=title, text=text)
    axes = sheet.panel(labels, _SCALE_ROOM, cells, cells)
    heat_map.fill(axes, values, texts)
    heat_map.name_columns(axes, names, upright=True)
    name_rows(axes, names)
    heat_map.scale(sheet.panel(labels, 0.25, max(min(cells, 5.0), 3.2), _SCALE_HEIGHT), *words)
    return sheet


def _signed(effect: float) -> str:
    """Format with two decimals and no zero before them: ``.45``."""
    return ("\N{MINUS SIGN}" if effect < 0 else "") + f"{abs(effect):.2f}".removeprefix("0")


def _many(summary: Summary) -> str:
    counts = {pair.collections for pair in summary.pairs}
    least, most = min(counts), max(counts)
    words = (
        f"{most:,} collections." if least == most else f"{least:,} to {most:,} collections, whichever a pair shares."
    )
    return f"{words} {summary.note}".rstrip()
