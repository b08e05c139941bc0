"""Figures of a summary, each as PNG and as SVG, that need no explanation beside them. Matplotlib, no pyplot."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from evaluator.metrics import PAIR_METRICS
from tools.benchmark.lines import METRICS
from tools.summarise.figures import by_reviews, distributions, matrices
from tools.summarise.figures.sheet import Sheet
from tools.summarise.results import Results
from tools.summarise.summary import Summary
from ui.charts.settings import own_settings

#: (file's name without its ending, how it is drawn)
Drawing = tuple[str, Callable[[], Sheet]]


def save_figures(
    summary: Summary, results: Results, folder: Path, on_step: Callable[[float], object] = lambda _: None
) -> list[Path]:
    """Write all figures with something to show; return their files. ``on_step`` is told the progress, 0 to 1.

    ``results`` are those that :func:`~tools.summarise.summary.summarise` returned with the summary.
    """
    drawings = list(_drawings(summary, results))
    written: list[Path] = []
    for number, (name, draw) in enumerate(drawings):
        on_step(number / len(drawings))
        with own_settings():  # also while it is drawn: texts are made then
            written += draw().save(folder / name)
    return written


def _drawings(summary: Summary, results: Results) -> Iterator[Drawing]:
    if summary.pairs:
        yield "superiority", lambda: matrices.superiority(summary)
        yield "wilcoxon", lambda: matrices.effects(summary)
    for metric in PAIR_METRICS:
        if any(row.judged[metric] is not None for row in summary.rows):
            yield metric.replace("_", "-"), lambda metric=metric: matrices.judgements(summary, metric)  # type: ignore[misc]
    for metric in METRICS:
        if any(mean[metric] is not None for row in summary.rows for mean in row.means.values()):
            stem = metric.replace("_", "-")
            yield f"{stem}-distribution", lambda metric=metric: distributions.draw(summary, results, metric)  # type: ignore[misc]
            yield f"{stem}-by-reviews", lambda metric=metric: by_reviews.draw(summary, results, metric)  # type: ignore[misc]
