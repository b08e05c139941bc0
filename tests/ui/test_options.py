"""What drops down from the button Options: which reviews are predicted, and what that leaves to choose."""

from __future__ import annotations

from typing import Any, List

import pytest
from aqt.qt import QWidget
from told import says

from evaluator.scope import SAME_DAY_TABLE, WHOLE_DAY_TABLE
from ui.anki.settings import Choices
from ui.window.popups import OptionsPopup


class Asked:
    """A person who opens it, chooses, and closes it."""

    def __init__(self, qtbot: Any) -> None:
        self._parent = QWidget()
        qtbot.addWidget(self._parent)
        self.popup = OptionsPopup(self._parent)
        self._chosen: List[Choices] = []
        self.popup.chosen.connect(self._chosen.append)

    def opens(self, choices: Choices) -> OptionsPopup:
        self.popup.offer(choices)
        self.popup.show()
        return self.popup

    @property
    def chosen(self) -> Choices:
        """What is chosen when it is closed."""
        self.popup.hide()
        return self._chosen[-1]


@pytest.fixture
def asked(qtbot: Any) -> Asked:
    return Asked(qtbot)


@pytest.mark.parametrize("table", [WHOLE_DAY_TABLE, SAME_DAY_TABLE])
@pytest.mark.parametrize("flag", [True, False])
def test_who_changes_nothing_keeps_all(asked: Asked, table: str, flag: bool) -> None:
    choices = Choices(table=table, same_day=flag, outlier_filter=not flag)
    asked.opens(choices)
    assert asked.chosen == choices
    asked.opens(Choices())
    assert asked.chosen == Choices()


def test_each_choice_arrives(asked: Asked) -> None:
    asked.opens(Choices()).same_day.click()
    assert asked.chosen == Choices(same_day=False)
    asked.opens(Choices()).outlier_filter.click()
    assert asked.chosen == Choices(outlier_filter=False)
    asked.opens(Choices()).tables[SAME_DAY_TABLE].click()
    assert asked.chosen == Choices(table=SAME_DAY_TABLE)
    asked.opens(Choices(table=SAME_DAY_TABLE)).tables[WHOLE_DAY_TABLE].click()
    assert asked.chosen == Choices()


def test_with_same_day_reviews_there_is_less_to_choose_and_it_is_said_why(asked: Asked) -> None:
    """The boxes show how it is there; what is chosen for the other table stays."""
    choices = Choices(same_day=False, outlier_filter=True)
    popup = asked.opens(choices)
    boxes = popup.same_day, popup.outlier_filter
    before = [box.accessibleDescription() for box in boxes]
    popup.tables[SAME_DAY_TABLE].click()
    assert [box.isEnabled() for box in boxes] == [False, False]
    assert [box.isChecked() for box in boxes] == [True, False]
    for box in boxes:
        assert says(box.accessibleDescription(), "No choice with same-day reviews: ")
    assert asked.chosen == choices._replace(table=SAME_DAY_TABLE)
    asked.opens(asked.chosen)
    popup.tables[WHOLE_DAY_TABLE].click()
    assert [box.isEnabled() for box in boxes] == [True, True]
    assert [box.isChecked() for box in boxes] == [False, True]
    assert [box.accessibleDescription() for box in boxes] == before
    assert asked.chosen == choices
