"""All that there is to see of an evaluation: the verdict, and below it the pages, of which one is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, List, Optional, Sequence, Tuple

from aqt import colors
from aqt.qt import QFocusEvent, QSizePolicy, QStackedWidget, QTabBar, QVBoxLayout, QWidget, qconnect
from aqt.theme import theme_manager

from .. import table_text
from ..table_text import verdict_tip
from ..text import _
from ..text.errors import error_sentence
from ..text.phrases import paragraph
from ..views import PAGES
from ..views.scope import choice_sentences
from ..views.verdict import star_order_sentence, verdict_sentences
from .comparison import ComparisonPage
from .findings import Findings
from .graph_view import Draw
from .labels import Label, heading_font
from .section_page import SectionPage
from .widgets import Paragraph, copy_to_clipboard, quiet_text

if TYPE_CHECKING:
    from evaluator.report import Report


#: Anki's own tabs look like buttons.
_LOOK = """
QTabBar::tab, QTabBar::tab:first, QTabBar::tab:last, QTabBar::tab:selected, QTabBar::tab:hover {{
    background: none; border: none; border-bottom: 2px solid transparent; border-radius: 0;
    color: {quiet}; padding: 2px 2px 4px 2px; margin: 0 20px 0 0; min-width: 0;
}}
QTabBar::tab:hover {{ color: {text}; }}
QTabBar::tab:selected, QTabBar::tab:selected:hover {{ color: {text}; border-bottom: {thick}px solid {accent}; }}
"""


class Tabs(QTabBar):
    """Chooses a page, with the arrow keys or the mouse."""

    def __init__(self, titles: Sequence[Tuple[str, str]], parent: Optional[QWidget] = None) -> None:
        """``titles``: the words, and what is said of them when they are hovered over."""
        super().__init__(parent)
        self.setAccessibleName(_("Pages of results"))
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        for title, tip in titles:
            self.setTabToolTip(self.addTab(title), tip)
        self.follow_theme()

    def focusInEvent(self, event: Optional[QFocusEvent]) -> None:  # noqa: N802 - Qt's name
        """Qt: the arrow keys choose now."""
        super().focusInEvent(event)
        self.follow_theme()

    def focusOutEvent(self, event: Optional[QFocusEvent]) -> None:  # noqa: N802 - Qt's name
        """Qt: they do no longer."""
        super().focusOutEvent(event)
        self.follow_theme()

    def follow_theme(self) -> None:
        """The colours of now."""
        self.setStyleSheet(
            _LOOK.format(
                quiet=quiet_text().name(),
                text=theme_manager.var(colors.FG),
                accent=theme_manager.var(colors.BORDER_FOCUS),
                thick=4 if self.hasFocus() else 2,
            )
        )


#: Two lines of the verdict hold three sentences then.
_LETTERS_ACROSS = 190


class VerdictPanel(QWidget):
    """Always two lines or three tall, so that what stands below does not move when the answer comes."""

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.heading = Label()
        self.heading.setFont(heading_font(self))
        self.heading.setWordWrap(True)
        self.text = Paragraph(letters_across=_LETTERS_ACROSS, least_lines=2)
        self.heading.setTextInteractionFlags(self.text.textInteractionFlags())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self.heading)
        layout.addWidget(self.text)

    def show_begun(self) -> None:
        """What is being found out."""
        self.heading.setText(_("How well would each algorithm have predicted your memory?"))
        self.text.setText(
            _("Each one learns from your earlier reviews and is tested on later ones that it has not seen.")
        )
        self.text.setToolTip("")

    def show_report(self, report: Report) -> None:
        """The report's sentences."""
        sentences = verdict_sentences(report.verdict)
        self.heading.setText(sentences[0] if sentences else "")
        self.text.setText(paragraph(*sentences[1:]))
        self.text.setToolTip(verdict_tip() if len(sentences) > 1 else "")


class Results(QWidget):
    """Shows what the findings hold, and asks them for what a page needs when it is opened."""

    def __init__(self, findings: Findings, draw: Draw, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self._findings = findings
        self.verdict = VerdictPanel(self)
        titles = [(page.title, page.tip) for page in PAGES]
        self.tabs = Tabs(
            [(_("Comparison"), _("Every algorithm on the same reviews, and graphs of when each is right")), *titles],
            self,
        )
        self.stack = QStackedWidget(self)
        self.comparison = ComparisonPage(findings, draw, self.stack)
        self.pages: List[SectionPage] = [SectionPage(page, findings, draw, self.stack) for page in PAGES]
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(self.verdict)
        layout.addWidget(self.tabs)
        layout.addWidget(self.stack, 1)
        for page in (self.comparison, *self.pages):
            self.stack.addWidget(page)
        self.tabs.setVisible(bool(self.pages))
        qconnect(self.comparison.table.chosen, self._draw_chosen)
        qconnect(self.tabs.currentChanged, self._open)

    @property
    def legend(self) -> Label:
        """The lines under the table."""
        return self.comparison.legend

    def show_begun(self) -> None:
        """An evaluation has begun: nothing is known yet."""
        self.verdict.show_begun()
        self.comparison.table.clear()
        self.comparison.panel.wait()
        self.legend.hide()
        self._open(self.tabs.currentIndex())

    def show_report(self, report: Report, *, complete: bool) -> None:
        """So much is known; ``complete``: no more will come."""
        self.comparison.table.set_report(report)
        remarks = [
            star_order_sentence(report),
            table_text.footnote(report.results),
            paragraph(*choice_sentences(report.scope)),
        ]
        self.legend.setText(_lines(table_text.legend(report), *remarks))
        self.legend.setAccessibleName(_lines(*table_text.signs(report), *remarks))
        self.legend.setVisible(bool(self.legend.text()))
        if complete:
            self.verdict.show_report(report)
            self._open(self.tabs.currentIndex())

    def copy_table(self, kind: str) -> None:
        """Put the table on the clipboard, as ``text`` or as ``markdown``."""
        table = self.comparison.table
        if table.report is not None:
            written = table_text.as_markdown if kind == "markdown" else table_text.as_text
            copy_to_clipboard(written(table.report, table.shown(), table.metrics), _("Table copied."), self.window())

    def follow_theme(self) -> None:
        """The colours of now."""
        self.tabs.follow_theme()
        self.comparison.follow_theme()
        for page in self.pages:
            page.follow_theme()

    def _open(self, number: int) -> None:
        self.stack.setCurrentIndex(number)
        shown = self.stack.currentWidget()
        for page in self.pages:
            if page is shown:
                page.open()
            else:
                page.close_up()
        if self.comparison.fold.isChecked():
            self.comparison.cheating.open()

    def _draw_chosen(self) -> None:
        table = self.comparison.table
        chosen = table.selected()
        names = [result.algorithm for result in chosen if not result.error]
        reason = ""
        if chosen and not names and chosen[0].error:
            reason = _("{algorithm} could not be evaluated, so there is no graph: {reason}").format(
                algorithm=chosen[0].algorithm, reason=error_sentence(chosen[0].error)
            )
        if table.report is not None:
            self.comparison.panel.show_algorithms(names, reason=reason)


def _lines(*texts: str) -> str:
    """One below the other; empty ones are left out."""
    return "\n".join(text for text in texts if text)
