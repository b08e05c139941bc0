from __future__ import annotations

import datetime as dt
from unittest.mock import Mock

import pytest

from evaluator.scope import SAME_DAY_TABLE, WHOLE_DAY_TABLE
from ui.anki.settings import Choices
from ui.science import WHOLE_COLLECTION, ScopeChoice
from ui.window import scope_bar
from ui.window.scope_bar import ScopeBar, ScopeBox


class Bar(ScopeBar):
    """A scope bar that shows each choice at once, as the window does."""

    def __init__(self) -> None:
        super().__init__(list, lambda: dt.date(2024, 5, 31), None)
        self.chosen = []
        self.choices_chosen.connect(self._take)

    def _take(self, choices: Choices) -> None:
        self.chosen.append(choices)
        self.show_choices(WHOLE_COLLECTION, choices)


@pytest.fixture
def bar(qtbot):
    bar = Bar()
    qtbot.addWidget(bar)
    bar.show_choices(WHOLE_COLLECTION, Choices())
    return bar


def test_choices_are_applied_and_other_settings_stay(bar):
    bar.show_choices(WHOLE_COLLECTION, Choices(same_day=False, outlier_filter=False))
    # The second choice changes nothing.
    for table in (SAME_DAY_TABLE, SAME_DAY_TABLE, WHOLE_DAY_TABLE):
        bar.table_box.setCurrentIndex(bar.table_box.findData(table))
        bar.table_box.activated.emit(bar.table_box.currentIndex())
    assert bar.chosen == [
        Choices(same_day=False, outlier_filter=False, table=SAME_DAY_TABLE),
        Choices(same_day=False, outlier_filter=False),
    ]
    assert bar.table_box.currentText() == "Predict: reviews on later days"
    assert bar.table_box.toolTip().startswith("Reviews on later days are predicted, as Anki")


def test_day_on_which_fsrs_was_turned_on_is_offered(bar):
    bar.since.menu().aboutToShow.emit()
    assert bar.fsrs_start.isVisible()
    assert "2024-05-31" in bar.fsrs_start.text()
    bar.fsrs_start.trigger()
    assert bar.chosen == [Choices(since=dt.date(2024, 5, 31))]


def test_decks_and_presets_are_listed_apart_and_found_by_typing(qtbot):
    long_name = "Biology::" + "Cells and tissues " * 5
    decks = [ScopeChoice("deck", "Biology"), ScopeChoice("deck", long_name)]
    box = ScopeBox(lambda: [*decks, ScopeChoice("preset", "Cellar")])
    qtbot.addWidget(box)
    box.show_choice(decks[1])
    texts = [box.itemText(row) for row in range(box.count())]
    assert texts == ["Whole collection", "Decks", "Biology", long_name, "Presets", "Preset Cellar", "", "Search…"]
    assert [text for row, text in enumerate(texts) if not box.model().item(row).isEnabled()] == ["Decks", "Presets", ""]
    assert box.currentText() == long_name
    box.completer().setCompletionPrefix("cell")
    assert box.completer().completionCount() == 2
    box.show()
    box.showPopup()
    assert box.view().viewport().width() >= box.view().sizeHintForColumn(0)


def test_search_can_be_typed(qapp, monkeypatch):
    box = ScopeBox(lambda: [ScopeChoice("deck", "Biology")])
    chosen = []
    ask = Mock(side_effect=[("tag:a ", 1), ("tag:b", 0)])
    box.show_choice(ScopeChoice("search", "tag:old"))
    monkeypatch.setattr(scope_bar, "getText", ask)
    box.chosen.connect(chosen.append)
    for row in (box.count() - 1, box.count() - 1, box.findText("Decks")):
        box.activated.emit(row)
    assert chosen == [ScopeChoice("search", "tag:a"), ScopeChoice("search", "tag:old")]
    assert ask.call_args.kwargs["default"] == "tag:old"
    assert "tag:old" in box.currentText()
