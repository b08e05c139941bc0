"""How the algorithms do in each preset, or in each deck."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, List, Optional, Sequence, Tuple

from ..science import interval
from ..text import _, strings
from ..text.errors import error_sentence
from ..text.phrases import paragraph, whole
from .cells import loss, percent, signed
from .group_cells import GROUP, GROUPS, columns_of, listed, name_of, note_on_small, off_by
from .metrics import VIEWS
from .tables import ALGORITHM, COMPARISON_CODES
from .view import Block, Column, Table, View

if TYPE_CHECKING:
    from evaluator.report import Report
    from evaluator.sections.groups import AlgorithmInGroup, Group, Grouping

Row = Tuple[str, ...]


def blocks(found: Sequence[Grouping], _report: Report, _names: Sequence[str]) -> Iterator[Block]:
    """A block for presets, and one for decks."""
    return map(block, found)


def block(grouping: Grouping) -> Block:
    """A row for each algorithm in each group, from the group with most reviews to that with fewest."""
    by = grouping.by
    key, heading = "groups", _("Your {groups}").format(groups=GROUPS[by])
    if grouping.error:
        return Block(key, heading, error_sentence(grouping.error))
    rows: List[Row] = [row for group in listed(grouping.groups) for row in _rows(group, grouping.baseline)]
    return Block(
        key,
        heading,
        caption=paragraph(
            _verdicts(grouping),
            _(
                "Compare skill between {groups}, never log loss: log loss follows how much you forget, so it is higher "
                "where you forget more, whatever the algorithm."
            ).format(groups=GROUPS[by]),
        ),
        table=Table(_columns(grouping), tuple(rows)),
        notes=note_on_small(grouping.groups, by),
    )


def _columns(grouping: Grouping) -> Tuple[Column, ...]:
    columns = [
        *columns_of(grouping.by),
        Column(strings.COLUMN_RECALLED, strings.COLUMN_RECALLED_TIP),
        ALGORITHM,
        Column(
            VIEWS["log_loss"].label,
            _(
                "How surprised the algorithm was by your answers: lower is better. Compare it within a row group only: "
                "it follows how much you forget."
            ),
        ),
        Column(
            _("Skill"),
            _(
                "By what share its log loss is lower than that of guessing your average up to each review in that very "
                "group. 0 is as good as guessing, below 0 is worse. This may be compared between groups. Not given "
                "where fewer than 10 reviews were forgotten, or remembered."
            ),
        ),
        Column(
            # Translators: A column: "2.0 points too high".
            _("Predictions"),
            _(
                "The mean prediction beside what you remembered, in percentage points, with the 95\N{NO-BREAK SPACE}% "
                "interval, which holds for all groups at once. Where the interval reaches below 0, the predictions may "
                "be right. Without interval: too few reviews, cards or days."
            ),
        ),
    ]
    if grouping.baseline:
        against = _("Against {baseline}").format(baseline=grouping.baseline)
        columns.append(
            Column(
                against,
                _(
                    "Log loss minus that of {baseline} on the same reviews: below 0 is better. The verdict after the "
                    "number takes account of chance, and of how many groups were looked at, so that one of twenty is "
                    "not called better or worse by chance."
                ).format(baseline=grouping.baseline),
            )
        )
    return tuple(columns)


def _rows(group: Group, baseline: Optional[str]) -> List[Row]:
    """The group's own numbers stand in its first row only."""
    own = (name_of(group.label, group.name), whole(group.cards), whole(group.reviews), percent(group.recalled, 1))
    blank = ("",) * len(own)
    return [(*(blank if number else own), *_numbers(each, baseline)) for number, each in enumerate(group.algorithms)]


def _numbers(each: AlgorithmInGroup, baseline: Optional[str]) -> Row:
    level = off_by(each.recalled_minus_predicted)
    numbers = (each.algorithm, loss(each.log_loss), percent(each.skill), level)
    if baseline is None:
        return numbers
    c = each.against_baseline
    if c is None:
        return (*numbers, "")
    # Translators: A difference and one of the words after it.
    verdict = _("{difference}, {verdict}").format(
        difference=signed(c.difference.estimate), verdict=COMPARISON_CODES[c.code]
    )
    return (*numbers, verdict)


def _verdicts(grouping: Grouping) -> str:
    """In how many groups the first algorithm is better than the baseline, and in how many worse."""
    pairs = [group.algorithms[0].against_baseline for group in grouping.groups if group.label is not None]
    compared = [c for c in pairs if c is not None]
    if not compared:
        return ""
    better, worse = (sum(c.code == code for c in compared) for code in (interval.BETTER, interval.WORSE))
    return _(
        "Of {count:,} {groups}, {algorithm} is better than {baseline} in {better:,} and worse in {worse:,}."
    ).format(
        baseline=compared[0].baseline,
        algorithm=compared[0].algorithm,
        better=better,
        worse=worse,
        count=len(compared),
        groups=(GROUP if len(compared) == 1 else GROUPS)[grouping.by],
    )


VIEW = View("groups", _("Presets and decks"), _("How well is your memory predicted in each preset and deck?"), blocks)
