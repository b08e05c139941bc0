"""Figures of a report: matplotlib, no Qt, no pyplot. Works in the terminal and inside Anki alike."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, List, Sequence, Tuple

if TYPE_CHECKING:
    from evaluator.report import AlgorithmResult, Report

    from .style import Style

#: Of a saved figure.
SIZE_INCHES = (6.8, 6.2)
DOTS_PER_INCH = 150


def save_calibration_charts(report: Report, folder: Path) -> List[Path]:
    """Write the calibration graph of each algorithm as PNG, and one with the two that the verdict compares.

    Returns:
        The files written, in the order of the report. Algorithms that failed have none. The folder is made if need be.
    """
    folder.mkdir(parents=True, exist_ok=True)
    drawable = [result for result in report.results if result.calibration and result.calibration.log_spaced]
    by_name = {result.algorithm: result for result in drawable}
    graphs: List[Tuple[AlgorithmResult, ...]] = [(result,) for result in drawable]
    pair = report.verdict.algorithm, report.verdict.baseline
    if pair[0] in by_name and pair[1] in by_name:
        graphs.append((by_name[pair[0]], by_name[pair[1]]))
    return [save_calibration_chart(graph, folder / f"{file_stem(graph)}.png") for graph in graphs]


def save_calibration_chart(results: Sequence[AlgorithmResult], path: Path, style: Style | None = None) -> Path:
    """Write one graph; the path's ending (.png or .svg) says how. The same input gives the same bytes."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    from .calibration import draw
    from .style import LIGHT

    with mpl.rc_context({"svg.hashsalt": "srs-evaluator"}):
        figure = Figure(figsize=SIZE_INCHES, dpi=DOTS_PER_INCH)
        draw(figure, results, style or LIGHT)
        metadata = {"Date": None} if path.suffix.lower() == ".svg" else {"Software": None}
        figure.savefig(path, dpi=DOTS_PER_INCH, metadata=metadata)
    return path


def file_stem(results: Sequence[AlgorithmResult]) -> str:
    """A name that every file system takes, e.g. ``calibration-fsrs-6-vs-sm-2``."""
    names = [re.sub(r"[^a-z0-9]+", "-", result.algorithm.lower()).strip("-") or "graph" for result in results]
    return "calibration-" + "-vs-".join(names)
