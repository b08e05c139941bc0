"""The result of an evaluation: the headline, and below it the pages, the first with the comparison."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, List, Optional

from anki.buildinfo import version
from aqt import colors
from aqt.qt import QHBoxLayout, QResizeEvent, QSplitter, Qt, QTabWidget, QVBoxLayout, QWidget, pyqtSignal, qconnect
from aqt.theme import theme_manager
from aqt.utils import restoreSplitter, saveSplitter

from ..science import SAME_DAY_TABLE, WHOLE_DAY_TABLE
from ..text import _, strings
from ..text.errors import error_sentence
from ..text.phrases import paragraph
from ..views import PAGES, table_text
from ..views.advice import WHAT_TO_DO, what_to_do
from ..views.anki_words import IN_DECK_OPTIONS, anki_words
from ..views.headline import DETAILS, WORKLOAD_LINK, headline_text, links_to_workload
from ..views.metrics import MORE, VIEWS
from ..views.scope import choice_sentences
from .deck_options import open_deck_options
from .graph_panel import Draw, GraphPanel
from .result_store import ResultStore
from .results_table import ResultsTable
from .section_page import SectionPage
from .widgets import (
    FoldButton,
    Label,
    Paragraph,
    ScrolledPage,
    add_widgets,
    bold,
    button,
    copy_to_clipboard,
    heading_font,
    selectable,
    wrapped,
)

if TYPE_CHECKING:
    from evaluator.report import Report


#: The running evaluation in words, by the table.
PENDING = {
    WHOLE_DAY_TABLE: _("How well would each algorithm have predicted your memory?"),
    SAME_DAY_TABLE: _(
        "How well would each algorithm have predicted your memory, including same-day reviews, with exact times?"
    ),
}

#: Room kept for the sentences below the headline: letters per line, and lines.
_LETTERS_ACROSS, _LINES = 190, 2


class HeadlinePanel(QWidget):
    """The headline, at most two sentences, what to do, a link to the workload, and the details, folded."""

    workload_opened = pyqtSignal()

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.heading = selectable(wrapped())
        self.heading.setFont(heading_font(self))
        self.aside = selectable(wrapped())
        self.aside.setEnabled(False)  # gray
        self.text = Paragraph(letters_across=_LETTERS_ACROSS, least_lines=_LINES)
        self.advice = selectable(wrapped())
        self._advice_row, self._advice_title = QWidget(), Label(WHAT_TO_DO)
        self._advice_title.setFont(bold(self.font()))
        self._preset_id: Optional[int] = None
        self.deck_options = button(
            _("Open {deck_options}").format(**anki_words()), lambda: open_deck_options(self._preset_id)
        )
        self.details_button = FoldButton(DETAILS)
        self.details = selectable(wrapped())
        self.details.hide()
        self.workload = Label()
        self.workload.setTextFormat(Qt.TextFormat.RichText)
        links = Qt.TextInteractionFlag.LinksAccessibleByMouse | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        self.workload.setTextInteractionFlags(links)
        self.follow_theme()
        self.workload.hide()
        qconnect(self.workload.linkActivated, lambda _link: self.workload_opened.emit())
        qconnect(self.details_button.toggled, self.details.setVisible)
        first = add_widgets(QHBoxLayout(), self.heading, self.details_button, spacing=10)
        first.setStretch(0, 1)
        first.setAlignment(self.details_button, Qt.AlignmentFlag.AlignTop)
        in_row = (self._advice_title, self.advice, self.deck_options, None)
        advice = add_widgets(QHBoxLayout(self._advice_row), *in_row, spacing=10)
        advice.setStretch(1, 1000)  # the space at the end gets what is left beyond the maximum width
        advice.setAlignment(self.deck_options, Qt.AlignmentFlag.AlignTop)
        for label in (self._advice_title, self.advice):
            label.setAlignment(Qt.AlignmentFlag.AlignTop)
        column = add_widgets(QVBoxLayout(self), spacing=4)
        column.addLayout(first)
        for widget in (self.aside, self.text, self._advice_row, self.workload, self.details):
            column.addWidget(widget)

    def follow_theme(self) -> None:
        color = theme_manager.qcolor(colors.FG_LINK).name()
        self.workload.setText(f'<a href="#" style="color: {color}">{html.escape(WORKLOAD_LINK)}</a>')

    def show_begun(self, table: str) -> None:
        self.heading.setText(PENDING[table])
        self.text.setText(_("Each is trained on your earlier reviews and tested on later ones it has not seen."))
        self.text.show()
        self._explain("")
        self.workload.hide()
        self.advise(None)
        self._advice_row.show()  # keeps room for it, as there is one most of the time

    def show_report(self, report: Report, *, running: bool = False) -> None:
        """Show the report's headline; while the evaluation is ``running``, it may say what is being checked."""
        text = headline_text(report, running=running)
        self.heading.setText(text.heading)
        self.aside.setText(text.aside)
        self.aside.setVisible(bool(text.aside))
        if running and report.headline is None:
            return
        self.text.setText(_lines(*text.below))
        self.text.setVisible(bool(text.below))
        self._explain(_lines(*(f"\N{BULLET} {line}" for line in text.details)))
        self.workload.setVisible(links_to_workload(report))
        if not running:
            self.advise(report)

    def advise(self, report: Optional[Report]) -> None:
        """Show the report's advice, with a button to the Deck Options if it is followed there."""
        text = what_to_do(report, version) if report is not None else ""
        advice = [item for item in (report.advice if report is not None else ()) if item.code in IN_DECK_OPTIONS]
        self._preset_id = next((item.preset_id for item in advice), None)
        self.deck_options.setVisible(bool(advice))
        self.advice.setText(text)
        # No wider than its text, so that the button is next to it.
        self.advice.setMaximumWidth(self.advice.fontMetrics().horizontalAdvance(f"{text}mm"))
        self._advice_title.setVisible(bool(text))
        self._advice_row.setVisible(bool(text))

    def _explain(self, details: str) -> None:
        if details != self.details.text():
            self.details.setText(details)
            self.details_button.setChecked(False)
        self.details_button.setVisible(bool(details))


#: Maximum share of the width that the table takes by itself: usually, and with more numbers.
_TABLE_SHARE, _SHARE_OF_MORE = 0.55, 0.7


#: Minimum height of the first page, in lines; in a lower window it scrolls.
_MIN_LINES = 18


class ComparisonPage(ScrolledPage):
    """The first page: the table as evidence, and a graph as explanation."""

    def __init__(self, findings: ResultStore, draw: Draw, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.splitter = QSplitter(Qt.Orientation.Horizontal, self)
        self._left = QWidget(self.splitter)
        self.table = ResultsTable(self._left)
        self.legend = wrapped()
        self.more = FoldButton(strings.MORE_NUMBERS, paragraph(*(VIEWS[metric].definition for metric in MORE)))
        self._findings, self._draw = findings, draw
        self._divided = False  # chosen by the user
        self._build()
        qconnect(self.more.toggled, self._show_more)

    def _build(self) -> None:
        self._column = add_widgets(QVBoxLayout(self._left))
        self._column.addWidget(self.table, 1)
        self._column.addWidget(self.legend)
        self._column.addLayout(add_widgets(QHBoxLayout(), self.more, None, spacing=12))
        self.panel = GraphPanel(self._findings, self._draw, self.splitter)
        self.splitter.addWidget(self._left)
        self.splitter.addWidget(self.panel)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setHandleWidth(14)
        self.splitter.setStretchFactor(0, 0)
        self.splitter.setStretchFactor(1, 1)
        qconnect(self.splitter.splitterMoved, lambda *_unused: setattr(self, "_divided", True))
        self.splitter.setMinimumHeight(_MIN_LINES * self.fontMetrics().lineSpacing())
        self.setWidget(self.splitter)

    def _show_more(self, unfolded: bool) -> None:
        self.table.show_more(unfolded)
        self.show_legend()
        self.divide_width()

    def show_legend(self) -> None:
        """Explain the marks and the choices, and with more numbers also notes on single rows."""
        report = self.table.report
        if report is not None:
            rows = self.table.shown()
            more = table_text.notes(rows) if self.table.more else []
            self.legend.setText(_lines(*table_text.legend(rows), paragraph(*choice_sentences(report.scope)), *more))
            self.legend.setVisible(bool(self.legend.text()))

    def restore(self, key: str) -> None:
        """Divide the width between table and graph as the user last did, if they did."""
        before = self.splitter.saveState()
        restoreSplitter(self.splitter, key)
        self._divided = self.splitter.saveState() != before

    def save(self, key: str) -> None:
        if self._divided:
            saveSplitter(self.splitter, key)

    def resizeEvent(self, event: Optional[QResizeEvent]) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self.divide_width()

    def divide_width(self) -> None:
        """Give the table what it needs and the graph the rest, unless the user has divided the width."""
        if not self._divided:
            width = self.splitter.width() - self.splitter.handleWidth()
            share = round((_SHARE_OF_MORE if self.more.isChecked() else _TABLE_SHARE) * width)
            table = min(self.table.usual_width, max(self.table.minimumWidth(), share))
            self.splitter.setSizes([table, width - table])


class ResultsWidget(QWidget):
    """Shows what the result store holds, and requests what a page needs when it is opened."""

    def __init__(self, findings: ResultStore, draw: Draw, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self._findings = findings
        self.headline = HeadlinePanel(self)
        self.tabs = QTabWidget(self)
        self.tabs.setDocumentMode(True)
        self.comparison = ComparisonPage(findings, draw)
        self.tabs.addTab(self.comparison, _("Result"))
        self.tabs.setTabToolTip(0, _("Every algorithm on the same reviews, and graphs of when each is right"))
        self.pages: List[SectionPage] = []
        for number, page in enumerate(PAGES, start=1):
            self.pages.append(SectionPage(page, findings, draw))
            self.tabs.addTab(self.pages[-1], page.title)
            self.tabs.setTabToolTip(number, page.tip)
        bar = self.tabs.tabBar()
        if bar is not None:
            bar.setAccessibleName(_("Pages of results"))
            bar.setDrawBase(False)
        add_widgets(QVBoxLayout(self), self.headline, self.tabs, spacing=8).setStretch(1, 1)
        qconnect(self.comparison.table.chosen, self._draw_chosen)
        qconnect(self.tabs.currentChanged, self._open)
        workload = next(number for number, page in enumerate(PAGES, start=1) if "workload" in page.views)
        qconnect(self.headline.workload_opened, lambda: self.tabs.setCurrentIndex(workload))
        qconnect(findings.changed, self._on_findings)

    @property
    def legend(self) -> Label:
        """The lines under the table."""
        return self.comparison.legend

    def show_begun(self, table: str) -> None:
        self.headline.show_begun(table)
        self.comparison.table.empty()
        self.comparison.panel.wait()
        self.legend.hide()
        self._open(self.tabs.currentIndex())

    def show_report(self, report: Report, *, complete: bool) -> None:
        """Show the results so far; ``complete`` means there will be no more."""
        self.comparison.table.set_report(report)
        self.comparison.show_legend()
        self.comparison.divide_width()
        self.headline.show_report(report, running=not complete)
        if complete:
            self._open(self.tabs.currentIndex())

    def copy_table(self, kind: str) -> None:
        """Put the table on the clipboard, as ``text`` or as ``markdown``."""
        table = self.comparison.table
        if table.report is not None:
            written = table_text.as_markdown if kind == "markdown" else table_text.as_text
            copy_to_clipboard(written(table.shown(), table.metrics), _("Table copied."), self.window())

    def _on_findings(self) -> None:
        report = self._findings.report
        if report is not None and self._findings.complete:
            self.headline.advise(report)
            self.headline.workload.setVisible(links_to_workload(report))  # a failed simulation has no answer

    def _open(self, number: int) -> None:
        for index, page in enumerate(self.pages, start=1):
            if index == number:
                page.open()
            else:
                page.close_up()

    def _draw_chosen(self) -> None:
        table = self.comparison.table
        chosen = table.selected()
        names = [row.algorithm for row in chosen if not row.result.error]
        reason = ""
        if chosen and not names and chosen[0].result.error:
            reason = _("{algorithm} could not be evaluated, so there is no graph: {reason}").format(
                algorithm=chosen[0].label, reason=error_sentence(chosen[0].result.error)
            )
        if table.report is not None:
            self.comparison.panel.show_algorithms(names, reason=reason)


def _lines(*texts: str) -> str:
    return "\n".join(text for text in texts if text)
