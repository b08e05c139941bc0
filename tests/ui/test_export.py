"""What files are called that the window writes."""

from __future__ import annotations

import pytest

from evaluator.scope import SAME_DAY_TABLE, WHOLE_DAY_TABLE
from ui.views.view import Block
from ui.window.export import suggested_name

GRAPH = Block("interval", "By interval", names=("FSRS-6",))


@pytest.mark.parametrize(
    ("ending", "name"),
    [
        ("html", "srs-evaluator-report"),
        ("json", "srs-evaluator-report"),
        ("csv", "srs-evaluator-predictions"),
        ("png", "interval-fsrs-6"),
        ("svg", "interval-fsrs-6"),
    ],
)
def test_names_say_which_table_it_is(ending: str, name: str) -> None:
    assert suggested_name(ending, GRAPH, WHOLE_DAY_TABLE) == f"{name}.{ending}"
    assert suggested_name(ending, GRAPH, SAME_DAY_TABLE) == f"{name}.same-day.{ending}"
