"""The add-on's own log file, in Anki's folder for logs. Anki would show an error window for a word on stderr."""

from __future__ import annotations


def log_error(message: str, *values: object) -> None:
    """Write an error to the add-on's log."""
    from aqt import mw

    mw.addonManager.get_logger(__name__).error(message, *values)
