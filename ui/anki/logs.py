"""The add-on's own log file, in Anki's log folder. An error that is printed would open Anki's error window."""

from __future__ import annotations


def log_error(message: str, *values: object) -> None:
    """Write an error to the add-on's log, with the values for each ``%s`` of the message."""
    from aqt import mw

    mw.addonManager.get_logger(__name__).error(message, *values)
