"""The window: the answer in words, the table as evidence, the graph as explanation."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Collection, Dict, Optional, Sequence

import aqt
from aqt import gui_hooks
from aqt.qt import (
    QCloseEvent,
    QDialog,
    QHBoxLayout,
    QKeySequence,
    QLabel,
    QPushButton,
    QShortcut,
    QSplitter,
    QStackedWidget,
    Qt,
    QVBoxLayout,
    QWidget,
    qconnect,
)
from aqt.utils import disable_help_button, restoreGeom, restoreSplitter, saveGeom, saveSplitter, tooltip

from .. import strings, table_text
from ..choice import summary
from ..logs import logger
from ..places import places
from ..science import WHOLE_COLLECTION, ScopeChoice, wording
from ..scope_text import rows_line
from ..settings import Choices, asked_algorithms, asked_choices, option_values, with_algorithms, with_choices
from . import export
from .bottom_bar import BottomBar
from .browser import open_browser, search_of
from .calibration_panel import CalibrationPanel
from .chooser import Chooser
from .failures import Failure, failure_of
from .funnel import FunnelTable
from .message_page import MessagePage
from .notice import Notice
from .run import Run
from .scope_bar import ScopeBar
from .table_view import ResultsTable
from .toast import copy_to_clipboard
from .verdict import VerdictPanel

if TYPE_CHECKING:
    from anki.collection import OpChanges
    from aqt.main import AnkiQt

    from evaluator.tally import Evaluation

    from ..choice import Catalogue

DEFAULT_SIZE = (1100, 720)


class EvaluatorWindow(QDialog):
    """Opens at once and begins to evaluate; is closed with the profile by Anki's dialog manager."""

    #: Anki's dialog manager may close it without asking.
    silentlyClose = True  # noqa: N815 - Anki's name

    def __init__(self, mw: AnkiQt, key: str, scope: ScopeChoice = WHOLE_COLLECTION) -> None:
        super().__init__(mw, Qt.WindowType.Window)
        self._scope = scope
        self._mw = mw
        self._key = key
        self._run: Optional[Run] = None
        self._evaluation: Optional[Evaluation] = None
        self._catalogue: Optional[Catalogue] = None
        self.chooser: Optional[Chooser] = None
        self._shut = False
        self._build()
        self._connect()
        mw.garbage_collect_on_dialog_finish(self)
        self.show()
        self.run_again()

    # --- building -----------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        self.setWindowTitle(strings.TITLE)
        self.setObjectName(self._key)
        disable_help_button(self)
        self.verdict = VerdictPanel()
        self.table = ResultsTable()
        self.legend = QLabel()
        self.legend.setWordWrap(True)
        self.panel = CalibrationPanel()
        self.message = MessagePage()
        self.notice = Notice()
        self.funnel = FunnelTable()
        self.funnel.hide()
        self.bar = BottomBar()

        left = QWidget()
        left_layout = QVBoxLayout(left)
        left_layout.setContentsMargins(0, 0, 0, 0)
        left_layout.addWidget(self.table, 1)
        left_layout.addWidget(self.legend)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.addWidget(left)
        self.splitter.addWidget(self.panel)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setHandleWidth(14)
        self.splitter.setSizes([500, 560])
        self.splitter.setStretchFactor(0, 3)
        self.splitter.setStretchFactor(1, 4)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.splitter)
        self.stack.addWidget(self.message)

        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 12, 14, 10)
        layout.setSpacing(10)
        layout.addLayout(self._top_row())
        layout.addWidget(self.verdict)
        layout.addWidget(self.stack, 1)
        layout.addWidget(self.notice)
        layout.addWidget(self.funnel)
        layout.addWidget(self.bar)
        if self._mw.pm.profile is None:
            self.resize(*DEFAULT_SIZE)
        else:
            restoreGeom(self, self._key, default_size=DEFAULT_SIZE)
            restoreSplitter(self.splitter, self._key)

    def _top_row(self) -> QHBoxLayout:
        """What is evaluated, and with which algorithms."""
        self.scope_bar = ScopeBar(lambda: places(self._mw.col, search_of(open_browser())))
        self.choose_button = QPushButton()
        self.choose_button.setToolTip(strings.CHOOSE_TIP)
        self.choose_button.setAutoDefault(False)
        self.choose_button.setEnabled(False)  # until the catalogue is there
        row = QHBoxLayout()
        row.setSpacing(20)
        row.addWidget(self.scope_bar, 1)
        row.addWidget(self.choose_button)
        return row

    def _connect(self) -> None:
        qconnect(self.table.chosen, self._draw_chosen)
        qconnect(self.panel.drawing, self._on_drawing)
        self.panel.may_draw = lambda: self._run is None or self._run.at_rest
        qconnect(self.notice.copy_details, lambda text: copy_to_clipboard(text, strings.DETAILS_COPIED, self))
        qconnect(self.choose_button.clicked, self.open_chooser)
        qconnect(self.scope_bar.scope_chosen, self.run_on)
        qconnect(self.scope_bar.choices_chosen, self._run_with_choices)
        qconnect(self.bar.cancel.clicked, self.cancel)
        qconnect(self.bar.again.clicked, self.run_again)
        qconnect(self.bar.close_button.clicked, self.reject)
        qconnect(self.bar.funnel_toggle.toggled, self.funnel.setVisible)
        qconnect(self.bar.exported, self._export)
        qconnect(self.bar.copied, self._copy_table)
        if not hasattr(self._mw, "_close_active_window"):  # Anki 26.05 and later close windows by Ctrl+W themselves
            qconnect(QShortcut(QKeySequence("Ctrl+W"), self).activated, self.reject)
        gui_hooks.theme_did_change.append(self._on_theme)
        gui_hooks.profile_will_close.append(self._stop)
        gui_hooks.operation_did_execute.append(self._on_operation)
        gui_hooks.sync_did_finish.append(self._on_sync)

    def reopen(self, scope: Optional[ScopeChoice] = None) -> None:
        """Anki: a menu item was clicked while the window is open. Anki raises it; without a scope it just goes on."""
        if scope is not None:
            self.run_on(scope)

    # --- running ------------------------------------------------------------------------------------------------------

    def run_again(self) -> None:
        """Read the collection and evaluate it, in place of what is shown."""
        self._stop()
        self._evaluation = None
        self._show_choice()
        self.notice.clear()
        self.table.clear()
        self.panel.wait()
        self.verdict.show_running()
        self.verdict.show()
        self.legend.hide()
        self.stack.setCurrentWidget(self.splitter)
        self.bar.show_running()
        self.table.setFocus()
        self._run = Run(self._mw, self, self._option_values, self._scope)
        self._run.start()

    def cancel(self) -> None:
        """Stop, and keep what is finished."""
        run = self._run
        if run is None or not run.active:
            return
        run.stop()
        if run.partial is None:
            self._say(Failure(strings.CANCELLED_EMPTY_HEADING, strings.CANCELLED_EMPTY))
            return
        self.on_finished(run.partial)
        self.notice.say(f"{strings.CANCELLED} {_not_run(run.partial.report.unfinished)}")

    def _stop(self) -> None:
        if self._run is not None:
            self._run.stop()

    def _option_values(self) -> Dict[str, Any]:
        return option_values(self._mw.addonManager.getConfig(__name__))

    # --- choosing what is evaluated -----------------------------------------------------------------------------------

    def run_on(self, scope: ScopeChoice) -> None:
        """Evaluate these cards' reviews."""
        self._scope = scope
        self.run_again()

    def _run_with_choices(self, choices: Choices) -> None:
        """Remember these choices and evaluate with them."""
        config = self._mw.addonManager.getConfig(__name__)
        self._mw.addonManager.writeConfig(__name__, with_choices(config, choices))
        self.run_again()

    # --- choosing algorithms ------------------------------------------------------------------------------------------

    def open_chooser(self) -> None:
        """Ask which algorithms to compare. What runs goes on meanwhile."""
        if self._catalogue is None or self.chooser is not None:
            return
        asked = asked_algorithms(self._mw.addonManager.getConfig(__name__))
        self.chooser = Chooser(self, self._catalogue, self._catalogue.expand(asked))
        qconnect(self.chooser.run_asked, self.run_with)
        qconnect(self.chooser.finished, self._forget_chooser)
        self.chooser.open()

    def run_with(self, chosen: Collection[str]) -> None:
        """Remember these algorithms and evaluate them."""
        if self._catalogue is not None:
            config = self._mw.addonManager.getConfig(__name__)
            names = self._catalogue.to_config(chosen)
            self._mw.addonManager.writeConfig(__name__, with_algorithms(config, names))
            self.run_again()

    def _forget_chooser(self, _result: int) -> None:
        self.chooser = None

    def _show_choice(self) -> None:
        config = self._mw.addonManager.getConfig(__name__)
        self.choose_button.setText(summary(asked_algorithms(config), self._catalogue))
        self.scope_bar.show_choices(self._scope, asked_choices(config))

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
        self._evaluation = evaluation
        self.table.set_report(evaluation.report)
        lines = [
            table_text.legend(evaluation.report),
            table_text.footnote(evaluation.report.results),
            " ".join(wording.choice_sentences(evaluation.report.scope)),
        ]
        self.legend.setText("\n".join(line for line in lines if line))
        self.legend.setVisible(bool(self.legend.text()))

    def on_finished(self, evaluation: Evaluation) -> None:
        """All are, or no more will be."""
        self.on_partial(evaluation)
        self.verdict.show_report(evaluation.report)
        self.funnel.show_funnel(evaluation.report)
        self.bar.show_finished(rows_line(evaluation.report), results=True)

    def on_failed(self, error: BaseException) -> None:
        """It ended without all results. Those that are there are kept."""
        failure = failure_of(error)
        if failure.details:
            logger().error("the evaluation failed\n%s", failure.details)
        if self._run is not None and self._run.partial is not None:
            self.on_finished(self._run.partial)
            self.notice.say(f"{failure.heading}. {failure.text}", details=failure.details)
        else:
            self._say(failure)

    def _say(self, failure: Failure) -> None:
        """A message in place of results."""
        self.verdict.hide()
        self.message.show_message(failure.heading, failure.text, failure.details)
        self.stack.setCurrentWidget(self.message)
        rows = sum(rows for _, rows in failure.funnel)
        self.funnel.show_left_out(failure.funnel)
        self.bar.show_finished(strings.ROWS_ONLY.format(rows=rows) if rows else "", results=False)
        self.bar.funnel_toggle.setChecked(bool(rows))

    # --- what happens meanwhile ---------------------------------------------------------------------------------------

    def _draw_chosen(self) -> None:
        chosen = self.table.selected()
        if self.table.report is not None:
            self.panel.show_results(chosen, patient=not self.table.chosen_by_person)
        self.bar.allow_graph(bool(self.panel.drawn))

    def _on_drawing(self, drawing: bool) -> None:
        if self._run is not None:
            self._run.hold(drawing)

    def _on_theme(self) -> None:
        self.table.redraw_marks()
        self.panel.redraw()
        if self.chooser is not None:
            self.chooser.list.follow_theme()

    def _on_operation(self, changes: OpChanges, _handler: Optional[object]) -> None:
        if changes.study_queues:
            self._on_change()

    def _on_sync(self) -> None:
        self._on_change()

    def _on_change(self) -> None:
        """The results stay those of what was read."""
        if not self._shut and self.stack.currentWidget() is self.splitter:
            self.notice.say(strings.CHANGED)

    # --- taking away --------------------------------------------------------------------------------------------------

    def _copy_table(self, kind: str) -> None:
        report = self.table.report
        if report is not None:
            as_kind = table_text.as_markdown if kind == "markdown" else table_text.as_text
            copy_to_clipboard(as_kind(report, self.table.shown()), strings.COPIED, self)

    def _export(self, ending: str) -> None:
        if self._evaluation is not None:
            name = export.suggested_name(ending, self.panel.drawn)
            export.ask_where(self, ending, name, lambda path: self.export_to(ending, path))

    def export_to(self, ending: str, path: Path) -> None:
        """Write that file in the background and say how it went."""
        evaluation, drawn = self._evaluation, self.panel.drawn
        if evaluation is None:
            return

        def task() -> Optional[BaseException]:
            try:
                export.write(ending, path, evaluation, drawn)
            except Exception as error:  # noqa: BLE001 - said in the window
                return error
            return None

        def done(future: Any) -> None:
            error = future.result()
            if self._shut:
                return
            if error is None:
                tooltip(strings.SAVED.format(path=path), parent=self)
            else:
                reason = getattr(error, "strerror", None) or str(error)
                self.notice.say(strings.NOT_SAVED.format(reason=reason))

        self._mw.taskman.run_in_background(task, done, uses_collection=False)

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
        self._stop()
        if self.chooser is not None:
            self.chooser.reject()
        gui_hooks.theme_did_change.remove(self._on_theme)
        gui_hooks.profile_will_close.remove(self._stop)
        gui_hooks.operation_did_execute.remove(self._on_operation)
        gui_hooks.sync_did_finish.remove(self._on_sync)
        if self._mw.pm.profile is not None:
            saveGeom(self, self._key)
            saveSplitter(self.splitter, self._key)
        aqt.dialogs.markClosed(self._key)


#: So many names are given in full where algorithms were not run.
_MOST_NAMES = 4


def _not_run(names: Sequence[str]) -> str:
    if len(names) > _MOST_NAMES:
        shown = names[: _MOST_NAMES - 1]
        return strings.NOT_RUN_MANY.format(names=", ".join(shown), more=len(names) - len(shown))
    return strings.NOT_RUN.format(names=", ".join(names)) if names else ""
