"""What is behind the numbers: the parts of the log loss, skill, and whether predictions are too sure or too timid."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional, Tuple

from .. import strings
from ..numbers import MINUS
from ..phrases import listed, with_interval
from ..views.metrics import VIEWS
from .cells import loss, percent, signed
from .table import Column, Table

if TYPE_CHECKING:
    from evaluator.interval import Interval
    from evaluator.report import AlgorithmResult, Report
    from evaluator.sections.decomposition import ChanceMiscalibration


def decomposition_tables(report: Report) -> Tuple[Table, ...]:
    """None where it was not asked for."""
    if not report.section("decomposition"):
        return ()
    return _parts(report), _skill(report), _lines(report)


def _parts(report: Report) -> Table:
    drawn = report.section("decomposition")
    by_chance = {found.algorithm: found for found in drawn}
    return Table(
        title=strings.PARTS_TITLE,
        columns=(
            Column(strings.COLUMN_ALGORITHM, number=False),
            Column(VIEWS["log_loss"].label, VIEWS["log_loss"].definition),
            Column(strings.PARTS_UNCERTAINTY, strings.PARTS_UNCERTAINTY_TIP),
            Column(strings.PARTS_DISCRIMINATION, strings.PARTS_DISCRIMINATION_TIP),
            Column(strings.PARTS_MISCALIBRATION, strings.PARTS_MISCALIBRATION_TIP),
            Column(strings.PARTS_CHANCE, strings.PARTS_CHANCE_TIP),
            Column(strings.PARTS_MOST, strings.PARTS_MOST_TIP),
        ),
        rows=tuple(_parts_row(row, by_chance[row.algorithm]) for row in report.results if row.algorithm in by_chance),
        sentence=_parts_sentence(report, by_chance[report.best]) if report.best in by_chance else "",
        notes=(strings.PARTS_NOTE(drawn[0].resamples, seed=drawn[0].seed),),
    )


def _parts_row(row: AlgorithmResult, chance: ChanceMiscalibration) -> Tuple[str, ...]:
    parts = row.log_loss_parts
    if parts is None:
        return (row.algorithm, *[strings.NO_VALUE] * 6)
    off = max(parts.miscalibration, 0.0)
    made_of = loss(parts.uncertainty), signed(-parts.discrimination), signed(off)
    return (row.algorithm, loss(parts.score), *made_of, loss(chance.mean), loss(chance.quantile_95))


def _parts_sentence(report: Report, chance: ChanceMiscalibration) -> str:
    parts = report.result(chance.algorithm).log_loss_parts
    if parts is None:
        return ""
    found = max(parts.miscalibration, 0.0)
    text = strings.PARTS_MORE if found > chance.quantile_95 else strings.PARTS_WITHIN
    return text.format(algorithm=chance.algorithm, off=loss(found), most=loss(chance.quantile_95))


def _skill(report: Report) -> Table:
    return Table(
        title=strings.SKILL_TITLE,
        columns=(
            Column(strings.COLUMN_ALGORITHM, number=False),
            Column(strings.SKILL_AVERAGE, strings.SKILL_AVERAGE_TIP),
            Column(strings.SKILL_INTERVAL, strings.SKILL_INTERVAL_TIP),
        ),
        rows=tuple(
            (row.algorithm, _skill_cell(row.value("skill_average")), _skill_cell(row.value("skill_interval_average")))
            for row in report.results
            if row.log_loss is not None
        ),
        sentence=strings.SKILL_SENTENCE,
    )


def _skill_cell(skill: Optional[float]) -> str:
    return strings.NO_VALUE if skill is None else percent(skill, 1)


def _lines(report: Report) -> Table:
    return Table(
        title=strings.LINE_TITLE,
        columns=(
            Column(strings.COLUMN_ALGORITHM, number=False),
            Column(strings.LINE_SLOPE, strings.LINE_SLOPE_TIP),
            Column(strings.LINE_INTERCEPT, strings.LINE_INTERCEPT_TIP),
            Column(strings.LINE_LEVEL, strings.LINE_LEVEL_TIP, terse=True),
            Column(strings.LINE_READING, strings.LINE_READING_TIP, number=False),
        ),
        rows=tuple(_line_row(row) for row in report.results if row.log_loss is not None),
        sentence=strings.LINE_SENTENCE,
    )


def _line_row(row: AlgorithmResult) -> Tuple[str, ...]:
    line = row.calibration_line
    if line is None:
        return (row.algorithm, *[strings.NO_VALUE] * 3, "")
    reading = strings.LINE_REASONS.get(line.slope.reason or "", "") or _line_reading(line.slope, line.in_the_large)
    cells = _with_interval(line.slope), _with_interval(line.intercept), _with_interval(line.in_the_large)
    return (row.algorithm, *cells, reading)


def _with_interval(of: Interval) -> str:
    if of.estimate is None:
        return strings.NO_VALUE
    value = _two(of.estimate)
    return value if of.ends is None else with_interval(value, *map(_two, of.ends))


def _two(value: float) -> str:
    text = f"{abs(value):.2f}"
    return MINUS + text if value < 0 and float(text) else text


def _line_reading(slope: Interval, level: Interval) -> str:
    """Only what the intervals leave no doubt about."""
    said = {-1: [strings.LINE_TOO_SURE], 1: [strings.LINE_TOO_TIMID]}.get(slope.side(1) or 0, [])
    return listed(said + {-1: [strings.LINE_TOO_HIGH], 1: [strings.LINE_TOO_LOW]}.get(level.side() or 0, []))
