"""Can this number be cheated? The forecasters that do, beside the best algorithm."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, Sequence, Tuple

from ..text import _, strings
from ..text.phrases import labelled, paragraph
from .cells import loss, percent
from .metrics import VIEWS
from .view import Block, Column, Table, View

if TYPE_CHECKING:
    from evaluator.report import Report
    from evaluator.sections.cheating import Cheat

#: What each forecaster does, by its name.
CHEATING_FORECASTERS = {
    "AVG": _("AVG knows nothing about your cards and always says your average so far."),
    "RMSE-BINS-EXPLOIT": _(
        "RMSE-BINS-EXPLOIT knows nothing about your cards and was made to please RMSE (bins): in each group of reviews "
        "it makes up for its errors so far."
    ),
}
#: After one of those: how it looks by the metric, and whether it is worse by log loss.
CHEATING_FOUND = {
    ("better", "worse"): _(
        "By {metric} it looks better than {best} ({value} against {best_value}), so that number can be cheated; by log "
        "loss it is worse by {more}."
    ),
    ("as_good", "worse"): _(
        "By {metric} it looks as good as {best} ({value} against {best_value}), so that number can be cheated; by log "
        "loss it is worse by {more}."
    ),
    ("worse", "worse"): _(
        "By {metric} it looks worse than {best} here ({value} against {best_value}); by log loss it is worse by {more}."
    ),
    ("better", "not_worse"): _(
        "By {metric} it looks better than {best} ({value} against {best_value}), so that number can be cheated; by log "
        "loss it is not worse either: nothing shows here that {best} knows more than it does."
    ),
    ("as_good", "not_worse"): _(
        "By {metric} it looks as good as {best} ({value} against {best_value}), so that number can be cheated; by log "
        "loss it is not worse either: nothing shows here that {best} knows more than it does."
    ),
    ("worse", "not_worse"): _(
        "By {metric} it looks worse than {best} here ({value} against {best_value}), but by log loss it is not worse: "
        "nothing shows here that {best} knows more than it does."
    ),
}
CHEATING_DECIDES = _(
    "Log loss decides, as nobody can gain by it from saying anything but what it believes. RMSE (bins) is shown for "
    "comparison with other tools."
)

#: Closer together, two values of a metric (0 to 1) are as good as each other: 0.05 percentage points.
_SAME = 0.0005


def blocks(found: Sequence[Cheat], _report: Report, _names: Sequence[str]) -> Iterator[Block]:
    """Two rows for each metric that can be cheated: its cheater, and the best algorithm if that is another."""
    columns = (
        # Translators: A column: the metric, such as "RMSE (bins)".
        Column(_("Metric"), number=False),
        Column(
            strings.COLUMN_ALGORITHM,
            _("Who cheats that number, and below it the algorithm with the lowest log loss."),
            number=False,
        ),
        Column(_("Value of the metric"), _("Lower is better.")),
        Column(VIEWS["log_loss"].label, VIEWS["log_loss"].definition),
    )
    metrics = [VIEWS[cheat.metric] for cheat in found]
    yield Block(
        key="cheating",
        heading=strings.CHEATING_TITLE,
        caption=paragraph(*map(_sentence, found), CHEATING_DECIDES),
        table=Table(columns, tuple(row for cheat in found for row in _rows(cheat))),
        notes=tuple(labelled(metric.label, metric.definition) for metric in metrics),
    )


def _rows(cheat: Cheat) -> Iterator[Tuple[str, ...]]:
    metric = VIEWS[cheat.metric].label
    yield metric, cheat.forecaster, percent(cheat.value, 2), loss(cheat.log_loss)
    if cheat.best != cheat.forecaster:
        yield "", cheat.best, percent(cheat.best_value, 2), loss(cheat.best_log_loss)


def _sentence(cheat: Cheat) -> str:
    """What the forecaster does, and whether the metric and the log loss tell it from the best algorithm."""
    who = CHEATING_FORECASTERS[cheat.forecaster]
    if cheat.best == cheat.forecaster:
        return paragraph(who, _("It has the lowest log loss itself: nothing that was run is shown to know more."))
    more = cheat.log_loss - cheat.best_log_loss
    found = CHEATING_FOUND[_by_metric(cheat.value - cheat.best_value), "worse" if more > 0 else "not_worse"]
    said = found.format(
        metric=VIEWS[cheat.metric].label,
        best=cheat.best,
        value=percent(cheat.value, 2),
        best_value=percent(cheat.best_value, 2),
        more=loss(more),
    )
    return paragraph(who, said)


def _by_metric(difference: float) -> str:
    """How the forecaster looks by a metric, from its value minus that of the best algorithm."""
    if abs(difference) < _SAME:
        return "as_good"
    return "better" if difference < 0 else "worse"


VIEW = View("cheating", _("Can the numbers be cheated?"), "", blocks)
