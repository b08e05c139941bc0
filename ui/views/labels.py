"""Labels of algorithms on screen. JSON, prediction files and options have the names of the catalog."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

from ..science import report as reports
from ..text import _

if TYPE_CHECKING:
    from evaluator.report import Report

LABELS = {
    reports.OWN: _("Your parameters"),
    "FSRS-6 optimized": _("FSRS-6 (optimized)"),
    "FSRS-6 default": _("FSRS-6 (default)"),
    "FSRS-7 optimized": _("FSRS-7 (optimized)"),
    "Anki-SM-2": _("Anki's SM-2"),
    reports.ADJUSTED: _("Anki's SM-2 (adjusted to you)"),
    "SM-2": _("SM-2 (1987)"),
    reports.AVERAGE: _("Always your average"),
}
#: Label of the user's own row if the presets hold the default parameters, and the notes on such rows.
OWN_DEFAULT, _HOLD_DEFAULTS = _("Your parameters (default)"), ("published", "published_fsrs7")


def row_label(name: str, report: Optional[Report] = None) -> str:
    """Return the label of an algorithm. The report shows whether the user's own row has the default parameters."""
    holds_defaults = report is not None and any(
        row.algorithm == name and row.note in _HOLD_DEFAULTS for row in report.results
    )
    return OWN_DEFAULT if holds_defaults else LABELS.get(name, name)
