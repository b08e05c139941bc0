"""Signals that end a command, so that everything is tidied up."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

_ignored: list[KeyboardInterrupt] = []


class Ended(KeyboardInterrupt):
    """Raised by a signal that ends the command."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.code = 128 + number  #: the exit code, by the convention of shells


def end(number: int, _frame: FrameType | None) -> None:
    """Handle a signal. Raises Ended."""
    raise Ended(number)


def keep_ignored(unraisable: Any) -> None:
    """Stand in for ``sys.unraisablehook``: Python ignores what is raised in the callback of a weak reference."""
    if isinstance(unraisable.exc_value, KeyboardInterrupt):
        _ignored.append(unraisable.exc_value)
    else:
        sys.__unraisablehook__(unraisable)


def raise_ignored() -> None:
    """Raise what :func:`keep_ignored` has kept, if anything. Long work calls this between its steps."""
    if _ignored:
        raise _ignored.pop()
