"""The evaluation that is shown, and what is found out in it only when somebody asks.

One question is worked at at a time, in short turns: what was asked last comes first, and what is slow waits for what is
quick. Answers become part of the evaluation, so that each is worked out once.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Callable, Dict, Generator, List, NamedTuple, Optional, Sequence, Set, Tuple

from aqt.qt import QObject, QTimer, pyqtSignal, qconnect

from .. import strings
from .work import Work

if TYPE_CHECKING:
    from aqt.main import AnkiQt

    from evaluator.report import Report
    from evaluator.tally import Evaluation

#: After so long, another question may take the place of this one.
_TURN_SECONDS = 0.2
#: What is over sooner needs no progress bar.
_SILENT_SECONDS = 0.3
_TELL_EVERY_MS = 100
#: So often it is looked whether what was stopped has ended.
_LOOK_MS = 15

UNASKED, ASKED, KNOWN, STOPPED, FAILED = "unasked", "asked", "known", "stopped", "failed"


class Question(NamedTuple):
    """A section of the report, or an algorithm's part of one."""

    section: str
    algorithm: str = ""


@dataclass
class _Job:
    """A question that was asked."""

    question: Question
    title: str
    slow: bool
    turn: int  #: when it was asked
    begin: Callable[[], Generator[Any, None, Evaluation]]
    steps: Optional[Generator[Any, None, Evaluation]] = None  #: once begun
    fraction: float = 0.0

    @property
    def place(self) -> Tuple[bool, bool, int]:
        """The least comes first. What has begun is finished first, for others may build on it."""
        return self.slow, self.steps is None, -self.turn

    def note(self, step: Any) -> None:
        """How far it is."""
        self.fraction = step.fraction


class Findings(QObject):
    """Keeps the evaluation; lives on the main thread."""

    changed = pyqtSignal()  #: something is known, asked, stopped or failed that was not
    failed = pyqtSignal(object, object)  #: what it was, in words, and the error
    progress = pyqtSignal(str, float)
    busy = pyqtSignal(bool)  #: said once it takes long enough to be worth it

    def __init__(self, mw: AnkiQt, parent: QObject) -> None:
        super().__init__(parent)
        self._mw = mw
        #: Asked before work begins.
        self.may_begin: Callable[[], bool] = lambda: True
        self.evaluation: Optional[Evaluation] = None
        self._complete = False
        self._states: Dict[Question, str] = {}
        self._jobs: List[_Job] = []
        self._finished = 0
        self._asked = 0
        self._waiting: List[Tuple[Set[Question], Callable[[], None]]] = []
        self._current: Optional[_Job] = None
        self._since: Optional[float] = None
        self._said_busy = False
        self._work = Work(mw, self._on_failed)
        self._old_works: List[Work] = []
        self._timer = QTimer(self)
        self._timer.setInterval(_TELL_EVERY_MS)
        qconnect(self._timer.timeout, self._tell)

    # --- what is known ------------------------------------------------------------------------------------------------

    @property
    def report(self) -> Optional[Report]:
        """With all that has been found out."""
        return self.evaluation.report if self.evaluation is not None else None

    @property
    def complete(self) -> bool:
        """Whether the evaluation has ended, so that questions can be asked."""
        return self._complete

    @property
    def at_rest(self) -> bool:
        """Whether no arithmetic goes on just now."""
        return self._work.at_rest

    def state(self, question: Question) -> str:
        """Whether that is known, asked for, or why not."""
        if question.algorithm and self._states.get(Question(question.section)) == KNOWN:
            return KNOWN
        return self._states.get(question, UNASKED)

    def questions(self, section: str, algorithms: Sequence[str]) -> List[Question]:
        """What has to be known of the section to show these algorithms."""
        if self._complete:
            from .. import engine

            if engine.SECTIONS[section].find_part is not None:
                return [Question(section, name) for name in algorithms]
        return [Question(section)]

    def show(self, evaluation: Evaluation, *, complete: bool) -> None:
        """Take this evaluation; questions can be asked of a complete one."""
        self.evaluation, self._complete = evaluation, complete
        self._states.clear()
        self.changed.emit()

    def forget(self) -> None:
        """There is no evaluation any more."""
        self.stop()
        self.evaluation, self._complete = None, False
        self._states.clear()

    # --- asking -------------------------------------------------------------------------------------------------------

    def ask(self, questions: Sequence[Question], *, again: bool = False) -> None:
        """Work these out, the first first, unless they are known or failed (``again``: those too)."""
        if not self._complete:
            return
        self._asked += 1
        wanted = [question for question in questions if self.state(question) != KNOWN]
        for question in wanted:
            state = self.state(question)
            if state == ASKED:
                self._job(question).turn = self._asked
            elif state in {UNASKED, STOPPED} or again:
                self._states[question] = ASKED
                self._jobs.append(self._new_job(question))
        self._go_on()
        if wanted:
            self.changed.emit()

    def when_settled(self, questions: Sequence[Question], then: Callable[[], None]) -> None:
        """Ask them, and call ``then`` when each is known or has failed; not if they are stopped."""
        self._waiting.append((set(questions), then))
        self.ask(questions, again=True)
        self._settle()

    def hold(self, held: bool, what: object) -> None:
        """Let the arithmetic rest while the window draws."""
        self._work.hold(held, what)

    def stop(self) -> bool:
        """Give up what is asked; returns whether something was waited for that now will not come."""
        self._work.stop()
        self._old_works = [work for work in (*self._old_works, self._work) if not work.over]
        self._work = Work(self._mw, self._on_failed)
        for job in self._jobs:
            self._states[job.question] = STOPPED
        waited = bool(self._waiting)
        self._waiting.clear()
        self._jobs.clear()
        self._current = None
        self._go_on()
        self.changed.emit()
        return waited

    # --- working ------------------------------------------------------------------------------------------------------

    def _new_job(self, question: Question) -> _Job:
        from .. import engine

        section = engine.SECTIONS[question.section]

        def begin() -> Generator[Any, None, Evaluation]:
            if self.evaluation is None:
                raise ValueError("there is no evaluation")
            if question.algorithm:
                return engine.add_part(self.evaluation, question.section, question.algorithm)
            return engine.add_sections(self.evaluation, [question.section])

        title = strings.WORKING_PART if question.algorithm else strings.WORKING
        words = title.format(title=section.title, algorithm=question.algorithm)
        return _Job(question, words, section.slow, self._asked, begin)

    def _job(self, question: Question) -> _Job:
        return next(job for job in self._jobs if job.question == question)

    def _first(self) -> _Job:
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
        try:
            job.steps = steps = job.steps or job.begin()
        except Exception as error:  # noqa: BLE001 - said in the window
            self._on_failed(error)
            return
        work.background(
            lambda: work.drive(steps, job.note, seconds=_TURN_SECONDS), lambda found: self._after_turn(job, found)
        )

    def _after_turn(self, job: _Job, found: Optional[Evaluation]) -> None:
        self._current = None
        if found is not None and self.evaluation is not None:
            from .. import engine

            field = engine.SECTIONS[job.question.section].field
            report = replace(self.evaluation.report, **{field: getattr(found.report, field)})
            self.evaluation = replace(self.evaluation, report=report)
            self._close(job, KNOWN)
        self._go_on()

    def _on_failed(self, error: BaseException) -> None:
        job, self._current = self._current, None
        if job is not None:
            self._close(job, FAILED)
            self.failed.emit(job.title, error)
        self._go_on()

    def _close(self, job: _Job, state: str) -> None:
        self._jobs.remove(job)
        self._finished += 1
        self._states[job.question] = state
        self.changed.emit()
        self._settle()

    def _settle(self) -> None:
        """Call those who wait for nothing any more."""
        still: List[Tuple[Set[Question], Callable[[], None]]] = []
        settled: List[Callable[[], None]] = []
        for questions, then in self._waiting:
            if all(self.state(question) in {KNOWN, FAILED} for question in questions):
                settled.append(then)
            else:
                still.append((questions, then))
        self._waiting = still
        for then in settled:
            then()

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
