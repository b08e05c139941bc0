"""Evaluations that stand still where a test wants them to, so that nothing depends on how fast a machine is."""

from __future__ import annotations

import importlib
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Callable, Optional, Set

from running import expect
from session import AnkiSession

ROOT = Path(__file__).resolve().parents[2]


class StalledEvaluation:
    """Stands in for ``evaluate`` or for what computes a section: the step that begins once ``when`` is true is held."""

    def __init__(self, evaluate: Callable[..., Any], when: Optional[Callable[[], bool]] = None, after: int = 0) -> None:
        """``after``: without ``when``, this many algorithms are finished before a step is held."""
        self._evaluate, self._when = evaluate, when or (lambda: self.finished >= after)
        self._resume_jobs = threading.Event()
        self.finished = 0  #: algorithms
        self.begun = 0  #: steps, that which is held too
        self.threads: Set[threading.Thread] = set()  #: the threads they were started on
        self.holds = False

    def __call__(self, *values: Any, progress: Any = None, finished: Any = None, **options: Any) -> Any:
        if progress is None:
            *values, progress = values  # sections are called like this

        def step(*messages: Any) -> None:
            progress(*messages)  # does not return if it was cancelled
            self._begin(hold=self._when())

        def count(evaluation: Any) -> None:
            finished(evaluation)
            self.finished = len(evaluation.report.results)

        self._begin(hold=False)
        if finished is None:
            return self._evaluate(*values, type(progress)(step), **options)
        return self._evaluate(*values, progress=type(progress)(step), finished=count, **options)

    def _begin(self, *, hold: bool) -> None:
        self.begun += 1
        self.threads.add(threading.current_thread())
        if hold and not self._resume_jobs.is_set():
            self.holds = True
            self._resume_jobs.wait()
            self.holds = False

    def let_go(self) -> None:
        self._resume_jobs.set()


def fake_module(name: str = "fake") -> Any:
    """The made-up evaluation, or other made-up results of ``tests/ui``.

    It needs the checkout on the path; where the real one runs, that must not be needed.

    Imported on another thread, as NumPy must not be on the main one.
    """
    if str(ROOT) not in sys.path:
        sys.path.append(str(ROOT))
    return on_another_thread(lambda: importlib.import_module(name))


def engine(anki: AnkiSession) -> Any:
    """The add-on's module that evaluates, before the window has loaded it."""
    return on_another_thread(lambda: anki.module("ui.engine"))


def on_another_thread(task: Callable[[], Any]) -> Any:
    """Return what the task returns, run on another thread, for which this one waits."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(task).result()


def cancel(anki: AnkiSession, window: Any, held: StalledEvaluation) -> None:
    """Cancel while a step is held. The window says so, and begins no other step."""
    anki.wait(lambda: held.holds, "a step to be held")
    begun = held.begun
    window.bar.cancel.click()
    expect(window.bar.again.isVisible() and not window.bar.cancel.isVisible(), "Cancel has acted")
    expect(not window.model.jobs.is_idle, "before the background has ended")
    held.let_go()
    anki.wait(lambda: window.model.jobs.is_idle, "the background to end")
    expect(held.begun == begun, "no further step is computed")
