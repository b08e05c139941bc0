"""One line of progress on the terminal, which leaves nothing behind."""

from __future__ import annotations

import sys
import time
from contextlib import ExitStack
from typing import TextIO

from rich.progress import BarColumn, Progress, ProgressColumn, Task, TaskProgressColumn, TextColumn
from rich.table import Column
from rich.text import Text

from evaluator.report.sanitize import sanitize_text
from tools.output.terminal import console_of
from tools.stopping import raise_ignored

SECONDS_BETWEEN = 0.1
#: Minimum seconds before the remaining time is shown.
SECONDS_UNTIL_KNOWN = 5.0
#: Number of last seconds from which the speed is estimated.
SPEED_OF_LAST_SECONDS = 60.0


class ProgressLine(ExitStack):
    """A line with bar, percentage, words and time left, rewritten in place on a terminal.

    A context manager: however it is left, the line is gone.
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
            auto_refresh=False,  # a thread would be copied into the processes that the work starts
            speed_estimate_period=SPEED_OF_LAST_SECONDS,
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
        """Show the fraction that is done (0 to 1) and the current work, at most ten times a second.

        Raises what a signal raised meanwhile, if Python ignored it.
        """
        raise_ignored()
        now, before = _now(), self._task.description
        self._progress.update(self._task.id, completed=fraction, description=sanitize_text(words))
        if self._task.description != before or now - self._last_shown >= SECONDS_BETWEEN:
            self._last_shown = now
            self._progress.start()
            self._progress.refresh()

    def clear(self) -> None:
        """Erase the line."""
        self._progress.stop()

    def time_left(self) -> str:
        """Return the remaining time ("3 h 20 min left"), or nothing if it is not known yet."""
        return _time_left(self._task)


def _now() -> float:
    return time.monotonic()


class _TimeLeft(ProgressColumn):
    """Remaining time. rich's own column shows 3:20:00, and estimates from the first moment."""

    def render(self, task: Task) -> Text:
        return Text(_time_left(task))


def _time_left(task: Task) -> str:
    seconds = task.time_remaining
    return f"{duration(seconds)} left" if seconds and (task.elapsed or 0.0) >= SECONDS_UNTIL_KNOWN else ""


def duration(seconds: float) -> str:
    """Format a duration: "3 h 20 min"."""
    if seconds < 60:
        return f"{seconds:.0f} s"
    hours, minutes = divmod(round(seconds / 60), 60)
    return f"{hours:,} h {minutes} min" if hours else f"{minutes} min"
