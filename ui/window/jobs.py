"""Long work of the window, one job at a time on a background thread.

The latest request comes first, and slow jobs wait for quick ones. A slow job that has started runs quick ones between
two of its own steps. There it also pauses while the window draws, because both need Python's lock, and there
:class:`Cancelled` ends it if its result is no longer needed.

No exception of a job reaches Anki, because a panic of the backend, which is no ``Exception``, would end Anki.
"""

from __future__ import annotations

import threading
import time
from concurrent.futures import Future, wait
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Callable, Generator, List, Optional, Tuple, TypeVar

from aqt.qt import QObject, QTimer, pyqtSignal, qconnect

from ..science import Cancelled, CollectionClosed, Progress
from ..text import _
from ..text.numbers import time_left

if TYPE_CHECKING:
    from anki.collection import Collection
    from aqt.main import AnkiQt

    from evaluator.data.revlog import Snapshot

    #: Reads a collection chunk by chunk; yields (rows read, rows in all).
    Reading = Generator[Tuple[int, int], None, Snapshot]

T = TypeVar("T")

#: Minimum seconds for a progress bar.
_SILENT_SECONDS = 0.3
_TELL_EVERY_MS = 100
#: Maximum seconds for which work waits while the window draws.
_MAX_REST = 0.3
#: Seconds of a turn on the collection's thread; reviewing and syncing wait no longer.
_TURN_SECONDS = 0.05
#: Seconds between checks whether a job that waits for another thread was stopped.
_LOOK_SECONDS = 0.05


@dataclass(eq=False)
class Job:
    """A task on a background thread.

    When it ends, exactly one of three callbacks runs on the main thread, or none if it was stopped silently.
    """

    title: str  #: for the progress bar
    task: Callable[[Job, Progress], Any]
    finish: Callable[[Any], None]  #: called with the task's result
    fail: Callable[[BaseException], None]  #: called with the exception of the task or ``finish``
    cancel: Callable[[], None] = lambda: None  #: the user has stopped it
    slow: bool = False
    turn: int = 0  #: order of requests; the highest comes first
    started: bool = False
    stopped: bool = False
    fraction: float = 0.0
    since: Optional[float] = None  #: start of the part whose remaining time can be estimated
    before: float = 0.0  #: the fraction that was done then

    @property
    def status_text(self) -> str:
        """Return the title, with the time left if it can be estimated."""
        if self.since is None:
            return self.title
        left = time_left(time.monotonic() - self.since, (self.fraction - self.before) / (1 - self.before))
        # Translators: What is being done, and how long it will take.
        return _("{text}, {left}").format(text=self.title, left=left) if left else self.title

    @property
    def order(self) -> Tuple[bool, bool, int]:
        """The job's place in the queue, lowest first. Started jobs come before others, which may need their results."""
        return self.slow, not self.started, -self.turn


class Jobs(QObject):
    """Run jobs in order, one at a time. Methods are grouped by the thread they are called from."""

    progress = pyqtSignal(str, float)  #: fraction done of all jobs; shown once it takes long enough to matter
    ended = pyqtSignal()  #: no jobs are left

    def __init__(self, mw: AnkiQt, parent: Optional[QObject]) -> None:
        super().__init__(parent)
        self._mw = mw
        self._jobs: List[Job] = []  # the other thread looks at it, too
        self._finished = 0
        self._working = False  # running on the other thread; briefly true after a stop
        self._closed = False
        self._resting_for = 0
        self._may_go_on = threading.Event()
        self._may_go_on.set()
        self._since = 0.0
        self._timer = QTimer(self)
        self._timer.setInterval(_TELL_EVERY_MS)
        qconnect(self._timer.timeout, self._tell)

    # --- from the main thread -----------------------------------------------------------------------------------------

    @property
    def is_idle(self) -> bool:
        """Return whether nothing is left to do on any thread. After a stop, a job may go on for a moment."""
        return not self._jobs and not self._working

    def add(self, job: Job) -> None:
        if not self._jobs:
            self._since, self._finished = time.monotonic(), 0
            self._timer.start()
        self._jobs.append(job)
        self._begin()

    def stop(self) -> None:
        """Stop all jobs, without another call to them."""
        self._take_all()

    def cancel(self) -> None:
        """Stop all jobs, and call the ``cancel`` of each."""
        for job in self._take_all():
            job.cancel()

    def close(self) -> None:
        """Stop all jobs, and call nothing any more, not even what draws."""
        self._closed = True
        self._take_all()

    def draw(self, task: Callable[[], T], then: Callable[[Optional[T]], None]) -> None:
        """Draw on a thread of its own, and call ``then`` with the task's result, or None if it has failed.

        Jobs pause meanwhile, because drawing would take three times as long beside them.
        """

        def done(drawn: Future[T]) -> None:
            self._resume_jobs()
            if not self._closed:
                failed = drawn.exception() is not None
                then(None if failed else drawn.result())
                drawn.result()  # Anki shows what went wrong

        self._pause_jobs()
        self._mw.taskman.run_in_background(task, done, uses_collection=False)

    def _pause_jobs(self) -> None:
        self._resting_for += 1
        self._may_go_on.clear()

    def _resume_jobs(self) -> None:
        self._resting_for -= 1
        if not self._resting_for:
            self._may_go_on.set()

    def _take_all(self) -> List[Job]:
        taken, self._jobs = self._jobs, []
        for job in taken:
            job.stopped = True
        self._may_go_on.set()  # Wake paused jobs so that they can stop.
        self._end()
        return taken

    def _begin(self) -> None:
        if self._jobs and not self._working:
            self._working = True
            self._mw.taskman.run_in_background(self._work, self._on_idle, uses_collection=False)

    def _on_idle(self, worked: Future[None]) -> None:
        self._working = False
        self._begin()  # Jobs may have been added meanwhile.
        worked.result()  # Anki shows what went wrong

    def _close(self, job: Job, result: Any, error: Optional[BaseException]) -> None:
        self._jobs.remove(job)
        self._finished += 1
        if not self._jobs:
            self._end()
        if error is None:
            try:
                job.finish(result)
            except Exception as raised:  # noqa: BLE001 - shown calmly in the window
                error = raised
        if error is not None:
            job.fail(error)

    def _tell(self) -> None:
        if self._jobs and time.monotonic() - self._since >= _SILENT_SECONDS:
            done = self._finished + sum(job.fraction for job in self._jobs)
            self.progress.emit(_first(self._jobs).status_text, done / (self._finished + len(self._jobs)))

    def _end(self) -> None:
        self._timer.stop()
        self.ended.emit()

    # --- from the other thread ----------------------------------------------------------------------------------------

    def _work(self) -> None:
        while waiting := [job for job in self._jobs if not job.started]:
            self._do(_first(waiting))

    def _do(self, job: Job) -> None:
        job.started = True
        result, error = _outcome(partial(job.task, job, Progress(partial(self._step, job))))
        with suppress(Cancelled):
            self.on_main(job, partial(self._close, job, result, error))

    def _step(self, job: Job, fraction: float, *_: object) -> None:
        """Record the job's progress, wait while the window draws, and run quick jobs that were added meanwhile."""
        job.fraction = fraction
        self._pause(job)
        while job.slow and (quick := [other for other in self._jobs if not other.started and not other.slow]):
            self._do(_first(quick))
            self._pause(job)

    def _pause(self, job: Job) -> None:
        """Wait while the window draws. Raises Cancelled if the job was stopped."""
        if not job.stopped:
            self._may_go_on.wait(_MAX_REST)
        if job.stopped:
            raise Cancelled

    def on_main(self, job: Job, call: Callable[[], T]) -> T:
        """Return or raise what ``call`` does on the main thread. Raises Cancelled once the job is stopped."""
        return self._wait_for(job, call, self._mw.taskman.run_on_main)

    def read_collection(self, job: Job, begin: Callable[[Collection], Reading], progress: Progress) -> Snapshot:
        """Read the open collection on its own thread, in short turns.

        Raises:
            CollectionClosed: none is open, or no longer the same.
        """
        col: Collection = self._mw.col
        reading = begin(col)

        def start(turn: Callable[[], None]) -> None:
            def from_main() -> None:  # Anki expects this call on the main thread.
                self._mw.taskman.run_in_background(turn, uses_collection=True)

            self._mw.taskman.run_on_main(from_main)

        while True:
            done, total, snapshot = self._wait_for(job, partial(self._turn, job, col, reading), start)
            if snapshot is not None:
                return snapshot
            progress(done / max(total, 1), "reading", done=done, total=total)

    def _turn(self, job: Job, col: Collection, reading: Reading) -> Tuple[int, int, Optional[Snapshot]]:
        """Read for a moment, on the collection's thread.

        Returns:
            The rows read, all rows, and the snapshot, which is None until all is read.
        """
        if self._mw.col is not col or col is None:
            raise CollectionClosed
        end = time.monotonic() + _TURN_SECONDS
        try:
            while True:
                done, total = next(reading)
                if job.stopped or time.monotonic() >= end:
                    return done, total, None
        except StopIteration as finished:
            return 1, 1, finished.value
        except Exception:
            if col.db is None or self._mw.col is not col:
                raise CollectionClosed from None
            raise

    def _wait_for(self, job: Job, call: Callable[[], T], start: Callable[[Callable[[], None]], object]) -> T:
        """Return what the call returns or raises on the thread on which ``start`` has it run."""
        answer: Future[Any] = Future()
        start(lambda: answer.set_result((None, None) if job.stopped else _outcome(call)))
        while not answer.done() and not job.stopped:
            wait([answer], _LOOK_SECONDS)
        self._pause(job)
        value, error = answer.result()
        if error is not None:
            raise error
        result: T = value
        return result


def _first(jobs: List[Job]) -> Job:
    return min(jobs, key=lambda job: job.order)


def _outcome(call: Callable[[], T]) -> Tuple[Optional[T], Optional[BaseException]]:
    try:
        return call(), None
    except BaseException as error:  # noqa: BLE001 - a panic of the backend must not reach Anki
        return None, error
