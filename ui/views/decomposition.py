"""What is behind the numbers: the parts of the log loss, skill, and whether predictions are too sure or too timid."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, Mapping, Sequence, Tuple

from ..text import Counted, _, strings
from ..text.numbers import MINUS
from ..text.phrases import listed, with_interval
from .cells import loss, percent, signed
from .metrics import VIEWS
from .tables import ALGORITHM
from .view import Block, Column, Table, View

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


def blocks(found: Sequence[ChanceMiscalibration], report: Report, _names: Sequence[str]) -> Iterator[Block]:
    """What the log loss is made of, skill, and the line through what was predicted and what was remembered."""
    by_chance = {one.algorithm: one for one in found}
    yield Block(
        key="parts",
        heading=_("What log loss is made of"),
        caption=_parts_sentence(report, by_chance[report.best]) if report.best in by_chance else "",
        table=_parts(report, by_chance),
        notes=(PARTS_NOTE(found[0].resamples, seed=found[0].seed),),
    )
    yield Block(
        "skill",
        _("Better than guessing?"),
        _(
            "Skill: by what share the log loss is lower than that of a guess that anyone could make. "
            "0\N{NO-BREAK SPACE}% is as good as guessing, below 0\N{NO-BREAK SPACE}% is worse. Small numbers are "
            "usual, as much of what we forget is luck."
        ),
        _skill(report),
    )
    yield Block(
        "line",
        _("Too sure or too timid?"),
        _(
            "A line through what you remembered by what was predicted (both as logits): a perfect algorithm has slope "
            "1, intercept 0 and level 0."
        ),
        _lines(report),
    )


def _parts(report: Report, by_chance: Mapping[str, ChanceMiscalibration]) -> Table:
    return Table(
        columns=(
            ALGORITHM,
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
                _("At most by chance"),
                _("If every prediction were exactly right, miscalibration would be above this only once in 20."),
            ),
        ),
        rows=tuple(_parts_row(row, by_chance[row.algorithm]) for row in report.results if row.algorithm in by_chance),
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
            "{algorithm} loses {off} because its probabilities are off. Chance alone makes that up to {most} (more "
            "only once in 20 times); what the reviews of one card or one day have in common may add some."
        )
        if found > chance.quantile_95
        else _(
            "{algorithm} loses {off} where its probabilities seem to be off. Chance alone can make that much (up to "
            "{most}), so they may well be right."
        )
    )
    return text.format(algorithm=chance.algorithm, off=loss(found), most=loss(chance.quantile_95))


def _skill(report: Report) -> Table:
    return Table(
        columns=(
            ALGORITHM,
            Column(
                # Translators: A column: how much better (skill) than saying ...
                _("Skill against your average"),
                _("By what share its log loss is lower than that of always saying your average of all reviews so far."),
            ),
            Column(
                # Translators: A column: how much better (skill) than saying ...
                _("Skill against your average by interval"),
                _(
                    "By what share its log loss is lower than that of saying your average so far after intervals of "
                    "similar length."
                ),
            ),
        ),
        rows=tuple(
            (row.algorithm, percent(row.value("skill_average")), percent(row.value("skill_interval_average")))
            for row in report.results
            if row.log_loss is not None
        ),
    )


def _lines(report: Report) -> Table:
    return Table(
        columns=(
            ALGORITHM,
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
            Column(
                _("In words"),
                _("Too sure or too timid, too high or too low: said only where the intervals leave no doubt."),
                number=False,
            ),
        ),
        rows=tuple(_line_row(row) for row in report.results if row.log_loss is not None),
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
    value = _two_digits(of.estimate)
    return value if of.ends is None else with_interval(value, *map(_two_digits, of.ends))


def _two_digits(value: float) -> str:
    text = f"{abs(value):.2f}"
    return MINUS + text if value < 0 and float(text) else text


def _line_reading(slope: Interval, level: Interval) -> str:
    """What slope and level say of predictions, as far as their intervals leave no doubt."""
    # Translators: Of an algorithm's predictions, how they spread.
    said = {-1: [_("too sure")], 1: [_("too timid")]}.get(slope.side(1) or 0, [])
    return listed(said + {-1: [_("too high")], 1: [_("too low")]}.get(level.side() or 0, []))


VIEW = View("decomposition", _("What is behind the numbers"), _("What are the numbers made of?"), blocks)
