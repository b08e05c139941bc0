"""What was evaluated, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Tuple

from ..text import strings
from ..text.wording import MINUS, listed, percent, scope_words

if TYPE_CHECKING:
    from evaluator.report import Report, Scope


def covered_sentence(report: Report) -> str:
    """What the second comparison is about, where predictions from elsewhere lack some of the reviews."""
    if report.on_covered is None:
        return ""
    return strings.ON_COVERED.format(
        reviews=strings.REVIEWS(report.on_covered.scope.reviews),
        all=report.scope.reviews,
        names=listed(one.algorithm for one in report.uncovered),
    )


def choice_sentences(scope: Scope) -> Tuple[str, ...]:
    """What was chosen otherwise than usual, or is otherwise; empty where nothing is."""
    return (
        *((strings.CHOSEN_SINCE.format(since=scope.since),) if scope.since else ()),
        *(() if scope.same_day else (strings.CHOSEN_NO_SAME_DAY,)),
        *(() if scope.outlier_filter else (strings.CHOSEN_NO_FILTER,)),
        *((strings.RENUMBERED.format(rows=scope.renumbered_buttons),) if scope.renumbered_buttons else ()),
    )


def scope_sentences(scope: Scope) -> Tuple[str, ...]:
    """Whose reviews were scored, how many, and how."""
    return (
        strings.SCOPE.format(scope=scope_words(scope.kind, scope.name)),
        strings.SCORED.format(
            reviews=strings.REVIEWS(scope.reviews),
            cards=strings.CARDS(scope.cards),
            days=strings.DAYS(scope.days),
            first=scope.first_day,
            last=scope.last_day,
            recalled=percent(scope.recalled, 1),
        ),
        strings.TRAINED_ON_EARLIER.format(folds=strings.FOLDS(scope.folds)),
        *choice_sentences(scope),
        _day_begins(scope),
    )


def _day_begins(scope: Scope) -> str:
    if scope.day_cutoff_assumed:
        return strings.DAY_ASSUMED.format(hour=scope.rollover_hour)
    if scope.utc_offset_minutes is None:
        minutes = scope.day_cutoff % 86_400 // 60
        return strings.DAY_UTC.format(hour=minutes // 60, minute=minutes % 60)
    hours, minutes = divmod(abs(scope.utc_offset_minutes), 60)
    sign = MINUS if scope.utc_offset_minutes < 0 else "+"
    return strings.DAY_LOCAL.format(hour=scope.rollover_hour, offset=f"{sign}{hours:02d}:{minutes:02d}")
