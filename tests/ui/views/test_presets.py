from __future__ import annotations

from dataclasses import replace
from typing import Optional

import fake
import pytest

from evaluator.interval import ConfidenceInterval
from evaluator.report import Accuracy, PresetInUse, RecallNear, SchedulerInUse
from ui.views.groups import PRESET_NOTES, preset_table
from ui.views.view import Block

RECALL = RecallNear(3940, 0.898, ConfidenceInterval(0.858, 0.838, 0.878, 0.01))
OFF = Accuracy("off", "unseen", "Your parameters", 0.9, 3940, recall=RECALL)
ANATOMY = PresetInUse(7, "Anatomy", 3940, "2024-02-01", OFF, change=0.0212, advice="optimize")
KANJI = PresetInUse(8, "Kanji", 410, None, Accuracy("open", None, None, 0.85, 410), advice="keep_on")


def table_of(*presets: PresetInUse) -> Optional[Block]:
    return preset_table(replace(fake.report(), scheduler=SchedulerInUse(True, 3, presets)))


def test_each_preset_has_a_row() -> None:
    block = table_of(ANATOMY, KANJI)
    assert block is not None
    assert block.table.rows == (
        ("Anatomy", "3,940", "90%", "86% (84% to 88%)", "2.1 points", "2024-02-01", "optimize"),
        ("Kanji", "410", "–", "–", "", "–", "leave"),
    )
    assert block.notes == ()


@pytest.mark.parametrize(("source", "mark"), [("seen", "†"), ("retrained", "‡")])
def test_other_sources_are_marked_and_explained(source: str, mark: str) -> None:
    block = table_of(replace(ANATOMY, accuracy=replace(OFF, source=source)), KANJI)
    assert block is not None
    assert [row[3] for row in block.table.rows] == [f"86% (84% to 88%){mark}", "–"]
    assert (mark, *block.notes) == PRESET_NOTES[source]


def test_row_shows_suggested_retention_and_average_recall() -> None:
    average = replace(OFF, near=False, recall=replace(RECALL, predicted=0.9012))
    changed = replace(ANATOMY, accuracy=average, advice="desired_retention", suggested_retention=0.92)
    block = table_of(changed)
    assert block is not None
    assert block.table.rows[0][2:4] == ("90.1%", "85.8% (83.8% to 87.8%)")
    assert block.table.rows[0][-1] == "set the desired retention to 92%"


def test_table_needs_presets() -> None:
    assert table_of() is None
    assert preset_table(replace(fake.report(), scheduler=None)) is None
