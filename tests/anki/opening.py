"""Open the window, and expect that nothing blocks Anki's own thread."""

from __future__ import annotations

import sys
import threading
from itertools import islice
from pathlib import Path
from typing import Any, Callable

from running import expect, expect_equal
from session import ADDON_FOLDER, QUICK, AnkiSession
from window_tour import graphs

#: Modules of the add-on that may be imported on Anki's own thread before the window shows more than its frame.
AT_CLICK = {
    f"{ADDON_FOLDER}.{name}"
    for name in (
        "evaluator",
        "evaluator.scope",
        "ui.scope_access",
        "ui.text.strings",
        "ui.anki.logs",
        "ui.anki.libraries",
        "ui.anki.libraries.lock_files",
        "ui.anki.libraries.needs",
        "ui.window",
        "ui.window.window",
        "ui.window.bottom_bar",
        "ui.window.widgets",
        "ui.exports",
    )
}


def opening(anki: AnkiSession, _folder: Path) -> None:
    """Open the window. Its frame is painted before anything is imported or read, and each page when it is opened."""
    from anki.dbproxy import DBProxy

    anki.configure(algorithms=QUICK)
    imports = ImportRecorder()
    events = []
    sys.meta_path.insert(0, imports)
    _record_first_query(DBProxy, lambda: events.append("read"))
    anki.mw.form.menuTools.actions()[-1].trigger()
    window = anki.frame()
    model_module = f"{ADDON_FOLDER}.ui.window.model"
    expect(window.isVisible() and window.bar.progress.isVisible(), "the frame is visible at once")
    expect(model_module not in imports.threads and "model" not in vars(window), "nothing else is loaded or run")
    frame_filter = _record_paint(window, lambda: events.append("painted"))
    anki.wait(lambda: window._filled, "the window to be filled")
    sys.meta_path.remove(imports)
    expect(model_module in imports.threads, "the model is imported")
    main_thread = threading.main_thread().ident
    on_main_thread = {name for name, threads in imports.threads.items() if main_thread in threads}
    expect_equal({name for name in on_main_thread if name.partition(".")[0] == ADDON_FOLDER} - AT_CLICK, set())

    results_filter = _record_paint(window.results, lambda: events.append("filled"))
    anki.wait_for_results(window)
    expect_equal(list(dict.fromkeys(events)), ["painted", "filled", "read"])
    window.removeEventFilter(frame_filter)
    window.results.removeEventFilter(results_filter)
    _open_pages(anki, window)
    _draw_on_another_thread(anki, window)
    _press_function_keys(anki, window)
    window.close()
    _close_at_once(anki)
    _open_damaged_addon(anki)


def _open_pages(anki: AnkiSession, window: Any) -> None:
    """Expect that each page is created when it is first opened, with all its sections."""
    results = window.results
    views = anki.module("ui.views")
    expect(not any(page.blocks for page in results.pages), "no page is created beforehand")
    expect("numbers" not in vars(window.panel), "the numbers are not created beforehand")
    for number, page in enumerate(results.pages, start=1):
        results.tabs.setCurrentIndex(number)
        expect_equal([block._view for block in page.blocks], list(map(views.load, page.page.views)))
    results.tabs.setCurrentIndex(0)
    window.panel.as_numbers.click()
    _check_tab_order(window)
    window.panel.as_numbers.click()


def _draw_on_another_thread(anki: AnkiSession, window: Any) -> None:
    graph_panel = anki.module("ui.window.graph_panel")
    real_draw_chart = graph_panel.draw_chart
    threads = []

    def draw_chart(*arguments):
        threads.append(threading.get_ident())
        return real_draw_chart(*arguments)

    graph_panel.draw_chart = draw_chart
    for _ in islice(graphs(anki, window), 3):
        anki.settle()
    graph_panel.draw_chart = real_draw_chart
    expect(len(threads) > 1 and threading.main_thread().ident not in threads, "graphs are drawn on another thread")


def _check_tab_order(window):
    """Expect that the Tab key goes from top to bottom, although some widgets were created later than others."""
    top = window.scope_bar
    results = window.results
    panel = window.panel
    bottom = window.bar
    expected = [
        top.scope,
        top.since,
        top.table_box,
        window.choose_button,
        results.headline.help,
        results.tabs.tabBar(),
        results.comparison.list,
        results.comparison.table,
        panel.list,
        panel.as_numbers,
        panel.numbers,
        *(widget for page in results.pages for widget in (page, *(block.button for block in page.blocks))),
        window.row_accounting,
        bottom.row_accounting_button,
        bottom.export,
        bottom.cancel,
        bottom.again,
        bottom.close_button,
    ]
    focus_chain = []
    widget = top.scope
    while widget not in focus_chain:
        focus_chain.append(widget)
        widget = widget.nextInFocusChain()
    order = [widget for widget in focus_chain if widget in expected]
    expect(order == expected, f"the Tab key goes to {[type(widget).__name__ for widget in order]}")


def _press_function_keys(anki: AnkiSession, window: Any) -> None:
    """Press F1 for the documentation of the current tab, and F5 to evaluate again."""
    from aqt.qt import QTextBrowser

    window.results.tabs.setCurrentIndex(1)
    anki.press_shortcut(window, "Key_F1")
    browser = window.findChild(QTextBrowser)
    expect("Reviews per day" in browser.toPlainText(), browser.toPlainText()[:99])
    browser.window().close()
    window.results.tabs.setCurrentIndex(0)
    anki.press_shortcut(window, "Key_F5")
    anki.wait(lambda: window.model.running, "the evaluation to start")
    anki.wait_for_results(window)


def _close_at_once(anki: AnkiSession) -> None:
    """Close the window before it is filled, and expect that it stays empty."""
    anki.mw.form.menuTools.actions()[-1].trigger()
    window = anki.frame()
    window.close()
    anki.pump(0.3)
    expect(anki.frame() is None and "model" not in vars(window), "nothing runs")


def _open_damaged_addon(anki: AnkiSession) -> None:
    """Open the window when a file of the add-on is damaged. It closes itself, and Anki shows the error."""

    def fail():
        raise ImportError("a file is damaged")

    module = anki.module("ui.window.window")
    real_import = module._import_modules
    module._import_modules = fail
    anki.mw.form.menuTools.actions()[-1].trigger()
    anki.wait(lambda: anki.on_stderr and anki.frame() is None, "the window to close")
    expect("a file is damaged" in "".join(anki.on_stderr), str(anki.on_stderr))
    anki.on_stderr.clear()
    module._import_modules = real_import


class ImportRecorder:
    """Finder that finds nothing, and records the threads on which each module is searched for."""

    def __init__(self) -> None:
        self.threads = {}

    def find_spec(self, name: str, *_: object) -> None:
        self.threads.setdefault(name, []).append(threading.get_ident())


def _record_paint(widget: Any, record: Callable[[], None]) -> Any:
    """Call ``record`` whenever the widget is painted. Return the event filter, which must be kept."""
    from aqt.qt import QEvent, QObject

    class PaintFilter(QObject):
        def eventFilter(self, _watched: Any, event: Any) -> bool:  # noqa: N802 - Qt's name
            if event.type() == QEvent.Type.Paint:
                record()
            return False

    paint_filter = PaintFilter()
    widget.installEventFilter(paint_filter)
    return paint_filter


def _record_first_query(proxy: Any, record: Callable[[], None]) -> None:
    """Call ``record`` at the next query of the database."""
    real_query = proxy._query

    def query(*arguments, **options):
        record()
        proxy._query = real_query
        return real_query(*arguments, **options)

    proxy._query = query
