"""One line on the terminal that says how far the work is, and leaves nothing behind."""

from __future__ import annotations

import shutil
import sys
import time
from types import TracebackType
from typing import Self, TextIO

from evaluator.names import harmless

BAR = 24
SECONDS_BETWEEN = 0.1


class ProgressLine:
    """A line with bar, percentage and words, rewritten in place; nothing at all where the stream is no terminal.

    A context manager: however it is left, the line is gone.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._visible = self._stream.isatty()
        self._last_shown = 0.0
        self._last_words = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.clear()

    def show(self, fraction: float, words: str) -> None:
        """Show that ``fraction`` (0 to 1) is done, and what is being done; at most ten times a second."""
        now = time.monotonic()
        if not self._visible or (words == self._last_words and now - self._last_shown < SECONDS_BETWEEN):
            return
        self._last_shown, self._last_words = now, words
        full = round(BAR * min(max(fraction, 0.0), 1.0))
        line = f"[{'=' * full}{' ' * (BAR - full)}] {fraction:4.0%}  {harmless(words)}"
        self._write("\r\x1b[K" + line[: shutil.get_terminal_size().columns - 1])

    def clear(self) -> None:
        """Take the line away."""
        if self._visible and self._last_words:
            self._last_words = ""
            self._write("\r\x1b[K")

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()
