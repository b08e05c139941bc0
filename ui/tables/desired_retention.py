"""At the desired retention: what was remembered where it was predicted, and what that would mean for intervals."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, List, Optional, Tuple

from .. import strings
from ..phrases import all_of, paragraph, whole
from ..science import interval
from .cells import in_cells, percent
from .table import Column, Table

if TYPE_CHECKING:
    from evaluator.report import Report
    from evaluator.sections.desired_retention import RetentionGroup, RetentionOfAlgorithm
    from evaluator.statistics.at_desired_retention import IntervalFactor

#: So near to 1 a factor is not worth a percentage.
_SMALL = 0.005


def desired_retention_tables(report: Report) -> Tuple[Table, ...]:
    """One for each desired retention; the last says of how many reviews there is none."""
    tables = [_table(group) for group in report.section("desired_retention")]
    others = report.scope.reviews - sum(group.reviews for group in report.section("desired_retention"))
    if tables and others > 0:
        note = strings.RETENTION_OTHERS(others)
        tables[-1] = replace(tables[-1], notes=(*tables[-1].notes, note))
    return tuple(tables)


def _table(group: RetentionGroup) -> Table:
    near = group.algorithms[0].found.near
    window = {"low": percent(near.from_predicted), "high": percent(near.to_predicted)}
    return Table(
        title=strings.RETENTION_TITLE.format(desired=_desired(group)),
        columns=(
            Column(strings.COLUMN_ALGORITHM, number=False),
            Column(strings.CHART_COUNTS, strings.COUNTS_TIP),
            Column(strings.COLUMN_PREDICTED, strings.RETENTION_PREDICTED_TIP.format(**window)),
            Column(strings.COLUMN_RECALLED, strings.RETENTION_RECALLED_TIP),
            Column(strings.FROM_COLUMN, strings.FROM_TIP),
            Column(strings.TO_COLUMN, strings.TO_TIP),
            Column(strings.RETENTION_FACTOR, strings.RETENTION_FACTOR_TIP),
            Column(strings.FROM_COLUMN, strings.FROM_TIP),
            Column(strings.TO_COLUMN, strings.TO_TIP),
        ),
        rows=tuple(_row(one) for one in group.algorithms),
        sentence=paragraph(*_sentences(group)),
        notes=tuple(_notes(group)),
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
    """What each of the two says of the intervals, where they disagree."""
    return strings.RETENTION_DISAGREE["too_long" if one.found.by_line.factor.known < 1 else "too_short"]


def _factor(value: Optional[float]) -> str:
    return strings.NO_VALUE if value is None else f"{value:.2f}"


def _sentences(group: RetentionGroup) -> List[str]:
    first, desired = group.algorithms[0], _desired(group)
    said = [_said(first, desired)]
    means = _both_ways(first) if first.found.disagree else _means(first.found.by_line, desired)
    return [*said, *([means, strings.RETENTION_EXPERIMENTAL] if means else [])]


def _said(one: RetentionOfAlgorithm, desired: str) -> str:
    near = one.found.near
    if near.predicted is None:
        return strings.RETENTION_NEVER.format(algorithm=one.algorithm, desired=desired)
    if near.recalled.ends is None:
        predicted, recalled = percent(near.predicted, 0), percent(near.recalled.estimate, 0)
        return strings.RETENTION_SAID.format(algorithm=one.algorithm, predicted=predicted, recalled=recalled)
    digits = 1 if near.recalled.ends[1] - near.recalled.ends[0] < 0.02 else 0
    predicted, recalled = percent(near.predicted, digits), percent(near.recalled.estimate, digits)
    low, high = (percent(min(max(end, 0.0), 1.0), digits) for end in near.recalled.ends)
    return strings.RETENTION_SAID_INTERVAL.format(
        algorithm=one.algorithm, predicted=predicted, recalled=recalled, low=low, high=high
    )


def _means(by: IntervalFactor, desired: str) -> str:
    """What that would mean for intervals; nothing where there is no interval of the factor."""
    if by.factor.ends is None:
        return ""
    factor, low, high = by.factor.known, *by.factor.ends
    if by.factor.side(1) == 0 or abs(factor - 1) < _SMALL:
        return strings.RETENTION_FITTING.format(factor=factor, low=low, high=high)
    form = strings.RETENTION_SHORTER if factor < 1 else strings.RETENTION_LONGER
    return form.format(desired=desired, percent=percent(abs(factor - 1), 0), factor=factor, low=low, high=high)


def _notes(group: RetentionGroup) -> List[str]:
    desired = _desired(group)
    notes = [strings.RETENTION_PRESETS.format(names=all_of(group.presets))] if group.presets else []
    notes += [strings.RETENTION_ASSUMED.format(desired=desired)] if group.assumed else []
    for one in group.algorithms:
        if one.in_sample:
            notes.append(strings.RETENTION_IN_SAMPLE.format(algorithm=one.algorithm))
        if one.found.by_line.factor.reason == interval.NO_CURVE:
            notes.append(strings.RETENTION_NO_CURVE.format(algorithm=one.algorithm))
        if one.held_out is not None:
            tried = one.held_out
            before, after, chance = (f"{100 * x:.1f}" for x in (tried.deviation, tried.corrected, tried.chance))
            form = strings.RETENTION_HELD_OUT
            notes.append(
                form.format(algorithm=one.algorithm, desired=desired, before=before, after=after, chance=chance)
            )
    return notes
