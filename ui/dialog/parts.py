"""What the window is made of beside its frame. To import it takes long, and is done on another thread."""

from __future__ import annotations

from .. import table_text
from ..choice import summary
from ..error_report import circumstances, counts, error_report
from ..phrases import listed, paragraph
from ..places import places
from ..scope_text import rows_line
from ..settings import read_settings, saved_config, with_algorithms, with_choices
from ..versions import versions
from . import export
from .browser import open_browser, search_of
from .chooser import Chooser
from .failures import Failure, failure_of
from .findings import Findings, Question
from .funnel import FunnelTable
from .jobs import Job, Jobs
from .message_page import MessagePage
from .notice import Notice
from .results import Results
from .run import Run
from .scope_bar import ScopeBar
from .toast import copy_to_clipboard

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
