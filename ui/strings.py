"""Every text of windows and graphs that :mod:`evaluator.wording` does not hold: one catalogue, to be translated later.

Names in braces are filled in. A number and its percent sign are held together by a no-break space.
"""

from __future__ import annotations

from typing import Dict, NamedTuple

# --- window -----------------------------------------------------------------------------------------------------------
TITLE = "SRS Evaluator"
MENU_ITEM = "SRS Evaluator…"
DECK_MENU_ITEM = "Evaluate with SRS Evaluator…"
BROWSER_MENU_ITEM = "Evaluate This Search with SRS Evaluator…"

# --- choosing what is evaluated ---------------------------------------------------------------------------------------
SCOPE_OF = "Reviews of:"
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
SINCE = "since"
SINCE_BEGINNING = "the beginning"
SINCE_BEGINNING_BUTTON = "From the beginning"
SINCE_TIP = "Earlier reviews are history only: neither trained on nor scored"
SINCE_EXPLANATION = "Reviews before that day are known to the algorithms, but neither trained on nor scored."
SINCE_CALENDAR_NAME = "The first day whose reviews count"
OPTIONS = "Options"
OPTIONS_CHANGED = "Options ({changed} changed)"
OPTIONS_TIP = "Same-day reviews, and the outlier filter"
SAME_DAY = "Tell algorithms of same-day reviews"
SAME_DAY_EXPLANATION = (
    "Repetitions on one day are never scored, but some algorithms learn from them. Uncheck this to see how well they "
    "do without; the same reviews are scored."
)
OUTLIER_FILTER = "Leave out cards with an unusual first interval"
OUTLIER_FILTER_EXPLANATION = (
    "The benchmark's outlier filter: a first interval that is rare after the same first answer was often not the "
    "scheduler's. Uncheck this to keep such cards."
)

# --- choosing algorithms ----------------------------------------------------------------------------------------------
CHOOSE = "Algorithms: {choice}"
CHOOSE_PLAIN = "Algorithms…"
CHOOSE_TIP = "Choose which algorithms to compare"
CHOSEN = "{count} chosen"
CHOOSER_TITLE = "SRS Evaluator: algorithms"
CHOOSER_ASK = "Which algorithms shall be compared?"
CHOOSER_LIST_NAME = "Algorithms by family, each with a check box"
CHOOSER_COUNT = "{count} of {total} chosen."
CHOOSER_COUNT_NONE = "None chosen. Choose at least one."
CHOOSER_COUNT_ONE = "1 of {total} chosen. With a second one there is something to compare."
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
TRAINED_ONE = "1 trained parameter"
TRAINED = "{count} trained parameters"
FACTS = "{parameters}. Uses {uses}."
FAMILY = "Family: {family}."

# --- running ----------------------------------------------------------------------------------------------------------
STARTING = "Starting…"
LOADING = "Loading libraries"
READING = "Reading reviews: {done:,} of {total:,}"
READING_START = "Reading reviews"
PREPARING = "Preparing the reviews"
ALGORITHM = "{algorithm} ({number} of {algorithms}): {done} of {total} folds"
ALGORITHM_ALONE = "{algorithm}: {done} of {total} folds"
WITH_TIME = "{text}, {left}"
FEW_SECONDS_LEFT = "a few seconds left"
SECONDS_LEFT = "about {seconds}\N{NO-BREAK SPACE}s left"
MINUTES_LEFT = "about {minutes}\N{NO-BREAK SPACE}min left"
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
NOT_RUN_MANY = "Not run: {names} and {more} more."
CHANGED = "Your collection has changed since these reviews were read. Run again to include that."
ROWS = "{rows:,} rows read, {scored:,} scored."
ROWS_OF_SCOPE = "{scope}:\n{rows}"
ROWS_ONLY = "{rows:,} rows read, none scored."

# --- messages ---------------------------------------------------------------------------------------------------------
NO_COLLECTION_HEADING = "No collection is open"
INPUT_HEADINGS = {
    "empty_revlog": "No reviews yet",
    "nothing_in_scope": "No reviews here yet",
    "nothing_since": "No reviews since then",
    "unknown_name": "It is no longer there",
    "bad_search": "The search cannot be understood",
    "all_filtered": "No review can be scored",
    "too_few_reviews": "Not enough reviews yet",
    "one_outcome": "All answers were alike",
    "collection_closed": NO_COLLECTION_HEADING,
    "bad_option": "A setting needs correcting",
    "unknown_algorithm": "A setting needs correcting",
}
INPUT_HEADING = "This collection cannot be evaluated"
UNEXPECTED_HEADING = "Something went wrong"
UNEXPECTED = (
    "This should not have happened, and your collection was not changed. Running it again may help. "
    "If it does not, please report it with the details."
)
COPY_DETAILS = "Copy details"
DETAILS_COPIED = "Details copied."
MISSING_HEADING = "A library is missing"
MISSING = (
    "SRS Evaluator needs {library}, which this Anki does not come with, so it cannot do its arithmetic or draw its "
    "graphs. A later version will be able to fetch it. Until then, use an Anki that was installed with pip, "
    "and install both there: pip install numpy matplotlib."
)
BROKEN_LIBRARY = (
    "{library} is installed but cannot be loaded ({detail}). Installing it anew in the Python that runs Anki may help."
)

# --- table ------------------------------------------------------------------------------------------------------------
TABLE_NAME = "Results: one row for each algorithm"
COLUMN_ALGORITHM = "Algorithm"
#: The room for names is measured by this one.
LONG_NAME = "FSRS-5 default (wiki)"
COLUMN_ALGORITHM_TIP = "Select one row to see its graph, or two to lay them over each other."
BASELINE_SUFFIX = "(baseline)"
BEST_TIP = "The lowest log loss here."
STAR_TIP = "★ {meaning}"
BASELINE_TIP = "The baseline: what the others are compared with."
LEGEND_STAR = "★ {meaning}"
LEGEND_BEST = "bold: lowest log loss"
LEGEND_BASELINE = "(baseline) what the others are compared with"
IN_SAMPLE_MARK = "(1)"
IN_SAMPLE_NOTE = "(1) fitted on some of these reviews"
IN_SAMPLE_TIP = (
    "(1) Its parameters may have been fitted on some of these very reviews, which makes it look better. "
    "So it takes no part in the comparison with the best."
)
FAILED = "no result: {reason}"
BEST_SPOKEN = "{algorithm}, the best"
STAR_SPOKEN = "{algorithm}, {meaning}"
IN_SAMPLE_SPOKEN = "{algorithm}, fitted on some of these reviews"
BASELINE_SPOKEN = "{algorithm}, the baseline"
BETTER = {
    "lower": "Lower is better.",
    "higher": "Higher is better.",
    "neither": "Neither high nor low is better in itself.",
}
BETTER_SHORT = {"lower": "lower is better", "higher": "higher is better", "neither": ""}
NO_VALUE = "–"
PERCENT = "{value:.{digits}f}\N{NO-BREAK SPACE}%"
MARKDOWN_BEST = "**{text}**"

# --- graph ------------------------------------------------------------------------------------------------------------
GRAPH_WAITING = "The graph appears with the first result."
GRAPH_SELECT = "Select an algorithm in the table to see its graph."
GRAPH_FAILED = "{algorithm} could not be evaluated, so there is no graph: {reason}"
GRAPH_EMPTY = "{algorithm} has no calibration graph."

# --- the line below ---------------------------------------------------------------------------------------------------
FUNNEL_ASK = "Where did the others go?"
FUNNEL_NAME = "What became of every row of the review log"
FUNNEL_ROWS = "Rows"
FUNNEL_WHAT = "What they are"
FUNNEL_USE = "Used for"
FUNNEL_WHY = "Why"
FUNNEL_TOTAL = "all rows of the review log"
FUNNEL_USES = {
    "scored": "scores",
    "training": "training",
    "history": "history",
    "left out": "left out",
}
EXPORT = "Export"
EXPORT_JSON = "Report as JSON…"
EXPORT_CSV = "Predictions as CSV…"
EXPORT_PNG = "This graph as PNG…"
EXPORT_SVG = "This graph as SVG…"
EXPORT_DIALOG = "SRS Evaluator: export"
SAVED = "Saved: {path}"
NOT_SAVED = "Not saved: {reason}"
COPY_TABLE = "Copy table"
COPY_TEXT = "As text"
COPY_MARKDOWN = "As Markdown"
COPIED = "Table copied."
CLOSE = "Close"

# --- inside the graph -------------------------------------------------------------------------------------------------
CHART_CALIBRATION = "Calibration in 20 groups"
CHART_TITLE_ONE = "Predicted and actual recall: {algorithm}"
CHART_TITLE_TWO = "Predicted and actual recall: {first} and {second}"
CHART_X = "Predicted probability of recall"
CHART_Y = "Actually recalled"
CHART_COUNTS = "Reviews"
CHART_DIAGONAL = "exactly right"
CHART_FAINT = "Faint: fewer than 1\N{NO-BREAK SPACE}% of the reviews."
CHART_OUTSIDE_ONE = "Outside this range, not shown: 1 review."
CHART_OUTSIDE = "Outside this range, not shown: {reviews:,} reviews."
CHART_OUTSIDE_TWO = "Outside this range, not shown: {first:,} and {second:,} reviews."


# --- the sentence under the graph -------------------------------------------------------------------------------------
SENTENCE_ONE = "When {algorithm} said {predicted}, as it did most often, you remembered {recalled}."
SENTENCE_TWO = (
    "When {first} said {first_predicted}, as it did most often, you remembered {first_recalled}; "
    "when {second} said {second_predicted}, you remembered {second_recalled}."
)
SENTENCE_READ = (
    "The closer the points lie to the dashed line, the better: "
    "above it you remembered more than predicted, below it less."
)

# --- can this number be cheated? --------------------------------------------------------------------------------------
CHEATING_TITLE = "Can this number be cheated?"
CHEATING_METRIC = "Number"
CHEATING_VALUE = "Its value"
CHEATING_VALUE_TIP = "Lower is better."
CHEATING_SENTENCE = (
    "Each of these forecasters was made to please one number and knows nothing about your cards. Where it comes close "
    "to the best algorithm or beats it, that number cannot tell knowing from cheating. Log loss can: it is much higher "
    "for the cheat. So log loss decides, and RMSE (bins) is shown for comparison with other tools."
)

# --- the report as a web page -----------------------------------------------------------------------------------------
PAGE_CONTENTS = "Contents"
PAGE_EVALUATED = "What was evaluated"
PAGE_COMPARISON = "Comparison"
PAGE_ABOUT_EACH = "More about each algorithm and its numbers"
PAGE_GRAPHS = "Graphs"
PAGE_PAIR = "{first} and {second}, laid over each other"
PAGE_BASELINE = "{algorithm}, the baseline"
PAGE_BEST = "{algorithm}, with the lowest log loss"
PAGE_CLOSER = "A closer look"
PAGE_FUNNEL = "Where every row of the review log went"
PAGE_FUNNEL_SENTENCE = (
    "Not every row of the review log can be predicted. This table accounts for each of the {rows:,} rows: "
    "{scored:,} were scored."
)
PAGE_MADE = "How this was made"
PAGE_MADE_SENTENCE = (
    "By {software}, on one computer and without a network. Nothing is drawn at random but with fixed seeds, so the "
    "same version gives the same numbers for the same reviews. To repeat it, where PATH is your collection (with Anki "
    "closed), a package or a review log:"
)
PAGE_CARDS = "With a review log as CSV, give --cards too, if you did."
PAGE_PICKED = "The cards were picked one by one, which no option says: this evaluates all reviews."
PAGE_SEEDS = "Seeds of what was drawn at random"
PAGE_SEED = "{place}: {seed}"
PAGE_PRIVATE = (
    "This file holds your results, but none of your cards and no single review. It loads nothing from anywhere."
)
PAGE_GLOSSARY = "Glossary"
PAGE_COLUMNS = "What the columns mean"
PAGE_NUMBERS = "The numbers behind it"
PAGE_TABLE_ROWS = "The table: {rows} rows"

#: The glossary, in the order in which a reader meets the terms; the metrics stand between its two parts.
PAGE_TERMS_OF_REVIEWS: Dict[str, str] = {
    "Review": "One answer on one card. Again counts as forgotten; Hard, Good and Easy count as remembered.",
    "Scored review": (
        "A review that every algorithm had to predict before it was told the answer. All numbers are about these, and "
        "they are the same for all algorithms."
    ),
    "Algorithm": (
        "A rule that says from a card’s past how likely you are to remember it now. Schedulers use such rules to "
        "choose intervals."
    ),
    "Prediction": (
        "The probability of recall, also called retrievability. If an algorithm says 90\N{NO-BREAK SPACE}%, it "
        "expects you to remember nine of ten such reviews."
    ),
    "Parameters, training": (
        "Parameters are the numbers inside an algorithm that say how fast you forget. To train it is to choose those "
        "that fit your earlier reviews best; Anki calls it optimising."
    ),
    "Fold": (
        "All reviews are put in the order of time and cut into parts. Algorithms are trained on what came before a "
        "part and tested on that part, one part after the other, so that no answer is known beforehand."
    ),
    "In-sample": (
        "Tested on reviews that it may have been trained on. That looks better than it is, so such an algorithm is no "
        "fair contestant."
    ),
    "Baseline": "The algorithm that the others are compared with.",
}
PAGE_TERMS_OF_RESULTS: Dict[str, str] = {
    "Calibration": (
        "Whether probabilities mean what they say: of the reviews predicted at 90\N{NO-BREAK SPACE}%, do you remember "
        "90\N{NO-BREAK SPACE}%?"
    ),
    "95\N{NO-BREAK SPACE}% interval": (
        "The range in which the true number probably lies; of a hundred such ranges, about 95 hold it. It knows that "
        "reviews of one card, and reviews of one day, resemble each other."
    ),
    "Cannot be told": (
        "The difference is so small that chance alone could have made it. It may be real: more reviews can show it."
    ),
    "Equally well": "Any difference is certainly so small that you would not notice it.",
    "Stability": "How many days it takes until the probability of recall has fallen to 90\N{NO-BREAK SPACE}%.",
    "Difficulty": "From 1 (easy) to 10 (hard), as FSRS sees it: the higher, the slower the stability of a card grows.",
    "Desired retention": "The share of your reviews that you ask Anki to let you remember.",
    "Preset": "Deck options that several decks can share. In Anki, FSRS has one set of parameters for each.",
}
# --- presets and decks ------------------------------------------------------------------------------------------------
GROUP_TITLES = {"preset": "Your presets", "deck": "Your decks"}
GROUP_NAMES = {"preset": "Preset", "deck": "Deck"}
GROUP_PLURALS = {"preset": "presets", "deck": "decks"}
GROUP_SINGULARS = {"preset": "preset", "deck": "deck"}
GROUP_NAME_TIP = {
    "preset": "The preset that the card's deck has in Anki now. Of deleted cards none is known.",
    "deck": "The deck a card is at home in now, without the decks inside it. Of deleted cards no deck is known.",
}
GROUP_GONE = "deleted cards"
GROUP_TAIL = "{count:,} smaller {groups}"
GROUP_TAIL_NOTE = "Smaller {groups}: those with {reviews:,} scored reviews or fewer, summed up in one row."
GROUP_CARDS = "Cards"
GROUP_CARDS_TIP = "How many cards the scored reviews are of."
GROUP_REVIEWS = "Reviews"
GROUP_REVIEWS_TIP = "How many reviews were scored, the same for all algorithms."
GROUP_RECALLED = "Recalled"
GROUP_RECALLED_TIP = "The share of these reviews that you did not answer with Again."
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
GROUP_LEVEL = "Predictions"
GROUP_LEVEL_TIP = (
    "The mean prediction beside what you remembered, in percentage points, with the 95\N{NO-BREAK SPACE}% interval, "
    "which holds for all groups at once. Where the interval reaches below 0, the predictions may be right. Without "
    "interval: too few reviews, cards or days."
)
GROUP_TOO_HIGH = "{value} too high"
GROUP_TOO_LOW = "{value} too low"
GROUP_INTERVAL = "{text} ({low} to {high})"
GROUP_AGAINST = "Against {baseline}"
GROUP_AGAINST_TIP = (
    "Log loss minus that of {baseline} on the same reviews: below 0 is better. The word takes account of chance, and "
    "of how many groups were looked at, so that one of twenty is not called better or worse by chance."
)
GROUP_CODES = {
    "better": "better",
    "worse": "worse",
    "equivalent": "equal",
    "cannot_tell": "cannot tell",
    "no_interval": "too few",
}
GROUP_FOUND = "Against {baseline}, {algorithm} is {counts} {groups}."
GROUP_COUNTS = {
    "better": "better in {count}",
    "worse": "worse in {count}",
    "equivalent": "equally good in {count}",
    "cannot_tell": "not to be told apart in {count}",
    "no_interval": "without verdict (too few cards or days) in {count}",
}
GROUP_READ = (
    "Compare skill between {groups}, never log loss: log loss follows how much you forget, so it is higher where you "
    "forget more, whatever the algorithm."
)
GROUP_ONE_DECK = "Each preset has one deck only, so a table of decks would say the same."

# --- own parameters? --------------------------------------------------------------------------------------------------
SPLIT_TITLES = {"preset": "Own parameters for each preset?", "deck": "Own parameters for each deck?"}
SPLIT_READ = (
    "Both were trained on earlier reviews only and tested on the same later ones, so neither how much you forget nor "
    "how many reviews there are can make one look better."
)
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
SPLIT_RANGE = "{low} to {high}"
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
