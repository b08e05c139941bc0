"""Messages that replace a result or stand next to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Optional, Sequence, Tuple

from aqt.qt import QHBoxLayout, QPushButton, QVBoxLayout, QWidget, qconnect

from ..anki.libraries.needs import FOLDER_NAME, IN_THE_WAY, MODULES, find_folder
from ..science import AllFiltered, EvaluatorError, report
from ..text import _, strings
from ..text.error_sentences import error_sentence
from ..text.phrases import first_of, paragraph
from ..views.labels import row_label
from .widgets import add_widgets, button, copy_to_clipboard, heading_font, selectable, wrapped

CANCELLED = _("Cancelled.")
#: Heading of errors that are not the input's fault.
UNEXPECTED = _("Something went wrong")
#: Headings of errors in the input, by code.
INPUT_HEADINGS = {
    "empty_revlog": _("No reviews yet"),
    "nothing_in_scope": _("No reviews here yet"),
    "nothing_since": _("No reviews since then"),
    "unknown_name": _("Selection no longer exists"),
    "bad_search": _("The search cannot be understood"),
    "all_filtered": _("No review can be tested"),
    "no_later_day": _("Not enough days yet"),
    "too_few_reviews": _("Not enough reviews yet"),
    "one_outcome": _("Nothing to predict yet"),
    "collection_closed": _("No collection is open"),
    "bad_option": _("A setting needs correcting"),
}


@dataclass(frozen=True)
class Message:
    """A message about something that failed."""

    heading: str
    text: str
    details: str = ""  #: error report to copy, empty if the input is at fault
    row_counts: Tuple[report.RowCount, ...] = ()  #: the rows left out for each reason
    same_day: bool = False  #: whether the same-day table could be evaluated instead


def message_for(error: BaseException, write_report: Callable[[BaseException], str]) -> Message:
    """Return the message for an error. ``write_report`` is called only if the input is not at fault."""
    if isinstance(error, EvaluatorError):
        heading = INPUT_HEADINGS.get(error.code, _("This collection cannot be evaluated"))
        row_counts = error.facts["funnel"] if isinstance(error, AllFiltered) else ()
        left_out = tuple(report.RowCount(step, "left_out", rows) for step, rows in row_counts)
        same_day = error.code == "no_later_day" and error.facts["same_day"] > 0
        return Message(heading, error_sentence(error), row_counts=left_out, same_day=same_day)
    text = _library_sentence(error)
    if text is not None:
        return Message(_("A library is missing"), text)
    return Message(
        UNEXPECTED,
        _(
            "This should not have happened; your collection was not changed. Try again. If that does not "
            "help, please report it and attach the error report."
        ),
        write_report(error),
    )


#: Message after Cancel before the first result.
NOTHING_FINISHED = Message(_("Cancelled"), _("The evaluation was stopped before the first algorithm was finished."))

#: Maximum number of algorithms to name that were not run.
_MAX_NAMES = 3


def cancelled_sentence(not_run: Sequence[str]) -> str:
    """Return the notice after Cancel. It names the algorithms that were not run."""
    return paragraph(
        CANCELLED, strings.NOT_RUN.format(names=first_of(list(map(row_label, not_run)), _MAX_NAMES)) if not_run else ""
    )


def _library_sentence(error: BaseException) -> Optional[str]:
    """Explain that a library cannot be loaded. Return None for other errors."""
    from ..anki.error_report import chain_of

    for cause in reversed(chain_of(error)):
        library = (cause.name or "").partition(".")[0] if isinstance(cause, ImportError) else ""
        if library in MODULES:
            text = _("{library} cannot be loaded ({detail}).") if str(cause) else _("{library} cannot be loaded.")
            folder = find_folder(library)
            advice = IN_THE_WAY
            if folder is None or FOLDER_NAME in folder.parts:
                advice = _(
                    "Restarting Anki may help. If it does not, close Anki, delete the folder srs_evaluator_libraries "
                    "in Anki's own folder, and let SRS Evaluator install the libraries again."
                )
            return paragraph(text.format(library=library, detail=cause), advice.format(place=folder))
    return None


class CopyDetails(QPushButton):
    """Button that copies an error report. It is hidden if there is none."""

    def __init__(self) -> None:
        super().__init__(_("Copy error report"))
        self.details = ""
        self.setAutoDefault(False)
        text = _("Error report copied. It contains no card content and no deck names.")
        qconnect(self.clicked, lambda: copy_to_clipboard(self.details, text, self))

    def offer(self, details: str) -> None:
        """Let the user copy this error report, if it is not empty."""
        self.details = details
        self.setVisible(bool(details))


class MessagePage(QWidget):
    """A heading and a text, with buttons to copy the error report and to evaluate the same-day table."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.heading = selectable(wrapped())
        self.text = selectable(wrapped())
        self.copy_button = CopyDetails()
        # Translators: A button.
        self.same_day_button = button(_("Also predict same-day reviews"))
        self.heading.setFont(heading_font(self))
        buttons = add_widgets(QHBoxLayout(), self.copy_button, self.same_day_button, None)
        column = add_widgets(QVBoxLayout(), None, self.heading, self.text, spacing=10)
        column.addLayout(buttons)
        column.addStretch(2)
        layout = add_widgets(QHBoxLayout(self), None)
        layout.addLayout(column, 4)
        layout.addStretch(1)

    def show_message(self, message: Message) -> None:
        self.heading.setText(message.heading)
        self.text.setText(message.text)
        self.copy_button.offer(message.details)
        self.same_day_button.setVisible(message.same_day)


class Notice(QWidget):
    """A sentence with a button to copy the error report. It is hidden if there is nothing to say."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.label = wrapped()
        self._copy = CopyDetails()
        add_widgets(QHBoxLayout(self), self.label, self._copy).setStretch(0, 1)
        self.hide()

    def show_text(self, text: str, *, details: str = "") -> None:
        self.label.setText(text)
        self._copy.offer(details)
        self.show()

    def clear(self) -> None:
        self.label.clear()
        self.hide()
