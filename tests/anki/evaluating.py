"""Evaluate, explore and export. The collection does not change."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, List, NamedTuple, Set

from running import expect, expect_equal
from session import AnkiSession, is_idle
from stalled_evaluations import StalledEvaluation
from window_tour import screenshot_sizes


class Query(NamedTuple):
    """A query of the review log, with the conditions under which it was run."""

    is_on_main_thread: bool
    is_window_visible: bool


def results(anki, folder):
    """Evaluate, compare and export. The collection does not change, and a later review is noticed."""
    col = anki.mw.col
    state_before = make_an_undoable_change(anki)
    files_before = _hash_files(col.path)

    queries = _record_queries(anki)
    window = anki.click_menu_item()
    expect(window.isVisible() and not queries, "the window is visible before anything is read")
    headlines = []
    window.model.grown.connect(lambda *_: headlines.append(window.results.headline.heading.text()))
    anki.wait_for_results(window)
    expect_equal(headlines[0], anki.module("ui.views.first_screen").COMPARING)
    expect_equal(set(queries), {Query(is_on_main_thread=False, is_window_visible=True)})
    expect(anki.click_menu_item() is window, "a second click raises the same window")

    report = window.table.report
    expect(not report.unfinished, "all algorithms ran")
    rows = sorted(report.results, key=lambda row: row.in_sample)
    expect_equal([row.algorithm for row in window.table.rows], [row.algorithm for row in rows])
    texts = anki.module("ui.views.first_screen").first_screen(report)
    expect_equal(window.results.headline.heading.text(), texts.verdict)
    expect_equal(window.results.headline.text.text(), texts.numbers)
    expect(window.panel.sentence.text(), "a sentence is below the graph")
    _compare_graphs(anki, window, report)
    _check_that_nothing_moves(anki, window)
    expect(not window.results.headline.workload.isVisible(), "no link to the workload, as the cards are deleted")

    expect_equal((col.undo_status().undo, col.mod), state_before)
    expect_equal(_hash_files(col.path), files_before)

    _show_more_metrics(anki, window)
    for section in ("splitting", "workload"):
        open_section(anki, window, section)
    window.results.tabs.setCurrentIndex(0)
    _export_everything(anki, window, folder)
    window.table.choose(["FSRS-6", "Anki-SM-2"])
    anki.wait(lambda: "minus Anki's SM-2 (as it is)" in window.panel.pair.text(), "the sentence about their difference")
    expect_equal(len(window.panel.shown.names), 2)
    window.notice.clear()
    anki.screenshot(window, "results-light")
    window.bar.copied.emit("markdown")
    expect("| **" in anki.app.clipboard().text(), "the table is on the clipboard")

    anki.configure(algorithms=["FSRS-6", "Anki-SM-2"])
    _answer_card_meanwhile(anki, window)
    anki.wait(window.bar.changed.isVisible, "the message about the review")
    expect(window.table.report.scope == report.scope, "the review is not in the results")
    expect_equal(_selected_names(window), {"FSRS-6", "Anki-SM-2"})
    window.resize(1234, 777)
    window.close()
    expect(anki.window() is None, "the window is closed")
    reopened = anki.click_menu_item()
    expect_equal((reopened.width(), reopened.height()), (1234, 777))
    anki.wait_for_results(reopened)
    anki.press_key(reopened, "Key_Escape")
    expect(anki.window() is None, "Esc closes it")


def _check_that_nothing_moves(anki, window):
    """Evaluate again in a small window. Its tabs, table and buttons stay in place, and the graph has room."""

    def layout():
        table = window.table.mapTo(window, window.table.rect().topLeft())
        return window.width(), window.height(), window.results.tabs.y(), table.y(), window.bar.y()

    size = window.size()
    layouts = []
    window.resize(900, 600)
    window.model.grown.connect(lambda *_: layouts.append(layout()))
    anki.evaluate(window)
    expect(set(layouts) == {layout()}, f"nothing moves when the run ends: {layouts} {layout()}")
    expect(window.panel.view.height() >= 250, f"the graph has room: {window.panel.view.height()}")
    window.resize(size)


def _compare_graphs(anki, window, report):
    """Look at the graph of the headline's algorithm, then at those of selected rows."""
    algorithm = report.verdict.algorithm
    shown = window.panel.shown
    expect_equal(_selected_names(window), {algorithm})
    expect_equal((shown.names, shown.key), ((algorithm,), "calibration"))
    _point_at_dot(anki, window.panel.view)
    for names in (["AVG", "FSRS-6"], ["AVG"]):
        window.table.choose(names)
        anki.wait(lambda names=names: window.panel.shown and set(window.panel.shown.names) == set(names), f"{names}")
        expect_equal(window.panel.shown.key, "calibration")


def _point_at_dot(anki, view):
    """Expect the tooltip of a group everywhere in its column, and no tooltip outside of the columns."""
    anki.wait(lambda: view._spots, "the graph with its columns")
    spot = view._spots[0]
    x = round((spot.left + spot.right) / 2 * view.width())
    for share in (0.1, 0.9):
        y = round((spot.top + share * (spot.bottom - spot.top)) * view.height())
        expect_equal(view.tip_at(x, y)[0], spot.tip)
    expect_equal(view.tip_at(1, 1)[0], "")
    expect("remembered" in spot.tip, spot.tip)


def _show_more_metrics(anki, window):
    """Show the further columns of the table, and hide them again."""
    default_metrics = window.table.metrics
    window.results.comparison.more.click()
    anki.settle()
    expect_equal(window.table.metrics, (*default_metrics, *anki.module("ui.views.metric_views").MORE))
    size = window.size()
    screenshot_sizes(anki, window, "more-numbers")
    window.resize(size)
    window.results.comparison.more.click()
    expect_equal(window.table.metrics, default_metrics)


def _selected_names(window: Any) -> Set[str]:
    return {row.algorithm for row in window.table.selected()}


def start_export(anki: AnkiSession, window: Any, file: Path) -> None:
    """Choose the menu item for this kind of file, and then the file."""
    anki.module("ui.window.window").getSaveFile = lambda *_: str(file)
    window.bar.exported.emit(file.suffix[1:])


def export(anki: AnkiSession, window: Any, stem: Path, *endings: str) -> None:
    """Export files with these endings, one after the other."""
    for file in (stem.with_suffix(f".{ending}") for ending in endings):
        start_export(anki, window, file)
        anki.wait(lambda: is_idle(window.model.jobs), file.name)
        expect(file.exists(), f"{file.name} is written: {window.notice.label.text()}")


def open_section(anki: AnkiSession, window: Any, section: str) -> None:
    """Open the page with this section, request it if it is slow, and wait for it."""
    page, block = page_with(window, section)
    window.results.tabs.setCurrentIndex(page)
    if block.button.isVisible():
        block.button.click()
    anki.wait(block.content.isVisible, f"the section {section}")


def page_with(window: Any, section: str) -> Any:
    """Return the number of the tab with this section, and the section's block."""
    for number, page in enumerate(window.results.pages, start=1):
        if section in page.page.views:
            # The blocks of a page are created when it is first opened.
            window.results.tabs.setCurrentIndex(number)
            return number, page.blocks[page.page.views.index(section)]
    raise LookupError(section)


def make_an_undoable_change(anki):
    """Add a note, and return what can be undone and the time of the last modification."""
    col = anki.mw.col
    note = col.new_note(col.models.by_name("Basic"))
    note["Front"] = "one more"
    col.add_note(note, col.decks.id("Default"))
    expect(col.undo_status().undo, "there is something to undo")
    return col.undo_status().undo, col.mod


def _record_queries(anki: AnkiSession) -> List[Query]:
    """Return the list to which each query of the review log will be added."""
    db = anki.mw.col.db
    queries = []
    real_query = db._query

    def query(sql, *values, **options):
        if "revlog" in sql:
            window = anki.window()
            is_on_main_thread = threading.current_thread() is threading.main_thread()
            queries.append(Query(is_on_main_thread, window is not None and window.isVisible()))
        return real_query(sql, *values, **options)

    db._query = query
    return queries


def _export_everything(anki, window, folder):
    exports = folder / "exports"
    exports.mkdir()
    export(anki, window, exports / "export", "json", "csv", "png", "svg", "html")
    start_export(anki, window, folder / "no such folder" / "x.png")
    anki.wait(window.notice.isVisible, "the message about the failed export")
    not_saved = anki.module("ui.window.window").NOT_SAVED.partition("{")[0]
    text = window.notice.label.text()
    expect(text.startswith(not_saved) and "an existing, writable folder" in text, text)
    export(anki, window, exports / "second", "png")
    expect(not window.notice.isVisible(), "a successful export clears the message")


def _answer_card_meanwhile(anki, window):
    """Evaluate again, and answer a card while a step is held."""
    engine = anki.module("ui.engine")
    real_evaluate = engine.evaluate
    slow = engine.evaluate = StalledEvaluation(real_evaluate)
    window.model.evaluate()
    anki.wait(lambda: slow.is_holding, "a step to be held")
    _answer_card(anki)
    slow.release()
    engine.evaluate = real_evaluate
    anki.wait_for_results(window)


def _answer_card(anki):
    from anki.scheduler.v3 import CardAnswer
    from aqt.operations import CollectionOp

    def answer(col):
        queued = col.sched.get_queued_cards(fetch_limit=1).cards[0]
        card = col.get_card(queued.card.id)
        card.start_timer()
        states = queued.states
        return col.sched.answer_card(col.sched.build_answer(card=card, states=states, rating=CardAnswer.GOOD))

    answers = []
    CollectionOp(anki.mw, answer).success(answers.append).run_in_background()
    anki.wait(lambda: answers, "the review")


def _hash_files(path: str) -> str:
    """Hash the collection and its write-ahead log in another process, because Anki must not open the file twice."""
    files = [path, f"{path}-wal"]
    program = "import hashlib, sys; [print(n, hashlib.sha256(open(n, 'rb').read()).hexdigest()) for n in sys.argv[1:]]"
    command = [sys.executable, "-c", program, *(file for file in files if Path(file).exists())]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout
