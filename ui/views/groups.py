"""The accuracy of the algorithms in each preset and in each deck."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, Optional, Sequence, Tuple

from ..science import interval
from ..text import _, strings
from ..text.errors import error_sentence
from ..text.numbers import decimals
from ..text.phrases import integer, with_interval
from .cells import percent
from .group_cells import GROUP, GROUP_NAMES, GROUPS, group_columns, group_name, listed_groups, off_by, small_note
from .headline import recall_ends, recall_shares
from .labels import row_label
from .view import ALGORITHM, COMPARISON_CODES, Block, Column, Table, View

if TYPE_CHECKING:
    from evaluator.report import PresetInUse, Report
    from evaluator.sections.groups import Group, Grouping


#: Short advice for a preset, by code.
WHAT_TO_DO = {
    "optimize": _("optimize"),
    "desired_retention": _("set the desired retention to {new}"),
    "optimize_if_you_like": _("optimize if you like"),
    "nothing": _("nothing"),
    "keep_on": _("leave"),
}
#: Mark in a cell, and note on it, by the source of the parameters that were tested.
PRESET_NOTES = {
    "seen": ("†", _("† The real error may be larger, because FSRS may have been optimized on these same reviews.")),
    "retrained": ("‡", _("‡ FSRS, had it been optimized regularly; the preset's own parameters could not be tested.")),
}

PRESET_COLUMNS = (
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


def blocks(groupings: Sequence[Grouping], report: Report, _names: Sequence[str]) -> Iterator[Block]:
    """Yield the table of advice for each preset, then a table for each kind of groups."""
    table = preset_table(report)
    if table is not None:
        yield table
    yield from (block(grouping, report) for grouping in groupings)


def preset_table(report: Report) -> Optional[Block]:
    """Return the table of advice for each preset. It is None if the report has no presets that run FSRS."""
    if not report.presets:
        return None
    sources = {preset.accuracy.source for preset in report.presets}
    return Block(
        "presets",
        _("Which preset to optimize?"),
        table=Table(PRESET_COLUMNS, tuple(map(_preset_row, report.presets))),
        notes=tuple(note for source, (_mark, note) in PRESET_NOTES.items() if source in sources),
    )


def _preset_row(preset: PresetInUse) -> Tuple[str, ...]:
    accuracy, predicted, remembered = preset.accuracy, strings.NO_VALUE, strings.NO_VALUE
    if accuracy.source is not None:
        predicted, recalled = recall_shares(accuracy, accuracy.recall).values()
        mark, _note = PRESET_NOTES.get(accuracy.source, ("", ""))
        remembered = with_interval(recalled, *recall_ends(accuracy, accuracy.recall)) + mark
    change = "" if preset.change is None else _("{points} points").format(points=decimals(100 * preset.change, 1))
    advice = WHAT_TO_DO.get(preset.advice or "", "")
    if preset.suggested_retention is not None:
        advice = advice.format(new=f"{100 * preset.suggested_retention:.0f}%")
    return (
        group_name(preset.preset_id, preset.name),
        integer(preset.reviews),
        predicted,
        remembered,
        change,
        preset.changed or strings.NO_VALUE,
        advice,
    )


def block(grouping: Grouping, report: Report) -> Block:
    """Return a table of the algorithms in each group, from the group with the most reviews to that with the fewest."""
    by = grouping.by
    count = sum(group.label is not None for group in grouping.groups)
    key, heading = "groups", _("Your {groups}").format(groups=(GROUP if count == 1 else GROUPS)[by])
    if grouping.error:
        return Block(key, heading, error_sentence(grouping.error))
    rows = [row for group in listed_groups(grouping.groups) for row in _rows(group, grouping.baseline, report)]
    return Block(
        key,
        heading,
        caption=_verdict_sentence(grouping, report),
        table=Table(_columns(grouping, report), tuple(rows)),
        notes=small_note(grouping.groups, by),
    )


def _columns(grouping: Grouping, report: Report) -> Tuple[Column, ...]:
    skill_tip = _(
        "How much lower its log loss is than that of guessing your average so far in that group. 0 is as good as "
        "guessing, below 0 is worse. It can be compared between groups. Shown only with at least 10 forgotten and 10 "
        "remembered reviews."
    )
    predictions_tip = _(
        "How many percentage points the mean prediction is too high or too low, with the 95% interval for all groups "
        "at once. On target (±2.4): no error was found, and any error is probably below 2.4 percentage points. No "
        "interval: too few reviews, cards or days."
    )
    columns = (
        *group_columns(grouping.by),
        Column(strings.COLUMN_RECALLED, strings.COLUMN_RECALLED_TIP),
        ALGORITHM,
        Column(strings.GAIN, skill_tip),
        # Translators: A column: "2.0 points too high".
        Column(_("Predictions"), predictions_tip, number=False),
    )
    if not grouping.baseline:
        return columns
    baseline = row_label(grouping.baseline, report)
    comparison_tip = _(
        "Whether it predicts better than {baseline} on the same reviews, by log loss, allowing for chance and for the "
        "number of {groups}."
    ).format(baseline=baseline, groups=GROUPS[grouping.by])
    return (*columns, Column(_("Against {reference}").format(reference=baseline), comparison_tip, number=False))


def _rows(group: Group, baseline: Optional[str], report: Report) -> Iterator[Tuple[str, ...]]:
    name, recalled = group_name(group.label, group.name), percent(group.recalled, 1)
    cells = (name, integer(group.cards), integer(group.reviews), recalled)
    for score in group.algorithms:
        c = score.against_baseline
        numbers = (row_label(score.algorithm, report), percent(score.skill), off_by(score.recalled_minus_predicted))
        yield (*cells, *numbers, *(() if baseline is None else ("" if c is None else COMPARISON_CODES[c.code],)))
        cells = ("", "", "", "")


def _verdict_sentence(grouping: Grouping, report: Report) -> str:
    """Say in how many groups the first algorithm predicts better or worse than the baseline.

    The sentence is empty if fewer than two groups have such a comparison.
    """
    pairs = [group.algorithms[0].against_baseline for group in grouping.groups if group.label is not None]
    compared = [c for c in pairs if c is not None]
    if len(compared) < 2:
        return ""
    better, worse = (sum(c.code == code for c in compared) for code in (interval.BETTER, interval.WORSE))
    text = _("In none of your {count:,} {groups} is {algorithm} clearly better or worse than {baseline}.")
    if better or worse:
        text = _(
            "{algorithm} predicts better than {baseline} in {better} of your {count:,} {groups} and worse in {worse}."
        )
    return text.format(
        algorithm=row_label(compared[0].algorithm, report),
        baseline=row_label(compared[0].baseline, report),
        # Translators: In how many presets or decks: "better in {better} of your {count} decks and worse in {worse}".
        better=better or _("none"),
        worse=worse or _("none"),
        count=len(compared),
        groups=GROUPS[grouping.by],
    )


VIEW = View("groups", _("Presets and decks"), _("How well is your memory predicted in each preset and deck?"), blocks)
