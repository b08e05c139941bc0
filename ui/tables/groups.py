"""How the algorithms do in each preset, or in each deck."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, List, Optional, Sequence, Tuple

from .. import strings
from ..phrases import listed, paragraph, whole
from ..text.errors import error_sentence
from ..views.metrics import VIEWS
from .cells import percent, signed
from .group_cells import name_of, off_by, tail_name, tail_notes, tail_of
from .table import Column, Table

if TYPE_CHECKING:
    from evaluator.report import Report
    from evaluator.sections.groups import AlgorithmInGroup, Group, Grouping

Row = Tuple[str, ...]


def groups_table(report: Report, grouping: Grouping) -> Table:
    """A row for each algorithm in each group, from the group with most reviews to that with fewest."""
    by = grouping.by
    if grouping.error:
        return Table(strings.GROUP_TITLES[by], (), (), error_sentence(grouping.error))
    listed, rest = tail_of(grouping.groups)
    rows: List[Row] = [row for group in listed for row in _rows(group, grouping.baseline)]
    if rest:
        rows.append(_tail(rest, grouping))
    one_deck = by == "preset" and len(report.section("groups")) == 1
    return Table(
        title=strings.GROUP_TITLES[by],
        columns=_columns(grouping),
        rows=tuple(rows),
        sentence=paragraph(_found(grouping), strings.GROUP_READ[by]),
        notes=tail_notes(rest, by) + ((strings.GROUP_ONE_DECK,) if one_deck else ()),
    )


def _columns(grouping: Grouping) -> Tuple[Column, ...]:
    columns = [
        Column(strings.GROUP_NAMES[grouping.by], strings.GROUP_NAME_TIP[grouping.by], number=False),
        Column(strings.GROUP_CARDS, strings.GROUP_CARDS_TIP),
        Column(strings.GROUP_REVIEWS, strings.GROUP_REVIEWS_TIP),
        Column(strings.COLUMN_RECALLED, strings.COLUMN_RECALLED_TIP),
        Column(strings.COLUMN_ALGORITHM, number=False),
        Column(VIEWS["log_loss"].label, strings.GROUP_LOG_LOSS_TIP),
        Column(strings.GROUP_SKILL, strings.GROUP_SKILL_TIP),
        Column(VIEWS["rmse_bins"].label, strings.GROUP_RMSE_TIP),
        Column(strings.GROUP_LEVEL, strings.GROUP_LEVEL_TIP),
    ]
    if grouping.baseline:
        against = strings.GROUP_AGAINST.format(baseline=grouping.baseline)
        columns.append(Column(against, strings.GROUP_AGAINST_TIP.format(baseline=grouping.baseline)))
    return tuple(columns)


def _rows(group: Group, baseline: Optional[str]) -> List[Row]:
    """The group's own numbers stand in its first row only."""
    own = (name_of(group.label, group.name), whole(group.cards), whole(group.reviews), percent(group.recalled, 1))
    blank = ("",) * len(own)
    return [(*(blank if number else own), *_numbers(each, baseline)) for number, each in enumerate(group.algorithms)]


def _numbers(each: AlgorithmInGroup, baseline: Optional[str]) -> Row:
    skill = strings.NO_VALUE if each.skill is None else percent(each.skill, 1)
    level = off_by(each.recalled_minus_predicted)
    numbers = (each.algorithm, f"{each.log_loss:.4f}", skill, percent(each.rmse_bins, 2), level)
    if baseline is None:
        return numbers
    c = each.against_baseline
    if c is None:
        return (*numbers, "")
    verdict = strings.GROUP_VERDICT.format(
        difference=signed(c.difference.estimate), verdict=strings.GROUP_CODES[c.code]
    )
    return (*numbers, verdict)


def _tail(rest: Sequence[Group], grouping: Grouping) -> Row:
    """Small groups summed up. Their numbers would say little, and a mean over them nothing about any."""
    reviews, cards = sum(group.reviews for group in rest), sum(group.cards for group in rest)
    recalled = sum(group.recalled * group.reviews for group in rest) / reviews
    known = (tail_name(rest, grouping.by), whole(cards), whole(reviews), percent(recalled, 1), "")
    return (*known, *[strings.NO_VALUE] * (len(_columns(grouping)) - len(known)))


def _found(grouping: Grouping) -> str:
    """In how many groups the first algorithm is better than the baseline, worse, and so on."""
    pairs = [group.algorithms[0].against_baseline for group in grouping.groups if group.label is not None]
    compared = [c for c in pairs if c is not None]
    if not compared:
        return ""
    times = Counter(c.code for c in compared)
    counts = [text(times[code]) for code, text in strings.GROUP_COUNTS.items() if times[code]]
    return strings.GROUP_FOUND[grouping.by](
        len(compared), baseline=compared[0].baseline, algorithm=compared[0].algorithm, counts=listed(counts)
    )
