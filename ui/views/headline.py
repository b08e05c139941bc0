"""The headline in sentences, and its details."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Iterator, List, Optional, Sequence, Tuple

from ..science import SAME_DAY_TABLE, interval, report, sanitize_text
from ..text import Counted, _, strings
from ..text.numbers import decimals, percent, percents
from ..text.phrases import all_of, ended, from_to, labeled, of_100, paragraph, size_words, with_interval
from .cells import needed, signed, whole_percent
from .labels import row_label
from .workload import has_answer

if TYPE_CHECKING:
    from evaluator.report import Accuracy, Comparison, PresetInUse, RecallNear, Report, Rivalry, SampleSize, Verdict

ADJUSTED = "Anki-SM-2 calibrated"
#: Near the desired retention, by whether predictions are off, and the sign of the gap: what the user remembered.
NEAR = {
    "right": _("When FSRS said {said}, you remembered {recalled}."),
    "lower": _("When FSRS said {said}, you remembered only {recalled}."),
    "higher": _("When FSRS said {said}, you remembered {recalled}: your cards come back earlier than they need to."),
}
#: The same over all predictions.
ON_AVERAGE = {
    "right": _("On average, FSRS expected {said}; you remembered {recalled}."),
    "lower": _("On average, FSRS expected {said}; you remembered only {recalled}."),
    "higher": _(
        "On average, FSRS expected {said}; you remembered {recalled}: your cards come back earlier than they need to."
    ),
}
#: The same for FSRS as it was retrained, which counts only if it is right.
RETRAINED = {
    True: _("Had you optimized regularly, FSRS's {said} would have meant {recalled}."),
    False: _("Had you optimized regularly, FSRS would have expected {said} on average; you remembered {recalled}."),
}
#: Right at the desired retention, and off elsewhere.
ELSEWHERE = {
    True: _("When FSRS said {said}, you remembered {recalled}; but when it said {level}, only {at_level}."),
    False: _("When FSRS said {said}, you remembered {recalled}; but when it said {level}, {at_level}."),
}
#: A headline that is not off, and the worst of the presets that are.
IN_PRESET = {
    (True, "lower"): _("When FSRS said {said}, you remembered {recalled}; in the preset “{preset}”, only {there}."),
    (True, "higher"): _("When FSRS said {said}, you remembered {recalled}; in the preset “{preset}”, {there}."),
    (False, "lower"): _("In the preset “{preset}”, when FSRS said {said}, you remembered only {there}."),
    (False, "higher"): _("In the preset “{preset}”, when FSRS said {said}, you remembered {there}."),
}
IN_PRESET_ON_AVERAGE = _("In the preset “{preset}”, FSRS expected {said} on average; you remembered {there}.")
FURTHEST = _("Of your presets, “{preset}” was furthest off: {there} instead of {said}.")
MORE_OFF = Counted("{count} more preset was off.", "{count} more presets were off.")
OPEN = {
    True: _("Your reviews do not show how accurate FSRS is: its {said} may mean anything from {low} to {high}."),
    False: _(
        "Your reviews do not show how accurate FSRS is: the {said} that it expected on average may mean anything from "
        "{low} to {high}."
    ),
}
OPEN_WITHOUT_NUMBERS = _("Your reviews do not show how accurate FSRS is.")
OPEN_ALTOGETHER = _("Overall, your reviews do not show how accurate FSRS is.")
OPEN_NEAR = _("Near your desired retention of {desired}, your reviews do not show how accurate FSRS is.")
MAY_BE_LARGER = _("The real error may be larger, because FSRS may have been optimized on these same reviews.")
#: By whether they are newly optimized parameters for one preset.
WOULD_HAVE_MEANT = {
    False: _("With newly optimized parameters, {said} would have meant {recalled}."),
    True: _("With newly optimized parameters, {said} would have meant {recalled} there."),
}
WOULD_HAVE_EXPECTED = _("Newly optimized parameters would have expected {said} on average; you remembered {recalled}.")
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

#: FSRS is on: the user's FSRS against a rival, by the claim.
FSRS_PREDICTED = {
    "better": _("FSRS predicted better than {rival}."),
    "better_past": _("FSRS predicted these reviews better than {rival}. This lead may not last."),
    "worse": _("FSRS predicted worse than {rival}."),
    "worse_past": _("FSRS predicted these reviews worse than {rival}. That may not last."),
    "equivalent": _("FSRS predicted about as well as {rival}."),
}
TOO_CLOSE = _("It is too close to call whether FSRS or {rival} predicted better.")
#: The same for newly optimized parameters.
OPTIMIZED_PREDICTED = {
    "better": _("Optimized regularly, FSRS would have predicted better than {rival}."),
    "better_past": _(
        "Optimized regularly, FSRS would have predicted these reviews better than {rival}. This lead may not last."
    ),
    "worse": _("Optimized regularly, FSRS would have predicted worse than {rival}."),
    "worse_past": _(
        "Optimized regularly, FSRS would have predicted these reviews worse than {rival}. That may not last."
    ),
    "equivalent": _("Optimized regularly, FSRS would have predicted about as well as {rival}."),
}
#: Parameters that may have been fitted to these reviews, and still predicted worse.
SEEN_WORSE = _("With your parameters, FSRS predicted worse than {rival}.")
SEEN_WORSE_NEW_BETTER = _(
    "With your parameters, FSRS predicted worse than {rival}; optimized regularly, it would have predicted better."
)
#: FSRS is off, by the claim.
WOULD_PREDICT = {
    "better": _("FSRS would predict your memory better than {rival}."),
    "better_past": _("On your {reviews}, FSRS predicted better than {rival}."),
    "worse": _("{rival} predicted your memory better than FSRS."),
    "worse_past": _("On your {reviews}, {rival} predicted better than FSRS."),
    "equivalent": _("FSRS would predict your memory about as well as {rival}."),
    "close": _("Too close to call: your reviews do not show whether FSRS or {rival} predicts better."),
    "early": _("Too early to tell from your {reviews} whether FSRS or {rival} predicts better."),
}
#: It is not known whether FSRS is on.
DID_PREDICT = {
    **WOULD_PREDICT,
    "better": _("FSRS predicted these reviews better than {rival}."),
    "better_past": _("On these {reviews}, FSRS predicted better than {rival}."),
    "worse": _("{rival} predicted these reviews better than FSRS."),
    "worse_past": _("On these {reviews}, {rival} predicted better than FSRS."),
    "equivalent": _("FSRS predicted these reviews about as well as {rival}."),
}
LEAD_MAY_NOT_LAST = _("This lead may not last.")
#: SM-2 without adjusting, by the claim for FSRS.
AS_IT_IS = {
    "better": _("Unadjusted (90% when a card is due), SM-2 predicted worse than FSRS."),
    "worse": _("Unadjusted (90% when a card is due), SM-2 predicted better than FSRS."),
    "equivalent": _("Unadjusted (90% when a card is due), SM-2 predicted about as well as FSRS."),
}
#: SM-2 in a sentence, by whether it is adjusted to the user: in one that says that FSRS is better, and in any other.
RIVALS = {
    ("better", True): _("Anki's SM-2, even with SM-2 adjusted to your history"),
    ("other", True): _("Anki's SM-2 (adjusted to your history)"),
    ("better", None): _("Anki's SM-2, even with SM-2 adjusted to earlier reviews"),
    ("other", None): _("Anki's SM-2 (adjusted to earlier reviews)"),
}
#: Any other pair, by the code of its comparison.
PAIR = {
    "better": _("{algorithm} predicted these reviews better than {baseline}."),
    "worse": _("{baseline} predicted these reviews better than {algorithm}."),
    "equivalent": _("{algorithm} and {baseline} predicted these reviews about equally well."),
    "open": _("Your reviews do not show whether {algorithm} or {baseline} predicts better."),
}
OTHERS = _("For {count} of 100 people with a similar number of reviews, {algorithm} predicts better than {baseline}.")
OTHERS_AS_IT_IS = _(
    "For {count} of 100 people with a similar number of reviews, {algorithm} predicts better than unadjusted SM-2."
)
#: By the direction of a disagreement.
MORE_CONFIDENT = _(
    "On {reviews}, {algorithm} was at least {points} points more confident than {baseline}: {predicted} "
    "against {by_baseline}; you remembered {recalled}."
)
LESS_CONFIDENT = _(
    "On {reviews}, {algorithm} was at least {points} points less confident than {baseline}: {predicted} "
    "against {by_baseline}; you remembered {recalled}."
)
#: What would predict better, a forecaster by its name.
GUESSING = {report.AVERAGE: _("Guessing your average every time would have predicted better than {algorithm} did.")}
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
_SPOKEN = {report.AVERAGE: _("guessing your average")}
#: Maximum number of sentences below the headline.
_MAX_BELOW = 2
#: Minimum number of scored reviews to call a wide interval too close, instead of too early.
_MANY = 1000
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
    headline, whole_days = report.headline, report.scope.table != SAME_DAY_TABLE
    if headline is None and running:
        return HeadlineText(CHECKING if report.scope.fsrs and whole_days else COMPARING)
    accuracy, aside = None if headline is None else headline.accuracy, ""
    if accuracy is not None:
        off = _presets_off(report)
        heading, *text = _on_accuracy(accuracy, off, report)
        aside = _aside(accuracy, _leads(accuracy, off))
    elif headline is not None and (headline.against_adjusted or headline.against_sm2):
        heading, *text = _on_sm2(report)
    else:
        heading, *text = _on_pair(report)
    if not whole_days and report.verdict.comparisons:
        heading = labeled(strings.WITH_SAME_DAY, heading)
    details = (*text[_MAX_BELOW:], *_details(report))
    return HeadlineText(heading, aside, tuple(text[:_MAX_BELOW]), tuple(dict.fromkeys(details)))


def links_to_workload(report: Report) -> bool:
    """Return whether the headline is about FSRS and SM-2, and their workloads can be compared."""
    headline = report.headline
    return headline is not None and headline.against_sm2 is not None and has_answer(report)


# --- FSRS is on -------------------------------------------------------------------------------------------------------


def _presets_off(report: Report) -> List[PresetInUse]:
    """Return the presets that are off, the worst first; none if all are."""
    presets = report.scheduler.presets if report.scheduler else ()
    off = [preset for preset in presets if preset.accuracy.state == "off"]
    off.sort(key=lambda preset: -abs(preset.accuracy.recall.gap if preset.accuracy.recall else 0.0))
    return off if len(off) < len(presets) else []


def _on_accuracy(accuracy: Accuracy, off: Sequence[PresetInUse], report: Report) -> Iterator[str]:
    """Return the headline on the user's FSRS, and the sentences below it, the most important first."""
    shown = _leads(accuracy, off)
    leads, more = shown is not None, MORE_OFF(len(off) - 1) if len(off) > 1 else ""
    if shown is None:
        shown = accuracy
    yield _leading(accuracy, off[0]) if leads else _state(accuracy)
    if shown.state == "off" and shown.source == "seen":
        yield MAY_BE_LARGER
    if leads and (not _is_joined(accuracy, shown) or accuracy.elsewhere is not None):
        yield OPEN_ALTOGETHER if accuracy.state == "open" else _state(accuracy)
    yield from _newly_optimized(shown, report, of_preset=leads)
    if off and (more or not leads):
        yield more if leads else paragraph(_furthest(off[0]), more)
    if accuracy.source in ("retrained", None) and shown.source != "seen":
        yield _untested(accuracy, report)
    if shown.source is not None and not shown.near:
        yield OPEN_NEAR.format(desired=whole_percent(shown.desired_retention))
    yield from _user_against_sm2(accuracy, report)


def _leads(accuracy: Accuracy, off: Sequence[PresetInUse]) -> Optional[Accuracy]:
    """Return the accuracy of the preset with which the headline begins: the worst, if all together are not off."""
    return off[0].accuracy if off and accuracy.state != "off" else None


def _is_joined(accuracy: Accuracy, preset: Accuracy) -> bool:
    """Return whether one sentence can be about all presets, which are right, and one that is not."""
    of_same = accuracy.near and preset.near and accuracy.desired_retention == preset.desired_retention
    return of_same and accuracy.state == "right" and accuracy.source != "retrained"


def _state(accuracy: Accuracy) -> str:
    recall = accuracy.recall
    if recall is None:
        return OPEN_WITHOUT_NUMBERS
    said, recalled = recall_shares(accuracy, recall)
    if accuracy.state == "open":
        low, high = recall_ends(accuracy, recall)
        return OPEN[accuracy.near].format(said=said, low=low, high=high)
    if accuracy.source == "retrained":
        text = RETRAINED[accuracy.near].format(said=said, recalled=recalled)
    else:
        text = (NEAR if accuracy.near else ON_AVERAGE)[_side(accuracy)].format(said=said, recalled=recalled)
    level = accuracy.elsewhere
    if level is None or level.predicted is None:
        return text
    shares = dict(zip(("level", "at_level"), percents(level.predicted, level.recalled.value)))
    if accuracy.near and accuracy.source != "retrained":
        return ELSEWHERE[level.gap < 0].format(said=said, recalled=recalled, **shares)
    return paragraph(
        text, NEAR["lower" if level.gap < 0 else "right"].format(said=shares["level"], recalled=shares["at_level"])
    )


def _leading(accuracy: Accuracy, preset: PresetInUse) -> str:
    """Return the headline if a preset is off, and all presets together are not."""
    of_preset, recall = preset.accuracy, preset.accuracy.recall
    if recall is None:
        return _state(accuracy)
    said, there = recall_shares(of_preset, recall)
    facts = {"said": said, "there": there, "preset": sanitize_text(preset.name, whole=False)}
    if not of_preset.near:
        return IN_PRESET_ON_AVERAGE.format(**facts)
    is_joined = _is_joined(accuracy, of_preset)
    if is_joined and accuracy.recall is not None:
        facts["recalled"] = recall_shares(accuracy, accuracy.recall)[1]
    return IN_PRESET[is_joined, _side(of_preset)].format(**facts)


def _furthest(preset: PresetInUse) -> str:
    recall = preset.accuracy.recall
    said, there = ("", "") if recall is None else recall_shares(preset.accuracy, recall)
    return FURTHEST.format(preset=sanitize_text(preset.name, whole=False), said=said, there=there)


def _side(accuracy: Accuracy) -> str:
    if accuracy.state != "off" or accuracy.recall is None:
        return "right"
    return "lower" if accuracy.recall.gap < 0 else "higher"


def recall_shares(accuracy: Accuracy, recall: RecallNear) -> Tuple[str, str]:
    """Return what FSRS said, such as the desired retention, and what the user remembered: as much more or less."""
    if accuracy.near:
        desired = accuracy.desired_retention
        return whole_percent(desired), percents(_share(desired + recall.gap))[0]
    return percent(recall.predicted or 0.0, 1), percent(recall.recalled.value, 1)


def recall_ends(accuracy: Accuracy, recall: RecallNear) -> Tuple[str, ...]:
    """Return the ends of the interval of what the user remembered, around the share that the headline states."""
    ends = recall.recalled.low_high or ()
    if not accuracy.near:
        return tuple(percent(_share(end), 1) for end in ends)
    shift = accuracy.desired_retention - (recall.predicted or 0.0)
    return percents(*(_share(end + shift) for end in ends))


def _share(value: float) -> float:
    return min(max(value, 0.0), 1.0)


def _aside(accuracy: Accuracy, leads: Optional[Accuracy]) -> str:
    """Return the intervals of the headline's shares, and the number of reviews behind the first."""
    level, there = accuracy.elsewhere, ""
    if leads is not None and not _is_joined(accuracy, leads):
        accuracy = leads
    elif leads is not None and leads.recall is not None:
        there = from_to(*recall_ends(leads, leads.recall))
    elif level is not None and accuracy.near and accuracy.source != "retrained":
        there = from_to(*percents(*map(_share, level.recalled.low_high or (0.0, 1.0))))
    recall = accuracy.recall
    if recall is None:
        return ""
    reviews = strings.REVIEWS(recall.reviews)
    if accuracy.state == "open" or recall.recalled.low_high is None:
        # Translators: A remark in brackets, such as "(140 reviews)".
        return _("({remark})").format(remark=reviews)
    # Translators: A remark in brackets: "(89% to 91%, 4,355 reviews)".
    text = _("({interval}, {reviews})")
    if there:
        # Translators: With the interval of a second share: "(89% to 91%, and 85% to 87% there; 4,355 reviews)".
        text = _("({interval}, and {there} there; {reviews})")
    return text.format(interval=from_to(*recall_ends(accuracy, recall)), there=there, reviews=reviews)


def _newly_optimized(accuracy: Accuracy, report: Report, *, of_preset: bool) -> Iterator[str]:
    """Say what newly optimized parameters would have meant, if the tested ones are off."""
    again, recall = accuracy.optimized, accuracy.recall
    if again is None or recall is None:
        return
    if accuracy.closer:
        said, recalled = recall_shares(accuracy, again)
        text = WOULD_HAVE_MEANT[of_preset] if accuracy.near else WOULD_HAVE_EXPECTED
        yield text.format(said=said, recalled=recalled)
    elif abs(abs(again.gap) - abs(recall.gap)) <= _ABOUT and not {item.code for item in report.advice} & OPTIMIZING:
        yield EQUALLY_OFF


def _untested(accuracy: Accuracy, report: Report) -> str:
    """Say why the parameters in the presets have no number of their own, and how much they differ from new ones."""
    row = next((row for row in report.results if row.algorithm == "Your parameters" and row.error is None), None)
    if row is not None and not row.in_sample:
        key = "open"
    elif row is None or row.note == "versions" or not _dates_are_known(report):
        key = "impossible"
    else:
        key = "new" if accuracy.changed_after_reviews else "few"
    reason, change = UNTESTED[key], report.scheduler.change if report.scheduler else None
    if change is None:
        return ended(reason)
    return UNTESTED_AND_CHANGE.format(reason=reason, points=decimals(100 * change, 1))


def _dates_are_known(report: Report) -> bool:
    return all(preset.changed for preset in report.scheduler.presets) if report.scheduler else False


def _user_against_sm2(accuracy: Accuracy, report: Report) -> Iterator[str]:
    """Compare the user's FSRS with SM-2, adjusted if that has a result; other people's results if that is open."""
    headline = report.headline
    if headline is None:
        return
    rivalry = headline.against_adjusted or headline.against_sm2
    if accuracy.source == "seen":
        new = headline.optimized_against
        if rivalry is not None and rivalry.claim in (interval.WORSE, "worse_past"):
            is_new_better = new is not None and new.claim in (interval.BETTER, "better_past")
            text = SEEN_WORSE_NEW_BETTER if is_new_better else SEEN_WORSE
            yield text.format(rival=_rival(rivalry, "worse", True))
            return
        rivalry = new
    if rivalry is None:
        return
    texts = FSRS_PREDICTED if accuracy.source in ("default", "unseen") else OPTIMIZED_PREDICTED
    if rivalry.claim in texts:
        yield texts[rivalry.claim].format(rival=_rival(rivalry, rivalry.claim, True))
    elif rivalry.reviews >= _MANY:
        yield TOO_CLOSE.format(rival=_rival(rivalry, rivalry.claim, True))
    else:
        rows = [row.against_baseline for row in report.results if row.trained and row.family == "FSRS"]
        compared = [headline.against_sm2.comparison if headline.against_sm2 else None, *rows]
        yield from _others(next((c for c in compared if c is not None and c.chance is not None), rivalry.comparison))


def _rival(rivalry: Rivalry, claim: str, fsrs: Optional[bool]) -> str:
    """Return SM-2 in a sentence with this claim for FSRS; ``fsrs`` is None if it is not known whether it is on."""
    if rivalry.comparison.baseline != ADJUSTED:
        return row_label(rivalry.comparison.baseline)
    kind = "better" if claim in (interval.BETTER, "better_past") else "other"
    return RIVALS[kind, None if fsrs is None else True]


# --- FSRS is off, or nobody knows -------------------------------------------------------------------------------------


def _on_sm2(report: Report) -> Iterator[str]:
    """Return the sentences on FSRS against SM-2: the answer, unadjusted SM-2, and other people's results."""
    headline, fsrs, reviews = report.headline, report.scope.fsrs, report.scope.reviews
    first = None if headline is None else headline.against_adjusted or headline.against_sm2
    if headline is None or first is None:
        return
    claim = first.claim
    if claim not in WOULD_PREDICT:
        claim = "close" if reviews >= _MANY else "early"
    rival = _rival(first, claim, fsrs)
    if claim == "early":
        rival = row_label("Anki-SM-2")
    yield (WOULD_PREDICT if fsrs is False else DID_PREDICT)[claim].format(rival=rival, reviews=strings.REVIEWS(reviews))
    for name in report.verdict.in_sample:
        yield strings.MAY_BE_IN_SAMPLE.format(algorithm=row_label(name))
    as_it_is = headline.against_sm2
    if claim in ("better_past", "worse_past"):
        yield LEAD_MAY_NOT_LAST
    is_second = headline.against_adjusted is not None and claim not in ("better", "better_past", "early")
    if is_second and as_it_is is not None:
        text = AS_IT_IS.get(as_it_is.claim.replace("_past", ""), "")
        yield text
    if as_it_is is not None:
        yield from _others(as_it_is.comparison, OTHERS if claim == "early" else OTHERS_AS_IT_IS)


def _on_pair(report: Report) -> Iterator[str]:
    """Return the sentences on the verdict's pair, if it is not FSRS and SM-2."""
    verdict = report.verdict
    if verdict.code == "no_pair":
        second = "FSRS-6" if verdict.algorithm in (None, "SM-2", "Anki-SM-2") else "Anki-SM-2"
        yield _("With one algorithm there is nothing to compare. Choose a second one, such as {second}.").format(
            second=second
        )
        return
    if verdict.code == "unfinished":
        have = {row.algorithm for row in report.results if row.log_loss is not None}
        missing = [row_label(name) for name in (verdict.algorithm, verdict.baseline) if name and name not in have]
        yield _("No comparison, because there is no result for {names}.").format(names=all_of(missing))
        yield _("The table shows the other algorithms.")
        return
    c = verdict.comparisons[0]
    algorithm, baseline = _names(c.algorithm, c.baseline)
    is_guessing = c.code == interval.WORSE and c.baseline in GUESSING
    text = GUESSING[c.baseline] if is_guessing else PAIR.get(c.code, PAIR["open"])
    yield text.format(algorithm=algorithm, baseline=baseline)
    for name in verdict.in_sample:
        yield strings.MAY_BE_IN_SAMPLE.format(algorithm=row_label(name))
    yield from _others(c)
    yield from _lacking(c.code, verdict.basis)


def _others(c: Comparison, text: str = OTHERS) -> Iterator[str]:
    """Say for how many other people the first of the two predicts better, if that was published."""
    if c.chance is not None:
        algorithm, baseline = _names(c.algorithm, c.baseline)
        count = of_100(c.chance.better_for / c.chance.others.collections)
        yield text.format(count=count, algorithm=algorithm, baseline=baseline)


def _names(algorithm: str, baseline: str) -> Tuple[str, str]:
    """Return the names of the two in a sentence: plain FSRS, unless both are FSRS."""
    families = [name.partition("-")[0] == "FSRS" for name in (algorithm, baseline)]
    families[0] |= algorithm == "Your parameters"
    spoken = (_SPOKEN.get(name) or row_label(name) for name in (algorithm, baseline))
    first, second = ("FSRS" if fsrs and sum(families) == 1 else name for fsrs, name in zip(families, spoken))
    return first, second


def _lacking(reason: Optional[str], basis: SampleSize) -> Iterator[str]:
    rarer = basis.rarer
    if reason == interval.TOO_FEW:
        yield _("Your own reviews show nothing yet: {cards} on {days}; {needed}.").format(
            cards=strings.CARDS(basis.cards), days=strings.DAYS(basis.days), needed=needed(reason)
        )
    elif reason == interval.RARE and rarer is not None:
        text = (
            _("Your own reviews show nothing yet: you remembered only {reviews} ({cards}, {days}).")
            if rarer.outcome == 1
            else _("Your own reviews show nothing yet: you pressed Again in only {reviews} ({cards}, {days}).")
        )
        yield text.format(
            reviews=strings.REVIEWS(rarer.reviews), cards=strings.CARDS(rarer.cards), days=strings.DAYS(rarer.days)
        )


# --- details ----------------------------------------------------------------------------------------------------------


def _details(report: Report) -> Iterator[str]:
    headline, verdict = report.headline, report.verdict
    accuracy = None if headline is None else headline.accuracy
    if accuracy is not None:
        if accuracy.source is not None:
            yield SOURCES[accuracy.source].format(algorithm=row_label(accuracy.algorithm or "", report))
        if any(row.note == "versions" for row in report.results):
            yield _("Your presets run different versions of FSRS.")
        yield from _in_percent(accuracy, report)
    yield from verdict_disagreement(verdict)
    compared: List[Rivalry] = []
    if headline is not None:
        compared += filter(None, (headline.against_sm2, headline.against_adjusted, headline.optimized_against))
    for item in compared:
        yield _in_numbers(item.comparison, item.reviews, report)
        if item.claim in ("better_past", "worse_past"):
            ends = map(signed, item.past.low_high or ())
            yield _("For these reviews, not future ones: {difference}.").format(
                difference=with_interval(signed(item.past.estimate), *ends)
            )
    first = compared[0].comparison if compared else next(iter(verdict.comparisons), None)
    if first is not None and not compared:
        yield _in_numbers(first, verdict.basis.reviews, report)
    if first is not None:
        yield from _who_they_are(first)
    if headline is not None and headline.skill_rank is not None:
        yield _(
            "Compared with guessing your average, FSRS gains more for you than for {count} of 100 people with a "
            "similar number of reviews."
        ).format(count=of_100(headline.skill_rank.better_than))


def _in_percent(accuracy: Accuracy, report: Report) -> Iterator[str]:
    """Return the share remembered, with its interval, and the part of the reviews that the headline covers."""
    recall, desired = accuracy.recall, accuracy.desired_retention
    if recall is None or recall.predicted is None or recall.recalled.low_high is None:
        return
    text = (
        _("Of {reviews} predicted near {desired} (on average {predicted}), you remembered {recalled}.")
        if accuracy.near
        else _("Of {reviews} (predicted on average: {predicted}), you remembered {recalled}.")
    )
    low, high = (percent(_share(end), 1) for end in recall.recalled.low_high)
    yield text.format(
        reviews=strings.REVIEWS(recall.reviews),
        desired=whole_percent(desired),
        predicted=percent(recall.predicted, 1),
        recalled=with_interval(percent(recall.recalled.value, 1), low, high),
    )
    share = accuracy.reviews / report.scope.reviews
    if share < 1:
        yield _("This covers only reviews with a desired retention of {desired}: about {share} of yours.").format(
            share=percents(share)[0], desired=whole_percent(desired)
        )


def verdict_disagreement(verdict: Verdict) -> Iterator[str]:
    """Return the outcomes of reviews on which the verdict's pair disagrees, for each side with enough of them.

    Nothing if one of them may have seen these reviews.
    """
    item = verdict.disagreement
    if item is None or verdict.in_sample:
        return
    for text, side in ((MORE_CONFIDENT, item.predicted_higher), (LESS_CONFIDENT, item.predicted_lower)):
        if side.recalled is None:
            continue
        shares = side.recalled, side.predicted or 0.0, side.predicted_by_baseline or 0.0
        recalled, predicted, by_baseline = percents(*shares)
        algorithm, baseline = (row_label(name) for name in (verdict.algorithm, verdict.baseline) if name)
        yield text.format(
            reviews=strings.REVIEWS(side.reviews),
            algorithm=algorithm,
            points=round(100 * item.threshold),
            predicted=predicted,
            baseline=baseline,
            by_baseline=by_baseline,
            recalled=recalled,
        )


def _who_they_are(c: Comparison) -> Iterator[str]:
    if c.chance is not None:
        yield _(
            "Other people's data: {theirs} against {with_theirs} in {collections:,} collections with {size} scored "
            "reviews (SRS Benchmark, January 2025)."
        ).format(
            collections=c.chance.others.collections,
            size=size_words(c.chance.others.at_least, c.chance.others.below),
            theirs=c.chance.algorithm,
            with_theirs=c.chance.baseline,
        )
        yield _(
            "Probability that {algorithm} beats {baseline} (unadjusted), given your reviews and theirs: {chance}."
        ).format(algorithm=row_label(c.algorithm), baseline=row_label(c.baseline), chance=percent(c.chance.better, 1))


def _in_numbers(c: Comparison, count: int, report: Report) -> str:
    difference, reviews = signed(c.difference.value), strings.REVIEWS(count)
    in_sample = any(row.in_sample for row in report.results if row.algorithm in (c.algorithm, c.baseline))
    if c.difference.low_high is not None:
        difference = with_interval(difference, *map(signed, c.difference.low_high))
    return _(
        "Log loss of {algorithm} minus that of {baseline}, on {reviews}: {difference}; negative is better."
    ).format(
        algorithm=row_label(c.algorithm, report),
        baseline=row_label(c.baseline, report),
        reviews=reviews if in_sample else _("{reviews} unseen by both").format(reviews=reviews),
        difference=difference,
    )
