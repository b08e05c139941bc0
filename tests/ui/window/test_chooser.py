from __future__ import annotations

import pytest
from aqt.qt import QPoint, Qt, QWidget

from ui.engine import catalog
from ui.window.chooser import Chooser, ChooserList


def test_click_beside_a_family_folds_it_and_one_on_its_box_checks_it(qtbot):
    chooser = ChooserList(catalog("whole-day"))
    qtbot.addWidget(chooser)
    chooser.resize(800, 600)
    chooser.show()
    assert not chooser.header().isVisible()
    family = chooser.topLevelItem(0)
    states = []
    # The box is near the left edge.
    for x in (300, 300, 30):
        rect = chooser.visualItemRect(family)
        point = QPoint(rect.left() + x, rect.center().y())
        qtbot.mouseClick(chooser.viewport(), Qt.MouseButton.LeftButton, pos=point)
        states.append((family.isExpanded(), sorted(chooser.chosen)))
    assert states == [(False, []), (True, []), (True, ["AVG", "MOVING-AVG"])]


def test_filter_hides_the_other_algorithms_and_their_families(qapp):
    chooser = ChooserList(catalog("whole-day"))

    def shown():
        return [name for name, row in chooser.rows.items() if not (row.isHidden() or row.parent().isHidden())]

    for text in ("adjusted", " Adjusted "):
        chooser.show_only(text)
        assert shown() == ["Anki-SM-2 calibrated"]
    chooser.show_only("")
    assert shown() == list(chooser.rows)


@pytest.mark.parametrize(
    ("name", "key", "closes", "runs"),
    [
        ("filter", Qt.Key.Key_Return, False, []),
        ("filter", Qt.Key.Key_Enter, False, []),
        ("filter", Qt.Key.Key_Escape, True, []),
        ("list", Qt.Key.Key_Return, True, [{"AVG"}]),
    ],
)
def test_return_runs_but_not_in_the_filter(name, key, closes, runs, qtbot):
    parent = QWidget()
    emitted = []
    qtbot.addWidget(parent)
    chooser = Chooser(parent, catalog("whole-day"), ["AVG"], "")
    chooser.run_requested.connect(lambda names, _parameters: emitted.append(set(names)))
    chooser.show()
    chooser.activateWindow()
    widget = getattr(chooser, name)
    widget.setFocus()
    qtbot.waitUntil(widget.hasFocus)
    qtbot.keyClick(widget, key)
    assert (chooser.isHidden(), emitted) == (closes, runs)
