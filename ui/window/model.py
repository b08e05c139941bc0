"""The evaluation, its options and its results without widgets. The window shows it and sends requests."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Any, Callable, Collection, Dict, List, Optional, Sequence, Tuple

from aqt.qt import QObject, pyqtSignal

from ..anki.settings import read_settings, with_choices
from ..science import WHOLE_COLLECTION, Progress, ScopeChoice
from ..science import report as reports
from ..text import _, strings
from ..views.labels import row_label
from .jobs import Job, Jobs
from .result_store import FAILED, ResultStore, SectionRequest

if TYPE_CHECKING:
    import datetime as dt
    from pathlib import Path

    from aqt.main import AnkiQt

    from evaluator.data.revlog import Snapshot
    from evaluator.scoring.report_builder import Evaluation

    from ..anki.settings import Choices, Config, Settings
    from ..views.choices import Catalog

#: Fraction of the progress at which the libraries are loaded.
_LOADED = 0.03
#: Fraction of the progress at which the collection has been read.
_READ = 0.12


class Model(QObject):
    """State of the window, on the main thread. Signals are emitted after each change."""

    chosen = pyqtSignal()  #: the choices have changed, or the list of algorithms is available
    started = pyqtSignal()  #: an evaluation has started, which replaces the results
    grown = pyqtSignal(object)  #: another algorithm is finished, with the report to show
    finished = pyqtSignal(object)  #: all algorithms, or those before Cancel, are finished, with the report to show
    cancelled = pyqtSignal()  #: the user has cancelled the evaluation
    failed = pyqtSignal(object)  #: the evaluation has failed with this error
    saved = pyqtSignal(object)  #: a file with this path was written
    not_saved = pyqtSignal(object)  #: a file could not be written because of this error
    saving_cancelled = pyqtSignal()  #: the user has cancelled the writing of a file

    def __init__(self, mw: AnkiQt, parent: QObject) -> None:
        super().__init__(parent)
        self._mw = mw
        self.scope = WHOLE_COLLECTION
        self.catalog: Optional[Catalog] = None  #: None until the libraries are loaded
        self.parameters = ""  #: parameters to test, as the user has pasted them into this window
        self.window_algorithms: Tuple[str, ...] = ()  #: algorithms for this window only, in place of the stored ones
        self.jobs = Jobs(mw, self)
        self.results = ResultStore(self.jobs, self._read, self)
        self.fsrs_start: Optional[dt.date] = None  #: the day on which FSRS was turned on, if the review log shows it
        self.running = False  #: whether an evaluation is running
        self._stage = ""  # text for the error report, in English
        self._sizes: Dict[str, int] = {}  # numbers for the error report, by their English names

    # --- choices ------------------------------------------------------------------------------------------------------

    def settings(self) -> Settings:
        """Return the stored settings, but with the algorithms for this window only, if there are any."""
        settings = read_settings(self._config())
        return settings._replace(algorithms=self.window_algorithms or settings.algorithms)

    def _config(self) -> Config:
        return self._mw.addonManager.getConfig(__name__) or {}

    def choose_scope(self, scope: ScopeChoice) -> None:
        self.scope = scope
        self.evaluate()

    def evaluate_alone(self, index: int) -> None:
        """Evaluate the deck or preset of the finding with this index alone."""
        evaluation = self.results.evaluation
        if evaluation is not None:
            finding = evaluation.report.findings[index]
            # A finding has the id in its name if presets have the same name.
            names = {preset.preset_id: preset.name for preset in evaluation.evidence.data.presets}
            name = names[finding.preset_id or 0] if finding.kind == reports.PRESET else finding.name
            self.choose_scope(ScopeChoice(finding.kind, name))

    def choose_reviews(self, choices: Choices) -> None:
        self._evaluate_with(with_choices(self._config(), choices))

    def choose_algorithms(self, chosen: Collection[str], parameters: str) -> None:
        """Evaluate these algorithms and the parameters to test, and store the algorithms."""
        if self.catalog is not None:
            self.parameters = parameters
            algorithms = self.catalog.to_config(chosen)
            # Do not store FSRS-6 and FSRS-7 alone, which give no verdict, so that the next window begins with one.
            self.window_algorithms = tuple(algorithms) if algorithms == ["fsrs-6-7"] else ()
            if self.window_algorithms:
                self.evaluate()
            else:
                self._evaluate_with({**self._config(), "algorithms": algorithms})

    def _evaluate_with(self, config: Dict[str, Any]) -> None:
        self._mw.addonManager.writeConfig(__name__, config)
        self.evaluate()

    # --- evaluating ---------------------------------------------------------------------------------------------------

    def evaluate(self) -> None:
        """Read the collection and evaluate it, replacing the results."""
        self.stop()
        self._stage = "loading"
        self._sizes = {}
        self.results.forget()
        self.running = True
        self.chosen.emit()
        self.started.emit()
        self.jobs.add(Job(strings.LOADING, self._evaluate, self._finish, self._fail, self._cancel, slow=True))

    def stop(self) -> None:
        """Stop the evaluation or other work without a message."""
        self.running = False
        self.jobs.stop()

    def close(self) -> None:
        """Stop all work for good."""
        self.running = False
        self.results.forget()
        self.jobs.close()

    def error_report(self, error: BaseException) -> str:
        """Return the error report, with the stage of the evaluation and the size of the collection."""
        from ..anki.error_report import error_report, versions

        return error_report(error, versions(), {"reviews of": self.scope.kind, "at": self._stage, **self._sizes})

    def _on_loaded(self, catalog_of: Callable[[str], Catalog]) -> Dict[str, Any]:
        """Make the list of algorithms available, and return the settings as arguments for the options."""
        settings = self.settings()
        self.catalog = catalog_of(settings.reviews.table)
        self.chosen.emit()
        return settings.option_values()

    def _grow(self, evaluation: Evaluation) -> None:
        self.results.take(evaluation, complete=False)
        self.grown.emit(self.results.report)

    def _finish(self, evaluation: Evaluation) -> None:
        self.running = False
        self.results.take(evaluation, complete=True)
        self.finished.emit(self.results.report)

    def _cancel(self) -> None:
        self._keep_finished()
        self.cancelled.emit()

    def _fail(self, error: BaseException) -> None:
        self._keep_finished()
        self.failed.emit(error)

    def _keep_finished(self) -> None:
        """End the evaluation with the algorithms that are finished, if there are any."""
        self.running = False
        if self.results.evaluation is not None and not self.results.complete:
            self._finish(self.results.evaluation)

    # --- saving -------------------------------------------------------------------------------------------------------

    def save(self, name: str, sections: Sequence[str], write: Callable[[Evaluation, Progress], Path]) -> None:
        """Write a file with the results once these sections are computed."""

        def task(_job: Job, progress: Progress) -> Path:
            evaluation = self.results.evaluation
            if evaluation is None:
                raise ValueError("there is no evaluation")
            failed = [section for section in sections if self.results.state(SectionRequest(section)) == FAILED]
            # Compute failed sections again, so that the file says why they failed.
            if failed:
                from .. import engine

                evaluation = engine.add_sections(evaluation, failed, progress=progress.part(0.0, 0.5))
            return write(evaluation, progress)

        self.results.request_results([SectionRequest(section) for section in sections], again=True)
        title = _("Writing {name}").format(name=name)
        self.jobs.add(Job(title, task, self.saved.emit, self.not_saved.emit, self.saving_cancelled.emit))

    # --- on the jobs' thread ------------------------------------------------------------------------------------------

    def _evaluate(self, job: Job, progress: Progress) -> Evaluation:
        """Load the libraries, read the collection and evaluate it."""
        from .. import engine
        from . import chooser  # noqa: F401 - imported for later
        from .theme import warm_up

        warm_up()
        values = self.jobs.on_main(job, partial(self._on_loaded, engine.catalog))
        options = engine.Options(**values, pasted=engine.parse_sets(self.parameters))
        # Refuse unknown names before the long work.
        options.algorithms_to_run()
        n_algorithms = 0
        started_algorithms: List[str] = []

        def report_progress(fraction: float, stage: str, algorithm: str, done: int, total: int) -> None:
            if algorithm and algorithm not in started_algorithms:
                started_algorithms.append(algorithm)
            job.title = progress_text(
                stage, algorithm, done, total, number=len(started_algorithms), n_algorithms=n_algorithms
            )
            # Measure the speed from the end of reading on.
            if stage == "reading":
                job.measured_since = time.monotonic()
                job.fraction_before = fraction
            # If the job was stopped, this raises Cancelled, and the stage stays as it was.
            progress(fraction)
            self._stage = f"{stage} {algorithm} {done}/{total}"

        reporter = Progress(report_progress)
        # The evaluation gets the only reference, so that it can free memory.
        snapshot = [self._read(job, reporter.part(_LOADED, _READ), ())]
        self.fsrs_start = engine.fsrs_start(snapshot[0])
        n_algorithms = len(options.for_snapshot(snapshot[0]).algorithms_to_run())
        evaluation = engine.evaluate(
            snapshot.pop(),
            options,
            optimizer=engine.benchmark_trainer(),
            optimize=engine.optimize_button(),
            progress=reporter.part(_READ, 1.0),
            on_update=lambda evaluation: self.jobs.on_main(job, partial(self._grow, evaluation)),
        )
        return engine.show_subject(evaluation, evaluation.report.opening_subject)

    def _read(self, job: Job, progress: Progress, parts: Sequence[str]) -> Snapshot:
        """Read the chosen cards of the collection, and divide them by the searches ``parts``."""
        from .. import engine

        progress(0.0, "reading")
        snapshot = self.jobs.read_collection(job, lambda col: engine.read_steps(col, self.scope, parts), progress)
        self._sizes = {
            "rows of the review log": len(snapshot.revlog),
            "decks": len(snapshot.decks or ()),
            "presets": len(snapshot.presets or ()),
        }
        return snapshot


def progress_text(stage: str, algorithm: str, done: int, total: int, *, number: int, n_algorithms: int) -> str:
    """Describe the progress of the evaluation.

    Args:
        stage: "reading", "preparing" or "algorithm".
        algorithm: name of the algorithm, in the stage "algorithm".
        done: number of rows read.
        total: number of all rows.
        number: position of the algorithm among all, from 1.
        n_algorithms: number of algorithms.
    """
    if stage == "algorithm":
        # Translators: {number} counts the algorithms.
        return _("{number} of {algorithms}: {algorithm}").format(
            algorithm=row_label(algorithm), number=number, algorithms=n_algorithms
        )
    if stage != "reading":
        return _("Preparing the reviews")
    if not total:
        return _("Reading reviews")
    return _("Reading reviews: {done:,} of {total:,}").format(done=done, total=total)
