"""Replacement for Anki's task manager in tests without threads."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any, Callable


class Anki:
    """Anki's main window, task manager and open collection in one object, which runs every task at once.

    Attributes:
        on_main: whether the running task was started for the main thread.
        on_collection: whether the running task was started for the thread of the collection.
    """

    def __init__(self) -> None:
        self.taskman = self
        self.col = self
        self.on_main = False
        self.on_collection = False

    def run_in_background(self, task: Callable[[], Any], on_done: Any = None, *, uses_collection: bool = True) -> None:
        done = Future()
        self.on_collection = uses_collection
        done.set_result(task())
        self.on_collection = False
        if on_done is not None:
            on_done(done)

    def run_on_main(self, call: Callable[[], None]) -> None:
        self.on_main = True
        call()
        self.on_main = False
