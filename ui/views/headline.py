"""The headline in sentences, and its details."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Dict, Iterator, List, Optional, Tuple

from ..science import SAME_DAY_TABLE, interval, sanitize_text
from ..science import report as reports
from ..text import Counted, _, pgettext, strings
from ..text.numbers import decimals, percent, percents
from ..text.phrases import all_of, ended, from_to, labeled, of_100, paragraph, scope_words, size_words, with_interval
from .cells import as_share, needed, signed, whole_percent
from .labels import row_label
from .workload import has_answer

if TYPE_CHECKING:
    from evaluator.report import (
        Accuracy,
        Comparison,
        Headline,
        PresetInUse,
        RecallNear,
        Report,
        Rivalry,
        SampleSize,
        Verdict,
    )

#: What FSRS said and what the user remembered, by whether that is near the desired retention, and by the side on which
#: predictions are off.
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
#: The same for FSRS as it was retrained.
RETRAINED = {
    True: _("Had you optimized regularly, FSRS's {said} would have meant {recalled}."),
    False: _("Had you optimized regularly, FSRS would have expected {said} on average; you remembered {recalled}."),
}
#: Right at the desired retention, and off elsewhere, by the sign of the gap.
ELSEWHERE = {
    True: _("When FSRS said {said}, you remembered {recalled}; but when it said {level}, only {at_level}."),
    False: _("When FSRS said {said}, you remembered {recalled}; but when it said {level}, {at_level}."),
}
#: Right, and the worst of the presets that are off.
IN_PRESET = {
    True: _("When FSRS said {said}, you remembered {recalled}; in the preset “{preset}”, only {there}."),
    False: _("When FSRS said {said}, you remembered {recalled}; in the preset “{preset}”, {there}."),
}
FURTHEST = _("Of your presets, “{preset}” was furthest off: {there} instead of {said}.")
MORE_OFF = Counted("{count} more preset was off.", "{count} more presets were off.")
OPEN = _("Your reviews do not show how accurate FSRS is: its {said} may mean anything from {low} to {high}.")
OPEN_WITHOUT_NUMBERS = _("Your reviews do not show how accurate FSRS is.")
OPEN_ALTOGETHER = _("Overall, your reviews do not show how accurate FSRS is.")
OPEN_NEAR = _("Near your desired retention of {desired}, your reviews do not show how accurate FSRS is.")
IF_HARD = _("{hard} counts as remembered: if you press it for forgotten cards, you remembered less.")
MAY_BE_LARGER = _("The real error may be larger, because FSRS may have been optimized on these same reviews.")
EQUALLY_OFF = _("Newly optimized parameters would have been off by about as much.")
#: Advice that EQUALLY_OFF would contradict.
OPTIMIZING = {"optimize", "optimize_if_you_like"}
#: Why the parameters in the presets have no number of their own, without a period.
UNTESTED = {
    "impossible": _("Your current parameters could not be tested"),
    "new": _("Your current parameters are too new to be tested"),
    "few": _("There are too few reviews since you changed your parameters to test them"),
    "open": _("Your reviews do not show how accurate your current parameters are"),
}
UNTESTED_AND_CHANGE = _(
    "{reason}; optimizing now would change their predictions by {points} percentage points on average."
)

#: Any algorithm against another one, by the claim.
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
#: The same if FSRS is off.
WOULD_PREDICT = {
    **PREDICTED,
    "better": _("FSRS would predict your memory better than {rival}."),
    "better_past": _("On your {reviews}, FSRS predicted better than {rival}."),
    "worse": _("{rival} predicted your memory better than FSRS."),
    "worse_past": _("On your {reviews}, {rival} predicted better than FSRS."),
    "equivalent": _("FSRS would predict your memory about as well as {rival}."),
}
LEAD_MAY_NOT_LAST = _("This lead may not last.")
# Translators: The names of FSRS in "... predicted better than ..." and the like.
OPTIMIZED, WITH_YOURS = _("FSRS with regular optimizing"), _("FSRS with your parameters")
OPTIMIZED_BETTER = _("Optimized regularly, it would have predicted better.")
#: SM-2 in a sentence, by whether that says that FSRS is better, and whether it is known if FSRS is on.
RIVALS = {
    (True, True): _("Anki's SM-2, even with SM-2 adjusted to your history"),
    (False, True): _("Anki's SM-2 (adjusted to your history)"),
    (True, False): _("Anki's SM-2, even with SM-2 adjusted to earlier reviews"),
    (False, False): _("Anki's SM-2 (adjusted to earlier reviews)"),
}
UNADJUSTED, UNADJUSTED_90 = _("unadjusted SM-2"), _("unadjusted SM-2 (90% when a card is due)")
OTHERS = _("For {count} of 100 people with a similar number of reviews, {algorithm} predicts better than {baseline}.")
MORE_CONFIDENT = _(
    "On {reviews}, {algorithm} was at least {points} points more confident than {baseline}: {predicted} "
    "against {by_baseline}; you remembered {recalled}."
)
#: By the source of the parameters: whose predictions the headline is about.
SOURCES = {
    "default": _("Tested here: the default parameters, which your presets still use."),
    "unseen": _("Tested here: the parameters in your presets, on reviews since you last changed them."),
    "seen": _("Tested here: the parameters in your presets, on all scored reviews."),
    "retrained": _("Tested here: {algorithm}, retrained as your history grew."),
}
DETAILS = _("Details")
WORKLOAD_LINK = _("How many reviews a day? See Workload.")
#: Shown until the rows of the headline have finished.
CHECKING = _("Checking FSRS…")
COMPARING = _("Comparing FSRS and SM-2…")

#: Names in a sentence about two rows that differ from their labels.
_SPOKEN = {reports.AVERAGE: _("guessing your average")}
#: With more Hard answers than this for each lapse, they may be lapses.
_HARD_PER_LAPSE = 4
#: Maximum number of sentences below the headline.
_MAX_BELOW = 2
#: Two gaps that differ by at most this are about the same.
_ABOUT = 0.01


@dataclass(frozen=True)
class HeadlineText:
    """What people read first."""

    heading: str
    aside: str = ""  #: the interval and the number of reviews, in small letters
    below: Tuple[str, ...] = ()  #: at most two sentences
    details: Tuple[str, ...] = ()  #: a line each


def headline_text(report: Report, *, running: bool = False) -> HeadlineText:
    """Return the headline with what is below it, and the details.

    The headline names the table, unless it is the usual one. While the evaluation is ``running``, rows may be missing.
    """
    whole_days, verdict = report.scope.table != SAME_DAY_TABLE, report.verdict
    if report.headline is None and running:
        return HeadlineText(CHECKING if report.scope.fsrs and whole_days else COMPARING)
    headline, aside = report.headline or reports.Headline(None), ""
    if headline.accuracy is not None:
        aside, heading, *rest = _on_accuracy(headline, headline.accuracy, report)
    else:
        heading, *rest = _on_pair(report) if headline.decisive is None else _on_sm2(headline, headline.decisive, report)
        rest[:0] = (strings.MAY_BE_IN_SAMPLE.format(algorithm=row_label(name)) for name in verdict.in_sample)
    if not whole_days and verdict.comparisons:
        heading = labeled(strings.WITH_SAME_DAY, heading)
    below = tuple(dict.fromkeys(filter(None, rest)))
    details = dict.fromkeys((*below[_MAX_BELOW:], *_details(headline, report)))
    return HeadlineText(heading, aside, below[:_MAX_BELOW], tuple(details))


def links_to_workload(report: Report) -> bool:
    """Return whether the headline is about FSRS and SM-2, and their workloads can be compared."""
    headline = report.headline
    return headline is not None and headline.against_sm2 is not None and has_answer(report)


# --- FSRS is on -------------------------------------------------------------------------------------------------------


def _presets_off(report: Report) -> List[PresetInUse]:
    """Return the presets that are off, the worst first, unless all are."""
    off = [preset for preset in report.presets if preset.accuracy.state == "off"]
    off.sort(key=lambda preset: -abs(preset.accuracy.recall.gap))
    return off if len(off) < len(report.presets) else []


def _leading_preset(accuracy: Accuracy, report: Report) -> Optional[PresetInUse]:
    """Return the preset with which the headline begins: the worst, if presets are off and all together are not."""
    return next(iter(_presets_off(report)), None) if accuracy.state != "off" else None


def _on_accuracy(headline: Headline, accuracy: Accuracy, report: Report) -> Iterator[str]:
    """Yield the remark beside the headline, the headline, and the sentences below it, the most important first."""
    off, worst = _presets_off(report), _leading_preset(accuracy, report)
    shown, name = (accuracy, "") if worst is None else (worst.accuracy, scope_words("preset", worst.name))
    is_joined = _can_be_joined(accuracy, shown)
    if worst is not None and is_joined:
        yield _aside(accuracy, recall_ends(shown, shown.recall))
        facts = {**recall_shares(accuracy, accuracy.recall), "there": recall_shares(shown, shown.recall)["recalled"]}
        yield IN_PRESET[shown.recall.gap < 0].format(**facts, preset=sanitize_text(worst.name, whole=False))
    else:
        yield _aside(shown, percents(*_ends(shown.elsewhere)) if is_joined else ())
        yield _of_preset(name, _state(shown))
    if report.scope.hard > _HARD_PER_LAPSE * report.scope.reviews * (1 - report.scope.recalled):
        yield IF_HARD.format(hard=pgettext("Anki", "Hard"))
    if shown.state == "off" and shown.source == "seen":
        yield _of_preset(name, MAY_BE_LARGER)
        if worst is None and headline.decisive is not None and headline.decisive.is_worse:
            yield _user_against_sm2(headline, accuracy, report)
    if worst is not None and not is_joined:
        yield OPEN_ALTOGETHER if accuracy.state == "open" else _state(accuracy)
    elif worst is not None and accuracy.elsewhere is not None:
        yield _level(accuracy.elsewhere)
    again = shown.optimized
    if again is not None and shown.closer:
        yield _of_preset(name, RETRAINED[shown.near].format(**recall_shares(shown, again)))
    elif again is not None and abs(abs(again.gap) - abs(shown.recall.gap)) <= _ABOUT:
        yield "" if {item.code for item in report.advice} & OPTIMIZING else EQUALLY_OFF
    more = MORE_OFF(len(off) - 1) if len(off) > 1 else ""
    if off and worst is None:
        facts = recall_shares(off[0].accuracy, off[0].accuracy.recall)
        furthest = FURTHEST.format(**facts, there=facts["recalled"], preset=sanitize_text(off[0].name, whole=False))
        more = paragraph(furthest, more)
    yield more
    if accuracy.source in ("retrained", None) and shown.source != "seen":
        yield _untested(accuracy, report)
    if shown.source is not None and not shown.near:
        yield OPEN_NEAR.format(desired=whole_percent(shown.desired_retention))
    yield _user_against_sm2(headline, accuracy, report)


def _can_be_joined(accuracy: Accuracy, other: Accuracy) -> bool:
    """Return whether one sentence can say that predictions are right, and that others are not."""
    of_same = accuracy.near and other.near and accuracy.desired_retention == other.desired_retention
    return of_same and accuracy.state == "right" and accuracy.source != "retrained"


def _of_preset(name: str, text: str) -> str:
    return labeled(name, text) if name else text


def _state(accuracy: Accuracy) -> str:
    recall, level = accuracy.recall, accuracy.elsewhere
    if accuracy.source is None:
        return OPEN_WITHOUT_NUMBERS
    facts = recall_shares(accuracy, recall)
    if accuracy.state == "open":
        low, high = recall_ends(accuracy, recall)
        return OPEN.format(**facts, low=low, high=high)
    side = "right" if accuracy.state == "right" else "lower" if recall.gap < 0 else "higher"
    template = RETRAINED[accuracy.near] if accuracy.source == "retrained" else RECALL[accuracy.near, side]
    if level is None:
        return template.format(**facts)
    if _can_be_joined(accuracy, accuracy):
        said, there = percents(level.predicted or 0.0, level.recalled.value)
        return ELSEWHERE[level.gap < 0].format(**facts, level=said, at_level=there)
    return paragraph(template.format(**facts), _level(level, is_retrained=accuracy.source == "retrained"))


def _level(level: RecallNear, *, is_retrained: bool = False) -> str:
    """Return what predictions at another level meant."""
    said, recalled = percents(level.predicted or 0.0, level.recalled.value)
    template = RETRAINED[True] if is_retrained else RECALL[True, "lower" if level.gap < 0 else "right"]
    return template.format(said=said, recalled=recalled)


def recall_shares(accuracy: Accuracy, recall: RecallNear) -> Dict[str, str]:
    """Return what FSRS ``said``, such as the desired retention, and what was ``recalled``: as much more or less."""
    if accuracy.near:
        desired = accuracy.desired_retention
        return {"said": whole_percent(desired), "recalled": percents(as_share(desired + recall.gap))[0]}
    return {"said": percent(recall.predicted or 0.0, 1), "recalled": percent(recall.recalled.value, 1)}


def recall_ends(accuracy: Accuracy, recall: RecallNear) -> Tuple[str, ...]:
    """Return the ends of the interval of what the user remembered, around the share that the headline states."""
    if not accuracy.near:
        return tuple(percent(end, 1) for end in _ends(recall))
    return percents(*_ends(recall, accuracy.desired_retention - (recall.predicted or 0.0)))


def _ends(recall: Optional[RecallNear], shift: float = 0.0) -> Tuple[float, ...]:
    ends = () if recall is None else recall.recalled.low_high or ()
    return tuple(as_share(end + shift) for end in ends)


def _aside(accuracy: Accuracy, there: Tuple[str, ...]) -> str:
    """Return the interval of the headline's share and the number of reviews behind it, and the ends of a second one."""
    if accuracy.source is None:
        return ""
    reviews = strings.REVIEWS(accuracy.recall.reviews)
    if accuracy.state == "open":
        # Translators: A remark in brackets, such as "(140 reviews)".
        return _("({remark})").format(remark=reviews)
    # Translators: A remark in brackets: "(89% to 91%, 4,355 reviews)".
    text = _("({interval}, {reviews})")
    if there:
        # Translators: Intervals of two shares: "(89% to 91%, and 85% to 87% for the second; 4,355 reviews)".
        text = _("({interval}, and {there} for the second; {reviews})")
    first = from_to(*recall_ends(accuracy, accuracy.recall))
    return text.format(interval=first, there=from_to(*there) if there else "", reviews=reviews)


def _untested(accuracy: Accuracy, report: Report) -> str:
    """Say why the parameters in the presets have no number of their own, and how much they differ from new ones."""
    row = next((row for row in report.results if row.algorithm == reports.OWN and row.error is None), None)
    change = report.scheduler.change if report.scheduler else None
    if row is not None and not row.in_sample:
        key = "open"
    elif row is None or row.note == "versions" or not all(preset.changed for preset in report.presets):
        key = "impossible"
    else:
        key = "new" if accuracy.changed_after_reviews else "few"
    if change is None:
        return ended(UNTESTED[key])
    return UNTESTED_AND_CHANGE.format(reason=UNTESTED[key], points=decimals(100 * change, 1))


def _user_against_sm2(headline: Headline, accuracy: Accuracy, report: Report) -> str:
    """Compare the user's FSRS with SM-2, or give other people's results if few reviews leave that open."""
    rivalry, new = headline.decisive, headline.optimized_against
    is_own = rivalry is not None and rivalry.comparison.algorithm == reports.OWN
    if accuracy.source == "seen" or (accuracy.source is None and is_own):
        if rivalry is not None and rivalry.is_worse:
            text = PREDICTED[rivalry.claim].format(algorithm=WITH_YOURS, rival=_rival(rivalry, is_known=True))
            return paragraph(text, OPTIMIZED_BETTER if new is not None and new.is_better else "")
        rivalry = new
    if rivalry is None:
        return ""
    if rivalry.claim == "open" and rivalry.reviews < reports.MANY:
        rows = [row.against_baseline for row in report.results if row.trained and row.family == "FSRS"]
        compared = [headline.against_sm2.comparison if headline.against_sm2 else None, *rows]
        return _others(next((c for c in compared if c is not None and c.chance is not None), rivalry.comparison))
    algorithm = "FSRS" if accuracy.source in ("default", "unseen") else OPTIMIZED
    text = PREDICTED["close" if rivalry.claim == "open" else rivalry.claim]
    text = text.format(algorithm=algorithm, rival=_rival(rivalry, is_known=True))
    return paragraph(text, LEAD_MAY_NOT_LAST if rivalry.is_past else "")


def _rival(rivalry: Rivalry, *, is_known: bool) -> str:
    """Return what SM-2 is called in a sentence on this rivalry.

    ``is_known``: it is known whether FSRS is on.
    """
    if rivalry.comparison.baseline != reports.ADJUSTED:
        return row_label(rivalry.comparison.baseline)
    return RIVALS[rivalry.is_better, is_known]


# --- FSRS is off, or nobody knows -------------------------------------------------------------------------------------


def _on_sm2(headline: Headline, first: Rivalry, report: Report) -> Iterator[str]:
    """Yield the sentences on FSRS against SM-2: the answer, unadjusted SM-2, and other people's results."""
    fsrs, reviews, claim, as_it_is = report.scope.fsrs, report.scope.reviews, first.claim, headline.against_sm2
    if claim == "open":
        claim = "close" if reviews >= reports.MANY else "early"
    rival = _rival(first, is_known=fsrs is not None)
    if claim == "early" and as_it_is is not None:
        rival = row_label(as_it_is.comparison.baseline)
    text = (WOULD_PREDICT if fsrs is False else PREDICTED)[claim]
    yield text.format(algorithm="FSRS", rival=rival, reviews=strings.REVIEWS(reviews))
    yield LEAD_MAY_NOT_LAST if first.is_past else ""
    yield _lacking(first.comparison.code, report.verdict.basis)
    if as_it_is is None:
        return
    if headline.against_adjusted is not None and claim != "early" and not first.is_better and as_it_is.claim != "open":
        yield PREDICTED[as_it_is.claim].format(algorithm="FSRS", rival=UNADJUSTED_90)
    yield _others(as_it_is.comparison, "" if claim == "early" else UNADJUSTED)


def _on_pair(report: Report) -> Iterator[str]:
    """Return the sentences on the verdict's pair, if it is not FSRS and SM-2."""
    verdict = report.verdict
    if verdict.code == "no_pair":
        second = "FSRS-6" if verdict.algorithm in (None, "SM-2", "Anki-SM-2") else "Anki-SM-2"
        text = _("With one algorithm there is nothing to compare. Choose a second one, such as {second}.")
        yield text.format(second=second)
        return
    if verdict.code == "unfinished":
        have = {row.algorithm for row in report.results if row.log_loss is not None}
        missing = [row_label(name) for name in (verdict.algorithm, verdict.baseline) if name and name not in have]
        yield _("No comparison, because there is no result for {names}.").format(names=all_of(missing))
        yield _("The table shows the other algorithms.")
        return
    c = verdict.comparisons[0]
    algorithm, baseline = _names(c.algorithm, c.baseline)
    yield PREDICTED.get(c.code, PREDICTED["open"]).format(algorithm=algorithm, rival=baseline)
    yield _others(c)
    yield _lacking(c.code, verdict.basis)


def _others(c: Comparison, rival: str = "") -> str:
    """Say for how many other people the first of the two predicts better, if that was published."""
    if c.chance is None:
        return ""
    algorithm, baseline = _names(c.algorithm, c.baseline)
    count = of_100(c.chance.better_for / c.chance.others.collections)
    return OTHERS.format(count=count, algorithm=algorithm, baseline=rival or baseline)


def _names(algorithm: str, baseline: str) -> Tuple[str, str]:
    """Return the names of the two in a sentence: plain FSRS, unless both are FSRS."""
    families = [name.partition("-")[0] == "FSRS" for name in (algorithm, baseline)]
    families[0] |= algorithm == reports.OWN
    spoken = (_SPOKEN.get(name) or row_label(name) for name in (algorithm, baseline))
    first, second = ("FSRS" if fsrs and sum(families) == 1 else name for fsrs, name in zip(families, spoken))
    return first, second


def _lacking(reason: str, basis: SampleSize) -> str:
    rarer = basis.rarer
    if reason == interval.TOO_FEW:
        text = _("Your own reviews show nothing yet: {cards} on {days}; {needed}.")
        return text.format(cards=strings.CARDS(basis.cards), days=strings.DAYS(basis.days), needed=needed(reason))
    if reason != interval.RARE or rarer is None:
        return ""
    text = _("Your own reviews show nothing yet: you pressed Again in only {reviews} ({cards}, {days}).")
    if rarer.outcome == 1:
        text = _("Your own reviews show nothing yet: you remembered only {reviews} ({cards}, {days}).")
    return text.format(
        reviews=strings.REVIEWS(rarer.reviews), cards=strings.CARDS(rarer.cards), days=strings.DAYS(rarer.days)
    )


# --- details ----------------------------------------------------------------------------------------------------------


def _details(headline: Headline, report: Report) -> Iterator[str]:
    accuracy, verdict = headline.accuracy, report.verdict
    worst = None if accuracy is None else _leading_preset(accuracy, report)
    if accuracy is not None and worst is not None:
        yield from _tested(worst.accuracy, scope_words("preset", worst.name), report)
    if accuracy is not None:
        yield from _tested(accuracy, "", report)
    yield from verdict_disagreement(verdict)
    rivalries = [*filter(None, (headline.against_sm2, headline.against_adjusted, headline.optimized_against))]
    for item in rivalries:
        yield _in_numbers(item.comparison, item.reviews, report)
        if item.is_past:
            difference = with_interval(signed(item.past.estimate), *map(signed, item.past.low_high or ()))
            yield _("For these reviews, not future ones: {difference}.").format(difference=difference)
    for c in [item.comparison for item in rivalries[:1]] or verdict.comparisons:
        if not rivalries:
            yield _in_numbers(c, verdict.basis.reviews, report)
        yield from _who_they_are(c)
    if headline.skill_rank is not None:
        text = _(
            "Compared with guessing your average, FSRS gains more for you than for {count} of 100 people with a "
            "similar number of reviews."
        )
        row = next((row.algorithm for row in report.results if headline.skill_rank in row.population), "FSRS")
        yield labeled(row_label(row), text.format(count=of_100(headline.skill_rank.better_than)))


def _tested(accuracy: Accuracy, preset: str, report: Report) -> Iterator[str]:
    """Yield whose predictions were tested, the share remembered, and the part of the reviews that this covers."""
    if accuracy.source is None:
        return
    yield _of_preset(preset, SOURCES[accuracy.source].format(algorithm=row_label(accuracy.algorithm or "", report)))
    average, recall, desired = replace(accuracy, near=False), accuracy.recall, whole_percent(accuracy.desired_retention)
    facts = recall_shares(average, recall)
    text = (
        _("Of {reviews} predicted near {desired} (on average {predicted}), you remembered {recalled}.")
        if accuracy.near
        else _("Of {reviews} (predicted on average: {predicted}), you remembered {recalled}.")
    )
    numbers = text.format(
        reviews=strings.REVIEWS(recall.reviews),
        desired=desired,
        predicted=facts["said"],
        recalled=with_interval(facts["recalled"], *recall_ends(average, recall)),
    )
    yield _of_preset(preset, numbers)
    share = accuracy.reviews / report.scope.reviews
    if share < 1 and not preset:
        text = _("This covers only reviews with a desired retention of {desired}: about {share} of yours.")
        yield text.format(share=percents(share)[0], desired=desired)


def verdict_disagreement(verdict: Verdict) -> Iterator[str]:
    """Return the outcomes of reviews on which the verdict's pair disagrees, for each side with enough of them.

    Nothing if one of them may have seen these reviews.
    """
    item = verdict.disagreement
    if item is None or verdict.in_sample:
        return
    names = [row_label(name or "") for name in (verdict.algorithm, verdict.baseline)]
    for side, order in ((item.predicted_higher, 1), (item.predicted_lower, -1)):
        if side.recalled is not None:
            shares = percents(side.recalled, side.predicted or 0.0, side.predicted_by_baseline or 0.0)
            (algorithm, baseline), (predicted, by_baseline) = names[::order], shares[1:][::order]
            yield MORE_CONFIDENT.format(
                reviews=strings.REVIEWS(side.reviews),
                algorithm=algorithm,
                baseline=baseline,
                points=round(100 * item.threshold),
                predicted=predicted,
                by_baseline=by_baseline,
                recalled=shares[0],
            )


def _who_they_are(c: Comparison) -> Iterator[str]:
    if c.chance is None:
        return
    others = c.chance.others
    yield _(
        "Other people's data: {theirs} against {with_theirs} in {collections:,} collections with {size} scored "
        "reviews (SRS Benchmark, January 2025)."
    ).format(
        collections=others.collections,
        size=size_words(others.at_least, others.below),
        theirs=c.chance.algorithm,
        with_theirs=c.chance.baseline,
    )
    text = _("Probability that {algorithm} beats {baseline} (unadjusted), given your reviews and theirs: {chance}.")
    yield text.format(
        algorithm=row_label(c.algorithm), baseline=row_label(c.baseline), chance=percent(c.chance.better, 1)
    )


def _in_numbers(c: Comparison, count: int, report: Report) -> str:
    difference, reviews = signed(c.difference.value), strings.REVIEWS(count)
    if c.difference.low_high is not None:
        difference = with_interval(difference, *map(signed, c.difference.low_high))
    if not any(row.in_sample for row in report.results if row.algorithm in (c.algorithm, c.baseline)):
        reviews = _("{reviews} unseen by both").format(reviews=reviews)
    text = _("Log loss of {algorithm} minus that of {baseline}, on {reviews}: {difference}; negative is better.")
    algorithm, baseline = (row_label(name, report) for name in (c.algorithm, c.baseline))
    return text.format(algorithm=algorithm, baseline=baseline, reviews=reviews, difference=difference)
