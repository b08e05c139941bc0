"""Long work of the window, one job at a time on a background thread.

The latest request comes first, and slow jobs wait for quick ones. Between two of its own steps, a slow job runs quick
jobs that were added meanwhile, and pauses while the window draws, because both need Python's lock. If it was stopped,
its next step raises :class:`Cancelled`.

No exception of a job reaches Anki. This includes a panic of the backend, which is not an ``Exception`` and would end
Anki.
"""

from __future__ import annotations

import threading
import time
from concurrent.futures import Future, wait
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Callable, Generator, List, Optional, Tuple, TypeVar, cast

from aqt.qt import QObject, QTimer, pyqtSignal, qconnect

from ..science import Cancelled, CollectionClosed, Progress
from ..text import _
from ..text.numbers import time_left

if TYPE_CHECKING:
    from anki.collection import Collection
    from aqt.main import AnkiQt

    from evaluator.data.revlog import Snapshot

    #: Reads a collection chunk by chunk, and yields the number of rows read and of all rows.
    Reading = Generator[Tuple[int, int], None, Snapshot]

T = TypeVar("T")

#: Seconds after which a progress bar appears.
_SILENT_SECONDS = 0.3
#: Milliseconds between two updates of the progress bar.
_PROGRESS_MS = 100
#: Maximum seconds for which a job pauses while the window draws.
_MAX_PAUSE = 0.3
#: Seconds of a turn on the collection's thread, for which reviewing and syncing have to wait.
_TURN_SECONDS = 0.05
#: Seconds between checks whether a job that waits for another thread was stopped.
_POLL_SECONDS = 0.05


@dataclass(eq=False)
class Job:
    """A task on a background thread.

    When it ends, exactly one of three callbacks runs on the main thread, or none if it was stopped silently.
    """

    title: str  #: for the progress bar
    task: Callable[[Job, Progress], Any]
    finish: Callable[[Any], None]  #: called with the task's result
    fail: Callable[[BaseException], None]  #: called with the exception of the task or ``finish``
    cancel: Callable[[], None] = lambda: None  #: called if the user cancels the job
    slow: bool = False  #: whether quick jobs come before it, even once it has started
    priority: int = 0  #: order among jobs of the same kind, highest first
    started: bool = False
    stopped: bool = False
    fraction: float = 0.0  #: share of the work that is done
    measured_since: Optional[float] = None  #: time from which the speed is measured, or None if it cannot be yet
    fraction_before: float = 0.0  #: the fraction that was done at that time

    @property
    def status_text(self) -> str:
        """The title, with the remaining time if it can be estimated."""
        if self.measured_since is None:
            return self.title
        done = (self.fraction - self.fraction_before) / (1 - self.fraction_before)
        remaining = time_left(time.monotonic() - self.measured_since, done)
        # Translators: What is being done, and how long it will take.
        return _("{text}, {left}").format(text=self.title, left=remaining) if remaining else self.title

    @property
    def order(self) -> Tuple[bool, bool, int]:
        """Position in the queue, lowest first. Started jobs come first, because others may need their results."""
        return self.slow, not self.started, -self.priority


class Jobs(QObject):
    """Queue that runs jobs one at a time. Methods are grouped by the thread that they are called from."""

    progress = pyqtSignal(str, float)  #: what is being done, and the fraction of all jobs that is done
    ended = pyqtSignal()  #: no jobs are left

    def __init__(self, mw: AnkiQt, parent: Optional[QObject]) -> None:
        super().__init__(parent)
        self._mw = mw
        self._jobs: List[Job] = []  # both threads read it
        self._n_finished = 0
        self._working = False  # whether the background thread is busy, which it may be for a moment after a stop
        self._closed = False
        self._n_drawings = 0
        self._may_go_on = threading.Event()
        self._may_go_on.set()
        self._since = 0.0  # time at which the first of the present jobs was added
        self._timer = QTimer(self)
        self._timer.setInterval(_PROGRESS_MS)
        qconnect(self._timer.timeout, self._report_progress)

    # --- from the main thread -----------------------------------------------------------------------------------------

    def add(self, job: Job) -> None:
        """Add a job. It runs once no job comes before it."""
        if not self._jobs:
            self._since = time.monotonic()
            self._n_finished = 0
            self._timer.start()
        self._jobs.append(job)
        self._begin()

    def stop(self) -> List[Job]:
        """Stop all jobs without calling them back, and return them."""
        jobs = self._jobs
        self._jobs = []
        for job in jobs:
            job.stopped = True
        # Wake paused jobs so that they can stop.
        self._may_go_on.set()
        self._end()
        return jobs

    def drop(self, job: Job) -> None:
        """Stop one job without calling it back, unless it has ended."""
        job.stopped = True
        if job in self._jobs:
            self._jobs.remove(job)
            if not self._jobs:
                self._end()

    def cancel(self) -> None:
        """Stop all jobs, and call the ``cancel`` of each."""
        for job in self.stop():
            job.cancel()

    def close(self) -> None:
        """Stop all jobs and drop all drawings. No callback runs after this."""
        self._closed = True
        self.stop()

    def draw(self, task: Callable[[], T], then: Callable[[Optional[T]], None]) -> None:
        """Draw on a thread of its own, and call ``then`` with the task's result, or None if it has failed.

        Jobs pause meanwhile, because both together would take three times as long.
        """

        def finish(drawn: Future[T]) -> None:
            self._n_drawings -= 1
            if not self._n_drawings:
                self._may_go_on.set()
            if not self._closed:
                then(None if drawn.exception() else drawn.result())
                # Raise the exception, if any, so that Anki shows it.
                drawn.result()

        self._n_drawings += 1
        self._may_go_on.clear()
        self._mw.taskman.run_in_background(task, finish, uses_collection=False)

    def _begin(self) -> None:
        """Start the background thread if there is work for it."""
        if self._jobs and not self._working:
            self._working = True
            self._mw.taskman.run_in_background(self._work, self._on_idle, uses_collection=False)

    def _on_idle(self, work: Future[None]) -> None:
        self._working = False
        # Jobs may have been added meanwhile.
        self._begin()
        # Raise the exception, if any, so that Anki shows it.
        work.result()

    def _call_back(self, job: Job, result: Any, error: Optional[BaseException]) -> None:
        """Remove a job that has ended, and call its ``finish`` or ``fail``."""
        self._jobs.remove(job)
        self._n_finished += 1
        if not self._jobs:
            self._end()
        if error is None:
            try:
                job.finish(result)
            except Exception as raised:  # noqa: BLE001 - the window shows it
                error = raised
        if error is not None:
            job.fail(error)

    def _report_progress(self) -> None:
        """Emit the progress, unless the work has only just begun."""
        if self._jobs and time.monotonic() - self._since >= _SILENT_SECONDS:
            done = self._n_finished + sum(job.fraction for job in self._jobs)
            self.progress.emit(_next_job(self._jobs).status_text, done / (self._n_finished + len(self._jobs)))

    def _end(self) -> None:
        """Signal that no jobs are left."""
        self._timer.stop()
        self.ended.emit()

    # --- from the other thread ----------------------------------------------------------------------------------------

    def _work(self) -> None:
        """Run jobs until none is waiting."""
        while waiting := [job for job in self._jobs if not job.started]:
            self._run(_next_job(waiting))

    def _run(self, job: Job) -> None:
        """Run a job, and call it back on the main thread."""
        job.started = True
        result, error = _call(partial(job.task, job, Progress(partial(self._step, job))))
        with suppress(Cancelled):
            self.on_main(job, partial(self._call_back, job, result, error))

    def _step(self, job: Job, fraction: float, *_: object) -> None:
        """Record the job's progress, pause while the window draws, and run quick jobs that were added meanwhile."""
        job.fraction = fraction
        self._pause(job)
        while job.slow and (quick_jobs := [other for other in self._jobs if not other.started and not other.slow]):
            self._run(_next_job(quick_jobs))
            self._pause(job)

    def _pause(self, job: Job) -> None:
        """Pause while the window draws.

        Raises:
            Cancelled: if the job was stopped.
        """
        if not job.stopped:
            self._may_go_on.wait(_MAX_PAUSE)
        if job.stopped:
            raise Cancelled

    def on_main(self, job: Job, call: Callable[[], T]) -> T:
        """Call a function on the main thread, and return its result.

        Raises:
            BaseException: if the function raises it.
            Cancelled: if the job was stopped.
        """
        return self._wait_for(job, call, self._mw.taskman.run_on_main)

    def read_collection(self, job: Job, begin: Callable[[Collection], Reading], progress: Progress) -> Snapshot:
        """Read the open collection in short turns, so that reviewing and syncing do not have to wait.

        Args:
            job: the job that reads.
            begin: starts to read a collection.
            progress: called after each turn.

        Raises:
            CollectionClosed: if no collection is open, or another one than at the beginning.
        """
        col: Collection = self._mw.col
        reading = begin(col)

        def start(turn: Callable[[], None]) -> None:
            # Anki expects this call on the main thread.
            def run_turn() -> None:
                self._mw.taskman.run_in_background(turn, uses_collection=True)

            self._mw.taskman.run_on_main(run_turn)

        while True:
            done, total, snapshot = self._wait_for(job, partial(self._read_turn, job, col, reading), start)
            if snapshot is not None:
                return snapshot
            progress(done / max(total, 1), "reading", done=done, total=total)

    def _read_turn(self, job: Job, col: Collection, reading: Reading) -> Tuple[int, int, Optional[Snapshot]]:
        """Read for a moment on the collection's thread.

        Returns:
            The number of rows read, the number of all rows, and the snapshot, which is None until all rows are read.
        """
        if self._mw.col is not col or col is None:
            raise CollectionClosed
        end = time.monotonic() + _TURN_SECONDS
        try:
            while True:
                done, total = next(reading)
                if job.stopped or time.monotonic() >= end:
                    return done, total, None
        except StopIteration as end_of_reading:
            return 1, 1, end_of_reading.value
        except Exception:
            if col.db is None or self._mw.col is not col:
                raise CollectionClosed from None
            raise

    def _wait_for(self, job: Job, call: Callable[[], T], start: Callable[[Callable[[], None]], object]) -> T:
        """Return the result of ``call``, or raise its exception. ``start`` runs it on another thread."""
        outcome: Future[Tuple[Any, Optional[BaseException]]] = Future()
        start(lambda: outcome.set_result((None, None) if job.stopped else _call(call)))
        while not outcome.done() and not job.stopped:
            wait([outcome], _POLL_SECONDS)
        self._pause(job)
        result, error = outcome.result()
        if error is not None:
            raise error
        return cast("T", result)


def _next_job(jobs: List[Job]) -> Job:
    return min(jobs, key=lambda job: job.order)


def _call(call: Callable[[], T]) -> Tuple[Optional[T], Optional[BaseException]]:
    """Return the result of a call, or the exception that it has raised."""
    try:
        return call(), None
    except BaseException as error:  # noqa: BLE001 - a panic of the backend must not reach Anki
        return None, error
