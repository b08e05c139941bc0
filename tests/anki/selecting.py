"""Select rows of the list of findings, and see less with few reviews."""

from __future__ import annotations

from typing import Any
from unittest.mock import Mock

from advising import close_deck_options, open_deck_options
from evaluating import page_with
from running import expect, expect_equal
from session import AnkiSession
from window_tour import screenshot_sizes

#: Columns of the list: what FSRS said, and what to do.
SAID_COLUMN = 1
ADVICE_COLUMN = 5


def selecting(anki, _folder):
    """With large type, select findings with mouse and keyboard, follow what to do, and evaluate a deck alone."""
    usual_font = anki.app.font()
    large_font = anki.app.font()
    large_font.setPointSize(16)
    anki.app.setFont(large_font)
    anki.configure(algorithms=["SM-2", "FSRS-6 default", "FSRS-6", "Your parameters", "Anki-SM-2 calibrated"])
    window = anki.click_menu_item()
    window.resize(900, 600)
    anki.wait_for_results(window)
    rows = window.results.comparison.list.rows
    names = [row.name for row in rows]
    expect_equal(set(names), {"Law", "Kanji", "Deck Kanji I", "Deck Kanji II", "<b>Music</b>", "Rare", "All"})
    expect_equal(window.model.results.report.subject, window.model.results.report.opening_subject)
    for name in ("Law", "All", "Kanji"):
        _click(window, name)
        _expect_subject(anki, window, name)
    screenshot_sizes(anki, window, "list")
    _follow_workload_link(anki, window)
    _press_keys(anki, window)
    _return_before_the_end(anki, window)
    _fail(anki, window)
    _check_room(anki, window)

    row = next(row for row in rows if row.advice)
    _click(window, row.name, column=ADVICE_COLUMN)
    dialog = open_deck_options(anki, {"Kanji": "Kanji I"}.get(row.name, row.name))
    close_deck_options(dialog)
    anki.settle()
    _evaluate_alone(anki, window)
    anki.app.setFont(usual_font)


def _follow_workload_link(anki, window):
    """Follow the link from the headline to the page on the workload, and return."""
    link = window.results.headline.workload
    expect(link.isVisible(), "a link to the workload")
    link.click()
    anki.settle()
    expect_equal(window.results.tabs.tabText(window.results.tabs.currentIndex()), "Workload")
    _, block = page_with(window, "workload")
    anki.wait(block.content.isVisible, "the simulation, which starts by itself if there are few reviews")
    window.results.tabs.setCurrentIndex(0)


def _item(window: Any, name: str) -> Any:
    """Return the item of the list for this preset or deck."""
    findings = window.results.comparison.list
    return next(item for row, item in zip(findings.rows, findings.items) if row.name == name)


def _click(window: Any, name: str, column: int = SAID_COLUMN) -> None:
    """Click a cell, and expect the verdict at once, without table and graph of the subject before."""
    from aqt.qt import Qt
    from PyQt6.QtTest import QTest

    findings = window.results.comparison.list
    findings.scrollToItem(_item(window, name))
    box = findings.visualItemRect(_item(window, name))
    place = box.center()
    place.setX(findings.columnViewportPosition(column) + findings.columnWidth(column) // 2)
    was_selected = findings.currentItem() is _item(window, name)
    height = findings.height()
    QTest.mouseClick(findings.viewport(), Qt.MouseButton.LeftButton, pos=place)
    if column == SAID_COLUMN and not was_selected:
        _expect_verdict_only(window, name)
        expect_equal(findings.height(), height)


def _expect_verdict_only(window: Any, name: str) -> None:
    """Expect the verdict on the subject, before its table and graph are calculated."""
    heading = window.results.headline.heading.text()
    page = window.results.comparison
    expect(heading.startswith({"All": "Overall"}.get(name, name)), heading)
    expect_equal((page.table.rows, page.title.text(), page.panel.shown), ([], "Calculating…", None))
    expect_equal(page.panel.view.text(), "Calculating…")


def _expect_subject(anki: AnkiSession, window: Any, name: str) -> None:
    """Expect that verdict, list, table and graph are about the subject."""
    anki.settle()
    page = window.results.comparison
    report = window.model.results.report
    expect(page.list.currentItem() is _item(window, name), f"{name} is selected")
    shown = report.findings[report.subject]
    reviews = f"{report.scope.reviews:,} reviews"
    expect_equal(page.title.text(), {"All": reviews}.get(name, f"Preset {name}: {reviews}"))
    expect_equal((page.table.report.subject, shown.reviews), (report.subject, report.scope.reviews))
    expect(page.panel.shown is not None, "a graph")
    expect_equal({row.result.size for row in page.table.rows}, {shown.reviews})


def _press_keys(anki, window):
    """Unfold decks and move with the arrow keys. A row that was left at once is not calculated to the end."""
    from aqt.qt import QApplication, QEvent, QKeyEvent, Qt

    findings = window.results.comparison.list
    engine = anki.module("ui.engine")
    finished = []
    window.model.results.shown.connect(lambda: finished.append(window.model.results.report.subject))
    rows = findings.n_visible_rows
    _click(window, "Kanji")
    anki.press_key(findings, "Key_Right")
    expect_equal(findings.n_visible_rows, rows + 2)
    started = []
    show_subject = engine.show_subject

    def record(evaluation, subject):
        started.append(subject)
        return show_subject(evaluation, subject)

    engine.show_subject = record
    for _ in range(2):
        key = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Down.value, Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(findings, key)
    deck = findings.rows[findings.items.index(findings.currentItem())]
    expect(deck.level == 1, f"{deck.name} is a deck")
    _expect_verdict_only(window, deck.name)
    anki.settle()
    engine.show_subject = show_subject
    expect_equal((finished, started[-1]), ([deck.index], deck.index))
    expect(window.results.comparison.title.text().startswith(deck.name), window.results.comparison.title.text())


def _return_before_the_end(anki, window):
    """Select another row and return before it is calculated. The old results are back."""
    name = window.results.comparison.list.currentItem().text(0)
    title = window.results.comparison.title.text()
    _click(window, "Law")
    _click(window, name)
    anki.settle()
    expect_equal(window.results.comparison.title.text(), title)
    expect(window.results.headline.heading.text().startswith(name), window.results.headline.heading.text())


def _fail(anki, window):
    """Let the calculation fail. The window returns to the row before, with a message."""
    findings = window.results.comparison.list
    engine = anki.module("ui.engine")
    before = findings.currentItem()
    show_subject = engine.show_subject
    heading = window.results.headline.heading.text()
    engine.show_subject = Mock(side_effect=ZeroDivisionError)
    _click(window, "Law")
    anki.settle()
    engine.show_subject = show_subject
    expect(findings.currentItem() is before, "the row before is selected")
    expect_equal(window.results.headline.heading.text(), heading)
    expect("could not be calculated" in window.notice.label.text(), window.notice.label.text())
    window.notice.clear()


def _check_room(anki, window):
    """With large type in a small window, expect no narrow text, no cut column, and one scroll bar at a time."""
    from aqt.qt import QLabel

    page = window.results.comparison
    widgets = anki.module("ui.window.widgets")
    for width, height in ((900, 600), (1100, 720), (1920, 1080)):
        window.resize(width, height)
        anki.settle()
        for label in window.results.findChildren(QLabel):
            if label.isVisible() and label.wordWrap() and label.text():
                text = label.fontMetrics().horizontalAdvance(label.text().split("\n")[0])
                room = min(text, 40 * widgets.character_width(label))
                expect(label.width() >= room, f"{label.text()}: {label.width()} pixels at {width}")
        bars = [view.verticalScrollBar().maximum() > 0 for view in (page, page.list, page.table)]
        expect(not bars[0] or not any(bars[1:]), f"scroll bars at {width} x {height}: {bars}")
        expect_equal(page.table.horizontalScrollBar().maximum(), 0)
        header = page.list.header()
        advice_width = header.sectionSize(ADVICE_COLUMN)
        expect(advice_width >= header.sectionSizeHint(ADVICE_COLUMN), f"the last column is cut at {width}")
        end = header.sectionPosition(ADVICE_COLUMN) + advice_width
        expect(end <= page.list.viewport().width(), f"cut at {width}")


def _evaluate_alone(anki, window):
    """Evaluate a deck alone by its context menu."""
    findings = window.results.comparison.list
    row = next(row for row in findings.rows if row.name == "Deck Kanji II")
    actions = findings.menu(row).actions()
    expect_equal([action.text() for action in actions], ["Evaluate this deck alone", "Open Deck Options"])
    actions[0].trigger()
    expect_equal((window.model.scope.kind, window.model.scope.name), ("deck", "Kanji II"))
    anki.wait_for_results(window)
    expect("Kanji II" in window.scope_bar.scope.currentText(), window.scope_bar.scope.currentText())
    expect_equal((window.model.results.report.scope.name, findings.isVisible()), ("Kanji II", False))


def too_few(anki, _folder):
    """With fewer than 100 reviews, see how many can be used and when to come back instead of a table and a graph."""
    window = anki.open_window()
    page = window.results.comparison
    report = window.model.results.report
    expect(report.scope.reviews < 100, f"{report.scope.reviews} reviews")
    text = page.too_few.text()
    expect(text.startswith(f"So far, {report.scope.reviews} of your reviews can be used."), text)
    expect_equal((page.too_few.isVisible(), page.halves.isVisible()), (True, False))
    expect(not window.bar.close_button.hasFocus(), "the Close button does not get the focus")
    screenshot_sizes(anki, window, "too-few")
