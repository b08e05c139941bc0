"""The first click: Anki's window comes at once, the results are written to every kind of file, the collection stays."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, List, NamedTuple, Set, Tuple

from running import expect
from session import ADDON_FOLDER, AnkiSession
from stalled_evaluations import StalledEvaluation


class Reading(NamedTuple):
    on_main_thread: bool
    window_visible: bool


def results(anki: AnkiSession, folder: Path) -> None:
    """Evaluate by a click, and compare. The collection does not change, and a later review is noticed."""
    col = anki.mw.col
    undo_before, modified_before = make_an_undoable_change(anki)
    files_before = _digests(anki.collection_path)

    readings = _note_readings(anki)
    window = anki.click_menu_item()
    expect(window.isVisible() and not readings, "the window is there before anything is read")
    first_headlines: List[str] = []
    window.model.grown.connect(lambda *_: first_headlines.append(window.results.headline.heading.text()))
    anki.wait_for_results(window)
    expect(first_headlines[0] == anki.module("ui.views.headline").COMPARING, f"its form is known: {first_headlines}")
    expect(readings and all(each.window_visible for each in readings), "the review log is read behind it")
    expect(not any(each.on_main_thread for each in readings), "and while the window can answer")
    expect(anki.click_menu_item() is window, "a second click raises the same window")

    report = window.table.report
    expect(not report.unfinished, "all algorithms ran")
    in_order = sorted(report.results, key=lambda row: row.in_sample)
    expect(names(window) == [row.algorithm for row in in_order], "the table is in the report's order")
    answer = anki.module("ui.views.headline").headline_text(report).heading
    expect(window.results.headline.heading.text().startswith(answer), "the headline comes first")
    expect(window.panel.sentence.text(), "a sentence stands under the graph")
    _see_where_two_disagree(anki, window, report)
    _see_nothing_move(anki, window)
    _follow_the_link(anki, window)

    expect(col.undo_status().undo == undo_before, "undo is as it was")
    expect(col.mod == modified_before, "the modification time is as it was")
    expect(_digests(anki.collection_path) == files_before, "the file is as it was")

    _see_more_numbers(anki, window)
    _ask_all_that_is_slow(anki, window)
    _export_everything(anki, window, folder)
    window.table.choose(["FSRS-6", "Anki-SM-2"])
    anki.wait(lambda: "FSRS-6 minus Anki's SM-2" in window.panel.sentence.text(), "their difference in a sentence")
    expect(len(window.panel.shown.names) == 2, "two are laid over each other")
    window.notice.clear()
    anki.screenshot(window, "results-light")
    window.bar.copied.emit("markdown")
    expect("| **" in anki.app.clipboard().text(), "the table is on the clipboard")

    anki.mw.addonManager.writeConfig(ADDON_FOLDER, {"algorithms": ["FSRS-6", "Anki-SM-2"]})
    _answer_a_card_meanwhile(anki, window)
    anki.wait(window.bar.changed.isVisible, "a word on the review")
    expect(window.table.report.scope == report.scope, "the results are of what was read")
    expect(selected(window) == {"FSRS-6", "Anki-SM-2"}, "what was chosen is chosen again")
    window.resize(1234, 777)
    window.close()
    expect(anki.window() is None, "the window is closed")
    again = anki.click_menu_item()
    expect((again.width(), again.height()) == (1234, 777), "it has its size again")
    anki.wait_for_results(again)
    anki.press_escape(again)
    expect(anki.window() is None, "Esc closes it")


def _see_nothing_move(anki: AnkiSession, window: Any) -> None:
    """Run again in a small window, whose tabs, table and buttons stay in their places. The graph has half of it."""

    def layout() -> Tuple[int, ...]:
        return window.width(), window.height(), window.results.tabs.y(), window.table.y(), window.bar.y()

    size, layouts = window.size(), []
    window.resize(900, 600)
    window.model.grown.connect(lambda *_: layouts.append(layout()))
    anki.evaluate(window)
    expect(set(layouts) == {layout()}, f"nothing moves when the run ends: {layouts} {layout()}")
    expect(window.panel.view.height() >= 300, f"the graph has half: {window.panel.view.height()}")
    window.resize(size)


def _see_where_two_disagree(anki: AnkiSession, window: Any, report: Any) -> None:
    """Look at the graph of the headline's algorithm, then at those of selected rows."""
    shown = report.verdict.algorithm
    expect(selected(window) == {shown}, f"the algorithm of the headline is selected: {selected(window)}")
    expect(window.panel.shown.names == (shown,), "and drawn")
    expect(window.panel.shown.key == "calibration", f"its calibration: {window.panel.shown.key}")
    _point_at_a_dot(anki, window.panel.view)
    texts = list(anki.module("ui.views.headline").verdict_disagreement(report))
    expect(texts and texts[0] in window.results.headline.details.text(), window.results.headline.details.text())
    for chosen, compared in ((["AVG", "FSRS-6"], {"AVG", "FSRS-6"}), (["AVG"], {"AVG"})):
        window.table.choose(chosen)
        anki.wait(lambda of=compared: window.panel.shown and set(window.panel.shown.names) == of, f"{compared}")
        expect(window.panel.shown.key == "calibration", "it is the same graph of others")


def _point_at_a_dot(anki: AnkiSession, view: Any) -> None:
    """The tooltip is about the group in the column under the mouse, and nothing besides the columns."""
    from aqt.qt import QPoint

    anki.wait(lambda: view._spots, "the graph with its columns")
    spot = view._spots[0]
    x = round((spot.left + spot.right) / 2 * view.width())
    for share in (0.1, 0.9):
        point = QPoint(x, round((spot.top + share * (spot.bottom - spot.top)) * view.height()))
        expect(view.tip_at(point.x(), point.y())[0] == spot.tip, f"{point} {spot.tip}")
    expect(view.tip_at(1, 1)[0] == "", "nothing in the corner")
    expect("remembered" in spot.tip, spot.tip)


def _follow_the_link(anki: AnkiSession, window: Any) -> None:
    """Follow the link from the headline to the page on the workload, and return."""
    link = window.results.headline.workload
    expect(link.isVisible(), "a link to the workload")
    link.click()
    anki.settle()
    expect(window.results.tabs.tabText(window.results.tabs.currentIndex()) == "Workload", "it opens that page")
    _, block = page_with(window, "workload")
    anki.wait(block.content.isVisible, "the simulation, which starts by itself with few reviews")
    window.results.tabs.setCurrentIndex(0)


def _see_more_numbers(anki: AnkiSession, window: Any) -> None:
    """Further columns, unfolded below the table, and gone again with a second click."""
    from appearance import take_every_size

    usual, more = window.table.metrics, anki.module("ui.views.metrics").MORE
    window.results.comparison.more.click()
    anki.settle()
    expect(window.table.metrics == (*usual, *more), str(window.table.metrics))
    size = window.size()
    take_every_size(anki, window, "more-numbers")
    window.resize(size)
    window.results.comparison.more.click()
    expect(window.table.metrics == usual, str(window.table.metrics))


def names(window: Any) -> List[str]:
    """The algorithms in the window's table, from the top."""
    return [result.algorithm for result in window.table.rows]


def selected(window: Any) -> Set[str]:
    return {result.algorithm for result in window.table.selected()}


def export(anki: AnkiSession, window: Any, stem: Path, *endings: str) -> None:
    """Have these files written, one after the other."""
    for file in (stem.with_suffix(f".{ending}") for ending in endings):
        window.export_to(file.suffix[1:], file)
        anki.wait(lambda: window.model.jobs.is_idle, file.name)
        expect(file.exists(), f"{file.name} is written: {window.notice.label.text()}")


def open_section(anki: AnkiSession, window: Any, section: str) -> None:
    page, block = page_with(window, section)
    window.results.tabs.setCurrentIndex(page)
    if block.button.isVisible():
        block.button.click()
    anki.wait(block.content.isVisible, f"the section {section}")


def page_with(window: Any, section: str) -> Any:
    """The number of the tab that it is on, and its block."""
    for number, page in enumerate(window.results.pages, start=1):
        if section in page.page.views:
            window.results.tabs.setCurrentIndex(number)  # its blocks are made when it is first opened
            return number, page.blocks[page.page.views.index(section)]
    raise LookupError(section)


def make_an_undoable_change(anki: AnkiSession) -> Any:
    """Add a note, and return what can be undone now and when the collection was modified."""
    col = anki.mw.col
    note = col.new_note(col.models.by_name("Basic"))
    note["Front"] = "one more"
    col.add_note(note, col.decks.id("Default"))
    expect(col.undo_status().undo, "there is something to undo")
    return col.undo_status().undo, col.mod


def _note_readings(anki: AnkiSession) -> List[Reading]:
    db, readings = anki.mw.col.db, []
    real = db._query

    def query(sql: str, *values: Any, **options: Any) -> Any:
        if "revlog" in sql:
            window = anki.window()
            on_main_thread = threading.current_thread() is threading.main_thread()
            readings.append(Reading(on_main_thread, window is not None and window.isVisible()))
        return real(sql, *values, **options)

    db._query = query
    return readings


def _export_everything(anki: AnkiSession, window: Any, folder: Path) -> None:
    exports = folder / "exports"
    exports.mkdir()
    export(anki, window, exports / "export", "json", "csv", "png", "svg", "html")
    window.export_to("png", folder / "no such folder" / "x.png")
    anki.wait(window.notice.isVisible, "a word on the failed export")
    not_saved = anki.module("ui.window.window").NOT_SAVED.partition("{")[0]
    text = window.notice.label.text()
    expect(text.startswith(not_saved) and "an existing, writable folder" in text, text)
    export(anki, window, exports / "again", "png")
    expect(not window.notice.isVisible(), "and none once a later one succeeds")


def _ask_all_that_is_slow(anki: AnkiSession, window: Any) -> None:
    for section in ("splitting", "workload"):
        open_section(anki, window, section)
    window.results.tabs.setCurrentIndex(0)


def _answer_a_card_meanwhile(anki: AnkiSession, window: Any) -> None:
    """Run again, and answer it while the arithmetic stands still."""
    engine = anki.module("ui.engine")
    real = engine.evaluate
    slow = engine.evaluate = StalledEvaluation(real)
    window.model.evaluate()
    anki.wait(lambda: slow.holds, "the arithmetic")
    _answer_a_card(anki)
    slow.let_go()
    engine.evaluate = real
    anki.wait_for_results(window)


def _answer_a_card(anki: AnkiSession) -> None:
    from anki.scheduler.v3 import CardAnswer
    from aqt.operations import CollectionOp

    def answer(col: Any) -> Any:
        queued = col.sched.get_queued_cards(fetch_limit=1).cards[0]
        card = col.get_card(queued.card.id)
        card.start_timer()
        states = queued.states
        return col.sched.answer_card(col.sched.build_answer(card=card, states=states, rating=CardAnswer.GOOD))

    answered: List[Any] = []
    CollectionOp(anki.mw, answer).success(answered.append).run_in_background()
    anki.wait(lambda: answered, "the review")


def _digests(path: Path) -> str:
    """Return digests of the collection and its log, made by another process: Anki's must not open the file twice."""
    files = [str(path), f"{path}-wal"]
    program = "import hashlib, sys; [print(n, hashlib.sha256(open(n, 'rb').read()).hexdigest()) for n in sys.argv[1:]]"
    command = [sys.executable, "-c", program, *(file for file in files if Path(file).exists())]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout
