"""A name that is made to do harm: on the page, in graphs, in what is copied, and in the terminal's text."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, List

import fake
import made_graphs
import pytest
from aqt.qt import QObject
from chart_texts import graph as graph_of
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from evaluator.report import Report, shown
from evaluator.sections.splitting import Splitting
from tools import table
from ui.charts import draw, save_chart, save_charts
from ui.charts.settings import own_settings
from ui.charts.style import LIGHT
from ui.page import page
from ui.science import WHOLE_COLLECTION, ScopeChoice
from ui.views import groups, table_text
from ui.views.choices import scope_button
from ui.views.graphs import occasions
from ui.window.findings import Findings
from ui.window.scope_bar import ScopeBox
from ui.window.text_table import as_text

from .test_group_tables import group, grouping, split

#: A formula, a mark, a broken one of mathematics, a command to the terminal, a line of its own, marks of direction, and
#: what no XML may hold.
EVIL = '=<script>alert("1")</script>|`$\\frac{$\x1b]0;x\x07\x9b31m\n\t\r\u2028\u202e\u2066\u200f\u200b'
EVIL += "\x00\x08\ufffe\udfffZ"
#: What is left of it.
SEEN = '=<script>alert("1")</script>|`$\\frac{$\ufffd]0;x\ufffd\ufffd31m \ufffd\ufffd\ufffd\ufffdZ'

_HARMFUL = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\u200b\u200e\u200f\ud800-\udfff\ufffe\uffff]"
)


def renamed(value: Any, name: str) -> Any:
    """The same with that algorithm called otherwise, wherever it is named by itself."""
    if isinstance(value, str):
        return EVIL if value == name else value
    if isinstance(value, tuple):
        return tuple(renamed(item, name) for item in value)
    if isinstance(value, dict):
        return {key: renamed(item, name) for key, item in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{field.name: renamed(getattr(value, field.name), name) for field in fields(value)})
    return value


@pytest.fixture(scope="module")
def hostile() -> Report:
    """An algorithm, the deck that was chosen, and one among the decks are called so."""
    report: Report = renamed(made_graphs.usual(), "SM-2")
    splits = (split(EVIL, 2000, "split"), split("B", 9, "too_few"))
    found = Splitting("deck", "FSRS-6", 2, splits, split("", 3000, "split"))
    report = report.with_section("groups", (grouping(group(EVIL, 9000), baseline=EVIL),))
    report = report.with_section("splitting", (found,))
    return replace(report, scope=replace(report.scope, kind="deck", name=EVIL))


def harmful_in(text: str) -> List[str]:
    """What there should be none of; ends of lines are the text's own."""
    return _HARMFUL.findall(text)


def test_in_the_terminal(hostile: Report) -> None:
    text = table.render(hostile) + table.render_sections(hostile, ["groups", "splitting"])
    assert not harmful_in(text)
    assert "\n  " + SEEN + "  " in text
    plain = table.render(made_graphs.usual())
    assert text.index("Your decks") > 0
    alone = hostile.with_section("groups", ()).with_section("splitting", ())
    assert table.render(alone).count("\n") <= plain.count("\n") + 3


def test_on_the_page(hostile: Report) -> None:
    """In words, in attributes and in the title; it is nowhere markup."""
    text = page(hostile)
    assert not harmful_in(text)
    assert "<script" not in text
    assert "&lt;script&gt;" in text
    for svg in re.findall(r"<svg.*?</svg>", text, re.DOTALL):
        ET.fromstring(svg.replace("<svg", '<svg xmlns:xlink="x"', 1))  # noqa: S314 - our own; HTML knows the prefix


@pytest.mark.parametrize("key", ["calibration", "interval", "memory"])
def test_in_graphs(hostile: Report, tmp_path: Path, key: str) -> None:
    svg = save_chart(graph_of(shown(hostile), key, [SEEN]), tmp_path / "x.svg").read_text(encoding="utf-8")
    ET.fromstring(svg)  # noqa: S314 - our own
    assert not harmful_in(svg)
    assert save_chart(graph_of(shown(hostile), key, [SEEN]), tmp_path / "x.png").stat().st_size > 10_000


def test_file_names_of_graphs(hostile: Report, tmp_path: Path) -> None:
    few = replace(hostile.with_section("graphs", ()), results=hostile.results[-1:])
    assert few.results[0].algorithm == EVIL
    path, *_ = save_charts(occasions(shown(few), of_each=True), tmp_path)
    assert path.name == "calibration-script-alert-1-script-frac-0-x-31m-z.png"


def test_dollar_signs_are_drawn(tmp_path: Path) -> None:
    report: Report = renamed(fake.report(), "SM-2")
    named = replace(report, results=tuple(replace(row, algorithm="$x$") for row in report.results[-1:]))
    with own_settings():
        figure = Figure(figsize=(6, 6))
        canvas = FigureCanvasAgg(figure)
        block = graph_of(named, "calibration", ["$x$"])
        assert block.chart is not None
        draw(figure, block.chart, LIGHT, title=block.title)
        canvas.draw()
        assert not any(text.get_parse_math() for text in figure.texts)


def test_what_is_copied(hostile: Report) -> None:
    """Spreadsheets get no formula, Markdown no cell more, and no line is divided."""
    seen = replace(hostile, results=hostile.results[-1:])
    assert seen.results[0].algorithm == EVIL
    for row in (
        table_text.as_text(seen, seen.results).splitlines()[1],
        as_text(groups.block(grouping(group("=1", 200))).table).splitlines()[1],
    ):
        assert row.startswith("'=")
    noted = [replace(row, note="external") for row in seen.results]
    assert table_text.as_text(seen, noted).splitlines()[-1].startswith("'=")
    footnote = table_text.as_markdown(seen, noted).splitlines()[-1]
    assert footnote.count("|") == footnote.count("\\|") > 0
    header, rule, row = table_text.as_markdown(seen, seen.results).splitlines()
    assert row.count("|") - row.count("\\|") == header.count("|") == rule.count("|")
    assert "\\`\\$\\\\frac{\\$" in row


def test_in_the_list_of_decks(qtbot: Any) -> None:
    choice = ScopeChoice("deck", EVIL)
    box = ScopeBox(lambda: [choice, ScopeChoice("preset", EVIL)])
    qtbot.addWidget(box)
    box.show_choice(WHOLE_COLLECTION)
    box.showPopup()
    texts = [box.itemText(row) for row in range(box.count())]
    assert not any(harmful_in(text) or "\n" in text for text in texts)
    assert sum(SEEN in text for text in texts) == 2
    assert choice in [box.itemData(row) for row in range(box.count())]
    assert scope_button(choice) == SEEN


def test_in_the_window(hostile: Report) -> None:
    """All that it shows of an evaluation is the report as it is shown; what is computed and written is the true one."""
    parent = QObject()
    findings = Findings(None, None, parent)  # type: ignore[arg-type]
    evaluation: Any = SimpleNamespace(report=hostile, evidence=None)
    findings.take(evaluation, complete=True)
    assert findings.report == shown(hostile)
    assert findings.evaluation is evaluation
