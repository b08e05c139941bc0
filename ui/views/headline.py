"""The sentences of the headline, below it, and in its details."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Dict, Iterator, List, Optional, Tuple

from ..science import SAME_DAY_TABLE, interval, sanitize_text
from ..science import report as reports
from ..text import Counted, _, pgettext, strings
from ..text.numbers import decimals, percent, percents
from ..text.phrases import add_label, all_of, finish, from_to, of_100, paragraph, scope_words, size_words, with_interval
from .cells import as_share, format_difference, interval_requirement, whole_percent, with_ends
from .labels import row_label
from .workload import has_answer

if TYPE_CHECKING:
    from evaluator.report import Accuracy, Comparison, Headline, PresetInUse, RecallNear, Report, Rivalry, Verdict

#: Sentences on what FSRS said and what the user remembered. Keys: whether only predictions near the desired retention
#: count, and whether they are right, or the user remembered less or more.
RECALL = {
    (True, "right"): _("When FSRS said {said}, you remembered {recalled}."),
    (True, "lower"): _("When FSRS said {said}, you remembered only {recalled}."),
    (True, "higher"): _(
        "When FSRS said {said}, you remembered {recalled}: your cards come back earlier than they need to."
    ),
    (False, "right"): _("On average, FSRS expected {said}; you remembered {recalled}."),
    (False, "lower"): _("On average, FSRS expected {said}; you remembered only {recalled}."),
    (False, "higher"): _(
        "On average, FSRS expected {said}; you remembered {recalled}: your cards come back earlier than they need to."
    ),
}
#: Such sentences on retrained FSRS, by whether only predictions near the desired retention count.
RETRAINED = {
    True: _("Had you optimized regularly, FSRS's {said} would have meant {recalled}."),
    False: _("Had you optimized regularly, FSRS would have expected {said} on average; you remembered {recalled}."),
}
#: Sentences if FSRS is right at the desired retention and off elsewhere, by whether less was remembered there.
ELSEWHERE = {
    True: _("When FSRS said {said}, you remembered {recalled}; but when it said {level}, only {at_level}."),
    False: _("When FSRS said {said}, you remembered {recalled}; but when it said {level}, {at_level}."),
}
#: Sentences if FSRS is right overall and off in a preset, by whether less was remembered there.
IN_PRESET = {
    True: _("When FSRS said {said}, you remembered {recalled}; in the preset “{preset}”, only {there}."),
    False: _("When FSRS said {said}, you remembered {recalled}; in the preset “{preset}”, {there}."),
}
MORE_OFF = Counted("{count} more preset was off.", "{count} more presets were off.")
#: Codes of advice that contradicts "newly optimized parameters would have been off by about as much".
OPTIMIZING = {"optimize", "optimize_if_you_like"}

#: Sentences on an algorithm and its rival, by claim.
PREDICTED = {
    "better": _("{algorithm} predicted better than {rival}."),
    "better_past": _("{algorithm} predicted these reviews better than {rival}."),
    "worse": _("{algorithm} predicted worse than {rival}."),
    "worse_past": _("{rival} predicted these reviews better than {algorithm}."),
    "equivalent": _("{algorithm} predicted about as well as {rival}."),
    "close": _("Too close to call: your reviews do not show whether {algorithm} or {rival} predicts better."),
    "early": _("Too early to tell from your {reviews} whether FSRS or {rival} predicts better."),
    "open": _("Your reviews do not show whether {algorithm} or {rival} predicts better."),
}
#: Such sentences if FSRS is off.
WOULD_PREDICT = {
    **PREDICTED,
    "better": _("FSRS would predict your memory better than {rival}."),
    "better_past": _("On your {reviews}, FSRS predicted better than {rival}."),
    "worse": _("{rival} predicted your memory better than FSRS."),
    "worse_past": _("On your {reviews}, {rival} predicted better than FSRS."),
    "equivalent": _("FSRS would predict your memory about as well as {rival}."),
}
LEAD_MAY_NOT_LAST = _("This lead may not last.")
#: Names of adjusted SM-2, by whether FSRS is better, and whether the source says if FSRS is on.
RIVALS = {
    (True, True): _("Anki's SM-2, even with SM-2 adjusted to your history"),
    (False, True): _("Anki's SM-2 (adjusted to your history)"),
    (True, False): _("Anki's SM-2, even with SM-2 adjusted to earlier reviews"),
    (False, False): _("Anki's SM-2 (adjusted to earlier reviews)"),
}
#: Sentences on whose predictions were tested, by the source of the parameters.
SOURCES = {
    "default": _("Tested here: the default parameters, which your presets still use."),
    "unseen": _("Tested here: the parameters in your presets, on reviews since you last changed them."),
    "seen": _("Tested here: the parameters in your presets, on all scored reviews."),
    "retrained": _("Tested here: {algorithm}, retrained as your history grew."),
}
DETAILS = _("Details")
WORKLOAD_LINK = _("How many reviews a day? See Workload.")
#: Headlines until the rows that the headline needs are finished, if FSRS is on, and if it is off or unknown.
CHECKING, COMPARING = _("Checking FSRS…"), _("Comparing FSRS and SM-2…")

#: Maximum number of Hard answers per lapse before the headline warns that some of them may be lapses.
_HARD_PER_LAPSE = 4
#: Maximum number of sentences below the headline.
_MAX_BELOW = 2
#: Maximum difference between two gaps that are called about the same.
_SAME_GAP = 0.01


@dataclass(frozen=True)
class HeadlineText:
    """The texts that users read first."""

    heading: str
    aside: str = ""  #: the interval and the number of reviews, in small type
    below: Tuple[str, ...] = ()  #: sentences below the heading
    details: Tuple[str, ...] = ()  #: sentences that are folded, each on a line of its own


def headline_text(report: Report, *, running: bool = False) -> HeadlineText:
    """Return the headline, the sentences below it, and the details.

    Args:
        report: the report.
        running: whether the evaluation is still running, so that rows may be missing.
    """
    is_whole_day, verdict = report.scope.table != SAME_DAY_TABLE, report.verdict
    if report.headline is None and running:
        return HeadlineText(CHECKING if report.scope.fsrs and is_whole_day else COMPARING)
    headline, aside = report.headline or reports.Headline(None), ""
    if headline.accuracy is not None:
        aside, heading, *lines = _accuracy_sentences(headline, headline.accuracy, report)
    else:
        rivalry = headline.decisive
        heading, *lines = _sm2_sentences(headline, rivalry, report) if rivalry else _pair_sentences(report)
        lines = [*(strings.MAY_BE_IN_SAMPLE.format(algorithm=row_label(name)) for name in verdict.in_sample), *lines]
    if not is_whole_day and verdict.comparisons:
        heading = add_label(strings.WITH_SAME_DAY, heading)
    below = tuple(dict.fromkeys(filter(None, lines)))
    details = dict.fromkeys((*below[_MAX_BELOW:], *_details(headline, report)))
    return HeadlineText(heading, aside, below[:_MAX_BELOW], tuple(details))


def links_to_workload(report: Report) -> bool:
    """Return whether the headline compares FSRS with SM-2 and their workloads can be compared."""
    headline = report.headline
    return headline is not None and headline.against_sm2 is not None and has_answer(report)


# --- FSRS is on -------------------------------------------------------------------------------------------------------


def _presets_off(report: Report) -> List[PresetInUse]:
    """Return the presets that are off, the worst first. The list is empty if every preset is off."""
    off = [preset for preset in report.presets if preset.accuracy.state == "off"]
    off.sort(key=lambda preset: -abs(preset.accuracy.recall.gap))
    return off if len(off) < len(report.presets) else []


def _accuracy_sentences(headline: Headline, accuracy: Accuracy, report: Report) -> Iterator[str]:
    """Yield the remark beside the headline, the headline, and the sentences below it, the most important first.

    If some presets are off and all together are not, the headline is about the worst of them.
    """
    off = _presets_off(report)
    worst = off[0] if off and accuracy.state != "off" else None
    shown, name = (worst.accuracy, scope_words("preset", worst.name)) if worst else (accuracy, "")
    is_joined = _can_be_joined(accuracy, shown)
    if worst and is_joined:
        yield _aside(accuracy, recall_ends(shown, shown.recall))
        facts = {**recall_shares(accuracy, accuracy.recall), "there": recall_shares(shown, shown.recall)["recalled"]}
        yield IN_PRESET[shown.recall.gap < 0].format(**facts, preset=sanitize_text(worst.name, whole=False))
    else:
        yield _aside(shown, percents(*_interval_ends(shown.elsewhere)) if is_joined else ())
        yield _with_preset(name, _state_sentence(shown))
    if report.scope.hard > _HARD_PER_LAPSE * report.scope.reviews * (1 - report.scope.recalled):
        text = _("{hard} counts as remembered: if you press it for forgotten cards, you remembered less.")
        yield text.format(hard=pgettext("Anki", "Hard"))
    if shown.state == "off" and shown.source == "seen":
        text = _("The real error may be larger, because FSRS may have been optimized on these same reviews.")
        yield _with_preset(name, text)
        if not worst and headline.decisive is not None and headline.decisive.is_worse:
            yield _compare_with_sm2(headline, accuracy, report)
    if worst and not is_joined:
        is_open = accuracy.state == "open"
        yield _("Overall, your reviews do not show how accurate FSRS is.") if is_open else _state_sentence(accuracy)
    elif worst and accuracy.elsewhere is not None:
        yield _level_sentence(accuracy.elsewhere)
    optimized_recall, advice_codes = shown.optimized, {item.code for item in report.advice}
    if optimized_recall is not None and shown.closer:
        yield _with_preset(name, RETRAINED[shown.near].format(**recall_shares(shown, optimized_recall)))
    elif (
        optimized_recall is not None
        and abs(abs(optimized_recall.gap) - abs(shown.recall.gap)) <= _SAME_GAP
        and not advice_codes & OPTIMIZING
    ):
        yield _("Newly optimized parameters would have been off by about as much.")
    yield paragraph(_furthest_off(off[0]) if off and not worst else "", MORE_OFF(len(off) - 1) if len(off) > 1 else "")
    if accuracy.source in ("retrained", None) and shown.source != "seen":
        yield _untested(accuracy, report)
    if shown.source is not None and not shown.near:
        text = _("Near your desired retention of {desired}, your reviews do not show how accurate FSRS is.")
        yield text.format(desired=whole_percent(shown.desired_retention))
    yield _compare_with_sm2(headline, accuracy, report)


def _furthest_off(preset: PresetInUse) -> str:
    facts = recall_shares(preset.accuracy, preset.accuracy.recall)
    text = _("Of your presets, “{preset}” was furthest off: {recalled} instead of {said}.")
    return text.format(**facts, preset=sanitize_text(preset.name, whole=False))


def _can_be_joined(accuracy: Accuracy, other: Accuracy) -> bool:
    """Return whether one sentence can say that predictions are right overall, and what is off elsewhere.

    Args:
        accuracy: accuracy overall.
        other: accuracy of a preset, or again that overall if other levels of prediction are off.
    """
    is_same_retention = accuracy.near and other.near and accuracy.desired_retention == other.desired_retention
    return is_same_retention and accuracy.state == "right" and accuracy.source != "retrained"


def _with_preset(name: str, text: str) -> str:
    return add_label(name, text) if name else text


def _state_sentence(accuracy: Accuracy) -> str:
    recall, level, is_retrained = accuracy.recall, accuracy.elsewhere, accuracy.source == "retrained"
    if accuracy.source is None:
        return _("Your reviews do not show how accurate FSRS is.")
    facts = recall_shares(accuracy, recall)
    if accuracy.state == "open":
        low, high = recall_ends(accuracy, recall)
        text = _("Your reviews do not show how accurate FSRS is: its {said} may mean anything from {low} to {high}.")
        return text.format(**facts, low=low, high=high)
    if level is not None and _can_be_joined(accuracy, accuracy):
        level_said, level_recalled = percents(level.predicted or 0.0, level.recalled.value)
        return ELSEWHERE[level.gap < 0].format(**facts, level=level_said, at_level=level_recalled)
    side = "right" if accuracy.state == "right" else "lower" if recall.gap < 0 else "higher"
    template = RETRAINED[accuracy.near] if is_retrained else RECALL[accuracy.near, side]
    other_level = _level_sentence(level, is_retrained=is_retrained) if level is not None else ""
    return paragraph(template.format(**facts), other_level)


def _level_sentence(level: RecallNear, *, is_retrained: bool = False) -> str:
    """Say what FSRS said and what the user remembered at another level of predictions."""
    said, recalled = percents(level.predicted or 0.0, level.recalled.value)
    template = RETRAINED[True] if is_retrained else RECALL[True, "lower" if level.gap < 0 else "right"]
    return template.format(said=said, recalled=recalled)


def recall_shares(accuracy: Accuracy, recall: RecallNear) -> Dict[str, str]:
    """Return the shares that FSRS ``said`` and that the user ``recalled``, as texts.

    Near the desired retention, FSRS is taken to have said exactly that. The share recalled is moved accordingly, so
    that the gap stays the same.
    """
    if accuracy.near:
        desired = accuracy.desired_retention
        return {"said": whole_percent(desired), "recalled": percents(as_share(desired + recall.gap))[0]}
    return {"said": percent(recall.predicted or 0.0, 1), "recalled": percent(recall.recalled.value, 1)}


def recall_ends(accuracy: Accuracy, recall: RecallNear) -> Tuple[str, ...]:
    """Return the ends of the interval of the share recalled, moved as in :func:`recall_shares`."""
    if not accuracy.near:
        return tuple(percent(end, 1) for end in _interval_ends(recall))
    return percents(*_interval_ends(recall, accuracy.desired_retention - (recall.predicted or 0.0)))


def _interval_ends(recall: Optional[RecallNear], shift: float = 0.0) -> Tuple[float, ...]:
    ends = () if recall is None else recall.recalled.low_high or ()
    return tuple(as_share(end + shift) for end in ends)


def _aside(accuracy: Accuracy, second_ends: Tuple[str, ...]) -> str:
    """Return the remark beside the headline, with intervals and the number of reviews.

    Args:
        accuracy: accuracy that the headline states first.
        second_ends: ends of the interval of a second share in the headline, empty if it has only one.
    """
    if accuracy.source is None:
        return ""
    reviews = strings.REVIEWS(accuracy.recall.reviews)
    if accuracy.state == "open":
        # Translators: A remark in brackets, such as "(140 reviews)".
        return _("({remark})").format(remark=reviews)
    # Translators: A remark in brackets: "(89% to 91%, 4,355 reviews)".
    text = _("({interval}, {reviews})")
    if second_ends:
        # Translators: Intervals of two shares: "(89% to 91%, and 85% to 87% for the second; 4,355 reviews)".
        text = _("({interval}, and {there} for the second; {reviews})")
    first_ends = from_to(*recall_ends(accuracy, accuracy.recall))
    return text.format(interval=first_ends, there=from_to(*second_ends) if second_ends else "", reviews=reviews)


def _untested(accuracy: Accuracy, report: Report) -> str:
    """Say why the parameters in the presets were not tested, and how much optimizing would change."""
    row = next((row for row in report.results if row.algorithm == reports.OWN and row.error is None), None)
    change = report.scheduler.change if report.scheduler else None
    if accuracy.all_deleted:
        reason = _("All cards that you reviewed are deleted, so their presets are unknown")
    elif row is not None and not row.in_sample:
        reason = _("Your reviews do not show how accurate your current parameters are")
    elif row is None or row.note == "versions" or not all(preset.changed for preset in report.presets):
        reason = _("Your current parameters could not be tested")
    elif accuracy.changed_after_reviews:
        reason = _("Your current parameters are too new to be tested")
    else:
        reason = _("There are too few reviews since you changed your parameters to test them")
    if change is None:
        return finish(reason)
    text = _("{reason}; optimizing now would change their predictions by {points} percentage points on average.")
    return text.format(reason=reason, points=decimals(100 * change, 1))


def _compare_with_sm2(headline: Headline, accuracy: Accuracy, report: Report) -> str:
    """Compare the user's FSRS with SM-2, or report other people's results if there are too few reviews to tell."""
    rivalry, optimized_rivalry = headline.decisive, headline.optimized_against
    is_own = rivalry is not None and rivalry.comparison.algorithm == reports.OWN
    if accuracy.source == "seen" or (accuracy.source is None and is_own):
        if rivalry is not None and rivalry.is_worse:
            # Translators: In "... predicted worse than ...".
            name = _("FSRS with your parameters")
            text = PREDICTED[rivalry.claim].format(algorithm=name, rival=_rival(rivalry, report))
            is_new_better = optimized_rivalry is not None and optimized_rivalry.is_better
            return paragraph(text, _("Optimized regularly, it would have predicted better.") if is_new_better else "")
        rivalry = optimized_rivalry
    if rivalry is None:
        return ""
    if rivalry.claim == "open" and rivalry.reviews < reports.MANY:
        rows = [row.against_baseline for row in report.results if row.trained and row.family == "FSRS"]
        compared = [headline.against_sm2.comparison if headline.against_sm2 else None, *rows]
        return _peer_sentence(next((c for c in compared if c is not None and c.chance is not None), rivalry.comparison))
    # Translators: In "... predicted better than ...".
    algorithm = "FSRS" if accuracy.source in ("default", "unseen") else _("FSRS with regular optimizing")
    text = PREDICTED["close" if rivalry.claim == "open" else rivalry.claim]
    text = text.format(algorithm=algorithm, rival=_rival(rivalry, report))
    return paragraph(text, LEAD_MAY_NOT_LAST if rivalry.is_past else "")


def _rival(rivalry: Rivalry, report: Report) -> str:
    """Return the name of the rival, which is a kind of SM-2, for use in a sentence."""
    if rivalry.comparison.baseline != reports.ADJUSTED:
        return row_label(rivalry.comparison.baseline)
    return RIVALS[rivalry.is_better, report.scope.fsrs is not None]


# --- FSRS is off, or that is not known --------------------------------------------------------------------------------


def _sm2_sentences(headline: Headline, rivalry: Rivalry, report: Report) -> Iterator[str]:
    """Yield the answer on FSRS and SM-2, then sentences on unadjusted SM-2 and other people's results."""
    reviews, claim, rival = report.scope.reviews, rivalry.claim, _rival(rivalry, report)
    unadjusted, is_adjusted = headline.against_sm2, headline.against_adjusted is not None
    if claim == "open":
        claim = "close" if reviews >= reports.MANY else "early"
    if claim == "early" and unadjusted is not None:
        rival = row_label(unadjusted.comparison.baseline)
    text = (WOULD_PREDICT if report.scope.fsrs is False else PREDICTED)[claim]
    yield text.format(algorithm="FSRS", rival=rival, reviews=strings.REVIEWS(reviews))
    yield LEAD_MAY_NOT_LAST if rivalry.is_past else ""
    yield _missing_data_sentence(rivalry.comparison.code, report.verdict)
    if unadjusted is None:
        return
    if is_adjusted and claim != "early" and not rivalry.is_better and unadjusted.claim != "open":
        rival = _("unadjusted SM-2 (90% when a card is due)")
        yield PREDICTED[unadjusted.claim].format(algorithm="FSRS", rival=rival)
    yield _peer_sentence(unadjusted.comparison, "" if claim == "early" else _("unadjusted SM-2"))


def _pair_sentences(report: Report) -> Iterator[str]:
    """Yield the sentences on the two algorithms of the verdict if these are not FSRS and SM-2."""
    verdict = report.verdict
    if verdict.code == "no_pair":
        second = "FSRS-6" if verdict.algorithm in (None, "SM-2", "Anki-SM-2") else "Anki-SM-2"
        text = _("With one algorithm there is nothing to compare. Choose a second one, such as {second}.")
        yield text.format(second=row_label(second))
        return
    if verdict.code == "unfinished":
        finished = {row.algorithm for row in report.results if row.log_loss is not None}
        missing = [row_label(name) for name in (verdict.algorithm, verdict.baseline) if name and name not in finished]
        yield _("No comparison, because there is no result for {names}.").format(names=all_of(missing))
        yield _("The table shows the other algorithms.")
        return
    c = verdict.comparisons[0]
    algorithm, baseline = _pair_names(c)
    yield PREDICTED.get(c.code, PREDICTED["open"]).format(algorithm=algorithm, rival=baseline)
    yield _peer_sentence(c)
    yield _missing_data_sentence(c.code, verdict)


def _peer_sentence(c: Comparison, rival: str = "") -> str:
    """Say for how many of 100 other people the first algorithm predicts better.

    The sentence is empty if no such results were published.

    Args:
        c: comparison of two algorithms.
        rival: name of the second algorithm in the sentence. Empty: its usual name.
    """
    if c.chance is None:
        return ""
    algorithm, baseline = _pair_names(c)
    count = of_100(c.chance.better_for / c.chance.others.collections)
    text = _("For {count} of 100 people with a similar number of reviews, {algorithm} predicts better than {baseline}.")
    return text.format(count=count, algorithm=algorithm, baseline=rival or baseline)


def _pair_names(c: Comparison) -> List[str]:
    """Return the names of the two algorithms for use in a sentence. FSRS has a version only if both are FSRS."""
    pair = c.algorithm, c.baseline
    is_fsrs = [name == reports.OWN or name.startswith("FSRS-") for name in pair]
    labels = [_("guessing your average") if name == reports.AVERAGE else row_label(name) for name in pair]
    return ["FSRS" if fsrs and not all(is_fsrs) else label for fsrs, label in zip(is_fsrs, labels)]


def _missing_data_sentence(reason: str, verdict: Verdict) -> str:
    sample_size, rarer = verdict.basis, verdict.basis.rarer
    if reason == interval.TOO_FEW:
        text = _("Your own reviews show nothing yet: {cards} on {days}; {needed}.")
        cards, days = strings.CARDS(sample_size.cards), strings.DAYS(sample_size.days)
        return text.format(cards=cards, days=days, needed=interval_requirement(reason))
    if reason != interval.RARE or rarer is None:
        return ""
    text = _("Your own reviews show nothing yet: you pressed Again in only {reviews} ({cards}, {days}).")
    if rarer.outcome == 1:
        text = _("Your own reviews show nothing yet: you remembered only {reviews} ({cards}, {days}).")
    reviews, cards, days = strings.REVIEWS(rarer.reviews), strings.CARDS(rarer.cards), strings.DAYS(rarer.days)
    return text.format(reviews=reviews, cards=cards, days=days)


# --- details ----------------------------------------------------------------------------------------------------------


def _details(headline: Headline, report: Report) -> Iterator[str]:
    accuracy, verdict = headline.accuracy, report.verdict
    if accuracy is not None:
        for preset in _presets_off(report)[:1] if accuracy.state != "off" else ():
            yield from _test_details(preset.accuracy, scope_words("preset", preset.name), report)
        yield from _test_details(accuracy, "", report)
    yield from verdict_disagreement(report)
    rivalries = [*filter(None, (headline.against_sm2, headline.against_adjusted, headline.optimized_against))]
    for rivalry in rivalries:
        yield _difference_sentence(rivalry.comparison, rivalry.reviews, report)
        if rivalry.is_past:
            text = _("For these reviews, not future ones: {difference}.")
            yield text.format(difference=with_ends(rivalry.past, format_difference))
    comparisons = [rivalry.comparison for rivalry in rivalries[:1]] or list(verdict.comparisons)
    for c in comparisons:
        if not rivalries:
            yield _difference_sentence(c, verdict.basis.reviews, report)
        yield from _peer_details(c, report)


def _test_details(accuracy: Accuracy, preset: str, report: Report) -> Iterator[str]:
    """Yield sentences on the parameters that were tested, the share remembered, and the reviews covered."""
    if accuracy.source is None:
        return
    yield _with_preset(preset, SOURCES[accuracy.source].format(algorithm=row_label(accuracy.algorithm or "", report)))
    average, recall, desired = replace(accuracy, near=False), accuracy.recall, whole_percent(accuracy.desired_retention)
    facts = recall_shares(average, recall)
    text = _("Of {reviews} (predicted on average: {predicted}), you remembered {recalled}.")
    if accuracy.near:
        text = _("Of {reviews} predicted near {desired} (on average {predicted}), you remembered {recalled}.")
    recalled = with_interval(facts["recalled"], *recall_ends(average, recall))
    reviews = strings.REVIEWS(recall.reviews)
    text = text.format(reviews=reviews, desired=desired, predicted=facts["said"], recalled=recalled)
    yield _with_preset(preset, text)
    share = accuracy.reviews / report.scope.reviews
    if share < 1 and not preset:
        text = _("This covers only reviews with a desired retention of {desired}: about {share} of yours.")
        yield text.format(share=percents(share)[0], desired=desired)


def verdict_disagreement(report: Report) -> Iterator[str]:
    """Yield what was remembered where the two algorithms of the verdict disagree.

    There is a sentence for each of them with enough reviews for which it is the more confident one. There is none if
    one of them may have been fitted to these reviews.
    """
    verdict, disagreement = report.verdict, report.verdict.disagreement
    if disagreement is None or verdict.in_sample:
        return
    names = [row_label(name or "", report) for name in (verdict.algorithm, verdict.baseline)]
    for side, order in ((disagreement.predicted_higher, 1), (disagreement.predicted_lower, -1)):
        if side.recalled is not None:
            shares = percents(side.recalled, side.predicted or 0.0, side.predicted_by_baseline or 0.0)
            (algorithm, baseline), (predicted, by_baseline) = names[::order], shares[1:][::order]
            yield _(
                "On {reviews}, {algorithm} was at least {points} points more confident than {baseline}: {predicted} "
                "against {by_baseline}; you remembered {recalled}."
            ).format(
                reviews=strings.REVIEWS(side.reviews),
                algorithm=algorithm,
                baseline=baseline,
                points=round(100 * disagreement.threshold),
                predicted=predicted,
                by_baseline=by_baseline,
                recalled=shares[0],
            )


def _peer_details(c: Comparison, report: Report) -> Iterator[str]:
    if c.chance is None:
        return
    others = c.chance.others
    yield _(
        "Other people's data: {theirs} against {with_theirs} in {collections:,} collections with {size} scored "
        "reviews (SRS Benchmark, January 2025)."
    ).format(
        collections=others.collections,
        size=size_words(others.at_least, others.below),
        theirs=row_label(c.chance.algorithm),
        with_theirs=row_label(c.chance.baseline),
    )
    text = _("Probability that {algorithm} beats {baseline} (unadjusted), given your reviews and theirs: {chance}.")
    algorithm, baseline = (row_label(name, report) for name in (c.algorithm, c.baseline))
    yield text.format(algorithm=algorithm, baseline=baseline, chance=percent(c.chance.better, 1))


def _difference_sentence(c: Comparison, count: int, report: Report) -> str:
    reviews = strings.REVIEWS(count)
    if not any(row.in_sample for row in report.results if row.algorithm in (c.algorithm, c.baseline)):
        reviews = _("{reviews} unseen by both").format(reviews=reviews)
    text = _("Log loss of {algorithm} minus that of {baseline}, on {reviews}: {difference}; negative is better.")
    algorithm, baseline = (row_label(name, report) for name in (c.algorithm, c.baseline))
    difference = with_ends(c.difference, format_difference)
    return text.format(algorithm=algorithm, baseline=baseline, reviews=reviews, difference=difference)
