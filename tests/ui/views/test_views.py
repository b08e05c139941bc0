from __future__ import annotations

import re
from typing import Iterator, Union

import fake
import made_graphs
import made_workload
import pytest

from evaluator.report import Report
from ui.text import strings
from ui.views import NAMES, PAGES, load
from ui.views.graphs_view import GRAPHS
from ui.views.labels import row_label
from ui.views.view import AlgorithmsView, Block, View

VIEWS = {name: load(name) for name in NAMES}


def test_unrequested_sections_are_not_shown():
    assert not any(view.of(fake.report()) for view in VIEWS.values())
    assert [key for key, view in GRAPHS.items() if view.of(fake.report(), ["FSRS-6"])] == ["calibration"]


def test_equal_notes_are_in_the_first_block_only():
    view = View("", "", "", lambda *_: [Block("a", "A", notes=("x", "y")), Block("b", "B", notes=("y", "z"))])
    assert [block.notes for block in view.of(fake.report())] == [("x", "y"), ("z",)]


def blocks_of(view: Union[AlgorithmsView, View], real_report: Report) -> Iterator[Block]:
    """Yield blocks of a real report, of made-up graphs with many and few reviews, and of made-up workloads."""
    workloads = [real_report.with_section("workload", workload) for workload in made_workload.ALL]
    for report in (real_report, made_graphs.pair_report(), made_graphs.pair_report(few=True), *workloads):
        if isinstance(view, View):
            yield from view.of(report)
        else:
            for names in ([], ["FSRS-6"], ["FSRS-6", "SM-2"]):
                yield from view.of(report, names)


@pytest.mark.parametrize("view", [*VIEWS.values(), *GRAPHS.values()], ids=[*VIEWS, *GRAPHS])
def test_blocks_are_complete_and_have_no_leftovers(view, real_report):
    for block in blocks_of(view, real_report):
        columns = block.table.columns
        assert {len(row) for row in block.table.rows} <= {len(columns)}
        assert all(column.tip for column in columns if column.number and column.name != strings.COLUMN_ALGORITHM)
        assert re.fullmatch(r"[\w-]+", block.key)
        assert block.heading
        cells = [cell for row in block.table.rows for cell in row]
        sentences = [block.caption, *block.notes, *(column.tip for column in columns)]
        for text in (block.heading, *block.reading, *sentences, *cells):
            assert text == text.strip()
            assert not re.search(r"[{}]|\bNone\b|\bnan\b|<lambda>|  |%[sdr]|\(\)|\.\.", text), text
        assert all(sentence.endswith((".", "?")) for sentence in sentences if sentence)
        if block.names and block.table.rows:
            assert set(cells) >= set(map(row_label, block.names))


def test_tip_of_a_page_says_more_than_its_title():
    assert all(len(page.tip) > len(page.title) for page in PAGES)
