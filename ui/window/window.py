"""The window: the answer in words, the table as evidence, the graph as explanation."""

from __future__ import annotations

import html
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Collection, Optional, Tuple, cast

import aqt
from aqt import gui_hooks
from aqt.qt import (
    QCloseEvent,
    QDialog,
    QHBoxLayout,
    QKeySequence,
    QShortcut,
    QStackedWidget,
    Qt,
    QTextBrowser,
    QTimer,
    QUrl,
    QVBoxLayout,
    QWidget,
    qconnect,
)
from aqt.utils import disable_help_button, getSaveFile, restoreGeom, saveGeom, showText, tooltip

from .. import exports
from ..scope_access import SAME_DAY_TABLE, WHOLE_COLLECTION, ScopeChoice
from ..text import Counted, _, strings
from .bottom_bar import BottomBar
from .widgets import add_widgets, button, follow_language

if TYPE_CHECKING:
    from concurrent.futures import Future

    from anki.collection import OpChanges
    from aqt.main import AnkiQt

    from evaluator.report import Report

    from ..views.view import Block
    from .chooser import Chooser
    from .messages import Message

NOT_SAVED = _("Not saved: {reason}")

DEFAULT_SIZE = (1100, 720)
HELP_SIZE = (800, 640)
#: Folder of the documentation, which ships with the add-on.
DOCS = Path(__file__).resolve().parents[2] / "docs"
#: Milliseconds in which the frame of the window is painted before its parts are imported.
_PAINT_MS = 50


class EvaluatorWindow(QDialog):
    """The window that shows a :class:`ui.window.model.Model`.

    It opens at once as an empty frame. Once its parts are imported, it is filled and starts the evaluation. Anki's
    dialog manager closes it with the profile.
    """

    #: Anki's dialog manager may close it without asking.
    silentlyClose = True  # noqa: N815 - Anki's name

    def __init__(self, mw: AnkiQt, key: str, scope: Optional[ScopeChoice]) -> None:
        super().__init__(mw, Qt.WindowType.Window)
        self._scope = scope or WHOLE_COLLECTION  # the initial scope
        self._mw = mw
        self._key = key
        self._graph_key = f"{key}_graph"
        self._filled = False
        self.chooser: Optional[Chooser] = None
        self._shut = False
        self._not_saved = ""  # the last notice that a file was not saved
        self._build_frame()
        mw.garbage_collect_on_dialog_finish(self)
        self.show()
        # Otherwise the Close button would have the focus.
        self.setFocus()
        begin = partial(mw.taskman.run_in_background, _import_modules, self._fill, uses_collection=False)
        QTimer.singleShot(_PAINT_MS, begin)

    # --- building -----------------------------------------------------------------------------------------------------

    def _build_frame(self) -> None:
        """Build what the user sees at once: an empty window of the right size, and its lowest row."""
        self.setWindowTitle(strings.TITLE)
        self.setObjectName(self._key)
        disable_help_button(self)
        follow_language(self)
        self.bar = BottomBar()
        self.bar.show_started(_("Starting…"))
        self.bar.cancel.setEnabled(False)
        self._layout = add_widgets(QVBoxLayout(self), None, self.bar, margins=(12, 12, 12, 10), spacing=10)
        if self._mw.pm.profile is None:
            self.resize(*DEFAULT_SIZE)
        else:
            restoreGeom(self, self._key, default_size=DEFAULT_SIZE)
        qconnect(self.bar.close_button.clicked, self.reject)
        qconnect(QShortcut(QKeySequence("Ctrl+W"), self).activated, self.reject)
        qconnect(QShortcut(QKeySequence("F1"), self).activated, self.show_help)

    def _fill(self, imported: Future[None]) -> None:
        """Build the window's parts, and show them in a later turn of the event loop, so that Anki can respond."""
        # Close the window, because an empty one would seem to be starting forever. Anki shows the error.
        if imported.exception() is not None:
            self.reject()
        imported.result()
        if not self._shut:
            self._build()
            QTimer.singleShot(0, self._show_parts)

    def _show_parts(self) -> None:
        """Replace the empty space of the frame by the parts, and start the evaluation."""
        if self._shut:
            return
        # Replace the empty space.
        self._layout.takeAt(0)
        self._layout.insertLayout(0, self._top_row)
        self._layout.insertWidget(1, self.stack, 1)
        self._layout.insertWidget(2, self.notice)
        self._layout.insertWidget(3, self.row_accounting)
        self._connect()
        self._filled = True
        self.bar.cancel.setEnabled(True)
        self.model.choose_scope(self._scope)

    def _build(self) -> None:
        """Build the window's parts in tab order, each within its parent, because moving a widget is slow."""
        from .graph_panel import GraphView
        from .messages import MessagePage, Notice
        from .model import Model
        from .results_widget import ResultsWidget
        from .text_table import RowAccountingTable

        self.model = Model(self._mw, self)
        self._top_row = self._build_top_row()
        self.stack = QStackedWidget(self)
        self.results = ResultsWidget(
            self.model.results, lambda: GraphView(self.model.jobs.draw, partial(self._export, exports.PNG)), self.stack
        )
        self.table = self.results.comparison.table
        self.panel = self.results.comparison.panel
        self.message = MessagePage(self.stack)
        self.notice = Notice(self)
        self.row_accounting = RowAccountingTable(self)
        self.row_accounting.hide()
        self.stack.addWidget(self.results)
        self.stack.addWidget(self.message)
        if self._mw.pm.profile is not None:
            self.panel.choose(self._mw.pm.profile.get(self._graph_key, ""))

    def _build_top_row(self) -> QHBoxLayout:
        from .scope_bar import ScopeBar, decks_and_presets

        self.scope_bar = ScopeBar(lambda: decks_and_presets(self._mw.col), lambda: self.model.fsrs_start, self)
        self.choose_button = button("", self.open_chooser, _("Choose which algorithms to compare"))
        self.choose_button.setParent(self)
        # It is enabled once the catalog is loaded.
        self.choose_button.setEnabled(False)
        row = add_widgets(QHBoxLayout(), self.scope_bar, self.choose_button, spacing=20)
        row.setStretch(0, 1)
        return row

    def _connect(self) -> None:
        model = self.model
        bar = self.bar
        qconnect(model.chosen, self._show_choice)
        qconnect(model.started, self._on_started)
        qconnect(model.grown, partial(self.results.show_report, complete=False))
        qconnect(model.finished, self._on_finished)
        qconnect(model.cancelled, self._on_cancelled)
        qconnect(model.failed, self._on_failed)
        qconnect(model.saved, self._on_saved)
        qconnect(model.not_saved, self._on_not_saved)
        qconnect(model.saving_cancelled, lambda: self.notice.show_text(_("Cancelled. Nothing was saved.")))
        qconnect(model.results.split_requested, self.notice.clear)
        qconnect(model.results.failed, self._on_section_failed)
        qconnect(model.jobs.progress, bar.show_progress)
        qconnect(model.jobs.ended, bar.show_rows)
        qconnect(self.panel.changed, lambda: bar.allow_graph(self.panel.shown is not None))
        qconnect(self.scope_bar.scope_chosen, model.choose_scope)
        qconnect(self.results.comparison.list.alone_requested, model.evaluate_alone)
        qconnect(self.scope_bar.choices_chosen, model.choose_reviews)
        qconnect(self.results.headline.help.clicked, self.show_help)
        qconnect(self.message.same_day_button.clicked, lambda: self.scope_bar.choose(table=SAME_DAY_TABLE))
        qconnect(bar.cancel.clicked, model.jobs.cancel)
        qconnect(bar.again.clicked, model.evaluate)
        qconnect(bar.row_accounting_button.toggled, self.row_accounting.setVisible)
        qconnect(bar.exported, lambda ending: self._export(ending, self.panel.shown))
        qconnect(bar.copied, self.results.copy)
        gui_hooks.theme_did_change.append(self._on_theme)
        gui_hooks.profile_will_close.append(model.stop)
        gui_hooks.operation_did_execute.append(self._on_operation)
        gui_hooks.sync_did_finish.append(self._on_change)

    def reopen(self, scope: Optional[ScopeChoice]) -> None:
        """Anki: a menu item was clicked while the window is open. Without a scope, nothing changes."""
        if scope is not None and self._filled:
            self.model.choose_scope(scope)
        elif scope is not None:
            self._scope = scope

    # --- showing the model's state ------------------------------------------------------------------------------------

    def _show_choice(self) -> None:
        from ..views.choices import algorithms_button

        settings = self.model.settings()
        self.choose_button.setText(algorithms_button(settings.algorithms, self.model.catalog))
        self.choose_button.setEnabled(self.model.catalog is not None)
        self.scope_bar.show_choices(self.model.scope, settings.reviews)

    def _on_started(self) -> None:
        self.notice.clear()
        self.results.show_started(self.model.settings().reviews.table)
        self.stack.setCurrentWidget(self.results)
        self.bar.show_started(strings.LOADING)
        self.table.setFocus()

    def _on_finished(self, report: Report) -> None:
        from ..views.choices import rows_line
        from ..views.row_accounting_table import row_accounting_table

        self.results.show_report(report, complete=True)
        self.row_accounting.show_table(row_accounting_table(report.funnel), strings.ROW_ACCOUNTING)
        self.bar.show_ended(rows_line(report), has_results=True)

    def _on_cancelled(self) -> None:
        from .messages import NOTHING_FINISHED, cancelled_sentence

        report = self.model.results.report
        if report is None:
            self._show_message(NOTHING_FINISHED)
        else:
            self.notice.show_text(cancelled_sentence(report.unfinished))

    def _on_failed(self, error: BaseException) -> None:
        """Show what went wrong. The rows of finished algorithms stay."""
        failure = self._failure(error)
        if self.model.results.report is None:
            self._show_message(failure)
        else:
            # Translators: A heading and what it is about, in one line.
            words = _("{heading}. {text}").format(heading=failure.heading, text=failure.text)
            self.notice.show_text(words, details=failure.details)

    def _on_section_failed(self, title: str, error: BaseException) -> None:
        failure = self._failure(error)
        text = _("{title}: this could not be calculated. The rest is not affected.").format(title=title)
        self.notice.show_text(text if failure.details else failure.text, details=failure.details)

    def _failure(self, error: BaseException) -> Message:
        """Return the message for an error, and log its details if there are any."""
        from ..anki.logs import log_error
        from .messages import message_for

        failure = message_for(error, self.model.error_report)
        if failure.details:
            log_error("something failed\n%s", failure.details)
        return failure

    def _show_message(self, failure: Message) -> None:
        from ..views.row_accounting_table import row_accounting_table

        self.message.show_message(failure)
        self.stack.setCurrentWidget(self.message)
        rows = sum(step.rows for step in failure.row_counts)
        self.row_accounting.show_table(row_accounting_table(failure.row_counts), strings.ROW_ACCOUNTING)
        self.bar.show_ended(
            Counted("{count:,} row read, none tested.", "{count:,} rows read, none tested.")(rows) if rows else "",
            has_results=False,
        )
        self.bar.row_accounting_button.setChecked(bool(rows))

    # --- choosing algorithms ------------------------------------------------------------------------------------------

    def open_chooser(self) -> None:
        """Ask which algorithms to compare. Running work continues."""
        from .chooser import Chooser

        catalog = self.model.catalog
        if catalog is None or self.chooser is not None:
            return
        settings = self.model.settings()
        self.chooser = Chooser(self, catalog, catalog.expand(settings.algorithms), self.model.parameters)
        qconnect(self.chooser.run_requested, self._run)
        qconnect(self.chooser.finished, self._forget_chooser)
        self.chooser.open()

    def _forget_chooser(self, _result: int) -> None:
        self.chooser = None

    def _run(self, chosen: Collection[str], parameters: str) -> None:
        """Evaluate these algorithms, and select the two that the user wants to compare, if that is clear."""
        from .. import engine
        from ..science import report as reports

        self.model.choose_algorithms(chosen, parameters)
        pasted = engine.parse_sets(parameters)
        if pasted and not self.model.window_algorithms:
            self.table.choose([None, *(item.name for item in pasted), reports.OWN])
        elif len(chosen) == 2:
            self.table.choose(sorted(chosen))

    def show_help(self) -> None:
        """Open the page of the documentation about the current page. It is in English."""
        from ..views import HELP_PAGES

        has_results = self._filled and self.stack.currentWidget() is self.results
        page = HELP_PAGES[self.results.tabs.currentIndex()] if has_results else "anki"
        dialog, _buttons = cast(
            "Tuple[QDialog, object]", showText("", self, type="html", run=False, title=_("SRS Evaluator: help"))
        )
        dialog.findChild(QTextBrowser).setSource(QUrl.fromLocalFile(str(DOCS / f"{page}.md")))
        dialog.resize(*HELP_SIZE)
        dialog.show()

    # --- changes of theme and collection ------------------------------------------------------------------------------

    def _on_theme(self) -> None:
        for widget in self.findChildren(QWidget):
            if hasattr(widget, "follow_theme"):
                widget.follow_theme()

    def _on_operation(self, changes: OpChanges, _handler: Optional[object]) -> None:
        if changes.study_queues:
            self._on_change()

    def _on_change(self) -> None:
        """Say next to the results that the collection has changed."""
        if self.stack.currentWidget() is self.results:
            self.bar.changed.show()

    # --- exporting ----------------------------------------------------------------------------------------------------

    def _export(self, ending: str, graph: Optional[Block]) -> None:
        """Ask for a file, compute missing sections, write the file in the background, and report the outcome."""
        report = self.model.results.report
        if report is None:
            return
        name = exports.suggested_name(ending, graph, report.scope.table)
        title = _("SRS Evaluator: export")
        chosen = getSaveFile(self, title, self._key, ending.upper(), f".{ending}", name)
        if chosen:
            path = Path(chosen)
            self.model.save(
                path.name,
                exports.sections(ending),
                lambda evaluation, progress: exports.write(ending, path, evaluation, graph, progress),
            )

    def _on_saved(self, path: Path) -> None:
        """Say where the file is, and remove an older notice that it was not saved."""
        tooltip(html.escape(_("Saved: {path}").format(path=path), quote=False), parent=self)
        if self.notice.label.text() == self._not_saved:
            self.notice.clear()

    def _on_not_saved(self, error: BaseException) -> None:
        """Say why the file was not saved, with an error report to copy if the reason is unexpected."""
        if isinstance(error, OSError):
            reason = error.strerror or str(error)
            details = ""
        else:
            failure = self._failure(error)
            reason = failure.heading if failure.details else failure.text
            details = failure.details
        self._not_saved = NOT_SAVED.format(reason=reason)
        self.notice.show_text(self._not_saved, details=details)

    # --- closing ------------------------------------------------------------------------------------------------------

    def done(self, result: int) -> None:
        self._shut_down()
        super().done(result)

    def closeEvent(self, event: Optional[QCloseEvent]) -> None:  # noqa: N802 - Qt's name
        """Qt: end all work, because Qt does not call ``done`` for a hidden or minimized window."""
        self._shut_down()
        super().closeEvent(event)

    def _shut_down(self) -> None:
        """End all work, and store the size of the window and the chosen graph in the profile."""
        if self._shut:
            return
        self._shut = True
        profile = self._mw.pm.profile
        if self._filled:
            self.model.close()
            if self.chooser is not None:
                self.chooser.reject()
            gui_hooks.theme_did_change.remove(self._on_theme)
            gui_hooks.profile_will_close.remove(self.model.stop)
            gui_hooks.operation_did_execute.remove(self._on_operation)
            gui_hooks.sync_did_finish.remove(self._on_change)
            if profile is not None:
                profile[self._graph_key] = self.panel.chosen
        if profile is not None:
            saveGeom(self, self._key)
        aqt.dialogs.markClosed(self._key)


def _import_modules() -> None:
    """Import the window's parts. Slow the first time, when Python compiles them, so done on another thread."""
    from . import messages, model, results_widget, scope_bar, text_table  # noqa: F401 - imported for later
