"""Page of sections of the report, which show their blocks or a message that says why there are none."""

from __future__ import annotations

from typing import TYPE_CHECKING, List, Optional

from aqt.qt import QHBoxLayout, QLineEdit, Qt, QVBoxLayout, QWidget, qconnect

from ..scope_access import SAME_DAY_TABLE
from ..text import _, strings
from ..text.phrases import paragraph
from ..views import Page, load
from ..views.first_screen import DETAILS
from .graph_panel import NewView
from .result_store import FAILED, PENDING, READY, STOPPED, UNASKED, ResultStore, SectionRequest
from .text_table import TextTable
from .widgets import (
    CHARACTERS_PER_LINE,
    FoldButton,
    Label,
    Paragraph,
    ScrolledPage,
    add_widgets,
    bold,
    button,
    character_width,
    set_tab_order,
    wrapped,
)

if TYPE_CHECKING:
    from evaluator.report import Report

    from ..views.view import Block

SECTION_WORKING = _("Calculating…")
SECTION_FAILED = _("This could not be calculated.")

#: Height of a graph in lines of text.
_GRAPH_LINES = 21
#: Pixels between two blocks or sections.
_SPACING = 28


class SectionBlock(QWidget):
    """A section, which is requested when its page is opened or, if it takes long, when its button is clicked."""

    def __init__(self, name: str, results: ResultStore, new_view: NewView, parent: QWidget) -> None:
        super().__init__(parent)
        self._view = load(name)
        self.section = self._view.section
        self._request = SectionRequest(self.section)
        self._results = results
        self._new_view = new_view
        self._open = False
        self._shown: Optional[List[Block]] = None
        self.message = Paragraph()
        self.button = button(clicked=lambda: results.request_results([self._request], again=True))
        self.content = QWidget(self)
        self._column = add_widgets(QVBoxLayout(self.content), spacing=_SPACING)
        self._items: List[QWidget] = []
        self._heading = heading()
        layout = add_widgets(QVBoxLayout(self), self._heading, self.message, spacing=6)
        layout.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addWidget(self.content)
        # The field for searches. Enter computes the section with these searches.
        self.searches = QLineEdit()
        # Translators: Two searches of Anki's browser, as an example.
        self.searches.setPlaceholderText(_("note:Cloze; note:Basic"))
        self.searches.setAccessibleName(self._view.searches)
        self._searches_row = QWidget(self)
        self._searches_row.setMaximumWidth(CHARACTERS_PER_LINE * character_width(self))
        add_widgets(QHBoxLayout(self._searches_row), Label(self._view.searches), self.searches, spacing=8)
        layout.addWidget(self._searches_row)
        layout.addStretch(1)
        qconnect(self.searches.returnPressed, self._split_by_searches)
        qconnect(results.changed, self._refresh)

    def _split_by_searches(self) -> None:
        if not self.searches.isReadOnly():
            searches = [search.strip() for search in self.searches.text().split(";")]
            self._results.request_split(self._request, [search for search in searches if search])

    def open(self) -> None:
        """Request the contents when the user opens the page."""
        self._open = True
        if self._results.complete and not self._waits_for_click():
            self._results.request_results([self._request])
        self._refresh()

    def pause(self) -> None:
        """Stop reacting to changes when the user leaves the page."""
        self._open = False

    def _waits_for_click(self) -> bool:
        """Return whether the section takes so long that it is computed only on a click."""
        from .. import engine

        section = engine.SECTIONS.get(self.section)
        report = self._results.report
        if section is None or report is None or (section.whole_day_only and report.scope.table == SAME_DAY_TABLE):
            return False
        return section.slow and report.scope.reviews > self._view.max_unasked

    def _refresh(self) -> None:
        """Show the blocks of the section, or a message that says why there are none."""
        if not self._open:
            return
        state = self._results.state(self._request)
        report = self._results.report
        self._searches_row.setVisible(bool(self._view.searches) and self._results.complete and self._waits_for_click())
        self.searches.setReadOnly(state == PENDING)
        if report is not None and (state == READY or (state == PENDING and self._view.result(report))):
            self._show(report)
            return
        self.content.hide()
        self._heading.show()
        self.message.show()
        if not self._results.complete:
            self._show_message("", _("The evaluation is still running. This appears once it is done."))
            return
        title = self._view.title
        if state == FAILED:
            self._show_message(title, SECTION_FAILED, _("Try again"))
        elif state == STOPPED:
            self._show_message(title, _("Stopped before this was calculated."), strings.CALCULATE)
        elif state == UNASKED and self._waits_for_click():
            effort = _("This may take longer than the evaluation did. You can keep reading in the meantime.")
            self._show_message(title, paragraph(self._view.effort, effort), strings.CALCULATE)
        else:
            self._show_message(title, SECTION_WORKING)
            if state == UNASKED:
                self._results.request_results([self._request])

    def _show_message(self, title: str, message: str, action: str = "") -> None:
        """Show a message instead of the blocks, with a button for the action if there is one."""
        self._heading.setText(title)
        self._heading.setVisible(bool(title))
        self.message.setText(message)
        self.button.setText(action)
        self.button.setVisible(bool(action))

    def _show(self, report: Report) -> None:
        """Show the section's blocks, unless they are already shown."""
        blocks = self._view.of(report)
        if blocks != self._shown:
            self._shown = blocks
            for widget in self._items:
                widget.hide()
                widget.deleteLater()
            self._items = [self._build_block(block) for block in blocks]
            for widget in self._items:
                self._column.addWidget(widget)
            children = [child for widget in self._items for child in widget.findChildren(QWidget)]
            focusable = [child for child in children if child.focusPolicy() & Qt.FocusPolicy.TabFocus]
            set_tab_order(self.button, *focusable, self.searches)
        for widget in (self._heading, self.message, self.button):
            widget.hide()
        self.content.show()

    def _build_block(self, block: Block) -> QWidget:
        """Create the widget of a block. Below a graph, the table is folded."""
        item = QWidget(self.content)
        column = add_widgets(QVBoxLayout(item), spacing=6)
        column.addWidget(heading(block.heading))
        if block.caption:
            column.addWidget(Paragraph(block.caption))
        if block.chart is not None:
            view = self._new_view()
            view.setFixedHeight(_GRAPH_LINES * self.fontMetrics().lineSpacing())
            view.show_graph(block)
            column.addWidget(view)
        if block.table.rows:
            table = TextTable(item, in_page=True)
            table.show_table(block.table, block.heading)
            if block.chart is not None or block.folded:
                fold = FoldButton(_("Numbers"))
                qconnect(fold.toggled, table.setVisible)
                column.addWidget(fold)
                table.hide()
            column.addWidget(table)
        for note in block.notes:
            column.addWidget(Paragraph(note))
        if block.details:
            fold = FoldButton(DETAILS)
            details = Paragraph(paragraph(*block.details))
            qconnect(fold.toggled, details.setVisible)
            column.addWidget(fold)
            column.addWidget(details)
            details.hide()
        return item


def heading(text: str = "") -> Label:
    """Create a label in bold."""
    label = wrapped(text)
    label.setFont(bold(label.font()))
    return label


class SectionPage(ScrolledPage):
    """A page of sections. Its widgets are created when it is first opened, which also requests the sections."""

    def __init__(self, page: Page, results: ResultStore, new_view: NewView) -> None:
        super().__init__()
        self.page = page
        self._results = results
        self._new_view = new_view
        self.blocks: List[SectionBlock] = []
        self.setAccessibleName(page.title)

    def _build(self) -> None:
        inside = QWidget(self)
        self.blocks = [SectionBlock(name, self._results, self._new_view, inside) for name in self.page.views]
        add_widgets(QVBoxLayout(inside), *self.blocks, None, margins=(4, 8, 4, 4), spacing=_SPACING)
        self.setWidget(inside)
        set_tab_order(self, *(item for block in self.blocks for item in (block.button, block.searches)))

    def open(self) -> None:
        """Show the page, and request its sections."""
        if not self.blocks:
            self._build()
        # While the evaluation runs, the message of the first section is enough.
        for block in self.blocks[1:]:
            block.setVisible(self._results.complete)
        # Open the first section last, because the latest request is computed first.
        for block in reversed(self.blocks):
            block.open()

    def pause(self) -> None:
        for block in self.blocks:
            block.pause()
