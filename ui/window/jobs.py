"""Long work of the window, one job at a time, with progress; all of it can be stopped at once.

What was asked last comes first, and what is slow waits for what is quick: a slow job that has begun works out the quick
ones between two of its own steps.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Callable, List, Optional, Tuple

from aqt.qt import QObject, QTimer, pyqtSignal, qconnect

from ..science import Progress
from .work import Work

if TYPE_CHECKING:
    from aqt.main import AnkiQt

#: What is over sooner needs no progress bar.
_SILENT_SECONDS = 0.3
_TELL_EVERY_MS = 100
#: So often it is looked whether what was stopped has ended.
_LOOK_MS = 15


@dataclass(eq=False)
class Job:
    """A task on another thread, then a call on the main one."""

    title: str  #: for the progress bar
    task: Callable[[Work, Progress], Any]
    finish: Callable[[Any], None]  #: is given what the task returned
    fail: Callable[[BaseException], None]
    slow: bool = False
    turn: int = 0  #: when it was asked for; the highest comes first
    begun: bool = False
    fraction: float = 0.0

    @property
    def place(self) -> Tuple[bool, bool, int]:
        """The least comes first. What has begun is finished first, for others may build on it."""
        return self.slow, not self.begun, -self.turn


class Jobs(QObject):
    """To be used on the main thread."""

    progress = pyqtSignal(str, float)
    busy = pyqtSignal(bool)  #: said once it takes long enough to be worth it

    def __init__(self, mw: AnkiQt, parent: QObject) -> None:
        super().__init__(parent)
        self._mw = mw
        #: Asked before work begins.
        self.may_begin: Callable[[], bool] = lambda: True
        self._jobs: List[Job] = []  # another thread looks at it, too
        self._finished = 0
        self._current: Optional[Job] = None
        self._since: Optional[float] = None
        self._said_busy = False
        self._work = Work(mw)
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
        self._work = Work(self._mw)
        self._jobs = []  # and not the list that what was stopped may still look at
        self._current = None
        self._go_on()

    def _go_on(self) -> None:
        """Begin the next job, if there is one and the last is over."""
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
        self._current = _first(self._jobs)
        self._work.background(*self._parts(self._current, self._jobs, self._work))

    def _parts(
        self, job: Job, jobs: List[Job], work: Work
    ) -> Tuple[Callable[[], Any], Callable[[Any], None], Callable[[BaseException], None]]:
        """What Work needs of a job: its task, and the calls that follow where that has returned or raised."""

        def task() -> Any:
            job.begun = True
            return job.task(work, Progress(tell))

        def tell(fraction: float, *_: object) -> None:
            job.fraction = fraction
            work.pause()
            while job.slow and not (quick := _first(jobs)).slow:
                work.at_once(*self._parts(quick, jobs, work))

        return task, partial(self._close, job, job.finish), partial(self._close, job, job.fail)

    def _close(self, job: Job, then: Callable[[Any], None], outcome: Any) -> None:
        if job in self._jobs:  # else ``then`` was called already, and raised
            self._jobs.remove(job)
            self._finished += 1
        if job is self._current:
            self._current = None
        try:
            then(outcome)
        finally:
            self._go_on()

    def _tell(self) -> None:
        if self._since is None or not self._jobs or time.monotonic() - self._since < _SILENT_SECONDS:
            return
        if not self._said_busy:
            self._said_busy = True
            self.busy.emit(True)
        done = self._finished + sum(job.fraction for job in self._jobs)
        self.progress.emit(_first(self._jobs).title, done / (self._finished + len(self._jobs)))

    def _end(self) -> None:
        self._timer.stop()
        self._since = None
        if self._said_busy:
            self._said_busy = False
            self.busy.emit(False)


def _first(jobs: List[Job]) -> Job:
    return min(jobs, key=lambda job: job.place)
