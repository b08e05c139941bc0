"""Widget for the result of an evaluation, with a verdict and below it pages of tables, graphs and sections."""

from __future__ import annotations

from typing import TYPE_CHECKING, List, Optional

import aqt
from anki.buildinfo import version
from anki.decks import DeckId
from aqt.deckoptions import display_options_for_deck_id
from aqt.qt import (
    QHBoxLayout,
    QResizeEvent,
    QSize,
    QSplitter,
    Qt,
    QTabWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
    pyqtSignal,
    qconnect,
)
from aqt.utils import restoreSplitter, saveSplitter

from ..science import SAME_DAY_TABLE, WHOLE_DAY_TABLE, escape_for_markdown
from ..text import _, strings
from ..text.errors import error_sentence
from ..text.phrases import paragraph
from ..views import PAGES, table_text
from ..views.advice import IN_DECK_OPTIONS, advice_of, anki_words
from ..views.finding import subject_title
from ..views.first_screen import DETAILS, WORKLOAD_LINK, FirstScreen, first_screen, links_to_workload
from ..views.metrics import MORE, VIEWS
from ..views.scope import choice_sentences, scope_sentences
from .graph_panel import GraphPanel, NewView
from .result_store import ResultStore
from .results_table import ResultsTable
from .section_page import SectionPage
from .widgets import (
    FoldButton,
    Paragraph,
    ScrolledPage,
    add_widgets,
    button,
    copy_to_clipboard,
    heading_font,
    isolated,
    present,
    selectable,
    wrapped,
)

if TYPE_CHECKING:
    from evaluator.report import Advice, Report


#: The headline while the evaluation runs, by table.
PENDING = {
    WHOLE_DAY_TABLE: _("How well would each algorithm have predicted your memory?"),
    SAME_DAY_TABLE: _(
        "How well would each algorithm have predicted your memory, including same-day reviews, with exact times?"
    ),
}

#: Style of the tab that has the focus, which Anki's own style does not show.
_FOCUSED_TAB = "QTabBar::tab:selected:focus { border: 2px solid palette(text); padding: 3px 7px; }"
#: Number of lines reserved for the numbers below the verdict, and for the advice.
_LINES, _ADVICE_LINES = 4, 3


class HeadlinePanel(QWidget):
    """The numbers below the verdict, advice, and a link to the workload.

    It also owns the verdict, whose widget :attr:`top` is placed above the tabs, and the folded details, which are
    placed below the table.
    """

    workload_opened = pyqtSignal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.heading = Paragraph(characters_per_line=1000)
        self.heading.setFont(heading_font(self))
        self.help = QToolButton()
        self.help.setText("?")
        self.help.setToolTip(isolated(_("What the numbers on this page mean (F1)")))
        self.help.setAccessibleName(_("Help"))
        self.top = QWidget(parent)
        top = add_widgets(QHBoxLayout(self.top), self.heading, self.help, spacing=10)
        top.setAlignment(self.help, Qt.AlignmentFlag.AlignTop)
        self.text = Paragraph(min_lines=_LINES)
        self.advice = selectable(wrapped())
        self._advice_row = QWidget()
        self._preset_id: Optional[int] = None
        self.deck_options = button(
            _("Open {deck_options}").format(**anki_words()), lambda: open_deck_options(self._preset_id)
        )
        self.details_button = FoldButton(DETAILS)
        self.details = selectable(wrapped())
        self.details.hide()
        self.workload = button(WORKLOAD_LINK, self.workload_opened.emit)
        qconnect(self.details_button.toggled, self.details.setVisible)
        row = add_widgets(QHBoxLayout(self._advice_row), self.advice, self.deck_options, spacing=10)
        row.setStretch(0, 1)
        for widget in (self.advice, self.deck_options):
            row.setAlignment(widget, Qt.AlignmentFlag.AlignTop)
        column = add_widgets(QVBoxLayout(self), self.text, self._advice_row, spacing=4)
        column.addWidget(self.workload, 0, Qt.AlignmentFlag.AlignLeft)
        # Reserve room for the advice and the link, so that nothing below them moves when they appear.
        lines = _ADVICE_LINES * self.fontMetrics().lineSpacing()
        self._advice_row.setMinimumHeight(max(lines, self.deck_options.sizeHint().height()))
        policy = self.workload.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.workload.setSizePolicy(policy)

    def show_started(self, table: str) -> None:
        numbers = _("Each is trained on your earlier reviews and tested on later ones it has not seen.")
        self._show_texts(FirstScreen("", PENDING[table], numbers), None)
        self.workload.hide()

    def show_report(self, report: Report, *, running: bool = False) -> None:
        """Show the first screen. While the evaluation is ``running``, it may say only what is being checked."""
        texts = first_screen(report, running=running, version=version)
        if running and not texts.numbers:
            self.heading.setText(texts.heading)
            return
        self._show_texts(texts, advice_of(report))
        self.workload.setVisible(links_to_workload(report))

    def _show_texts(self, texts: FirstScreen, advice: Optional[Advice]) -> None:
        """Show the texts, with a button for the Deck Options if the advice is about them."""
        self.heading.setText(texts.heading)
        self.text.setText(texts.numbers)
        about_options = advice if advice is not None and advice.code in IN_DECK_OPTIONS else None
        self._preset_id = about_options.preset_id if about_options else None
        self.deck_options.setVisible(about_options is not None)
        self.advice.setText(texts.advice)
        details = _join_lines(*(f"\N{BULLET} {line}" for line in texts.details))
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


#: Maximum share of the width for the table, first with the usual metrics, then with all metrics.
_TABLE_SHARE, _SHARE_OF_MORE = 0.62, 0.7
#: Minimum number of visible rows of the table. In a lower window, the left half scrolls.
_MIN_ROWS = 4


class _Half(ScrolledPage):
    """A half of the first page, which scrolls in a low window."""

    def __init__(self, inside: QWidget) -> None:
        super().__init__()
        # The page itself needs no focus, because Tab moves to the widgets inside and scrolls to them.
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(inside)
        self._inside = inside

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Qt: return a width that is enough for the contents and a scroll bar."""
        bar_width = present(self.verticalScrollBar()).sizeHint().width()
        return QSize(self._inside.minimumSizeHint().width() + bar_width, super().minimumSizeHint().height())


class ComparisonPage(QSplitter):
    """The first page, with the table of results on one side and a graph on the other."""

    def __init__(self, findings: ResultStore, new_view: NewView, headline: HeadlinePanel) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        inside = QWidget()
        self.table = ResultsTable()
        self.table.setMinimumHeight((_MIN_ROWS + 2) * self.table.row_header.defaultSectionSize())
        self.legend = wrapped()
        self.more = FoldButton(strings.MORE_NUMBERS, paragraph(*(VIEWS[metric].definition for metric in MORE)))
        column = add_widgets(QVBoxLayout(inside), headline, self.table, self.legend)
        column.setStretch(1, 1)
        column.addLayout(add_widgets(QHBoxLayout(), headline.details_button, self.more, None, spacing=12))
        column.addWidget(headline.details)
        self.panel = GraphPanel(findings, new_view)
        self._left = _Half(inside)
        self.addWidget(self._left)
        self.addWidget(_Half(self.panel))
        self.setChildrenCollapsible(False)
        self.setHandleWidth(10)
        self.setStretchFactor(1, 1)
        self._user_has_divided = False
        qconnect(self.splitterMoved, lambda *_unused: setattr(self, "_user_has_divided", True))
        qconnect(self.more.toggled, self._show_more)

    def _show_more(self, unfolded: bool) -> None:
        self.table.show_more(unfolded)
        self.show_legend()
        self.divide_width()

    def show_legend(self) -> None:
        """Name the subject, and explain the marks and the choices. If all metrics are shown, add the notes on rows."""
        report, rows = self.table.report, self.table.rows
        if report is not None:
            choices = paragraph(*choice_sentences(report.scope))
            notes = table_text.notes(rows) if self.table.more else []
            self.legend.setText(_join_lines(subject_title(report), *table_text.legend(rows), choices, *notes))
            self.legend.setVisible(bool(self.legend.text()))

    def restore(self, key: str) -> None:
        """Divide the width between table and graph as the user did last time."""
        default_state = self.saveState()
        restoreSplitter(self, key)
        self._user_has_divided = self.saveState() != default_state

    def save(self, key: str) -> None:
        if self._user_has_divided:
            saveSplitter(self, key)

    def resizeEvent(self, event: Optional[QResizeEvent]) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self.divide_width()

    def divide_width(self) -> None:
        """Give the table the width that it needs, up to a share, unless the user has divided the width."""
        if not self._user_has_divided:
            width = self.width() - self.handleWidth()
            max_width = round((_SHARE_OF_MORE if self.more.isChecked() else _TABLE_SHARE) * width)
            min_width = self._left.minimumSizeHint().width()
            full_width = min_width + self.table.usual_width - self.table.minimumWidth()
            table_width = min(full_width, max(min_width, max_width))
            self.setSizes([table_width, width - table_width])


class ResultsWidget(QWidget):
    """The headline and the pages of the results in the store. A page requests its sections when it is opened."""

    def __init__(self, findings: ResultStore, new_view: NewView, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self._findings = findings
        self.headline = HeadlinePanel(self)
        self.tabs = QTabWidget(self)
        self.tabs.setDocumentMode(True)
        self.comparison = ComparisonPage(findings, new_view, self.headline)
        self.tabs.addTab(self.comparison, _("Result"))
        self.tabs.setTabToolTip(0, _("Every algorithm on the same reviews, and graphs of when each is right"))
        self.pages: List[SectionPage] = []
        for number, page in enumerate(PAGES, start=1):
            self.pages.append(SectionPage(page, findings, new_view))
            self.tabs.addTab(self.pages[-1], page.title)
            self.tabs.setTabToolTip(number, page.tip)
        bar = present(self.tabs.tabBar())
        bar.setAccessibleName(_("Pages of results"))
        bar.setDrawBase(False)
        bar.setStyleSheet(_FOCUSED_TAB)
        add_widgets(QVBoxLayout(self), self.headline.top, self.tabs, spacing=8).setStretch(1, 1)
        qconnect(self.comparison.table.chosen, self._draw_selected)
        qconnect(self.tabs.currentChanged, self._open_page)
        workload = next(number for number, page in enumerate(PAGES, start=1) if "workload" in page.views)
        qconnect(self.headline.workload_opened, lambda: self.tabs.setCurrentIndex(workload))
        qconnect(findings.changed, self._on_findings)

    def show_started(self, table: str) -> None:
        self.headline.show_started(table)
        self.comparison.table.empty()
        self.comparison.panel.show_algorithms([], reason=_("The graph appears with the first result."))
        self.comparison.legend.hide()
        self._open_page(self.tabs.currentIndex())

    def show_report(self, report: Report, *, complete: bool) -> None:
        """Show the results that are finished so far. ``complete`` says that these are all."""
        self.comparison.table.set_report(report)
        self.comparison.show_legend()
        self.comparison.divide_width()
        self.headline.show_report(report, running=not complete)
        if complete:
            self._open_page(self.tabs.currentIndex())

    def copy_table(self, kind: str) -> None:
        """Put the table on the clipboard.

        Args:
            kind: "text", "markdown", or "forum" for a post that also has the headline and the graph.
        """
        table = self.comparison.table
        if table.report is not None and kind == "forum":
            self._copy_for_forum(table.report)
        elif table.report is not None:
            format_table = table_text.as_markdown if kind == "markdown" else table_text.as_text
            copy_to_clipboard(format_table(table.rows, table.metrics), _("Table copied."), self.window())

    def _copy_for_forum(self, report: Report) -> None:
        """Copy the verdict, the counts, the table and the versions as text, and the graph as an image."""
        texts, table, graph = first_screen(report, version=version), self.comparison.table, self.comparison.panel.view
        parts = (
            f"**{escape_for_markdown(texts.heading)}**",
            escape_for_markdown(paragraph(texts.numbers, *scope_sentences(report), subject_title(report))),
            table_text.as_markdown(table.rows, table.metrics).rstrip(),
            f"{report.software}, Anki {version}",
        )
        text = "\n\n".join(parts)
        if graph.has_graph:
            graph.copy_picture(text, _("Copied: the result as text, and the graph as an image."))
        else:
            copy_to_clipboard(text, _("Table copied."), self.window())

    def _on_findings(self) -> None:
        report = self._findings.report
        if report is not None and self._findings.complete:
            # Hide the link if the workload could not be simulated.
            self.headline.workload.setVisible(links_to_workload(report))

    def _open_page(self, number: int) -> None:
        for index, page in enumerate(self.pages, start=1):
            if index == number:
                page.open()
            else:
                page.pause()

    def _draw_selected(self) -> None:
        table = self.comparison.table
        rows = table.selected()
        names = [row.algorithm for row in rows if not row.result.error]
        reason = ""
        if rows and not names and rows[0].result.error:
            reason = _("{algorithm} could not be evaluated, so there is no graph: {reason}").format(
                algorithm=rows[0].label, reason=error_sentence(rows[0].result.error)
            )
        if table.report is not None:
            self.comparison.panel.show_algorithms(names, reason=reason)


def _join_lines(*texts: str) -> str:
    return "\n".join(text for text in texts if text)
