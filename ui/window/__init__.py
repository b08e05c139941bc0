"""The window inside Anki."""

from __future__ import annotations
