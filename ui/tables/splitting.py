"""Own parameters for each preset or deck, against shared ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, List, Sequence, Tuple

from .. import strings
from ..phrases import paragraph, whole
from ..science import interval
from ..views.splitting import split_sentence, splitting_sentence
from .cells import ends, signed
from .group_cells import name_of, tail_name, tail_notes, tail_of
from .table import Column, Table

if TYPE_CHECKING:
    from evaluator.sections.splitting import Split, Splitting

Row = Tuple[str, ...]

#: The advice on so many groups is written out below the table.
MOST_SENTENCES = 8


def splitting_table(splitting: Splitting) -> Table:
    """A row for each group, from the one with most reviews to that with fewest, and one for all of them."""
    by, total, advice = splitting.by, splitting.total, splitting_sentence(splitting)
    if not splitting.groups:
        return Table(strings.SPLIT_TITLES[by], (), (), advice)
    listed, rest = tail_of(splitting.groups)
    rows: List[Row] = [_row(group, name_of(group.label, group.name)) for group in listed]
    if rest:
        rows.append(_tail(rest, by))
    if total is None:
        notes = tail_notes(rest, by)
        return Table(strings.SPLIT_TITLES[by], _columns(splitting), tuple(rows), advice, notes)
    rows.append(_row(total, strings.SPLIT_ALL[by]))
    decided = [group for group in listed if group.code not in (interval.CANNOT_TELL, interval.TOO_FEW)]
    sentences = [split_sentence(by, group) for group in decided[:MOST_SENTENCES]]
    return Table(
        title=strings.SPLIT_TITLES[by],
        columns=_columns(splitting),
        rows=tuple(rows),
        sentence=paragraph(advice, strings.SPLIT_READ),
        notes=(*tail_notes(rest, by), *sentences, strings.SPLIT_HOW[by], strings.SPLIT_ANKI),
    )


def _columns(splitting: Splitting) -> Tuple[Column, ...]:
    by, algorithm = splitting.by, splitting.algorithm
    return (
        Column(strings.GROUP_NAMES[by], strings.GROUP_NAME_TIP[by], number=False),
        Column(strings.GROUP_CARDS, strings.GROUP_CARDS_TIP),
        Column(strings.GROUP_REVIEWS, strings.GROUP_REVIEWS_TIP),
        Column(strings.SPLIT_SHARED, strings.SPLIT_SHARED_TIP.format(algorithm=algorithm)),
        Column(strings.SPLIT_OWN, strings.SPLIT_OWN_TIP.format(algorithm=algorithm)),
        Column(strings.SPLIT_DIFFERENCE, strings.SPLIT_DIFFERENCE_TIP),
        Column(strings.SPLIT_INTERVAL, strings.SPLIT_INTERVAL_TIP),
        Column(strings.SPLIT_ADVICE, strings.SPLIT_ADVICE_TIP.format(margin=f"{interval.MARGIN:g}"), number=False),
    )


def _row(group: Split, name: str) -> Row:
    own, difference, between = (strings.NO_VALUE,) * 3
    if group.comparison is not None:
        found = group.comparison.difference
        own, difference = f"{group.shared_log_loss + found.known:.4f}", signed(found.estimate)
        between = ends(found, signed)
    do = strings.SPLIT_DO_ALL[group.code] if group.label is None else strings.SPLIT_DO[group.code, bool(group.own_now)]
    known = (name, whole(group.cards), whole(group.reviews), f"{group.shared_log_loss:.4f}")
    return (*known, own, difference, between, do)


def _tail(rest: Sequence[Split], by: str) -> Row:
    cards, reviews = sum(group.cards for group in rest), sum(group.reviews for group in rest)
    return (tail_name(rest, by), whole(cards), whole(reviews), *[strings.NO_VALUE] * 5)
