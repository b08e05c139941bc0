"""``python3 tools bench graphs``: how long it takes to draw a graph, by kind."""

from __future__ import annotations

import sys
import tempfile
import time
import timeit
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from typing import TextIO

from evaluator.evaluation import evaluate
from evaluator.options import Options
from evaluator.report import Report
from evaluator.sections import add_sections
from tools.arguments import Parser, typed_number
from tools.bench.machine import machine
from tools.outputs import Outputs
from tools.progress import ProgressLine
from tools.simulate import Learner, simulate
from tools.terminal import Grid, laid_out, words
from ui.charts import save_chart
from ui.charts.fonts import font_families
from ui.views.graphs import occasions
from ui.views.view import Block

ALGORITHMS = ("SM-2", "FSRS-6")

#: Milliseconds of processor time for the graph within a page, and as a file.
Times = tuple[float, float]


def main(arguments: list[str]) -> int:
    """Measure and print."""
    parser = Parser(
        prog="python3 tools bench graphs",
        description="Measure how long it takes to draw each kind of graph, as SVG within the web page and as PNG.",
    )
    parser.add_argument(
        "--repeat", metavar="N", type=typed_number, default=5, help="drawings of each (default: %(default)s)"
    )
    repeat = max(parser.parse_args(arguments).repeat, 1)
    with ProgressLine() as line:
        line.show(0.0, "Evaluating a simulated learner")
        found = measured(_report(), repeat, lambda done: line.show(done, "Drawing"))
    print(render(found, repeat, sys.stdout), end="")
    return 0


def _report() -> Report:
    """The report of a simulated year, with all sections that graphs need."""
    evaluation = evaluate(simulate(Learner()).snapshot, Options(algorithms=ALGORITHMS))
    return add_sections(evaluation, Outputs(charts=Path()).sections()).report


def measured(report: Report, repeat: int, on_step: Callable[[float], object] = lambda _: None) -> dict[str, Times]:
    """Median times of every kind of graph, by its title."""
    from ui.page.figures import chart_block  # matplotlib takes half a second to load

    font_families()  # searched once
    found: dict[str, Times] = {}
    graphs = list(occasions(report))
    with tempfile.TemporaryDirectory(prefix="srs-evaluator-") as folder:
        for number, block in enumerate(graphs):
            on_step(number / len(graphs))
            page = partial(chart_block, block)
            file = partial(save_chart, block, Path(folder, "graph.png"))
            found[_title(block)] = _milliseconds(page, repeat), _milliseconds(file, repeat)
    return found


def _milliseconds(draw: Callable[[], object], repeat: int) -> float:
    """Median processor time of ``repeat`` drawings, after one that is not counted; waiting does not count."""
    return 1000 * median(timeit.repeat(draw, timer=time.thread_time, repeat=repeat + 1, number=1)[1:])


def _title(block: Block) -> str:
    return f"{block.heading}, of two" if len(block.names) > 1 else block.heading


def render(found: dict[str, Times], repeat: int, stream: TextIO | None = None) -> str:
    """The medians as they are printed to the stream: a line for each kind of graph, and one over all."""
    about = machine()
    whole = median(svg for svg, _ in found.values()), median(png for _, png in found.values())
    rows = [
        (title, f"{svg:.1f}", f"{png:.1f}") for title, (svg, png) in [*found.items(), ("Median of all kinds", whole)]
    ]
    parts = (
        words(
            f"{about['software']}, Python {about['python']}, NumPy {about['numpy']}; {about['cpus']} x {about['cpu']}"
        ),
        words(f"Milliseconds of processor time, medians of {repeat} drawings."),
        "",
        Grid(("Graph", "SVG in the page", "PNG"), rows, (1, 2)),
    )
    return laid_out(parts, stream)
