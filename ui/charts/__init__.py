"""Figures of a report: matplotlib, no Qt, no pyplot. Works in the terminal and inside Anki alike."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Callable, Iterator, List, Sequence, Tuple

from ..science import harmless
from ..science import report as reports
from .catalogue import CHARTS, Chart

if TYPE_CHECKING:
    from evaluator.report import Report

    from .style import Style

__all__ = ["CHARTS", "Chart", "file_stem", "occasions", "save_chart", "save_charts"]

#: Of a saved figure.
SIZE_INCHES = (6.8, 6.2)
DOTS_PER_INCH = 150
#: Of one algorithm in the name of a file.
MOST_BYTES = 100


def save_charts(
    report: Report, folder: Path, on_step: Callable[[float], object] = lambda _: None, *, of_each: bool = False
) -> List[Path]:
    """Write the graphs of a report as PNG, those that :func:`occasions` names.

    ``on_step`` is told how far it is, from 0 to 1.

    Returns:
        The files written, graph by graph in the order of the report. Algorithms that failed have none. The folder is
        made if need be.
    """
    folder.mkdir(parents=True, exist_ok=True)
    report = reports.shown(report)
    wanted, written = list(occasions(report, of_each=of_each)), []
    for number, (chart, algorithms) in enumerate(wanted):
        on_step(number / len(wanted))
        stem = file_stem(chart, algorithms)
        paths = (
            folder / f"{stem}{ending}.png" for ending in ("", *(f"-{count}" for count in range(2, len(wanted) + 2)))
        )
        unused = next(
            path for path in paths if path not in written
        )  # names such as "My model" and "my_model" are alike
        written.append(_save(chart, report, algorithms, unused))
    return written


def occasions(report: Report, *, of_each: bool = False) -> Iterator[Tuple[Chart, Sequence[str]]]:
    """The graphs of a report, with the algorithms in them.

    The best algorithm stands alone (or each of them, if ``of_each``), then the two that the verdict compares; graphs
    about the whole report have none.
    """
    names = [result.algorithm for result in report.results]
    alone = names if of_each else [name for name in names if name == report.best]
    pair = [name for name in (report.verdict.algorithm, report.verdict.baseline) if name in names]
    for chart in CHARTS.values():
        if not chart.most:
            yield from [(chart, ())] if chart.can_show(report, "") else []
            continue
        for asked in [[name] for name in alone] + ([pair] if len(pair) == chart.most == 2 else []):
            if chart.shown(report, asked) == asked:
                yield chart, asked


def save_chart(chart: Chart, report: Report, algorithms: Sequence[str], path: Path, style: Style | None = None) -> Path:
    """Write one graph; the path's ending (.png or .svg) says how. The same input gives the same bytes."""
    return _save(chart, reports.shown(report), [harmless(name) for name in algorithms], path, style)


def _save(chart: Chart, report: Report, algorithms: Sequence[str], path: Path, style: Style | None = None) -> Path:
    """Likewise, of a report that is safe to show."""
    from matplotlib.figure import Figure

    from .fonts import with_fonts
    from .settings import own_settings
    from .style import LIGHT

    with own_settings():
        figure = Figure(figsize=SIZE_INCHES, dpi=DOTS_PER_INCH)
        chart.draw(figure, report, algorithms, style or with_fonts(LIGHT), titled=True)
        if path.suffix.lower() == ".svg":
            figure.savefig(path, metadata={"Date": None})
        else:
            # Half the time to compress it, for a file that is a tenth larger.
            small = {"compress_level": 3}
            figure.savefig(path, dpi=DOTS_PER_INCH, metadata={"Software": None}, pil_kwargs=small)
    return path


def file_stem(chart: Chart, algorithms: Sequence[str]) -> str:
    """A name that every file system takes, e.g. ``calibration-fsrs-6-vs-sm-2``; letters of any script stay."""
    names = [_beginning(re.sub(r"[\W_]+", "-", name.lower())).strip("-") or "graph" for name in algorithms]
    return "-".join([chart.key, *(["-vs-".join(names)] if names else [])])


def _beginning(name: str) -> str:
    """As much of it as fits twice into the 255 bytes that a file's name may have."""
    return name.encode()[:MOST_BYTES].decode(errors="ignore")
