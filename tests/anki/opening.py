from __future__ import annotations

import sys
import threading
from itertools import islice
from pathlib import Path
from typing import Any, Dict, List

from running import expect
from session import ADDON_FOLDER, QUICK, AnkiSession
from window_tour import graphs

#: All that is imported on Anki's own thread before the window shows more than its frame.
AT_CLICK = {
    f"{ADDON_FOLDER}.{name}"
    for name in (
        *("evaluator", "evaluator.scope", "ui.scope", "ui.text.strings", "ui.anki.logs"),
        *("ui.anki.libraries", "ui.anki.libraries.lock", "ui.anki.libraries.needs"),
        *("ui.window", "ui.window.window", "ui.window.bottom_bar", "ui.window.widgets"),
        "ui.window.export",
    )
}


def opening(anki: AnkiSession, _folder: Path) -> None:
    """Open the window. Its frame is painted before anything is imported or read, and each page when it is opened."""
    from anki.dbproxy import DBProxy

    anki.mw.addonManager.writeConfig(ADDON_FOLDER, {"algorithms": QUICK})
    imports, happened = Imports(), Happened()
    sys.meta_path.insert(0, imports)
    happened.call(DBProxy, "_query", "read")
    anki.mw.form.menuTools.actions()[-1].trigger()
    window, parts = anki.frame(), f"{ADDON_FOLDER}.ui.window.model"
    expect(window.isVisible() and window.bar.progress.isVisible(), "the frame is there at once")
    expect(parts not in imports.threads and "model" not in vars(window), "without the rest, and nothing runs yet")
    happened.watch(window, "painted")
    anki.wait(lambda: window._filled, "the window to be filled")
    sys.meta_path.remove(imports)
    mask = {name for name, threads in imports.threads.items() if threading.main_thread().ident in threads}
    expect(parts in imports.threads, "the rest is imported")
    others = {name for name in mask if name.partition(".")[0] == ADDON_FOLDER} - AT_CLICK
    expect(not others, f"on another thread, but for: {sorted(others)}")

    happened.watch(window.results, "filled")
    anki.wait_for_results(window)
    expect(happened.order == ["painted", "filled", "read"], str(happened.order))
    _make_parts_on_demand(anki, window)
    _draw_elsewhere(anki, window)
    _press_function_keys(anki, window)
    window.close()
    _close_at_once(anki)
    _close_where_it_is_damaged(anki)


def _make_parts_on_demand(anki: AnkiSession, window: Any) -> None:
    """Pages are made when they are first opened."""
    results = window.results
    expect(not any(page.blocks for page in results.pages), "no page is made beforehand")
    expect("numbers" not in vars(window.panel), "nor the numbers")
    for number, page in enumerate(results.pages, start=1):
        results.tabs.setCurrentIndex(number)
        sections = [block.section for block in page.blocks]
        expect(sections == list(page.page.views), f"the page is whole: {sections}")
    results.tabs.setCurrentIndex(0)
    window.panel.as_numbers.click()
    _keys_go_on_in_order(window)
    window.panel.as_numbers.click()


def _draw_elsewhere(anki: AnkiSession, window: Any) -> None:
    graph_panel = anki.module("ui.window.graph_panel")
    real, threads = graph_panel.draw_chart, []

    def draw_chart(*given: Any) -> Any:
        threads.append(threading.get_ident())
        return real(*given)

    graph_panel.draw_chart = draw_chart
    for _ in islice(graphs(anki, window), 3):
        anki.settle()
    graph_panel.draw_chart = real
    expect(len(threads) > 1 and threading.main_thread().ident not in threads, "graphs are drawn on another thread")


def _keys_go_on_in_order(window: Any) -> None:
    """The Tab key goes from the top to the bottom and around, whenever a part was made."""
    bar, results, panel, below = window.scope_bar, window.results, window.panel, window.bar
    top = [bar.scope, bar.since, bar.options, window.choose_button, results.headline.help, results.tabs.tabBar()]
    others = [each for page in results.pages for each in (page, *(block.button for block in page.blocks))]
    lowest = [below.funnel_toggle, below.export, below.cancel, below.again, below.close_button]
    requested = [
        *top,
        results.comparison.table,
        panel.list,
        panel.as_numbers,
        panel.numbers,
        *others,
        window.funnel,
        *lowest,
    ]
    chain, item = [], bar.scope
    while item not in chain:
        chain.append(item)
        item = item.nextInFocusChain()
    result = [each for each in chain if each in requested]
    expect(result == requested, f"the Tab key goes to {[type(each).__name__ for each in result]}")


def _press_function_keys(anki: AnkiSession, window: Any) -> None:
    """F1 opens the documentation about the tab, F5 runs again."""
    from aqt.qt import Qt, QTextBrowser
    from PyQt6.QtTest import QTest

    window.results.tabs.setCurrentIndex(1)
    window.activateWindow()
    anki.wait(window.isActiveWindow, "the window to be in front")
    QTest.keyClick(window, Qt.Key.Key_F1)
    browser = window.findChild(QTextBrowser)
    expect("Reviews per day" in browser.toPlainText(), browser.toPlainText()[:99])
    browser.window().close()
    window.results.tabs.setCurrentIndex(0)
    window.activateWindow()
    anki.wait(window.isActiveWindow, "the window to be in front again")
    QTest.keyClick(window, Qt.Key.Key_F5)
    anki.wait(lambda: window.model.running, "it to run again")
    anki.wait_for_results(window)


def _close_at_once(anki: AnkiSession) -> None:
    anki.mw.form.menuTools.actions()[-1].trigger()
    window = anki.frame()
    window.close()
    anki.pump(0.3)
    expect(anki.frame() is None and "model" not in vars(window), "nothing runs")


def _close_where_it_is_damaged(anki: AnkiSession) -> None:
    def damaged() -> None:
        raise ImportError("a file is damaged")

    module = anki.module("ui.window.window")
    real, module._import_parts = module._import_parts, damaged
    anki.mw.form.menuTools.actions()[-1].trigger()
    anki.wait(lambda: anki.on_stderr and anki.frame() is None, "the window to close")
    expect("a file is damaged" in "".join(anki.on_stderr), str(anki.on_stderr))
    anki.on_stderr.clear()
    module._import_parts = real


class Imports:
    """Sees, before all that find modules, what is looked for, and on which threads. Finds nothing itself."""

    def __init__(self) -> None:
        self.threads: Dict[str, List[int]] = {}

    def find_spec(self, name: str, *_: object) -> None:
        self.threads.setdefault(name, []).append(threading.get_ident())


class Happened:
    def __init__(self) -> None:
        self._all: List[str] = []
        self._watchers: List[Any] = []

    @property
    def order(self) -> List[str]:
        return list(dict.fromkeys(self._all))

    def watch(self, widget: Any, name: str) -> None:
        from aqt.qt import QEvent, QObject

        note = self._all.append

        class Painted(QObject):
            def eventFilter(self, _watched: Any, event: Any) -> bool:  # noqa: N802 - Qt's name
                if event.type() == QEvent.Type.Paint:
                    note(name)
                return False

        self._watchers.append(Painted())
        widget.installEventFilter(self._watchers[-1])

    def call(self, owner: type, method: str, name: str) -> None:
        real = getattr(owner, method)

        def noted(*given: Any, **named: Any) -> Any:
            self._all.append(name)
            setattr(owner, method, real)
            return real(*given, **named)

        setattr(owner, method, noted)
