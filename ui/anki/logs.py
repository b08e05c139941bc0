"""The add-on's own log file. Nothing here ever writes to stderr, which Anki would show as an error window."""

from __future__ import annotations

import logging
from contextlib import suppress


def log_error(message: str, *values: object) -> None:
    """Write to the add-on's own log file in Anki's folder for logs.

    Where it cannot be written, on a full disk for one, Python would say so on stderr; there it is left unwritten.
    """
    from aqt import mw

    before = logging.raiseExceptions
    logging.raiseExceptions = False
    try:
        with suppress(OSError):  # the first time, Anki makes the file
            mw.addonManager.get_logger(__name__).error(message, *values)
    finally:
        logging.raiseExceptions = before
