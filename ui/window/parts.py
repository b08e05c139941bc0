"""What the window is made of beside its frame. To import it takes long, and is done on another thread."""

from __future__ import annotations

from .. import table_text
from ..anki.error_report import circumstances, counts, error_report, versions
from ..anki.settings import read_settings, saved_config, with_algorithms, with_choices
from ..choice import summary
from ..scope_text import rows_line
from ..text.phrases import listed, paragraph
from ..views.metrics import columns
from . import export
from .chooser import Chooser
from .findings import Findings, Question
from .funnel import FunnelTable
from .jobs import Job, Jobs
from .messages import Failure, MessagePage, Notice, failure_of
from .places import open_browser, places, search_of
from .results import Results
from .run import Run
from .scope_bar import ScopeBar
from .widgets import copy_to_clipboard

__all__ = [
    "Chooser",
    "Failure",
    "Findings",
    "FunnelTable",
    "Job",
    "Jobs",
    "MessagePage",
    "Notice",
    "Question",
    "Results",
    "Run",
    "ScopeBar",
    "circumstances",
    "columns",
    "copy_to_clipboard",
    "counts",
    "error_report",
    "export",
    "failure_of",
    "listed",
    "open_browser",
    "paragraph",
    "places",
    "read_settings",
    "rows_line",
    "saved_config",
    "search_of",
    "summary",
    "table_text",
    "versions",
    "with_algorithms",
    "with_choices",
]
