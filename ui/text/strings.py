"""Texts that several modules use."""

from __future__ import annotations

from typing import NamedTuple

from . import Counted, _, pgettext


class Term(NamedTuple):
    """A name with an explanation."""

    name: str
    meaning: str  #: one or more sentences


TITLE = _("SRS Evaluator")
# Translators: In a cell, if there is no number.
NO_VALUE = _("–")
REVIEWS = Counted("{count:,} review", "{count:,} reviews")
CARDS = Counted("{count:,} card", "{count:,} cards")
DAYS = Counted("{count:,} day", "{count:,} days")
FOLDS = Counted("{count:,} fold", "{count:,} folds")

# --- what is evaluated ------------------------------------------------------------------------------------------------
# Translators: The evaluation in which reviews on the day of an earlier one are predicted too.
WITH_SAME_DAY = _("With same-day reviews")
# Translators: Of an algorithm, or of a page.
WHOLE_DAY_ONLY = _("This uses whole days, so it is not run with same-day reviews.")
#: Names of what happens to rows of the review log, by :attr:`evaluator.report.RowCount.step`, in order of precedence.
ROW_OUTCOMES = {
    # The steps up to "same_day_again" occur only in logs of other programs.
    "no_date": Term(_("without a readable date"), _("The value cannot be read as a date.")),
    "no_card": Term(_("rows without an element"), _("The row does not say which card was reviewed.")),
    "no_outcome": Term(_("rows without an outcome"), _("The row does not say whether it was remembered.")),
    "no_grade": Term(_("rows without a grade"), _("The grade is not from 0 to 5.")),
    "no_prediction": Term(
        _("rows without a prediction"), _("The program's prediction is missing, or not a probability.")
    ),
    "no_interval": Term(_("rows without an interval"), _("The interval is missing, or not above 0.")),
    "incomplete_element": Term(
        _("reviews of elements whose beginning is missing"),
        _("The first row of the element is not its first repetition, so its history is incomplete."),
    ),
    "introduction": Term(
        _("introductions of elements"), _("The first repetition in SuperMemo only shows the element.")
    ),
    "reset_element": Term(
        _("reviews of elements that were reset"), _("A grade above 5 is not an answer but, for example, a reset.")
    ),
    "certain_lapse": Term(
        _("reviews of elements without a forecast"),
        _(
            "In one of its rows, the expected forgetting index is 100%, which means that SuperMemo made no forecast "
            "there."
        ),
    ),
    "same_day_again": Term(
        _("further rows of an element on one day"), _("If an element has several rows on one day, the first counts.")
    ),
    "outside_scope": Term(_("rows of other cards"), _("Their cards are outside the chosen deck, preset or search.")),
    "invalid_time": Term(
        _("rows with an impossible time"), _("The time of the review is damaged: before year 1 or after 9999.")
    ),
    "future": Term(
        _("rows dated in the future"),
        _("Dated more than a day after the collection's last change or, if that is unknown, after now."),
    ),
    "not_answered": Term(
        _("manual or rescheduled entries"),
        _("Manual changes and reschedules: no answer was given, so nothing can be predicted."),
    ),
    "unknown_button": Term(_("rows with an unknown button"), _("The button is not Again, Hard, Good or Easy.")),
    "unknown_kind": Term(
        _("rows of an unknown type"), _("The type is unknown to this version, so the row may not be a review.")
    ),
    "cram": Term(_("cramming reviews"), _("Previews in filtered decks that did not reschedule the card.")),
    "repeated": Term(
        _("duplicate rows"),
        _(
            "The log has this review id more than once, for example after two exports were merged. One of these rows "
            "counts."
        ),
    ),
    "never_learned": Term(
        _("reviews of cards with no learning step"),
        _("The log has no first learning step for the card, so its history is incomplete."),
    ),
    "before_relearned_from_new": Term(
        _("reviews before a card was reset"),
        _("The card was later reset and learned again; only what followed counts."),
    ),
    "beyond_128th": Term(_("reviews beyond a card's 128th"), _("Only the first 128 rows of a card are used.")),
    "outlier": Term(
        _("second reviews, after an unusual first interval"),
        _(
            "The card's first interval is unusual for its first answer, so the benchmark's outlier filter leaves it "
            "out."
        ),
    ),
    "after_outlier": Term(
        _("later reviews of these cards"), _("Later rows of the cards that the outlier filter left out.")
    ),
    "first_review": Term(_("first reviews"), _("The first answer on a new card: nothing could be predicted yet.")),
    "same_second": Term(
        _("reviews within a second of another"),
        _("Not tested, because no time had passed since the previous answer. All algorithms see these reviews."),
    ),
    "same_day": Term(_("same-day reviews"), _("Seen by the algorithms that use them, but not tested.")),
    "same_day_left_out": Term(_("same-day reviews, left out"), _("Hidden from every algorithm, as you chose.")),
    "before_since": Term(_("reviews before the start date"), _("Earlier than the start date that was chosen.")),
    "training_only": Term(
        _("oldest reviews, training only"), _("The oldest part of the log is for training only, never tested.")
    ),
    "scored": Term(_("tested reviews"), _("Each was predicted before its answer was known.")),
}

# --- algorithms -------------------------------------------------------------------------------------------------------
#: Inputs of algorithms, by code.
USES = {
    "intervals": _("intervals"),
    "intervals_to_the_second": _("exact intervals"),
    "ratings": _("ratings"),
    "two_buttons": _("whether it was remembered"),
    "same_day": _("same-day reviews"),
    "neither": _("neither intervals nor ratings"),
    "outcomes": _("outcomes of all cards"),
    "unknown": _("not known"),
}
#: Notes on an algorithm's row, by code.
NOTES = {
    "recorded": _("predicted before each review by the program that the reviews come from."),
    "external": _("predicted by another program. Whether it had seen these reviews before is unknown."),
    "old_optimizer": _("this Anki's optimizer predates FSRS-6 and is slow; update Anki for a fair comparison."),
    "certain": _(
        "predicts 100% until a review is forgotten (0% until one is remembered), as in the benchmark, so each miss "
        "adds much to its log loss."
    ),
    "too_little": _("default parameters were used in folds with too few reviews for Anki's optimizer."),
    "sm2_options": _("run with the SM-2 options of each card's preset."),
    "published": _("your presets still hold the defaults, so the numbers are those of FSRS-6 (default)."),
    "fsrs7": _("your presets run FSRS-7, with exact times here; some Anki builds scheduled by whole days instead."),
    "published_fsrs7": _(
        "your presets run FSRS-7 with its published parameters, so the numbers are those of FSRS-7 (default)."
    ),
    "partly_published_fsrs7": _(
        "some of your presets run FSRS-7 with its published parameters, because they hold no others that "
        "it can use: see the table “The parameters in your presets”."
    ),
    "versions": _(
        "some of your presets run FSRS-7, the others FSRS-6: see the table “The parameters in your presets”."
    ),
}
#: Groups of algorithms by their name in the configuration.
ALGORITHM_GROUPS = {
    "default": Term(_("Default"), _("A few that are fast and informative.")),
    "fsrs-6-7": Term(_("FSRS-6 and FSRS-7"), _("Which predicts better if both are trained on your earlier reviews?")),
    "published": Term(_("SRS Benchmark"), _("The rows of the public benchmark's tables.")),
    "all": Term(_("All"), _("All except the one that only shows how a metric can be gamed.")),
    "published-2025": Term(_("SRS Benchmark 2025"), _("The rows that the public benchmark published in 2025.")),
    "published-2023": Term(_("Comparison of 2023"), _("The rows of the comparison that came before the benchmark.")),
}
# --- window -----------------------------------------------------------------------------------------------------------
LOADING = _("Loading libraries")
CANCEL = pgettext("Anki", "Cancel")
NOT_RUN = _("Not run: {names}.")

# --- table ------------------------------------------------------------------------------------------------------------
TABLE_NAME = _("Results: one row for each algorithm")
COLUMN_ALGORITHM = _("Algorithm")
MORE_NUMBERS = _("More numbers")
CALCULATE = _("Calculate")
ROW_ACCOUNTING = _("What happened to each row of the review log")
CLOSE = pgettext("Anki", "Close")
# --- graphs, their sentences and tables -------------------------------------------------------------------------------
CHART_X = _("Predicted recall")
CHART_Y = _("Actually remembered")
CHART_COUNTS = _("Reviews")
# Translators: Predictions that are neither too high nor too low.
CHART_DIAGONAL = _("exactly right")
CHART_OFF = _("off by more than chance")
MAY_BE_IN_SAMPLE = _("{algorithm} may have been fitted to these reviews, and so may look too good.")
# --- installing -------------------------------------------------------------------------------------------------------
LOOKING_UP_FILES = _("Looking up the files")
INSTALLATION_FAILED = _("The installation failed unexpectedly. Nothing was installed.")
