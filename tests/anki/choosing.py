"""Choose algorithms by groups and one by one."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any, Sequence

import stalled_evaluations
from running import expect, expect_equal
from session import ADDON_FOLDER, AnkiSession
from stalled_evaluations import StalledEvaluation
from window_tour import open_chooser, screenshot_themes

#: Number of the published algorithms that are finished when Cancel is clicked.
FINISHED = 9


def choosing(anki: AnkiSession, _folder: Path) -> None:
    """Choose a group of algorithms with one click, and cancel a run of many."""
    window = anki.click_menu_item()
    label = anki.module("ui.views.choices").algorithms_button
    expect_equal(window.choose_button.text(), label(["default"], None))
    expect(not window.choose_button.isEnabled(), "the list needs the libraries")
    anki.wait_for_results(window)
    engine = anki.module("ui.engine")
    groups = engine.catalog("whole-day").groups

    chooser = open_chooser(anki, window)
    expect(chooser.groups["default"].isChecked(), "the group Default is checked")
    expect_equal(chooser.list.chosen, set(groups["default"]))
    chooser.groups["all"].click()
    expect(chooser.groups["all"].isChecked(), "the group All is checked")
    expect_equal(chooser.list.chosen, set(groups["all"]))
    chooser.cancel.click()
    anki.settle()
    expect(_configured_algorithms(anki) == ["default"] and window.chooser is None, "Cancel changes nothing")
    real_evaluate = engine.evaluate
    watched = engine.evaluate = StalledEvaluation(real_evaluate, after=None)
    _run_published(anki, window)
    expect(watched.threads and threading.main_thread() not in watched.threads, "it is computed on another thread")
    catalog = window.model.catalog
    expect_equal(window.choose_button.text(), label(["published"], catalog))
    expect_equal(_configured_algorithms(anki), ["published"])

    window.close()
    many = engine.evaluate = StalledEvaluation(real_evaluate, after=FINISHED)
    window = anki.click_menu_item()
    stalled_evaluations.cancel(anki, window, many)
    expect_equal(window.choose_button.text(), label(["published"], catalog))
    stalled_evaluations.expect_finished_rows(anki, window, FINISHED)
    show_interval_graph(anki, window, window.table.rows[0].algorithm)
    engine.evaluate = real_evaluate


def choosing_each(anki: AnkiSession, _folder: Path) -> None:
    """Choose single algorithms, type unknown names, and press Esc."""
    window = anki.open_window()
    chooser = open_chooser(anki, window)
    for name in chooser.list.chosen - {"Anki-SM-2", "FSRS-6", "Your parameters"}:
        click_row(anki, chooser, name)
    chooser.list.setCurrentItem(chooser.list.rows["AVG"])
    for expected in (True, False):
        anki.press_key(chooser.list, "Key_Space")
        expect(("AVG" in chooser.list.chosen) == expected, "Space checks the row, and unchecks it")
    chooser.run.click()
    anki.wait_for_results(window)
    configured = _configured_algorithms(anki)
    expect_equal(configured, ["Anki-SM-2", "FSRS-6", "Your parameters"])
    label = anki.module("ui.views.choices").algorithms_button(configured, window.model.catalog)
    expect_equal(window.choose_button.text(), label)
    anki.screenshot(window, "few-light")
    row = next(row for row in window.table.rows if row.algorithm == "Your parameters")
    expect(row.result.log_loss is not None and row.mark != "†", "the parameters in use are the published ones")
    _paste_parameters(anki, window)
    _compare_versions(anki, window)

    window.close()
    window = anki.open_window()
    expect_equal(window.choose_button.text(), label)
    anki.configure(algorithms=["FSRS-66", "SM-2"], folds=4, baseline="FSRS-5")
    anki.evaluate(window)
    expect("FSRS-66" in window.message.text.text(), "the message names the unknown algorithm")
    chooser = open_chooser(anki, window)
    expect_equal(chooser.list.chosen, {"SM-2"})
    chooser.list.choose([])
    expect(not chooser.run.isEnabled(), "nothing to run")
    chooser.groups["default"].click()
    chooser.run.click()
    anki.wait_for_results(window)
    expect_equal(window.table.report.verdict.baseline, "FSRS-5")
    config = anki.mw.addonManager.getConfig(ADDON_FOLDER)
    expect_equal((config["algorithms"], config["folds"]), (["default"], 4))
    expect_equal(window.table.report.scope.folds, 4)

    open_chooser(anki, window)
    anki.press_key(window.chooser, "Key_Escape")
    expect(window.chooser is None and anki.window() is window, "Esc closes the chooser only")
    open_chooser(anki, window)
    window.close()
    expect(anki.window() is None, "both are closed")


def _paste_parameters(anki: AnkiSession, window: Any) -> None:
    """Paste parameters, and expect their row beside the user's own one."""
    before = _configured_algorithms(anki)
    chooser = open_chooser(anki, window)
    chooser.parameters.setPlainText("0.4 0.6 2.4")
    anki.screenshot(chooser, "chooser-wrong-light")
    expect("of parameters: 3." in chooser.message.text() and not chooser.run.isEnabled(), chooser.message.text())
    chooser.parameters.setPlainText("Old = " + ", ".join(["1.1"] * 21))
    screenshot_themes(anki, chooser, "chooser-added")
    chooser.run.click()
    anki.wait_for_results(window)
    anki.settle()
    anki.screenshot(window, "pasted-light")
    expect_equal([row.algorithm for row in window.table.selected()], ["Old", "Your parameters"])
    expect_equal([row.mark for row in window.table.rows if row.algorithm == "Old"], ["†"])
    expect_equal(_configured_algorithms(anki), before)


def _compare_versions(anki: AnkiSession, window: Any) -> None:
    """Compare two versions of FSRS by three clicks, and expect an answer about these two."""
    chooser = open_chooser(anki, window)
    before = _configured_algorithms(anki)
    chooser.groups["fsrs-6-7"].click()
    chooser.run.click()
    anki.wait_for_results(window)
    expect_equal(_configured_algorithms(anki), before)
    anki.settle()
    anki.screenshot(window, "versions-light")
    expect_equal([row.algorithm for row in window.table.selected()], ["FSRS-6", "FSRS-7"])
    expect("Anki does not have FSRS-7 yet." in window.panel.pair.text(), window.panel.pair.text())
    report = window.table.report
    expect_equal((report.findings, report.verdict.algorithm, report.verdict.baseline), ((), "FSRS-6", "FSRS-7"))


def click_row(anki: AnkiSession, chooser: Any, name: str) -> None:
    """Click the checkbox of this algorithm, and expect that it changes."""
    from aqt.qt import QPoint, Qt
    from PyQt6.QtTest import QTest

    row = chooser.list.rows[name]
    chooser.list.scrollToItem(row)
    before = row.checkState(0)
    box = chooser.list.visualItemRect(row)
    point = QPoint(box.left() + 10, box.center().y())
    QTest.mouseClick(chooser.list.viewport(), Qt.MouseButton.LeftButton, pos=point)
    expect(row.checkState(0) != before, f"the click changes {name}")


def show_interval_graph(anki: AnkiSession, window: Any, *names: str) -> None:
    """Select these algorithms, and wait for their graph of intervals."""
    window.panel.choose("interval")
    window.table.choose(list(names))
    anki.wait(lambda: _is_drawn(window, names), f"the graph of {names}")


def _is_drawn(window: Any, names: Sequence[str]) -> bool:
    shown = window.panel.shown
    return shown is not None and shown.key == "interval" and set(shown.names) == set(names)


def _run_published(anki: AnkiSession, window: Any) -> None:
    """Run all published algorithms, and expect their number in the chooser and in the progress."""
    chooser = open_chooser(anki, window)
    chooser.groups["published"].click()
    published = chooser.list.chosen
    expect(chooser.count.text().startswith(f"{len(published)} of "), chooser.count.text())
    chooser.run.click()
    stages = set()

    def has_ended():
        stages.add(window.bar.stage.text())
        return not window.model.running

    anki.wait(has_ended, "the evaluation to end")
    expect_equal({row.algorithm for row in window.table.report.results}, published)
    expect(any(f" of {len(published)}: " in stage for stage in stages), f"the number of algorithms: {stages}")


def _configured_algorithms(anki: AnkiSession) -> Any:
    return anki.mw.addonManager.getConfig(ADDON_FOLDER)["algorithms"]
