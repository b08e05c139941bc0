"""The state of the user's predictions (off, right or open), and the facts behind the headline.

The rows and the reviews are chosen by the presets and by the number of reviews, never by how well a row did, except
that "seen" parameters count only if they say off, and retrained ones only if they say right.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Collection, List, Optional, Sequence, Tuple

import numpy as np

from ..algorithms import CATALOG
from ..data.reviews import Bools
from ..data.revlog import DELETED_CARD, Preset
from ..errors import DecksUnknown, OddParameters
from ..fitting.preset_parameters import is_published
from ..interval import BETTER, EQUIVALENT, NO_REVIEWS, WORSE, ConfidenceInterval
from ..metrics.calibration import calibration
from ..metrics.scores import Floats, Outcomes, logit
from ..report import ADJUSTED, OWN, Accuracy, AlgorithmResult, Comparison, Headline, RecallNear, Rivalry, Verdict
from ..report.accuracy import BETTER_PAST, DEFAULT, OFF, OPEN, RETRAINED, RIGHT, SEEN, UNSEEN, WORSE_PAST
from ..report.advice import MANY
from ..scope import WHOLE_DAY_TABLE
from ..statistics.paired import Clusters, comparison, realized_difference, variance_components
from ..statistics.population import with_probability_better
from ..statistics.slices import Slicing, slice_recall
from .evidence import Evidence
from .review_groups import ReviewGroup, group_indices, presets_in_use
from .verdict import HEADLINES, SM2

#: The parameters that Anki uses if no preset has any.
PUBLISHED = "FSRS-6 default"
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
    own, optimized = own_row(in_use, usable) if is_on else None, optimized_row(in_use, usable)
    is_tested = is_on and (own or optimized) is not None
    rivals = [ADJUSTED, next((name for name in SM2 if name in usable), None)]
    needed = {*rivals, optimized, own, *(() if is_tested else (verdict.algorithm, verdict.baseline))}
    if needed & set(unfinished):
        return None
    accuracy, name, reviews, again = None, verdict.algorithm, None, None
    if is_tested:
        accuracy = _accuracy(evidence, in_use, desired_retentions(evidence))
        name, reviews = accuracy.algorithm, unseen_reviews(evidence, in_use) if accuracy.source == UNSEEN else None
        if name is not None and reviews is not None:
            outcomes = evidence.fitted[name].predicted[reviews], evidence.scoring.recalled[reviews]
            accuracy = replace(accuracy, calibration=calibration(*outcomes))
        if accuracy.source == SEEN:
            again = next(filter(None, (rivalry(evidence, optimized, rival) for rival in rivals)), None)
    elif name not in CATALOG or CATALOG[name].family != "FSRS" or name not in evidence.fitted:
        return Headline(None)
    adjusted, as_it_is = (rivalry(evidence, name, rival, reviews) for rival in rivals)
    ranks = (rank for row in results if row.algorithm == optimized and row.size >= MANY for rank in row.population)
    return Headline(
        accuracy, adjusted, as_it_is, again, next((rank for rank in ranks if rank.metric == "skill_average"), None)
    )


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

    def accuracy(index: int, several: int) -> Accuracy:
        return _accuracy(evidence, in_use[index : index + 1], desired, several)

    result = [accuracy(index, 1) for index in range(len(in_use))]
    found = doubtful = {index for index, item in enumerate(result) if item.state == OFF}
    several = len(in_use)
    while found:
        corrected = {index: accuracy(index, several) for index in doubtful}
        found = {index for index, item in corrected.items() if item.state == OFF}
        result = [corrected[index] if index in found else item for index, item in enumerate(result)]
        doubtful, several = doubtful - found, several - len(found)
    for index in doubtful:
        result[index] = replace(result[index], state=OPEN, optimized=None, closer=None)
    return result


def _accuracy(evidence: Evidence, in_use: Sequence[PresetGroup], desired: Floats, several: int = 1) -> Accuracy:
    """Return the accuracy of the predictions for these presets, at the one they use most of the desired retentions.

    The first source is believed that shows "off" or "right". If none does, unfitted parameters are shown.
    """
    own, optimized = own_row(in_use, evidence.fitted), optimized_row(in_use, evidence.fitted)
    index = group_indices([group for group, _preset in in_use], len(evidence.tested))
    reviews = index >= (0 if in_use else -1)  # all, if the source does not say which presets they belong to
    most_used = most_used_retention(desired[reviews])
    mask = reviews & (desired == most_used)
    sources = _sources(evidence, in_use, mask, own, optimized)
    is_too_new = any(item.name == UNSEEN and not item.reviews.any() for item in sources)
    unknown = Accuracy(OPEN, None, optimized or own, most_used, int(mask.sum()), changed_after_reviews=is_too_new)
    tests = [_test(evidence, item, unknown, several) for item in sources]
    for source, test in zip(sources, tests):
        if test.state == RIGHT and source.name != SEEN:
            return replace(test, elsewhere=_worst_level(evidence, source))
        if test.state == OFF and source.name != RETRAINED:
            return test if optimized is None else _with_optimized(evidence, replace(source, row=optimized), test)
    shown = (test for test in tests if test.source in (DEFAULT, UNSEEN) and test.recall.recalled.low_high)
    return next(shown, unknown)


def _test(evidence: Evidence, source: _Source, unknown: Accuracy, several: int) -> Accuracy:
    """Return the state near the desired retention; if that is open, the one over all predictions."""
    near, (recall, state) = True, _recall(evidence, source, unknown.desired_retention, several)
    if state == OPEN:
        average, of_all = _recall(evidence, source, None, several)
        if of_all != OPEN or recall.recalled.low_high is None:
            near, recall, state = False, average, of_all
    return replace(unknown, state=state, source=source.name, algorithm=source.row, near=near, recall=recall)


def _with_optimized(evidence: Evidence, optimized: _Source, off: Accuracy) -> Accuracy:
    """Add what newly optimized parameters predicted for the same reviews, if that has an interval."""
    again, _state = _recall(evidence, optimized, off.desired_retention if off.near else None)
    if again.recalled.low_high is None:
        return off
    return replace(off, optimized=again, closer=abs(off.recall.gap) - abs(again.gap) >= MIN_CLOSER)


def _recall(evidence: Evidence, source: _Source, near: Optional[float], several: int = 1) -> Tuple[RecallNear, str]:
    scoring, reviews = evidence.scoring, source.reviews
    predicted = evidence.fitted[source.row].predicted[reviews]
    return recall_near(predicted, scoring.recalled[reviews], scoring.clusters.take(reviews), near, several)


def _sources(
    evidence: Evidence, in_use: Sequence[PresetGroup], reviews: Bools, own: Optional[str], optimized: Optional[str]
) -> List[_Source]:
    """Return the sources in the order in which they are tried, those without a row left out."""
    retrained = [] if optimized is None else [_Source(RETRAINED, optimized, reviews)]
    if own is None:
        return retrained
    if all(is_published(preset) for _group, preset in in_use):
        return [_Source(DEFAULT, own, reviews), *retrained]
    unseen = unseen_reviews(evidence, in_use)
    first = [] if unseen is None else [_Source(UNSEEN, own, unseen & reviews)]
    return [*first, _Source(SEEN, own, reviews), *retrained]


def unseen_reviews(evidence: Evidence, in_use: Sequence[PresetGroup]) -> Optional[Bools]:
    """Return which scored reviews (n,) came after the last change of their preset, or None if a date is not known.

    Default parameters were never changed.
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
    drifting = replace(components, card=max(components.card, chance)).interval
    low, high = drifting.low_high or (-1.0, 1.0)
    state = RIGHT if low >= -MAX_RIGHT and high <= MAX_RIGHT else OPEN
    return RecallNear(len(predicted), mean, drifting.shift_by(mean)), state


def _worst_level(evidence: Evidence, source: _Source) -> Optional[RecallNear]:
    """Return the tenth of a source's predictions that is furthest off, by more than chance, or None if none is."""
    scoring, reviews = evidence.scoring, source.reviews
    predicted = evidence.fitted[source.row].predicted[reviews]
    level = np.empty(len(predicted), dtype=np.int64)
    level[np.argsort(predicted, kind="stable")] = np.arange(len(predicted)) * LEVELS // max(len(predicted), 1)
    slicing = Slicing("level", level, tuple(map(str, range(LEVELS))))
    graph = slice_recall(predicted, scoring.recalled[reviews], slicing, scoring.clusters.take(reviews))
    for item in graph.miscalibrated[:1]:
        if abs(item.difference.value) >= MIN_LEVEL_OFF:
            return RecallNear(item.reviews, item.predicted, item.band.shift_by(item.predicted or 0.0))
    return None


def suggested_retention(evidence: Evidence, in_use: PresetGroup, accuracy: Accuracy) -> Optional[float]:
    """Return the desired retention that would correct half of a preset's gap, to 1%, or None unless the gap persists.

    The gap must be near the desired retention, on reviews to which the parameters cannot have been fitted, and at least
    2 points on the same side in the latest third of these reviews by date.
    """
    unseen = unseen_reviews(evidence, [in_use]) if accuracy.source in (DEFAULT, UNSEEN) else None
    if accuracy.state != OFF or not accuracy.near or accuracy.algorithm is None or unseen is None:
        return None
    desired, gap, predicted = (
        accuracy.desired_retention,
        accuracy.recall.gap,
        evidence.fitted[accuracy.algorithm].predicted,
    )
    reviews = np.flatnonzero(unseen & is_near(predicted, desired) & (desired_retentions(evidence) == desired))
    latest = reviews[-int(len(reviews) * LATEST) :]
    error = evidence.scoring.recalled[latest] - predicted[latest]
    if not len(latest) or float(error.mean()) * np.sign(gap) < MIN_OFF:
        return None
    new = round(desired - gap / 2, 2)
    return new if new != round(desired, 2) and MIN_RETENTION <= new <= MAX_RETENTION else None


def rivalry(
    evidence: Evidence, name: Optional[str], rival: Optional[str], reviews: Optional[Bools] = None
) -> Optional[Rivalry]:
    """Compare two rows on all scored reviews, or on some, or None if one of them has no result."""
    fitted, scoring = evidence.fitted, evidence.scoring
    if name is None or rival is None or name == rival or not {name, rival} <= set(fitted):
        return None
    if reviews is None:
        reviews = np.ones(len(scoring.recalled), dtype=bool)
    difference = (scoring.loss(fitted[name].predicted) - scoring.loss(fitted[rival].predicted))[reviews]
    clusters = scoring.clusters.take(reviews)
    compared = comparison(name, rival, difference, clusters)
    if evidence.options.table == WHOLE_DAY_TABLE:
        compared = with_probability_better(compared, len(difference))
    return rivalry_of(compared, realized_difference(difference, clusters), len(difference))


def rivalry_of(compared: Comparison, past: ConfidenceInterval, reviews: int) -> Rivalry:
    """Return the claim that a comparison allows; if it is open, the weaker one about the past."""
    claim = compared.code
    if claim not in (BETTER, WORSE, EQUIVALENT):
        claim = {-1: BETTER_PAST, 1: WORSE_PAST}.get(past.compare_with() or 0, OPEN)
    return Rivalry(compared, past, claim, reviews)


def desired_retentions(evidence: Evidence) -> Floats:
    """Return the desired retention of each scored review (n,), NaN for cards that no longer exist.

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
    """Return the desired retention that most of these reviews have; Anki's default without any."""
    values, counts = np.unique(desired[~np.isnan(desired)], return_counts=True)
    return float(values[counts.argmax()]) if len(values) else DEFAULT_RETENTION
