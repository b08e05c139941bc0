from __future__ import annotations

import threading
from pathlib import Path
from typing import Any, List

import stalled_evaluations
from evaluating import names
from running import expect
from session import ADDON_FOLDER, AnkiSession
from stalled_evaluations import StalledEvaluation
from window_tour import open_chooser

#: This many of the published algorithms are finished when Cancel is clicked.
FINISHED = 9


def choosing(anki: AnkiSession, _folder: Path) -> None:
    """Choose a group of algorithms with one click, and cancel a run of many."""
    window = anki.click_menu_item()
    summary = anki.module("ui.views.choices").summary
    expect(window.choose_button.text() == summary(["default"], None), window.choose_button.text())
    expect(not window.choose_button.isEnabled(), "the list comes with the libraries")
    anki.wait_for_results(window)
    engine = anki.module("ui.engine")
    groups = engine.catalog().groups

    chooser = open_chooser(anki, window)
    expect(chooser.groups["default"].isChecked() and chooser.list.chosen == set(groups["default"]), "Default is chosen")
    chooser.groups["all"].click()
    expect(chooser.list.chosen == set(groups["all"]) and chooser.groups["all"].isChecked(), "All is one click")
    chooser.cancel.click()
    anki.settle()
    expect(_asked(anki) == ["default"] and window.chooser is None, "Cancel changes nothing")
    real = engine.evaluate
    watched = engine.evaluate = StalledEvaluation(real, lambda: False)
    _run_published(anki, window)
    expect(watched.threads and threading.main_thread() not in watched.threads, "it is computed on another thread")
    catalog = window.model.catalog
    expect(window.choose_button.text() == summary(["published"], catalog), window.choose_button.text())
    expect(_asked(anki) == ["published"], "a group stays a group")

    window.close()
    many = engine.evaluate = StalledEvaluation(real, after=FINISHED)
    window = anki.click_menu_item()
    stalled_evaluations.cancel(anki, window, many)
    expect(window.choose_button.text() == summary(["published"], catalog), "it is remembered")
    expect(len(names(window)) == FINISHED, f"what is finished is kept: {names(window)}")
    others = window.table.report.unfinished
    text = anki.module("ui.window.messages").cancelled_sentence(others)
    expect(others and window.notice.label.text() == text, window.notice.label.text())
    engine.evaluate = real


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
    expect(_asked(anki) == ["Anki-SM-2", "FSRS-6", "Your parameters"], str(_asked(anki)))
    expect(
        window.choose_button.text() == anki.module("ui.views.choices").summary(_asked(anki), window.model.catalog),
        window.choose_button.text(),
    )
    anki.screenshot(window, "few-light")
    own = next(row for row in window.table.rows if row.algorithm == "Your parameters")
    expect(own.result.log_loss is not None and not own.mark, "the presets' own are a row, the published ones")

    config = {"algorithms": ["FSRS-66", "SM-2"], "folds": 4, "baseline": "FSRS-5"}
    anki.mw.addonManager.writeConfig(ADDON_FOLDER, config)
    anki.evaluate(window)
    expect("FSRS-66" in window.message.text.text(), "an unknown name is said calmly")
    chooser = open_chooser(anki, window)
    expect(chooser.list.chosen == {"SM-2"}, "what is known is chosen")
    chooser.list.choose([])
    expect(not chooser.run.isEnabled(), "nothing cannot be run")
    chooser.groups["default"].click()
    chooser.run.click()
    anki.wait_for_results(window)
    expect(window.table.report.verdict.baseline == "FSRS-5", "it is compared with what the configuration says")
    config = anki.mw.addonManager.getConfig(ADDON_FOLDER)
    expect((config["algorithms"], config["folds"]) == (["default"], 4), "mended")
    expect(window.table.report.scope.folds == 4, "other settings are kept")

    open_chooser(anki, window)
    anki.press_escape(window.chooser)
    expect(window.chooser is None and anki.window() is window, "Esc closes the chooser only")
    open_chooser(anki, window)
    window.close()
    expect(anki.window() is None, "both are closed")


def click_row(anki: AnkiSession, chooser: Any, name: str) -> None:
    """A click on its box."""
    from aqt.qt import QPoint, Qt
    from PyQt6.QtTest import QTest

    row = chooser.list.rows[name]
    chooser.list.scrollToItem(row)
    before, position = row.checkState(0), chooser.list.visualItemRect(row)
    QTest.mouseClick(
        chooser.list.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(position.left() + 10, position.center().y())
    )
    expect(row.checkState(0) != before, f"a click on {name} acts")


def _run_published(anki: AnkiSession, window: Any) -> None:
    chooser = open_chooser(anki, window)
    chooser.groups["published"].click()
    published = chooser.list.chosen
    expect(chooser.count.text().startswith(f"{len(published)} of "), chooser.count.text())
    chooser.run.click()
    texts = _texts_until_done(anki, window)
    expect({row.algorithm for row in window.table.report.results} == published, "a row for each")
    expect(any(f" of {len(published)}): " in text for text in texts), "the words say how many there are")


def _texts_until_done(anki: AnkiSession, window: Any) -> List[str]:
    texts: List[str] = []

    def ended() -> bool:
        text = window.bar.stage.text()
        if text not in texts[-1:]:
            texts.append(text)
        return not window.model.running

    anki.wait(ended, "the evaluation to end")
    return texts


def _asked(anki: AnkiSession) -> Any:
    return anki.mw.addonManager.getConfig(ADDON_FOLDER)["algorithms"]
