"""One section of the report: its tables and graphs, each with its sentence; or why they are not there yet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable, List, Optional

from aqt import colors
from aqt.qt import QFont, QLabel, QPushButton, QSizePolicy, Qt, QVBoxLayout, QWidget, pyqtSignal, qconnect
from aqt.theme import theme_manager

from .. import strings
from ..pages import charts_of
from ..tables import TABLES, Table
from .findings import ASKED, FAILED, KNOWN, STOPPED, Findings, Question
from .graph_view import GraphView
from .text_table import TextTable

if TYPE_CHECKING:
    from evaluator.report import Report

    from ..charts import Chart

#: Longer lines are hard to read.
_LETTERS_ACROSS = 125
#: Of a graph: as wide as the lines at most, and so many lines of text tall.
_LINES_TALL = 21


class SectionBlock(QWidget):
    """Asks for its section when it is opened, unless that is slow: then a button does."""

    drawing = pyqtSignal(object, bool)  #: a view, and whether it is about to draw

    def __init__(
        self,
        section: str,
        findings: Findings,
        may_draw: Callable[[], bool],
        *,
        titled: bool = True,
        parent: Optional[QWidget] = None,
    ) -> None:
        super().__init__(parent)
        self.section = section
        self._question = Question(section)
        self._findings = findings
        self._may_draw = may_draw
        self._titled = titled
        self._open = False
        self._views: List[GraphView] = []
        self._shown: Optional[object] = None
        self.words = paragraph()
        self.button = QPushButton()
        self.button.setAutoDefault(False)
        self.content = QWidget()
        self._column = QVBoxLayout(self.content)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(6)
        self._heading = heading()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        for widget in (self._heading, self.words):
            layout.addWidget(widget)
        layout.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addWidget(self.content)
        qconnect(self.button.clicked, lambda _checked=False: findings.ask([self._question], again=True))
        qconnect(findings.changed, self._refresh)

    def open(self) -> None:
        """It is to be seen from now on."""
        self._open = True
        if self._findings.complete and not self._is_slow():
            self._findings.ask([self._question])
        self._refresh()

    def close_up(self) -> None:
        """It is not to be seen any more."""
        self._open = False

    def follow_theme(self) -> None:
        """The colours of now."""
        for view in self._views:
            view.redraw()
        for label in self.content.findChildren(QLabel, _NOTE):
            label.setStyleSheet(_subtle())

    @property
    def views(self) -> List[GraphView]:
        """Its graphs."""
        return list(self._views)

    def _is_slow(self) -> bool:
        from .. import engine

        return engine.SECTIONS[self.section].slow

    def _refresh(self) -> None:
        if not self._open:
            return
        state, report = self._findings.state(self._question), self._findings.report
        known = state == KNOWN and report is not None
        self.content.setVisible(known)
        for widget in (self._heading, self.words):
            widget.setVisible(not known)
        if known and report is not None:
            self.button.hide()
            self._show(report)
            return
        if not self._findings.complete:
            self._say("", strings.TAB_LATER)
            return
        from .. import engine

        section = engine.SECTIONS[self.section]
        title = section.title if self._titled else ""
        if state == ASKED:
            self._say(title, strings.SECTION_WORKING)
        elif state == FAILED:
            self._say(title, strings.SECTION_FAILED, strings.TRY_AGAIN)
        elif state == STOPPED:
            self._say(title, strings.SECTION_STOPPED, strings.WORK_OUT)
        elif section.slow:
            evaluation = self._findings.evaluation
            seconds = sum(evaluation.timing.values()) if evaluation is not None else 0.0
            what = strings.SLOW_SECTIONS.get(self.section, "")
            self._say(title, f"{what} {strings.SLOW.format(time=duration(seconds))}".strip(), strings.WORK_OUT)
        else:
            self._say(title, strings.SECTION_WORKING)
            self._findings.ask([self._question])

    def _say(self, title: str, words: str, button: str = "") -> None:
        self._heading.setText(title)
        self._heading.setVisible(bool(title))
        self.words.setText(words)
        self.button.setText(button)
        self.button.setVisible(bool(button))

    def _show(self, report: Report) -> None:
        found = getattr(report, self.section)
        if found == self._shown and self._column.count():
            return
        self._shown = found
        self._clear()
        tables = TABLES[self.section](report) if self.section in TABLES else ()
        for number, table in enumerate(tables):
            if number:
                self._column.addSpacing(14)
            self._add_table(table)
        for chart in charts_of(self.section):
            if chart.can_show(report, ""):
                self._column.addSpacing(14)
                self._add_chart(chart, report)

    def _clear(self) -> None:
        self._views.clear()
        while self._column.count():
            item = self._column.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.deleteLater()

    def _add_table(self, table: Table) -> None:
        if self._titled:
            self._column.addWidget(heading(table.title))
        if table.sentence:
            self._column.addWidget(paragraph(table.sentence))
        if table.rows:
            shown = TextTable(whole=True)
            shown.show_table(table)
            self._column.addWidget(shown)
        for note in table.notes:
            label = paragraph(note)
            label.setObjectName(_NOTE)
            label.setStyleSheet(_subtle())
            self._column.addWidget(label)

    def _add_chart(self, chart: Chart, report: Report) -> None:
        sentence = chart.sentence(report, ())
        view = GraphView()
        view.may_draw = self._may_draw
        view.setFixedHeight(_LINES_TALL * self.fontMetrics().lineSpacing())
        view.setMaximumWidth(_LETTERS_ACROSS * self.fontMetrics().averageCharWidth())
        qconnect(view.drawing, lambda drawing, view=view: self.drawing.emit(view, drawing))
        self._views.append(view)
        self._column.addWidget(heading(chart.title))
        self._column.addWidget(view)
        self._column.addWidget(paragraph(sentence))
        view.show_chart(chart, report, (), described=sentence)


_NOTE = "note"


def heading(text: str = "") -> QLabel:
    """A bold line."""
    label = QLabel(text)
    font = QFont(label.font())
    font.setBold(True)
    label.setFont(font)
    label.setWordWrap(True)
    return label


def paragraph(text: str = "") -> QLabel:
    """Lines no longer than can be read well."""
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setMaximumWidth(_LETTERS_ACROSS * label.fontMetrics().averageCharWidth())
    label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def duration(seconds: float) -> str:
    """A length of time in words."""
    if seconds < 1.5:
        return strings.ABOUT_A_SECOND
    if seconds < 90:
        return strings.ABOUT_SECONDS.format(seconds=round(seconds))
    return strings.ABOUT_MINUTES.format(minutes=round(seconds / 60))


def _subtle() -> str:
    return f"color: {theme_manager.var(colors.FG_SUBTLE)};"
