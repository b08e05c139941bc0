"""Line of progress on the terminal, which is erased in the end."""

from __future__ import annotations

import sys
import time
from contextlib import ExitStack

from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn
from rich.table import Column

from tools.output.terminal import console_of
from tools.stopping import raise_ignored
from ui.text.numbers import time_left
from ui.text.sanitize import sanitize_text

#: Minimum seconds between two updates with the same words.
UPDATE_SECONDS = 0.1


class ProgressLine(ExitStack):
    """Line with bar, percentage, words and remaining time, which is updated in place on a terminal.

    It is on standard error. Leaving its ``with`` block erases it. If there is no terminal, nothing is shown.
    """

    def __init__(self) -> None:
        super().__init__()
        self.callback(self.clear)
        console = console_of(sys.stderr)
        self._progress = Progress(
            BarColumn(24 if console.width >= 80 else 8),
            TaskProgressColumn(),
            TextColumn("{task.description}", markup=False, table_column=Column(no_wrap=True, ratio=1)),
            TextColumn("{task.fields[left]}"),
            console=console,
            # The thread for automatic updates would be copied into processes that the work starts.
            auto_refresh=False,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
            disable=not console.is_terminal or console.is_dumb_terminal,
            expand=True,
        )
        self._progress.add_task("", total=1.0, left="")
        (self._task,) = self._progress.tasks
        self._started = time.monotonic()
        self._last_shown = 0.0

    def show(self, fraction: float, words: str) -> None:
        """Show the fraction that is done, from 0 to 1, and words about the current work.

        This also raises the exception of a signal that Python has ignored, see :mod:`tools.stopping`.
        """
        raise_ignored()
        now = time.monotonic()
        old_words = self._task.description
        left = time_left(now - self._started, fraction)
        self._progress.update(self._task.id, completed=fraction, description=sanitize_text(words), left=left)
        if self._task.description != old_words or now - self._last_shown >= UPDATE_SECONDS:
            self._last_shown = now
            self._progress.start()
            self._progress.refresh()

    def clear(self) -> None:
        """Erase the line."""
        self._progress.stop()
