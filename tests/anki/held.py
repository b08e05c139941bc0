"""Evaluations that stand still where a test wants them to, so that nothing depends on how fast a machine is."""

from __future__ import annotations

import importlib
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Callable, Generator, Set

from running import expect
from session import AnkiSession

ROOT = Path(__file__).resolve().parents[2]


class Held:
    """Stands in for ``evaluate``, with the same steps: that after the first which ``after`` is true of is held."""

    def __init__(self, evaluate: Callable[..., Any], after: Callable[[Any], bool] = lambda _progress: True) -> None:
        self._evaluate, self._after = evaluate, after
        self._go_on = threading.Event()
        self.begun = 0  #: steps, that which is held too
        self.threads: Set[threading.Thread] = set()  #: that they were begun on
        self.holds = False

    def __call__(self, *values: Any, **options: Any) -> Generator[Any, None, Any]:
        steps, hold = self._evaluate(*values, **options), False
        try:
            while True:
                self.begun += 1
                self.threads.add(threading.current_thread())
                if hold:
                    self.holds = True
                    self._go_on.wait()
                    self.holds = False
                try:
                    progress = next(steps)
                except StopIteration as end:
                    return end.value
                yield progress
                hold = not self._go_on.is_set() and self._after(progress)
        finally:
            steps.close()

    def let_go(self) -> None:
        """Go on, and hold nothing any more."""
        self._go_on.set()


def finished(count: int) -> Callable[[Any], bool]:
    """Whether so many algorithms are."""

    def are(progress: Any) -> bool:
        return count == 0 or (progress.evaluation is not None and len(progress.evaluation.report.results) >= count)

    return are


def fake_module() -> Any:
    """The made-up evaluation. It needs the checkout on the path; where the real one runs, that must not be needed.

    Imported on another thread, as NumPy must not be on the main one.
    """
    if str(ROOT) not in sys.path:
        sys.path.append(str(ROOT))
    return _on_another_thread(lambda: importlib.import_module("fake"))


def engine(anki: AnkiSession) -> Any:
    """The add-on's module that evaluates, before the window has loaded it."""
    return _on_another_thread(lambda: anki.module("ui.engine"))


def _on_another_thread(task: Callable[[], Any]) -> Any:
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(task).result()


def cancel(anki: AnkiSession, window: Any, held: Held) -> None:
    """The window says so while the step that is held has not ended; once that has, no other is begun."""
    anki.wait(lambda: held.holds, "a step to be held")
    begun = held.begun
    window.bar.cancel.click()
    expect(window.bar.again.isVisible() and not window.bar.cancel.isVisible(), "Cancel has acted")
    expect(not _over(window), "before the background has ended")
    held.let_go()
    anki.wait(lambda: _over(window), "the background to end")
    expect(held.begun == begun, "no further step is computed")


def _over(window: Any) -> bool:
    return window._run.over and window.jobs.over
