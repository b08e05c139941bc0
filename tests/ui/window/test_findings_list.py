from __future__ import annotations

from typing import Any, Tuple

import pytest
from aqt import colors
from aqt.qt import QColor, QPoint, Qt
from aqt.theme import theme_manager
from made_findings import advice, finding, report_on
from wcag import contrast

from evaluator.report import Report
from ui.window.findings_list import ADVICE, MAX_ROWS, FindingsList
from ui.window.signs import COLORS, sign_icon
from ui.window.widgets import bold, selection_color


def report(**facts: Any) -> Report:
    """Return a report on a preset with a deck, and one without."""
    law = finding("optimistic", "preset", advice=advice("optimize", "change"))
    deck = finding("deck", "deck", name="Torts", advice=law.advice)
    music = finding("too_few", "preset", name="Music", preset_id=9, advice=advice("keep_on", "unknown"))
    return report_on(finding("right", preset_id=None), law, deck, music, **facts)


@pytest.fixture
def findings(qtbot):
    findings = FindingsList()
    qtbot.addWidget(findings)
    findings.resize(800, 300)
    findings.show_report(report(subject=1), complete=True)
    findings.show()
    return findings


def center(findings: FindingsList, row: int, column: int) -> QPoint:
    place = findings.visualItemRect(findings.items[row]).center()
    place.setX(findings.columnViewportPosition(column) + findings.columnWidth(column) // 2)
    return place


def rgb(color: QColor) -> Tuple[float, float, float]:
    return color.redF(), color.greenF(), color.blueF()


@pytest.mark.parametrize("is_night", [False, True])
@pytest.mark.parametrize("sign", COLORS)
def test_signs_can_be_seen_on_each_background(sign, is_night, monkeypatch):
    monkeypatch.setattr(theme_manager, "night_mode", is_night)
    canvases = [*map(theme_manager.qcolor, (colors.CANVAS, colors.CANVAS_ELEVATED)), selection_color()]
    assert min(contrast(rgb(QColor(COLORS[sign][is_night])), rgb(canvas)) for canvas in canvases) >= 3


def test_signs_differ_in_shape_and_are_bold(findings):
    shapes = [sign_icon(sign, 16, findings).pixmap(16).toImage().createAlphaMask() for sign in (*COLORS, "")]
    assert all(shape != other for number, shape in enumerate(shapes) for other in shapes[:number])
    image = sign_icon("question", 16, findings).pixmap(16).toImage()
    findings.setFont(bold(findings.font()))
    assert sign_icon("question", 16, findings).pixmap(16).toImage() == image


def test_rows_are_those_of_the_view_and_decks_are_folded(findings):
    assert [item.text(0) for item in findings.items] == ["Law", "Deck Torts", "Music", "All"]
    assert (findings.n_visible_rows, findings.currentItem()) == (3, findings.items[0])
    findings.show_report(report(subject=2), complete=True)
    assert (findings.n_visible_rows, findings.currentItem()) == (4, findings.items[1])


def test_click_selects_and_link_opens_options(findings, qtbot):
    chosen = []
    opened = []
    findings.chosen.connect(chosen.append)
    findings.options_requested.connect(opened.append)
    for row, column in ((2, 1), (3, ADVICE), (2, ADVICE)):
        qtbot.mouseClick(findings.viewport(), Qt.MouseButton.LeftButton, pos=center(findings, row, column))
    assert chosen == [3, 0, 3]
    assert opened == [9]


def test_nothing_can_be_selected_before_the_end(findings, qtbot):
    findings.show_report(report(), complete=False)
    chosen = []
    findings.chosen.connect(chosen.append)
    qtbot.mouseClick(findings.viewport(), Qt.MouseButton.LeftButton, pos=center(findings, 2, 1))
    assert (chosen, findings.selectedItems()) == ([], [])


def test_menu_names_what_can_be_evaluated_alone(findings):
    texts = [[action.text() for action in findings.menu(row).actions()] for row in findings.rows]
    preset = "Evaluate this preset alone"
    deck = "Evaluate this deck alone"
    options = "Open Deck Options"
    assert texts == [[preset, options], [deck, options], [preset, options], [options]]


def test_list_of_many_presets_scrolls(findings):
    presets = [finding("right", "preset", name=f"Preset {number}", preset_id=number) for number in range(25)]
    findings.show_report(report_on(finding(preset_id=None), *presets), complete=True)
    findings.setFixedHeight(findings.height_of(MAX_ROWS))
    assert findings.verticalScrollBar().maximum() == findings.height_of(26) - findings.height_of(MAX_ROWS)


def test_name_is_cut_only_in_a_narrow_window(findings):
    name = "Geography of Europe, its rivers and its capitals"
    presets = [finding("right", "preset", name=text, preset_id=number) for number, text in enumerate((name, "Law"))]
    findings.show_report(report_on(finding(preset_id=None), *presets), complete=True)
    cut = []
    for width in (1000, 500):
        findings.resize(width, 300)
        cut.append(findings.sizeHintForColumn(0) > findings.columnWidth(0))
        assert sum(map(findings.columnWidth, range(ADVICE))) < findings.viewport().width()
    assert cut == [False, True]
