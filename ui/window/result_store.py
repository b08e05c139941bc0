"""Store of the evaluation that the window shows, and of its sections, which are computed on request."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple

from aqt.qt import QObject, pyqtSignal

from ..text import _
from ..text.sanitize import sanitize_report
from ..views import load
from ..views.finding_sentences import subject_name
from ..views.labels import row_label
from .jobs import Job, Jobs

if TYPE_CHECKING:
    from evaluator.data.revlog import Snapshot
    from evaluator.report import Comparison, Report
    from evaluator.scoring.report_builder import Evaluation

    from ..science import Progress

    Read = Callable[[Job, Progress, Sequence[str]], Snapshot]

#: States of a request.
UNASKED = "unasked"
PENDING = "pending"
READY = "ready"
STOPPED = "stopped"
FAILED = "failed"

#: The section that is about the shown subject, unlike the others.
GRAPHS = "graphs"
#: Fraction of the progress at which the collection has been read once more.
_READ = 0.1


class SectionRequest(NamedTuple):
    """Request for a section of the report, or for its part about one algorithm."""

    section: str
    algorithm: str = ""  #: empty for the whole section


class ResultStore(QObject):
    """Store that keeps the evaluation, and computes its sections on request. Use it on the main thread only."""

    changed = pyqtSignal()  #: the state of a request has changed
    split_requested = pyqtSignal()  #: the user has entered other searches that split the cards
    shown = pyqtSignal()  #: the results of another subject are there, or could not be calculated and are the old ones
    failed = pyqtSignal(str, object)  #: the section's title, and the error

    def __init__(self, jobs: Jobs, read: Read, parent: QObject) -> None:
        """Create an empty store.

        Args:
            jobs: runs the computations.
            read: reads the collection again, with its cards split by searches. Some sections need that.
            parent: Qt's parent object.
        """
        super().__init__(parent)
        self._jobs = jobs
        self._read = read
        self.evaluation: Optional[Evaluation] = None
        self.report: Optional[Report] = None  #: all results so far, sanitized for display
        self.complete = False  #: whether the evaluation has ended, so that sections can be requested
        self._searches: Tuple[str, ...] = ()  # searches that split the cards
        self._states: Dict[SectionRequest, str] = {}
        self._jobs_by_request: Dict[SectionRequest, Job] = {}
        self._priority = 0  # that of the latest job
        self._subject_job: Optional[Job] = None  # calculates the results of another subject

    # --- results so far -----------------------------------------------------------------------------------------------

    def state(self, request: SectionRequest) -> str:
        """Return the state of a request. A request for one algorithm is ready if the whole section is."""
        if request.algorithm and self._states.get(SectionRequest(request.section)) == READY:
            return READY
        return self._states.get(request, UNASKED)

    def requests_for(self, section: str, algorithms: Sequence[str]) -> List[SectionRequest]:
        """List the requests for a section, which are one for each algorithm if it is computed by algorithm."""
        if self.complete:
            from .. import engine

            if engine.SECTIONS[section].of == "algorithm":
                return [SectionRequest(section, name) for name in algorithms]
        return [SectionRequest(section)]

    def take(self, evaluation: Evaluation, *, complete: bool) -> None:
        """Replace the evaluation. Sections can be requested if it is complete."""
        self.evaluation = evaluation
        self.report = sanitize_report(evaluation.report)
        self.complete = complete
        # Views without a section need nothing more.
        self._states = {SectionRequest(""): READY} if self.complete else {}
        self.changed.emit()

    def forget(self) -> None:
        """Remove the evaluation and all states."""
        self.evaluation = None
        self.report = None
        self.complete = False
        self._states.clear()
        self._jobs_by_request.clear()

    def show_subject(self, subject: int) -> None:
        """Calculate the results of this finding's reviews. The newest choice replaces the one before it."""
        if self._subject_job is not None:
            self._jobs.drop(self._subject_job)
        if self.report is not None and self.complete:
            title = _("Calculating: {title}").format(title=subject_name(self.report.findings[subject], self.report))
            task = partial(self._take_subject, subject)
            fail = partial(self._on_not_shown, title)
            # It comes before all other requests, because it would lose the sections that are computed meanwhile.
            self._priority += 1
            self._subject_job = Job(title, task, self._show, fail, self.shown.emit, priority=self._priority)
            self._jobs.add(self._subject_job)

    def _take_subject(self, subject: int, *_unused: object) -> Optional[Evaluation]:
        from .. import engine

        return None if self.evaluation is None else engine.show_subject(self.evaluation, subject)

    def _show(self, evaluation: Optional[Evaluation]) -> None:
        """Replace the results by those of another subject. Sections about the whole stay."""
        if evaluation is not None and evaluation is not self.evaluation:
            self.evaluation = evaluation
            self.report = sanitize_report(evaluation.report)
            # Graphs that are about to be calculated will be those of the new subject.
            self._states = {
                request: state
                for request, state in self._states.items()
                if request.section != GRAPHS or state == PENDING
            }
        self.shown.emit()
        self.changed.emit()

    def _on_not_shown(self, title: str, error: BaseException) -> None:
        self.shown.emit()
        self.failed.emit(title, error)

    # --- requests -----------------------------------------------------------------------------------------------------

    def request_results(self, requests: Sequence[SectionRequest], *, again: bool = False) -> None:
        """Compute these requests in order, unless they are ready.

        Failed and stopped ones are computed only if ``again`` is true.
        """
        if not self.complete:
            return
        missing = [request for request in requests if self.state(request) != READY]
        self._priority += len(missing)
        for number, request in enumerate(missing):
            state = self.state(request)
            priority = self._priority - number
            if state == PENDING:
                self._jobs_by_request[request].priority = priority
            elif state == UNASKED or again:
                self._states[request] = PENDING
                self._start(request, priority)
        if missing:
            self.changed.emit()

    def compare(self, names: Sequence[str]) -> Optional[Comparison]:
        """Return the difference of two algorithms, or None while the evaluation is running. It takes a moment."""
        evaluation = self.evaluation
        if evaluation is None or not self.complete:
            return None
        from .. import engine

        return engine.evidence_on(evaluation.evidence, evaluation.report.finding).compare(*names)

    def request_split(self, request: SectionRequest, searches: Sequence[str]) -> None:
        """Compute a section with the cards split by these searches. If that fails, the old result stays."""
        self._searches = tuple(searches)
        was_ready = self.state(request) == READY
        self._states[request] = PENDING
        self._priority += 1
        self.split_requested.emit()
        self._start(request, self._priority, was_ready=was_ready)
        self.changed.emit()

    def _start(self, request: SectionRequest, priority: int, *, was_ready: bool = False) -> None:
        """Add the job of a request. ``was_ready`` says whether there is an old result, which stays if the job fails."""
        from .. import engine

        section = engine.SECTIONS[request.section]
        title = load(request.section).title
        words = _("Calculating: {title}, {algorithm}") if request.algorithm else _("Calculating: {title}")
        self._jobs_by_request[request] = Job(
            title=words.format(title=title, algorithm=row_label(request.algorithm, self.report)),
            task=partial(self._compute, request),
            finish=lambda result: self._finish(request, *result),
            fail=partial(self._on_failed, request, title, READY if was_ready else FAILED),
            cancel=partial(self._settle, request, READY if was_ready else STOPPED),
            slow=section.slow,
            priority=priority,
        )
        self._jobs.add(self._jobs_by_request[request])

    def _compute(self, request: SectionRequest, job: Job, progress: Progress) -> Tuple[Any, Any]:
        """Compute a section on the background thread, and return its result and the sanitized result."""
        from .. import engine

        evaluation = self.evaluation
        if evaluation is None:
            raise ValueError("there is no evaluation")
        snapshot = None
        section = engine.SECTIONS[request.section]
        searches = self._searches if load(request.section).searches else ()
        if section.needs_snapshot or searches:
            snapshot = self._read(job, progress.part(0.0, _READ), searches)
            # Leave out newer reviews, because the evaluation does not include them.
            snapshot = snapshot.until(int(evaluation.evidence.data.rows.review_id.max()))
            progress = progress.part(_READ, 1.0)
        names = [request.algorithm] if request.algorithm else None
        result = engine.add_sections(
            evaluation, [request.section], snapshot, names=names, progress=progress, strict=True
        )
        section_result = result.report.section(request.section)
        return section_result, sanitize_report(section_result)

    def _finish(self, request: SectionRequest, result: Any, sanitized: Any) -> None:
        if self.evaluation is not None and self.report is not None:
            report = self.evaluation.report.with_section(request.section, result)
            self.evaluation = replace(self.evaluation, report=report)
            self.report = self.report.with_section(request.section, sanitized)
            self._settle(request, READY)

    def _on_failed(self, request: SectionRequest, title: str, state: str, error: BaseException) -> None:
        self._settle(request, state)
        self.failed.emit(title, error)

    def _settle(self, request: SectionRequest, state: str) -> None:
        """Set the state of a request whose job has ended."""
        self._states[request] = state
        self._jobs_by_request.pop(request, None)
        self.changed.emit()
