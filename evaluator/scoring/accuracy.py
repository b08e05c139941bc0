"""Classify the user's predictions as off, right or open, and find the facts behind the headline.

Rows and reviews are chosen by the presets and by the number of reviews, never by how well a row did. Two exceptions:
parameters that may have been fitted to the reviews count only if they are off, and retrained ones only if they are
right.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Collection, Dict, List, Optional, Sequence, Tuple

import numpy as np

from ..algorithms import CATALOG
from ..data.revlog import DELETED_CARD, Bools, Ints, Preset
from ..errors import DecksUnknown
from ..fitting.preset_parameters import is_default, is_published
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

#: The rows that may stand for "after Optimize", in order of preference, by the presets' version of FSRS.
TRAINED = {
    6: tuple(name for name in HEADLINES if CATALOG[name].trained),
    7: ("FSRS-7 optimized", "FSRS-7 recency", "FSRS-7"),
}
#: Anki's default desired retention, used for presets without a valid one.
DEFAULT_RETENTION = 0.9
#: Maximum distance of a prediction from the desired retention, in logits, to count as near: 87.5 to 92.0% for 90%. In
#: logits the window gets narrower near 1, as intervals do. A wider one would hold more reviews that do not test the
#: desired retention.
NEAR = 0.25
#: Minimum gap to call predictions off, and maximum end of its interval to call them right.
MIN_OFF, MAX_RIGHT = 0.02, 0.03
#: Number of tests of one source, near the desired retention and over all predictions. Because either may say "off",
#: each uses a 97.5% interval.
TESTS_PER_SOURCE = 2
#: Minimum reduction of the gap to call newly optimized parameters closer.
MIN_CLOSER = 0.01
#: Number of groups by prediction, and minimum gap to call one of them off.
LEVELS, MIN_LEVEL_OFF = 10, 0.05
#: Another desired retention is suggested only if this share of the reviews, the latest ones, is off too.
LATEST_SHARE = 1 / 3
#: The desired retentions that Anki accepts.
MIN_RETENTION, MAX_RETENTION = 0.70, 0.99
#: Minimum number of scored reviews of a preset that is reported separately.
MIN_OF_PRESET = 50

PresetGroup = Tuple[ReviewGroup, Preset]


@dataclass(frozen=True)
class _Source:
    """A row of the table that can be tested."""

    name: str  #: source of the row's parameters, see :attr:`Accuracy.source`
    row: str  #: the row's name
    reviews: Bools  #: (n,), which scored reviews can test it


def find_headline(
    evidence: Evidence, results: Sequence[AlgorithmResult], verdict: Verdict, unfinished: Collection[str]
) -> Optional[Headline]:
    """Return the facts behind the headline, or None if they need a row that is still ``unfinished``."""
    usable = {*evidence.fitted, *unfinished}
    is_fsrs_on = bool(evidence.collection.fsrs) and evidence.options.table == WHOLE_DAY_TABLE
    groups = presets_in_use(evidence) if is_fsrs_on else []
    own_name, optimized_name = own_row(groups, usable), optimized_row(groups, usable)
    is_tested = is_fsrs_on and (own_name or optimized_name) is not None
    rivals = ADJUSTED, next((name for name in SM2 if name in usable), None)
    needed_rows = {*rivals, optimized_name, own_name, *(() if is_tested else (verdict.algorithm, verdict.baseline))}
    if needed_rows & set(unfinished):
        return None
    accuracy, name, reviews, optimized_against = None, verdict.algorithm, None, None
    if is_tested:
        accuracy = _accuracy(evidence, groups, desired_retentions(evidence))
        name = accuracy.algorithm
        if accuracy.source == UNSEEN and name is not None:
            reviews = unseen_reviews(evidence, groups)
            predicted, recalled = evidence.fitted[name].predicted[reviews], evidence.scoring.recalled[reviews]
            accuracy = replace(accuracy, calibration=calibration(predicted, recalled))
        elif accuracy.source == SEEN:
            rivalries_of_optimized = (rivalry(evidence, optimized_name, rival) for rival in rivals)
            optimized_against = next(filter(None, rivalries_of_optimized), None)
    elif name not in CATALOG or CATALOG[name].family != "FSRS" or name not in evidence.fitted:
        return Headline(None)
    against_adjusted, against_sm2 = (rivalry(evidence, name, rival, reviews) for rival in rivals)
    ranks = (rank for row in results if row.algorithm == optimized_name and row.size >= MANY for rank in row.population)
    skill_rank = next((rank for rank in ranks if rank.metric == "skill_average"), None)
    return Headline(accuracy, against_adjusted, against_sm2, optimized_against, skill_rank)


def own_row(groups: Sequence[PresetGroup], usable: Collection[str]) -> Optional[str]:
    """Return the row of the parameters in the presets.

    Returns:
        The name, or None if the row has no result, if the presets run different versions of FSRS, or if it is not known
        which presets the reviews belong to.
    """
    versions = {preset.fsrs_version for _group, preset in groups}
    if len(versions) != 1:
        return None
    names = [OWN]
    if all(is_default(preset) for _group, preset in groups):
        names.append("FSRS-7 default" if versions == {7} else PUBLISHED)
    return next((name for name in names if name in usable), None)


def optimized_row(groups: Sequence[PresetGroup], usable: Collection[str]) -> Optional[str]:
    """Return the row that shows the accuracy after Optimize, or None if it has no result."""
    versions = {preset.fsrs_version for _group, preset in groups}
    names = (*(TRAINED[7] if versions == {7} else ()), *TRAINED[6])
    return next((name for name in names if name in usable), None)


def preset_accuracies(evidence: Evidence, groups: Sequence[PresetGroup]) -> List[Accuracy]:
    """Return the accuracy of each preset at its own desired retention.

    Among many presets, some look off by chance. So a preset is called off only if its interval, widened for the number
    of presets, shows it. The remaining presets are tested again with intervals widened for their number, and so on
    (Holm 1979). Presets that look off only without this correction are open.
    """
    retentions = desired_retentions(evidence)

    def test_preset(index: int, n_presets: int = 1) -> Accuracy:
        return _accuracy(evidence, groups[index : index + 1], retentions, n_presets)

    accuracies = {index: test_preset(index) for index in range(len(groups))}
    confirmed_indices = unconfirmed_indices = {index for index, accuracy in accuracies.items() if accuracy.state == OFF}
    n_presets = len(groups)
    while confirmed_indices:
        corrected = {index: test_preset(index, n_presets) for index in unconfirmed_indices}
        confirmed_indices = {index for index, accuracy in corrected.items() if accuracy.state == OFF}
        accuracies.update((index, corrected[index]) for index in confirmed_indices)
        unconfirmed_indices, n_presets = unconfirmed_indices - confirmed_indices, n_presets - len(confirmed_indices)
    for index in unconfirmed_indices:
        accuracies[index] = replace(accuracies[index], state=OPEN, optimized=None, closer=None)
    return list(accuracies.values())


def _accuracy(evidence: Evidence, groups: Sequence[PresetGroup], retentions: Floats, n_presets: int = 1) -> Accuracy:
    """Return the accuracy of the predictions for these presets at the desired retention that they use most.

    The first source that shows "off" or "right" decides. If none does, unfitted parameters are shown.
    """
    own_name, optimized_name = own_row(groups, evidence.fitted), optimized_row(groups, evidence.fitted)
    group_index = group_indices([group for group, _preset in groups], len(evidence.tested))
    # If the presets are not known, all reviews count.
    reviews = group_index >= (0 if groups else -1)
    retention = most_used_retention(retentions[reviews])
    reviews &= retentions == retention
    sources = _sources(evidence, groups, reviews)
    is_too_new = any(source.name == UNSEEN and not source.reviews.any() for source in sources)
    open_accuracy = Accuracy(
        OPEN,
        None,
        optimized_name or own_name,
        retention,
        int(reviews.sum()),
        changed_after_reviews=is_too_new,
        all_deleted=not groups and evidence.data.cards is not None,
    )
    tests = [_test_source(evidence, source, open_accuracy, n_presets) for source in sources]
    for source, test in zip(sources, tests):
        if test.state == RIGHT and source.name != SEEN:
            return replace(test, elsewhere=_worst_level(evidence, source))
        if test.state == OFF and source.name != RETRAINED:
            if optimized_name is None:
                return test
            return _with_optimized(evidence, replace(source, row=optimized_name), test)
    unfitted_tests = (test for test in tests if test.source in (DEFAULT, UNSEEN) and test.recall.recalled.low_high)
    return next(unfitted_tests, open_accuracy)


def _sources(evidence: Evidence, groups: Sequence[PresetGroup], reviews: Bools) -> List[_Source]:
    """Return the sources in the order in which they are tried. Sources without a row are left out."""
    own_name, optimized_name = own_row(groups, evidence.fitted), optimized_row(groups, evidence.fitted)
    sources = []
    if own_name is not None and all(is_published(preset) for _group, preset in groups):
        sources = [_Source(DEFAULT, own_name, reviews)]
    elif own_name is not None:
        unseen = unseen_reviews(evidence, groups)
        sources = [] if unseen is None else [_Source(UNSEEN, own_name, unseen & reviews)]
        sources.append(_Source(SEEN, own_name, reviews))
    return sources if optimized_name is None else [*sources, _Source(RETRAINED, optimized_name, reviews)]


def _test_source(evidence: Evidence, source: _Source, open_accuracy: Accuracy, n_presets: int) -> Accuracy:
    """Test a source near its desired retention and, if the state stays open, over all its predictions.

    Args:
        evidence: the evidence with the finished algorithms.
        source: what to test.
        open_accuracy: the result if nothing is known. It has the desired retention.
        n_presets: number of presets that are tested together.
    """
    near, (recall, state) = True, _recall(evidence, source, open_accuracy.desired_retention, n_presets)
    if state == OPEN:
        average, state = _recall(evidence, source, None, n_presets)
        if state != OPEN or recall.recalled.low_high is None:
            near, recall = False, average
    return replace(open_accuracy, state=state, source=source.name, algorithm=source.row, near=near, recall=recall)


def _with_optimized(evidence: Evidence, optimized_source: _Source, off_accuracy: Accuracy) -> Accuracy:
    """Add what newly optimized parameters predicted for the same reviews, unless that has no interval."""
    recall, _state = _recall(evidence, optimized_source, off_accuracy.desired_retention if off_accuracy.near else None)
    if recall.recalled.low_high is None:
        return off_accuracy
    return replace(off_accuracy, optimized=recall, closer=abs(off_accuracy.recall.gap) - abs(recall.gap) >= MIN_CLOSER)


def _recall(evidence: Evidence, source: _Source, near: Optional[float], n_presets: int = 1) -> Tuple[RecallNear, str]:
    scoring, reviews = evidence.scoring, source.reviews
    predicted = evidence.fitted[source.row].predicted[reviews]
    return recall_near(predicted, scoring.recalled[reviews], scoring.clusters.take(reviews), near, n_presets)


def unseen_reviews(evidence: Evidence, groups: Sequence[PresetGroup]) -> Optional[Bools]:
    """Return which scored reviews (n,) came after the last change of their preset.

    The parameters cannot have been fitted to these. Default parameters were never changed.

    Returns:
        A mask, or None if it is not known when a preset was changed.
    """
    unseen, review_id = np.zeros(len(evidence.tested), dtype=bool), evidence.tested.review_id
    for group, preset in groups:
        changed = 0 if is_published(preset) else preset.changed
        if changed is None:
            return None
        unseen[group.review] = review_id[group.review] > changed * 1000
    return unseen


def is_near(predicted: Floats, desired_retention: float) -> Bools:
    """Return which predictions (n,) are within :data:`NEAR` logits of the desired retention."""
    return np.asarray(np.abs(logit(predicted) - logit(np.array([desired_retention]))) <= NEAR)


def recall_near(
    predicted: Floats, recalled: Outcomes, clusters: Clusters, desired_retention: Optional[float], n_presets: int = 1
) -> Tuple[RecallNear, str]:
    """Return observed recall near the desired retention, or among all predictions, and the state it shows.

    "off" is a claim about the past: the gap, remembered minus predicted, is at least 2 points, and the 97.5% interval
    of the gap on just these reviews excludes 0. "right" claims more: the 95% interval that treats days and drift as
    noise is within 3 points. Otherwise the state is "open". The reported interval is the one that decided.

    The variance is at least the one that chance alone gives a perfect model, sum of p (1 - p) / n^2. With hardly any
    lapse, the observed deviations do not show how much later ones may vary. So cards and days are required, but no
    lapses. The interval may reach beyond 0 and 1 if recall is close to either.

    Args:
        predicted: probabilities of recall (n,).
        recalled: 1 or 0 (n,).
        clusters: the reviews' cards and days.
        desired_retention: only predictions within :data:`NEAR` logits of it count. If it is None, all count.
        n_presets: number of presets that are tested together. "off" takes account of it.
    """
    if desired_retention is not None:
        is_close = is_near(predicted, desired_retention)
        predicted, recalled, clusters = predicted[is_close], recalled[is_close], clusters.take(is_close)
    if not len(predicted):
        return RecallNear(0, None, ConfidenceInterval(None, reason=NO_REVIEWS)), OPEN
    clusters, error, mean = replace(clusters, recalled=None), recalled - predicted, float(predicted.mean())
    components = variance_components(error, clusters)
    if components is None:
        no_interval = ConfidenceInterval(float(recalled.mean()), reason=clusters.no_interval_reason)
        return RecallNear(len(predicted), mean, no_interval), OPEN
    chance_variance = float((predicted * (1 - predicted)).sum()) / len(predicted) ** 2

    past_interval = partial(realized_difference, error, clusters, min_variance=chance_variance)
    if abs(components.mean) >= MIN_OFF and past_interval(n_intervals=TESTS_PER_SOURCE * n_presets).compare_with():
        return RecallNear(len(predicted), mean, past_interval().shift_by(mean)), OFF
    drift_interval = replace(components, card=max(components.card, chance_variance)).interval()
    low, high = drift_interval.low_high or (-1.0, 1.0)
    state = RIGHT if low >= -MAX_RIGHT and high <= MAX_RIGHT else OPEN
    return RecallNear(len(predicted), mean, drift_interval.shift_by(mean)), state


def _worst_level(evidence: Evidence, source: _Source) -> Optional[RecallNear]:
    """Return the tenth of a source's predictions that is furthest off by more than chance, or None if none is."""
    scoring, reviews = evidence.scoring, source.reviews
    predicted = evidence.fitted[source.row].predicted[reviews]
    level = np.empty(len(predicted), dtype=np.int64)
    level[np.argsort(predicted, kind="stable")] = np.arange(len(predicted)) * LEVELS // max(len(predicted), 1)
    names, clusters = [str(number) for number in range(LEVELS)], scoring.clusters.take(reviews)
    recalled = scoring.recalled[reviews]
    levels = slice_recall(predicted, recalled, level, names, min_reviews=100, min_off=MIN_LEVEL_OFF)
    level_off = max((item for item in levels if item.is_off), key=lambda item: abs(item.difference), default=None)
    if level_off is None:
        return None
    is_in = level == levels.index(level_off)
    difference = realized_difference((recalled - predicted)[is_in], clusters.take(is_in), n_intervals=LEVELS)
    return RecallNear(level_off.reviews, level_off.predicted, difference.shift_by(level_off.predicted or 0.0))


def suggested_retention(evidence: Evidence, preset_group: PresetGroup, accuracy: Accuracy) -> Optional[float]:
    """Return the desired retention, to 1%, that would correct half of a preset's gap.

    Returns:
        The suggestion. It is None if it equals the current value or is outside Anki's limits. It is also None unless
        the gap was found near the desired retention, on reviews to which the parameters cannot have been fitted, and is
        at least 2 points on the same side in the latest third of these reviews.
    """
    unseen = unseen_reviews(evidence, [preset_group]) if accuracy.source in (DEFAULT, UNSEEN) else None
    if accuracy.state != OFF or not accuracy.near or accuracy.algorithm is None or unseen is None:
        return None
    retention, predicted = accuracy.desired_retention, evidence.fitted[accuracy.algorithm].predicted
    reviews = np.flatnonzero(unseen & is_near(predicted, retention) & (desired_retentions(evidence) == retention))
    latest_reviews = reviews[-int(len(reviews) * LATEST_SHARE) :]
    error = evidence.scoring.recalled[latest_reviews] - predicted[latest_reviews]
    if not len(latest_reviews) or float(error.mean()) * np.sign(accuracy.recall.gap) < MIN_OFF:
        return None
    suggestion = round(retention - accuracy.recall.gap / 2, 2)
    return suggestion if suggestion != round(retention, 2) and MIN_RETENTION <= suggestion <= MAX_RETENTION else None


def rivalry(
    evidence: Evidence, name: Optional[str], rival: Optional[str], reviews: Optional[Bools] = None
) -> Optional[Rivalry]:
    """Compare two rows on all scored reviews, or on the masked ones.

    Returns:
        The comparison, or None if one of the rows has no result.
    """
    group = np.zeros(len(evidence.tested), dtype=np.int64) if reviews is None else np.where(reviews, 0, -1)
    return rivalries(evidence, name, rival, group).get(0)


def rivalries(evidence: Evidence, name: Optional[str], rival: Optional[str], group: Ints) -> Dict[int, Rivalry]:
    """Compare two rows in several groups of scored reviews, with intervals widened for the number of groups.

    Args:
        evidence: the evidence with both rows.
        name: the row that may be better.
        rival: the other row.
        group: the number of each review's group (n,), or -1 for a review in none.

    Returns:
        The comparisons by group number, or none if a row has no result.
    """
    fitted, scoring, is_grouped = evidence.fitted, evidence.scoring, group >= 0
    if name is None or rival is None or name == rival or not {name, rival} <= set(fitted):
        return {}
    difference = scoring.loss(fitted[name].predicted) - scoring.loss(fitted[rival].predicted)
    clusters = scoring.clusters.take(is_grouped)
    comparisons = comparisons_by_group(name, rival, difference[is_grouped], group[is_grouped], clusters)
    result = {}
    for number, comparison in zip(np.unique(group[is_grouped]).tolist(), comparisons):
        reviews = np.flatnonzero(group == number)
        if evidence.options.table == WHOLE_DAY_TABLE:
            comparison = with_probability_better(comparison, len(reviews))
        past_mean = realized_difference(difference[reviews], scoring.clusters.take(reviews))
        result[number] = Rivalry(comparison, past_mean, strongest_claim(comparison, past_mean), len(reviews))
    return result


def strongest_claim(comparison: Comparison, past_mean: ConfidenceInterval) -> str:
    """Return the claim that a comparison allows or, if it is open, the weaker claim about the past."""
    if comparison.code in (BETTER, WORSE, EQUIVALENT):
        return comparison.code
    return {-1: BETTER_PAST, 1: WORSE_PAST}.get(past_mean.compare_with() or 0, OPEN)


def desired_retentions(evidence: Evidence) -> Floats:
    """Return the desired retention of each scored review (n,), or NaN if its card's preset is unknown.

    A deck's own value takes precedence over that of its preset. All reviews get Anki's default if the presets are not
    known or if no card exists any more.
    """
    data, test_start = evidence.data, evidence.data.folds[0].test_start
    retentions = np.full(len(evidence.tested), DEFAULT_RETENTION)
    try:
        preset_id, deck_id = (label[test_start:] for label in (data.label_with_deleted(), data.label("deck")))
    except DecksUnknown:
        return retentions
    groups = [(preset_id == preset.preset_id, preset.desired_retention) for preset in data.presets]
    groups += [(deck_id == deck.deck_id, deck.desired_retention) for deck in data.decks if deck.desired_retention]
    for reviews, value in groups:
        retentions[reviews] = value if value is not None and 0 < value < 1 else DEFAULT_RETENTION
    exists = preset_id != DELETED_CARD
    return np.where(exists | ~exists.any(), retentions, np.nan)


def most_used_retention(retentions: Floats) -> float:
    """Return the desired retention that most of these reviews have, or Anki's default if none has one."""
    values, counts = np.unique(retentions[~np.isnan(retentions)], return_counts=True)
    return float(values[counts.argmax()]) if len(values) else DEFAULT_RETENTION
