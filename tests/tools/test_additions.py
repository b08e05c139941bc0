"""The examples that say how to add an algorithm, a metric, a section and a slicing, all in one copy of the project."""

from __future__ import annotations

import ast
import csv
import functools
import re
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from additions import ROOT, copy_to, examples, found_by, put_before

from evaluator.algorithms import algorithm
from evaluator.data import histories
from evaluator.metrics import calibration
from evaluator.report import COMPARED_WITH_OTHERS
from ui.views import PAGES
from ui.views.labels import row_label
from ui.views.metrics import USUAL, VIEWS

ALGORITHMS = "evaluator/algorithms/README.md"
LOG = ROOT / "tests" / "data" / "sim-b" / "revlog.csv.gz"
#: Label of the metric, and where its column should stand.
LABEL = "Worst hundredth (experimental)"
BEFORE = "        MetricView(\n            report.COMPARED_WITH_OTHERS,\n"
TIP = "The log loss of the hundredth of your reviews that surprised the algorithm most. "
#: Title of the page with the section.
TITLE = next(page.title for page in PAGES if "parameters" in page.views)
#: Keys of the two slicings; only the second has a title of its own.
KEYS = PLAIN, WORDED = ("day_of_week", "weekday")
#: The title of each, its axis, and what one slice is called.
CALLED = {PLAIN: ("Day of week", "Day of week", "sun"), WORDED: ("By weekday", "Weekday", "Sunday")}
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

#: Is given the folder of the copy and a review log.
SCRIPT = """
import contextlib, io, json, sys
from pathlib import Path
import numpy as np
from aqt.qt import QApplication, QLabel, QObject, pyqtSignal
from made_logs import learner
from evaluator.algorithms import ALGORITHM_GROUPS, CATALOG
from evaluator.evaluation import evaluate as evaluated, prepare
from evaluator.fitting.kernels import make_general_replay
from evaluator.options import Options
from evaluator.sections import add_sections
from evaluator.workload import pipeline
from tools import evaluate, sources
from tools.benchmark import lines
from tools.development import describe
from tools.summarize import command, figures
from ui.views import PAGES, graphs, table_text
from ui.window.graph_panel import GraphPanel, GraphView
from ui.window.results_table import ResultsTable
from ui.window.section_page import SectionPage
from ui.window.text_table import TextTable

folder, log = Path(sys.argv[1]), sys.argv[2]
slicings = ("day_of_week", "weekday")
whole = graphs.graphs
graphs.graphs = lambda report=None: {key: view for key, view in whole(report).items() if key in slicings}
pipeline.MAX_CARDS = 40  # a year ahead is not looked for, nor are other graphs
figures.METRICS = [name for name in figures.METRICS if name == "worst_hundredth"]
algorithms = ("AVG", "SM-2", "FSRS-6 default")
terminal = {}


def output_of(*arguments):
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.suppress(SystemExit):
        evaluate.main(list(arguments))
    return out.getvalue()


def report(sections, *others):
    path = folder / f"{sections}.json"
    asked = ["--algorithms", ",".join(algorithms), "--folds", "2", "--sections", sections, "--json", str(path)]
    terminal[sections] = output_of(log, *asked, *others)
    return json.loads(path.read_text(encoding="utf-8"))


written = [
    line
    for number in range(1, 4)
    for line in lines.of_report(
        evaluated(learner(seed=number), Options(algorithms)).report,
        {"collection": f"{number}", "version": "1", "options": {}},
    )
]
(folder / "results.jsonl").write_bytes(b"".join(map(lines.to_bytes, written)))
command.main([str(folder / "results.jsonl"), "--out", str(folder / "out")])


def doubling():
    of_learner = evaluated(learner(), Options(algorithms=("AVG", "doubling"))).report
    row, algorithm = of_learner.result("Doubling"), CATALOG["Doubling"]
    replayed = make_general_replay(algorithm, prepare(learner(), Options())[0].histories(algorithm.inputs))
    w, step = np.array([1.2, 1.9]), 1e-6
    slopes = [(replayed.predict(w + step * e) - replayed.predict(w - step * e)) / (2 * step) for e in np.eye(2)]
    return {
        "groups": [name for name, members in ALGORITHM_GROUPS.items() if "Doubling" in members],
        "error": row.error,
        "sizes": [item.size for item in of_learner.results],
        "parameters": row.parameters_per_fold,
        "converged": row.converged_per_fold,
        "log_loss": row.log_loss,
        "count": row.parameter_count,
        "off": float(np.abs(np.stack(slopes) - replayed.linearize(w).jacobian()).max()),
        "once": replayed.predict(np.array([3.0, 2.0]))[:1].tolist(),
        "after": replayed.trie.query_elapsed[:1].tolist(),
    }


class ResultStore(QObject):
    # All that is asked for is known.
    changed = pyqtSignal()
    complete = True
    report = None

    def state(self, question):
        return "known"

    def questions(self, section, names):
        return []

    def request_results(self, *questions, **options):
        pass

    def compare(self, names):
        return None


def at_once(task, then):
    then(task())


def titles(panel):
    return [panel.list.itemText(row) for row in range(panel.list.count())]


application = QApplication([])
store = ResultStore()
panels = {key: GraphPanel(store, at_once) for key in slicings}
for key, panel in panels.items():
    panel.choose(key)
before = titles(panel)
evaluation = evaluated(sources.read(Path(log)), Options(algorithms, folds=2))
store.report = add_sections(evaluation, ["comparisons", "weekdays", "graphs"]).report
for panel in panels.values():
    panel.show_algorithms(["SM-2", "AVG"])
page = SectionPage(next(one for one in PAGES if "weekdays" in one.views), store, at_once)
page.resize(900, 700)
page.show()
page.open()
(block,) = (block for block in page.blocks if block.section == "weekdays")
while not any(view.image for view in block.findChildren(GraphView)):
    application.processEvents()
shown = ResultsTable()
shown.set_report(evaluation.report)
headers = [shown.horizontalHeaderItem(column) for column in range(shown.columnCount())]
print("found:" + json.dumps({
    "all": report("all", "--html", str(folder / "page.html"), "--charts", str(folder / "charts"),
                  "--predictions", str(folder / "predictions.csv")),
    "alone": report("weekdays"),
    "none": report("none"),
    "terminal": terminal,
    "page": (folder / "page.html").read_text(encoding="utf-8"),
    "charts": [path.name for path in (folder / "charts").iterdir()],
    "predictions": (folder / "predictions.csv").read_text(encoding="utf-8"),
    "documentation": describe.page().splitlines(),
    "help": output_of("--help"),
    "results": {
        "columns": {header.text().partition("\\n")[0].strip(): header.toolTip() for header in headers[1:]},
        "cells": [shown.item(row, column).text().strip() for row in range(shown.rowCount())
                  for column, header in enumerate(headers) if header.text().startswith("Worst hundredth")],
        "copied": [line.split("\\t") for line in table_text.as_text(table_text.rows(evaluation.report)).splitlines()],
    },
    "section": {
        "title": page.page.title,
        "words": [label.text() for label in block.findChildren(QLabel)],
        "rows": [row for table in block.findChildren(TextTable) for row in table.table.rows],
    },
    "list": titles(panel),
    "before": before,
    "graphs": {
        key: {"current": panel.list.currentText(), "heading": panel.shown.heading, "rows": panel.shown.table.rows}
        for key, panel in panels.items()
    },
    "doubling": doubling(),
    "lines": written,
    "summary": (folder / "out" / "summary.md").read_text(encoding="utf-8"),
    "means": (folder / "out" / "means.csv").read_text(encoding="utf-8"),
    "figures": {path.name: path.read_text("utf-8", "replace") for path in (folder / "out").glob("worst-hundredth-*")},
}))
"""


@functools.cache
def found() -> Any:
    """Return what a copy of the project with the examples makes of a log, in a process of its own; see ``SCRIPT``."""
    (doubling,) = examples(ALGORITHMS)
    metric, metric_view = examples("evaluator/metrics/README.md")
    section, section_view, graph = examples("evaluator/sections/README.md")
    slicing, labels = examples("docs/how-it-works.md")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copy_to(folder)
        evaluator, views = folder / "evaluator", folder / "ui" / "views"
        (evaluator / "algorithms" / "doubling.py").write_text(doubling, encoding="utf-8")
        put_before(evaluator / "algorithms" / "__init__.py", '    "ebisu",\n', '    "doubling",\n')
        (evaluator / "metrics" / "surprise.py").write_text(metric, encoding="utf-8")
        put_before(evaluator / "metrics" / "__init__.py", '"calibration", ', '"surprise", ')
        put_before(views / "metrics.py", BEFORE, f"        {metric_view.rstrip()},\n")
        (evaluator / "sections" / "weekdays.py").write_text(section, encoding="utf-8")
        put_before(evaluator / "sections" / "__init__.py", '"graphs", ', '"weekdays", ')
        (views / "weekdays.py").write_text(section_view, encoding="utf-8")
        (folder / "ui" / "charts" / "weekdays.py").write_text(graph, encoding="utf-8")
        put_before(views / "__init__.py", '"parameters"', '"weekdays", ')
        slicings = evaluator / "statistics" / "slicings.py"
        for key in KEYS:
            put_before(slicings, "#: The slicings that have a graph", slicing.replace("day_of_week", key) + "\n\n")
            put_before(slicings, "    by_maturity,\n", f"    by_{key},\n")
        put_before(views / "slices.py", '    "month": SliceLabels(', labels.replace("day_of_week", WORDED))
        return found_by(SCRIPT, folder, [str(LOG)])


def predictions() -> list[dict[str, str]]:
    return list(csv.DictReader(found()["predictions"].splitlines()))


def by_hand() -> dict[str, float]:
    """The metric of each row of the report, in its order."""
    recalled = np.array([row["recalled"] == "1" for row in predictions()])
    result = {}
    for name in (row["algorithm"] for row in found()["all"]["results"]):
        predicted = np.array([float(row[name]) for row in predictions()])
        loss = np.sort(-np.log(np.where(recalled, predicted, 1 - predicted)))
        result[name] = float(loss[-max(1, len(loss) // 100) :].mean())
    return result


def rows() -> list[list[str]]:
    """The rows of the section's table."""
    weekdays = found()["all"]["weekdays"]
    points = [f"{100 * item['gap']['estimate']:+.1f}".replace("-", "\N{MINUS SIGN}") for item in weekdays]
    return [[DAYS[item["day"]], f"{item['reviews']:,}", point] for item, point in zip(weekdays, points, strict=True)]


def test_the_algorithm_is_short_and_valid_for_python_3_9():
    """About thirty lines of code."""
    (example,) = examples(ALGORITHMS)
    ast.parse(example, feature_version=(3, 9))
    assert sum(bool(line.strip()) for line in example.splitlines()) <= 35


def test_the_algorithm_is_evaluated():
    """After one review it predicts 0.9^(t / 3) with a first stability of 3 days."""
    result = found()["doubling"]
    assert (result["groups"], result["error"], result["count"]) == (["all"], None, 2)
    assert len(set(result["sizes"])) == 1
    assert len(result["parameters"]) == 5
    assert all(result["converged"])
    for first, growth in result["parameters"]:
        assert 0.01 <= first <= 100
        assert 1 <= growth <= 10
        assert (first, growth) != (1.0, 2.0)
    assert 0 < result["log_loss"] < 1
    assert result["off"] < 1e-6, "its derivatives come for free"
    assert result["once"] == pytest.approx([0.9 ** (days / 3) for days in result["after"]])


def test_the_page_on_algorithms_names_all_keys():
    page = (ROOT / ALGORITHMS).read_text(encoding="utf-8")
    for kind in re.findall(r"^\* \*\*(\w+)\*\*", page, flags=re.MULTILINE):
        assert issubclass(getattr(algorithm, kind), algorithm.Algorithm)
    for name in ("WITH_SAME_DAY", "FRACTIONAL_DAYS"):
        assert name in page
        assert hasattr(histories, name)
    for path in re.findall(r"tests/evaluator/[\w/]+\.py", page):
        assert (ROOT / path).is_file()


def test_the_metric_is_in_the_json_flat_in_its_row():
    rows = found()["all"]["results"]
    assert {row["algorithm"]: row["worst_hundredth"] for row in rows} == pytest.approx(by_hand(), abs=1e-5)
    keys = list(rows[0])
    assert keys[keys.index("worst_hundredth") + 1] == calibration.METRICS[0].key
    assert [row["log_loss"] for row in rows] == sorted(row["log_loss"] for row in rows)


def test_the_section_is_in_the_json_with_the_numbers_that_it_ought_to_have():
    scope, weekdays = found()["all"]["scope"], found()["all"]["weekdays"]
    gaps: dict[int, list[float]] = {}
    for row in predictions():
        shifted = int(row["review_id"]) / 1000 - scope["rollover_hour"] * 3600
        shifted += 60 * (scope["utc_offset_minutes"] or 0)
        gap = float(row["recalled"]) - float(row["FSRS-6 default"])
        gaps.setdefault(datetime.fromtimestamp(shifted, UTC).weekday(), []).append(gap)
    assert len(weekdays) == 7
    assert {item["day"]: item["reviews"] for item in weekdays} == {
        day: len(gap) for day, gap in sorted(gaps.items()) if len(gap) >= 100
    }
    for item in weekdays:
        assert item["gap"]["estimate"] == pytest.approx(np.mean(gaps[item["day"]]), abs=1e-6)
        assert item["gap"]["low"] < item["gap"]["estimate"] < item["gap"]["high"]


def test_the_section_is_computed_on_request_and_in_registry_order():
    keys = list(found()["all"])
    assert keys[keys.index("weekdays") + 1] == "graphs"
    alone, none = found()["alone"], found()["none"]
    assert alone["weekdays"] == found()["all"]["weekdays"]
    assert (none["weekdays"], alone["groups"], alone["splitting"]) == ([], [], [])
    assert "Days of the week" not in found()["terminal"]["none"]


def test_the_slicing_is_in_the_json():
    for item in found()["all"]["graphs"]:
        keys = [graph["key"] for graph in item["slices"]]
        at = keys.index(PLAIN)
        assert keys[at:][:3] == [*KEYS, "maturity"]
        slices = item["slices"][at]["slices"]
        assert [day["name"] for day in slices] == [day[:3].lower() for day in DAYS]
        assert sum(day["reviews"] for day in slices) == found()["all"]["scope"]["reviews"]
        assert any(day["band"]["low"] is not None for day in slices)


def test_they_are_documented():
    lines = found()["documentation"]
    assert "| `worst_hundredth` | number, or null | mean log loss of the hundredth that surprised most |" in lines
    section = "| `weekdays` | list of [Weekday](#weekday) | One day of the week, for the algorithm of the verdict. |"
    assert section in lines
    assert lines[lines.index("## Weekday") :][4:9] == [
        "| key | type | meaning |",
        "| --- | --- | --- |",
        "| `day` | integer | 0 is Monday |",
        "| `reviews` | integer | how many scored reviews |",
        "| `gap` | [ConfidenceInterval](#confidenceinterval) | the share remembered minus the mean prediction |",
    ]
    assert re.search(r"show more of the report: [\w, ]*\bweekdays,", " ".join(found()["help"].split()))


def test_they_are_in_the_terminal():
    lines = found()["terminal"]["all"].splitlines()
    header = next(line for line in lines if line.startswith("Algorithm ") and LABEL in line)
    end = header.index(LABEL) + len(LABEL)
    for name, value in by_hand().items():
        row = next(line for line in lines if line[2:].startswith(f"{row_label(name)} "))
        assert row[:end].endswith(f" {value:.3f}")
    at = lines.index("Days of the week")
    assert re.match(r"No day stands out\.|These days stand out: ", lines[at + 1])
    assert [line.split()[:3] for line in lines[at + 4 :][: len(rows())]] == rows()
    (wrong,) = (
        sum(day["band"]["low"] is not None and day["band"]["low"] * day["band"]["high"] > 0 for day in graph["slices"])
        for item in found()["all"]["graphs"]
        for graph in item["slices"]
        if graph["key"] == PLAIN and item["algorithm"] == "FSRS-6 default"
    )
    assert wrong
    text = " ".join(found()["terminal"]["all"].split())
    assert "Lower is better, except for AUC." in text
    assert f"Day of week: FSRS-6 (default) is off by more than chance in {wrong} of 7 groups. Furthest off, in" in text
    assert "By weekday" in text


def test_they_are_on_the_page_and_among_the_files():
    page = found()["page"]
    assert TIP in page
    assert all(f">{value:.3f}</td>" in page for value in by_hand().values())
    part = page.partition(f"{TITLE}</h2>")[2]
    assert "Is memory worse on some days than was predicted?" in part.partition("<h3>")[0]
    own = part.partition("<h3>Days of the week</h3>")[2].partition("</section>")[0]
    assert all(f">{name}</th>" in own and f">{reviews}</td>" in own for name, reviews, _ in rows())
    drawing = own.partition("<svg")[2]
    assert all(f">{text}</text>" in drawing for text in ("Monday", "In percentage points.", "Day of the week"))
    assert "weekdays.png" in found()["charts"]
    for key, (title, axis, day) in CALLED.items():
        assert f">{title}" in page
        assert f">{axis}</text>" in page
        assert f">{day}</text>" in page
        assert any(key in name for name in found()["charts"] if name != "weekdays.png")


def test_the_metric_is_in_the_window():
    shown, keys = found()["results"], list(VIEWS)
    labels = [VIEWS[key].label for key in USUAL]
    labels.insert(sum(keys.index(key) < keys.index(COMPARED_WITH_OTHERS) for key in USUAL), LABEL)
    assert list(shown["columns"]) == labels
    assert shown["columns"][LABEL].startswith(TIP)
    assert shown["cells"] == [f"{value:.3f}" for value in by_hand().values()]
    at = 1 + labels.index(LABEL)
    assert [line[at] for line in shown["copied"]] == [LABEL, *shown["cells"]]


def test_the_section_is_on_a_page_of_the_window():
    shown = found()["section"]
    assert shown["title"] == TITLE
    assert "Days of the week" in shown["words"]
    assert any(re.match(r"No day stands out\.|These days stand out: ", words) for words in shown["words"])
    assert [row[:3] for row in shown["rows"]] == rows()


@pytest.mark.parametrize("key", KEYS)
def test_the_slicing_is_in_the_list_of_the_window(key: str):
    title, _axis, day = CALLED[key]
    assert title in found()["list"]
    assert (title in found()["before"]) == (key == WORDED)
    shown = found()["graphs"][key]
    assert (shown["current"], shown["heading"]) == (title, title)
    assert day in [row[0] for row in shown["rows"]]


def test_the_metric_is_in_the_tables_and_figures_of_summarize():
    values = [line["metrics"]["worst_hundredth"] for line in found()["lines"] if line["algorithm"] == "AVG"]
    assert len(values) == 3
    table = found()["summary"].partition("unweighted\n")[2].splitlines()
    header, row = (next(line for line in table if line.startswith(f"| {name} ")) for name in ("Algorithm", "AVG"))
    cells = dict(zip(*([cell.strip() for cell in line.split("|")] for line in (header, row)), strict=True))
    assert cells[LABEL] == f"{sum(values) / 3:.4f}"
    assert found()["means"].count(",worst_hundredth,") == 2 * 3
    figures = found()["figures"]
    assert sorted(figures) == [f"worst-hundredth-distribution.{form}" for form in ("png", "svg")]
    assert f"{LABEL} on 3 collections" in figures["worst-hundredth-distribution.svg"]
