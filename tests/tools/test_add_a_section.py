from __future__ import annotations

import csv
import functools
import re
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from additions import ROOT, copy_to, examples, found_by, put_before

from ui.views import PAGES

PAGE = "evaluator/sections/README.md"
LOG = ROOT / "tests" / "data" / "sim-b" / "revlog.csv.gz"

#: Title of the page with the example.
TITLE = next(page.title for page in PAGES if "parameters" in page.views)

#: Is given the folder of the copy and a review log.
SCRIPT = """
import contextlib, io, json, sys
from pathlib import Path
from aqt.qt import QApplication, QLabel, QObject, pyqtSignal
from evaluator.evaluation import evaluate as evaluated
from evaluator.options import Options
from evaluator.sections import add_sections
from evaluator.workload import pipeline
from tools import evaluate, sources
from tools.development import describe
from ui.views import PAGES, graphs
from ui.window.section_page import SectionPage
from ui.window.graph_panel import GraphView
from ui.window.text_table import TextTable

folder, log = Path(sys.argv[1]), sys.argv[2]
graphs.graphs = lambda report=None: {}  # what is looked for is none of the algorithms' own
pipeline.MAX_CARDS = 40  # nor a year ahead


def output_of(*arguments):
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.suppress(SystemExit):
        evaluate.main(list(arguments))
    return out.getvalue()


ALGORITHMS = ("AVG", "SM-2", "FSRS-6 default")
terminal = {}


def report(sections, *others):
    path = folder / f"{sections}.json"
    asked = ["--algorithms", ",".join(ALGORITHMS), "--folds", "2"]
    asked += ["--predictions", str(folder / "predictions.csv")]
    terminal[sections] = output_of(log, *asked, "--sections", sections, "--json", str(path), *others)
    return json.loads(path.read_text(encoding="utf-8"))


class ResultStore(QObject):
    # All that is asked for is known.
    changed = pyqtSignal()
    complete = True

    def __init__(self, report):
        super().__init__()
        self.report = report

    def state(self, question):
        return "known"

    def request_results(self, *questions, **options):
        pass


def window():
    # What is to be read on the page, once the graph is drawn.
    application = QApplication([])
    evaluation = evaluated(sources.read(Path(log)), Options(ALGORITHMS, folds=2))
    findings = ResultStore(add_sections(evaluation, ["comparisons", "weekdays"]).report)
    assert findings.report.section("weekdays")
    page = SectionPage(next(one for one in PAGES if "weekdays" in one.views), findings, lambda task, then: then(task()))
    page.resize(900, 700)
    page.show()
    page.open()
    (block,) = (block for block in page.blocks if block.section == "weekdays")
    while not any(view.image for view in block.findChildren(GraphView)):
        application.processEvents()
    return {
        "title": page.page.title,
        "words": [label.text() for label in block.findChildren(QLabel)],
        "rows": [row for table in block.findChildren(TextTable) for row in table.table.rows],
    }


print("found:" + json.dumps({
    "all": report("all", "--html", str(folder / "page.html"), "--charts", str(folder / "charts")),
    "alone": report("weekdays"),
    "none": report("none"),
    "terminal": terminal,
    "page": (folder / "page.html").read_text(encoding="utf-8"),
    "charts": [path.name for path in (folder / "charts").iterdir()],
    "window": window(),
    "predictions": (folder / "predictions.csv").read_text(encoding="utf-8"),
    "documentation": describe.page(),
    "help": output_of("--help"),
}))
"""


@functools.cache
def results() -> Any:
    """Return what a copy of the project with the example makes of a log, in a process of its own; see ``SCRIPT``."""
    section, view, graph = examples(PAGE)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copy_to(folder)
        (folder / "evaluator" / "sections" / "weekdays.py").write_text(section, encoding="utf-8")
        put_before(folder / "evaluator" / "sections" / "__init__.py", '"graphs", ', '"weekdays", ')
        (folder / "ui" / "views" / "weekdays.py").write_text(view, encoding="utf-8")
        (folder / "ui" / "charts" / "weekdays.py").write_text(graph, encoding="utf-8")
        put_before(folder / "ui" / "views" / "__init__.py", '"parameters"', '"weekdays", ')
        return found_by(SCRIPT, folder, [str(LOG)])


def test_it_is_in_the_json_with_the_numbers_that_it_ought_to_have():
    rows = list(csv.DictReader(results()["predictions"].splitlines()))
    gaps: dict[int, list[float]] = {}
    for row in rows:
        shifted = int(row["review_id"]) / 1000 - results()["all"]["scope"]["rollover_hour"] * 3600
        shifted += 60 * (results()["all"]["scope"]["utc_offset_minutes"] or 0)
        gap = float(row["recalled"]) - float(row["FSRS-6 default"])
        gaps.setdefault(datetime.fromtimestamp(shifted, UTC).weekday(), []).append(gap)
    weekdays = results()["all"]["weekdays"]
    assert len(weekdays) == 7
    assert {weekday["day"]: weekday["reviews"] for weekday in weekdays} == {
        day: len(gap) for day, gap in sorted(gaps.items()) if len(gap) >= 100
    }
    for weekday in weekdays:
        assert weekday["gap"]["estimate"] == pytest.approx(
            sum(gaps[weekday["day"]]) / len(gaps[weekday["day"]]), abs=1e-6
        )
        assert weekday["gap"]["low"] < weekday["gap"]["estimate"] < weekday["gap"]["high"]


def test_it_is_at_the_top_level_in_registry_order():
    keys = list(results()["all"])
    assert keys[keys.index("weekdays") + 1] == "graphs"


def test_it_is_computed_on_request():
    assert results()["alone"]["weekdays"] == results()["all"]["weekdays"]
    assert (results()["none"]["weekdays"], results()["alone"]["groups"], results()["alone"]["splitting"]) == (
        [],
        [],
        [],
    )


def test_it_is_in_the_documentation_of_keys():
    lines = results()["documentation"].splitlines()
    assert (
        "| `weekdays` | list of [Weekday](#weekday) | One day of the week, for the algorithm of the verdict. |" in lines
    )
    assert lines[lines.index("## Weekday") :][4:9] == [
        "| key | type | meaning |",
        "| --- | --- | --- |",
        "| `day` | integer | 0 is Monday |",
        "| `reviews` | integer | how many scored reviews |",
        "| `gap` | [ConfidenceInterval](#confidenceinterval) | the share remembered minus the mean prediction |",
    ]


def test_it_is_among_the_names_of_the_help():
    assert re.search(r"show more of the report: [\w, ]*\bweekdays,", " ".join(results()["help"].split()))


DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def rows() -> list[list[str]]:
    """Return the rows of its table, calculated by hand."""
    found_days = results()["all"]["weekdays"]
    points = [100 * item["gap"]["estimate"] for item in found_days]
    return [
        [DAYS[item["day"]], f"{item['reviews']:,}", f"{point:+.1f}".replace("-", "\N{MINUS SIGN}")]
        for item, point in zip(found_days, points, strict=True)
    ]


def test_it_is_in_the_terminal():
    lines = results()["terminal"]["all"].splitlines()
    at = lines.index("Days of the week")
    assert re.match(r"No day stands out\.|These days stand out: ", lines[at + 1])
    assert [line.split()[:3] for line in lines[at + 4 :][: len(rows())]] == rows()
    assert "Days of the week" not in results()["terminal"]["none"]


def test_it_is_on_the_page_with_its_graph():
    part = results()["page"].partition(f"{TITLE}</h2>")[2]
    assert "Is memory worse on some days than was predicted?" in part.partition("<h3>")[0]
    own = part.partition("<h3>Days of the week</h3>")[2].partition("</section>")[0]
    for name, reviews, _ in rows():
        assert f">{name}</th>" in own
        assert f">{reviews}</td>" in own
    drawing = own.partition("<svg")[2]
    assert all(f">{text}</text>" in drawing for text in ("Monday", "In percentage points.", "Day of the week"))


def test_its_graph_is_among_the_files():
    assert "weekdays.png" in results()["charts"]


def test_it_is_on_a_page_of_the_window():
    shown = results()["window"]
    assert shown["title"] == TITLE
    assert "Days of the week" in shown["words"]
    assert any(re.match(r"No day stands out\.|These days stand out: ", words) for words in shown["words"])
    assert [row[:3] for row in shown["rows"]] == rows()
