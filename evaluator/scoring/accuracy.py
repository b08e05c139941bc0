"""The state of the user's predictions (off, right or open), and the facts behind the headline.

The rows and the reviews are chosen by the presets and by the number of reviews, never by how well a row did, except
that "seen" parameters count only if they say off, and retrained ones only if they say right.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Collection, Dict, List, Optional, Sequence, Tuple

import numpy as np

from ..algorithms import CATALOG
from ..data.revlog import DELETED_CARD, Bools, Ints, Preset
from ..errors import DecksUnknown, OddParameters
from ..fitting.preset_parameters import is_published
from ..interval import BETTER, EQUIVALENT, NO_REVIEWS, WORSE, ConfidenceInterval
from ..metrics.calibration import calibration
from ..metrics.scores import Floats, Outcomes, logit
from ..report import ADJUSTED, OWN, PUBLISHED, Accuracy, AlgorithmResult, Comparison, Headline, RecallNear, Verdict
from ..report.accuracy import BETTER_PAST, DEFAULT, OFF, OPEN, RETRAINED, RIGHT, SEEN, UNSEEN, WORSE_PAST, Rivalry
from ..report.advice import MANY
from ..scope import WHOLE_DAY_TABLE
from ..statistics.paired import Clusters, comparisons_by_group, realized_difference, variance_components
from ..statistics.population import with_probability_better
from ..statistics.slices import slice_recall
from .evidence import Evidence
from .review_groups import ReviewGroup, group_indices, presets_in_use
from .verdict import HEADLINES, SM2

#: What stands for "after Optimize", by the presets' version of FSRS: the first of these that was run.
TRAINED = {
    6: tuple(name for name in HEADLINES if CATALOG[name].trained),
    7: ("FSRS-7 optimized", "FSRS-7 recency", "FSRS-7"),
}
#: Anki's default, for presets without a valid value.
DEFAULT_RETENTION = 0.9
#: Predictions within this many logits of the desired retention count as near: 87.5 to 92.0% for 90%. In logits the
#: window gets narrower near 1, as intervals do. Wider windows hold more reviews, and more of what is not 90%.
NEAR = 0.25
#: Minimum gap to call predictions off, and maximum end of its interval to call them right.
MIN_OFF, MAX_RIGHT = 0.02, 0.03
#: Near the desired retention, then over all predictions: "off" may be said twice, so each interval is at 97.5%.
TRIES = 2
#: Minimum difference of two gaps to call newly optimized parameters closer.
MIN_CLOSER = 0.01
#: Number of groups by prediction, and minimum gap to call one of them off.
LEVELS, MIN_LEVEL_OFF = 10, 0.05
#: The latest part of the reviews, which must be off too before another desired retention is suggested.
LATEST = 1 / 3
#: The desired retentions that Anki accepts.
MIN_RETENTION, MAX_RETENTION = 0.70, 0.99
#: Minimum number of scored reviews to state a preset by itself.
MIN_OF_PRESET = 50

PresetGroup = Tuple[ReviewGroup, Preset]


@dataclass(frozen=True)
class _Source:
    """A row, the source of its parameters (see :class:`Accuracy`), and which scored reviews can test it."""

    name: str
    row: str
    reviews: Bools


def find_headline(
    evidence: Evidence, results: Sequence[AlgorithmResult], verdict: Verdict, unfinished: Collection[str]
) -> Optional[Headline]:
    """Return the facts behind the headline, or None if a row that they need is ``unfinished``."""
    usable = {*evidence.fitted, *unfinished}
    is_on = bool(evidence.fsrs) and evidence.options.table == WHOLE_DAY_TABLE
    in_use = presets_in_use(evidence) if is_on else []
    own, optimized = own_row(in_use, usable), optimized_row(in_use, usable)
    is_tested = is_on and (own or optimized) is not None
    rivals = ADJUSTED, next((name for name in SM2 if name in usable), None)
    if {*rivals, optimized, own, *(() if is_tested else (verdict.algorithm, verdict.baseline))} & set(unfinished):
        return None
    accuracy, name, reviews, optimized_against = None, verdict.algorithm, None, None
    if is_tested:
        accuracy = _accuracy(evidence, in_use, desired_retentions(evidence))
        name = accuracy.algorithm
        if accuracy.source == UNSEEN and name is not None:
            reviews = unseen_reviews(evidence, in_use)
            predicted, recalled = evidence.fitted[name].predicted[reviews], evidence.scoring.recalled[reviews]
            accuracy = replace(accuracy, calibration=calibration(predicted, recalled))
        elif accuracy.source == SEEN:
            compared = (rivalry(evidence, optimized, rival) for rival in rivals)
            optimized_against = next(filter(None, compared), None)
    elif name not in CATALOG or CATALOG[name].family != "FSRS" or name not in evidence.fitted:
        return Headline(None)
    adjusted, as_it_is = (rivalry(evidence, name, rival, reviews) for rival in rivals)
    ranks = (rank for row in results if row.algorithm == optimized and row.size >= MANY for rank in row.population)
    skill_rank = next((rank for rank in ranks if rank.metric == "skill_average"), None)
    return Headline(accuracy, adjusted, as_it_is, optimized_against, skill_rank)


def own_row(in_use: Sequence[PresetGroup], usable: Collection[str]) -> Optional[str]:
    """Return the row of the parameters in the presets, or None if it has no result, or presets differ in their version.

    None also if it is not known which presets the reviews belong to.
    """
    versions = {preset.fsrs_version for _group, preset in in_use}
    if len(versions) != 1:
        return None
    try:
        all_published = all(is_published(preset) for _group, preset in in_use)
    except OddParameters:
        return None
    published = ("FSRS-7 default" if versions == {7} else PUBLISHED,) if all_published else ()
    return next((name for name in (OWN, *published) if name in usable), None)


def optimized_row(in_use: Sequence[PresetGroup], usable: Collection[str]) -> Optional[str]:
    """Return the row that stands for "after Optimize", or None if it has no result."""
    versions = {preset.fsrs_version for _group, preset in in_use}
    names = (*(TRAINED[7] if versions == {7} else ()), *TRAINED[6])
    return next((name for name in names if name in usable), None)


def preset_accuracies(evidence: Evidence, in_use: Sequence[PresetGroup]) -> List[Accuracy]:
    """Return the accuracy of each preset at its own desired retention.

    Among many presets some look off by chance. So "off" is said of a preset only if an interval widened for their
    number says so, then of each of the rest if one widened for the number of the rest does, and so on (Holm 1979).
    Those that are off only by themselves are open.
    """
    desired = desired_retentions(evidence)

    def test_preset(index: int, several: int = 1) -> Accuracy:
        return _accuracy(evidence, in_use[index : index + 1], desired, several)

    accuracies = {index: test_preset(index) for index in range(len(in_use))}
    confirmed = doubtful = {index for index, item in accuracies.items() if item.state == OFF}
    several = len(in_use)
    while confirmed:
        corrected = {index: test_preset(index, several) for index in doubtful}
        confirmed = {index for index, item in corrected.items() if item.state == OFF}
        accuracies.update((index, corrected[index]) for index in confirmed)
        doubtful, several = doubtful - confirmed, several - len(confirmed)
    for index in doubtful:
        accuracies[index] = replace(accuracies[index], state=OPEN, optimized=None, closer=None)
    return list(accuracies.values())


def _accuracy(evidence: Evidence, in_use: Sequence[PresetGroup], desired: Floats, several: int = 1) -> Accuracy:
    """Return the accuracy of the predictions for these presets at the desired retention that they use most.

    The first source is believed that shows "off" or "right". If none does, unfitted parameters are shown.
    """
    own, optimized = own_row(in_use, evidence.fitted), optimized_row(in_use, evidence.fitted)
    index = group_indices([group for group, _preset in in_use], len(evidence.tested))
    reviews = index >= (0 if in_use else -1)  # If the presets are not known, all reviews count.
    most_used = most_used_retention(desired[reviews])
    reviews &= desired == most_used
    sources = _sources(evidence, in_use, reviews, own, optimized)
    is_too_new = any(item.name == UNSEEN and not item.reviews.any() for item in sources)
    unknown = Accuracy(OPEN, None, optimized or own, most_used, int(reviews.sum()), changed_after_reviews=is_too_new)
    tests = [_test(evidence, source, unknown, several) for source in sources]
    for source, test in zip(sources, tests):
        if test.state == RIGHT and source.name != SEEN:
            return replace(test, elsewhere=_worst_level(evidence, source))
        if test.state == OFF and source.name != RETRAINED:
            return test if optimized is None else _with_optimized(evidence, replace(source, row=optimized), test)
    shown = (test for test in tests if test.source in (DEFAULT, UNSEEN) and test.recall.recalled.low_high)
    return next(shown, unknown)


def _sources(
    evidence: Evidence, in_use: Sequence[PresetGroup], reviews: Bools, own: Optional[str], optimized: Optional[str]
) -> List[_Source]:
    """Return the sources in the order in which they are tried, without those that have no row."""
    sources = []
    if own is not None and all(is_published(preset) for _group, preset in in_use):
        sources = [_Source(DEFAULT, own, reviews)]
    elif own is not None:
        unseen = unseen_reviews(evidence, in_use)
        sources = [] if unseen is None else [_Source(UNSEEN, own, unseen & reviews)]
        sources.append(_Source(SEEN, own, reviews))
    return sources if optimized is None else [*sources, _Source(RETRAINED, optimized, reviews)]


def _test(evidence: Evidence, source: _Source, unknown: Accuracy, several: int) -> Accuracy:
    """Test a source near the desired retention and, if that leaves the state open, on all its predictions."""
    near, (recall, state) = True, _recall(evidence, source, unknown.desired_retention, several)
    if state == OPEN:
        average, state = _recall(evidence, source, None, several)
        if state != OPEN or recall.recalled.low_high is None:
            near, recall = False, average
    return replace(unknown, state=state, source=source.name, algorithm=source.row, near=near, recall=recall)


def _with_optimized(evidence: Evidence, optimized: _Source, off: Accuracy) -> Accuracy:
    """Add what newly optimized parameters predicted for the same reviews, if that has an interval."""
    recall, _state = _recall(evidence, optimized, off.desired_retention if off.near else None)
    if recall.recalled.low_high is None:
        return off
    return replace(off, optimized=recall, closer=abs(off.recall.gap) - abs(recall.gap) >= MIN_CLOSER)


def _recall(evidence: Evidence, source: _Source, near: Optional[float], several: int = 1) -> Tuple[RecallNear, str]:
    scoring, reviews = evidence.scoring, source.reviews
    predicted = evidence.fitted[source.row].predicted[reviews]
    return recall_near(predicted, scoring.recalled[reviews], scoring.clusters.take(reviews), near, several)


def unseen_reviews(evidence: Evidence, in_use: Sequence[PresetGroup]) -> Optional[Bools]:
    """Return which scored reviews (n,) came after the last change of their preset.

    Default parameters were never changed.

    Returns:
        A mask, or None if a date is not known.
    """
    unseen, review_id = np.zeros(len(evidence.tested), dtype=bool), evidence.tested.review_id
    for group, preset in in_use:
        changed = 0 if is_published(preset) else preset.changed
        if changed is None:
            return None
        unseen[group.review] = review_id[group.review] > changed * 1000
    return unseen


def is_near(predicted: Floats, desired_retention: float) -> Bools:
    """Return which predictions (n,) are within :data:`NEAR` logits of the desired retention."""
    return np.asarray(np.abs(logit(predicted) - logit(np.array([desired_retention]))) <= NEAR)


def recall_near(
    predicted: Floats, recalled: Outcomes, clusters: Clusters, desired_retention: Optional[float], several: int = 1
) -> Tuple[RecallNear, str]:
    """Return observed recall near the desired retention (None: among all predictions), and the state it shows.

    "off" is a claim about the past: the gap, remembered minus predicted, is at least 2 points, and the 97.5% interval
    of what it was on just these reviews excludes 0. How wide that is does not matter. "right" claims more: the 95%
    interval in which days and drift are noise is within 3 points. Otherwise the state is "open". The interval of the
    recall is the one on which the state rests.

    The variance is at least the one that chance alone gives a perfect model, sum of p (1 - p) / n^2: with hardly any
    lapse the deviations say nothing of how much the next ones may vary. So no number of lapses is required, only cards
    and days. The interval may reach beyond 0 and 1 if recall is close to either.

    Args:
        predicted: probabilities of recall (n,).
        recalled: 1 or 0 (n,).
        clusters: the reviews' cards and days.
        desired_retention: only predictions within :data:`NEAR` logits of it count.
        several: number of presets that are tested together. "off" takes account of it.
    """
    if desired_retention is not None:
        inside = is_near(predicted, desired_retention)
        predicted, recalled, clusters = predicted[inside], recalled[inside], clusters.take(inside)
    if not len(predicted):
        return RecallNear(0, None, ConfidenceInterval(None, reason=NO_REVIEWS)), OPEN
    clusters, error, mean = replace(clusters, recalled=None), recalled - predicted, float(predicted.mean())
    components = variance_components(error, clusters)
    if components is None:
        unknown = ConfidenceInterval(float(recalled.mean()), reason=clusters.no_interval_reason)
        return RecallNear(len(predicted), mean, unknown), OPEN
    chance = float((predicted * (1 - predicted)).sum()) / len(predicted) ** 2

    past = partial(realized_difference, error, clusters, min_variance=chance)
    if abs(components.mean) >= MIN_OFF and past(several=TRIES * several).compare_with():
        return RecallNear(len(predicted), mean, past().shift_by(mean)), OFF
    drifting = replace(components, card=max(components.card, chance)).interval()
    low, high = drifting.low_high or (-1.0, 1.0)
    state = RIGHT if low >= -MAX_RIGHT and high <= MAX_RIGHT else OPEN
    return RecallNear(len(predicted), mean, drifting.shift_by(mean)), state


def _worst_level(evidence: Evidence, source: _Source) -> Optional[RecallNear]:
    """Return the tenth of a source's predictions that is furthest off, by more than chance, or None if none is."""
    scoring, reviews = evidence.scoring, source.reviews
    predicted = evidence.fitted[source.row].predicted[reviews]
    level = np.empty(len(predicted), dtype=np.int64)
    level[np.argsort(predicted, kind="stable")] = np.arange(len(predicted)) * LEVELS // max(len(predicted), 1)
    names, clusters = [str(number) for number in range(LEVELS)], scoring.clusters.take(reviews)
    levels = slice_recall(predicted, scoring.recalled[reviews], level, names, clusters)
    wrong = [item for item in levels if item.is_miscalibrated]
    worst = max(wrong, key=lambda item: abs(item.difference.value), default=None)
    if worst is None or abs(worst.difference.value) < MIN_LEVEL_OFF:
        return None
    return RecallNear(worst.reviews, worst.predicted, worst.band.shift_by(worst.predicted or 0.0))


def suggested_retention(evidence: Evidence, in_use: PresetGroup, accuracy: Accuracy) -> Optional[float]:
    """Return the desired retention that would correct half of a preset's gap, to 1%, or None unless the gap persists.

    The gap must be near the desired retention, on reviews to which the parameters cannot have been fitted, and at least
    2 points on the same side in the latest third of these reviews by date.
    """
    unseen = unseen_reviews(evidence, [in_use]) if accuracy.source in (DEFAULT, UNSEEN) else None
    if accuracy.state != OFF or not accuracy.near or accuracy.algorithm is None or unseen is None:
        return None
    desired, predicted = accuracy.desired_retention, evidence.fitted[accuracy.algorithm].predicted
    reviews = np.flatnonzero(unseen & is_near(predicted, desired) & (desired_retentions(evidence) == desired))
    latest = reviews[-int(len(reviews) * LATEST) :]
    error = evidence.scoring.recalled[latest] - predicted[latest]
    if not len(latest) or float(error.mean()) * np.sign(accuracy.recall.gap) < MIN_OFF:
        return None
    new = round(desired - accuracy.recall.gap / 2, 2)
    return new if new != round(desired, 2) and MIN_RETENTION <= new <= MAX_RETENTION else None


def rivalry(
    evidence: Evidence, name: Optional[str], rival: Optional[str], reviews: Optional[Bools] = None
) -> Optional[Rivalry]:
    """Compare two rows on all scored reviews, or on some, or return None if one of them has no result."""
    group = np.zeros(len(evidence.tested), dtype=np.int64) if reviews is None else np.where(reviews, 0, -1)
    return rivalries(evidence, name, rival, group).get(0)


def rivalries(evidence: Evidence, name: Optional[str], rival: Optional[str], group: Ints) -> Dict[int, Rivalry]:
    """Compare two rows in several groups of scored reviews. The comparisons take account of the number of groups.

    Args:
        evidence: of both rows.
        name: the row that may be better.
        rival: the other one.
        group: the number of each review's group (n,), -1 for reviews in none.

    Returns:
        The comparisons by the numbers of the groups, none if a row has no result.
    """
    fitted, scoring, compared = evidence.fitted, evidence.scoring, group >= 0
    if name is None or rival is None or name == rival or not {name, rival} <= set(fitted):
        return {}
    difference = scoring.loss(fitted[name].predicted) - scoring.loss(fitted[rival].predicted)
    clusters = scoring.clusters.take(compared)
    comparisons = comparisons_by_group(name, rival, difference[compared], group[compared], clusters)
    result = {}
    for number, comparison in zip(np.unique(group[compared]).tolist(), comparisons):
        reviews = np.flatnonzero(group == number)
        if evidence.options.table == WHOLE_DAY_TABLE:
            comparison = with_probability_better(comparison, len(reviews))
        past = realized_difference(difference[reviews], scoring.clusters.take(reviews))
        result[number] = Rivalry(comparison, past, strongest_claim(comparison, past), len(reviews))
    return result


def strongest_claim(comparison: Comparison, past: ConfidenceInterval) -> str:
    """Return the claim that a comparison allows or, if it is open, the weaker one about the past."""
    if comparison.code in (BETTER, WORSE, EQUIVALENT):
        return comparison.code
    return {-1: BETTER_PAST, 1: WORSE_PAST}.get(past.compare_with() or 0, OPEN)


def desired_retentions(evidence: Evidence) -> Floats:
    """Return the desired retention of each scored review (n,), or NaN if its card no longer exists.

    A deck's own goes before that of its preset. Without presets, and if no card exists any more, it is Anki's default.
    """
    data, first = evidence.data, evidence.data.folds[0].test_start
    desired = np.full(len(evidence.tested), DEFAULT_RETENTION)
    try:
        of_preset, of_deck = (data.label(by)[first:] for by in ("preset", "deck"))
    except DecksUnknown:
        return desired
    groups = [(of_preset == preset.preset_id, preset.desired_retention) for preset in data.presets]
    groups += [(of_deck == deck.deck_id, deck.desired_retention) for deck in data.decks if deck.desired_retention]
    for reviews, stored in groups:
        desired[reviews] = stored if stored is not None and 0 < stored < 1 else DEFAULT_RETENTION
    exists = of_preset != DELETED_CARD
    return np.where(exists | ~exists.any(), desired, np.nan)


def most_used_retention(desired: Floats) -> float:
    """Return the desired retention that most of these reviews have, or Anki's default if none has any."""
    values, counts = np.unique(desired[~np.isnan(desired)], return_counts=True)
    return float(values[counts.argmax()]) if len(values) else DEFAULT_RETENTION
