"""Widget for the result of an evaluation, with a verdict and below it pages of tables, graphs and sections."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, List, Optional

import aqt
from anki.buildinfo import version
from anki.decks import DeckId
from aqt.deckoptions import display_options_for_deck_id
from aqt.qt import (
    QBoxLayout,
    QHBoxLayout,
    QResizeEvent,
    Qt,
    QTabWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
    pyqtSignal,
    qconnect,
)

from ..science import SAME_DAY_TABLE, WHOLE_DAY_TABLE
from ..text import _, strings
from ..text.error_sentences import error_sentence
from ..text.phrases import paragraph
from ..text.sanitize import escape_for_markdown
from ..views import PAGES, results_table_cells
from ..views.advice_sentence import IN_DECK_OPTIONS, IN_WORKLOAD, advice_of, anki_words
from ..views.finding_rows import LEGEND
from ..views.finding_sentences import subject_title
from ..views.first_screen import DETAILS, WORKLOAD_LINK, FirstScreen, first_screen, links_to_workload, why_no_table
from ..views.metric_views import MORE, VIEWS
from ..views.scope_sentences import choice_sentences, scope_sentences
from .bottom_bar import GRAPH
from .findings_list import MAX_ROWS, MAX_ROWS_IN_LOW_WINDOW, FindingsList
from .graph_panel import GraphPanel, NewView
from .result_store import ResultStore
from .results_table import ResultsTable
from .section_page import SECTION_WORKING, SectionPage, heading
from .signs import sign_icon
from .widgets import (
    FoldButton,
    Label,
    Paragraph,
    ScrolledPage,
    add_widgets,
    bold,
    button,
    character_width,
    copy_to_clipboard,
    isolated,
    present,
    scaled,
    selectable,
    wrapped,
)

if TYPE_CHECKING:
    from evaluator.report import Advice, Report


#: The headline while the evaluation runs, by table.
HEADLINE_WHILE_RUNNING = {
    WHOLE_DAY_TABLE: _("How well would each algorithm have predicted your memory?"),
    SAME_DAY_TABLE: _(
        "How well would each algorithm have predicted your memory, including same-day reviews, with exact times?"
    ),
}

#: Maximum length in characters of the lines below the verdict.
_LINE_LENGTH = 170
#: Usual length in characters of the numbers and of the advice, for which room is reserved.
_USUAL_LENGTHS = (190, 100)
#: Sizes of the verdict and of its sign, relative to other texts.
_VERDICT_SCALE = 1.45
_SIGN_SCALE = 1.5


class HeadlinePanel(QWidget):
    """The verdict with its sign, the numbers, what to do, and a button to do it.

    It also owns the folded details and a link to the workload, which are placed below the table.
    """

    workload_opened = pyqtSignal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.sign = Label()
        self.heading = Paragraph(characters_per_line=1000)
        self.heading.setFont(scaled(bold(self.font()), _VERDICT_SCALE))
        self.help = QToolButton()
        self.help.setText("?")
        self.help.setToolTip(isolated(_("What the numbers on this page mean (F1)")))
        self.help.setAccessibleName(_("Help"))
        self.text = Paragraph(characters_per_line=_LINE_LENGTH)
        self.advice = Paragraph(characters_per_line=_LINE_LENGTH)
        self._preset_id: Optional[int] = None
        self.deck_options = button(
            _("Open {deck_options}").format(**anki_words()), lambda: open_deck_options(self._preset_id)
        )
        # Translators: A button that opens the tab "Workload".
        self.see_workload = button(_("See Workload"), self.workload_opened.emit)
        self.details_button = FoldButton(DETAILS)
        self.details = selectable(wrapped())
        self.details.hide()
        self.workload = button(WORKLOAD_LINK, self.workload_opened.emit)
        qconnect(self.details_button.toggled, self.details.setVisible)
        self._lay_out()

    def _lay_out(self) -> None:
        self._sentences = QWidget()
        add_widgets(QVBoxLayout(self._sentences), self.text, self.advice, None, spacing=4)
        below = add_widgets(QHBoxLayout(), self._sentences, spacing=12)
        below.addLayout(add_widgets(QVBoxLayout(), self.deck_options, self.see_workload, None))
        layout = add_widgets(QVBoxLayout(self), spacing=6)
        layout.addLayout(add_widgets(QHBoxLayout(), self.sign, self.heading, self.help, spacing=12))
        layout.addLayout(below)
        size = round(_SIGN_SCALE * self.fontMetrics().height())
        self.sign.setFixedSize(size, size)

    def resizeEvent(self, event: Optional[QResizeEvent]) -> None:  # noqa: N802 - Qt's name
        """Qt: reserve room for the sentences, so that nothing below them moves when they appear."""
        super().resizeEvent(event)
        characters = min(self._sentences.width() // character_width(self), _LINE_LENGTH)
        lines = sum(-(-length // max(characters, 1)) for length in _USUAL_LENGTHS)
        self._sentences.setMinimumHeight(lines * self.fontMetrics().lineSpacing() + 4)

    def show_started(self, table: str) -> None:
        """Show what a new evaluation with this table (whole-day or same-day) checks."""
        numbers = _("Each is trained on your earlier reviews and tested on later ones it has not seen.")
        self._show_texts(FirstScreen("", HEADLINE_WHILE_RUNNING[table], numbers), None)
        self.workload.hide()

    def show_report(self, report: Report, *, running: bool = False) -> None:
        """Show the first screen. While the evaluation is ``running``, it may say only what is being checked."""
        texts = first_screen(report, running=running, version=version)
        if running and not texts.numbers:
            self.heading.setText(texts.heading)
            return
        self._show_texts(texts, advice_of(report))

    def follow_theme(self) -> None:
        self._show_sign(self._sign)

    def _show_sign(self, sign: str) -> None:
        self._sign = sign
        self.sign.setPixmap(sign_icon(sign, self.sign.width(), self).pixmap(self.sign.size()))

    def _show_texts(self, texts: FirstScreen, advice: Optional[Advice]) -> None:
        """Show the texts, with a button for what is advised."""
        self._show_sign(texts.sign)
        self.heading.setText(texts.verdict)
        self.heading.setAccessibleName(texts.heading)
        self.text.setText(texts.numbers)
        self._preset_id = advice.preset_id if advice is not None else None
        self.deck_options.setVisible(advice is not None and advice.code in IN_DECK_OPTIONS)
        self.see_workload.setVisible(advice is not None and advice.code in IN_WORKLOAD)
        self.advice.setText(texts.advice)
        details = "\n".join(f"\N{BULLET} {line}" for line in texts.details)
        if details != self.details.text():
            self.details.setText(details)
            self.details_button.setChecked(False)
        self.details_button.setVisible(bool(details))


def open_deck_options(preset_id: Optional[int]) -> None:
    """Open Anki's options of a deck that uses the preset, or of any deck if none does.

    Among several decks, the current deck is preferred.
    """
    decks = aqt.mw.col.decks
    # Leave out filtered decks, which have no presets.
    deck_ids = [DeckId(deck.id) for deck in decks.all_names_and_ids(include_filtered=False)]
    deck_ids.sort(key=lambda deck: deck != decks.get_current_id())
    decks_of_preset = [deck for deck in deck_ids if decks.config_dict_for_deck_id(deck)["id"] == preset_id]
    display_options_for_deck_id((decks_of_preset or deck_ids)[0])


#: Minimum number of visible rows of the table. In a lower window, the page scrolls.
_MIN_ROWS = 4
#: Minimum width of a graph beside the table, in average characters. In a narrower window, it is below the table.
_MIN_BESIDE = 42
#: Pixels between the table and the graph.
_GAP = 10
_BESIDE = QBoxLayout.Direction.LeftToRight
_BELOW = QBoxLayout.Direction.TopToBottom


class ComparisonPage(ScrolledPage):
    """The first page: the list of findings, and below it the table of results beside a graph.

    In a low window the page scrolls, and the list and the table show all rows.
    """

    def __init__(self, results: ResultStore, new_view: NewView, headline: HeadlinePanel) -> None:
        super().__init__()
        # The page itself needs no focus, because Tab moves to the widgets inside and scrolls to them.
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list = FindingsList()
        self.list_legend = wrapped(LEGEND.replace("*", "\N{BLACK CIRCLE}"))
        self.too_few = Paragraph()
        self.title = heading()
        self.table = ResultsTable()
        self.legend = wrapped()
        self.more = FoldButton(strings.MORE_NUMBERS, paragraph(*(VIEWS[metric].definition for metric in MORE)))
        self.panel = GraphPanel(results, new_view)
        self._left = QWidget()
        self.halves = QWidget()
        inside = QWidget()
        self._foot = add_widgets(QHBoxLayout(), headline.details_button, self.more, None, headline.workload, spacing=12)
        column = add_widgets(QVBoxLayout(self._left), self.title, self.table, self.legend)
        column.addLayout(self._foot)
        column.addWidget(headline.details)
        self._sides = add_widgets(QBoxLayout(_BESIDE, self.halves), self._left, self.panel, spacing=_GAP)
        self._rows = add_widgets(QVBoxLayout(inside), self.list, self.list_legend, self.too_few, self.halves, spacing=6)
        self._rows.setStretch(3, 1)
        self._rows.addStretch(0)
        self.setWidget(inside)
        qconnect(self.more.toggled, self._show_more)
        qconnect(headline.details_button.toggled, self.fit)
        qconnect(self.list.unfolded, self.fit)
        self.show_list(None)

    def _show_more(self, unfolded: bool) -> None:
        self.table.show_more(unfolded)
        self.show_texts()

    def show_texts(self, title: str = "") -> None:
        """Name the subject, and explain the marks and the choices. If all metrics are shown, add the notes on rows.

        Args:
            title: text shown instead of the subject while there is none.
        """
        report = self.table.report
        rows = self.table.rows
        too_few_text = ""
        legend: List[str] = []
        if report is not None:
            title = subject_title(report) or strings.REVIEWS(report.scope.reviews)
            notes = results_table_cells.notes(rows) if self.table.more else []
            legend = [*results_table_cells.legend(rows), paragraph(*choice_sentences(report.scope)), *notes]
            too_few_text = why_no_table(report)
        self.title.setText(title)
        for label, text in ((self.legend, "\n".join(filter(None, legend))), (self.too_few, too_few_text)):
            label.setText(text)
            label.setVisible(bool(text))
        if too_few_text and self.table.hasFocus():
            # Otherwise the Close button would get the focus.
            self.too_few.setFocus()
        self.halves.setVisible(not too_few_text)
        self.fit()

    def show_list(self, report: Optional[Report], *, complete: bool = True) -> None:
        """Show the list of findings if there are several."""
        if report is not None:
            self.list.show_report(report, complete=complete)
        for widget in (self.list, self.list_legend):
            widget.setVisible(report is not None and bool(self.list.rows))

    def resizeEvent(self, event: Optional[QResizeEvent]) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self.fit()

    def fit(self) -> None:
        """Place the graph beside or below the table, and let either the page scroll or the list and the table in it."""
        size = present(self.viewport()).size()
        left_width = max(self.table.usual_width, self._foot.minimumSize().width())
        right_width = max(self.panel.minimumSizeHint().width(), _MIN_BESIDE * character_width(self))
        is_beside = left_width + _GAP + right_width <= size.width()
        self._sides.setDirection(_BESIDE if is_beside else _BELOW)
        self._left.setMinimumWidth(left_width if is_beside else 0)
        self._left.setMaximumWidth(left_width if is_beside else size.width())
        for max_rows in (MAX_ROWS, MAX_ROWS_IN_LOW_WINDOW, None):
            self._show_rows(max_rows)
            if self._rows.totalHeightForWidth(size.width()) <= size.height():
                break

    def _show_rows(self, max_rows: Optional[int]) -> None:
        """Show at most this many rows of the list and some of the table, or all of both if it is None."""
        n_rows = self.list.n_visible_rows
        table_rows = _MIN_ROWS
        if max_rows is None:
            table_rows = max(table_rows, len(self.table.rows))
        self.list.setFixedHeight(self.list.height_of(n_rows if max_rows is None else min(n_rows, max_rows)))
        self.table.show_at_least(table_rows)
        # Qt would count these changes only in the next turn of the event loop.
        for widget in (self._left, self.halves):
            widget.updateGeometry()


class ResultsWidget(QWidget):
    """The headline and the pages of the results in the store. A page requests its sections when it is opened."""

    def __init__(self, results: ResultStore, new_view: NewView, parent: QWidget) -> None:
        super().__init__(parent)
        self._results = results
        self.headline = HeadlinePanel(self)
        self.tabs = QTabWidget(self)
        self.tabs.setDocumentMode(True)
        self.comparison = ComparisonPage(results, new_view, self.headline)
        self.tabs.addTab(self.comparison, _("Result"))
        self.tabs.setTabToolTip(0, _("Every algorithm on the same reviews, and graphs of when each is right"))
        self.pages: List[SectionPage] = []
        for number, page in enumerate(PAGES, start=1):
            self.pages.append(SectionPage(page, results, new_view))
            self.tabs.addTab(self.pages[-1], isolated(page.title))
            self.tabs.setTabToolTip(number, page.tip)
        bar = present(self.tabs.tabBar())
        bar.setAccessibleName(_("Pages of results"))
        bar.setDrawBase(False)
        # Anki's own style does not show which tab has the focus.
        bar.setStyleSheet("QTabBar::tab:selected:focus { border: 2px solid palette(text); padding: 3px 7px; }")
        add_widgets(QVBoxLayout(self), self.headline, self.tabs, spacing=8).setStretch(1, 1)
        qconnect(self.comparison.table.chosen, self._draw_selected)
        qconnect(self.tabs.currentChanged, self._open_page)
        workload_tab = next(number for number, page in enumerate(PAGES, start=1) if "workload" in page.views)
        qconnect(self.headline.workload_opened, lambda: self.tabs.setCurrentIndex(workload_tab))
        qconnect(results.changed, self._on_results)
        qconnect(results.shown, self._on_shown)
        qconnect(self.comparison.list.chosen, self.show_subject)
        qconnect(self.comparison.list.options_requested, open_deck_options)

    def show_started(self, table: str) -> None:
        """Empty the widget for a new evaluation with this table (whole-day or same-day)."""
        self.headline.show_started(table)
        self._empty(_("The graph appears with the first result."))
        self.comparison.show_list(None)
        self._open_page(self.tabs.currentIndex())

    def show_report(self, report: Report, *, complete: bool) -> None:
        """Show the results that are finished so far. ``complete`` says that these are all."""
        self.headline.show_report(report, running=not complete)
        self.comparison.table.show_report(report)
        self.comparison.show_list(report, complete=complete)
        self.comparison.show_texts()
        if complete:
            self._open_page(self.tabs.currentIndex())

    def show_subject(self, subject: int) -> None:
        """Show the verdict on this finding's reviews, and their results once they are calculated."""
        report = self._results.report
        if report is not None:
            self.headline.show_report(replace(report, subject=subject))
            self._empty(SECTION_WORKING)
            self._results.show_subject(subject)

    def _on_shown(self) -> None:
        if self._results.report is not None:
            self.show_report(self._results.report, complete=True)

    def _empty(self, reason: str) -> None:
        """Remove the table and the graph of the old subject, and show the reason."""
        self.comparison.table.empty()
        self.comparison.panel.show_algorithms([], reason=reason)
        self.comparison.show_texts(reason)

    def copy(self, kind: str) -> None:
        """Put the table or the graph on the clipboard.

        Args:
            kind: "text", "markdown", "graph", or "forum" for a post that also has the headline and the graph.
        """
        table = self.comparison.table
        if kind == GRAPH:
            self.comparison.panel.view.copy_picture()
        elif table.report is not None and kind == "forum":
            self._copy_for_forum(table.report)
        elif table.report is not None:
            format_table = results_table_cells.as_markdown if kind == "markdown" else results_table_cells.as_text
            copy_to_clipboard(format_table(table.rows, table.metrics), _("Table copied."), self.window())

    def _copy_for_forum(self, report: Report) -> None:
        """Copy the verdict, the counts, the table and the versions as text, and the graph as an image."""
        texts = first_screen(report, version=version)
        table = self.comparison.table
        graph = self.comparison.panel.view
        parts = (
            f"**{escape_for_markdown(texts.heading)}**",
            escape_for_markdown(paragraph(texts.numbers, *scope_sentences(report), subject_title(report))),
            results_table_cells.as_markdown(table.rows, table.metrics).rstrip(),
            f"{report.software}, Anki {version}",
        )
        text = "\n\n".join(parts)
        if graph.has_graph:
            graph.copy_picture(text, _("Copied: the result as text, and the graph as an image."))
        else:
            copy_to_clipboard(text, _("Table copied."), self.window())

    def _on_results(self) -> None:
        """Show the link to the workload, unless that could not be simulated."""
        report = self._results.report
        self.headline.workload.setVisible(report is not None and links_to_workload(report))

    def _open_page(self, number: int) -> None:
        """Open a page, which requests its sections, and pause the others."""
        for index, page in enumerate(self.pages, start=1):
            if index == number:
                page.open()
            else:
                page.pause()

    def _draw_selected(self) -> None:
        """Show the graph of the selected algorithms, or say why there is none."""
        table = self.comparison.table
        rows = table.selected()
        names = [row.algorithm for row in rows if not row.result.error]
        reason = ""
        if rows and rows[0].result.error:
            reason = _("{algorithm} could not be evaluated, so there is no graph: {reason}").format(
                algorithm=rows[0].label, reason=error_sentence(rows[0].result.error)
            )
        if table.report is not None:
            self.comparison.panel.show_algorithms(names, reason=reason)
