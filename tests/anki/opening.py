"""The window opens at once: what is done before it is seen, on which thread, and what only when it is asked for."""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from typing import Any, Dict, List

from running import Facts, Running, expect
from sample_collections import write_simulated
from session import ADDON_FOLDER, WINDOW_KEY

#: What takes long to import.
HEAVY = ("numpy", "matplotlib")


def opening(folder: Path) -> Facts:
    """A frame is painted before the rest is imported, the rest before anything is read; each page when it is opened."""
    import aqt

    write_simulated(folder / "given.anki2")
    with Running(folder, folder / "given.anki2") as anki:
        imports, happened = Imports(), Happened()
        sys.meta_path.insert(0, imports)
        before = set(sys.modules)
        anki.mw.form.menuTools.actions()[-1].trigger()
        window = aqt.dialogs._dialogs[WINDOW_KEY][1]
        expect(window.isVisible() and window.bar.progress.isVisible(), "the frame is there at once")
        clicked = {name for name in set(sys.modules) - before if name.startswith(ADDON_FOLDER)}
        expect(f"{ADDON_FOLDER}.ui.dialog.parts" not in clicked, f"without the rest: {sorted(clicked)}")
        expect(window._run is None, "nothing runs yet")
        happened.watch(window, "painted")
        anki.wait(lambda: window._filled, "the window to be filled")
        parts = imports.threads(f"{ADDON_FOLDER}.ui.dialog.parts")
        expect(parts and main_thread() not in parts, "the rest is imported on another thread")

        happened.watch(window.results, "filled")
        happened.call(anki.module("ui.dialog.run").Run, "_start_reading", "read")
        anki.wait_for_results(window)
        expect(happened.order() == ["painted", "filled", "read"], str(happened.order()))
        _parts_on_demand(anki, window)
        for library in HEAVY:
            modules = [name for name in imports.seen if name.startswith(f"{library}.")]  # the menu looks for the rest
            here = [name for name in modules if main_thread() in imports.threads(name)]
            expect(modules, f"{library} was imported")
            expect(not here, f"imported while Anki waits: {here}")
        sys.meta_path.remove(imports)
        window.close()
        _closed_at_once(anki)
    return {}


def _parts_on_demand(anki: Any, window: Any) -> None:
    """Pages, popups, and what is folded away, are made when they are first opened; graphs, on another thread."""
    from aqt.qt import QCalendarWidget

    results, bar = window.results, window.scope_bar
    expect(not any(page.blocks for page in results.pages), "no page is made beforehand")
    expect(not window.findChildren(QCalendarWidget), "nor the calendar")
    for owner, part in ((bar, "list"), (bar, "boxes"), (results.comparison, "cheating"), (window.panel, "numbers")):
        expect(part not in vars(owner), f"nor: {part}")
    for number, page in enumerate(results.pages, start=1):
        results.tabs.setCurrentIndex(number)
        sections = [block.section for block in page.blocks]
        expect(sections == list(page.page.sections), f"the page is whole: {sections}")
    results.tabs.setCurrentIndex(0)
    results.comparison.fold.click()
    window.panel.as_numbers.click()
    _keys_go_on_in_order(window)
    window.panel.as_numbers.click()
    results.comparison.fold.click()
    graph_view, threads = anki.module("ui.dialog.graph_view"), []
    real = graph_view.drawn
    graph_view.drawn = lambda *given: threads.append(threading.get_ident()) or real(*given)
    for key in [window.panel.list.itemData(row) for row in range(window.panel.list.count())]:
        if key:
            count = len(threads)
            window.panel.choose(key)
            anki.wait(lambda count=count: len(threads) > count and not window.panel.view._drawing, f"the graph {key}")
    expect(main_thread() not in threads, "graphs are drawn on another thread")
    graph_view.drawn = real


def _keys_go_on_in_order(window: Any) -> None:
    """The Tab key goes from the top to the bottom and around, whenever a part was made."""
    bar, results, panel, below = window.scope_bar, window.results, window.panel, window.bar
    top = [bar.scope, bar.since, bar.options, window.choose_button, results.tabs]
    first = [results.comparison.table, results.comparison.fold, results.comparison.cheating.button]
    others = [each for page in results.pages for each in (page, *(block.button for block in page.blocks))]
    lowest = [below.funnel_toggle, below.export, below.copy, below.cancel, below.again, below.close_button]
    wanted = [*top, *first, panel.list, panel.as_numbers, panel.numbers, *others, window.funnel, *lowest]
    chain, one = [], bar.scope
    while one not in chain:
        chain.append(one)
        one = one.nextInFocusChain()
    found = [each for each in chain if each in wanted]
    expect(found == wanted, f"the Tab key goes to {[type(each).__name__ for each in found]}")


def _closed_at_once(anki: Any) -> None:
    """Before it is filled, too: then nothing begins."""
    import aqt

    anki.mw.form.menuTools.actions()[-1].trigger()
    window = aqt.dialogs._dialogs[WINDOW_KEY][1]
    window.close()
    anki.pump(0.5)
    expect(anki.window() is None and window._run is None, "nothing runs")


def main_thread() -> int:
    """Anki's window's."""
    return threading.main_thread().ident or 0


class Imports:
    """Sees, before all others that find modules, what is looked for, and on which threads. Finds nothing itself."""

    def __init__(self) -> None:
        self.seen: Dict[str, List[int]] = {}

    def find_spec(self, name: str, *_: object) -> None:
        self.seen.setdefault(name, []).append(threading.get_ident())

    def threads(self, name: str) -> List[int]:
        """Those on which that was looked for."""
        return self.seen.get(name, [])


class Happened:
    """In which order things happened first."""

    def __init__(self) -> None:
        self._order: List[str] = []
        self._watchers: List[Any] = []

    def order(self) -> List[str]:
        """By their names."""
        return list(dict.fromkeys(self._order))

    def watch(self, widget: Any, name: str) -> None:
        """Note when this is painted."""
        from aqt.qt import QEvent, QObject

        note = self._order.append

        class Painted(QObject):
            def eventFilter(self, _watched: Any, event: Any) -> bool:  # noqa: N802 - Qt's name
                if event.type() == QEvent.Type.Paint:
                    note(name)
                return False

        self._watchers.append(Painted())
        widget.installEventFilter(self._watchers[-1])

    def call(self, owner: type, method: str, name: str) -> None:
        """Note when that is called."""
        real = getattr(owner, method)
        setattr(owner, method, lambda *given: self._order.append(name) or real(*given))
