"""Whose reviews are evaluated. The menu needs it before the window opens, so the door is not :mod:`ui.science`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING or __package__ == "ui":
    from evaluator.scope import WHOLE_COLLECTION, ScopeChoice
else:
    from ..evaluator.scope import WHOLE_COLLECTION, ScopeChoice

__all__ = ["WHOLE_COLLECTION", "ScopeChoice"]
