"""The add-on's own log file. Nothing here ever writes to stderr, which Anki would show as an error window."""

from __future__ import annotations

import logging


def logger() -> logging.Logger:
    """Anki's log for this add-on: a file of its own in Anki's folder for logs."""
    from aqt import mw

    return mw.addonManager.get_logger(__name__)
