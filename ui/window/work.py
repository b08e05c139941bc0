"""Work on other threads, which the window can hold for a moment or stop.

A task is an ordinary function. Between two of its steps it calls ``pause``, mostly as the progress that it tells, and
there it waits while the window draws, or is ended by :class:`Cancelled`. Nothing raised on another thread is let
through to Anki: a panic of its backend (no ``Exception``) would end it.
"""

from __future__ import annotations

import threading
import time
from concurrent.futures import Future, wait
from functools import partial
from typing import TYPE_CHECKING, Any, Callable, Generator, Optional, Set, Tuple, TypeVar

from ..science import Cancelled, CollectionClosed, Progress

if TYPE_CHECKING:
    from anki.collection import Collection
    from aqt.main import AnkiQt

    from evaluator.revlog import Snapshot

    #: Reads a collection chunk by chunk; yields (rows read, rows in all).
    Reading = Generator[Tuple[int, int], None, Snapshot]

T = TypeVar("T")
#: What a task returned, or what it raised.
Outcome = Tuple[Optional[T], Optional[BaseException]]

#: However long the window draws, the arithmetic goes on after so many seconds.
_LONGEST_REST = 0.3
#: A turn on the collection's thread; reviewing and syncing wait for no more than that.
_TURN_SECONDS = 0.05
#: A task that waits for another thread looks so often whether it was stopped.
_LOOK_SECONDS = 0.05


class Work:
    """Tasks on other threads, each followed by a call on the main thread. Once it was stopped nothing is called."""

    def __init__(self, mw: AnkiQt) -> None:
        self._mw = mw
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

    def background(
        self, task: Callable[[], T], then: Callable[[T], None], failed: Callable[[BaseException], None]
    ) -> None:
        """Run ``task`` elsewhere, then ``then`` here with what it returned, unless stopped meanwhile.

        What either raised is given to ``failed``, here too.
        """

        def run() -> Outcome[T]:
            self._at_rest.clear()
            try:
                return _outcome(task)
            finally:
                self._at_rest.set()
                self._tasks -= 1

        self._tasks += 1
        self._mw.taskman.run_in_background(
            run, lambda future: self._follow(future.result(), then, failed), uses_collection=False
        )

    def _follow(self, outcome: Outcome[T], then: Callable[[T], None], failed: Callable[[BaseException], None]) -> None:
        if not self.active:
            return
        value, error = outcome
        if error is None:
            try:
                then(value)  # type: ignore[arg-type]  # None only where T allows it
            except Exception as raised:  # noqa: BLE001 - shown calmly in the window
                error = raised
        if error is not None:
            failed(error)

    # --- from a task --------------------------------------------------------------------------------------------------

    def pause(self) -> None:
        """Between two steps: wait while the window draws. Raises Cancelled once stopped."""
        self._at_rest.set()
        self._go_on.wait(_LONGEST_REST)
        if not self.active:  # perhaps while it rested
            raise Cancelled
        self._at_rest.clear()

    def at_once(
        self, task: Callable[[], T], then: Callable[[T], None], failed: Callable[[BaseException], None]
    ) -> None:
        """Between two steps of a task: as ``background``, but here, and until what follows it has been called."""
        outcome = _outcome(task)
        self.pause()
        self.on_main(partial(self._follow, outcome, then, failed))

    def on_main(self, call: Callable[[], T]) -> T:
        """What ``call``, made on the main thread, returns or raises. Raises Cancelled if stopped meanwhile."""
        return self._awaited(call, self._mw.taskman.run_on_main)

    def read_collection(self, begin: Callable[[Collection], Reading], progress: Progress) -> Snapshot:
        """Read the open collection on its own thread, in short turns.

        Raises:
            CollectionClosed: none is open, or no longer the same.
        """
        col: Collection = self._mw.col
        reading = begin(col)

        def start(turn: Callable[[], None]) -> None:
            def from_main() -> None:  # where Anki wants it to be asked for
                self._mw.taskman.run_in_background(turn, uses_collection=True)

            self._mw.taskman.run_on_main(from_main)

        while True:
            done, total, snapshot = self._awaited(partial(self._turn, col, reading), start)
            if snapshot is not None:
                return snapshot
            progress(done / max(total, 1), "reading", done=done, total=total)

    def _turn(self, col: Collection, reading: Reading) -> Tuple[int, int, Optional[Snapshot]]:
        """On the collection's thread: read for a moment."""
        if self._mw.col is not col or col is None:
            raise CollectionClosed
        end = time.monotonic() + _TURN_SECONDS
        try:
            while True:
                done, total = next(reading)
                if not self.active or time.monotonic() >= end:
                    return done, total, None
        except StopIteration as finished:
            return 1, 1, finished.value
        except Exception:
            if col.db is None or self._mw.col is not col:
                raise CollectionClosed from None
            raise

    def _awaited(self, call: Callable[[], T], start: Callable[[Callable[[], None]], object]) -> T:
        """What the call returns or raises on the thread on which ``start`` has it run."""
        answer: Future[Any] = Future()
        start(lambda: answer.set_result(_outcome(call) if self.active else (None, None)))
        self._at_rest.set()
        while not answer.done() and self.active:
            wait([answer], _LOOK_SECONDS)
        self.pause()
        value, error = answer.result()
        if error is not None:
            raise error
        result: T = value
        return result


def _outcome(task: Callable[[], T]) -> Outcome[T]:
    try:
        return task(), None
    except BaseException as error:  # noqa: BLE001 - a panic of the backend must not reach Anki
        return None, error
