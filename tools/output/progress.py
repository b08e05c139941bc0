"""Line of progress on the terminal, which is erased in the end."""

from __future__ import annotations

import sys
import time
from contextlib import ExitStack
from typing import TextIO

from rich.progress import BarColumn, Progress, ProgressColumn, Task, TaskProgressColumn, TextColumn
from rich.table import Column
from rich.text import Text

from tools.output.terminal import console_of
from tools.stopping import raise_ignored
from ui.text.sanitize import sanitize_text

#: Minimum seconds between two updates with the same words.
UPDATE_SECONDS = 0.1
#: Seconds after which the remaining time is shown.
SECONDS_UNTIL_ESTIMATE = 5.0
#: Length in seconds of the last period from which the speed is estimated.
SPEED_PERIOD = 60.0


class ProgressLine(ExitStack):
    """Line with bar, percentage, words and remaining time, which is updated in place on a terminal.

    Leaving its ``with`` block erases it. If the stream is not a terminal, nothing is shown.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        super().__init__()
        self.callback(self.clear)
        console = console_of(stream or sys.stderr)
        self._progress = Progress(
            BarColumn(24 if console.width >= 80 else 8),
            TaskProgressColumn(),
            TextColumn("{task.description}", markup=False, table_column=Column(no_wrap=True, ratio=1)),
            _TimeLeft(),
            console=console,
            # The thread for automatic updates would be copied into processes that the work starts.
            auto_refresh=False,
            speed_estimate_period=SPEED_PERIOD,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
            get_time=_now,
            disable=not console.is_terminal or console.is_dumb_terminal,
            expand=True,
        )
        self._progress.add_task("", total=1.0)
        (self._task,) = self._progress.tasks
        self._last_shown = 0.0

    def show(self, fraction: float, words: str) -> None:
        """Show the fraction that is done, from 0 to 1, and words about the current work.

        This is also where an exception of a signal is raised that Python has ignored, see :mod:`tools.stopping`.
        """
        raise_ignored()
        now = _now()
        old_words = self._task.description
        self._progress.update(self._task.id, completed=fraction, description=sanitize_text(words))
        if self._task.description != old_words or now - self._last_shown >= UPDATE_SECONDS:
            self._last_shown = now
            self._progress.start()
            self._progress.refresh()

    def clear(self) -> None:
        """Erase the line."""
        self._progress.stop()

    def time_left(self) -> str:
        """Return the remaining time, as in "3 h 20 min left", or nothing if there is no estimate yet."""
        return _time_left(self._task)


def _now() -> float:
    return time.monotonic()


class _TimeLeft(ProgressColumn):
    """Column of the remaining time. Unlike rich's own, it shows units, and waits before the first estimate."""

    def render(self, task: Task) -> Text:
        return Text(_time_left(task))


def _time_left(task: Task) -> str:
    seconds = task.time_remaining
    return f"{duration(seconds)} left" if seconds and (task.elapsed or 0.0) >= SECONDS_UNTIL_ESTIMATE else ""


def duration(seconds: float) -> str:
    """Format a duration, as in "3 h 20 min"."""
    if seconds < 60:
        return f"{seconds:.0f} s"
    hours, minutes = divmod(round(seconds / 60), 60)
    return f"{hours:,} h {minutes} min" if hours else f"{minutes} min"
