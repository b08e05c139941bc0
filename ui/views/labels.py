"""Labels of algorithms on screen. JSON, prediction files and options use the names of the catalog instead."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

from ..science import report as reports
from ..text import _

if TYPE_CHECKING:
    from evaluator.report import Report

#: Labels by name, for algorithms whose label is not their name.
LABELS = {
    reports.OWN: _("Your parameters"),
    "FSRS-6": _("FSRS-6 (as in the benchmark)"),
    "FSRS-6 optimized": _("FSRS-6 (optimized)"),
    "FSRS-6 default": _("FSRS-6 (default)"),
    "FSRS-7 optimized": _("FSRS-7 (optimized)"),
    "Anki-SM-2": _("Anki's SM-2 (as it is)"),
    reports.ADJUSTED: _("Anki's SM-2 (adjusted to you)"),
    "SM-2": _("SM-2 (1987)"),
    "Pasted": _("Pasted"),
    reports.AVERAGE: _("Guessing your running average"),
}
#: Label of the row with the user's parameters if the presets hold the default parameters.
OWN_DEFAULT = _("Your parameters (default)")
#: Labels that the user cannot give to a row.
TAKEN = {*LABELS.values(), OWN_DEFAULT} - {LABELS["Pasted"]}


def row_label(name: str, report: Optional[Report] = None) -> str:
    """Return the label of an algorithm.

    Args:
        name: name in the catalog.
        report: report that tells whether the user's parameters are the default ones.
    """
    holds_defaults = report is not None and any(
        row.algorithm == name and row.note in ("published", "published_fsrs7") for row in report.results
    )
    return OWN_DEFAULT if holds_defaults else LABELS.get(name, name)
