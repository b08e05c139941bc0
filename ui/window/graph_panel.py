"""The right half: a graph of what is selected, chosen from a list; the numbers behind it, and a sentence under it."""

from __future__ import annotations

from functools import cached_property
from typing import List, Optional, Sequence, Tuple

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

from ..text import _, pgettext, strings
from ..text.phrases import all_of, paragraph
from ..views.graphs import GRAPHS, GROUPS
from ..views.view import Block, View
from .findings import FAILED, KNOWN, STOPPED, UNASKED, Findings, Question
from .graph_view import Draw, GraphView
from .text_table import TextTable
from .widgets import Sentence, go_through

#: Until the person chooses, the first of these that there is something to show of.
_USUAL = tuple(GROUPS[0])
#: The sections that the graphs need, and of how many algorithms at a time.
_SECTIONS = sorted({view.section for view in GRAPHS.values() if view.section})
_MOST = max(view.most for view in GRAPHS.values())
#: What is worked out sooner needs no words meanwhile.
_SILENT_MS = 250


class GraphPanel(QWidget):
    """Shows a chart of up to two algorithms, and asks for what is not worked out yet."""

    changed = pyqtSignal()  #: something else is shown

    def __init__(self, findings: Findings, draw: Draw, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self._findings = findings
        self._names: Tuple[str, ...] = ()
        self._reason = ""  #: why there is nothing to show of what is selected
        self._chosen = ""  #: by the person; empty: the usual one
        self._shown: Optional[Block] = None
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
        for number, group in enumerate(GROUPS):
            if number:
                self.list.insertSeparator(self.list.count())
            for key, view in group.items():
                self.list.addItem(view.title, key)
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
    def shown(self) -> Optional[Block]:
        """What the graph shows; None where there are words in its place."""
        return self._shown

    @property
    def chosen(self) -> str:
        """The graph that the person has chosen; empty where they never did."""
        return self._chosen

    def choose(self, key: str) -> None:
        """Show that graph from now on."""
        if key in GRAPHS:
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
        self._ask_for_graphs()
        if not self._ready(wanted) and not self._chosen:
            wanted = GRAPHS[_USUAL[-1]]
        if not self._ready(wanted):
            self._explain(wanted)
            return
        blocks = wanted.of(report, self._names)
        if blocks:
            self._show(
                blocks[0], _("This graph shows one algorithm at a time.") if wanted.most < len(self._names) else ""
            )
        else:
            self._say(_("There is no such graph of {algorithm}.").format(algorithm=self._names[0]))

    def _wanted(self) -> View:
        return GRAPHS[self._chosen or _USUAL[0]]

    def _questions(self, view: View) -> List[Question]:
        return self._findings.questions(view.section, self._names[: view.most]) if view.section else []

    def _ready(self, view: View) -> bool:
        """Whether nothing has to be worked out first."""
        return all(self._findings.state(question) == KNOWN for question in self._questions(view))

    def _show(self, block: Block, only: str) -> None:
        """``only``: what is to be said of those that are not drawn."""
        from ..charts.fonts import without_font

        self._settle(block, paragraph(without_font(), block.sentence, only))
        if self.as_numbers.isChecked() or block.chart is None:
            self.numbers.show_table(block.table, block.heading)
            self._stack.setCurrentWidget(self.numbers)
        else:
            self._stack.setCurrentWidget(self.view)
            self.view.show_chart(block.chart, described=self.sentence.whole)

    def _explain(self, view: View) -> None:
        """Why the graph is not there yet."""
        states = {self._findings.state(question) for question in self._questions(view)}
        if not self._findings.complete:
            self._say(_("This graph comes when the evaluation has ended."))
        elif FAILED in states:
            self._say(_("This graph could not be worked out."))
        elif STOPPED in states:
            self._say(_("Stopped before this graph was worked out."), again=True)
        else:
            self._pending = _("Working out the graphs of {algorithms}…").format(
                algorithms=all_of(self._names[: view.most])
            )
            if not self._words_soon.isActive() and self.view.draws:
                self._words_soon.start()
            elif not self.view.draws:
                self._say(self._pending)

    def _ask_for_graphs(self) -> None:
        """Of what is selected, whichever is shown: then the others are there at once, and the classic has its bands."""
        unasked = any(self._findings.state(question) == UNASKED for question in self._all_questions())
        if self._findings.complete and unasked:
            QTimer.singleShot(0, self._ask)  # not from within the news that led here

    def _all_questions(self) -> List[Question]:
        """Of all graphs."""
        return [one for section in _SECTIONS for one in self._findings.questions(section, self._names[:_MOST])]

    def _ask(self, *, again: bool = False) -> None:
        self._findings.ask(self._all_questions(), again=again)

    def _say(self, text: str, *, again: bool = False) -> None:
        self._settle(None, "", again=again)
        self.view.say(text)
        self._stack.setCurrentWidget(self.view)

    def _settle(self, shown: Optional[Block], sentence: str, *, again: bool = False) -> None:
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
        key = self._chosen or (self._shown.key if self._shown is not None else _USUAL[0])
        self.list.setCurrentIndex(self.list.findData(key))
