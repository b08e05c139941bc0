"""At the desired retention: what was remembered where it was predicted."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, List, Sequence, Tuple

from ..text import _, ngettext, strings
from ..text.phrases import all_of, whole, with_interval
from .cells import in_cells, percent, whole_percent
from .tables import ALGORITHM, ENDS, REVIEWS
from .view import Block, Column, Table, View

if TYPE_CHECKING:
    from evaluator.report import Report
    from evaluator.sections.desired_retention import RetentionGroup, RetentionOfAlgorithm


def blocks(found: Sequence[RetentionGroup], report: Report, _names: Sequence[str]) -> List[Block]:
    """A block for each desired retention; the last says how many reviews are in none of them."""
    shown = [_block(group) for group in found]
    others = report.scope.reviews - sum(group.reviews for group in found)
    if others > 0:
        shown[-1] = replace(
            shown[-1],
            notes=(
                *shown[-1].notes,
                ngettext(
                    "Presets with other desired retentions, and fewer reviews each, are left out: {count:,} scored "
                    "review in all.",
                    "Presets with other desired retentions, and fewer reviews each, are left out: {count:,} scored "
                    "reviews in all.",
                    others,
                ).format(count=others),
            ),
        )
    return shown


def _block(group: RetentionGroup) -> Block:
    return Block(
        key="retention",
        heading=_("At your desired retention of {desired}").format(desired=whole_percent(group.desired_retention)),
        caption=_remembered(group.algorithms[0], whole_percent(group.desired_retention)),
        table=_table(group),
        notes=tuple(_notes(group)),
    )


def _table(group: RetentionGroup) -> Table:
    near = group.algorithms[0].near
    window = {"low": percent(near.from_predicted), "high": percent(near.to_predicted)}
    return Table(
        columns=(
            ALGORITHM,
            REVIEWS,
            Column(
                strings.COLUMN_PREDICTED,
                _("The mean of the predictions near your desired retention, from {low} to {high}.").format(**window),
            ),
            Column(strings.COLUMN_RECALLED, _("The share of these reviews that you remembered.")),
            *ENDS,
        ),
        rows=tuple(_row(one) for one in group.algorithms),
    )


def _row(one: RetentionOfAlgorithm) -> Tuple[str, ...]:
    near = one.near
    shares = map(percent, (near.predicted, *in_cells(near.recalled)))
    return one.algorithm, whole(near.reviews), *shares


def _remembered(one: RetentionOfAlgorithm, desired: str) -> str:
    near = one.near
    if near.predicted is None:
        return _("{algorithm} never predicted about {desired}.").format(algorithm=one.algorithm, desired=desired)
    ends = near.recalled.ends
    digits = 1 if ends and ends[1] - ends[0] < 0.02 else 0
    predicted, recalled = percent(near.predicted, digits), percent(near.recalled.estimate, digits)
    if ends:
        recalled = with_interval(recalled, *(percent(min(max(end, 0.0), 1.0), digits) for end in ends))
    return _("When {algorithm} said {predicted}, you remembered {recalled}.").format(
        algorithm=one.algorithm, predicted=predicted, recalled=recalled
    )


def _notes(group: RetentionGroup) -> List[str]:
    notes = [_("Presets: {names}.").format(names=all_of(group.presets))] if group.presets else []
    if group.assumed:
        form = _("The source does not say which retention you desire, so Anki's usual {desired} was taken.")
        notes.append(form.format(desired=whole_percent(group.desired_retention)))
    may_be = (one.algorithm for one in group.algorithms if one.in_sample)
    return [*notes, *(strings.MAY_BE_IN_SAMPLE.format(algorithm=algorithm) for algorithm in may_be)]


VIEW = View(
    "desired_retention",
    _("At your desired retention"),
    _("When your scheduler aims at 90\N{NO-BREAK SPACE}%, do you remember 90\N{NO-BREAK SPACE}%?"),
    blocks,
)
