"""Long work of the window, one job at a time and in short turns, with progress; all of it can be stopped at once.

What was asked last comes first, and what is slow waits for what is quick.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Generator, List, Optional, Tuple

from aqt.qt import QObject, QTimer, pyqtSignal, qconnect

from .work import Work

if TYPE_CHECKING:
    from aqt.main import AnkiQt

#: After so long, another job may take the place of this one.
_TURN_SECONDS = 0.2
#: Reviewing and syncing wait for no more than that.
_COLLECTION_SECONDS = 0.05
#: What is over sooner needs no progress bar.
_SILENT_SECONDS = 0.3
_TELL_EVERY_MS = 100
#: So often it is looked whether what was stopped has ended.
_LOOK_MS = 15


@dataclass(eq=False)
class Job:
    """Steps on another thread, then a call on the main one."""

    title: str  #: for the progress bar
    begin: Callable[[], Generator[float, None, Any]]  #: its steps, which yield how far it is from 0 to 1
    finish: Callable[[Any], None]  #: is given what the steps returned
    fail: Callable[[BaseException], None]
    slow: bool = False
    uses_collection: bool = False  #: its turns are on the collection's thread, and shorter: others wait for it
    turn: int = 0  #: when it was asked for; the highest comes first
    steps: Optional[Generator[float, None, Any]] = None  #: once begun
    fraction: float = 0.0

    @property
    def place(self) -> Tuple[bool, bool, int]:
        """The least comes first. What has begun is finished first, for others may build on it."""
        return self.slow, self.steps is None, -self.turn

    def run(self, work: Work) -> Optional[Tuple[Any]]:
        """A turn, on another thread; what the steps returned, if they came to their end."""
        steps = self.steps = self.steps or self.begin()
        seconds = _COLLECTION_SECONDS if self.uses_collection else _TURN_SECONDS
        return work.drive(_wrapped(steps), self._note, seconds=seconds)

    def _note(self, fraction: float) -> None:
        self.fraction = max(self.fraction, fraction)


def _wrapped(steps: Generator[float, None, Any]) -> Generator[float, None, Tuple[Any]]:
    """The same steps; what they return can be told from nothing."""
    while True:
        try:
            step = next(steps)
        except StopIteration as end:
            return (end.value,)
        yield step


class Jobs(QObject):
    """To be used on the main thread."""

    progress = pyqtSignal(str, float)
    busy = pyqtSignal(bool)  #: said once it takes long enough to be worth it

    def __init__(self, mw: AnkiQt, parent: QObject) -> None:
        super().__init__(parent)
        self._mw = mw
        #: Asked before work begins.
        self.may_begin: Callable[[], bool] = lambda: True
        self._jobs: List[Job] = []
        self._finished = 0
        self._current: Optional[Job] = None
        self._since: Optional[float] = None
        self._said_busy = False
        self._work = Work(mw, self._on_failed)
        self._old_works: List[Work] = []
        self._timer = QTimer(self)
        self._timer.setInterval(_TELL_EVERY_MS)
        qconnect(self._timer.timeout, self._tell)

    @property
    def active(self) -> bool:
        """Whether there is anything to do."""
        return bool(self._jobs)

    @property
    def over(self) -> bool:
        """Whether nothing is left to do on any thread; after ``stop`` there may be something for a moment."""
        return not self._jobs and all(work.over for work in (*self._old_works, self._work))

    def hold(self, held: bool, what: object) -> None:
        """Let the arithmetic rest while the window draws."""
        self._work.hold(held, what)

    def add(self, job: Job) -> None:
        """Do this as soon as its turn comes."""
        self._jobs.append(job)
        self._go_on()

    def stop(self) -> None:
        """Give up all of it. None of it is called any more."""
        self._work.stop()
        self._old_works = [work for work in (*self._old_works, self._work) if not work.over]
        self._work = Work(self._mw, self._on_failed)
        self._jobs.clear()
        self._current = None
        self._go_on()

    def _first(self) -> Job:
        return min(self._jobs, key=lambda job: job.place)

    def _go_on(self) -> None:
        """Begin the next turn, if there is one and the last is over."""
        if not self._jobs:
            if self._since is not None:
                self._end()
            return
        if self._since is None:
            self._since, self._finished = time.monotonic(), 0
            self._timer.start()
        if self._current is not None:
            return
        if not self.may_begin() or not all(work.over for work in self._old_works):
            QTimer.singleShot(_LOOK_MS, self._go_on)
            return
        job, work = self._first(), self._work
        self._current = job
        work.background(
            lambda: job.run(work), lambda found: self._after_turn(job, found), uses_collection=job.uses_collection
        )

    def _after_turn(self, job: Job, found: Optional[Tuple[Any]]) -> None:
        self._current = None
        if found is not None:
            self._close(job)
            job.finish(found[0])
        self._go_on()

    def _on_failed(self, error: BaseException) -> None:
        job, self._current = self._current, None
        if job is not None:
            self._close(job)
            job.fail(error)
        self._go_on()

    def _close(self, job: Job) -> None:
        self._jobs.remove(job)
        self._finished += 1

    def _tell(self) -> None:
        if self._since is None or not self._jobs or time.monotonic() - self._since < _SILENT_SECONDS:
            return
        if not self._said_busy:
            self._said_busy = True
            self.busy.emit(True)
        done = self._finished + sum(job.fraction for job in self._jobs)
        self.progress.emit(self._first().title, done / (self._finished + len(self._jobs)))

    def _end(self) -> None:
        self._timer.stop()
        self._since = None
        if self._said_busy:
            self._said_busy = False
            self.busy.emit(False)
