from __future__ import annotations

import functools
import tempfile
from pathlib import Path
from typing import Any

import pytest
from additions import ROOT, copy_to, examples, found_by, put_before

PAGE = "docs/how-it-works.md"
LOG = ROOT / "tests" / "data" / "sim-b" / "revlog.csv.gz"
#: Keys of the two examples; only the second has a title of its own.
KEYS = PLAIN, WORDED = ("day_of_week", "weekday")
DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

#: Is given the folder of the copy and a review log.
SCRIPT = """
import contextlib, io, json, sys
from pathlib import Path
from aqt.qt import QApplication, QObject, pyqtSignal
from evaluator.evaluation import evaluate as evaluated
from evaluator.options import Options
from evaluator.sections import add_sections
from tools import evaluate, sources
from ui.views import graphs
from ui.window.graph_panel import GraphPanel

folder, log = Path(sys.argv[1]), sys.argv[2]
keys = ("day_of_week", "weekday")
whole = graphs.graphs
graphs.graphs = lambda report=None: {key: view for key, view in whole(report).items() if key in keys}  # others are slow
with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.suppress(SystemExit):
    arguments = ["--algorithms", "AVG,SM-2", "--folds", "2", "--sections", "graphs", "--json", str(folder / "r.json")]
    arguments += ["--html", str(folder / "r.html"), "--charts", str(folder / "charts")]
    evaluate.main([log, *arguments])


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


application = QApplication([])
findings = ResultStore()
panels = {key: GraphPanel(findings, lambda task, then: then(task())) for key in keys}


def titles(panel):
    return [panel.list.itemText(row) for row in range(panel.list.count())]


for key, panel in panels.items():
    panel.choose(key)
before = titles(panel)
evaluation = evaluated(sources.read(Path(log)), Options(("AVG", "SM-2"), folds=2))
findings.report = add_sections(evaluation, ["graphs"]).report
for panel in panels.values():
    panel.show_algorithms(["SM-2", "AVG"])
print("found:" + json.dumps({
    "json": json.loads((folder / "r.json").read_text(encoding="utf-8")),
    "terminal": out.getvalue(),
    "page": (folder / "r.html").read_text(encoding="utf-8"),
    "charts": [path.name for path in (folder / "charts").iterdir()],
    "list": titles(panel),
    "before": before,
    "window": {
        key: {"current": panel.list.currentText(), "heading": panel.shown.heading, "rows": panel.shown.table.rows}
        for key, panel in panels.items()
    },
}))
"""


@functools.cache
def results() -> Any:
    """Return what a copy of the project with the example makes of a log: once without labels, once with them."""
    slicing, words = examples(PAGE)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copy_to(folder)
        listed = "#: The slicings that have a graph"
        for key in KEYS:
            added = slicing.replace("day_of_week", key)
            put_before(folder / "evaluator" / "statistics" / "slicings.py", listed, f"{added}\n\n")
            put_before(folder / "evaluator" / "statistics" / "slicings.py", "    by_maturity,\n", f"    by_{key},\n")
        put_before(
            folder / "ui" / "views" / "slices.py", '    "month": SliceLabels(', words.replace("day_of_week", WORDED)
        )
        return found_by(SCRIPT, folder, [str(LOG)])


#: Its title, its axis, and what one slice is called.
CALLED = {PLAIN: ("Day of week", "Day of week", "sun"), WORDED: ("By weekday", "Weekday", "Sunday")}


def test_it_is_in_the_json():
    for item in results()["json"]["graphs"]:
        keys = [graph["key"] for graph in item["slices"]]
        at = keys.index("day_of_week")
        assert keys[at:][:3] == [*KEYS, "maturity"]
        slices = item["slices"][at]["slices"]
        assert [day["name"] for day in slices] == DAYS
        assert sum(day["reviews"] for day in slices) == results()["json"]["scope"]["reviews"]
        assert any(day["band"]["low"] is not None for day in slices)


@pytest.mark.parametrize("key", KEYS)
def test_it_is_on_the_page_and_among_the_files(key: str):
    title, axis, day = CALLED[key]
    page = results()["page"]
    assert f">{title}" in page
    assert f">{axis}</text>" in page
    assert f">{day}</text>" in page
    assert any(key in name for name in results()["charts"])


def test_miscalibrated_groups_are_in_the_terminal():
    (wrong,) = (
        sum(day["band"]["low"] is not None and day["band"]["low"] * day["band"]["high"] > 0 for day in graph["slices"])
        for item in results()["json"]["graphs"]
        for graph in item["slices"]
        if graph["key"] == "day_of_week" and item["algorithm"] == "SM-2"
    )
    assert wrong
    text = " ".join(results()["terminal"].split())
    assert f"Day of week: SM-2 (1987) is off by more than chance in {wrong} of 7 groups. Furthest off, in" in text
    assert "By weekday" in results()["terminal"]


@pytest.mark.parametrize("key", KEYS)
def test_it_is_in_the_list_of_the_window(key: str):
    title, _axis, day = CALLED[key]
    assert title in results()["list"]
    assert (title in results()["before"]) == (key == WORDED)
    shown = results()["window"][key]
    assert (shown["current"], shown["heading"]) == (title, title)
    assert day in [row[0] for row in shown["rows"]]
