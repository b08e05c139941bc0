"""Which preset to optimize: how accurate each one was, and what optimizing it would change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional, Tuple

from ..text import _, strings
from ..text.numbers import decimals
from ..text.phrases import whole, with_interval
from .group_cells import GROUP_NAMES, name_of
from .headline import recall_ends, recall_shares
from .view import Block, Column, Table

if TYPE_CHECKING:
    from evaluator.report import PresetInUse, Report

#: By the code of the advice.
WHAT_TO_DO = {
    "optimize": _("optimize"),
    "desired_retention": _("set the desired retention to {new}"),
    "optimize_if_you_like": _("optimize if you like"),
    "nothing": _("nothing"),
    "keep_on": _("leave"),
}
SEEN = _("† The real error may be larger, because FSRS may have been optimized on these same reviews.")
RETRAINED = _("‡ FSRS, had it been optimized regularly; the preset's own parameters could not be tested.")
_MARKS = {"seen": "†", "retrained": "‡"}

COLUMNS = (
    Column(GROUP_NAMES["preset"], number=False),
    Column(strings.CHART_COUNTS, _("Number of scored reviews.")),
    Column(
        _("When FSRS said"),
        _("The preset's desired retention, or the mean prediction if too few predictions were near it."),
    ),
    Column(_("You remembered"), _("With the 95% interval.")),
    Column(
        _("Optimizing changes"),
        _("Mean change of the predictions by optimizing now, in percentage points. Empty if it is not known."),
    ),
    Column(_("Last changed"), _("When one of the preset's options was last saved.")),
    Column(_("What to do"), number=False),
)


def preset_table(report: Report) -> Optional[Block]:
    """Return a row for each preset with enough scored reviews, or None if FSRS is off or not known to be on."""
    if not report.presets:
        return None
    sources = {preset.accuracy.source for preset in report.presets}
    notes = (SEEN if "seen" in sources else "", RETRAINED if "retrained" in sources else "")
    return Block(
        "presets",
        _("Which preset to optimize?"),
        table=Table(COLUMNS, tuple(map(_row, report.presets))),
        notes=tuple(filter(None, notes)),
    )


def _row(preset: PresetInUse) -> Tuple[str, ...]:
    accuracy, said, remembered = preset.accuracy, strings.NO_VALUE, strings.NO_VALUE
    if accuracy.source is not None:
        said, recalled = recall_shares(accuracy, accuracy.recall).values()
        remembered = with_interval(recalled, *recall_ends(accuracy, accuracy.recall))
        remembered += _MARKS.get(accuracy.source, "")
    change = "" if preset.change is None else _("{points} points").format(points=decimals(100 * preset.change, 1))
    advice = WHAT_TO_DO.get(preset.advice or "", "")
    if preset.suggested_retention is not None:
        advice = advice.format(new=f"{100 * preset.suggested_retention:.0f}%")
    return (
        name_of(preset.preset_id, preset.name),
        whole(preset.reviews),
        said,
        remembered,
        change,
        preset.changed or strings.NO_VALUE,
        advice,
    )
