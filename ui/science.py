"""The access of the windows to ``evaluator`` for what needs no NumPy: errors, the report, intervals.

It is apart from :mod:`ui.engine`, because the window opens before NumPy is there.
Inside Anki the add-on is a package whose name is a number, so the evaluator is a sibling of ``ui`` and is reached by a
relative import. With the checkout's root on the path, as in tests and tools, ``evaluator`` is next to ``ui``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .scope import SAME_DAY_TABLE, WHOLE_COLLECTION, WHOLE_DAY_TABLE, ScopeChoice

if TYPE_CHECKING or __package__ == "ui":
    from evaluator import __version__, interval, report
    from evaluator.errors import AllFiltered, BadOption, CollectionClosed, EvaluatorError
    from evaluator.progress import SILENT, Cancelled, Progress
    from evaluator.report.sanitize import elide_middle, escape_for_markdown, escape_for_spreadsheet, sanitize_text
else:
    from ..evaluator import __version__, interval, report
    from ..evaluator.errors import AllFiltered, BadOption, CollectionClosed, EvaluatorError
    from ..evaluator.progress import SILENT, Cancelled, Progress
    from ..evaluator.report.sanitize import elide_middle, escape_for_markdown, escape_for_spreadsheet, sanitize_text
