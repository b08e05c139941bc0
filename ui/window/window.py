"""The window: the answer in words, the table as evidence, the graph as explanation."""

from __future__ import annotations

import html
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Collection, Dict, Optional, Sequence

import aqt
from aqt import gui_hooks
from aqt.qt import (
    QCloseEvent,
    QDialog,
    QHBoxLayout,
    QKeySequence,
    QPushButton,
    QShortcut,
    QStackedWidget,
    Qt,
    QTimer,
    QVBoxLayout,
    qconnect,
)
from aqt.utils import disable_help_button, restoreGeom, saveGeom, tooltip

from ..anki.freed_memory import give_back
from ..anki.logs import log_error
from ..scope import WHOLE_COLLECTION, ScopeChoice
from ..text import Counted, _, ngettext, strings
from .bottom_bar import BottomBar
from .labels import follow_language

if TYPE_CHECKING:
    from concurrent.futures import Future

    from anki.collection import OpChanges
    from aqt.main import AnkiQt
    from aqt.qt import QImage

    from evaluator.revlog import Snapshot
    from evaluator.tally import Evaluation

    from ..anki.settings import Choices, Config, Read
    from ..choice import Catalogue
    from ..science import Progress
    from . import parts
    from .chooser import Chooser
    from .messages import Failure
    from .run import Run
    from .work import Work

NOT_RUN_MANY = Counted("Not run: {names} and {count} more.", "Not run: {names} and {count} more.")
NOT_SAVED = _("Not saved: {reason}")

DEFAULT_SIZE = (1100, 720)
#: The frame of the window has painted itself by then.
_SHOWN_MS = 50
#: Anki frees what a closed window held a second later.
_FREED_MS = 2000


class EvaluatorWindow(QDialog):
    """Opens at once, as a frame; is filled a moment later, when its parts are imported, and begins to evaluate.

    Is closed with the profile by Anki's dialog manager.
    """

    #: Anki's dialog manager may close it without asking.
    silentlyClose = True  # noqa: N815 - Anki's name

    def __init__(self, mw: AnkiQt, key: str, scope: ScopeChoice = WHOLE_COLLECTION) -> None:
        super().__init__(mw, Qt.WindowType.Window)
        self._scope = scope
        self._mw = mw
        self._key = key
        self._filled = False
        self._run: Optional[Run] = None
        self._catalogue: Optional[Catalogue] = None
        self.chooser: Optional[Chooser] = None
        self._saving = 0  #: files that are asked for and not written yet
        self._shut = False
        self._unsaved: Optional[Dict[str, Any]] = None  #: the configuration, where it could not be saved
        self._build_frame()
        mw.garbage_collect_on_dialog_finish(self)
        self.show()
        self.setFocus()  # and not to the button that would close it
        QTimer.singleShot(_SHOWN_MS, self._import_parts)

    @property
    def _graph_key(self) -> str:
        """Under this name the profile remembers which graph the person has chosen."""
        return f"{self._key}_graph"

    # --- building -----------------------------------------------------------------------------------------------------

    def _build_frame(self) -> None:
        """What a person sees at once: an empty window of the right size, and its lowest row."""
        self.setWindowTitle(strings.TITLE)
        self.setObjectName(self._key)
        disable_help_button(self)
        follow_language(self)
        self.bar = BottomBar()
        self.bar.show_running()
        self.bar.cancel.setEnabled(False)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(14, 12, 14, 10)
        self._layout.setSpacing(10)
        self._layout.addStretch(1)
        self._layout.addWidget(self.bar)
        if self._mw.pm.profile is None:
            self.resize(*DEFAULT_SIZE)
        else:
            restoreGeom(self, self._key, default_size=DEFAULT_SIZE)
        qconnect(self.bar.close_button.clicked, self.reject)
        qconnect(QShortcut(QKeySequence("Ctrl+W"), self).activated, self.reject)

    def _import_parts(self) -> None:
        """On another thread; then fill the window with them."""
        self._mw.taskman.run_in_background(_import_parts, self._fill, uses_collection=False)

    def _fill(self, imported: Future[None]) -> None:
        """Make what belongs into the frame, put it there, and begin; between the two Anki may answer the person."""
        if imported.exception() is not None:
            self.reject()  # an empty window would seem to be starting for ever
        imported.result()  # Anki shows what went wrong: some file of the add-on is missing or damaged
        if not self._shut:
            self._build()
            QTimer.singleShot(0, self._begin)

    def _begin(self) -> None:
        if self._shut:
            return
        self._layout.takeAt(0)  # the empty space
        self._layout.insertLayout(0, self._top_row)
        self._layout.insertWidget(1, self.stack, 1)
        self._layout.insertWidget(2, self.notice)
        self._layout.insertWidget(3, self.funnel)
        self._connect()
        self._filled = True
        self.bar.cancel.setEnabled(True)
        self.run_again()

    def _build(self) -> None:
        """Each within its parent from the start: to move one costs all that is in it. The Tab key keeps the order."""
        self.jobs = parts.Jobs(self._mw, self)
        self.jobs.may_begin = lambda: self._run is None or self._run.over
        self.findings = parts.Findings(self.jobs, self._read_again, self)
        self._top_row = self._build_top_row()
        self.stack = QStackedWidget(self)
        self.results = parts.Results(self.findings, self._draw, self.stack)
        self.table, self.panel = self.results.comparison.table, self.results.comparison.panel
        self.message = parts.MessagePage(self.stack)
        self.notice = parts.Notice(self)
        self.funnel = parts.FunnelTable(self)
        self.funnel.hide()
        self.stack.addWidget(self.results)
        self.stack.addWidget(self.message)
        if self._mw.pm.profile is not None:
            self.results.comparison.restore(self._key)
            self.panel.choose(self._mw.pm.profile.get(self._graph_key, ""))

    def _build_top_row(self) -> QHBoxLayout:
        """What is evaluated, and with which algorithms."""
        self.scope_bar = parts.ScopeBar(lambda: parts.places(self._mw.col, parts.search_of(parts.open_browser())), self)
        self.choose_button = QPushButton(self)
        self.choose_button.setToolTip(_("Choose which algorithms to compare"))
        self.choose_button.setAutoDefault(False)
        self.choose_button.setEnabled(False)  # until the catalogue is there
        row = QHBoxLayout()
        row.setSpacing(20)
        row.addWidget(self.scope_bar, 1)
        row.addWidget(self.choose_button)
        return row

    def _connect(self) -> None:
        qconnect(self.panel.changed, self._on_graph)
        qconnect(self.findings.failed, self._on_section_failed)
        qconnect(self.jobs.busy, self._on_busy)
        qconnect(self.jobs.progress, self.bar.show_working)
        qconnect(self.notice.copy_details, lambda text: parts.copy_to_clipboard(text, strings.DETAILS_COPIED, self))
        qconnect(self.choose_button.clicked, self.open_chooser)
        qconnect(self.scope_bar.scope_chosen, self.run_on)
        qconnect(self.scope_bar.choices_chosen, self._run_with_choices)
        qconnect(self.bar.cancel.clicked, self.cancel)
        qconnect(self.bar.again.clicked, self.run_again)
        qconnect(self.bar.funnel_toggle.toggled, self.funnel.setVisible)
        qconnect(self.bar.exported, self._export)
        qconnect(self.bar.copied, self._copy_table)
        gui_hooks.theme_did_change.append(self._on_theme)
        gui_hooks.profile_will_close.append(self._stop)
        gui_hooks.operation_did_execute.append(self._on_operation)
        gui_hooks.sync_did_finish.append(self._on_sync)

    def reopen(self, scope: Optional[ScopeChoice] = None) -> None:
        """Anki: a menu item was clicked while the window is open. Anki raises it; without a scope it just goes on."""
        if scope is not None and self._filled:
            self.run_on(scope)
        elif scope is not None:
            self._scope = scope

    # --- running ------------------------------------------------------------------------------------------------------

    def run_again(self) -> None:
        """Read the collection and evaluate it, in place of what is shown."""
        self._stop()
        self._show_choice()
        self.notice.clear()
        self.results.show_running()
        self.stack.setCurrentWidget(self.results)
        self.bar.show_running()
        self.table.setFocus()
        self._run = parts.Run(self._mw, self, self._option_values, self._scope)
        self._run.start()

    def cancel(self) -> None:
        """Stop, and keep what is finished."""
        run = self._run
        if run is None or not run.active:
            self._cancel_jobs()
            return
        run.stop()
        if run.partial is None:
            self._say(
                parts.Failure(_("Cancelled"), _("The evaluation was stopped before the first algorithm was finished."))
            )
            return
        self.on_finished(run.partial)
        self.notice.say(parts.paragraph(_("Cancelled."), _not_run(run.partial.report.unfinished)))

    def _cancel_jobs(self) -> None:
        saving, self._saving = self._saving, 0
        self.jobs.stop()
        self.findings.stopped()
        if saving:
            self.notice.say(_("Cancelled. Nothing was saved."))

    def _stop(self) -> None:
        if self._run is not None:
            self._run.stop()
        self._saving = 0
        self.jobs.stop()

    def _read_again(self, work: Work, progress: Progress) -> Snapshot:
        """From a task: read what is evaluated once more."""
        from .. import engine

        return work.read_collection(lambda col: engine.read_steps(col, self._scope), progress)

    def _settings(self) -> Read:
        return parts.read_settings(self._config())

    def _config(self) -> Config:
        return self._unsaved or parts.saved_config(self._mw.addonManager, __name__)

    def _run_with(self, config: Dict[str, Any]) -> None:
        """Remember this configuration, and evaluate with it, whether it could be saved or not."""
        try:
            self._mw.addonManager.writeConfig(__name__, config)
        except OSError as error:
            self._unsaved = config
            self.run_again()
            self.notice.say(
                _("This holds while the window is open, but could not be saved: {reason}.").format(
                    reason=error.strerror or error
                )
            )
        else:
            self._unsaved = None
            self.run_again()

    def _option_values(self) -> Dict[str, Any]:
        settings, problems = self._settings()
        if problems:
            raise problems[0]
        return settings.option_values()

    # --- choosing what is evaluated -----------------------------------------------------------------------------------

    def run_on(self, scope: ScopeChoice) -> None:
        """Evaluate these cards' reviews."""
        self._scope = scope
        self.run_again()

    def _run_with_choices(self, choices: Choices) -> None:
        """Remember these choices and evaluate with them."""
        self._run_with(parts.with_choices(self._config(), choices))

    # --- choosing algorithms ------------------------------------------------------------------------------------------

    def open_chooser(self) -> None:
        """Ask which algorithms to compare. What runs goes on meanwhile."""
        if self._catalogue is None or self.chooser is not None:
            return
        settings, _unused = self._settings()
        chosen = self._catalogue.expand(settings.algorithms)
        self.chooser = parts.Chooser(self, self._catalogue, chosen, settings.baseline)
        qconnect(self.chooser.run_asked, self.run_with)
        qconnect(self.chooser.finished, self._forget_chooser)
        self.chooser.open()

    def run_with(self, chosen: Collection[str], baseline: Optional[str]) -> None:
        """Remember these algorithms and the baseline, and evaluate them."""
        if self._catalogue is not None:
            names = self._catalogue.to_config(chosen)
            self._run_with(parts.with_algorithms(self._config(), names, baseline))

    def _forget_chooser(self, _result: int) -> None:
        self.chooser = None

    def _show_choice(self) -> None:
        settings, _unused = self._settings()
        self.choose_button.setText(parts.summary(settings.algorithms, self._catalogue))
        self.scope_bar.show_choices(self._scope, settings.reviews)
        self.table.show_metrics(parts.columns(settings.binning))

    def on_loaded(self, catalogue: Catalogue) -> None:
        """The libraries are there, and with them the list of algorithms."""
        self._catalogue = catalogue
        self._show_choice()
        self.choose_button.setEnabled(True)

    # --- what a run tells ---------------------------------------------------------------------------------------------

    def on_progress(self, text: str, fraction: float) -> None:
        """How far it is."""
        self.bar.show_progress(text, fraction)

    def on_partial(self, evaluation: Evaluation) -> None:
        """Another algorithm is finished."""
        self.results.show_evaluation(evaluation, complete=False)

    def on_finished(self, evaluation: Evaluation) -> None:
        """All are, or no more will be."""
        self.results.show_evaluation(evaluation, complete=True)
        self.funnel.show_funnel(evaluation.report)
        report = evaluation.report
        self.bar.show_finished(parts.rows_line(report), narrow=parts.rows_line(report, narrow=True), results=True)

    def on_failed(self, error: BaseException) -> None:
        """It ended without all results. Those that are there are kept."""
        failure = parts.failure_of(error, self._error_report)
        if failure.details:
            log_error("the evaluation failed\n%s", failure.details)
        if self._run is not None and self._run.partial is not None:
            self.on_finished(self._run.partial)
            # Translators: A heading and what it is about, in one line.
            words = _("{heading}. {text}").format(heading=failure.heading, text=failure.text)
            self.notice.say(words, details=failure.details)
        else:
            self._say(failure)

    def _say(self, failure: Failure) -> None:
        """A message in place of results."""
        self.message.show_message(failure.heading, failure.text, failure.details)
        self.stack.setCurrentWidget(self.message)
        rows = sum(rows for _unused, rows in failure.funnel)
        self.funnel.show_left_out(failure.funnel)
        self.bar.show_finished(
            ngettext("{count:,} row read, none scored.", "{count:,} rows read, none scored.", rows).format(count=rows)
            if rows
            else "",
            results=False,
        )
        self.bar.funnel_toggle.setChecked(bool(rows))

    def _error_report(self, error: BaseException) -> str:
        run = self._run
        how_much = {} if run is None else run.read if run.partial is None else parts.counts(run.partial.report)
        about = parts.circumstances(self._scope, "" if run is None else run.stage, how_much)
        return parts.error_report(error, parts.versions(), about)

    # --- what happens meanwhile ---------------------------------------------------------------------------------------

    def _draw(self, task: Callable[[], QImage], then: Callable[[Optional[QImage]], None]) -> None:
        """Draw on another thread. The arithmetic rests meanwhile: it would make that take three times as long."""
        self._hold(True, then)

        def done(drawn: Future[QImage]) -> None:
            self._hold(False, then)
            if not self._shut:
                failed = drawn.exception() is not None
                then(None if failed else drawn.result())
                drawn.result()  # Anki shows what went wrong

        self._mw.taskman.run_in_background(task, done, uses_collection=False)

    def _hold(self, held: bool, what: object) -> None:
        for work in (self._run, self.jobs):
            if work is not None:
                work.hold(held, what)

    def _on_graph(self) -> None:
        self.bar.allow_graph(self.panel.shown is not None)

    def _on_busy(self, busy: bool) -> None:
        if self._run is not None and not self._run.active and not busy:
            self.bar.show_idle()

    def _on_section_failed(self, title: str, error: BaseException) -> None:
        failure = parts.failure_of(error, self._error_report)
        log_error("%s failed\n%s", title, failure.details)
        self.notice.say(
            _("{title}: this could not be worked out. The rest is not affected.").format(title=title),
            details=failure.details,
        )

    def _on_theme(self) -> None:
        self.results.follow_theme()
        self.funnel.follow_theme()
        if self.chooser is not None:
            self.chooser.list.follow_theme()

    def _on_operation(self, changes: OpChanges, _handler: Optional[object]) -> None:
        if changes.study_queues:
            self._on_change()

    def _on_sync(self) -> None:
        self._on_change()

    def _on_change(self) -> None:
        """The results stay those of what was read."""
        if not self._shut and self.stack.currentWidget() is self.results:
            self.notice.say(_("Your collection has changed since these reviews were read. Run again to include that."))

    # --- taking away --------------------------------------------------------------------------------------------------

    def _copy_table(self, kind: str) -> None:
        report = self.table.report
        if report is not None:
            as_kind = parts.table_text.as_markdown if kind == "markdown" else parts.table_text.as_text
            parts.copy_to_clipboard(as_kind(report, self.table.shown(), self.table.metrics), _("Table copied."), self)

    def _export(self, ending: str) -> None:
        if self.findings.evaluation is not None:
            name = parts.export.suggested_name(ending, self.panel.shown)
            parts.export.ask_where(self, ending, name, lambda path: self.export_to(ending, path))

    def export_to(self, ending: str, path: Path) -> None:
        """Write that file in the background and say how it went; what belongs into it is worked out before."""
        if self.findings.evaluation is None:
            return
        self._saving += 1
        shown = self.panel.shown
        wanted = parts.export.sections() if ending in parts.export.WHOLE else []
        self.findings.when_settled(
            [parts.Question(name) for name in wanted],
            lambda: self.jobs.add(
                parts.Job(
                    title=_("Writing {name}").format(name=path.name),
                    task=lambda _unused, progress: parts.export.write(
                        ending, path, self.findings.evaluation, shown, progress
                    ),
                    finish=self._saved,
                    fail=self._not_saved,
                )
            ),
        )

    def _saved(self, path: Path) -> None:
        self._saving = max(self._saving - 1, 0)
        tooltip(html.escape(_("Saved: {path}").format(path=path), quote=False), parent=self)

    def _not_saved(self, error: BaseException) -> None:
        self._saving = max(self._saving - 1, 0)
        failure = parts.failure_of(error, self._error_report)
        if isinstance(error, OSError):
            self.notice.say(NOT_SAVED.format(reason=error.strerror or error))
        else:
            log_error("the export failed\n%s", failure.details)
            self.notice.say(NOT_SAVED.format(reason=failure.heading), details=failure.details)

    # --- closing ------------------------------------------------------------------------------------------------------

    def done(self, result: int) -> None:
        """Qt: the window closes, by whatever way."""
        self._shut_down()
        super().done(result)

    def closeEvent(self, event: Optional[QCloseEvent]) -> None:  # noqa: N802 - Qt's name
        """Qt: the same; a window that is hidden or minimised does not get to ``done``."""
        self._shut_down()
        super().closeEvent(event)

    def _shut_down(self) -> None:
        if self._shut:
            return
        self._shut = True
        if self._filled:
            self._end()
        if self._mw.pm.profile is not None:
            saveGeom(self, self._key)
        aqt.dialogs.markClosed(self._key)
        QTimer.singleShot(_FREED_MS, give_back)

    def _end(self) -> None:
        """Stop what runs, and remember what the person has chosen."""
        self.findings.forget()  # nothing can be asked from now on
        self._stop()
        if self.chooser is not None:
            self.chooser.reject()
        gui_hooks.theme_did_change.remove(self._on_theme)
        gui_hooks.profile_will_close.remove(self._stop)
        gui_hooks.operation_did_execute.remove(self._on_operation)
        gui_hooks.sync_did_finish.remove(self._on_sync)
        if self._mw.pm.profile is not None:
            self.results.comparison.save(self._key)
            self._mw.pm.profile[self._graph_key] = self.panel.chosen


def _import_parts() -> None:
    """For another thread: what Python has not loaded yet is read and, for the first time, compiled."""
    global parts  # noqa: PLW0603 - the window is there before them
    from . import parts


#: So many names are given in full where algorithms were not run.
_MOST_NAMES = 4


def _not_run(names: Sequence[str]) -> str:
    if len(names) > _MOST_NAMES:
        shown = names[: _MOST_NAMES - 1]
        return NOT_RUN_MANY(len(names) - len(shown), names=parts.listed(shown))
    return strings.NOT_RUN.format(names=parts.listed(names)) if names else ""
