"""What is behind the numbers: the parts of the log loss, skill, and whether predictions are too sure or too timid."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional, Tuple

from ..text import Counted, _, strings
from ..text.numbers import MINUS
from ..text.phrases import listed, with_interval
from ..views.metrics import VIEWS
from .cells import loss, percent, signed
from .table import Column, Table

if TYPE_CHECKING:
    from evaluator.interval import Interval
    from evaluator.report import AlgorithmResult, Report
    from evaluator.sections.decomposition import ChanceMiscalibration

PARTS_NOTE = Counted(
    "Chance: {count} draw with the seed {seed}. Log loss is the sum of the three columns after it.",
    "Chance: {count} draws with the seed {seed}. Log loss is the sum of the three columns after it.",
)
LINE_REASONS = {
    "constant": _("it always says the same"),
    "one_outcome": _("all reviews ended in the same way"),
    "separated": _("no line: some limit tells all remembered from all forgotten"),
}


def decomposition_tables(report: Report) -> Tuple[Table, ...]:
    """None where it was not asked for."""
    if not report.section("decomposition"):
        return ()
    return _parts(report), _skill(report), _lines(report)


def _parts(report: Report) -> Table:
    drawn = report.section("decomposition")
    by_chance = {found.algorithm: found for found in drawn}
    return Table(
        title=_("What log loss is made of"),
        columns=(
            Column(strings.COLUMN_ALGORITHM, number=False),
            Column(VIEWS["log_loss"].label, VIEWS["log_loss"].definition),
            Column(
                _("Uncertainty"),
                _(
                    "How uncertain your memory itself is: the log loss of always saying the share that you remembered, "
                    "which only hindsight knows. The same for all algorithms."
                ),
            ),
            Column(
                _("Discrimination"),
                _("What it takes off for knowing which reviews will be forgotten: the further below 0, the better."),
            ),
            Column(_("Miscalibration"), _("What is added because its probabilities are off. Closer to 0 is better.")),
            Column(
                # Translators: A column: how much miscalibration chance makes.
                _("By chance"),
                _(
                    "The miscalibration that an algorithm with these predictions would show on average if every one "
                    "were exactly right."
                ),
            ),
            Column(
                # Translators: A column: how much miscalibration chance makes at most.
                _("At most"),
                _("If every prediction were exactly right, miscalibration would be above this only once in 20."),
            ),
        ),
        rows=tuple(_parts_row(row, by_chance[row.algorithm]) for row in report.results if row.algorithm in by_chance),
        sentence=_parts_sentence(report, by_chance[report.best]) if report.best in by_chance else "",
        notes=(PARTS_NOTE(drawn[0].resamples, seed=drawn[0].seed),),
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
    text = (
        _(
            "{algorithm} loses {off} because its probabilities are off. Chance alone makes that up to {most} (once in "
            "20 more); what the reviews of one card or one day have in common may add some."
        )
        if found > chance.quantile_95
        else _(
            "{algorithm} loses {off} because its probabilities are off. Chance alone can make that much (up to "
            "{most}), so they may well be right."
        )
    )
    return text.format(algorithm=chance.algorithm, off=loss(found), most=loss(chance.quantile_95))


def _skill(report: Report) -> Table:
    return Table(
        title=_("Better than guessing?"),
        columns=(
            Column(strings.COLUMN_ALGORITHM, number=False),
            Column(
                # Translators: A column: how much better (skill) than saying ...
                _("Than your average"),
                _("By what share its log loss is lower than that of always saying your average of all reviews so far."),
            ),
            Column(
                # Translators: A column: how much better (skill) than saying ...
                _("Than your average by interval"),
                _(
                    "By what share its log loss is lower than that of saying your average so far after intervals of "
                    "similar length."
                ),
            ),
        ),
        rows=tuple(
            (row.algorithm, _skill_cell(row.value("skill_average")), _skill_cell(row.value("skill_interval_average")))
            for row in report.results
            if row.log_loss is not None
        ),
        sentence=_(
            "Skill: by what share the log loss is lower than that of a guess that anyone could make. "
            "0\N{NO-BREAK SPACE}% is as good as guessing, below 0\N{NO-BREAK SPACE}% is worse. Small numbers are "
            "usual, as much of what we forget is luck."
        ),
    )


def _skill_cell(skill: Optional[float]) -> str:
    return strings.NO_VALUE if skill is None else percent(skill, 1)


def _lines(report: Report) -> Table:
    return Table(
        title=_("Too sure or too timid?"),
        columns=(
            Column(strings.COLUMN_ALGORITHM, number=False),
            Column(
                _("Slope"),
                _(
                    "1 is right. Below 1: too sure, high predictions are too high and low ones too low. Above 1: too "
                    "timid, predictions lie too close together. In brackets: the 95\N{NO-BREAK SPACE}% interval."
                ),
            ),
            Column(
                _("Intercept"),
                _(
                    "Where the line lies for predictions of 50\N{NO-BREAK SPACE}%: 0 is right. Read it only together "
                    "with the slope."
                ),
            ),
            Column(
                # Translators: A column: of the predictions, whether they are too high or too low.
                _("Level"),
                _(
                    "0 is right over all reviews. Below 0 you remembered less than predicted, above 0 more; in logits: "
                    "near 90\N{NO-BREAK SPACE}%, 0.1 is one percentage point."
                ),
                terse=True,
            ),
            Column(_("In words"), _("What the intervals leave no doubt about; nothing where they do."), number=False),
        ),
        rows=tuple(_line_row(row) for row in report.results if row.log_loss is not None),
        sentence=_(
            "A line through what you remembered by what was predicted (both as logits): a perfect algorithm has slope "
            "1, intercept 0 and level 0."
        ),
    )


def _line_row(row: AlgorithmResult) -> Tuple[str, ...]:
    line = row.calibration_line
    if line is None:
        return (row.algorithm, *[strings.NO_VALUE] * 3, "")
    reading = LINE_REASONS.get(line.slope.reason or "", "") or _line_reading(line.slope, line.in_the_large)
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
    # Translators: Of an algorithm's predictions, how they spread.
    said = {-1: [_("too sure")], 1: [_("too timid")]}.get(slope.side(1) or 0, [])
    return listed(said + {-1: [_("too high")], 1: [_("too low")]}.get(level.side() or 0, []))
