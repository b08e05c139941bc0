"""One Anki with the window, measured: ``python measuring.py FOLDER COLLECTION COMPILED``.

``python3 tools measure window`` starts it in a separate process, with the language in ``ANKI_LANGUAGE``. COMPILED is
"yes" if the add-on's modules are compiled beforehand. Writes ``figures.json`` into the folder: by name, milliseconds
by the clock and of the main thread's own CPU time; the latter is null for what is waited for.
"""

from __future__ import annotations

import compileall
import json
import os
import sys
import time
import traceback
from pathlib import Path
from statistics import median
from typing import Any, Dict, Optional, Tuple

from session import ADDON_FOLDER, WINDOW_KEY, AnkiSession, prepare_environment
from window_tour import graphs

#: Anki loads its add-ons so often, with this one and without.
STARTS = 5
#: Between two looks at the clock.
BEAT_MS = 5


class Figures:
    def __init__(self) -> None:
        self.figures: Dict[str, Tuple[float, Optional[float]]] = {}

    def note(self, name: str, wall: float, cpu: Optional[float] = None) -> None:
        self.figures[name] = 1000 * wall, None if cpu is None else 1000 * cpu


class Stopwatch:
    """Seconds since it was made: wall time, and the CPU time of this thread."""

    def __init__(self) -> None:
        self._wall, self._cpu = time.perf_counter(), time.thread_time()

    def read(self) -> Tuple[float, float]:
        return time.perf_counter() - self._wall, time.thread_time() - self._cpu


class Heartbeat:
    """The longest time between two turns of the event loop, which begin every five milliseconds."""

    def __init__(self) -> None:
        from aqt.qt import Qt, QTimer

        self.wall = self.cpu = 0.0
        self._watch = Stopwatch()
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(BEAT_MS)
        self._timer.timeout.connect(self._beat)
        self._timer.start()

    def _beat(self) -> None:
        wall, cpu = self._watch.read()
        self.wall, self.cpu = max(self.wall, wall), max(self.cpu, cpu)
        self._watch = Stopwatch()

    def stop(self) -> Tuple[float, float]:
        """Longest by the clock, and most of the thread's time, both in seconds."""
        self._timer.stop()
        return self.wall, self.cpu


def measure(folder: Path, collection: Path, *, compiled: bool) -> Dict[str, Any]:
    """Start Anki, click, wait, look at everything, cancel."""
    result = Figures()
    anki = AnkiSession(folder / "Anki2", collection, with_addon=False)
    anki.pump(1)
    _start(anki, result, compiled=compiled)
    window = _click_and_run(anki, result)
    _open_graphs(anki, window, result)
    _open_pages(anki, window, result)
    _cancel(anki, window, result)
    window.close()
    anki.pump(0.2)
    if anki.on_stderr:
        raise RuntimeError("".join(anki.on_stderr))
    return result.figures


def _start(anki: AnkiSession, result: Figures, *, compiled: bool) -> None:
    """Return what Anki does with add-ons when it starts, without ours and with it."""
    import aqt

    def load() -> Tuple[float, float]:
        watch = Stopwatch()
        anki.mw.addonManager.loadAddons()
        return watch.read()

    without = [load() for _ in range(STARTS)]
    folder = anki.base / "addons21" / ADDON_FOLDER
    anki.put_addon(folder)
    if compiled:
        compileall.compile_dir(folder, quiet=2)
    with_it = []
    for _ in range(STARTS):
        for name in [name for name in sys.modules if name.startswith(ADDON_FOLDER)]:
            del sys.modules[name]
        aqt.dialogs._dialogs.pop(WINDOW_KEY, None)  # else the next is a second copy, which keeps still
        with_it.append(load())
    for name, loads in (("start_without", without), ("start_with", with_it)):
        result.note(name, *(median(column) for column in zip(*loads)))


def _click_and_run(anki: AnkiSession, result: Figures) -> Any:
    """Tools > SRS Evaluator…: until the window has painted itself and the event loop turns again; then to the end."""
    import aqt

    watch = Stopwatch()
    anki.mw.form.menuTools.actions()[-1].trigger()
    window = aqt.dialogs._dialogs[WINDOW_KEY][1]
    _until_painted(window)
    result.note("click", *watch.read())
    beat = Heartbeat()
    anki.wait(lambda: window._filled, "the window to be whole")
    result.note("whole", watch.read()[0])
    anki.wait(lambda: window.table.report is not None, "the first result")
    result.note("first_result", watch.read()[0])
    anki.wait(lambda: window.model.findings.complete, "the evaluation to end")
    _settle(anki, window)
    result.note("running", *beat.stop())
    return window


def _until_painted(window: Any) -> None:
    """Let Anki run until this has painted itself once more."""
    from aqt.qt import QEvent, QEventLoop, QObject, QTimer

    loop = QEventLoop()

    class Painted(QObject):
        def eventFilter(self, _watched: Any, event: Any) -> bool:  # noqa: N802 - Qt's name
            if event.type() == QEvent.Type.Paint:
                QTimer.singleShot(0, loop.quit)
            return False

    watcher = Painted()
    window.installEventFilter(watcher)
    window.update()
    loop.exec()
    window.removeEventFilter(watcher)


def _open_graphs(anki: AnkiSession, window: Any, result: Figures) -> None:
    window.table.choose(["FSRS-6", "Anki-SM-2"])
    _settle(anki, window)
    beat = Heartbeat()
    for _ in graphs(anki, window):
        _settle(anki, window)
    result.note("graphs", *beat.stop())


def _open_pages(anki: AnkiSession, window: Any, result: Figures) -> None:
    tabs, beat = window.results.tabs, Heartbeat()
    for number in range(1, tabs.count()):
        tabs.setCurrentIndex(number)
        _settle(anki, window)
    tabs.setCurrentIndex(0)
    _settle(anki, window)
    result.note("pages", *beat.stop())


def _cancel(anki: AnkiSession, window: Any, result: Figures) -> None:
    window.model.choose_algorithms(anki.module("ui.engine").catalog().groups["all"])
    anki.wait(lambda: window.bar.progress.value() > 0.2 * window.bar.progress.maximum(), "the arithmetic")
    watch = Stopwatch()
    window.bar.cancel.click()
    if not window.bar.again.isVisible():
        raise RuntimeError("Cancel has not acted")
    _until_painted(window)
    result.note("cancel", *watch.read())
    anki.wait(lambda: window.model.jobs.is_idle, "the background to end")
    result.note("background", watch.read()[0])


def _settle(anki: AnkiSession, window: Any) -> None:
    """Wait until all requested results are computed and drawn."""
    anki.pump(0.3)
    anki.wait(lambda: window.model.jobs.is_idle, "what was asked")
    anki.pump(0.6)


def main() -> None:
    """Measure, and end before Qt takes itself apart."""
    folder, collection, compiled = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3] == "yes"
    sys.dont_write_bytecode = True
    prepare_environment()
    import aqt  # noqa: F401 - before anki, as in Anki itself

    code = 0
    try:
        figures = measure(folder, collection, compiled=compiled)
        (folder / "figures.json").write_text(json.dumps(figures), encoding="utf-8")
    except BaseException:  # noqa: BLE001 - whatever it is, it is the answer
        traceback.print_exc(file=sys.__stderr__)
        code = 1
    sys.stdout.flush()
    os._exit(code)  # Qt's web engine may crash while Python takes itself apart


if __name__ == "__main__":
    main()
