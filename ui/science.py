"""The windows' access to the modules of ``evaluator`` that need no NumPy: errors, the report, confidence intervals.

It is separate from :mod:`ui.engine`, because the window opens before NumPy is loaded.

Inside Anki the add-on is a package whose name is a number, so ``evaluator`` and ``ui`` are siblings in it, and only a
relative import finds ``evaluator``. In tests and tools, which have the checkout's root on the path, it is a top-level
package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .scope_access import SAME_DAY_TABLE, WHOLE_COLLECTION, WHOLE_DAY_TABLE, ScopeChoice

if TYPE_CHECKING or __package__ == "ui":
    from evaluator import __version__, interval, report
    from evaluator.errors import (
        AllFiltered,
        BadOption,
        BadSearch,
        CollectionClosed,
        EvaluatorError,
        OptimizerFailed,
        SearchTooDeep,
        TooManyRows,
    )
    from evaluator.progress import SILENT, Cancelled, Progress
else:
    from ..evaluator import __version__, interval, report
    from ..evaluator.errors import (
        AllFiltered,
        BadOption,
        BadSearch,
        CollectionClosed,
        EvaluatorError,
        OptimizerFailed,
        SearchTooDeep,
        TooManyRows,
    )
    from ..evaluator.progress import SILENT, Cancelled, Progress
