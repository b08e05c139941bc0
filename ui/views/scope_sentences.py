"""Sentences on the reviews that were evaluated, and on the options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Tuple

from ..scope_access import SAME_DAY_TABLE, WHOLE_DAY_TABLE
from ..text import _, strings
from ..text.numbers import percent
from ..text.phrases import scope_words, with_semicolons
from .finding_sentences import subject_scope

if TYPE_CHECKING:
    from evaluator.report import Report, Scope

#: Sentences on the reviews that are predicted in each of the two tables.
TABLES = {
    WHOLE_DAY_TABLE: _("Reviews at least one day after the card's previous review were predicted, in whole days."),
    SAME_DAY_TABLE: _("Every review but a card's first was predicted, same-day ones too, with exact times."),
}

#: Notes on the source of the reviews, by code.
NOTES = {
    "preset_overlay": _(
        "An add-on gives some cards other presets by its own searches (fsrsPresetOverlay), so a card's "
        "real preset is unknown here. Cards are counted under their deck's preset."
    ),
    "first_interval": _(
        "The first interval of an element is before its first answer, unlike in Anki. So each "
        "element's first review is history only (elements: {count:,})."
    ),
    "success_decides": _(
        "Rows in which success and grade contradict each other: {count:,}. Success decides: such a review "
        "counts as Again if it failed, and as Hard if it did not."
    ),
    "negative_interval": _(
        "Reviews dated before the previous one of their card: {count:,}. Each is assumed to come after it, as "
        "early as possible."
    ),
    "days_assumed": _(
        "The source has intervals but no dates: days were dated as early as the intervals allow (days: {count:,})."
    ),
}


def choice_sentences(scope: Scope) -> Tuple[str, ...]:
    """Return a sentence for each unusual option, and for each note on the source of the reviews."""
    first_scheduler = _(
        "The collection is on Anki's first scheduler, which numbered the buttons in learning differently: "
        "they were converted as Anki's upgrade does (rows: {rows:,})."
    )
    assumed = _("Start of day unknown; {hour:02d}:00 UTC was assumed.")
    conditional_sentences = (
        (scope.table == SAME_DAY_TABLE, TABLES[SAME_DAY_TABLE]),
        (scope.since, _("Reviews before {since} were history only.").format(since=scope.since)),
        (not scope.same_day, _("Same-day reviews were hidden from every algorithm.")),
        (not scope.outlier_filter, _("The outlier filter was off.")),
        (scope.renumbered_buttons, first_scheduler.format(rows=scope.renumbered_buttons)),
        (scope.day_cutoff_assumed, assumed.format(hour=scope.rollover_hour)),
    )
    notes = tuple(NOTES[note.code].format(count=note.count) for note in scope.notes)
    return (*(sentence for applies, sentence in conditional_sentences if applies), *notes)


def scope_sentences(report: Report) -> Tuple[str, ...]:
    """Return sentences on the scope, the tested reviews, and the folds, and those of :func:`choice_sentences`."""
    scope = report.scope
    subject = subject_scope(report)
    chosen = "" if subject and scope.kind == "collection" else scope_words(scope.kind, scope.name)
    return (
        _("{scope}.").format(scope=with_semicolons(filter(None, (chosen, subject)))),
        _("Tested: {reviews} of {cards} on {days} from {first} to {last}, {recalled} remembered.").format(
            reviews=strings.REVIEWS(scope.reviews),
            cards=strings.CARDS(scope.cards),
            days=strings.DAYS(scope.days),
            first=scope.first_day,
            last=scope.last_day,
            recalled=percent(scope.recalled, 1),
        ),
        _("In each of {folds}, algorithms were trained on earlier reviews only.").format(
            folds=strings.FOLDS(scope.folds)
        ),
        *choice_sentences(scope),
    )
