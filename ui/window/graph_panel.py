"""The right half: a graph of what is selected, chosen from a list; the numbers behind it, and a sentence under it."""

from __future__ import annotations

from functools import cached_property
from typing import List, NamedTuple, Optional, Sequence, Tuple

from aqt.qt import (
    QComboBox,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QStackedLayout,
    Qt,
    QTimer,
    QVBoxLayout,
    QWidget,
    pyqtSignal,
    qconnect,
)

from ..charts import CHARTS, Chart
from ..text import _, pgettext, strings
from ..text.phrases import all_of, paragraph
from .findings import FAILED, KNOWN, STOPPED, UNASKED, Findings, Question
from .graph_view import Draw, GraphView
from .text_table import TextTable
from .widgets import Sentence, go_through

#: How the graphs are grouped in the list, by key; those that no group names come last.
_GROUPS = (
    ("reliability", "calibration"),
    ("interval", "review_number", "lapses", "last_rating", "maturity", "month"),
    ("stability", "difficulty", "memory"),
)
#: The section that they need, and of how many algorithms at a time.
_SECTION, _MOST = "graphs", 2
#: Until the person chooses, the first of these that there is something to show of.
_USUAL = ("reliability", "calibration")
#: What is worked out sooner needs no words meanwhile.
_SILENT_MS = 250


class Shown(NamedTuple):
    """What is drawn."""

    chart: Chart
    algorithms: Tuple[str, ...]


class GraphPanel(QWidget):
    """Shows a chart of up to two algorithms, and asks for what is not worked out yet."""

    changed = pyqtSignal()  #: something else is shown

    def __init__(self, findings: Findings, draw: Draw, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self._findings = findings
        self._names: Tuple[str, ...] = ()
        self._reason = ""  #: why there is nothing to show of what is selected
        self._chosen = ""  #: by the person; empty: the usual one
        self._shown: Optional[Shown] = None
        self._pending = ""
        self.view = GraphView(draw)
        self.sentence = Sentence()
        self.list = QComboBox()
        # Translators: A switch: numbers in place of the graph.
        self.as_numbers = QPushButton(_("Numbers"))
        self.again = QPushButton(strings.WORK_OUT)
        self._words_soon = QTimer(self)
        self._build()
        qconnect(self.list.activated, lambda _row: self.choose(self.list.currentData()))
        qconnect(self.as_numbers.toggled, lambda _checked: self._refresh())
        qconnect(self.again.clicked, lambda _checked=False: self._ask(again=True))
        qconnect(self._words_soon.timeout, lambda: self._say(self._pending))
        qconnect(findings.changed, self._refresh)

    def _build(self) -> None:
        self.list.setAccessibleName(_("Which graph is shown"))
        self.list.setToolTip(pgettext("tooltip", "Which graph is shown"))
        self.list.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.list.setMinimumContentsLength(6)
        for number, group in enumerate(_grouped()):
            if number:
                self.list.insertSeparator(self.list.count())
            for chart in group:
                self.list.addItem(chart.title, chart.key)
        self.list.setMaxVisibleItems(self.list.count())
        self.as_numbers.setToolTip(_("Show the numbers behind the graph in its place, to be read or copied"))
        self.as_numbers.setCheckable(True)
        self.as_numbers.setAutoDefault(False)
        self.again.setAutoDefault(False)
        self._words_soon.setSingleShot(True)
        self._words_soon.setInterval(_SILENT_MS)
        top = QHBoxLayout()
        top.setContentsMargins(0, 0, 0, 0)
        top.addWidget(self.list)
        top.addWidget(self.as_numbers)
        top.addStretch(1)
        middle = QWidget()
        self._stack = QStackedLayout(middle)
        self._stack.addWidget(self.view)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(top)
        layout.addWidget(middle, 1)
        layout.addWidget(self.again, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addWidget(self.sentence)
        self.again.hide()
        self._mark()

    @cached_property
    def numbers(self) -> TextTable:
        """The numbers behind the graph; made when they are first asked for."""
        table = TextTable()
        self._stack.addWidget(table)
        go_through(self.as_numbers, table)
        return table

    # --- what to show -------------------------------------------------------------------------------------------------

    @property
    def shown(self) -> Optional[Shown]:
        """What the graph shows; None where there are words in its place."""
        return self._shown

    @property
    def chosen(self) -> str:
        """The graph that the person has chosen; empty where they never did."""
        return self._chosen

    def choose(self, key: str) -> None:
        """Show that graph from now on."""
        if key in CHARTS:
            self._chosen = key
            self._mark()
            self._refresh()

    def wait(self) -> None:
        """Say that there is nothing to draw yet."""
        self._names, self._reason = (), _("The graph appears with the first result.")
        self._refresh()

    def show_algorithms(self, names: Sequence[str], *, reason: str = "") -> None:
        """Draw these, or say the reason why they cannot be drawn."""
        self._names, self._reason = tuple(names), reason or _("Select an algorithm in the table to see its graph.")
        self._refresh()

    def follow_theme(self) -> None:
        """The colours of now."""
        self.view.redraw()
        if "numbers" in vars(self):
            self.numbers.follow_theme()

    # --- showing it ---------------------------------------------------------------------------------------------------

    def _refresh(self) -> None:
        report = self._findings.report
        if report is None or not self._names:
            self._say(self._reason)
            return
        wanted = self._wanted()
        names = self._ready(wanted)
        self._ask_for_graphs()
        if names is None and not self._chosen:
            wanted = CHARTS[_USUAL[-1]]
            names = self._ready(wanted)
        if names is None:
            self._explain(wanted)
        elif not names:
            self._say(_("There is no such graph of {algorithm}.").format(algorithm=self._names[0]))
        else:
            self._show(wanted, names)

    def _wanted(self) -> Chart:
        return CHARTS[self._chosen or next(key for key in _USUAL if key in CHARTS)]

    def _questions(self, chart: Chart) -> List[Question]:
        return self._findings.questions(chart.section, self._names[: chart.most]) if chart.section else []

    def _ready(self, chart: Chart) -> Optional[Tuple[str, ...]]:
        """The algorithms that it can be drawn of; None where something has to be worked out first."""
        if any(self._findings.state(question) != KNOWN for question in self._questions(chart)):
            return None
        report = self._findings.report
        return tuple(chart.shown(report, self._names)) if report is not None else ()

    def _show(self, chart: Chart, names: Tuple[str, ...]) -> None:
        report = self._findings.report
        if report is None:
            return
        from ..charts.fonts import without_font

        only = _("This graph shows one algorithm at a time.") if chart.most < len(self._names) else ""
        self._settle(Shown(chart, names), paragraph(without_font(), chart.sentence(report, names), only))
        if self.as_numbers.isChecked():
            self.numbers.show_table(chart.table(report, names))
            self._stack.setCurrentWidget(self.numbers)
        else:
            self._stack.setCurrentWidget(self.view)
            self.view.show_chart(chart, report, names, described=self.sentence.whole)

    def _explain(self, chart: Chart) -> None:
        """Why the graph is not there yet."""
        states = {self._findings.state(question) for question in self._questions(chart)}
        if not self._findings.complete:
            self._say(_("This graph comes when the evaluation has ended."))
        elif FAILED in states:
            self._say(_("This graph could not be worked out."))
        elif STOPPED in states:
            self._say(_("Stopped before this graph was worked out."), again=True)
        else:
            self._pending = _("Working out the graphs of {algorithms}…").format(
                algorithms=all_of(self._names[: chart.most])
            )
            if not self._words_soon.isActive() and self.view.draws:
                self._words_soon.start()
            elif not self.view.draws:
                self._say(self._pending)

    def _ask_for_graphs(self) -> None:
        """Of what is selected, whichever is shown: then the others are there at once, and the classic has its bands."""
        questions = self._findings.questions(_SECTION, self._names[:_MOST])
        if self._findings.complete and any(self._findings.state(question) == UNASKED for question in questions):
            QTimer.singleShot(0, self._ask)  # not from within the news that led here

    def _ask(self, *, again: bool = False) -> None:
        self._findings.ask(self._findings.questions(_SECTION, self._names[:_MOST]), again=again)

    def _say(self, text: str, *, again: bool = False) -> None:
        self._settle(None, "", again=again)
        self.view.say(text)
        self._stack.setCurrentWidget(self.view)

    def _settle(self, shown: Optional[Shown], sentence: str, *, again: bool = False) -> None:
        self._words_soon.stop()
        self.again.setVisible(again)
        self.as_numbers.setEnabled(shown is not None)
        if sentence != self.sentence.whole:
            self.sentence.say(sentence)
        before, self._shown = self._shown, shown
        self._mark()
        if shown != before:
            self.changed.emit()

    def _mark(self) -> None:
        """Let the list say what is shown."""
        key = self._chosen or (self._shown.chart.key if self._shown is not None else self._wanted().key)
        self.list.setCurrentIndex(self.list.findData(key))


def _grouped() -> List[List[Chart]]:
    """The graphs of algorithms, in groups; the classic one is always among them."""
    offered = {key: chart for key, chart in CHARTS.items() if chart.most}
    named = [[offered[key] for key in group if key in offered] for group in _GROUPS]
    rest = [chart for key, chart in offered.items() if not any(key in group for group in _GROUPS)]
    return [group for group in (*named, rest) if group]
