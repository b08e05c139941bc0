"""Dialog that offers to install NumPy and matplotlib."""

from __future__ import annotations

import html
import threading
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Callable, Dict, Optional

import aqt
from aqt import gui_hooks
from aqt.qt import QCloseEvent, QDialog, QHBoxLayout, Qt, QVBoxLayout, qconnect
from aqt.utils import disable_help_button

from ..anki.error_report import INSTALLED, error_report, versions
from ..anki.libraries import install, needs
from ..anki.libraries.failures import InstallFailed
from ..anki.libraries.lock_files import Lock, platform_here, python_here
from ..anki.logs import log_error
from ..science import Progress
from ..text import _, strings
from ..text.phrases import paragraph
from .jobs import Job, Jobs
from .messages import CopyDetails
from .widgets import ProgressBar, add_widgets, button, follow_language, heading_font, selectable, wrapped

if TYPE_CHECKING:
    from aqt.main import AnkiQt

TITLE = _("Libraries for SRS Evaluator")
EXPLANATION = _("SRS Evaluator calculates with NumPy and draws with matplotlib, which do not come with Anki.")
# Translators: The letter after & is pressed together with Alt: each letter once, or without one.
INSTALL = _("&Install")
NOT_NOW = _("&Not now")
CANCELLED = _("Cancelled. Nothing was installed.")

_WIDTH = 600
#: Lock that is held during an installation, because a cancelled one may run for another moment.
_ONE_AT_A_TIME = threading.Lock()


class LibrariesDialog(QDialog):
    """Dialog that offers to install the libraries. Once they are installed, it closes and calls ``then``."""

    #: Whether Anki's dialog manager may close it without asking the user.
    silentlyClose = True  # noqa: N815 - Anki's name

    def __init__(self, mw: AnkiQt, key: str, then: Callable[[], None]) -> None:
        super().__init__(mw, Qt.WindowType.Window)
        self._mw = mw
        self._key = key
        self._then = then
        self._base = Path(mw.pm.base)
        self._lock = install.lock_here()
        self._jobs = Jobs(mw, self)
        self._job: Optional[Job] = None  # the running installation, unless the user has cancelled it
        self._shut = False
        self._build()
        qconnect(self._jobs.progress, self._show_progress)
        gui_hooks.profile_will_close.append(self._stop)
        mw.garbage_collect_on_dialog_finish(self)
        self._show_offer(install.obstacle() or "")
        self.show()

    # --- building -----------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        self.setWindowTitle(TITLE)
        self.setObjectName(self._key)
        disable_help_button(self)
        follow_language(self)
        heading = selectable(wrapped(_("Two libraries are needed first")))
        heading.setFont(heading_font(self))
        self.text = selectable(wrapped())
        self.status = selectable(wrapped())
        self.text.setTextFormat(Qt.TextFormat.RichText)
        self.bar = ProgressBar(TITLE)
        self.details = CopyDetails()
        status_row = add_widgets(QHBoxLayout(), self.status, self.details)
        status_row.setStretch(0, 1)
        self._layout = add_widgets(QVBoxLayout(self), heading, self.text, margins=(18, 16, 18, 14), spacing=12)
        self._layout.addLayout(status_row)
        self._layout.addWidget(self.bar)
        self._layout.addStretch(1)
        self.install_button = button(INSTALL, self.begin)
        self.install_button.setDefault(True)
        self.close_button = button(NOT_NOW, self.reject)
        self._layout.addLayout(add_widgets(QHBoxLayout(), None, self.close_button, self.install_button))

    # --- display ------------------------------------------------------------------------------------------------------

    def _show_offer(self, sentence: str, *, again: bool = False, details: str = "") -> None:
        """Offer to install the libraries, unless that is impossible.

        Args:
            sentence: text below the explanation. By default, it is the question whether to install.
            again: whether to offer another attempt after a failure.
            details: error report for the user to copy.
        """
        is_possible = install.obstacle() is None
        self.text.setText(_explanation(self._lock if is_possible else None, self._base))
        self.details.offer(details)
        self.status.setText(sentence or _("Install them?"))
        self.bar.hide()
        self.install_button.setText(_("Try &again") if again else INSTALL)
        self.install_button.setVisible(is_possible)
        self.close_button.setText(NOT_NOW if is_possible else strings.CLOSE)
        self._fit()
        (self.install_button if is_possible else self.close_button).setFocus()

    def _show_running(self) -> None:
        self.bar.show()
        self.install_button.hide()
        self.details.hide()
        self.close_button.setText(strings.CANCEL)
        self._show_progress(strings.LOOKING_UP_FILES, 0.0)
        self._fit()

    def _show_progress(self, text: str, fraction: float) -> None:
        self.status.setText(text)
        self.bar.show_fraction(fraction)

    def _fit(self) -> None:
        """Resize the dialog to the size that its texts and buttons need."""
        self._layout.activate()
        width = max(_WIDTH, self._layout.totalMinimumSize().width())
        self.setFixedSize(width, self._layout.totalHeightForWidth(width))

    # --- installing ---------------------------------------------------------------------------------------------------

    def begin(self) -> None:
        self._show_running()
        self._job = Job(strings.LOOKING_UP_FILES, self._install, lambda _none: self._finish(), self._fail)
        self._jobs.add(self._job)

    def _install(self, job: Job, progress: Progress) -> None:
        """Install the libraries, unless an attempt that the user cancelled has done so after all."""
        with _ONE_AT_A_TIME:
            if not needs.are_ready(self._base):
                install.install(self._base, Progress(partial(self._record_progress, job, progress)))

    def _record_progress(self, job: Job, progress: Progress, fraction: float, text: str, *_unused: object) -> None:
        job.title = text or job.title
        progress(fraction)

    def _finish(self) -> None:
        self._stop()
        self.accept()
        self._then()

    def _fail(self, error: BaseException) -> None:
        """Log why the installation failed, and offer another attempt with an error report to copy."""
        fraction = self._job.fraction if self._job is not None else 0.0
        self._stop()
        failure = error if isinstance(error, InstallFailed) else InstallFailed(strings.INSTALLATION_FAILED)
        facts: Dict[str, object] = {"at": f"{fraction:.0%}", "for": f"{python_here()} on {platform_here()}"}
        if self._lock is not None:
            facts["libraries"] = ", ".join(self._lock.pins)
        details = error_report(error, versions(), facts, about=INSTALLED, messages=failure.messages)
        log_error("the libraries were not installed: %s\n%s", failure.sentence, details)
        self._show_offer(failure.sentence, again=True, details=details)

    def _stop(self) -> None:
        self._job = None
        self._jobs.stop()

    # --- closing ------------------------------------------------------------------------------------------------------

    def reopen(self, then: Callable[[], None]) -> None:
        """Anki: set what to open after the installation, when a menu item is clicked while the dialog is open."""
        self._then = then

    def reject(self) -> None:
        """Qt: cancel a running installation, otherwise close the dialog, after Esc or a click on the close button."""
        if self._job is not None:
            # Show this at once, although pip stops only at its next step, and then cleans up.
            self._stop()
            self._show_offer(CANCELLED, again=True)
        else:
            self.done(QDialog.DialogCode.Rejected)

    def done(self, result: int) -> None:
        """Qt: end an installation, and let Anki open another dialog."""
        if not self._shut:
            self._shut = True
            self._stop()
            gui_hooks.profile_will_close.remove(self._stop)
            aqt.dialogs.markClosed(self._key)
        super().done(result)

    def closeEvent(self, event: Optional[QCloseEvent]) -> None:  # noqa: N802 - Qt's name
        """Qt: close the dialog even during an installation."""
        self.done(QDialog.DialogCode.Rejected)
        super().closeEvent(event)


def _explanation(lock: Optional[Lock], base: Path) -> str:
    """Explain as HTML which libraries are needed, and if there is a lock, what an installation does.

    Args:
        lock: the libraries to install, or None if they cannot be installed.
        base: Anki's folder.
    """
    if lock is None:
        return f"<p>{EXPLANATION}</p>"
    megabytes = lock.download_bytes / install.MEGABYTE
    paragraphs = [
        paragraph(
            EXPLANATION, _("They can be installed now for this add-on only; Anki and other add-ons are not changed.")
        ),
        # Translators: What is between <b> and </b> is bold.
        _(
            "<b>Download:</b> {megabytes:.0f} MB, from the Python Package Index (PyPI), where the libraries are "
            "published."
        ).format(megabytes=megabytes),
        _("<b>Checked:</b> each file must be, bit for bit, the one that this add-on was tested with."),
        _("<b>On your disk:</b> about {megabytes:.0f} MB, in {folder}.").format(
            megabytes=megabytes * install.INSTALLED_RATIO, folder=html.escape(str(base / needs.FOLDER_NAME))
        ),
        _("This is the only time that SRS Evaluator uses the network. None of your data is sent."),
    ]
    return "".join(f"<p>{text}</p>" for text in paragraphs)
