"""Anki's task manager for tests without threads."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any, Callable


class Anki:
    """Has everything done at once, on the only thread."""

    def __init__(self) -> None:
        self.taskman = self
        self.col = self  #: an open collection
        self.on_main = False  #: whether it is the main thread's turn
        self.on_collection = False  #: whether it is that of the collection's thread

    def run_in_background(self, task: Callable[[], Any], on_done: Any = None, *, uses_collection: bool = True) -> None:
        done: Future[Any] = Future()
        self.on_collection = uses_collection
        done.set_result(task())
        self.on_collection = False
        if on_done is not None:
            on_done(done)

    def run_on_main(self, call: Callable[[], None]) -> None:
        self.on_main = True
        call()
        self.on_main = False
