"""Labels of rows on screen. JSON, prediction files and options keep the catalog's names."""

from __future__ import annotations

from ..science import report
from ..text import _

LABELS = {
    "Your parameters": _("Your parameters"),
    "FSRS-6": _("FSRS-6 (optimized)"),
    "FSRS-6 default": _("FSRS-6 (default)"),
    "Anki-SM-2": _("Anki's SM-2"),
    "Anki-SM-2 calibrated": _("Anki's SM-2 (adjusted to you)"),
    "SM-2": _("SM-2 (1987)"),
    report.AVERAGE: _("Always your average"),
}


def row_label(name: str) -> str:
    """Return the label of the row of this name; by default its name."""
    return LABELS.get(name, name)
