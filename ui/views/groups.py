"""How the algorithms do in each preset, or in each deck."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, Optional, Sequence, Tuple

from ..science import interval
from ..text import _, strings
from ..text.errors import error_sentence
from ..text.phrases import whole
from .cells import percent
from .group_cells import GROUP, GROUPS, columns_of, listed, name_of, note_on_small, off_by
from .labels import row_label
from .presets import preset_table
from .tables import ALGORITHM, COMPARISON_CODES
from .view import Block, Column, Table, View

if TYPE_CHECKING:
    from evaluator.report import Report
    from evaluator.sections.groups import Group, Grouping


def blocks(found: Sequence[Grouping], report: Report, _names: Sequence[str]) -> Iterator[Block]:
    """Yield what to do for each preset, then how the algorithms do in each preset, and in each deck."""
    table = preset_table(report)
    if table is not None:
        yield table
    yield from (block(grouping, report) for grouping in found)


def block(grouping: Grouping, report: Report) -> Block:
    """Return a table with a row for each algorithm in each group, from the most reviews to the fewest."""
    by = grouping.by
    known = sum(group.label is not None for group in grouping.groups)
    key, heading = "groups", _("Your {groups}").format(groups=(GROUP if known == 1 else GROUPS)[by])
    if grouping.error:
        return Block(key, heading, error_sentence(grouping.error))
    rows = [row for group in listed(grouping.groups) for row in _rows(group, grouping.baseline, report)]
    return Block(
        key,
        heading,
        caption=_verdicts(grouping, report),
        table=Table(_columns(grouping, report), tuple(rows)),
        notes=note_on_small(grouping.groups, by),
    )


def _columns(grouping: Grouping, report: Report) -> Tuple[Column, ...]:
    skill = _(
        "How much lower its log loss is than that of guessing your average so far in that group. 0 is as good as "
        "guessing, below 0 is worse. It can be compared between groups. Shown only with at least 10 forgotten and 10 "
        "remembered reviews."
    )
    predictions = _(
        "How many percentage points the mean prediction is too high or too low, with the 95% interval for all groups "
        "at once. On target (±2.4): no error was found, and any error is probably below 2.4 percentage points. No "
        "interval: too few reviews, cards or days."
    )
    columns = (
        *columns_of(grouping.by),
        Column(strings.COLUMN_RECALLED, strings.COLUMN_RECALLED_TIP),
        ALGORITHM,
        Column(strings.GAIN, skill),
        # Translators: A column: "2.0 points too high".
        Column(_("Predictions"), predictions),
    )
    if not grouping.baseline:
        return columns
    baseline = row_label(grouping.baseline, report)
    against = _(
        "Whether it predicts better than {baseline} on the same reviews, by log loss, allowing for chance and for the "
        "number of {groups}."
    ).format(baseline=baseline, groups=GROUPS[grouping.by])
    return (*columns, Column(_("Against {reference}").format(reference=baseline), against, number=False))


def _rows(group: Group, baseline: Optional[str], report: Report) -> Iterator[Tuple[str, ...]]:
    facts = (name_of(group.label, group.name), whole(group.cards), whole(group.reviews), percent(group.recalled, 1))
    for item in group.algorithms:
        c = item.against_baseline
        numbers = (row_label(item.algorithm, report), percent(item.skill), off_by(item.recalled_minus_predicted))
        yield (*facts, *numbers, *(() if baseline is None else ("" if c is None else COMPARISON_CODES[c.code],)))
        facts = ("", "", "", "")


def _verdicts(grouping: Grouping, report: Report) -> str:
    """Count the groups in which the first algorithm predicts better than the baseline, and those in which worse."""
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
