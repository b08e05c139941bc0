"""The scope: whose reviews are evaluated, and which. The menu needs it before the window opens, so it does not go
through :mod:`ui.science`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING or __package__ == "ui":
    from evaluator.scope import SAME_DAY_TABLE, WHOLE_COLLECTION, WHOLE_DAY_TABLE, ScopeChoice
else:
    from ..evaluator.scope import SAME_DAY_TABLE, WHOLE_COLLECTION, WHOLE_DAY_TABLE, ScopeChoice
