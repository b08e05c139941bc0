"""The windows' access to :mod:`evaluator.scope`, which names the cards and the table to evaluate.

It is separate from :mod:`ui.science`, because the window shows its frame before that imports the whole report.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING or __package__ == "ui":
    from evaluator.scope import SAME_DAY_TABLE, WHOLE_COLLECTION, WHOLE_DAY_TABLE, ScopeChoice
else:
    from ..evaluator.scope import SAME_DAY_TABLE, WHOLE_COLLECTION, WHOLE_DAY_TABLE, ScopeChoice
