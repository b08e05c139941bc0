"""At the desired retention: what was remembered where it was predicted, in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, List, Optional, Sequence

from ..text import Counted, _, ngettext, strings
from ..text.phrases import all_of, with_interval
from .cells import percent, whole_percent
from .labels import row_label
from .view import Block, View

if TYPE_CHECKING:
    from evaluator.report import Report
    from evaluator.scoring.retention import RetentionGroup, RetentionOfAlgorithm

#: Within a sentence, other than the labels of rows.
_WITHIN = {"Your parameters": _("your parameters")}
#: Fewer say nothing in percent.
LEAST = 100
# Translators: {desired} is a desired retention.
TOO_FEW = Counted(
    "Only {count} review was predicted at about {desired}: too few to tell.",
    "Only {count} reviews were predicted at about {desired}: too few to tell.",
)


def blocks(found: Sequence[RetentionGroup], report: Report, _names: Sequence[str]) -> List[Block]:
    """A block for each desired retention; the last says how many reviews are in none of them."""
    others = report.scope.reviews - sum(group.reviews for group in found)
    left_out = ngettext(
        "Presets with other desired retentions, and fewer reviews each, are left out: {count:,} scored review in all.",
        "Presets with other desired retentions, and fewer reviews each, are left out: {count:,} scored reviews in all.",
        others,
    ).format(count=others)
    headline = report.accuracy.algorithm if report.accuracy else None
    return [_block(group, headline, [left_out] if others and group is found[-1] else []) for group in found]


def _block(group: RetentionGroup, headline: Optional[str], left_out: List[str]) -> Block:
    """The block of the headline's algorithm; if that is not among them, of the first."""
    first = next((one for one in group.algorithms if one.algorithm == headline), group.algorithms[0])
    desired = whole_percent(group.desired_retention)
    notes = [_("Presets: {names}.").format(names=all_of(group.presets))] if group.presets else []
    if group.decks:
        notes.append(_("Decks that set it themselves: {names}.").format(names=all_of(group.decks)))
    if group.assumed:
        form = _("The source does not say which retention you desire, so Anki's usual {desired} was taken.")
        notes.append(form.format(desired=desired))
    if first.in_sample:
        notes.append(strings.MAY_BE_IN_SAMPLE.format(algorithm=row_label(first.algorithm)))
    return Block(
        key="retention",
        heading=_("At your desired retention of {desired}").format(desired=desired),
        caption=_remembered(first, desired),
        notes=(*notes, *left_out),
    )


def _remembered(one: RetentionOfAlgorithm, desired: str) -> str:
    near = one.near
    if near.predicted is None:
        return _("{algorithm} never predicted about {desired}.").format(
            algorithm=row_label(one.algorithm), desired=desired
        )
    if near.reviews < LEAST:
        return TOO_FEW(near.reviews, desired=desired)
    ends = near.recalled.ends
    digits = 1 if ends and ends[1] - ends[0] < 0.02 else 0
    predicted, recalled = percent(near.predicted, digits), percent(near.recalled.estimate, digits)
    if ends:
        recalled = with_interval(recalled, *(percent(min(max(end, 0.0), 1.0), digits) for end in ends))
    return _("When {algorithm} said {predicted}, you remembered {recalled}.").format(
        algorithm=_WITHIN.get(one.algorithm) or row_label(one.algorithm), predicted=predicted, recalled=recalled
    )


VIEW = View(
    "desired_retention",
    _("At your desired retention"),
    _("When your scheduler aims at 90%, do you remember 90%?"),
    blocks,
)
