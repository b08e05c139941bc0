"""Evaluations that stop where a test wants them to, so that no scenario depends on the speed of the machine."""

from __future__ import annotations

import importlib
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Callable, Optional

from running import expect, expect_equal
from session import AnkiSession, is_idle

ROOT = Path(__file__).resolve().parents[2]


class StalledEvaluation:
    """Replacement for ``evaluate`` that holds the first step after some algorithms until ``release`` is called.

    Attributes:
        finished: number of finished algorithms.
        begun: number of started steps, including the held one.
        threads: threads on which steps were started.
        is_holding: whether a step is held.
    """

    def __init__(self, evaluate: Callable[..., Any], *, after: Optional[int] = 0) -> None:
        """Wrap ``evaluate``. ``after`` is the number of algorithms to finish first. None holds no step."""
        self._evaluate = evaluate
        self._after = after
        self._released = threading.Event()
        self.finished = self.begun = 0
        self.threads = set()
        self.is_holding = False

    def __call__(self, *values, progress, on_update, **options):
        def step(*messages):
            # If the evaluation was cancelled, this raises an error.
            progress(*messages)
            self._begin_step(hold=self._after is not None and self.finished >= self._after)

        def count(evaluation):
            on_update(evaluation)
            self.finished = len(evaluation.report.results)

        self._begin_step(hold=False)
        return self._evaluate(*values, progress=type(progress)(step), on_update=count, **options)

    def _begin_step(self, *, hold: bool) -> None:
        """Count a step. With ``hold``, wait in it until :meth:`release` is called."""
        self.begun += 1
        self.threads.add(threading.current_thread())
        if hold and not self._released.is_set():
            self.is_holding = True
            self._released.wait()
            self.is_holding = False

    def release(self):
        """Release the held step. No further step is held."""
        self._released.set()


def fake_module(name: str = "fake") -> Any:
    """Import a module of ``tests/ui`` with made-up results, on another thread because it needs NumPy.

    It needs the checkout on the path of imports, which the add-on itself must not need.
    """
    if str(ROOT) not in sys.path:
        sys.path.append(str(ROOT))
    return run_on_another_thread(lambda: importlib.import_module(name))


def engine(anki):
    """Return the add-on's module ``ui.engine``, even before the window has loaded it."""
    return run_on_another_thread(lambda: anki.module("ui.engine"))


def run_on_another_thread(task: Callable[[], Any]) -> Any:
    """Run the task on another thread, wait for it, and return its result."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(task).result()


def cancel(anki: AnkiSession, window: Any, stalled: StalledEvaluation) -> None:
    """Click Cancel while a step is held. Expect that the window shows it at once, and that no other step begins."""
    anki.wait(lambda: stalled.is_holding, "a step to be held")
    begun = stalled.begun
    window.bar.cancel.click()
    expect(window.bar.again.isVisible() and not window.bar.cancel.isVisible(), "the window shows that it is cancelled")
    expect(not is_idle(window.model.jobs), "the background has not ended")
    stalled.release()
    anki.wait(lambda: is_idle(window.model.jobs), "the background to end")
    expect_equal(stalled.begun, begun)


def expect_finished_rows(anki: AnkiSession, window: Any, count: int) -> None:
    """Expect this many rows without errors, and a message that names the unfinished algorithms."""
    expect_equal([row.result.error for row in window.table.rows], [None] * count)
    unfinished = window.table.report.unfinished
    expect(unfinished, "some are unfinished")
    expect_equal(window.notice.label.text(), anki.module("ui.window.messages").cancelled_sentence(unfinished))
