from __future__ import annotations

import functools
import tempfile
from pathlib import Path
from typing import Any

import pytest
from additions import copy_to, examples, found_by, put_before

from evaluator.metrics import calibration
from evaluator.report import COMPARED_WITH_OTHERS
from ui.views.labels import row_label
from ui.views.metrics import USUAL, VIEWS

SCRIPT = """
import json, sys
from pathlib import Path
import numpy as np
from aqt.qt import QApplication
from made_logs import learner
from evaluator.evaluation import evaluate
from evaluator.options import Options
from evaluator.report import to_json
from tools.development import describe
from tools.output import table
from tools.benchmark import lines
from tools.summarize import command, figures
from ui.views import table_text
from ui.window.results_table import ResultsTable
from ui.page import page

folder = Path(sys.argv[1])
algorithms = ("AVG", "SM-2", "FSRS-6 default")
evaluations = [evaluate(learner(seed=seed), Options(algorithms=algorithms)) for seed in range(1, 4)]
first = evaluations[0]
written = [
    line
    for number, one in enumerate(evaluations)
    for line in lines.of_report(one.report, {"collection": f"{number}", "version": "1", "options": {}})
]
(folder / "results.jsonl").write_bytes(b"".join(map(lines.to_bytes, written)))
figures.METRICS = [name for name in figures.METRICS if name == "worst_hundredth"]  # others are slow
command.main([str(folder / "results.jsonl"), "--out", str(folder / "out")])

application = QApplication([])
shown = ResultsTable()
shown.set_report(first.report)
headers = [shown.horizontalHeaderItem(column) for column in range(shown.columnCount())]
names = [header.text() for header in headers]
here = next(column for column, name in enumerate(names) if name.startswith("Worst hundredth"))
losses = {
    name: -np.log(np.where(first.predictions.recalled == 1, predicted, 1 - predicted))
    for name, predicted in first.predictions.predicted.items()
}
print("found:" + json.dumps({
    "by_hand": {name: float(np.sort(loss)[-max(1, len(loss) // 100):].mean()) for name, loss in losses.items()},
    "json": json.loads(to_json(first.report))["results"],
    "documentation": describe.page(),
    "terminal": table.render(first.report),
    "page": page(first.report),
    "columns": names,
    "tooltip": headers[here].toolTip(),
    "cells": [shown.item(row, here).text() for row in range(shown.rowCount())],
    "copied": table_text.as_text(table_text.rows(first.report)),
    "lines": written,
    "summary": (folder / "out" / "summary.md").read_text(encoding="utf-8"),
    "means": (folder / "out" / "means.csv").read_text(encoding="utf-8"),
    "files": sorted(path.name for path in (folder / "out").iterdir()),
    "figure": (folder / "out" / "worst-hundredth-distribution.svg").read_text(encoding="utf-8"),
}))
"""


PAGE = "evaluator/metrics/README.md"
LABEL = "Worst hundredth (experimental)"
#: Where its column should stand.
BEFORE = "        MetricView(\n            report.COMPARED_WITH_OTHERS,\n"


@functools.cache
def results() -> Any:
    """Return what a copy of the project with the example makes of a log, in a process of its own; see ``SCRIPT``."""
    metric, view = examples(PAGE)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copy_to(folder)
        (folder / "evaluator" / "metrics" / "surprise.py").write_text(metric, encoding="utf-8")
        put_before(folder / "evaluator" / "metrics" / "__init__.py", '"calibration", ', '"surprise", ')
        put_before(folder / "ui" / "views" / "metrics.py", BEFORE, f"        {view.rstrip()},\n")
        return found_by(SCRIPT, folder)


def by_name() -> dict[str, float]:
    """The values of the first log, computed by hand."""
    values: dict[str, float] = results()["by_hand"]
    return values


def test_it_is_in_the_json_flat_in_its_row():
    rows = results()["json"]
    assert {row["algorithm"]: row["worst_hundredth"] for row in rows} == pytest.approx(by_name(), abs=1e-9)
    keys = list(rows[0])
    assert keys[keys.index("worst_hundredth") + 1] == calibration.METRICS[0].key
    assert [row["log_loss"] for row in rows] == sorted(row["log_loss"] for row in rows)


def test_it_is_in_the_documentation_of_keys():
    row = "| `worst_hundredth` | number, or null | mean log loss of the hundredth that surprised most |"
    assert row in results()["documentation"].splitlines()


def test_it_is_in_the_terminal():
    header = next(line for line in results()["terminal"].splitlines() if line.startswith("Algorithm "))
    at = header.index(LABEL) + len(LABEL)
    for algorithm, value in by_name().items():
        row = next(
            line for line in results()["terminal"].splitlines() if line[2:].startswith(f"{row_label(algorithm)} ")
        )
        assert row[:at].endswith(f" {value:.3f}")
    assert "Lower is better, except for AUC." in " ".join(results()["terminal"].split())


def test_it_is_on_the_page():
    text = results()["page"]
    assert "The log loss of the hundredth of your reviews that surprised the algorithm most. " in text
    assert all(f">{value:.3f}</td>" in text for value in by_name().values())


def test_it_is_in_the_window():
    shown, keys = USUAL, list(VIEWS)
    labels = [VIEWS[key].label for key in shown]
    labels.insert(sum(keys.index(key) < keys.index(COMPARED_WITH_OTHERS) for key in shown), LABEL)
    assert [name.partition("\n")[0].strip() for name in results()["columns"]][1:] == labels
    assert labels[0] == VIEWS["log_loss"].label
    assert results()["tooltip"].startswith(
        "The log loss of the hundredth of your reviews that surprised the algorithm most. "
    )
    ordered = [f"{by_name()[row['algorithm']]:.3f}" for row in results()["json"]]
    assert [cell.strip() for cell in results()["cells"]] == ordered
    at = 1 + labels.index(LABEL)
    assert [line.split("\t")[at] for line in results()["copied"].splitlines()] == [LABEL, *ordered]


def test_it_is_in_the_lines_of_benchmark():
    lines = [line for line in results()["lines"] if line["collection"] == "0"]
    assert {line["algorithm"]: line["metrics"]["worst_hundredth"] for line in lines} == pytest.approx(
        by_name(), abs=1e-9
    )


def test_it_is_in_the_tables_and_figures_of_summarize():
    values = [line["metrics"]["worst_hundredth"] for line in results()["lines"] if line["algorithm"] == "AVG"]
    assert len(values) == 3
    table = results()["summary"].partition("unweighted\n")[2]
    header, row = (
        next(line for line in table.splitlines() if line.startswith(f"| {name} ")) for name in ("Algorithm", "AVG")
    )
    cells = dict(zip(*([cell.strip() for cell in line.split("|")] for line in (header, row)), strict=True))
    assert cells[LABEL] == f"{sum(values) / 3:.4f}"
    assert results()["means"].count(",worst_hundredth,") == 2 * 3
    figures = [name for name in results()["files"] if name.startswith("worst-hundredth-")]
    assert figures == [f"worst-hundredth-distribution.{form}" for form in ("png", "svg")]
    assert f"{LABEL} on 3 collections" in results()["figure"]
