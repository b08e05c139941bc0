"""The section of the report for which something is kept: it says what and where, and lets that be erased."""

from __future__ import annotations

from typing import Optional

from aqt.qt import QHBoxLayout, QWidget, qconnect

from ..text import _
from .findings import ASKED, KNOWN, Findings
from .graph_panel import Draw
from .section_page import SectionBlock
from .widgets import Paragraph, button, go_through, laid_out

STORED = _(
    "For this, dates, names of algorithms, their parameters and these numbers are kept on this computer, in the "
    "add-on's folder user_files: nothing of your cards, and no names of decks. Nothing of it leaves the computer."
)
ERASE, ERASE_NOW, KEEP = _("Erase this…"), _("Erase"), _("Keep")
FOR_GOOD = _("All verdicts that are kept here will be gone for good, also the one that is still open.")


class KeptSection(SectionBlock):
    """A section with what is kept for it below; erasing asks once more."""

    def __init__(self, name: str, findings: Findings, draw: Draw, *, parent: Optional[QWidget] = None) -> None:
        super().__init__(name, findings, draw, parent=parent)
        self.stored = Paragraph(quiet=True)
        self.erase = button(clicked=self._on_erase)
        self.keep = button(KEEP, clicked=lambda: self._ask(asking=False))
        self._asking = False
        self._buttons = QWidget(self)
        laid_out(QHBoxLayout(self._buttons), self.erase, self.keep, None)
        layout = self.layout()
        if layout is not None:
            layout.addWidget(self.stored)
            layout.addWidget(self._buttons)
        go_through(self.button, self.erase, self.keep)
        qconnect(findings.changed, self._show_stored)
        self._show_stored()

    def open(self) -> None:
        """The person has opened it."""
        super().open()
        self._ask(asking=False)

    def follow_theme(self) -> None:
        """Take the colours of the current theme."""
        super().follow_theme()
        self.stored.follow_theme()

    def _refresh(self) -> None:
        super()._refresh()
        report = self._findings.report
        known = self._findings.state(self._question) == KNOWN and report is not None
        if self._open and known and report is not None and not self._view.found(report):
            self.content.hide()  # nothing is kept, and why not is said below
            self._say(self._view.title, "")

    def _on_erase(self) -> None:
        if self._asking:
            self._findings.erase_kept(self.section)
        self._ask(asking=not self._asking)

    def _ask(self, *, asking: bool) -> None:
        self._asking = asking
        self._show_stored()

    def _show_stored(self) -> None:
        kept = self._findings.kept if self._findings.state(self._question) != ASKED else None
        there = kept is not None and kept.there
        words = "" if kept is None else "\n".join(filter(None, (kept.said, STORED if there else "")))
        self.stored.setText(FOR_GOOD if self._asking and there else words)
        self.stored.setVisible(bool(words))
        self.erase.setText(ERASE_NOW if self._asking else ERASE)
        self.keep.setVisible(self._asking)
        self._buttons.setVisible(there)
