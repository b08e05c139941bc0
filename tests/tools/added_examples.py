"""Checks of the examples in the READMEs, run by `test_additions.py` in a copy of the project that has the examples."""

from __future__ import annotations

import csv
import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import in_process
import numpy as np
import pytest
from aqt.qt import QLabel, QObject
from made_logs import learner
from one_thread import Anki

from evaluator.algorithms import ALGORITHM_GROUPS, CATALOG
from evaluator.evaluation import evaluate, prepare
from evaluator.fitting.kernels import make_general_replay
from evaluator.metrics import calibration_bins
from evaluator.options import Options
from evaluator.sections import add_sections
from evaluator.workload import estimate
from tools import sources
from tools.benchmark import results_format
from tools.development import describe
from tools.summarize import figures
from tools.summarize import text as tables
from ui.views import HELP_PAGES, PAGES, graphs_view, results_table_cells
from ui.views.labels import row_label
from ui.views.metric_views import USUAL, VIEWS
from ui.window.graph_panel import GraphPanel, GraphView
from ui.window.jobs import Jobs
from ui.window.result_store import ResultStore
from ui.window.results_table import ResultsTable
from ui.window.section_page import SectionPage
from ui.window.text_table import TextTable

LOG = Path(__file__).resolve().parents[1] / "data" / "sim-b" / "revlog.csv.gz"
ALGORITHMS = ("AVG", "SM-2", "FSRS-6", "Doubling")
#: Label and beginning of the tooltip of the added metric.
LABEL = "Worst hundredth (experimental)"
TIP = "The log loss of the hundredth of your reviews that surprised the algorithm most. "
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


class Outputs(NamedTuple):
    """Outputs of one command, and numbers that they should have."""

    report: dict[str, Any]
    terminal: str
    page: str
    charts: list[str]
    losses: dict[str, float]  #: the metric of each algorithm, from the predictions
    gaps: dict[int, list[float]]  #: the difference of each review from FSRS-6's prediction, by day of the week


@pytest.fixture(scope="module", autouse=True)
def less_work():
    """Draw only the graph of the added slicing, and simulate only 40 cards, because more would take long."""
    with pytest.MonkeyPatch.context() as patch:
        all_graphs = graphs_view.graphs
        patch.setattr(graphs_view, "graphs", lambda report=None: {"day_of_week": all_graphs(report)["day_of_week"]})
        patch.setattr(estimate, "MAX_CARDS", 40)
        yield


@pytest.fixture(scope="module")
def snapshot():
    return sources.read(LOG)


@pytest.fixture(scope="module")
def evaluation(snapshot):
    return add_sections(evaluate(snapshot, Options(ALGORITHMS, folds=2)), ["weekdays", "graphs"])


@pytest.fixture(scope="module")
def outputs(tmp_path_factory):
    """Return the outputs of `evaluate` with all sections."""
    folder = tmp_path_factory.mktemp("outputs")
    files = ("--json", "r.json", "--html", "r.html", "--charts", "charts", "--predictions", "p.csv")
    options = ("--algorithms", ",".join(ALGORITHMS), "--folds", "2", "--sections", "all", *files)
    done = in_process.run(["evaluate", str(LOG), *options], folder, COLUMNS="200")
    assert done.returncode == 0, done.stderr
    report = json.loads((folder / "r.json").read_text("utf-8"))
    with (folder / "p.csv").open(newline="") as file:
        predictions = list(csv.DictReader(file))
    recalled = np.array([row["recalled"] == "1" for row in predictions])
    losses = {}
    gaps = {}
    for name in (row["algorithm"] for row in report["results"]):
        predicted = np.array([float(row[name]) for row in predictions])
        loss = np.sort(-np.log(np.where(recalled, predicted, 1 - predicted)))
        losses[name] = float(loss[-max(1, len(loss) // 100) :].mean())
    for row in predictions:
        seconds = int(row["review_id"]) / 1000 - report["scope"]["rollover_hour"] * 3600
        seconds += 60 * (report["scope"]["utc_offset_minutes"] or 0)
        gap = float(row["recalled"]) - float(row["FSRS-6"])
        gaps.setdefault(datetime.fromtimestamp(seconds, UTC).weekday(), []).append(gap)
    charts = [path.name for path in (folder / "charts").iterdir()]
    return Outputs(report, done.stdout, (folder / "r.html").read_text("utf-8"), charts, losses, gaps)


@pytest.fixture
def store(evaluation, snapshot):
    """Return a store with all results of the window."""
    parent = QObject()
    store = ResultStore(Jobs(Anki(), parent), lambda *_: snapshot, parent)
    store.take(evaluation, complete=True)
    store.kept = parent  # which would be deleted otherwise, and the store with it
    return store


def draw_at_once(task, then):
    """Draw a graph without a thread."""
    then(task())


def weekday_rows(report: dict[str, Any]) -> list[list[str]]:
    """Return the first cells of the rows of the section's table."""
    cells = [
        [DAYS[item["day"]], f"{item['reviews']:,}", f"{100 * item['gap']['estimate']:+.1f}"]
        for item in report["weekdays"]
    ]
    return [[cell.replace("-", "\N{MINUS SIGN}") for cell in row] for row in cells]


def test_algorithm_is_in_a_group_and_trained(evaluation):
    row = evaluation.report.result("Doubling")
    assert [name for name, members in ALGORITHM_GROUPS.items() if "Doubling" in members] == ["all"]
    assert (row.error, row.parameter_count, len(row.parameters_per_fold)) == (None, 2, 2)
    assert len({item.size for item in evaluation.report.results}) == 1
    assert all(row.converged_per_fold)
    for first, growth in row.parameters_per_fold:
        assert 0.01 <= first <= 100
        assert 1 <= growth <= 10
        assert (first, growth) != (1.0, 2.0)
    assert 0 < row.log_loss < 1


def test_algorithm_predicts_by_its_formula_and_has_derivatives():
    algorithm = CATALOG["Doubling"]
    replay = make_general_replay(algorithm, prepare(learner(), Options())[0].histories(algorithm.inputs))
    days = replay.trie.query_elapsed[0]
    assert replay.predict(np.array([3.0, 2.0]))[0] == pytest.approx(0.9 ** (days / 3))
    w = np.array([1.2, 1.9])
    step = 1e-6
    slopes = [(replay.predict(w + step * e) - replay.predict(w - step * e)) / (2 * step) for e in np.eye(2)]
    assert np.stack(slopes) == pytest.approx(replay.linearize(w).jacobian(), abs=1e-6)


def test_metric_is_in_json(outputs):
    results = outputs.report["results"]
    assert {row["algorithm"]: row["worst_hundredth"] for row in results} == pytest.approx(outputs.losses, abs=1e-5)
    keys = list(results[0])
    assert keys[keys.index("worst_hundredth") + 1] == calibration_bins.METRICS[0].key
    assert [row["log_loss"] for row in results] == sorted(row["log_loss"] for row in results)


def test_metric_is_in_terminal_and_on_page(outputs):
    lines = outputs.terminal.splitlines()
    header = next(line for line in lines if line.startswith("Algorithm ") and LABEL in line)
    end = header.index(LABEL) + len(LABEL)
    for name, value in outputs.losses.items():
        row = next(line for line in lines if line[2:].startswith(f"{row_label(name)} "))
        assert row[:end].endswith(f" {value:.3f}")
        assert f">{value:.3f}</td>" in outputs.page
    assert "Lower is better, except for AUC." in " ".join(outputs.terminal.split())
    assert TIP in outputs.page


def test_metric_is_in_window(outputs, evaluation, qtbot):
    table = ResultsTable()
    qtbot.addWidget(table)
    table.show_report(evaluation.report)
    headers = [table.horizontalHeaderItem(column) for column in range(1, table.columnCount())]
    titles = [header.text().partition("\n")[0].strip() for header in headers]
    assert titles == [VIEWS[key].label for key in USUAL]
    column = 1 + titles.index(LABEL)
    assert headers[column - 1].toolTip().startswith(TIP)
    values = [f"{value:.3f}" for value in outputs.losses.values()]
    assert [table.item(row, column).text().strip() for row in range(table.rowCount())] == values
    copied = results_table_cells.as_text(results_table_cells.rows(evaluation.report), USUAL).splitlines()
    assert [line.split("\t")[column] for line in copied] == [LABEL, *values]


def test_metric_is_summarized_over_collections(evaluation):
    (line, *_) = results_format.report_lines(evaluation.report, {"collection": "1", "version": "1", "options": {}})
    assert line["metrics"]["worst_hundredth"] == pytest.approx(evaluation.report.results[0].value("worst_hundredth"))
    assert LABEL in tables._MEANS_HEADER
    assert "worst_hundredth" in figures.METRICS


def test_section_is_in_json_with_correct_numbers(outputs):
    weekdays = outputs.report["weekdays"]
    keys = list(outputs.report)
    assert keys[keys.index("weekdays") + 1] == "workload"
    assert len(weekdays) == 7
    for item in weekdays:
        gaps = outputs.gaps[item["day"]]
        assert item["reviews"] == len(gaps)
        assert item["gap"]["estimate"] == pytest.approx(np.mean(gaps), abs=1e-6)
        assert item["gap"]["low"] < item["gap"]["estimate"] < item["gap"]["high"]


def test_section_is_computed_on_request(snapshot):
    evaluation = evaluate(snapshot, Options(ALGORITHMS[:3], folds=2))
    assert not any(evaluation.report.sections.values())
    sections = add_sections(evaluation, ["weekdays"]).report.sections
    assert [key for key, content in sections.items() if content] == ["weekdays"]


def test_section_is_in_terminal_and_on_page(outputs):
    lines = outputs.terminal.splitlines()
    rows = weekday_rows(outputs.report)
    start = lines.index("Days of the week")
    assert re.match(r"No day stands out\.|These days stand out: ", lines[start + 1])
    assert [line.split()[:3] for line in lines[start + 4 :][: len(rows)]] == rows
    part = outputs.page.partition("Habits</h2>")[2]
    assert "Is memory worse on some days than was predicted?" in part.partition("<h3>")[0]
    block = part.partition("<h3>Days of the week</h3>")[2].partition("</section>")[0]
    assert all(f">{name}</th>" in block and f">{reviews}</td>" in block for name, reviews, _ in rows)


def test_section_is_in_window(outputs, store, qtbot):
    habits = next(page for page in PAGES if "weekdays" in page.views)
    number = PAGES.index(habits)
    assert (habits.title, HELP_PAGES[1 + number]) == ("Habits", "numbers")
    assert number == len(PAGES) - 2
    page = SectionPage(habits, store, lambda: GraphView(draw_at_once, lambda _: None))
    qtbot.addWidget(page)
    page.resize(900, 700)
    page.show()
    page.open()
    (block,) = (block for block in page.blocks if block.section == "weekdays")
    texts = [label.text() for label in block.findChildren(QLabel)]
    assert "Days of the week" in texts
    assert any(re.match(r"No day stands out\.|These days stand out: ", text) for text in texts)
    rows = [list(row[:3]) for table in block.findChildren(TextTable) for row in table.table.rows]
    assert rows == weekday_rows(outputs.report)


def test_slicing_is_in_json_and_terminal(outputs):
    for item in outputs.report["graphs"]:
        keys = [graph["key"] for graph in item["slices"]]
        start = keys.index("day_of_week")
        assert keys[start + 1] == "maturity"
        slices = item["slices"][start]["slices"]
        assert [day["name"] for day in slices] == [day[:3].lower() for day in DAYS]
        assert sum(day["reviews"] for day in slices) == outputs.report["scope"]["reviews"]
        if item["algorithm"] == "FSRS-6":
            n_off = sum(day["is_off"] for day in slices)
    assert n_off
    text = " ".join(outputs.terminal.split())
    assert f"Day of week: Off by more than chance in {n_off} of 7 groups, furthest in" in text


def test_slicing_is_on_page_and_in_window(outputs, store, qtbot):
    title = "Day of week"
    assert f">{title}" in outputs.page
    assert f">{title}</text>" in outputs.page
    assert ">sun</text>" in outputs.page
    assert any("day_of_week" in name for name in outputs.charts)
    panel = GraphPanel(store, lambda: GraphView(draw_at_once, lambda _: None))
    qtbot.addWidget(panel)
    panel.choose("day_of_week")
    panel.show_algorithms(["SM-2", "AVG"], reason="")
    qtbot.waitUntil(lambda: panel.shown is not None)
    assert title in [panel.list.itemText(row) for row in range(panel.list.count())]
    assert (panel.list.currentText(), panel.shown.heading) == (title, title)
    assert "sun" in [row[0] for row in panel.shown.table.rows]


def test_source_is_recognized_and_read(snapshot, tmp_path):
    """The rows are in any order, and have whole seconds."""
    log = snapshot.revlog.take(snapshot.revlog.kind <= 2)
    rows = list(zip((log.review_id // 1000).tolist(), log.card_id.tolist(), log.button.tolist(), strict=True))
    lines = ["fact,answered,grade", *(f"{card},{second},{button}" for second, card, button in reversed(rows))]
    path = tmp_path / "facts.csv"
    path.write_text("\n".join(lines))
    result = sources.read(path, next_day_at=snapshot.clock.next_day_at)
    assert result.clock.next_day_at == snapshot.clock.next_day_at
    read = zip(result.revlog.review_id // 1000, result.revlog.card_id, result.revlog.button, strict=True)
    assert sorted(tuple(map(int, row)) for row in read) == sorted(rows)


def test_examples_are_documented(tmp_path):
    text = describe.page().splitlines()
    assert "| `worst_hundredth` | number, or null | mean log loss of the hundredth that surprised most |" in text
    assert "| `weekdays` | list of [Weekday](#weekday) | One day of the week, for FSRS-6. |" in text
    help_text = " ".join(in_process.run(["evaluate", "--help"], tmp_path).stdout.split())
    assert re.search(r"show more of the report: [\w, ]*\bweekdays,", help_text)
