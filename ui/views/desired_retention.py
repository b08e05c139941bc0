"""At the desired retention: what was remembered where it was predicted, and what that would mean for intervals."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, List, Optional, Sequence, Tuple

from ..science import interval
from ..text import _, ngettext, strings
from ..text.phrases import all_of, paragraph, whole
from .cells import in_cells, percent
from .tables import ALGORITHM, ENDS, REVIEWS
from .view import Block, Column, Table, View

if TYPE_CHECKING:
    from evaluator.report import Report
    from evaluator.sections.desired_retention import RetentionGroup, RetentionOfAlgorithm
    from evaluator.statistics.at_desired_retention import IntervalFactor

#: By what the line says of the intervals.
RETENTION_DISAGREE = {
    "too_long": _(
        "Whether its intervals are too long or too short cannot be told: too short by these reviews, too long by the "
        "line through all its predictions."
    ),
    "too_short": _(
        "Whether its intervals are too long or too short cannot be told: too long by these reviews, too short by the "
        "line through all its predictions."
    ),
}

#: So near to 1 a factor is not worth a percentage.
_SMALL = 0.005


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
        heading=_("At your desired retention of {desired} (experimental)").format(desired=_desired(group)),
        caption=paragraph(*_sentences(group)),
        table=_table(group),
        notes=tuple(_notes(group)),
    )


def _table(group: RetentionGroup) -> Table:
    near = group.algorithms[0].found.near
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
            Column(
                _("Interval factor"),
                _(
                    "Experimental. By what intervals would have to be multiplied for the desired share to be "
                    "remembered, by a line through all predictions. Below 1: they are too long. Not given where the "
                    "line and the reviews near your desired retention say opposite things."
                ),
            ),
            *ENDS,
        ),
        rows=tuple(_row(one) for one in group.algorithms),
    )


def _desired(group: RetentionGroup) -> str:
    is_whole = abs(100 * group.desired_retention - round(100 * group.desired_retention)) < 1e-9
    return percent(group.desired_retention, 0 if is_whole else 1)


def _row(one: RetentionOfAlgorithm) -> Tuple[str, ...]:
    near, by = one.found.near, one.found.by_line
    shares = map(percent, (near.predicted, *in_cells(near.recalled)))
    factors = (None, None, None) if one.found.disagree else in_cells(by.factor)
    return one.algorithm, whole(near.reviews), *shares, *map(_factor, factors)


def _both_ways(one: RetentionOfAlgorithm) -> str:
    """That the reviews near the desired retention and the line through all predictions say opposite things."""
    return RETENTION_DISAGREE["too_long" if one.found.by_line.factor.known < 1 else "too_short"]


def _factor(value: Optional[float]) -> str:
    return strings.NO_VALUE if value is None else f"{value:.2f}"


def _sentences(group: RetentionGroup) -> List[str]:
    first, desired = group.algorithms[0], _desired(group)
    remembered = _remembered(first, desired)
    means = _both_ways(first) if first.found.disagree else _means(first.found.by_line, desired)
    if not means:
        return [remembered]
    warning = _(
        "Experimental: what it would mean for intervals is an approximation that has not passed its test on later "
        "reviews, so do not change your settings because of it."
    )
    return [remembered, means, warning]


def _remembered(one: RetentionOfAlgorithm, desired: str) -> str:
    near = one.found.near
    if near.predicted is None:
        return _("{algorithm} never predicted about {desired}.").format(algorithm=one.algorithm, desired=desired)
    if near.recalled.ends is None:
        predicted, recalled = percent(near.predicted, 0), percent(near.recalled.estimate, 0)
        return _("When {algorithm} said {predicted}, you remembered {recalled}.").format(
            algorithm=one.algorithm, predicted=predicted, recalled=recalled
        )
    digits = 1 if near.recalled.ends[1] - near.recalled.ends[0] < 0.02 else 0
    predicted, recalled = percent(near.predicted, digits), percent(near.recalled.estimate, digits)
    low, high = (percent(min(max(end, 0.0), 1.0), digits) for end in near.recalled.ends)
    return _(
        "When {algorithm} said {predicted}, you remembered {recalled} (95\N{NO-BREAK SPACE}% interval: {low} to "
        "{high})."
    ).format(algorithm=one.algorithm, predicted=predicted, recalled=recalled, low=low, high=high)


def _means(by: IntervalFactor, desired: str) -> str:
    """What the factor by the line would mean for intervals; nothing where it has no interval."""
    if by.factor.ends is None:
        return ""
    factor, low, high = by.factor.known, *by.factor.ends
    if by.factor.side(1) == 0:
        return _(
            "Whether its intervals are too long or too short cannot be told (factor {factor:.2f}; "
            "95\N{NO-BREAK SPACE}% interval: {low:.2f} to {high:.2f})."
        ).format(factor=factor, low=low, high=high)
    if abs(factor - 1) < _SMALL:
        return _("Its intervals are right to half a percent.")
    form = (
        _(
            "So for {desired} to be remembered, its intervals would have to be about {percent} shorter (factor "
            "{factor:.2f}; 95\N{NO-BREAK SPACE}% interval: {low:.2f} to {high:.2f})."
        )
        if factor < 1
        else _(
            "So {desired} would still be remembered if its intervals were about {percent} longer (factor {factor:.2f}; "
            "95\N{NO-BREAK SPACE}% interval: {low:.2f} to {high:.2f})."
        )
    )
    return form.format(desired=desired, percent=percent(abs(factor - 1), 0), factor=factor, low=low, high=high)


def _notes(group: RetentionGroup) -> List[str]:
    desired = _desired(group)
    notes = [_("Presets: {names}.").format(names=all_of(group.presets))] if group.presets else []
    if group.assumed:
        form = _("The source does not say which retention you desire, so Anki's usual {desired} was taken.")
        notes.append(form.format(desired=desired))
    for one in group.algorithms:
        if one.in_sample:
            notes.append(strings.MAY_BE_IN_SAMPLE.format(algorithm=one.algorithm))
        if one.found.by_line.factor.reason == interval.NO_CURVE:
            form = _("{algorithm} has no forgetting curve, so no factor for its intervals can be worked out.")
            notes.append(form.format(algorithm=one.algorithm))
        if one.held_out is not None:
            tried = one.held_out
            before, after, chance = (f"{100 * x:.1f}" for x in (tried.deviation, tried.corrected, tried.chance))
            form = _(
                "Would it help to correct {algorithm} by such a factor? Tried on later reviews: where it predicted "
                "about {desired}, what you remembered was typically {before} percentage points away from that. "
                "Corrected by what the reviews before had shown, it was {after} points away. Even perfect predictions "
                "would be {chance} points away, by chance. (Root mean squares.)"
            )
            notes.append(
                form.format(algorithm=one.algorithm, desired=desired, before=before, after=after, chance=chance)
            )
    return notes


VIEW = View(
    "desired_retention",
    _("At your desired retention"),
    _("When your scheduler aims at 90\N{NO-BREAK SPACE}%, do you remember 90\N{NO-BREAK SPACE}%?"),
    blocks,
)
