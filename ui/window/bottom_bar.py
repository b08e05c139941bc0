"""The lowest row of the window: progress or the number of rows read, and the buttons."""

from __future__ import annotations

from functools import partial
from typing import List

from aqt.qt import (
    QAction,
    QHBoxLayout,
    QKeySequence,
    QMenu,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
    pyqtSignal,
)

from ..exports import EXPORTS
from ..text import _, pgettext, strings
from .widgets import FoldButton, Label, ProgressBar, add_action, add_widgets, button, follow_language, plain_tooltip

ROWS_TIP = _(
    "Rows are the entries of Anki's review log. Tested reviews are those that every algorithm had to predict "
    "before it knew the answer."
)

#: Key of the menu item for copying the graph.
GRAPH = "graph"
#: Menu items for copying, by what is copied.
COPIES = {
    "text": _("Copy the table as text"),
    "markdown": _("Copy the table as Markdown"),
    "forum": _("Copy for the forum"),
    GRAPH: _("Copy this graph"),
}


class BottomBar(QWidget):
    """Row with the progress and Cancel during an evaluation, and after it with the number of rows and Run again."""

    exported = pyqtSignal(str)  #: the ending of a file, one of :data:`ui.exports.EXPORTS`
    copied = pyqtSignal(str)  #: what to copy, one of :data:`COPIES`

    def __init__(self) -> None:
        super().__init__()
        self.progress = ProgressBar(_("Progress of the evaluation"))
        self.progress.setFixedHeight(max(self.fontMetrics().height() // 2, 8))
        self.stage = Label()
        # A long text must not make the window wider.
        self.stage.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.rows = Label()
        self._has_results = False
        # Translators: A switch next to the number of rows that were scored; "others" are the other rows.
        self.row_accounting_button = FoldButton(_("Where did the other rows go?"))
        self._left = QStackedWidget()
        running = QWidget()
        finished = QWidget()
        add_widgets(QVBoxLayout(running), self.stage, self.progress, margins=(0, 0, 10, 0), spacing=3)
        add_widgets(QVBoxLayout(finished), self.rows, self.row_accounting_button, spacing=0)
        self._left.addWidget(running)
        self._left.addWidget(finished)
        self._left.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

        self.export = button(pgettext("Anki", "Export"))
        self.export.setEnabled(False)
        self._graph_actions: List[QAction] = []
        self._fill_menu()
        self.cancel = button(strings.CANCEL, tip=_("Stop now and keep what is finished"))
        self.changed = Label(_("The collection has changed."))
        tip = _("Your collection has changed since these reviews were read. Run again to update.")
        self.changed.setToolTip(plain_tooltip(tip))
        self.changed.setWordWrap(True)
        self.changed.hide()
        self.again = button(_("Run again"), tip=_("Read the collection again and repeat the evaluation (F5)"))
        self.again.setShortcut(QKeySequence("F5"))
        self.close_button = button(strings.CLOSE)
        width = max(self.cancel.sizeHint().width(), self.again.sizeHint().width())
        for item in (self.cancel, self.again):
            item.setMinimumWidth(width)
        buttons = self.export, self.cancel, self.changed, self.again, self.close_button
        add_widgets(QHBoxLayout(self), self._left, *buttons).setStretch(0, 1)

    def _fill_menu(self) -> None:
        menu = QMenu(self.export)
        follow_language(menu)
        self.export.setMenu(menu)
        for ending, export in EXPORTS.items():
            action = add_action(menu, export.label, partial(self.exported.emit, ending))
            if export.lines is None:
                self._graph_actions.append(action)
        menu.addSeparator()
        for key, text in COPIES.items():
            action = add_action(menu, text, partial(self.copied.emit, key))
            if key == GRAPH:
                self._graph_actions.append(action)

    def show_started(self, text: str) -> None:
        """Show that an evaluation has started, which replaces the results."""
        self._has_results = False
        self.changed.hide()
        self.row_accounting_button.setChecked(False)
        self.show_progress(text, 0.0)

    def show_progress(self, text: str, fraction: float) -> None:
        self.progress.show_fraction(fraction)
        self.stage.setText(text)
        self._left.setCurrentIndex(0)
        self._show_buttons(running=True)

    def show_rows(self) -> None:
        """Show the number of rows in place of the progress."""
        self._left.setCurrentIndex(1)
        self._show_buttons(running=False)

    def show_ended(self, rows_line: str, *, has_results: bool) -> None:
        """Show that the evaluation has ended. ``rows_line`` says how many rows were read, if any were."""
        self._has_results = has_results
        self.rows.setText(rows_line)
        self.rows.setToolTip(plain_tooltip(f"{rows_line}\n{ROWS_TIP}") if rows_line else "")
        self.row_accounting_button.setVisible(bool(rows_line))
        self.show_rows()

    def allow_graph(self, has_graph: bool) -> None:
        """Enable or disable the menu items that need a graph."""
        for action in self._graph_actions:
            action.setEnabled(has_graph)

    def _show_buttons(self, *, running: bool) -> None:
        self.cancel.setVisible(running)
        self.again.setVisible(not running)
        self.export.setEnabled(self._has_results)
