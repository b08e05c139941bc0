"""Texts about what was evaluated: errors, the funnel, the metrics, the verdict.

In English here, and after the last line in the language that was chosen, see :mod:`ui.text`. Names in braces
are filled in. A number and its percent sign are held together by a no-break space.
"""

from __future__ import annotations

from typing import Dict, NamedTuple

from . import Counted, translate

# --- how texts are put together ---------------------------------------------------------------------------------------
#: One sentence after another.
SENTENCES = "{first} {second}"
#: Between the items of a list.
COMMA = ", "
SEMICOLON = "; "
AND = "{others} and {last}"
OR = "{others} or {last}"
#: Of a list that is too long to be given whole.
AND_MORE = "{names} and {count:,} more"
PERCENT = "{number}\N{NO-BREAK SPACE}%"
#: What a sentence is about, and the sentence.
ABOUT = "{about}: {sentence}"

REVIEWS = Counted("{count:,} review", "{count:,} reviews")
SCORED_REVIEWS = Counted("{count:,} scored review", "{count:,} scored reviews")
CARDS = Counted("{count:,} card", "{count:,} cards")
DAYS = Counted("{count:,} day", "{count:,} days")
FOLDS = Counted("{count:,} fold", "{count:,} folds")
ROWS = Counted("{count:,} row", "{count:,} rows")

# --- errors -----------------------------------------------------------------------------------------------------------
#: By their code. Those that depend on their numbers stand below.
ERRORS: Dict[str, str] = {
    "file_missing": "There is no file at {path}. Check the path and try again.",
    "not_a_collection": (
        "{path} is not an Anki collection. Give a .anki2, .colpkg or .apkg file, or a review log as .csv or .csv.gz."
    ),
    "damaged_file": (
        "{path} is damaged and cannot be read ({detail}). Use a backup; a collection can also be mended in Anki with "
        "Tools > Check Database."
    ),
    "unreadable_csv": "{path} cannot be read as CSV: {detail}. Correct it, or export it again.",
    "too_many_rows": (
        "The table {table} has {rows:,} rows, but at most {most:,} are read: 1,000 reviews a day make so many in 27 "
        "years. Use a backup, or Tools > Check Database in Anki."
    ),
    "collection_in_use": "{path} is open in another program. Close Anki and try again.",
    "collection_closed": "The collection was closed. Open a profile and run the evaluation again.",
    "bad_cell": (
        "{path}, line {line}: {column} should be a whole number of at most 18 digits but is {value!r}. Correct that "
        "line and try again."
    ),
    "bad_option": "{option} cannot be {value!r}. Allowed: {allowed}.",
    "nothing_since": (
        "There are no reviews to score from {since} on. The last one is of {last}: choose an earlier start date."
    ),
    "search_too_complex": (
        "Anki cannot search for {search!r}: it is too long, or too many brackets stand within each other. Shorten it."
    ),
    "search_impossible": "Only a collection or a package can be searched: a review log as CSV does not hold the cards.",
    "odd_parameters": (
        "There are {count} FSRS parameters that cannot be used: versions 4.5, 5 and 6 have 17, 19 and 21 numbers."
    ),
    "optimiser_missing": "Anki's own optimiser is not installed here.",
    "optimiser_failed": "Anki's own optimiser failed: {detail}",
    "bad_predictions": "{path} cannot be used as predictions: {detail}.",
    "empty_revlog": (
        "There are no reviews in it: the review log is empty. Study some cards on several days, then come back; "
        "if this is an exported deck, export it with its scheduling information."
    ),
}
#: In megabytes.
TOO_LARGE = (
    "{path} may unpack to {found:,} MB, but at most {most:,} MB are unpacked: AnkiWeb takes a tenth of that. If the "
    "collection really is so large, import the package into Anki and give the collection.anki2 itself."
)
NO_ROOM = (
    "There is no room to copy {path} into {folder}, where temporary files go ({free:,} MB are free). Make room there, "
    "or let the environment variable TMPDIR name a folder with more."
)
#: The names of columns, and what stands in the file's first line.
MISSING_COLUMNS = Counted(
    "{path} lacks the column {missing}. Its first line has: {found}.",
    "{path} lacks the columns {missing}. Its first line has: {found}.",
)
FOUND_NOTHING = "nothing"
UNKNOWN_ALGORITHM = "There is no algorithm {name!r}."
#: By what is not known.
UNKNOWN_NAMES = {
    "deck": "There is no deck {name!r}.",
    "preset": "There is no preset {name!r}.",
    "section": "There is no section {name!r}.",
    "setting": "There is no setting {name!r}.",
}
DID_YOU_MEAN = "Did you mean {names}?"
KNOWN = "Known: {names}."
KNOWN_NONE = "There are none."
KNOWN_NAMES = Counted("There is {names}.", "There are {names}.")
BAD_SEARCH = "Anki cannot search for {search!r}: {detail}"
#: A sentence by somebody else that lacks its end.
ENDED = "{sentence}."
DECKS_UNKNOWN = {
    "deck": (
        "It is not known which deck each card belongs to. Evaluate a collection, or give --cards with a review log."
    ),
    "preset": ("It is not known which preset each card belongs to. Evaluate a collection instead of a review log."),
}
NO_PARAMETERS = (
    "No preset holds FSRS parameters ({presets} looked at). Optimise FSRS in Anki's deck options to see this row."
)
NO_PRESETS = "There are no presets in it, and so no FSRS parameters: only a collection holds them."
UNCOVERED_ALL = "The file predicts none of the {reviews}."
UNCOVERED = "The file lacks {uncovered:,} of the {reviews} (the first has the review id {first})."
#: After the scope and a colon.
NOTHING_IN_SCOPE = Counted(
    "the only card has not been reviewed yet.", "none of the {count:,} cards has been reviewed yet."
)
NO_CARDS_IN_SCOPE = "there are no cards, and so no reviews."
ALL_FILTERED = (
    "The review log has {rows}, but none can be scored: {ways}. A review can be scored when its card was learned in "
    "this collection and was seen on an earlier day."
)
WITHOUT_THE_FILTER = "Without the outlier filter {reviews} could."
#: A number of rows, and what they are: :data:`FUNNEL`.
FUNNEL_COUNT = "{rows:,} {what}"
TOO_FEW_REVIEWS = (
    "{reviews} can be scored, but at least {needed} are needed to train and test on {folds}. Study on some more days, "
    "or include earlier reviews."
)
ALL_REMEMBERED = (
    "All {reviews:,} scored reviews were remembered, so algorithms cannot be told apart. At least one of each outcome "
    "is needed: study on some more days, or include earlier reviews."
)
ALL_FORGOTTEN = (
    "All {reviews:,} scored reviews were forgotten, so algorithms cannot be told apart. At least one of each outcome "
    "is needed: study on some more days, or include earlier reviews."
)
#: What an option may be, after "Allowed:".
ALLOWED = {
    "folds": "a whole number from 2 to 100",
    "algorithms": "names, or one of {groups}",
    "baseline": "the name of one algorithm",
    "external": "a name that no other row has",
}

# --- what is evaluated ------------------------------------------------------------------------------------------------
#: By the kind of :class:`evaluator.scope.ScopeChoice`.
SCOPES: Dict[str, str] = {
    "collection": "Whole collection",
    "deck": "Deck {name} with subdecks",
    "deck_id": "Deck number {name}",
    "preset": "Preset {name}",
    "search": "Search “{name}”",
    "cards": "{name}",
}
ON_COVERED = (
    "All again on the {reviews} of {all:,} that can be compared with predictions from elsewhere ({names} lacks the "
    "others):"
)
CHOSEN_SINCE = "Reviews before {since} were history only."
CHOSEN_NO_SAME_DAY = "No algorithm was told of same-day reviews."
CHOSEN_NO_FILTER = "The outlier filter was off."
RENUMBERED = (
    "The collection is on Anki's first scheduler, which numbered the buttons in learning otherwise: {rows:,} rows were "
    "read as its upgrade would change them."
)
SCOPE = "{scope}."
SCORED = "Scored: {reviews} of {cards} on {days} from {first} to {last}, {recalled} remembered."
TRAINED_ON_EARLIER = "In each of {folds}, algorithms were trained on earlier reviews only."
DAY_ASSUMED = "Nothing says when a day begins; {hour:02d}:00 UTC was assumed."
DAY_UTC = "A day begins at {hour:02d}:{minute:02d} UTC."
DAY_LOCAL = "A day begins at {hour:02d}:00, UTC{offset}."


class FunnelText(NamedTuple):
    """Why rows of the review log went the way they did."""

    short: str  #: completes "12 ..."
    long: str  #: a sentence


#: By :attr:`evaluator.report.FunnelStep.step`, in the order in which the steps are taken.
FUNNEL: Dict[str, FunnelText] = {
    "outside_scope": FunnelText(
        "rows of other cards", "They are of cards outside the deck, preset or search that was chosen."
    ),
    "timeless": FunnelText(
        "rows with an impossible time", "The time of the review is damaged: before year 1 or after 9999."
    ),
    "not_answered": FunnelText(
        "manual or rescheduled entries",
        "Manual changes and reschedules: no answer was given, so nothing can be predicted.",
    ),
    "unknown_button": FunnelText("rows with an unknown button", "The button is none of Again, Hard, Good and Easy."),
    "cram": FunnelText("cramming reviews", "Previews in filtered decks that did not reschedule the card."),
    "repeated": FunnelText(
        "rows that stand twice", "The same review id again, as where two exports were put together: one of them counts."
    ),
    "never_learned": FunnelText(
        "reviews of cards whose learning is missing",
        "The log holds no first learning step of the card, so its history is incomplete.",
    ),
    "before_relearned_from_new": FunnelText(
        "reviews before a card was reset", "The card was later reset and learned anew; only what followed counts."
    ),
    "beyond_128th": FunnelText("reviews beyond a card's 128th", "Only the first 128 rows of a card are used."),
    "outlier": FunnelText(
        "second reviews after an unusual interval",
        "The first interval of the card is rare for its first answer, so the benchmark's outlier filter leaves it out.",
    ),
    "after_outlier": FunnelText(
        "further reviews of those cards", "Rows of cards whose second review the outlier filter left out."
    ),
    "first_review": FunnelText("first reviews", "The first answer on a new card: nothing could be predicted yet."),
    "same_day": FunnelText(
        "same-day reviews", "Repetitions on one day: known to the algorithms that use them, but not scored."
    ),
    "same_day_left_out": FunnelText(
        "same-day reviews, left out", "Repetitions on one day: no algorithm was told of them, as was chosen."
    ),
    "before_since": FunnelText("reviews before the start date", "Earlier than the start date that was chosen."),
    "training_only": FunnelText(
        "oldest reviews, only trained on", "The oldest part of the log trains the first fold and is never scored."
    ),
    "scored": FunnelText("scored reviews", "Predicted before they were seen, and scored."),
    # Only where predictions from elsewhere lack some reviews, of the comparison on the others.
    "uncovered": FunnelText(
        "reviews that a file does not predict",
        "A file of predictions lacks them, so all algorithms are compared without.",
    ),
}

# --- algorithms -------------------------------------------------------------------------------------------------------
#: What an algorithm knows of a card's past.
USES = {
    "intervals": "intervals",
    "intervals_to_the_second": "intervals to the second",
    "ratings": "ratings",
    "two_buttons": "whether it was remembered",
    "same_day": "same-day reviews",
    "outcomes": "outcomes of all cards",
    "unknown": "not known",
}
#: What else there may be to know of an algorithm's row.
NOTES: Dict[str, str] = {
    "external": "predicted elsewhere. Whether the model had seen these reviews before is not known here.",
    "old_optimiser": "the optimiser of this Anki is older than FSRS-6, and slow; update Anki for a fair comparison.",
}
NO_RESULT = "{algorithm} has no result."


class MetricText(NamedTuple):
    """How a metric is called and explained."""

    label: str
    definition: str  #: one or two plain sentences, without the direction


#: By the key in a row of the results; `ui.views.metrics` says how and where each is shown.
METRICS: Dict[str, MetricText] = {
    "log_loss": MetricText(
        "Log loss",
        "How surprised the algorithm was by your answers. It rewards honest probabilities and cannot be cheated, "
        "so it decides the order.",
    ),
    "rmse_bins": MetricText(
        "RMSE (bins)",
        "How far predicted and actual recall lie apart in groups of reviews with similar intervals, review counts and "
        "lapses, with the group limits of the page about the metric (“The Metric” in the FSRS wiki). Even a "
        "perfect algorithm does not reach 0.",
    ),
    "rmse_bins_benchmark": MetricText(
        "RMSE (bins, benchmark)",
        "RMSE (bins) with the group limits that the public benchmark and Anki use: compare this one with published "
        "tables.",
    ),
    "auc": MetricText(
        "AUC",
        "How often a remembered review had got a higher prediction than a forgotten one. 0.5 is guessing. It says "
        "nothing about whether the probabilities are right.",
    ),
    "brier": MetricText(
        "Brier score",
        "The mean squared distance between prediction and outcome: a second opinion to log loss.",
    ),
    "rmse_prediction_bins": MetricText(
        "RMSE by prediction",
        "The older RMSE over groups of similar predictions. An algorithm that always says your average gets nearly 0, "
        "so it can be cheated; shown only for comparison with old results.",
    ),
    "mae_prediction_bins": MetricText(
        "MAE by prediction",
        "The mean absolute error over groups of similar predictions. It can be cheated in the same way.",
    ),
}

# --- the verdict ------------------------------------------------------------------------------------------------------
NO_PAIR = "With one algorithm there is nothing to compare. Choose a second one, such as {second}."
UNFINISHED = "There is no verdict, because {algorithm} or {baseline} has no result."
UNFINISHED_TABLE = "The table shows the algorithms that have one."
IN_SAMPLE = "{algorithm} may have been fitted on these very reviews, which flatters it."
#: By the comparison's code.
ANSWERS = {
    "better": "{algorithm} predicts your memory better than {baseline}.",
    "worse": "{algorithm} predicts your memory worse than {baseline}.",
    "equivalent": (
        "{algorithm} and {baseline} predict your memory equally well: any difference is smaller than {margin:g}."
    ),
    "cannot_tell": (
        "It cannot be told whether {algorithm} or {baseline} predicts your memory better: with these reviews only "
        "differences above {detectable} could have been shown."
    ),
    "too_few": (
        "There are too few days or cards to say whether {algorithm} or {baseline} predicts your memory better."
    ),
}
UNSEEN = "{reviews} that neither had seen before"
LOSS_LOWER = "On {reviews}, the log loss of {algorithm} is {difference:.4f} lower"
LOSS_HIGHER = "On {reviews}, the log loss of {algorithm} is {difference:.4f} higher"
#: ``said`` is one of the two before.
EVIDENCE = "{said} ({interval})."
EVIDENCE_OF_CHANCE = "{said}, but chance alone could make such a difference ({interval})."
EVIDENCE_TOO_FEW = (
    "{said}. How much of that is chance is not known: there are {cards} on {days}, and at least {least} of both are "
    "needed."
)
INTERVAL = "95\N{NO-BREAK SPACE}% interval: {low} to {high}"
BY_HOW_MUCH = "{difference:.4f}; {interval}"
WORSE_THAN_AVERAGE = "{algorithm} is worse than always guessing your average (by {by_how_much})."
#: Of the parameters, by the comparison's code.
TRAINING = {
    "better": "Parameters trained on your reviews predict better than the published ones (by {by_how_much}).",
    "worse": "The published parameters predict better than those trained on your reviews (by {by_how_much}).",
    "equivalent": (
        "The published parameters predict as well as those trained on your reviews: any difference is smaller than "
        "{margin:g}."
    ),
    "cannot_tell": (
        "Whether parameters trained on your reviews are better than the published ones cannot be told yet: "
        "only differences above {detectable} could have been shown."
    ),
}
#: What a star says; no end mark, as each completes "★ ...".
STAR_BEST = "cannot be told from the best on these reviews"
STAR_LOWEST = "lowest log loss"
STAR_LOWEST_UNSEEN = "lowest log loss of those that are not in-sample"
STAR_ORDER = (
    "A star may stand below a row without one: algorithms are compared review by review, and two that err on the "
    "same reviews are told apart by a smaller difference than two that err on others. What is in-sample has none."
)

# --- an algorithm's numbers -------------------------------------------------------------------------------------------
CHANCE_ALONE = (
    "{metric} {value}: by chance alone even a perfect algorithm would have about {floor} on these reviews, so nothing "
    "shows that this one is off."
)
CHANCE_AND_MORE = (
    "{metric} {value}: by chance alone even a perfect algorithm would have about {floor} on these reviews. Without "
    "chance, this one would have about {excess}. (The two make less than their sum, since they partly cancel.)"
)
PARTS = (
    "Log loss {score:.4f} = {uncertainty:.4f} (how uncertain your memory is, the same for all) \N{MINUS SIGN} "
    "{discrimination:.4f} (for knowing which reviews you forget) + {miscalibration:.4f} (for probabilities that are "
    "off)."
)
#: After :data:`PARTS`: "it" is the log loss.
SKILL = (
    "It is {average} than that of always guessing your average so far, and {interval} than that of guessing your "
    "average after intervals of similar length."
)
SKILL_OF_AVERAGE = "It is {interval} than that of guessing your average after intervals of similar length."
LOWER_BY = "{share} lower"
HIGHER_BY = "{share} higher"
BIAS = {
    "right": "On the whole its predictions are {height}.",
    "too_sure": (
        "On the whole its predictions are {height}; it is too sure of itself, high ones being too high and low ones "
        "too low."
    ),
    "too_timid": (
        "On the whole its predictions are {height}; it is too timid, high ones being too low and low ones too high."
    ),
}
BIAS_HEIGHTS = {
    "right": "neither too high nor too low",
    "too_high": "too high",
    "too_low": "too low",
}

# --- own parameters? --------------------------------------------------------------------------------------------------
SPLIT_WHICH = {"preset": "the preset {name}", "deck": "the deck {name}"}
#: The same at the beginning of a sentence.
SPLIT_WHICH_FIRST = {"preset": "The preset {name}", "deck": "The deck {name}"}
SPLIT_NEEDED = "at least 100 scored ones of {least} cards on {least} days are needed"
SPLIT_TOO_FEW = "{which} has too few reviews to tell: {needed}."
SPLIT_GIVE_OWN = "Give {which} its own parameters: they predict better (by {by_how_much})."
SPLIT_KEEP_OWN = "Let {which} keep its own parameters: they predict better (by {by_how_much})."
SPLIT_EITHER = "For {which} own parameters predict better, but hardly (by {by_how_much}): either will do."
SPLIT_MERGE = "Give {which} the same parameters as the others: {own}."
SPLIT_LEAVE = "Leave {which} with the shared parameters: {own}."
SPLIT_CANNOT_TELL = (
    "Whether {which} should have its own parameters cannot be told yet: only differences above {detectable} could have "
    "been shown."
)
#: What own parameters would bring, where that is nothing: stands for ``own``.
SPLIT_OWN_WORSE = "own ones predict worse (by {by_how_much})"
SPLIT_OWN_NOTHING = "own ones gain nothing"
SPLIT_OWN_CHANGE = "own ones would change log loss by at most {most:.4f}"
SPLIT_OWN_LOWER = "own ones would lower log loss by at most {most:.4f}"
#: Of all presets, or all decks.
SPLIT_NONE_IN_USE = {
    "preset": (
        "All scored reviews are of cards that no longer exist, so no preset is known: there is nothing to split."
    ),
    "deck": "All scored reviews are of cards that no longer exist, so no deck is known: there is nothing to split.",
}
SPLIT_ONE_IN_USE = {
    "preset": "All your cards have the same preset: there is nothing to split.",
    "deck": "All your cards have the same deck: there is nothing to split.",
}
SPLIT_ALL_TOO_FEW = {
    "preset": "No preset has enough reviews yet to try own parameters: {needed}.",
    "deck": "No deck has enough reviews yet to try own parameters: {needed}.",
}
SPLIT_UNTOLD = "There are too few reviews to tell whether own parameters predict better: {needed}."
SPLIT_TOGETHER = {
    "preset": {
        "split": (
            "Give each preset its own parameters: together they predict better (by {by_how_much}), though it cannot be "
            "told of any single preset."
        ),
        "either": (
            "Keep one set of parameters for all presets, which is simpler: own ones predict better, but hardly (by "
            "{by_how_much})."
        ),
        "keep_together": "Keep one set of parameters for all presets: {own}.",
        "cannot_tell": (
            "Keep one set of parameters for all presets for now, which is simpler: whether own ones predict better "
            "cannot be told yet, as only differences above {detectable} could have been shown."
        ),
    },
    "deck": {
        "split": (
            "Give each deck its own parameters: together they predict better (by {by_how_much}), though it cannot be "
            "told of any single deck."
        ),
        "either": (
            "Keep one set of parameters for all decks, which is simpler: own ones predict better, but hardly (by "
            "{by_how_much})."
        ),
        "keep_together": "Keep one set of parameters for all decks: {own}.",
        "cannot_tell": (
            "Keep one set of parameters for all decks for now, which is simpler: whether own ones predict better "
            "cannot be told yet, as only differences above {detectable} could have been shown."
        ),
    },
}
SPLIT_EACH = {
    "preset": "Each preset should have its own parameters: they predict better.",
    "deck": "Each deck should have its own parameters: they predict better.",
}
#: Which of them should have own parameters: many, a few, or one as above.
SPLIT_MANY = {"preset": "{count} of {all} presets", "deck": "{count} of {all} decks"}
SPLIT_FEW = {"preset": "The presets {names}", "deck": "The decks {names}"}
SPLIT_SOME = {
    "preset": "{which} should have own parameters; for the other presets one set will do.",
    "deck": "{which} should have own parameters; for the other decks one set will do.",
}
SPLIT_SOME_AT_LEAST = {
    "preset": "{which} should have own parameters; for the other presets no gain is shown so far.",
    "deck": "{which} should have own parameters; for the other decks no gain is shown so far.",
}

# --- sections of the report -------------------------------------------------------------------------------------------
#: By the field of the report; each stands after "Working out:".
SECTION_TITLES = {
    "comparisons": "Each algorithm against another",
    "decomposition": "What is behind the numbers",
    "cheating": "Can the numbers be cheated?",
    "stability": "Stability of the answer",
    "parameters": "The parameters, and how sure they are",
    "desired_retention": "At your desired retention",
    "graphs": "Graphs",
    "groups": "Presets and decks",
    "splitting": "Own parameters for each preset or deck?",
    "sensitivity": "Does the winner change?",
}

translate(globals(), "evaluator")
