"""The list of algorithms in the chooser."""

from __future__ import annotations

from aqt.qt import QPoint, Qt

from ui.engine import catalog
from ui.window.chooser import ChooserList


def test_click_beside_a_family_folds_it_and_one_on_its_box_checks_it(qtbot):
    chooser = ChooserList(catalog("whole-day"))
    qtbot.addWidget(chooser)
    chooser.resize(800, 600)
    chooser.show()
    family = chooser.topLevelItem(0)
    state = []
    for x in (300, 300, 30):
        rect = chooser.visualItemRect(family)
        point = QPoint(rect.left() + x, rect.center().y())
        qtbot.mouseClick(chooser.viewport(), Qt.MouseButton.LeftButton, pos=point)
        state.append((family.isExpanded(), sorted(chooser.chosen)))
    assert state == [(False, []), (True, []), (True, ["AVG", "MOVING-AVG"])]


def test_filter_hides_the_other_algorithms_and_their_families(qtbot):
    chooser = ChooserList(catalog("whole-day"))
    qtbot.addWidget(chooser)

    def shown():
        return [name for name, row in chooser.rows.items() if not (row.isHidden() or row.parent().isHidden())]

    chooser.show_only("adjusted")
    few = shown()
    chooser.show_only("")
    assert few == ["Anki-SM-2 calibrated"]
    assert shown() == list(chooser.rows)
