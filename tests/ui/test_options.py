"""The menu behind the button Options: which reviews are predicted, and what that leaves to choose."""

from __future__ import annotations

from typing import Any, List

import pytest
from told import says

from evaluator.scope import SAME_DAY_TABLE, WHOLE_DAY_TABLE
from ui.anki.settings import Choices
from ui.science import WHOLE_COLLECTION
from ui.window.places import Places
from ui.window.scope_bar import ScopeBar


class Bar(ScopeBar):
    """One whose choices are shown as soon as they are made, as the window does it."""

    def __init__(self) -> None:
        super().__init__(Places)
        self.chosen: List[Choices] = []
        self.choices_chosen.connect(self._take)

    def _take(self, choices: Choices) -> None:
        self.chosen.append(choices)
        self.show_choices(WHOLE_COLLECTION, choices)


@pytest.fixture
def bar(qtbot: Any) -> Bar:
    made = Bar()
    qtbot.addWidget(made)
    made.show_choices(WHOLE_COLLECTION, Choices())
    return made


def test_each_choice_arrives(bar: Bar) -> None:
    bar.same_day.trigger()
    bar.outlier_filter.trigger()
    bar.tables[SAME_DAY_TABLE].trigger()
    bar.tables[SAME_DAY_TABLE].trigger()  # as it is already
    assert bar.chosen == [
        Choices(same_day=False),
        Choices(same_day=False, outlier_filter=False),
        Choices(same_day=False, outlier_filter=False, table=SAME_DAY_TABLE),
    ]


def test_with_same_day_reviews_there_is_less_to_choose_and_it_is_said_why(bar: Bar) -> None:
    """The boxes show how it is there; what is chosen for the other table stays."""
    bar.same_day.trigger()
    boxes = bar.same_day, bar.outlier_filter
    before = [box.toolTip() for box in boxes]
    bar.tables[SAME_DAY_TABLE].trigger()
    assert [box.isEnabled() for box in boxes] == [False, False]
    assert [box.isChecked() for box in boxes] == [True, False]
    for box in boxes:
        assert says(box.toolTip(), "No choice with same-day reviews: ")
    bar.tables[WHOLE_DAY_TABLE].trigger()
    assert [box.isEnabled() for box in boxes] == [True, True]
    assert [box.isChecked() for box in boxes] == [False, True]
    assert [box.toolTip() for box in boxes] == before
    assert bar.chosen[-1] == Choices(same_day=False)
