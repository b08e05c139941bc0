"""Work on other threads, which the window can hold for a moment or stop.

Nothing raised there is let through to Anki: a panic of its backend (no ``Exception``) would end it.
"""

from __future__ import annotations

import math
import threading
import time
from typing import TYPE_CHECKING, Callable, Generator, Optional, Set, Tuple, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future

    from aqt.main import AnkiQt

S = TypeVar("S")
T = TypeVar("T")

#: However long the window draws, the arithmetic goes on after so many seconds.
_LONGEST_REST = 0.3


class Work:
    """Tasks on other threads, each followed by a call on the main thread. Once it was stopped nothing is called."""

    def __init__(self, mw: AnkiQt, failed: Callable[[BaseException], None]) -> None:
        """``failed`` is told, on the main thread, what a task or what followed it raised."""
        self._mw = mw
        self._failed = failed
        self._stopped = threading.Event()
        self._go_on = threading.Event()
        self._go_on.set()
        self._at_rest = threading.Event()
        self._at_rest.set()
        self._held_for: Set[object] = set()
        self._tasks = 0

    # --- from the main thread -----------------------------------------------------------------------------------------

    @property
    def active(self) -> bool:
        """Whether there may be more to come."""
        return not self._stopped.is_set()

    @property
    def at_rest(self) -> bool:
        """Whether no arithmetic goes on just now."""
        return self._at_rest.is_set()

    @property
    def over(self) -> bool:
        """Whether no task is left on any thread; after ``stop`` there may be one for a moment."""
        return self._tasks == 0

    def held_for(self, what: object) -> bool:
        """Whether the arithmetic rests for that."""
        return what in self._held_for

    def hold(self, held: bool, what: object) -> None:
        """Let the arithmetic rest at its next step while the window draws: they would fight over Python's lock."""
        if held:
            self._held_for.add(what)
        else:
            self._held_for.discard(what)
        if self._held_for and self.active:
            self._go_on.clear()
        else:
            self._go_on.set()

    def stop(self) -> None:
        """Call nothing any more, and let the background end at its next step."""
        self._stopped.set()
        self._go_on.set()

    def background(self, task: Callable[[], T], then: Callable[[T], None], *, uses_collection: bool = False) -> None:
        """Run ``task`` elsewhere, then ``then`` here with what it returned, unless stopped meanwhile."""

        def guarded() -> Tuple[Optional[T], Optional[BaseException]]:
            try:
                return task(), None
            except BaseException as error:  # noqa: BLE001 - a panic of the backend must not reach Anki
                return None, error
            finally:
                self._tasks -= 1

        def done(future: Future[Tuple[Optional[T], Optional[BaseException]]]) -> None:
            if not self.active:
                return
            value, error = future.result()
            if error is None:
                try:
                    then(value)  # type: ignore[arg-type]  # None only where T allows it
                except Exception as raised:  # noqa: BLE001 - shown calmly in the window
                    error = raised
            if error is not None:
                self._failed(error)

        self._tasks += 1
        self._mw.taskman.run_in_background(guarded, done, uses_collection=uses_collection)

    # --- on another thread --------------------------------------------------------------------------------------------

    def drive(
        self, steps: Generator[S, None, T], on_step: Callable[[S], object], *, seconds: float = math.inf
    ) -> Optional[T]:
        """What the generator returns; None if stopped before, or not at its end in time: it is left as it stands."""
        end_of_turn = time.monotonic() + seconds
        try:
            while not self._stopped.is_set() and time.monotonic() < end_of_turn:
                self._go_on.wait(_LONGEST_REST)
                if self._stopped.is_set():  # while it rested
                    return None
                self._at_rest.clear()
                step = next(steps)
                self._at_rest.set()
                on_step(step)
        except StopIteration as end:
            result: T = end.value
            return result
        finally:
            self._at_rest.set()
        return None
