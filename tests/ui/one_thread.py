"""Anki's task manager for tests without threads."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any, Callable


class Anki:
    """Has everything done at once, on the only thread."""

    def __init__(self) -> None:
        self.taskman = self
        self.on_main = False  #: whether it is the main thread's turn

    def run_in_background(self, task: Callable[[], Any], on_done: Any = None, **_: Any) -> None:
        done: Future[Any] = Future()
        done.set_result(task())
        if on_done is not None:
            on_done(done)

    def run_on_main(self, call: Callable[[], None]) -> None:
        self.on_main = True
        call()
        self.on_main = False
