from __future__ import annotations

from typing import Any, List

import pytest

from evaluator.scope import SAME_DAY_TABLE, WHOLE_DAY_TABLE
from ui.anki.settings import Choices
from ui.science import WHOLE_COLLECTION
from ui.window.scope_bar import ScopeBar


class Bar(ScopeBar):
    """One whose choices are shown as soon as they are made, as the window does it."""

    def __init__(self) -> None:
        super().__init__(list)
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


def test_choices_are_applied_and_other_settings_stay(bar: Bar) -> None:
    bar.show_choices(WHOLE_COLLECTION, Choices(same_day=False, outlier_filter=False))
    for table in (SAME_DAY_TABLE, SAME_DAY_TABLE, WHOLE_DAY_TABLE):  # the second is as it is already
        bar.tables[table].trigger()
    assert bar.chosen == [
        Choices(same_day=False, outlier_filter=False, table=SAME_DAY_TABLE),
        Choices(same_day=False, outlier_filter=False),
    ]
    assert bar.tables[WHOLE_DAY_TABLE].isChecked()
