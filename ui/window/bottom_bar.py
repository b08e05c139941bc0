"""The window's lowest row: how far it is, or how many rows were read; and the buttons."""

from __future__ import annotations

from typing import Optional

from aqt.qt import (
    QHBoxLayout,
    QMenu,
    QProgressBar,
    QPushButton,
    QResizeEvent,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
    pyqtSignal,
    qconnect,
)

from ..text import _, pgettext, strings
from .export import CSV, HTML, JSON, PNG, SVG
from .labels import FoldButton, Label, follow_language, tip

ROWS_TIP = _(
    "Rows are what Anki has noted in its review log. Scored are the reviews that every algorithm had to predict before "
    "it was told the answer."
)

#: Steps of the bar, fine enough to move smoothly.
_STEPS = 1000
#: The room for what is said of so many rows is always kept.
_USUAL_ROWS = 30_000
#: Pixels between the number of rows and the switch.
_BETWEEN = 10


class BottomBar(QWidget):
    """While it runs: bar, words, Cancel. Then: rows, the funnel's switch, Run again."""

    exported = pyqtSignal(str)
    copied = pyqtSignal(str)

    def __init__(self) -> None:
        super().__init__()
        self.progress = QProgressBar()
        self.progress.setRange(0, _STEPS)
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName(_("Progress of the evaluation"))
        self.progress.setFixedHeight(max(self.fontMetrics().height() // 2, 8))
        self.stage = Label()
        self.stage.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)  # long words widen no window
        self.rows = Label()
        self.rows.setMinimumWidth(self.fontMetrics().horizontalAdvance(strings.ROWS_READ(_USUAL_ROWS)))
        self._said, self._narrow = "", ""
        self._has_results = False
        # Translators: A switch beside the number of rows that were scored; "others" are the other rows.
        self.funnel_toggle = FoldButton(_("Where did the others go?"))
        self._left = QStackedWidget()
        self._left.addWidget(_column(self.stage, self.progress))
        self._left.addWidget(_row(self.rows, self.funnel_toggle))
        self._left.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

        self.export = _menu_button(pgettext("Anki", "Export"))
        # Translators: A button with a menu.
        self.copy = _menu_button(_("Copy table"))
        self.cancel = _button(strings.CANCEL, _("Stop now and keep what is finished"))
        self.again = _button(_("Run again"), _("Read the collection again and evaluate it anew"))
        self.close_button = _button(strings.CLOSE)
        width = max(self.cancel.sizeHint().width(), self.again.sizeHint().width())
        for button in (self.cancel, self.again):
            button.setMinimumWidth(width)
        self._fill_menus()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._left, 1)
        for button in (self.export, self.copy, self.cancel, self.again, self.close_button):
            layout.addWidget(button)

    def _fill_menus(self) -> None:
        menu = QMenu(self.export)
        self._graph_actions = []
        for text, ending in (
            (_("Report as a web page…"), HTML),
            (_("Report as JSON…"), JSON),
            (_("Predictions as CSV…"), CSV),
            (_("This graph as PNG…"), PNG),
            (_("This graph as SVG…"), SVG),
        ):
            action = menu.addAction(text)
            if action is not None:
                qconnect(action.triggered, lambda _checked=False, ending=ending: self.exported.emit(ending))
                if ending in {PNG, SVG}:
                    self._graph_actions.append(action)
        self.export.setMenu(menu)
        follow_language(menu)
        menu = QMenu(self.copy)
        for text, kind in ((_("As text"), "text"), (_("As Markdown"), "markdown")):
            action = menu.addAction(text)
            if action is not None:
                qconnect(action.triggered, lambda _checked=False, kind=kind: self.copied.emit(kind))
        self.copy.setMenu(menu)
        follow_language(menu)

    def show_begun(self, text: str) -> None:
        """An evaluation has begun: there are no results."""
        self._has_results = False
        self.funnel_toggle.setChecked(False)
        self.show_progress(text, 0.0)

    def show_progress(self, text: str, fraction: float) -> None:
        """How far it is, and with what; it can be cancelled."""
        self.progress.setValue(round(_STEPS * fraction))
        self.stage.setText(text)
        self._left.setCurrentIndex(0)
        self._show_buttons(running=True)

    def show_rows(self) -> None:
        """Nothing goes on: how many rows were read, in place of the progress."""
        self._left.setCurrentIndex(1)
        self._show_buttons(running=False)

    def show_ended(self, rows: str, *, narrow: str = "", results: bool) -> None:
        """The evaluation has; ``rows`` says how many were read, ``narrow`` likewise where there is little room."""
        self._said, self._narrow, self._has_results = rows, narrow or rows, results
        self._break_rows()
        self.rows.setToolTip(tip(f"{rows}\n{ROWS_TIP}") if rows else "")
        self.funnel_toggle.setVisible(bool(rows))
        self.show_rows()

    def resizeEvent(self, event: Optional[QResizeEvent]) -> None:  # noqa: N802 - Qt's name
        """Qt: another width."""
        super().resizeEvent(event)
        self._break_rows()

    def _break_rows(self) -> None:
        """In two lines where there is no room for one. Where that is not enough, the tooltip says it all."""
        room = self._left.width() - self.funnel_toggle.sizeHint().width() - _BETWEEN
        needed = max(map(self.fontMetrics().horizontalAdvance, self._said.split("\n")))
        self.rows.setText(self._said if needed <= room else self._narrow)

    def allow_graph(self, drawn: bool) -> None:
        """Whether there is a graph to export."""
        for action in self._graph_actions:
            action.setEnabled(drawn)

    def _show_buttons(self, *, running: bool) -> None:
        self.cancel.setVisible(running)
        self.again.setVisible(not running)
        self.export.setEnabled(self._has_results)
        self.copy.setEnabled(self._has_results)


def _row(*widgets: QWidget) -> QWidget:
    row = QWidget()
    layout = QHBoxLayout(row)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(_BETWEEN)
    for widget in widgets:
        layout.addWidget(widget)
    layout.addStretch(1)
    return row


def _column(*widgets: QWidget) -> QWidget:
    column = QWidget()
    layout = QVBoxLayout(column)
    layout.setContentsMargins(0, 0, 10, 0)
    layout.setSpacing(3)
    for widget in widgets:
        layout.addWidget(widget)
    return column


def _button(text: str, tip: str = "") -> QPushButton:
    button = QPushButton(text)
    button.setToolTip(tip)
    button.setAutoDefault(False)
    return button


def _menu_button(text: str) -> QPushButton:
    button = _button(text)
    button.setEnabled(False)
    return button
