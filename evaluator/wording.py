"""Every sentence that the dialog and the terminal share, in one place: errors, the funnel, the metrics, the verdict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Dict, List, Mapping, Optional, Sequence, Tuple

from .errors import EvaluatorError, NothingToCompare
from .report import MARGIN, MIN_GROUPS, AlgorithmResult, Comparison, Estimate, Report, Scope, Verdict
from .scope import WHOLE_COLLECTION

_ERRORS: Dict[str, Callable[..., str]] = {
    "file_missing": lambda path: f"There is no file at {path}. Check the path and try again.",
    "not_a_collection": lambda path: (
        f"{path} is not an Anki collection. Give a .anki2, .colpkg or .apkg file, or a review log as .csv or .csv.gz."
    ),
    "damaged_file": lambda path, detail: (
        f"{path} is damaged and cannot be read ({detail}). Use a backup; a collection can also be mended in Anki with "
        "Tools > Check Database."
    ),
    "collection_in_use": lambda path: f"{path} is open in another program. Close Anki and try again.",
    "collection_closed": lambda: "The collection was closed. Open a profile and run the evaluation again.",
    "missing_columns": lambda path, missing, found: (
        f"{path} lacks the {_plural(len(missing), 'column')} {', '.join(missing)}. "
        f"Its first line has: {', '.join(found) or 'nothing'}."
    ),
    "bad_cell": lambda path, line, column, value: (
        f"{path}, line {line}: {column} should be a whole number but is {value!r}. Correct that line and try again."
    ),
    "bad_option": lambda option, value, allowed: f"{option} cannot be {value!r}. Allowed: {allowed}.",
    "nothing_since": lambda since, last: (
        f"There are no reviews to score from {since} on. The last one is of {last}: choose an earlier start date."
    ),
    "unknown_algorithm": lambda name, suggestions, known: (
        f"There is no algorithm {name!r}. "
        + (f"Did you mean {' or '.join(suggestions)}?" if suggestions else f"Known: {', '.join(known)}.")
    ),
    "unknown_name": lambda what, name, suggestions, known: (
        f"There is no {what} {name!r}. "
        + (f"Did you mean {_either(suggestions)}?" if suggestions else f"There {_are_names(known)}.")
    ),
    "unknown_setting": lambda **facts: _ERRORS["unknown_name"]("setting", **facts),
    "bad_search": lambda search, detail: f"Anki cannot search for {search!r}: {_sentence(detail)}",
    "search_impossible": lambda: (
        "Only a collection or a package can be searched: a review log as CSV does not hold the cards."
    ),
    "decks_unknown": lambda what: (
        f"It is not known which {what} each card belongs to. Evaluate a collection"
        + (", or give --cards with a review log." if what == "deck" else " instead of a review log.")
    ),
    "no_parameters": lambda presets: (
        f"No preset holds FSRS parameters ({presets} looked at). Optimise FSRS in Anki's deck options to see this row."
        if presets
        else "There are no presets in it, and so no FSRS parameters: only a collection holds them."
    ),
    "odd_parameters": lambda count: (
        f"There are {count} FSRS parameters that cannot be used: versions 4.5, 5 and 6 have 17, 19 and 21 numbers."
    ),
    "optimiser_missing": lambda: "Anki's own optimiser is not installed here.",
    "optimiser_failed": lambda detail: f"Anki's own optimiser failed: {detail}",
    "reviews_uncovered": lambda reviews, uncovered, first: (
        f"The file predicts none of the {_count(reviews, 'scored review')}."
        if uncovered == reviews
        else f"The file lacks {uncovered:,} of the {_count(reviews, 'scored review')} (the first is review {first})."
    ),
    "bad_predictions": lambda path, detail: f"{path} cannot be used as predictions: {detail}.",
    "empty_revlog": lambda: (
        "There are no reviews in it: the review log is empty. Study some cards on several days, then come back; "
        "if this is an exported deck, export it with its scheduling information."
    ),
    "nothing_in_scope": lambda cards: (
        f"none of the {_count(cards, 'card')} has been reviewed yet."
        if cards > 1
        else "the only card has not been reviewed yet."
        if cards
        else "there are no cards, and so no reviews."
    ),
    "all_filtered": lambda rows, funnel: (
        f"The review log has {_count(rows, 'row')}, but none can be scored: "
        + "; ".join(f"{count:,} {FUNNEL[step].short}" for step, count in funnel)
        + ". A review can be scored when its card was learned in this collection and was seen on an earlier day."
        + _without_the_filter(dict(funnel))
    ),
    "too_few_reviews": lambda reviews, needed, folds: (
        f"{_count(reviews, 'review')} can be scored, but at least {needed} are needed to train and test on "
        f"{_count(folds, 'fold')}. Study on some more days, or include earlier reviews."
    ),
    "one_outcome": lambda reviews, outcome: (
        f"All {reviews:,} scored reviews were {'remembered' if outcome else 'forgotten'}, so algorithms cannot be told "
        "apart. At least one of each outcome is needed: study on some more days, or include earlier reviews."
    ),
}


def _without_the_filter(left_out: Mapping[str, int]) -> str:
    """What to do where all that could be scored belongs to cards that the outlier filter leaves out."""
    reviews = left_out.get("outlier", 0) + left_out.get("after_outlier", 0)
    return f" Without the outlier filter {_count(reviews, 'review')} could." if reviews else ""


def error_sentence(error: EvaluatorError) -> str:
    """What the person reads: what is wrong, with the numbers, and what to do."""
    sentence = _ERRORS[error.code](**error.facts)
    if isinstance(error, NothingToCompare) and error.choice != WHOLE_COLLECTION:
        return f"{scope_words(error.choice.kind, error.choice.name)}: {sentence}"
    return sentence


_SCOPES: Dict[str, str] = {
    "collection": "Whole collection",
    "deck": "Deck {name} with subdecks",
    "deck_id": "Deck number {name}",
    "preset": "Preset {name}",
    "search": "Search \u201c{name}\u201d",
    "cards": "{name}",
}


def scope_words(kind: str, name: str) -> str:
    """Whose reviews are evaluated, see :class:`evaluator.scope.ScopeChoice`: "Deck Spanish with subdecks"."""
    return _SCOPES[kind].format(name=name)


def covered_sentence(report: Report) -> str:
    """What the second comparison is about, where predictions from elsewhere lack some of the reviews."""
    if report.on_covered is None:
        return ""
    names = ", ".join(one.algorithm for one in report.uncovered)
    return (
        f"All again on the {_count(report.on_covered.scope.reviews, 'review')} of {report.scope.reviews:,} that can be "
        f"compared with predictions from elsewhere ({names} lacks the others):"
    )


def choice_sentences(scope: Scope) -> Tuple[str, ...]:
    """What was chosen otherwise than usual, or is otherwise; empty where nothing is."""
    return (
        *((f"Reviews before {scope.since} were history only.",) if scope.since else ()),
        *(() if scope.same_day else ("No algorithm was told of same-day reviews.",)),
        *(() if scope.outlier_filter else ("The outlier filter was off.",)),
        *((_renumbered(scope.renumbered_buttons),) if scope.renumbered_buttons else ()),
    )


def _renumbered(rows: int) -> str:
    return (
        f"The collection is on Anki's first scheduler, which numbered the buttons in learning otherwise: {rows:,} rows "
        "were read as its upgrade would change them."
    )


#: What else there may be to know of an algorithm's row.
NOTES: Dict[str, str] = {
    "external": "predicted elsewhere. Whether the model had seen these reviews before is not known here.",
    "old_optimiser": "the optimiser of this Anki is older than FSRS-6, and slow; update Anki for a fair comparison.",
}


@dataclass(frozen=True)
class FunnelText:
    """Why rows of the review log went the way they did."""

    short: str  #: completes "12 ..."
    long: str  #: a sentence


#: By :attr:`FunnelStep.step`, in the order in which the steps are taken.
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


@dataclass(frozen=True)
class MetricText:
    """How a metric is shown and explained."""

    label: str
    better: str  #: "lower", "higher" or "neither"
    definition: str  #: one or two plain sentences, without the direction


#: By the name of the field in :class:`evaluator.report.AlgorithmResult`.
METRICS: Dict[str, MetricText] = {
    "log_loss": MetricText(
        "Log loss",
        "lower",
        "How surprised the algorithm was by your answers. It rewards honest probabilities and cannot be cheated, "
        "so it decides the order.",
    ),
    "rmse_bins": MetricText(
        "RMSE (bins)",
        "lower",
        "How far predicted and actual recall lie apart in groups of reviews with similar intervals, review counts and "
        "lapses, with the group limits of the page about the metric (\u201cThe Metric\u201d in the FSRS wiki). Even a "
        "perfect algorithm does not reach 0.",
    ),
    "rmse_bins_benchmark": MetricText(
        "RMSE (bins, benchmark)",
        "lower",
        "RMSE (bins) with the group limits that the public benchmark and Anki use: compare this one with published "
        "tables.",
    ),
    "auc": MetricText(
        "AUC",
        "higher",
        "How often a remembered review had got a higher prediction than a forgotten one. 0.5 is guessing. It says "
        "nothing about whether the probabilities are right.",
    ),
    "brier": MetricText(
        "Brier score",
        "lower",
        "The mean squared distance between prediction and outcome: a second opinion to log loss.",
    ),
    "rmse_prediction_bins": MetricText(
        "RMSE by prediction",
        "lower",
        "The older RMSE over groups of similar predictions. An algorithm that always says your average gets nearly 0, "
        "so it can be cheated; shown only for comparison with old results.",
    ),
    "mae_prediction_bins": MetricText(
        "MAE by prediction",
        "lower",
        "The mean absolute error over groups of similar predictions. It can be cheated in the same way.",
    ),
}


def scope_sentences(scope: Scope) -> Tuple[str, ...]:
    """Whose reviews were scored, how many, and how."""
    extent = f"{_count(scope.reviews, 'review')} of {_count(scope.cards, 'card')} on {_count(scope.days, 'day')}"
    return (
        f"{scope_words(scope.kind, scope.name)}.",
        f"Scored: {extent} from {scope.first_day} to {scope.last_day}, {_percent(scope.recalled, 1)} remembered.",
        f"In each of {_count(scope.folds, 'fold')}, algorithms were trained on earlier reviews only.",
        *choice_sentences(scope),
        _day_begins(scope),
    )


def _day_begins(scope: Scope) -> str:
    if scope.day_cutoff_assumed:
        return f"Nothing says when a day begins; {scope.rollover_hour:02d}:00 UTC was assumed."
    if scope.utc_offset_minutes is None:
        seconds = scope.day_cutoff % 86_400
        return f"A day begins at {seconds // 3600:02d}:{seconds // 60 % 60:02d} UTC."
    hours, minutes = divmod(abs(scope.utc_offset_minutes), 60)
    sign = "\u2212" if scope.utc_offset_minutes < 0 else "+"
    return f"A day begins at {scope.rollover_hour:02d}:00, UTC{sign}{hours:02d}:{minutes:02d}."


def verdict_sentences(verdict: Verdict) -> Tuple[str, ...]:
    """The verdict in plain words: the answer, the evidence, and what else stands out."""
    if verdict.code == "no_pair":
        second = "FSRS-6" if verdict.algorithm in (None, "SM-2") else "SM-2"
        return (f"With one algorithm there is nothing to compare. Choose a second one, such as {second}.",)
    if verdict.code == "unfinished":
        return (
            f"There is no verdict, because {verdict.algorithm} or {verdict.baseline} has no result.",
            "The table shows the algorithms that have one.",
        )
    first, *others = verdict.comparisons
    known = [f"{name} may have been fitted on these very reviews, which flatters it." for name in verdict.in_sample]
    return (_answer(first), _evidence(verdict, first), *known, *_asides(first, others))


def _answer(c: Comparison) -> str:
    a, b = c.algorithm, c.baseline
    return {
        "better": f"{a} predicts your memory better than {b}.",
        "worse": f"{a} predicts your memory worse than {b}.",
        "equivalent": f"{a} and {b} predict your memory equally well: {_ANY_DIFFERENCE}.",
        "cannot_tell": (
            f"It cannot be told whether {a} or {b} predicts your memory better: with these reviews only differences "
            f"above {detectable(c)} could have been shown."
        ),
        "no_interval": f"There are too few days or cards to say whether {a} or {b} predicts your memory better.",
    }[c.code]


#: Of algorithms that are equivalent.
_ANY_DIFFERENCE = f"any difference is smaller than {MARGIN:g}"


def detectable(c: Comparison) -> str:
    """The smallest difference that could have been shown, to two digits; it is an estimate."""
    return f"{c.smallest_detectable or 0.0:.2g}"


def _evidence(verdict: Verdict, c: Comparison) -> str:
    basis = verdict.basis
    unseen = "" if verdict.in_sample else " that neither had seen before"
    said = (
        f"On {_count(basis.reviews, 'review')}{unseen}, the log loss of {c.algorithm} is "
        f"{abs(c.difference):.4f} {'lower' if c.difference <= 0 else 'higher'}"
    )
    if c.interval is None:
        return (
            f"{said}. How much of that is chance is not known: there are {_count(basis.cards, 'card')} on "
            f"{_count(basis.days, 'day')}, and at least {MIN_GROUPS} of both are needed."
        )
    if c.code == "cannot_tell":
        return f"{said}, but chance alone could make such a difference ({_interval(c)})."
    return f"{said} ({_interval(c)})."


def _interval(c: Comparison) -> str:
    """The 95 % interval of the difference, counted in its own direction."""
    low, high = c.interval or (c.difference, c.difference)
    if c.difference <= 0:
        low, high = -high, -low
    return f"95\N{NO-BREAK SPACE}% interval: {_signed(low)} to {_signed(high)}"


def _asides(headline: Comparison, others: List[Comparison]) -> List[str]:
    """What else a person would want to know at once; nothing that chance could have made."""
    said = []
    for c in others:
        if c.baseline == "AVG" and c.code == "worse":
            said.append(f"{c.algorithm} is worse than always guessing your average (by {by_how_much(c)}).")
        elif c.baseline.endswith(" default") and c.algorithm == headline.algorithm:
            said += _TRAINING[c.code](c)
    return said


def by_how_much(c: Comparison) -> str:
    """The size of a difference, and its interval."""
    return f"{abs(c.difference):.4f}; {_interval(c)}"


_TRAINING: Dict[str, Callable[[Comparison], List[str]]] = {
    "better": lambda c: [
        f"Parameters trained on your reviews predict better than the published ones (by {by_how_much(c)})."
    ],
    "worse": lambda c: [
        f"The published parameters predict better than those trained on your reviews (by {by_how_much(c)})."
    ],
    "equivalent": lambda _: [
        f"The published parameters predict as well as those trained on your reviews: {_ANY_DIFFERENCE}."
    ],
    "cannot_tell": lambda c: [
        (
            "Whether parameters trained on your reviews are better than the published ones cannot be told yet: "
            f"only differences above {detectable(c)} could have been shown."
        )
    ],
    "no_interval": lambda _: [],
}


#: What a star means that marks no more than the row in bold.
LOWEST = "lowest log loss"


def star_meaning(report: Report) -> str:
    """What the star before some names in the table says, without an end mark; empty where none has one."""
    if report.best_set is not None:
        return "cannot be told from the best on these reviews"
    starred = _lowest_unseen(report)
    if starred is None:
        return ""
    return LOWEST if starred == report.best else f"{LOWEST} of those that are not in-sample"


def has_star(report: Report, algorithm: str) -> bool:
    """Whether the table marks this row; never what is in-sample."""
    return algorithm == _lowest_unseen(report) if report.best_set is None else algorithm in report.best_set


def _lowest_unseen(report: Report) -> Optional[str]:
    """The algorithm with the lowest log loss of those that had not seen the reviews; None where there is none."""
    return next((row.algorithm for row in report.results if not row.error and not row.in_sample), None)


def star_order_sentence(report: Report) -> str:
    """Why a row with a star stands below one without it; empty where none does, or what the star means says it."""
    if report.best_set is None:
        return ""
    stars = [has_star(report, result.algorithm) for result in report.results if not result.error]
    if sorted(stars, reverse=True) == stars:
        return ""
    return (
        "A star may stand below a row without one: algorithms are compared review by review, and two that err on the "
        "same reviews are told apart by a smaller difference than two that err on others. What is in-sample has none."
    )


def chance_sentence(result: AlgorithmResult, metric: str = "rmse_bins") -> str:
    """How much of its RMSE (bins), of either definition, chance alone would make; empty where that is not known."""
    value, floor, excess = (getattr(result, f"{metric}{part}") for part in ("", "_floor", "_excess"))
    if value is None or floor is None or excess is None:
        return ""
    said = (
        f"{METRICS[metric].label} {_percent(value)}: by chance alone even a perfect algorithm would have about "
        f"{_percent(floor)} on these reviews"
    )
    if not excess:
        return f"{said}, so nothing shows that this one is off."
    return (
        f"{said}. Without chance, this one would have about {_percent(excess)}. (The two make less than their sum, "
        "since they partly cancel.)"
    )


def parts_sentence(result: AlgorithmResult) -> str:
    """What its log loss is made of; empty where that is not known."""
    parts = result.log_loss_parts
    if parts is None:
        return ""
    return (
        f"Log loss {parts.score:.4f} = {parts.uncertainty:.4f} (how uncertain your memory is, the same for all) "
        f"\u2212 {parts.discrimination:.4f} (for knowing which reviews you forget) "
        f"+ {max(parts.miscalibration, 0.0):.4f} (for probabilities that are off)."
    )


def skill_sentence(result: AlgorithmResult) -> str:
    """How it does against two guesses that anyone could make, but not against itself; empty where that is not known."""
    average, by_interval = result.skill_average, result.skill_interval_average
    if average is None or by_interval is None:
        return ""
    to_average = f"{_relative(average)} than that of always guessing your average so far, and "
    return (
        f"It is {'' if result.algorithm == 'AVG' else to_average}{_relative(by_interval)} than that of guessing your "
        "average after intervals of similar length."
    )


def _relative(skill: float) -> str:
    return f"{_percent(abs(skill), 1)} {'lower' if skill >= 0 else 'higher'}"


def bias_sentence(result: AlgorithmResult) -> str:
    """What its calibration line shows; empty where there is none, or no interval."""
    line = result.calibration_line
    if line is None or line.slope is None or line.in_the_large is None:
        return ""
    level, slope = _side(line.in_the_large, 0), _side(line.slope, 1)
    if level is None or slope is None:
        return ""
    height = {-1: "too high", 0: "neither too high nor too low", 1: "too low"}[level]
    spread = {
        -1: "; it is too sure of itself, high ones being too high and low ones too low",
        0: "",
        1: "; it is too timid, high ones being too low and low ones too high",
    }[slope]
    return f"On the whole its predictions are {height}{spread}."


def _side(estimate: Estimate, right: float) -> Optional[int]:
    """-1 or 1 where the interval is below or above what would be right, 0 where it holds it; None without one."""
    if estimate.low is None or estimate.high is None:
        return None
    return -1 if estimate.high < right else int(estimate.low > right)


def _percent(share: float, digits: int = 2) -> str:
    return f"{100 * share:.{digits}f}\N{NO-BREAK SPACE}%"


def _signed(value: float) -> str:
    return f"{value:.4f}" if value >= 0 else f"\u2212{-value:.4f}"


def _sentence(text: str) -> str:
    """One line that ends like a sentence."""
    line = " ".join(text.split())
    return line if line.endswith((".", "!", "?")) else f"{line}."


def _either(names: Sequence[str]) -> str:
    return " or ".join(repr(name) for name in names)


#: So many names are given where a name is not known.
_MOST_NAMES = 16


def _are_names(names: Sequence[str]) -> str:
    if not names:
        return "are none"
    more = len(names) - _MOST_NAMES
    shown = ", ".join(repr(name) for name in names[:_MOST_NAMES])
    return f"{'is' if len(names) == 1 else 'are'} {shown}" + (f" and {more:,} more" if more > 0 else "")


def _count(n: int, noun: str) -> str:
    return f"{n:,} {_plural(n, noun)}"


def _plural(n: int, noun: str) -> str:
    return noun if n == 1 else noun + "s"
