"""How the algorithms do in each preset, or in each deck."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, List, Optional, Sequence, Tuple

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
    from evaluator.sections.groups import AlgorithmInGroup, Group, Grouping

Row = Tuple[str, ...]


def blocks(found: Sequence[Grouping], report: Report, _names: Sequence[str]) -> Iterator[Block]:
    """Yield what to do for each preset, then how the algorithms do in each preset, and in each deck."""
    table = preset_table(report)
    if table is not None:
        yield table
    yield from (block(grouping, report) for grouping in found)


def block(grouping: Grouping, report: Optional[Report] = None) -> Block:
    """Return a table with a row for each algorithm in each group, from the most reviews to the fewest."""
    by = grouping.by
    known = sum(group.label is not None for group in grouping.groups)
    key, heading = "groups", _("Your {groups}").format(groups=(GROUP if known == 1 else GROUPS)[by])
    if grouping.error:
        return Block(key, heading, error_sentence(grouping.error))
    rows: List[Row] = [row for group in listed(grouping.groups) for row in _rows(group, grouping.baseline, report)]
    return Block(
        key,
        heading,
        caption=_verdicts(grouping, report),
        table=Table(_columns(grouping), tuple(rows)),
        notes=note_on_small(grouping.groups, by),
    )


def _columns(grouping: Grouping) -> Tuple[Column, ...]:
    columns = [
        *columns_of(grouping.by),
        Column(strings.COLUMN_RECALLED, strings.COLUMN_RECALLED_TIP),
        ALGORITHM,
        Column(
            _("Skill vs. guessing"),
            _(
                "How much lower its log loss is than that of guessing your average so far in that group. 0 is as good"
                " as guessing, below 0 is worse. It can be compared between groups. Missing if fewer than 10 reviews "
                "were forgotten, or remembered."
            ),
        ),
        Column(
            # Translators: A column: "2.0 points too high".
            _("Predictions"),
            _(
                "How many percentage points the mean prediction is too high or too low, with the 95% interval for all"
                " groups at once. On target: consistent with 0, and off by at most the number after ±. No interval: "
                "too few reviews, cards or days."
            ),
        ),
    ]
    if grouping.baseline:
        baseline = row_label(grouping.baseline)
        columns.append(
            Column(
                _("Against {baseline}").format(baseline=baseline),
                _(
                    "Whether it predicts better than {baseline} on the same reviews, by log loss, allowing "
                    "for chance and for the number of {groups}."
                ).format(baseline=baseline, groups=GROUPS[grouping.by]),
                number=False,
            )
        )
    return tuple(columns)


def _rows(group: Group, baseline: Optional[str], report: Optional[Report]) -> List[Row]:
    own = (name_of(group.label, group.name), whole(group.cards), whole(group.reviews), percent(group.recalled, 1))
    blank = ("",) * len(own)
    rows = (_numbers(each, baseline, report) for each in group.algorithms)
    return [(*(blank if number else own), *numbers) for number, numbers in enumerate(rows)]


def _numbers(each: AlgorithmInGroup, baseline: Optional[str], report: Optional[Report]) -> Row:
    numbers = (row_label(each.algorithm, report), percent(each.skill), off_by(each.recalled_minus_predicted))
    if baseline is None:
        return numbers
    c = each.against_baseline
    return (*numbers, "" if c is None else COMPARISON_CODES[c.code])


def _verdicts(grouping: Grouping, report: Optional[Report]) -> str:
    """Count the groups in which the first algorithm predicts better than the baseline, and those in which worse."""
    pairs = [group.algorithms[0].against_baseline for group in grouping.groups if group.label is not None]
    compared = [c for c in pairs if c is not None]
    if len(compared) < 2:
        return ""
    better, worse = (sum(c.code == code for c in compared) for code in (interval.BETTER, interval.WORSE))
    if better or worse:
        text = _(
            "{algorithm} predicts better than {baseline} in {better} of your {count:,} {groups} and worse in {worse}."
        )
    else:
        text = _("In none of your {count:,} {groups} is {algorithm} clearly better or worse than {baseline}.")
    pair = {"algorithm": row_label(compared[0].algorithm, report), "baseline": row_label(compared[0].baseline)}
    # Translators: In how many presets or decks, in "better in {better} of your {count} decks and worse in {worse}".
    shares = {"better": better or _("none"), "worse": worse or _("none")}
    return text.format(**pair, **shares, count=len(compared), groups=GROUPS[grouping.by])


VIEW = View("groups", _("Presets and decks"), _("How well is your memory predicted in each preset and deck?"), blocks)
