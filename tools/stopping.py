"""Handling of signals, which raise an exception so that a command ends with all cleanup."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

#: Exceptions of signals that Python has ignored.
_ignored: list[KeyboardInterrupt] = []


class Ended(KeyboardInterrupt):
    """Exception of a signal that ends the command."""

    def __init__(self, number: int) -> None:
        super().__init__()
        #: Exit code by the convention of shells.
        self.code = 128 + number


def raise_ended(number: int, _frame: FrameType | None) -> None:
    """Handle a signal by raising Ended."""
    raise Ended(number)


def keep_ignored(unraisable: Any) -> None:
    """Keep an exception of a signal that Python ignores, for example in the callback of a weak reference.

    This is a ``sys.unraisablehook``.
    """
    if isinstance(unraisable.exc_value, KeyboardInterrupt):
        _ignored.append(unraisable.exc_value)
    else:
        sys.__unraisablehook__(unraisable)


def raise_ignored() -> None:
    """Raise the exception that :func:`keep_ignored` has kept, if any. Long work calls this between its steps."""
    if _ignored:
        raise _ignored.pop()
