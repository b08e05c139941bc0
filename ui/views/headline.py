"""The headline in sentences, its details, and the meaning of the star."""

from __future__ import annotations

from typing import TYPE_CHECKING, Dict, Iterator, List, Optional, Tuple

from ..science import SAME_DAY_TABLE, interval, report
from ..text import _, strings
from ..text.numbers import percent, percents
from ..text.phrases import all_of, labeled, of_100, paragraph, size_words, with_interval
from .advice import about
from .cells import needed, signed, whole_percent
from .labels import row_label

if TYPE_CHECKING:
    from evaluator.report import Accuracy, Comparison, RecallNear, Report, SampleSize, Verdict

#: By form, and whether less was remembered than predicted: the result for the predictions of the user's FSRS.
PREDICTED = {
    ("target", False): _("When FSRS says {predicted}, you remember {recalled}."),
    ("target", True): _("When FSRS says {predicted}, you remember only {recalled}."),
    ("average", False): _("On average, FSRS expected {predicted}; you remembered {recalled}."),
    ("average", True): _("On average, FSRS expected {predicted}; you remembered only {recalled}."),
}
EARLIER = _("Your cards come back earlier than they need to.")
CLOSER = {
    "target": _("Newly optimized parameters would be closer: when they say {predicted}, you remember {recalled}."),
    "average": _(
        "Newly optimized parameters would be closer: on average they expected {predicted}; you remembered {recalled}."
    ),
}
NOT_CLOSER = _("Optimizing would not close this gap.")
#: Advice that NOT_CLOSER would contradict.
OPTIMIZING = {"optimize", "optimize_if_you_like"}
TOO_FEW = _("Too few reviews to check FSRS for you yet.")
#: By the code of the comparison with SM-2 as it is, and with Anki's adjusted.
AGAINST_SM2 = {
    "better": _("FSRS predicts better than {baseline}."),
    "worse": _("{baseline} predicts better than FSRS."),
    "equivalent": _("{baseline} predicts about as well as FSRS."),
}
AGAINST_ADJUSTED = {
    "better": _("FSRS predicts better than {baseline}, even with SM-2 adjusted to your history."),
    "better_than_adjusted": _("FSRS predicts better than Anki's SM-2, adjusted to your history."),
    "worse": _("Anki's SM-2, adjusted to your history, predicts better than FSRS."),
    "equivalent": _("Anki's SM-2, adjusted to your history, predicts about as well as FSRS."),
}
#: The same if the user's FSRS is off.
IF_ADJUSTED = {
    "better": _(
        "SM-2 gives only intervals; even turned into probabilities and fitted to your reviews, they "
        "predict worse than FSRS."
    ),
    "worse": _(
        "SM-2 gives only intervals; turned into probabilities and fitted to your reviews, they predict "
        "better than FSRS."
    ),
    "equivalent": _(
        "SM-2 gives only intervals; turned into probabilities and fitted to your reviews, they predict "
        "about as well as FSRS."
    ),
}
#: By the comparison's code, the answer from the user's reviews: if FSRS is off, and otherwise.
WOULD_PREDICT = {
    "better": _("{algorithm} would predict your memory better than {baseline}."),
    "better_as_it_is": _("{algorithm} would predict your memory better than {baseline} (unadjusted)."),
    "worse": _("{baseline} predicts your memory better than {algorithm} would."),
    "equivalent": _("{algorithm} would predict your memory about as well as {baseline}."),
}
DID_PREDICT = {
    "better": _("{algorithm} predicted these reviews better than {baseline}."),
    "better_as_it_is": _("{algorithm} predicted these reviews better than {baseline} (unadjusted)."),
    "worse": _("{baseline} predicted these reviews better than {algorithm}."),
    "equivalent": _("{algorithm} and {baseline} predicted these reviews about equally well."),
}
CANNOT_TELL = _("It is not yet clear whether {algorithm} or {baseline} predicts your memory better.")
#: By the probability's code, if the user's own reviews do not decide: if FSRS is off, and otherwise.
WOULD_LIKELY = {
    "almost_certainly": _("{ahead} would almost certainly predict your memory better than {behind}."),
    "very_probably": _("{ahead} would very probably predict your memory better than {behind}."),
    "probably": _("{ahead} would probably predict your memory better than {behind}."),
}
PROBABLE_ANSWERS = {
    "almost_certainly": _("{ahead} almost certainly predicts your memory better than {behind}."),
    "very_probably": _("{ahead} very probably predicts your memory better than {behind}."),
    "probably": _("{ahead} probably predicts your memory better than {behind}."),
}
OTHERS = _("For {count} of 100 people with a similar number of reviews, {algorithm} predicts better than {baseline}.")
OTHERS_AS_IT_IS = _(
    "For {count} of 100 people with a similar number of reviews, {algorithm} predicts better than {baseline} "
    "(unadjusted)."
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
    "own": _("Tested here: the parameters in your presets, on reviews since you last changed them."),
    "default": _("Tested here: {label}, whose parameters your presets still use."),
    "own_default": _("Tested here: the parameters in your presets, which are still the default ones."),
    "retrained": _("Tested here: {algorithm}, retrained as your history grew."),
}
DETAILS = _("Details")
WORKLOAD_LINK = _("How many reviews a day? See Workload.")
#: Shown until the rows of the headline have finished.
CHECKING = _("Checking FSRS…")
COMPARING = _("Comparing FSRS and SM-2…")

#: Names in a sentence about two rows that differ from their labels.
_SPOKEN = {report.AVERAGE: _("AVG (guessing your average)")}
#: Maximum number of sentences before what to do.
_MAX_SENTENCES = 3
#: Bounds of the share of others whose FSRS fits worse, for a fit about as good as most people's.
_USUAL_RANK = 0.40, 0.60


def headline_and_details(report: Report, *, running: bool = False) -> Tuple[List[str], List[str]]:
    """Return the headline with what is below it, and the details, a line each.

    The headline names the table, unless it is the usual one. While the evaluation is ``running``, rows may be missing.
    """
    accuracy, verdict, whole_days = report.accuracy, report.verdict, report.scope.table != SAME_DAY_TABLE
    if accuracy is None and running:
        return [CHECKING if report.scope.fsrs and whole_days else COMPARING], []
    if accuracy is None or accuracy.form == "rivals":
        text = list(_on_rivals(report))
    else:
        text = list(_on_fsrs(accuracy, report))
    # cases with a headline of two sentences
    most = _MAX_SENTENCES - (accuracy is not None and accuracy.code == "higher")
    rest = [*text[most:], *_details(report)]
    if not whole_days and verdict.comparisons:
        text[0] = labeled(strings.WITH_SAME_DAY, text[0])
    return text[:most], list(dict.fromkeys(rest))


def links_to_workload(report: Report) -> bool:
    """Return whether the headline is about FSRS and SM-2, and their workloads can be compared."""
    accuracy = report.accuracy
    return accuracy is not None and accuracy.against_sm2 is not None and report.scope.table != SAME_DAY_TABLE


def _on_fsrs(accuracy: Accuracy, report: Report) -> Iterator[str]:
    if accuracy.recall is None or accuracy.form == "too_few":
        yield TOO_FEW
        if accuracy.needed_reviews is not None:
            yield _("You have {count:,} reviews of cards seen on an earlier day; about {needed:,} are needed.").format(
                count=report.verdict.basis.reviews, needed=about(accuracy.needed_reviews)
            )
        elif accuracy.recall is not None:
            # An own row is checked on unseen reviews only, but the basis has all.
            reason = report.verdict.code if accuracy.source == "own" else accuracy.recall.recalled.reason
            yield from _lacking(reason, report.verdict.basis)
        yield from _others(accuracy.against_sm2)
        return
    digits = 1 if accuracy.form == "average" else 0
    text = PREDICTED[accuracy.form, accuracy.code == "lower"].format(**_shares(accuracy.recall, digits))
    yield paragraph(text, EARLIER if accuracy.code == "higher" else "")
    if accuracy.closer and accuracy.retrained is not None:
        yield CLOSER[accuracy.form].format(**_shares(accuracy.retrained, digits))
    elif accuracy.closer is not None and not {advice.code for advice in report.advice} & OPTIMIZING:
        yield NOT_CLOSER
    rank, against_sm2 = list(_rank(accuracy)), list(_against_sm2(accuracy))
    off = accuracy.code != "as_predicted" and accuracy.rank is not None and accuracy.rank.better_than >= _USUAL_RANK[0]
    yield from (*against_sm2, *rank) if off else (*rank, *against_sm2)  # praise would contradict what is off


def _shares(recall: RecallNear, digits: int) -> Dict[str, str]:
    shares = recall.predicted or 0.0, recall.recalled.value
    predicted, recalled = percents(*shares) if digits == 0 else (percent(share, digits) for share in shares)
    return {"predicted": predicted, "recalled": recalled}


def _rank(accuracy: Accuracy) -> Iterator[str]:
    if accuracy.rank is None:
        return
    better_than = accuracy.rank.better_than
    low, high = _USUAL_RANK
    if better_than >= high:
        text = _("FSRS fits you better than it fits {count} of 100 people with a similar number of reviews.")
    elif better_than >= low:
        text = _("FSRS fits you about as well as it fits most people with a similar number of reviews.")
    else:
        text = _("FSRS fits you less well than it fits {count} of 100 people with a similar number of reviews.")
        better_than = 1 - better_than
    yield text.format(count=of_100(better_than))


def _against_sm2(accuracy: Accuracy) -> Iterator[str]:
    """Compare the user's FSRS with SM-2: adjusted to the user, if FSRS is better than SM-2 as is or that is open."""
    c, adjusted = accuracy.against_sm2, accuracy.against_calibrated
    if c is None:
        return
    is_open, baseline = c.code not in AGAINST_SM2, row_label(c.baseline)
    if adjusted is not None and is_open and adjusted.code in (interval.BETTER, interval.WORSE):
        yield AGAINST_ADJUSTED["better_than_adjusted" if adjusted.code == interval.BETTER else adjusted.code]
    elif adjusted is not None and c.code == interval.BETTER:
        yield AGAINST_ADJUSTED[_decided(adjusted)].format(baseline=baseline)
    elif is_open and c.chance is not None:
        yield from _others(c)
    else:
        yield AGAINST_SM2[_decided(c)].format(baseline=baseline)


def _decided(c: Comparison) -> str:
    """Return the comparison's code; too close to call counts as equivalent."""
    return c.code if c.code in (interval.BETTER, interval.WORSE) else interval.EQUIVALENT


def _others(c: Optional[Comparison], text: str = OTHERS) -> Iterator[str]:
    if c is not None and c.chance is not None:
        yield _filled(text, c, count=of_100(c.chance.better_for / c.chance.others.collections))


def _on_rivals(report: Report) -> Iterator[str]:
    """Return the sentences on the verdict's pair: the answer, caveats, and other people's results."""
    verdict, accuracy = report.verdict, report.accuracy
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
    adjusted = None if accuracy is None or accuracy.against_sm2 != c else accuracy.against_calibrated
    yield _answer(c, off=report.scope.fsrs is False, adjusted=adjusted)
    for name in verdict.in_sample:
        yield strings.MAY_BE_IN_SAMPLE.format(algorithm=row_label(name))
    if c.code == interval.BETTER and adjusted is not None:
        yield IF_ADJUSTED[_decided(adjusted)]
        yield from _others(c, OTHERS_AS_IT_IS)
    elif c.code not in DID_PREDICT and c.chance is not None and c.chance.code in PROBABLE_ANSWERS:
        share = c.chance.better_for / c.chance.others.collections
        yield _(
            "It does so for {count} of 100 people with a similar number of reviews; your {reviews:,} "
            "reviews are too few to check this for you."
        ).format(count=of_100(share if c.chance.better >= 0.5 else 1 - share), reviews=verdict.basis.reviews)
    else:
        yield from _others(c)
        yield from _lacking(c.code, verdict.basis)


def _details(report: Report) -> Iterator[str]:
    verdict, accuracy = report.verdict, report.accuracy
    if accuracy is not None:
        yield from _whose(accuracy, report)
        yield from _in_percent(accuracy)
    yield from verdict_disagreement(verdict)
    if verdict.comparisons:
        first = verdict.comparisons[0]
        yield _in_numbers(verdict, first)
        if accuracy is not None and accuracy.against_calibrated is not None and accuracy.source != "own":
            yield _in_numbers(verdict, accuracy.against_calibrated)
        yield from _who_they_are(first)


def _whose(accuracy: Accuracy, report: Report) -> Iterator[str]:
    if accuracy.source is not None:
        name = accuracy.algorithm or ""
        key = "own_default" if (name, accuracy.source) == ("Your parameters", "default") else accuracy.source
        yield SOURCES[key].format(algorithm=name, label=row_label(name))
    if accuracy.source == "retrained" and accuracy.form != "rivals":
        if any(row.note == "versions" for row in report.results):
            yield _("Your presets run different versions of FSRS.")
        if any(row.algorithm == "Your parameters" and row.in_sample and row.error is None for row in report.results):
            yield _(
                "Not tested here: the parameters in your presets. They were fitted to most of these reviews, so they "
                "would look too good."
            )


def _in_percent(accuracy: Accuracy) -> Iterator[str]:
    """Return the share remembered, with its interval, and the part of the reviews that the headline covers."""
    recall, desired = accuracy.recall, accuracy.desired_retention
    if recall is None or desired is None or recall.predicted is None or recall.recalled.low_high is None:
        return
    text = (
        _("Of {reviews} predicted near {desired} (on average {predicted}), you remembered {recalled}.")
        if accuracy.form == "target"
        else _("Of {reviews} (predicted on average: {predicted}), you remembered {recalled}.")
    )
    low, high = (percent(min(max(end, 0.0), 1.0), 1) for end in recall.recalled.low_high)
    yield text.format(
        reviews=strings.REVIEWS(recall.reviews),
        desired=whole_percent(desired),
        predicted=percent(recall.predicted, 1),
        recalled=with_interval(percent(recall.recalled.value, 1), low, high),
    )
    if accuracy.form == "target" and accuracy.share is not None and accuracy.share < 1:
        yield _("This covers only reviews with a desired retention of {desired}: about {share} of yours.").format(
            share=percents(accuracy.share)[0], desired=whole_percent(desired)
        )


def _names(algorithm: str, baseline: str) -> Tuple[str, str]:
    """Return the names of the two in a sentence: plain FSRS, unless both are FSRS."""
    families = [name.partition("-")[0] == "FSRS" for name in (algorithm, baseline)]
    spoken = (_SPOKEN.get(name) or row_label(name) for name in (algorithm, baseline))
    first, second = ("FSRS" if fsrs and sum(families) == 1 else name for fsrs, name in zip(families, spoken))
    return first, second


def _filled(text: str, c: Comparison, **facts: int) -> str:
    """Fill in a text about a comparison, in which {ahead} is the one that is likelier to be better."""
    algorithm, baseline = _names(c.algorithm, c.baseline)
    ahead, behind = (algorithm, baseline) if c.chance is None or c.chance.better >= 0.5 else (baseline, algorithm)
    return text.format(algorithm=algorithm, baseline=baseline, ahead=ahead, behind=behind, **facts)


def _answer(c: Comparison, *, off: bool, adjusted: Optional[Comparison]) -> str:
    """Return which of the two predicts better; ``off``: FSRS is not what the user has."""
    if c.code == interval.WORSE and c.baseline in GUESSING:
        return _filled(GUESSING[c.baseline], c)
    conditional = off and _names(c.algorithm, c.baseline)[0] == "FSRS"
    would = conditional and c.chance is not None and c.chance.better >= 0.5
    likely = (
        CANNOT_TELL
        if c.chance is None
        else (WOULD_LIKELY if would else PROBABLE_ANSWERS).get(c.chance.code, CANNOT_TELL)
    )
    as_it_is = adjusted is not None and c.code == interval.BETTER != adjusted.code
    code = "better_as_it_is" if as_it_is else c.code
    return _filled((WOULD_PREDICT if conditional else DID_PREDICT).get(code, likely), c)


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
        yield _("Probability that {algorithm} is better, given your reviews and theirs: {chance}.").format(
            algorithm=row_label(c.algorithm), chance=percent(c.chance.better, 1)
        )


def _in_numbers(verdict: Verdict, c: Comparison) -> str:
    difference, reviews = signed(c.difference.value), strings.REVIEWS(verdict.basis.reviews)
    if c.difference.low_high is not None:
        difference = with_interval(difference, *map(signed, c.difference.low_high))
    return _(
        "Log loss of {algorithm} minus that of {baseline}, on {reviews}: {difference}; negative is better."
    ).format(
        algorithm=row_label(c.algorithm),
        baseline=row_label(c.baseline),
        reviews=reviews if verdict.in_sample else _("{reviews} unseen by both").format(reviews=reviews),
        difference=difference,
    )


# --- the star ---------------------------------------------------------------------------------------------------------

STAR_MEANING = _("best, or too close to call")


def star_meaning(report: Report) -> str:
    """Return the legend of the star, without a period; empty if no row has one."""
    return STAR_MEANING if report.best_set else ""


def has_star(report: Report, algorithm: str) -> bool:
    """Return whether the table marks the algorithm with a star; never one that is in-sample."""
    return algorithm in (report.best_set or ())
