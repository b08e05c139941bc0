"""Every text of windows and graphs that :mod:`ui.text.strings` does not hold.

In English here, and after the last line in the language that was chosen, see :mod:`ui.text`. Names in braces
are filled in. A number and its percent sign are held together by a no-break space. What depends on a number is a
``Counted``. Whatever stands in capitals is a text: codes, such as the keys of dictionaries, are never shown.
"""

from __future__ import annotations

from typing import Dict, NamedTuple

from .text import Counted, translate

# --- how texts are put together (see ui/phrases.py) -------------------------------------------------------------------
#: A name and what is said of it: "Log loss: How surprised ...".
LABELLED = "{label}: {text}"
#: A heading and what it is about, in one line.
HEADED = "{heading}. {text}"
#: Two ends: of an interval, of a range of numbers.
FROM_TO = "{low} to {high}"
#: A value with its interval.
WITH_INTERVAL = "{value} ({low} to {high})"
#: How a whole number is written in a cell; as {count:,} in the other texts.
WHOLE_NUMBER = "{count:,}"
#: In a cell, where there is no number.
NO_VALUE = "–"

# --- window -----------------------------------------------------------------------------------------------------------
TITLE = "SRS Evaluator"

# --- choosing what is evaluated ---------------------------------------------------------------------------------------
SCOPE_OF = "Reviews of:"
#: The same with what is chosen, for screen readers.
SCOPE_SPOKEN = "Reviews of: {choice}"
#: By the kind of :class:`evaluator.scope.ScopeChoice`.
SCOPE_BUTTON = {
    "collection": "Whole collection",
    "deck": "{name}",
    "deck_id": "{name}",
    "preset": "Preset {name}",
    "search": "Search “{name}”",
    "cards": "{name}",
}
SCOPE_FIND = "Find a deck or preset"
SCOPE_LIST_NAME = "Decks and presets whose reviews can be evaluated"
SCOPE_DECKS = "Decks (with their subdecks)"
SCOPE_PRESETS = "Presets"
#: After whose reviews they are, before a button with a date or the next text: "since" "2024-05-01".
SINCE = "since"
#: The same with what is chosen, for screen readers.
SINCE_SPOKEN = "since {choice}"
SINCE_BEGINNING = "the beginning"
SINCE_BEGINNING_BUTTON = "From the beginning"
SINCE_TIP = "Earlier reviews are history only: neither trained on nor scored"
SINCE_EXPLANATION = "Reviews before that day are known to the algorithms, but neither trained on nor scored."
SINCE_CALENDAR_NAME = "The first day whose reviews count"
OPTIONS = "Options"
OPTIONS_CHANGED = Counted("Options ({count} changed)", "Options ({count} changed)")
OPTIONS_TIP = "Same-day reviews, and the outlier filter"
SAME_DAY = "Tell algorithms of same-day reviews"
SAME_DAY_EXPLANATION = (
    "Repetitions on one day are never scored, but some algorithms learn from them. Uncheck this to see how well they "
    "do without; the same reviews are scored."
)
OUTLIER_FILTER = "Leave out cards with an unusual first interval"
OUTLIER_FILTER_EXPLANATION = (
    "The benchmark's outlier filter: a first interval that is rare among cards with the same first answer was often "
    "not the scheduler's. Uncheck this to keep such cards."
)

# --- choosing algorithms ----------------------------------------------------------------------------------------------
CHOOSE = "Algorithms: {choice}"
CHOOSE_PLAIN = "Algorithms…"
CHOOSE_TIP = "Choose which algorithms to compare"
#: Algorithms; stands for {choice} in CHOOSE, where no group of the next ones fits.
CHOSEN = Counted("{count} chosen", "{count} chosen")
CHOOSER_TITLE = "SRS Evaluator: algorithms"
CHOOSER_ASK = "Which algorithms shall be compared?"
CHOOSER_LIST_NAME = "Algorithms by family, each with a check box"
CHOOSER_COUNT = Counted("{count} of {total} chosen.", "{count} of {total} chosen.")
CHOOSER_COUNT_NONE = "None chosen. Choose at least one."
CHOOSER_COUNT_ONE = "1 of {total} chosen. With a second one there is something to compare."
CHOOSER_BASELINE = "Compare with:"
CHOOSER_BASELINE_TIP = (
    "The algorithm that all others, and the first sentence, are measured by. It is run even if it is not checked."
)
#: An item of that list: the usual algorithm.
CHOOSER_BASELINE_USUAL = "the usual (SM-2)"
#: A button: evaluate with these algorithms.
RUN = "Run"


class GroupText(NamedTuple):
    """How a group of algorithms is offered."""

    title: str
    tip: str


#: By the group's name in the configuration.
GROUPS: Dict[str, GroupText] = {
    "default": GroupText("Default", "A few that are fast and tell the most."),
    "published": GroupText("Published", "Those in the tables of the public benchmark."),
    "all": GroupText("All", "All but the one that only shows how a metric can be cheated."),
}
GROUP_BUTTON = "{title} ({count})"

# --- an algorithm's facts ---------------------------------------------------------------------------------------------
NOT_TRAINED = "Not trained"
TRAINED = Counted("{count} trained parameter", "{count} trained parameters")
#: The first is one of the two before; {uses} are things such as "intervals, ratings".
FACTS = "{parameters}. Uses {uses}."
FAMILY = "Family: {family}."

# --- running ----------------------------------------------------------------------------------------------------------
STARTING = "Starting…"
LOADING = "Loading libraries"
READING = "Reading reviews: {done:,} of {total:,}"
READING_START = "Reading reviews"
PREPARING = "Preparing the reviews"
#: {count} is the number of all folds, {done} of those that are done; {number} and {algorithms} are of algorithms.
ALGORITHM = Counted(
    "{algorithm} ({number} of {algorithms}): {done} of {count} fold",
    "{algorithm} ({number} of {algorithms}): {done} of {count} folds",
)
ALGORITHM_ALONE = Counted("{algorithm}: {done} of {count} fold", "{algorithm}: {done} of {count} folds")
#: What is being done, and one of the next three.
WITH_TIME = "{text}, {left}"
FEW_SECONDS_LEFT = "a few seconds left"
SECONDS_LEFT = Counted(
    "about {count}\N{NO-BREAK SPACE}s left",
    "about {count}\N{NO-BREAK SPACE}s left",
)
MINUTES_LEFT = Counted(
    "about {count}\N{NO-BREAK SPACE}min left",
    "about {count}\N{NO-BREAK SPACE}min left",
)
RUNNING_HEADING = "How well would each algorithm have predicted your memory?"
RUNNING_TEXT = "Each one learns from your earlier reviews and is tested on later ones that it has not seen."
CANCEL = "Cancel"
CANCEL_TIP = "Stop now and keep what is finished"
RUN_AGAIN = "Run again"
RUN_AGAIN_TIP = "Read the collection again and evaluate it anew"
PROGRESS_NAME = "Progress of the evaluation"

# --- outcome ----------------------------------------------------------------------------------------------------------
CANCELLED = "Cancelled."
CANCELLED_EMPTY_HEADING = "Cancelled"
CANCELLED_EMPTY = "The evaluation was stopped before the first algorithm was finished."
NOT_RUN = "Not run: {names}."
NOT_RUN_MANY = Counted("Not run: {names} and {count} more.", "Not run: {names} and {count} more.")
CHANGED = "Your collection has changed since these reviews were read. Run again to include that."
#: Of the review log; the next two stand in the third, or in the fourth, of two lines, where there is little room.
ROWS_READ = Counted("{count:,} row read", "{count:,} rows read")
ROWS_SCORED = Counted("{count:,} scored", "{count:,} scored")
ROWS = "{read}, {scored}."
ROWS_IN_TWO_LINES = "{read},\n{scored}."
ROWS_OF_SCOPE = "{scope}:\n{rows}"
ROWS_ONLY = Counted("{count:,} row read, none scored.", "{count:,} rows read, none scored.")
ROWS_TIP = (
    "Rows are what Anki has noted in its review log. Scored are the reviews that every algorithm had to predict before "
    "it was told the answer."
)

# --- messages ---------------------------------------------------------------------------------------------------------
INPUT_HEADINGS = {
    "empty_revlog": "No reviews yet",
    "nothing_in_scope": "No reviews here yet",
    "nothing_since": "No reviews since then",
    "unknown_name": "It is no longer there",
    "bad_search": "The search cannot be understood",
    "all_filtered": "No review can be scored",
    "too_few_reviews": "Not enough reviews yet",
    "one_outcome": "All answers were alike",
    "collection_closed": "No collection is open",
    "bad_option": "A setting needs correcting",
    "unknown_algorithm": "A setting needs correcting",
    "unknown_setting": "A setting needs correcting",
}
INPUT_HEADING = "This collection cannot be evaluated"
UNEXPECTED_HEADING = "Something went wrong"
UNEXPECTED = (
    "This should not have happened, and your collection was not changed. Running it again may help. "
    "If it does not, please report it with the error report."
)
COPY_DETAILS = "Copy error report"
DETAILS_COPIED = "Error report copied. It holds nothing that is written on your cards, and no names of decks."
NOT_REMEMBERED = "This holds while the window is open, but could not be saved: {reason}."
MISSING_HEADING = "A library is missing"
MISSING = (
    "{library} cannot be found, so SRS Evaluator cannot do its arithmetic or draw its graphs. Restart Anki, and choose "
    "SRS Evaluator in the Tools menu again: it installs what it needs."
)
BROKEN_LIBRARY = (
    "{library} is installed but cannot be loaded ({detail}). Restarting Anki may help. If it does not, close Anki, "
    "delete the folder srs_evaluator_libraries in Anki's own folder, and let SRS Evaluator install the libraries again."
)
#: What a setting of the add-on's configuration (in JSON, so null, true and false stay as they are) may be; completes
#: "Allowed: ..." before a full stop.
SETTING_ALLOWED = {
    "algorithms": 'a list of names, or ["default"]',
    "baseline": 'the name of an algorithm such as "AVG", or null',
    "folds": "a whole number from 2 to 100",
    "since": 'a date like "2024-05-01", or null',
    "flag": "true or false",
    "binning": '"page" or "benchmark"',
}
#: Likewise of a group of settings; {names} are theirs.
SETTING_GROUP_ALLOWED = "{names}, in braces"

# --- table ------------------------------------------------------------------------------------------------------------
TABLE_NAME = "Results: one row for each algorithm"
COLUMN_ALGORITHM = "Algorithm"
COLUMN_ALGORITHM_TIP = "Select one row to see its graph, or two to lay them over each other."
#: A name in the table, where it is the baseline's. The mark is explained by LEGEND_BASELINE.
NAME_OF_BASELINE = "{algorithm} (baseline)"
#: Where the row needs a footnote, IN_SAMPLE_NOTE.
NAME_IN_SAMPLE = "{algorithm} (1)"
BEST_TIP = "The lowest log loss here."
BASELINE_TIP = "The baseline: what the others are compared with."
#: {meaning} is e.g. "lowest log loss".
LEGEND_STAR = "★ {meaning}"
LEGEND_BEST = "bold: lowest log loss"
LEGEND_BASELINE = "(baseline) what the others are compared with"
IN_SAMPLE_NOTE = "(1) fitted on some of these reviews"
IN_SAMPLE_TIP = (
    "(1) Its parameters may have been fitted on some of these very reviews, which makes it look better. "
    "So it takes no part in the comparison with the best."
)
FAILED = "no result: {reason}"
#: The next four are read out to those who do not see the marks; {algorithm} may be one of them already.
BEST_SPOKEN = "{algorithm}, the best"
STAR_SPOKEN = "{algorithm}, {meaning}"
IN_SAMPLE_SPOKEN = "{algorithm}, fitted on some of these reviews"
BASELINE_SPOKEN = "{algorithm}, the baseline"
#: Of a metric; full sentences, and below them the same in a column's head.
BETTER = {
    "lower": "Lower is better.",
    "higher": "Higher is better.",
}
BETTER_SHORT = {"lower": "lower is better", "higher": "higher is better"}

# --- graph ------------------------------------------------------------------------------------------------------------
GRAPH_WAITING = "The graph appears with the first result."
GRAPH_SELECT = "Select an algorithm in the table to see its graph."
GRAPH_FAILED = "{algorithm} could not be evaluated, so there is no graph: {reason}"
GRAPH_EMPTY = "There is no such graph of {algorithm}."
GRAPH_LATER = "This graph comes when the evaluation has ended."
GRAPH_WORKING = "Working out the graphs of {algorithms}…"
GRAPH_STOPPED = "Stopped before this graph was worked out."
GRAPH_ONE = "This graph shows one algorithm at a time."
GRAPH_NOT_FOUND = "This graph could not be worked out."
GRAPH_NO_FONT = (
    "For graphs no font with the letters of this language was found, so they are shown as question marks. Install one, "
    "or look at the numbers."
)
GRAPH_LIST_NAME = "Which graph is shown"
GRAPH_LIST_TIP = "Which graph is shown"
#: A switch: numbers in place of the graph.
NUMBERS = "Numbers"
NUMBERS_TIP = "Show the numbers behind the graph in its place, to be read or copied"

# --- pages of sections ------------------------------------------------------------------------------------------------
TABS_NAME = "Pages of results"
TAB_COMPARISON = "Comparison"
TAB_COMPARISON_TIP = "Every algorithm on the same reviews, and graphs of when each is right"
TAB_BEHIND = "Behind the numbers"
TAB_BEHIND_TIP = "Each algorithm against another, with a verdict, and what the numbers are made of"
TAB_PRESETS = "Presets and decks"
TAB_PRESETS_TIP = "How well your memory is predicted in each preset and deck, and whether they need own parameters"
TAB_STABILITY = "Stability"
TAB_STABILITY_TIP = "Would the answer be the same with more reviews, other parameters, or other ways to count?"
TAB_RETENTION = "Desired retention"
TAB_RETENTION_TIP = "When your scheduler aims at 90\N{NO-BREAK SPACE}%, do you remember 90\N{NO-BREAK SPACE}%?"
TAB_LATER = "The evaluation is still running. This comes when it has ended."
WORKING = "Working out: {title}"
WORKING_PART = "Working out: {title}, {algorithm}"
SECTION_WORKING = "Being worked out…"
SECTION_STOPPED = "Stopped before this was worked out."
SECTION_FAILED = "This could not be worked out."
SECTION_FAILED_NOTICE = "{title}: this could not be worked out. The rest is not affected."
WORK_OUT = "Work it out"
TRY_AGAIN = "Try again"
#: What each section answers, by its name.
SECTION_QUESTIONS = {
    "comparisons": "Is each algorithm better than another?",
    "decomposition": "What are the numbers made of?",
    "groups": "How well is your memory predicted in each preset and deck?",
    "splitting": "Do presets and decks need parameters of their own?",
    "stability": "Would the answer be the same with more reviews?",
    "parameters": "What was learned from your reviews, and how sure is it?",
    "sensitivity": "Would the answer be the same with other ways to count?",
    "desired_retention": "When your scheduler aims at 90\N{NO-BREAK SPACE}%, do you remember 90\N{NO-BREAK SPACE}%?",
}
#: What a section that takes long does, by its name.
SLOW_SECTIONS = {
    "splitting": "Trains separate parameters for each of your presets, and compares them with one set for all.",
    "sensitivity": "Evaluates again with other ways to count, and looks whether the answer changes.",
}
SLOW = "This may take as long as the evaluation did ({time}), or a few times that. You can go on reading meanwhile."
#: Stand for {time} there.
ABOUT_SECONDS = Counted("about a second", "about {count}\N{NO-BREAK SPACE}seconds")
ABOUT_MINUTES = Counted("about {count}\N{NO-BREAK SPACE}minute", "about {count}\N{NO-BREAK SPACE}minutes")
CHEATING_TIP = "How close a forecaster that knows nothing about your cards comes to the best, by each number"

# --- the line below ---------------------------------------------------------------------------------------------------
#: A switch beside the number of rows that were scored; "others" are the other rows.
FUNNEL_ASK = "Where did the others go?"
FUNNEL_NAME = "What became of every row of the review log"
FUNNEL_ROWS = "Rows"
FUNNEL_ROWS_TIP = "Of Anki's review log. Each is counted once."
FUNNEL_WHAT = "What they are"
#: A column: FUNNEL_USES.
FUNNEL_USE = "Used for"
FUNNEL_WHY = "Why"
FUNNEL_TOTAL = "all rows of the review log"
#: What rows were used for, as in the column FUNNEL_USE.
FUNNEL_USES = {
    "scored": "scores",
    "training": "training",
    "history": "history",
    "left_out": "left out",
}
#: A button with a menu of what follows.
EXPORT = "Export"
EXPORT_HTML = "Report as a web page…"
EXPORT_JSON = "Report as JSON…"
EXPORT_CSV = "Predictions as CSV…"
EXPORT_PNG = "This graph as PNG…"
EXPORT_SVG = "This graph as SVG…"
EXPORT_DIALOG = "SRS Evaluator: export"
SAVING = "Writing {name}"
SAVING_CANCELLED = "Cancelled. Nothing was saved."
SAVED = "Saved: {path}"
NOT_SAVED = "Not saved: {reason}"
#: A button with a menu of what follows.
COPY_TABLE = "Copy table"
COPY_TEXT = "As text"
COPY_MARKDOWN = "As Markdown"
COPIED = "Table copied."
CLOSE = "Close"

# --- inside the graph -------------------------------------------------------------------------------------------------
#: What is drawn, and of whom.
CHART_TITLE = "{graph}: {algorithms}"
CHART_X = "Predicted recall"
CHART_Y = "Actually remembered"
CHART_COUNTS = "Reviews"
COUNTS_TIP = "How many scored reviews the numbers beside it rest on."
#: What the dashed line stands for.
CHART_DIAGONAL = "exactly right"
CHART_FAINT = "Faint: fewer than 1\N{NO-BREAK SPACE}% of the reviews."
CHART_OUTSIDE = "Outside this range, not shown: {reviews}."
#: Stand for {reviews} there: of one algorithm, or of each.
CHART_REVIEWS = Counted("{count:,} review", "{count:,} reviews")
CHART_REVIEWS_OF = "{reviews} ({algorithm})"

# --- the sentence under the graph -------------------------------------------------------------------------------------
SENTENCE_ONE = "When {algorithm} said {predicted}, as it did most often, you remembered {recalled}."
SENTENCE_READ = "Above the dashed line you remembered more than predicted, below it less; the closer to it, the better."

# --- can this number be cheated? --------------------------------------------------------------------------------------
CHEATING_TITLE = "Can these numbers be cheated?"
#: A column: the metric, such as "RMSE (bins)".
CHEATING_METRIC = "Number"
CHEATING_WHO_TIP = "Who cheats that number, and below it the algorithm with the lowest log loss."
CHEATING_VALUE = "Its value"
CHEATING_VALUE_TIP = "Lower is better."
#: What each forecaster does, by its name.
CHEATING_FORECASTERS = {
    "AVG": "AVG knows nothing about your cards and always says your average so far.",
    "RMSE-BINS-EXPLOIT": (
        "RMSE-BINS-EXPLOIT knows nothing about your cards and was made to please RMSE (bins): in each group of reviews "
        "it makes up for its errors so far."
    ),
}
#: After one of those: how it looks by the metric, and whether it is worse by log loss.
CHEATING_FOUND = {
    ("better", "worse"): (
        "By {metric} it looks better than {best} ({value} against {best_value}), so that number can be cheated; by log "
        "loss it is worse by {more}."
    ),
    ("as_good", "worse"): (
        "By {metric} it looks as good as {best} ({value} against {best_value}), so that number can be cheated; by log "
        "loss it is worse by {more}."
    ),
    ("worse", "worse"): (
        "By {metric} it looks worse than {best} here ({value} against {best_value}); by log loss it is worse by {more}."
    ),
    ("better", "not_worse"): (
        "By {metric} it looks better than {best} ({value} against {best_value}), so that number can be cheated; by log "
        "loss it is not worse either: nothing shows here that {best} knows more than it does."
    ),
    ("as_good", "not_worse"): (
        "By {metric} it looks as good as {best} ({value} against {best_value}), so that number can be cheated; by log "
        "loss it is not worse either: nothing shows here that {best} knows more than it does."
    ),
    ("worse", "not_worse"): (
        "By {metric} it looks worse than {best} here ({value} against {best_value}), but by log loss it is not worse: "
        "nothing shows here that {best} knows more than it does."
    ),
}
CHEATING_IS_BEST = "It has the lowest log loss itself: nothing that was run is shown to know more."
CHEATING_DECIDES = (
    "Log loss decides, as nobody can gain by it from saying anything but what he believes. RMSE (bins) is shown for "
    "comparison with other tools."
)

# --- stability of the answer ------------------------------------------------------------------------------------------
#: Of an algorithm: training on earlier reviews, and the test on later ones.
LOSSES_TITLE = "Training and test"
LOSSES_TRAIN = "Training"
LOSSES_TRAIN_TIP = (
    "Log loss on the earlier reviews, from which the parameters were learned. Lower is better. Mean of all folds."
)
LOSSES_TEST = "Test"
LOSSES_TEST_TIP = "Log loss on the later reviews, which had not been seen. Lower is better. Mean of all folds."
LOSSES_GAP = "Gap"
LOSSES_GAP_TIP = (
    "Test minus training. Some gap is usual: later reviews may simply be harder. Compare the next two columns."
)
LOSSES_GAIN_TRAIN = "Gained in training"
LOSSES_GAIN_TRAIN_TIP = "By how much training lowered the log loss on the earlier reviews, against default parameters."
LOSSES_GAIN_TEST = "Gained in the test"
LOSSES_GAIN_TEST_TIP = (
    "By how much it lowered that of the later reviews. What is gained in training only was learned by heart."
)
LOSSES_SENTENCE = (
    "Against its default parameters, training {algorithm} gained {train} of log loss on the reviews that it learned "
    "from, and {test} on the later ones of the test. Where the second number is much smaller, too much was learned by "
    "heart (overfitting)."
)
LOSSES_OWN = "{names}: each deck or preset has parameters of its own, so there is no training loss of all."
LOSSES_NONE = "None of these algorithms was trained, so nothing can have been learned by heart."

LEARNING_CHART = "When training pays"
LEARNING_TRAINING = "Trained on"
LEARNING_TRAINING_TIP = "Reviews before the fold, from which its parameters were learned."
LEARNING_TESTED = "Tested on"
LEARNING_TESTED_TIP = "Reviews of the fold. Each fold has other ones, later than the last."
LEARNING_TRAIN_TIP = "Log loss of the trained parameters on the reviews that they were learned from. Lower is better."
LEARNING_TEST_TIP = "Log loss of the same parameters on the fold's reviews, which had not been seen. Lower is better."
LEARNING_GAP_TIP = "Test minus training. The fold's reviews may simply be harder, or easier, than the earlier ones."
LEARNING_DIFFERENCE = "Trained \N{MINUS SIGN} default"
LEARNING_DIFFERENCE_TIP = (
    "Log loss of the trained parameters minus that of the default ones, on the fold's reviews. Below 0: the trained "
    "ones predict better."
)
#: Of reviews before a fold; stands for {learned_from} below.
LEARNED_FROM = Counted("{count:,} review to learn from", "{count:,} reviews to learn from")
#: Of cards and days; stands for {needed} below.
NEEDED_OF_BOTH = Counted("at least {count} of both is needed", "at least {count} of both are needed")
#: What all folds together say, by the comparison's code.
LEARNING_OVERALL = {
    "better": (
        "Over all folds, the trained parameters of {algorithm} predict better than the default ones (by {by_how_much})."
    ),
    "worse": (
        "Over all folds, the default parameters of {algorithm} predict better than the trained ones (by {by_how_much})."
    ),
    "equivalent": (
        "Over all folds, the trained and the default parameters of {algorithm} predict equally well: any difference is "
        "smaller than {margin:g}."
    ),
    "cannot_tell": (
        "Even over all folds it cannot be told whether the trained parameters of {algorithm} predict better than the "
        "default ones."
    ),
    "too_few": ("There are too few cards or days to say whether training {algorithm} pays: {needed}."),
}
LEARNING_PAYS_FIRST = "It paid in each single fold, already with {learned_from}."
LEARNING_PAYS_FROM = "It pays in each single fold from about {learned_from} on."
LEARNING_PAYS_AT_LATEST = (
    "It pays in each single fold from about {learned_from} on, perhaps earlier: the fold before has too few cards or "
    "days to tell ({needed})."
)
#: Of the last fold alone, by what its interval says.
LEARNING_LAST = {
    "worse": "In the last fold alone, with {learned_from}, the default ones predict better.",
    "equivalent": "In the last fold alone, with {learned_from}, both predict equally well.",
    "cannot_tell": "The last fold alone, with {learned_from}, does not tell: it is but a part of the reviews.",
    "too_few": "The last fold alone has too few cards or days to say.",
}
#: {all} is the number of folds, {count} of those where it was so.
LEARNING_HELPED = Counted(
    "Taken one by one, in {count} of the {all} folds the trained ones were clearly better.",
    "Taken one by one, in {count} of the {all} folds the trained ones were clearly better.",
)
LEARNING_READ = (
    "Each fold is one point; below the zero line training helped. The folds hold other reviews, so not every step "
    "between them is due to training."
)
#: The same where points have intervals.
LEARNING_READ_INTERVALS = (
    "Each fold is one point with its 95\N{NO-BREAK SPACE}% interval; below the zero line training helped. The folds "
    "hold other reviews, so not every step between them is due to training."
)
LEARNING_X = "Reviews to learn from"
LEARNING_Y = "Log loss difference"
LEARNING_ZERO = "no difference; below, training helped"
#: A point in the graph.
INTERVAL_95 = "one fold, with its 95\N{NO-BREAK SPACE}% interval"
#: The same where no fold has one.
ONE_FOLD = "one fold"

EVIDENCE_CHART = "Evidence over time"
#: A column of dates.
EVIDENCE_DATE = "Until"
EVIDENCE_DATE_TIP = "All scored reviews until the end of that day."
EVIDENCE_MEAN = "Difference"
EVIDENCE_MEAN_TIP = "Log loss of {algorithm} minus that of {baseline}, the mean of all reviews until then."
EVIDENCE_DECIDED = (
    "From {date} on the evidence has been enough, however often you look: {winner} predicts better than {loser}."
)
EVIDENCE_THEN = Counted("There was {count:,} scored review then.", "There were {count:,} scored reviews then.")
EVIDENCE_FADED = "Later reviews have made that less clear."
EVIDENCE_TURNED = "But all reviews until the last day say the opposite."
EVIDENCE_UNDECIDED = (
    "So far the evidence is not enough to say whether {algorithm} or {baseline} predicts better, if one may look as "
    "often as one likes."
)
EVIDENCE_ALIKE = "By now it is enough to say that they differ by less than {margin:g}, which does not matter."
EVIDENCE_TOO_FEW = (
    "There are too few cards or days to say how much of the difference is chance: {needed}. The line is its mean of "
    "all reviews until each day; below zero {algorithm} predicted better."
)
EVIDENCE_READ = (
    "The band is wider than an ordinary interval, and in exchange holds for all days at once (a confidence sequence): "
    "of {often} people who look again and again, at most one is ever misled by luck."
)
EVIDENCE_X = "Scored until"
EVIDENCE_Y = "Log loss difference"
EVIDENCE_ZERO = "no difference; below, {algorithm} is better"
EVIDENCE_LINE = "mean until then"
EVIDENCE_BAND = "95\N{NO-BREAK SPACE}% for all days at once"
EVIDENCE_DECIDED_LINE = "enough from here on"
#: Columns: the ends of an interval.
FROM_COLUMN = "From"
TO_COLUMN = "To"
FROM_TIP = "Lower end of the 95\N{NO-BREAK SPACE}% interval. Without a value there are too few cards or days."
TO_TIP = "Upper end of the 95\N{NO-BREAK SPACE}% interval."

# --- behind the numbers -----------------------------------------------------------------------------------------------
COMPARISONS_TITLE = "Against {reference}"
COMPARISONS_DIFFERENCE = "Difference"
COMPARISONS_DIFFERENCE_TIP = (
    "Log loss minus that of {name}, on the same reviews: below 0 is better, 0 is the same, above 0 is worse."
)
COMPARISONS_VERDICT = "Verdict"
COMPARISONS_VERDICT_TIP = (
    "Better or worse: the interval leaves out 0. Equivalent: all of it is closer to 0 than {margin}, which nobody "
    "would notice. Cannot tell: chance alone could make such a difference."
)
#: A column: the smallest difference that could be.
COMPARISONS_DETECTABLE = "Could be shown"
COMPARISONS_DETECTABLE_TIP = (
    "The smallest true difference that reviews such as these show four times in five. More reviews show smaller ones."
)
COMPARISON_CODES = {
    "better": "better",
    "worse": "worse",
    "equivalent": "equivalent",
    "cannot_tell": "cannot tell",
    "too_few": "too few cards or days",
}
#: {names} are those of one or more algorithms.
COMPARISONS_FOUND = {
    "better": "Better than {reference}: {names}.",
    "equivalent": "As good as {reference} (any difference is smaller than {margin}): {names}.",
    "worse": "Worse than {reference}: {names}.",
    "cannot_tell": "Cannot be told from {reference} on these reviews: {names}.",
    "too_few": "Too few cards or days for a verdict: {names}.",
}
COMPARISONS_IN_SAMPLE = (
    "{reference}: these parameters may have been optimised on the very reviews that are scored here. Then they look "
    "better than they are; whatever is called better than they are is so even against that advantage."
)
PARTS_TITLE = "What log loss is made of"
PARTS_UNCERTAINTY = "Uncertainty"
PARTS_UNCERTAINTY_TIP = (
    "How uncertain your memory itself is: the log loss of always saying the share that you remembered, which only "
    "hindsight knows. The same for all algorithms."
)
PARTS_DISCRIMINATION = "Discrimination"
PARTS_DISCRIMINATION_TIP = (
    "What it takes off for knowing which reviews will be forgotten: the further below 0, the better."
)
PARTS_MISCALIBRATION = "Miscalibration"
PARTS_MISCALIBRATION_TIP = "What is added because its probabilities are off. Closer to 0 is better."
#: Columns: how much miscalibration chance makes, and how much it makes at most.
PARTS_CHANCE = "By chance"
PARTS_CHANCE_TIP = (
    "The miscalibration that an algorithm with these predictions would show on average if every one were exactly right."
)
PARTS_MOST = "At most"
PARTS_MOST_TIP = "If every prediction were exactly right, miscalibration would be above this only once in 20."
PARTS_WITHIN = (
    "{algorithm} loses {off} because its probabilities are off. Chance alone can make that much (up to {most}), so "
    "they may well be right."
)
PARTS_MORE = (
    "{algorithm} loses {off} because its probabilities are off. Chance alone makes that up to {most} (once in 20 "
    "more); what the reviews of one card or one day have in common may add some."
)
PARTS_NOTE = Counted(
    "Chance: {count} draw with the seed {seed}. Log loss is the sum of the three columns after it.",
    "Chance: {count} draws with the seed {seed}. Log loss is the sum of the three columns after it.",
)
SKILL_TITLE = "Better than guessing?"
#: Columns: how much better (skill) than saying ...
SKILL_AVERAGE = "Than your average"
SKILL_AVERAGE_TIP = "By what share its log loss is lower than that of always saying your average of all reviews so far."
SKILL_INTERVAL = "Than your average by interval"
SKILL_INTERVAL_TIP = (
    "By what share its log loss is lower than that of saying your average so far after intervals of similar length."
)
SKILL_SENTENCE = (
    "Skill: by what share the log loss is lower than that of a guess that anyone could make. 0"
    "\N{NO-BREAK SPACE}% is as good as guessing, below 0\N{NO-BREAK SPACE}% is worse. Small numbers are usual, "
    "as much of what we forget is luck."
)
LINE_TITLE = "Too sure or too timid?"
LINE_SLOPE = "Slope"
LINE_SLOPE_TIP = (
    "1 is right. Below 1: too sure, high predictions are too high and low ones too low. Above 1: too timid, "
    "predictions lie too close together. In brackets: the 95\N{NO-BREAK SPACE}% interval."
)
LINE_INTERCEPT = "Intercept"
LINE_INTERCEPT_TIP = (
    "Where the line lies for predictions of 50\N{NO-BREAK SPACE}%: 0 is right. Read it only together with the slope."
)
#: A column: of the predictions, whether they are too high or too low.
LINE_LEVEL = "Level"
LINE_LEVEL_TIP = (
    "0 is right over all reviews. Below 0 you remembered less than predicted, above 0 more; in logits: near "
    "90\N{NO-BREAK SPACE}%, 0.1 is one percentage point."
)
LINE_READING = "In words"
LINE_READING_TIP = "What the intervals leave no doubt about; nothing where they do."
LINE_SENTENCE = (
    "A line through what you remembered by what was predicted (both as logits): a perfect algorithm has slope 1, "
    "intercept 0 and level 0."
)
#: Of an algorithm's predictions; the first two of how they spread, the others of their level.
LINE_TOO_SURE = "too sure"
LINE_TOO_TIMID = "too timid"
LINE_TOO_HIGH = "too high"
LINE_TOO_LOW = "too low"
LINE_REASONS = {
    "constant": "it always says the same",
    "one_outcome": "all reviews ended in the same way",
    "separated": "no line: some limit tells all remembered from all forgotten",
}

# --- the parameters ---------------------------------------------------------------------------------------------------
PARAMETERS_TITLE = "The trained parameters"
PARAMETERS_COUNT = "Parameters"
PARAMETERS_COUNT_TIP = "How many numbers say what it predicts."
PARAMETERS_AT_BOUND = "On a bound"
PARAMETERS_AT_BOUND_TIP = (
    "They would have gone further had they been allowed to, or begin there and have not moved. One or two are nothing "
    "to worry about."
)
PARAMETERS_DIFFER = "Differ from the default"
PARAMETERS_DIFFER_TIP = "How many of them have their default outside their 95\N{NO-BREAK SPACE}% interval."
PARAMETERS_SENTENCE_NONE = "No parameter of {algorithm} sits on a bound."
#: {names} are those of {count} parameters, such as "w3 and w5".
PARAMETERS_SENTENCE = Counted(
    "Of {algorithm}, {names} sits on a bound: the reviews pull further than is allowed.",
    "Of {algorithm}, {names} sit on a bound: the reviews pull further than is allowed.",
)
PARAMETERS_SENTENCE_DEFAULT = Counted(
    "Of {algorithm}, {names} sits on a bound by default: the reviews have not moved it.",
    "Of {algorithm}, {names} sit on a bound by default: the reviews have not moved them.",
)
PARAMETERS_FOLD = Counted(
    "The values are those of the last fold, learned from {count:,} review.",
    "The values are those of the last fold, learned from {count:,} reviews.",
)
PARAMETERS_OF = "The parameters of {algorithm}"
PARAMETERS_NAME = "Parameter"
PARAMETERS_MEANING = "What it says"
PARAMETERS_DEFAULT = "Default"
PARAMETERS_DEFAULT_TIP = "As published, from the reviews of many people. Training begins there."
#: A column: your parameters.
PARAMETERS_VALUE = "Yours"
PARAMETERS_VALUE_TIP = "As learned from your reviews in the last fold."
PARAMETERS_ERROR = "Std. error"
PARAMETERS_ERROR_TIP = (
    "Give or take: how precisely your reviews, with what is known of other people's, determine it (from the Fisher "
    "information). Rather too small, since it takes reviews as independent."
)
#: Columns: the lowest and the highest value of the parameter.
PARAMETERS_LOWEST = "Lowest"
PARAMETERS_LOWEST_TIP = "Of all folds. Folds with fewer reviews to learn from stay closer to the default."
PARAMETERS_HIGHEST = "Highest"
PARAMETERS_REMARK = "Remark"
PARAMETERS_AT_BOUNDS = {
    "lower": "at its lower bound ({bound})",
    "upper": "at its upper bound ({bound})",
}
PARAMETERS_AT_BOUNDS_LIKE_DEFAULT = {
    "lower": "at its lower bound ({bound}), like the default",
    "upper": "at its upper bound ({bound}), like the default",
}
PARAMETERS_HELD = {
    "fixed": "not trained",
    "undetermined": "not determined by the reviews",
    "elsewhere": "",
}
PARAMETERS_DIFFERS = "differs from the default"
PARAMETERS_UNTOLD = "your reviews say hardly anything of it"
PARAMETERS_DESCRIPTIVE = (
    "\u201cDiffers from the default\u201d: the default lies outside the 95\N{NO-BREAK SPACE}% interval. With so many "
    "parameters one of twenty does so by chance alone, so this describes and proves nothing."
)
PARAMETERS_SAMPLED = Counted(
    "The errors come from {count:,} card drawn with the seed {seed}, scaled up to all.",
    "The errors come from {count:,} cards drawn with the seed {seed}, scaled up to all.",
)
PARAMETERS_ELSEWHERE = "Anki's own optimiser does not say how sure its parameters are."
#: Of FSRS-6; FSRS-5 has the first 19 of them. "The same": the days until 90 % recall.
FSRS_PARAMETERS = (
    "days until 90\N{NO-BREAK SPACE}% recall after a first Again",
    "the same after a first Hard",
    "the same after a first Good",
    "the same after a first Easy",
    "difficulty after a first Again",
    "how much first answers spread difficulty",
    "how much each answer moves difficulty",
    "pull of difficulty back to that of easy cards",
    "how much memory grows with a success",
    "how much less stable memories grow",
    "how much more it grows when nearly forgotten",
    "what is left of memory after a lapse",
    "how much less is left of difficult cards",
    "how much more is left of stable memories",
    "how much more is left when nearly forgotten",
    "share of the growth that Hard gets",
    "how many times as much Easy gets",
    "how much a same-day review changes memory",
    "how kindly same-day answers are taken",
    "how much same-day gains fade with stability",
    "how steeply memory fades with time",
)

# --- at the desired retention -----------------------------------------------------------------------------------------
RETENTION_TITLE = "At your desired retention of {desired} (experimental)"
RETENTION_ASSUMED = "The source does not say which retention you desire, so Anki's usual {desired} was taken."
RETENTION_OTHERS = Counted(
    "Presets with other desired retentions, and fewer reviews each, are left out: {count:,} scored review in all.",
    "Presets with other desired retentions, and fewer reviews each, are left out: {count:,} scored reviews in all.",
)
RETENTION_SAID = "When {algorithm} said {predicted}, you remembered {recalled}."
RETENTION_SAID_INTERVAL = (
    "When {algorithm} said {predicted}, you remembered {recalled} (95\N{NO-BREAK SPACE}% interval: {low} to {high})."
)
RETENTION_NEVER = "{algorithm} never said about {desired}."
RETENTION_SHORTER = (
    "So for {desired} to be remembered, its intervals would have to be about {percent} shorter "
    "(factor {factor:.2f}; 95\N{NO-BREAK SPACE}% interval: {low:.2f} to {high:.2f})."
)
RETENTION_LONGER = (
    "So {desired} would still be remembered if its intervals were about {percent} longer "
    "(factor {factor:.2f}; 95\N{NO-BREAK SPACE}% interval: {low:.2f} to {high:.2f})."
)
RETENTION_FITTING = (
    "Whether its intervals are too long or too short cannot be told (factor {factor:.2f}; "
    "95\N{NO-BREAK SPACE}% interval: {low:.2f} to {high:.2f})."
)
#: By what the line says of the intervals.
RETENTION_DISAGREE = {
    "too_long": (
        "Whether its intervals are too long or too short cannot be told: too short by these reviews, too long by the "
        "line through all its predictions."
    ),
    "too_short": (
        "Whether its intervals are too long or too short cannot be told: too long by these reviews, too short by the "
        "line through all its predictions."
    ),
}
RETENTION_EXPERIMENTAL = (
    "Experimental: what it would mean for intervals is an approximation that has not passed its test on later reviews, "
    "so do not change your settings because of it."
)
RETENTION_PRESETS = "Presets: {names}."
RETENTION_PREDICTED_TIP = "The mean of the predictions near your desired retention, from {low} to {high}."
RETENTION_RECALLED_TIP = "The share of these reviews that you remembered."
RETENTION_FACTOR = "Interval factor"
RETENTION_FACTOR_TIP = (
    "Experimental. By what intervals would have to be multiplied for the desired share to be remembered, by a line "
    "through all predictions. Below 1: they are too long. Not given where the line and the reviews near your desired "
    "retention say opposite things."
)
RETENTION_HELD_OUT = (
    "Would it help to correct {algorithm} by such a factor? Tried on later reviews: where it predicted about "
    "{desired}, what you remembered was typically {before} percentage points away from that. Corrected by what the "
    "reviews before had shown, it was {after} points away. Even perfect predictions would be {chance} points away, by "
    "chance. (Root mean squares.)"
)
RETENTION_NO_CURVE = "{algorithm} has no forgetting curve by which a correction could be turned into intervals."
RETENTION_IN_SAMPLE = "{algorithm} may have been fitted on these very reviews."

# --- does the winner change? ------------------------------------------------------------------------------------------
SENSITIVITY_TITLE = "Does the winner change?"
SENSITIVITY_VARIANT = "How it is counted"
SENSITIVITY_VARIANT_TIP = "What is done otherwise than in this report."
SENSITIVITY_DIFFERENCE = "{algorithm} \N{MINUS SIGN} {baseline}"
SENSITIVITY_DIFFERENCE_TIP = "Difference of log loss. Below 0: {algorithm} predicts better."
#: A column: the better one of two algorithms.
SENSITIVITY_AHEAD = "Ahead"
SENSITIVITY_AHEAD_TIP = "Which of the two predicts better, as far as the interval allows to say."
SENSITIVITY_WINNER = "Lowest log loss"
SENSITIVITY_WINNER_TIP = "Of those that were compared: the two, and the best of the report."
SENSITIVITY_CHANGES = "Another winner?"
SENSITIVITY_CHANGES_TIP = "Whether the lowest log loss is that of another algorithm than in the report."
#: In the column SENSITIVITY_VARIANT, and for {variants} below.
SENSITIVITY_VARIANTS = {
    "as_asked": "as in this report",
    "earlier_half": "earlier half of the scored reviews",
    "later_half": "later half of the scored reviews",
    "clipped": "no prediction below 1\N{NO-BREAK SPACE}% or above 99\N{NO-BREAK SPACE}%",
    "no_outlier_filter": "without the outlier filter",
    "outlier_filter": "with the outlier filter",
    "no_same_day": "told nothing of same-day reviews",
    "same_day": "told of same-day reviews",
    "later_start": "only the later half of all reviews",
}
#: In the column SENSITIVITY_CHANGES: is there another winner?
SENSITIVITY_CODES = {"same": "no", "other": "yes, not clearly", "other_clearly": "yes, clearly"}
#: In the column SENSITIVITY_AHEAD, where it names no algorithm.
SENSITIVITY_EQUAL = "equally good"
SENSITIVITY_CANNOT_TELL = "cannot tell"
SENSITIVITY_NO_INTERVAL = "too few days"
SENSITIVITY_SAME = "{winner} has the lowest log loss in every row."
SENSITIVITY_SAME_AS_FAR = "{winner} has the lowest log loss in every row that could be worked out; not all could."
SENSITIVITY_OTHER = (
    "{winner} has the lowest log loss of this report. In some rows another algorithm is ahead of it ({variants}), but "
    "never by more than chance could make."
)
SENSITIVITY_OTHER_CLEARLY = (
    "{winner} has the lowest log loss of this report, but in some rows another algorithm is clearly better "
    "({variants}). So the answer depends on how the reviews are counted: be careful with it."
)
SENSITIVITY_TURNED = "Which of {algorithm} and {baseline} is better turns round with: {variants}."
SENSITIVITY_INCOMPLETE = (
    "Without the outlier filter, without same-day reviews and with a later start: these need the collection itself, "
    "which was not at hand."
)
SENSITIVITY_COMPARED = "Compared were {names}."
SENSITIVITY_NONE = "The verdict compares nothing, so there is no winner that could change."

# --- the report as a web page -----------------------------------------------------------------------------------------
PAGE_CONTENTS = "Contents"
PAGE_EVALUATED = "What was evaluated"
PAGE_COMPARISON = "Comparison"
PAGE_ON_COVERED = "The same with predictions from elsewhere"
PAGE_ABOUT_EACH = "More about each algorithm and its numbers"
PAGE_GRAPHS = "Graphs"
PAGE_PAIR = "{first} and {second}, laid over each other"
PAGE_BASELINE = "{algorithm}, the baseline"
PAGE_BEST = "{algorithm}, with the lowest log loss"
#: A heading: what no other heading stands for.
PAGE_CLOSER = "And more"
PAGE_FUNNEL = "Where every row of the review log went"
PAGE_FUNNEL_SENTENCE = (
    "Not every row of the review log can be predicted. This table accounts for each of the {rows}: {scored}."
)
#: Stand there.
PAGE_FUNNEL_ROWS = Counted("{count:,} row", "{count:,} rows")
PAGE_FUNNEL_SCORED = Counted("{count:,} was scored", "{count:,} were scored")
PAGE_MADE = "How this was made"
PAGE_MADE_SENTENCE = (
    "By {software}, on one computer and without a network. Nothing is drawn at random but with fixed seeds, so the "
    "same version gives the same numbers for the same reviews. To repeat it, where PATH is your collection (with Anki "
    "closed), a package or a review log:"
)
PAGE_CARDS = "With a review log as CSV, give --cards too, if you did."
PAGE_EXTERNAL = "FILE is the file of predictions as it was given, with #COLUMN where a column was chosen."
PAGE_PICKED = "The cards were picked one by one, which no option says: this evaluates all reviews."
PAGE_SEEDS = "Seeds of what was drawn at random"
#: What it is drawn for; before a colon and the seed.
PAGE_SEED_OF = {
    "best_set": "best set",
    "training": "training",
    "decomposition": "decomposition",
    "parameters": "parameters",
    "graphs": "graphs",
    "groups": "groups",
    "on_covered": "on covered",
}
PAGE_PRIVATE = (
    "This file holds your results and the names of your decks and presets, but nothing that is written on your cards, "
    "and no single review. It loads nothing from anywhere."
)
PAGE_GLOSSARY = "Glossary"
PAGE_COLUMNS = "What the columns mean"
PAGE_NUMBERS = "The numbers behind it: {graph}"
PAGE_READING = "How to read the graphs"
PAGE_OF_TWO = "Two algorithms: {graphs}"
PAGE_OTHER_GRAPHS = (
    "To see the graphs of the other algorithms, too, add --graphs all to the command below, or select them in the "
    "table of the window in Anki."
)
#: {questions} are some of SECTION_QUESTIONS.
PAGE_MORE = (
    "Some questions take about as long as the evaluation itself, or cannot be answered for every collection. With "
    "--sections all the report also tries these: {questions}"
)
PAGE_TABLE_ROWS = Counted("The table: {count} row", "The table: {count} rows")


class Term(NamedTuple):
    """An entry of the glossary."""

    term: str
    meaning: str


#: The glossary, in the order in which a reader meets the terms.
GLOSSARY: Dict[str, Term] = {
    "review": Term(
        "Review", "One answer on one card. Again counts as forgotten; Hard, Good and Easy count as remembered."
    ),
    "scored_review": Term(
        "Scored review",
        "A review that every algorithm had to predict before it was told the answer. All numbers are about these, and "
        "they are the same for all algorithms.",
    ),
    "algorithm": Term(
        "Algorithm",
        "A rule that says from a card’s past how likely you are to remember it now. Schedulers use such rules to "
        "choose intervals.",
    ),
    "prediction": Term(
        "Prediction",
        "The probability of recall, also called retrievability. If an algorithm says 90\N{NO-BREAK SPACE}%, it "
        "expects you to remember nine of ten such reviews.",
    ),
    "training": Term(
        "Parameters, training",
        "Parameters are the numbers inside an algorithm that say how fast you forget. To train it is to choose those "
        "that fit your earlier reviews best; Anki calls it optimising.",
    ),
    "fold": Term(
        "Fold",
        "All reviews are put in the order of time and cut into parts. Algorithms are trained on what came before a "
        "part and tested on that part, one part after the other, so that no answer is known beforehand.",
    ),
    "in_sample": Term(
        "In-sample",
        "Tested on reviews that it may have been trained on. That looks better than it is, so such an algorithm is no "
        "fair contestant.",
    ),
    "baseline": Term("Baseline", "The algorithm that the others are compared with."),
    "calibration": Term(
        "Calibration",
        "Whether probabilities mean what they say: of the reviews predicted at 90\N{NO-BREAK SPACE}%, do you remember "
        "90\N{NO-BREAK SPACE}%?",
    ),
    "interval": Term(
        "95\N{NO-BREAK SPACE}% interval",
        "The range in which the true number probably lies; of a hundred such ranges, about 95 hold it. It knows that "
        "reviews of one card, and reviews of one day, resemble each other.",
    ),
    "cannot_tell": Term(
        "Cannot be told",
        "The difference is so small that chance alone could have made it. It may be real: more reviews can show it.",
    ),
    "equivalent": Term("Equally well", "Any difference is certainly so small that you would not notice it."),
    "stability": Term(
        "Stability",
        "How many days it takes until the probability of recall has fallen to 90\N{NO-BREAK SPACE}%.",
    ),
    "difficulty": Term(
        "Difficulty",
        "From 1 (easy) to 10 (hard), as FSRS sees it: the higher, the slower the stability of a card grows.",
    ),
    "desired_retention": Term("Desired retention", "The share of your reviews that you ask Anki to let you remember."),
    "preset": Term(
        "Preset", "Deck options that several decks can share. In Anki, FSRS has one set of parameters for each."
    ),
}

# --- presets and decks ------------------------------------------------------------------------------------------------
#: Here and below, "group" is a preset or a deck.
GROUP_TITLES = {"preset": "Your presets", "deck": "Your decks"}
GROUP_NAMES = {"preset": "Preset", "deck": "Deck"}
GROUP_NAME_TIP = {
    "preset": "The preset that the card's deck has in Anki now. Of deleted cards none is known.",
    "deck": "The deck a card is at home in now, without the decks inside it. Of deleted cards no deck is known.",
}
GROUP_GONE = "deleted cards"
#: The row that sums them up.
GROUP_TAIL = {
    "preset": Counted("{count:,} smaller preset", "{count:,} smaller presets"),
    "deck": Counted("{count:,} smaller deck", "{count:,} smaller decks"),
}
GROUP_TAIL_NOTE = {
    "preset": Counted(
        "Smaller presets: those with {count:,} scored review or fewer, summed up in one row.",
        "Smaller presets: those with {count:,} scored reviews or fewer, summed up in one row.",
    ),
    "deck": Counted(
        "Smaller decks: those with {count:,} scored review or fewer, summed up in one row.",
        "Smaller decks: those with {count:,} scored reviews or fewer, summed up in one row.",
    ),
}
GROUP_CARDS = "Cards"
GROUP_CARDS_TIP = "How many cards the scored reviews are of."
GROUP_REVIEWS = "Reviews"
GROUP_REVIEWS_TIP = "How many reviews were scored, the same for all algorithms."
GROUP_LOG_LOSS_TIP = (
    "How surprised the algorithm was by your answers: lower is better. Compare it within a row group only: it follows "
    "how much you forget."
)
GROUP_SKILL = "Skill"
GROUP_SKILL_TIP = (
    "By what share its log loss is lower than that of always guessing your average so far in that very group. 0 is as "
    "good as guessing, below 0 is worse. This may be compared between groups. Not given where fewer than 10 reviews "
    "were forgotten, or remembered."
)
GROUP_RMSE_TIP = (
    "How far predicted and actual recall lie apart in sets of similar reviews: lower is better. The fewer the reviews, "
    "the higher it is by chance, so do not compare it between groups."
)
#: A column: "2.0 points too high".
GROUP_LEVEL = "Predictions"
GROUP_LEVEL_TIP = (
    "The mean prediction beside what you remembered, in percentage points, with the 95\N{NO-BREAK SPACE}% interval, "
    "which holds for all groups at once. Where the interval reaches below 0, the predictions may be right. Without "
    "interval: too few reviews, cards or days."
)
#: Percentage points.
GROUP_TOO_HIGH = "{points:.1f} points too high"
GROUP_TOO_LOW = "{points:.1f} points too low"
GROUP_AGAINST = "Against {baseline}"
GROUP_AGAINST_TIP = (
    "Log loss minus that of {baseline} on the same reviews: below 0 is better. The word takes account of chance, and "
    "of how many groups were looked at, so that one of twenty is not called better or worse by chance."
)
#: A difference and one of the words after it.
GROUP_VERDICT = "{difference}, {verdict}"
GROUP_CODES = {
    "better": "better",
    "worse": "worse",
    "equivalent": "equal",
    "cannot_tell": "cannot tell",
    "too_few": "too few",
}
#: {counts} is a list of what follows: "better in 3, worse in 1 of 9 presets".
GROUP_FOUND = {
    "preset": Counted(
        "Against {baseline}, {algorithm} is {counts} of {count:,} preset.",
        "Against {baseline}, {algorithm} is {counts} of {count:,} presets.",
    ),
    "deck": Counted(
        "Against {baseline}, {algorithm} is {counts} of {count:,} deck.",
        "Against {baseline}, {algorithm} is {counts} of {count:,} decks.",
    ),
}
GROUP_COUNTS = {
    "better": Counted("better in {count}", "better in {count}"),
    "worse": Counted("worse in {count}", "worse in {count}"),
    "equivalent": Counted("equally good in {count}", "equally good in {count}"),
    "cannot_tell": Counted("not to be told apart in {count}", "not to be told apart in {count}"),
    "too_few": Counted(
        "without verdict (too few cards or days) in {count}",
        "without verdict (too few cards or days) in {count}",
    ),
}
GROUP_READ = {
    "preset": (
        "Compare skill between presets, never log loss: log loss follows how much you forget, so it is higher where "
        "you forget more, whatever the algorithm."
    ),
    "deck": (
        "Compare skill between decks, never log loss: log loss follows how much you forget, so it is higher where you "
        "forget more, whatever the algorithm."
    ),
}
GROUP_ONE_DECK = "Each preset has one deck only, so a table of decks would say the same."

# --- own parameters? --------------------------------------------------------------------------------------------------
SPLIT_TITLES = {"preset": "Own parameters for each preset?", "deck": "Own parameters for each deck?"}
SPLIT_READ = (
    "Both were trained on earlier reviews only and tested on the same later ones, so neither how much you forget nor "
    "how many reviews there are can make one look better."
)
#: Columns: of shared parameters, and of own ones.
SPLIT_SHARED = "Shared"
SPLIT_SHARED_TIP = "Log loss of {algorithm} with one set of parameters, trained on all earlier reviews."
SPLIT_OWN = "Own"
SPLIT_OWN_TIP = (
    "Log loss of {algorithm} with parameters of the group's own. They begin at the shared ones and go where the "
    "group's earlier reviews demand."
)
SPLIT_DIFFERENCE = "Difference"
SPLIT_DIFFERENCE_TIP = "Own minus shared: below 0, own parameters predict better."
SPLIT_INTERVAL = "95\N{NO-BREAK SPACE}% interval"
SPLIT_INTERVAL_TIP = "Chance alone moves the difference by about this much. For each group by itself."
SPLIT_ADVICE = "What to do"
SPLIT_ADVICE_TIP = (
    "Takes account of chance, and of how many groups were looked at. Differences below {margin} count as none: then "
    "one set of parameters is simpler."
)
SPLIT_ALL = {"preset": "All presets", "deck": "All decks"}
#: By the code, and whether it has parameters of its own now.
SPLIT_DO = {
    ("split", False): "give it its own",
    ("split", True): "keep its own",
    ("either", False): "either will do",
    ("either", True): "either will do",
    ("keep_together", False): "leave it with the shared ones",
    ("keep_together", True): "merge: use the shared ones",
    ("cannot_tell", False): "cannot be told yet",
    ("cannot_tell", True): "cannot be told yet",
    ("too_few", False): "too few to tell",
    ("too_few", True): "too few to tell",
}
SPLIT_DO_ALL = {
    "split": "own ones are better",
    "either": "own ones are hardly better",
    "keep_together": "one set will do",
    "cannot_tell": "cannot be told yet",
    "too_few": "too few to tell",
}
SPLIT_HOW = {
    "preset": "Decks with the same preset share its parameters: to merge two presets, give their decks one of them.",
    "deck": "In Anki, a deck gets its own parameters by getting a preset of its own.",
}
SPLIT_ANKI = (
    "Anki's optimiser begins at the published parameters, not at the shared ones, so with few reviews it may gain "
    "less than this table shows, or lose."
)


# --- the calibration graphs -------------------------------------------------------------------------------------------
class GraphText(NamedTuple):
    """What a graph of slices is called."""

    title: str  #: in the list to choose from
    across: str  #: its horizontal axis
    where: str  #: one slice in a sentence, in place of {where} below; {name} is e.g. a range of numbers, "3–4"


#: By the key of the slices; {days} and {lapses} are texts of their own below.
GRAPHS: Dict[str, GraphText] = {
    "calibration": GraphText("Calibration in 20 groups", CHART_X, "when it said {name}\N{NO-BREAK SPACE}%"),
    "interval": GraphText("By interval", "Days since the last review", "{days} after the last review"),
    "review_number": GraphText("By number of reviews", "Number of the review", "at review number {name}"),
    "lapses": GraphText("By lapses", "Lapses before the review", "after {lapses}"),
    "last_rating": GraphText("By last answer", "Answer before the review", "after the answer {name}"),
    "maturity": GraphText("Young and mature cards", "Mature: 21 days or more", "with {name} cards"),
    "month": GraphText("By month", "Month", "in {name}"),
    "stability": GraphText("By stability", "Stability in days", "at a stability of {days}"),
    "difficulty": GraphText("By difficulty", "Difficulty", "at a difficulty of {name}"),
    "memory": GraphText(
        "Map of stability and difficulty",
        "Stability in days",
        "at a difficulty of {row} and a stability of {days}",
    ),
}
#: Slices that have a name, by the key and the name in the report.
SLICE_NAMES: Dict[str, Dict[str, str]] = {
    "last_rating": {"Again": "Again", "Hard": "Hard", "Good": "Good", "Easy": "Easy"},
    "maturity": {"young": "young", "mature": "mature"},
}
#: Of numbers of reviews.
OR_MORE = "{name} or more"
#: {name} is a number, or a range of which {count} is the end.
DAYS = Counted("{name} day", "{name} days")
DAYS_BELOW = Counted("less than {count} day", "less than {count} days")
DAYS_OR_MORE = Counted("{count} or more days", "{count} or more days")
LAPSES_NONE = "before the first lapse"
LAPSES = Counted("one lapse", "{count} lapses")
LAPSES_OR_MORE = Counted("{count} or more lapses", "{count} or more lapses")
#: The column of the map's cells: a range of each.
MEMORY_ACROSS = "Difficulty / Stability in days"
RELIABILITY = "Reliability curve"
CHART_BARS = "Bar: what chance allows, in all groups at once."
CHART_BANDS = "Band: what chance allows, in all groups at once."
CHART_BAND = "what chance allows"
#: What the lines, and the dots, of a graph are; in its legend.
CHART_PREDICTED = "predicted"
CHART_REMEMBERED = "remembered"
#: An axis, as CHART_X and CHART_Y.
CHART_REMEMBERED_SHARE = "Remembered"
CHART_DIFFERENCE = "Remembered \N{MINUS SIGN}\N{NO-BREAK SPACE}predicted"
CHART_POINTS = "In percentage points."
CHART_BLANK = Counted("Blank: fewer than {count} review.", "Blank: fewer than {count} reviews.")
CHART_NO_BAR = Counted(
    "Without a bar: fewer than {count} card or day.", "Without a bar: fewer than {count} cards or days."
)
CHART_NO_BAND = Counted(
    "Without a band: fewer than {count} card or day.", "Without a band: fewer than {count} cards or days."
)
CHART_MODEL = "Stability and difficulty are those of {model}."
MEMORY_HIGH = "\N{MINUS SIGN}{points}: predicted too high"
MEMORY_LOW = "+{points}: predicted too low"
MEMORY_DOT = "more than chance"
MEMORY_HATCHED = Counted("Hatched: fewer than {count} review.", "Hatched: fewer than {count} reviews.")

# --- the sentences under them -----------------------------------------------------------------------------------------
#: {count} is the number of groups that were looked at, {wrong} (2 or more) of those that are off.
FINDING_WRONG = Counted(
    "{algorithm} is off by more than chance in {wrong} of {count} groups, most of all {where}: it said {predicted}, "
    "you remembered {recalled}.",
    "{algorithm} is off by more than chance in {wrong} of {count} groups, most of all {where}: it said {predicted}, "
    "you remembered {recalled}.",
)
#: The same where just one is off.
FINDING_WRONG_ONE = Counted(
    "{algorithm} is off by more than chance in 1 of {count} groups, {where}: it said {predicted}, you remembered "
    "{recalled}.",
    "{algorithm} is off by more than chance in 1 of {count} groups, {where}: it said {predicted}, you remembered "
    "{recalled}.",
)
#: In place of {where}: a part of the graph that is not shown.
OUTSIDE_GRAPH = "{where} (off the graph)"
PARTLY_OUTSIDE_GRAPH = "{where} (partly off the graph)"
#: {count} is the number of groups that are large enough.
FINDING_RIGHT = Counted(
    "{algorithm} is not off by more than chance in the one group that is large enough.",
    "{algorithm} is not off by more than chance in any of {count} groups.",
)
FINDING_NO_BAND = Counted(
    "{algorithm}: too few cards or days to tell error from chance; {count} of both is needed.",
    "{algorithm}: too few cards or days to tell error from chance; {count} of both are needed.",
)
FINDING_BLANK = Counted("{algorithm}: no group has {count} review.", "{algorithm}: no group has {count} reviews.")
READ_ONE = (
    "The dots are what you remembered, the blue lines what was predicted. Where the blue line lies outside of "
    "what chance allows for the dot (95\N{NO-BREAK SPACE}%, all groups at once), predictions are off."
)
READ_TWO = (
    "Above the dashed line you remembered more than predicted. Where it lies outside of what chance allows "
    "(95\N{NO-BREAK SPACE}%, all groups at once), predictions are off."
)
READ_MEMORY = (
    "Numbers are percentage points: + where you remembered more than predicted. A dot marks what is more than chance "
    "(95\N{NO-BREAK SPACE}%, all cells at once)."
)
READ_STABILITY = "Stability: days until recall falls to 90\N{NO-BREAK SPACE}%, by {model}."
READ_DIFFICULTY = "Difficulty: 1 (easy) to 10 (hard), by {model}."
READ_RELIABILITY = (
    "Above the dashed line you remembered more than predicted, below it less; within the band that may be chance."
)
CURVE_INSIDE = "{algorithm} never leaves its band."
CURVE_CHANCE = "{algorithm} is outside its band for {outside} of the reviews, but chance alone makes up to {chance}."
CURVE_OUTSIDE = (
    "{algorithm} is outside its band for {outside} of the reviews (chance makes up to {chance}), most of all "
    "{between}: there it said {predicted} on average, you remembered {recalled}."
)
#: Stands for {between} there; may be put into OUTSIDE_GRAPH.
CURVE_BETWEEN = "between {left} and {right}"
CURVE_BY_CHANCE = "The band here does not know that reviews of one card, or of one day, resemble each other."

# --- the tables behind them -------------------------------------------------------------------------------------------
GRAPHS_TITLE = "Where predictions are wrong by more than chance"
GRAPHS_SENTENCE = (
    "This table names, for each graph of each algorithm, the group that lies furthest off, of those that chance hardly "
    "explains: their 95\N{NO-BREAK SPACE}% bands hold for all groups of a graph at once. The graphs show the "
    "others."
)
GRAPHS_NONE = "In no graph of any algorithm is there a group that can be told from exactly right."
COLUMN_GRAPH = "Graph"
COLUMN_GROUP = "Group"
#: A share, here and in the next; the same columns stand behind all graphs.
COLUMN_PREDICTED = "Predicted"
COLUMN_PREDICTED_TIP = "The mean of what the algorithm said before these reviews were answered."
COLUMN_RECALLED = "Remembered"
COLUMN_RECALLED_TIP = "The share of these reviews that you did not answer with Again."
COLUMN_SAID_TIP = "A probability that the algorithm may give to a review."
COLUMN_CURVE_TIP = "How high the curve lies there: your recall where the algorithm said about so much."
COLUMN_DIFFERENCE_TIP = "In percentage points: above 0 you remembered more than predicted, below 0 less."
COLUMN_ALONE = "95\N{NO-BREAK SPACE}% interval"
COLUMN_ALONE_TIP = (
    "Where the true difference lies in 95 of 100 such groups, looked at alone; cards and days are allowed for."
)
COLUMN_BAND = "95\N{NO-BREAK SPACE}% band"
COLUMN_BAND_TIP = (
    "Wider, so that it holds for all groups of the graph at once: of twenty intervals one is off by chance."
)
#: "Predictions are" "too high"
COLUMN_PROVEN = "Predictions are"
PROVEN_TOO_HIGH = "too high"
PROVEN_TOO_LOW = "too low"
COLUMN_PROVEN_TIP = "Said only where the band leaves out 0."
#: A column: how many groups the bands prove wrong.
COLUMN_WRONG = "Such groups"
COLUMN_WRONG_TIP = "How many of the groups that have a band it proves wrong."
WRONG_OF = "{wrong} of {banded}"
COLUMN_CHANCE = "By chance"
COLUMN_CHANCE_TIP = (
    "If every prediction were exactly right, the curve would lie in this range 95 times of 100: each answer is a toss "
    "of a coin with just the predicted chance."
)
#: A column: where the curve would lie if predictions were right on average.
COLUMN_CLUSTERED = "Right on average"
COLUMN_CLUSTERED_TIP = (
    "The wider range that the graph shows. Here predictions need be right on average only: some cards may be easier "
    "than predicted and others harder, some days good and others bad. Outside of it the predictions are off."
)

translate(globals(), "window")
