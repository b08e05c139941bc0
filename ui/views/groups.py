"""The accuracy of the algorithms in each preset and in each deck."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, Optional, Sequence, Tuple

from ..science import interval
from ..science import report as reports
from ..text import _, strings
from ..text.errors import error_sentence
from ..text.numbers import decimals
from ..text.phrases import add_label, integer, with_interval
from .cells import percent, whole_percent
from .finding import SIGNS, tested_texts
from .group_cells import GROUP, GROUP_NAMES, GROUPS, group_columns, group_name, listed_groups, off_by, small_note
from .labels import row_label
from .view import ALGORITHM, COMPARISON_CODES, Block, Column, Table, View

if TYPE_CHECKING:
    from evaluator.report import Finding, Report
    from evaluator.sections.groups import Group, Grouping


#: Short advice for a preset, by code.
WHAT_TO_DO = {
    "optimize": _("optimize"),
    "desired_retention": _("set the desired retention to {new}"),
    "optimize_if_you_like": _("optimize if you like"),
    "nothing": _("nothing"),
    "keep_on": _("nothing yet"),
}

FINDING_COLUMNS = (
    Column(GROUP_NAMES["preset"], _("Those with the most to do come first, each followed by its decks."), number=False),
    Column(
        _("FSRS said"), _("The preset's desired retention, or the mean prediction if too few predictions were near it.")
    ),
    Column(_("You remembered"), _("With the 95% interval.")),
    Column(
        _("Tested"),
        _("Number of reviews behind these shares: near the desired retention or all, and only since the last change."),
    ),
    Column(
        _("Optimizing changes"),
        _("Mean change of the predictions by optimizing now, in percentage points. Empty if it is not known."),
    ),
    Column(_("Last changed"), _("When one of the preset's options was last saved.")),
    Column(_("What to do"), number=False),
)


def blocks(groupings: Sequence[Grouping], report: Report, _names: Sequence[str]) -> Iterator[Block]:
    """Yield the list of findings, then a table for each kind of groups."""
    if report.findings:
        whole, *others = report.findings
        rows = tuple(_finding_row(finding) for finding in (*others, whole))
        yield Block("presets", _("Which preset is off?"), table=Table(FINDING_COLUMNS, rows))
    yield from (block(grouping, report) for grouping in groupings)


def _finding_row(finding: Finding) -> Tuple[str, ...]:
    recall = tested_texts(finding.recall)
    remembered = with_interval(recall.recalled, *recall.ends) if recall.ends else recall.recalled
    is_deck = finding.kind == reports.DECK
    # The decks of a preset have its advice, and no change of their own.
    advice = None if is_deck else finding.advice
    change = finding.optimizing.change if finding.optimizing is not None and not is_deck else None
    new = whole_percent((advice.suggested_retention if advice else None) or 0.0)
    return (
        _finding_name(finding),
        recall.said,
        remembered,
        integer(finding.recall.reviews),
        "" if change is None else _("{points} points").format(points=decimals(100 * change, 1)),
        finding.changed or strings.NO_VALUE,
        WHAT_TO_DO.get(advice.code, "").format(new=new) if advice else "",
    )


def _finding_name(finding: Finding) -> str:
    name = group_name(finding.label, finding.name) if finding.name else _("All")
    if finding.kind == reports.DECK:
        return add_label(GROUP_NAMES["deck"], name)
    return f"{SIGNS[finding.sign]} {name}".strip()


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
