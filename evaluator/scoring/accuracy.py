"""The facts behind the headline: whose predictions are checked, near which probability, and against what.

The rows and the probability are chosen by the presets and by the number of reviews, never by how well a row did.
"""

from __future__ import annotations

from math import ceil
from typing import Collection, List, Optional, Sequence, Tuple

import numpy as np

from ..algorithms import CATALOG
from ..data.reviews import Bools
from ..errors import DecksUnknown, OddParameters
from ..fitting.preset_parameters import is_published
from ..interval import MIN_DAYS, NO_REVIEWS, ConfidenceInterval
from ..metrics.scores import Floats, Outcomes, logit
from ..report import Accuracy, AlgorithmResult, Comparison, PercentileRank, RecallNear, Verdict
from ..scope import WHOLE_DAY_TABLE
from ..statistics.calibration_line import prediction_for
from ..statistics.paired import Clusters, comparison, paired_difference
from ..statistics.population import with_probability_better
from .evidence import Evidence
from .review_groups import presets_in_use
from .scheduler_in_use import OWN, PUBLISHED, TRAINED, unseen_reviews
from .verdict import SM2

CALIBRATED = "Anki-SM-2 calibrated"
#: Anki's default, for presets without a valid value.
DEFAULT_RETENTION = 0.9
#: Predictions within this many logits of the desired retention count as near: 87.5 to 92.0% for 90%. In logits the
#: window gets narrower near 1, as intervals do. Wider windows hold more reviews, and more of what is not 90%.
NEAR = 0.25
#: Maximum half-width of the interval of a stated share, and the number of reviews that usually takes.
MAX_HALF_WIDTH, USUAL_REVIEWS = 0.03, 400
#: Minimum difference to call the share off, and to call newly optimized parameters closer.
MIN_OFF, MIN_CLOSER = 0.02, 0.01
#: With fewer scored reviews, the peer group is too mixed for a rank.
MIN_RANKED = 1000
#: The desired retentions that Anki accepts.
MIN_RETENTION, MAX_RETENTION = 0.70, 0.99
#: Number of last days from which the user's pace is measured.
PACE_DAYS = 28

#: A row, the source of its parameters (see :class:`Accuracy`), and the scored reviews that can check it.
_Row = Tuple[str, str, Bools]


def find_accuracy(
    evidence: Evidence, results: Sequence[AlgorithmResult], verdict: Verdict, unfinished: Collection[str]
) -> Optional[Accuracy]:
    """Return the facts behind the headline, or None if a row that they need is ``unfinished``."""
    usable = {*evidence.fitted, *unfinished}
    rows: List[_Row] = []
    if evidence.fsrs and evidence.options.table == WHOLE_DAY_TABLE:
        rows = [row for row in _rows_in_use(evidence) if row[0] in usable]
    own = [row for row in rows if row[1] == "own"][:1]
    main = [row for row in rows if row[1] != "own"][:1]
    retrained = next((name for name, source, _reviews in rows if source == "retrained"), None)
    sm2 = next((name for name in SM2 if name in usable), None)
    needed = {retrained, sm2, CALIBRATED, *(row[0] for row in (*own, *main))}
    if not rows:
        needed |= {verdict.algorithm, verdict.baseline}
    if needed & set(unfinished):
        return None
    if not rows:
        return _rivals(evidence, verdict, sm2)

    desired, mask = most_used_retention(evidence)
    near: Optional[float] = desired
    tried = [(row, _recall(evidence, row[0], row[2] & mask, near)) for row in (*own, *main)]
    (name, source, unseen), recall = next((item for item in tried if _is_enough(item[1])), tried[-1])
    form, reviews = "target", unseen & mask
    if not _is_enough(recall):
        near, reviews = None, unseen
        recall = _recall(evidence, name, reviews, near)
        form = "average" if source != "own" and _is_enough(recall) else "too_few"
    code = None if form == "too_few" else _code(recall)
    again = closer = suggested = None
    if code in ("lower", "higher") and retrained is not None:
        again = _recall(evidence, retrained, reviews, near)
        closer = _distance(recall) - _distance(again) >= MIN_CLOSER
        if not closer and mask.all():
            suggested = _suggested(evidence, name, reviews, desired, code)
    needed_reviews, more_days = _lacking(evidence, recall) if form == "too_few" else (None, None)
    compared = unseen if source == "own" else None
    return Accuracy(
        form=form,
        algorithm=name,
        source=source,
        desired_retention=desired,
        share=float(mask.mean()),
        recall=recall,
        code=code,
        retrained=again,
        closer=closer,
        suggested_retention=suggested,
        rank=None if source == "own" else _rank(results, name),
        against_sm2=_against(evidence, name, sm2, compared),
        against_calibrated=_against(evidence, name, CALIBRATED, compared),
        needed_reviews=needed_reviews,
        more_days=more_days,
    )


def _rivals(evidence: Evidence, verdict: Verdict, sm2: Optional[str]) -> Accuracy:
    algorithm = CATALOG.get(verdict.algorithm or "")
    if algorithm is None or algorithm.family != "FSRS" or algorithm.name not in evidence.fitted:
        return Accuracy("rivals", None)
    return Accuracy(
        "rivals",
        algorithm.name,
        "retrained" if algorithm.trained else "default",
        against_sm2=_against(evidence, algorithm.name, sm2),
        against_calibrated=_against(evidence, algorithm.name, CALIBRATED),
    )


def _rows_in_use(evidence: Evidence) -> List[_Row]:
    in_use = presets_in_use(evidence)
    every = np.ones(len(evidence.tested), dtype=bool)
    versions = {preset.fsrs_version for _group, preset in in_use}
    names = dict.fromkeys((*(TRAINED[7] if versions == {7} else ()), *TRAINED[6]))
    retrained: List[_Row] = [(name, "retrained", every) for name in names]
    if len(versions) > 1:
        return retrained
    try:
        if in_use and all(is_published(preset) for _group, preset in in_use):
            defaults = (OWN, "FSRS-7 default") if versions == {7} else (PUBLISHED, OWN)
            return [*((name, "default", every) for name in defaults), *retrained]
        unseen = [unseen_reviews(group, preset, evidence.tested.review_id) for group, preset in in_use]
    except OddParameters:
        return retrained
    reviews = ~every
    for result in unseen:
        if result is None:
            return retrained
        reviews[result] = True
    return [(OWN, "own", reviews), *retrained]


def _recall(evidence: Evidence, name: str, reviews: Bools, near: Optional[float]) -> RecallNear:
    scoring = evidence.scoring
    predicted = evidence.fitted[name].predicted[reviews]
    return recall_near(predicted, scoring.recalled[reviews], scoring.clusters.take(reviews), near)


def _is_enough(recall: RecallNear) -> bool:
    ends = recall.recalled.low_high
    return ends is not None and ends[1] - ends[0] <= 2 * MAX_HALF_WIDTH


def _code(recall: RecallNear) -> str:
    side = recall.recalled.compare_with(recall.predicted or 0.0)
    if not side or _distance(recall) < MIN_OFF:
        return "as_predicted"
    return "lower" if side < 0 else "higher"


def _distance(recall: RecallNear) -> float:
    """Return how far apart remembered and predicted are; 0 without reviews."""
    return abs((recall.recalled.estimate or 0.0) - (recall.predicted or 0.0))


def _suggested(evidence: Evidence, name: str, reviews: Bools, aim: float, code: str) -> Optional[float]:
    """Return the desired retention at which ``aim`` would be remembered, to 1%.

    None if that is too uncertain, or not on the side that the code asks for: the line is fitted to all predictions.
    """
    scoring, predicted = evidence.scoring, evidence.fitted[name].predicted[reviews]
    result = prediction_for(aim, predicted, scoring.recalled[reviews], scoring.clusters.take(reviews))
    if (
        result is None
        or result[1].low_high is None
        or max(abs(end - aim) for end in result[1].low_high) > MAX_HALF_WIDTH
    ):
        return None
    new, old = round(result[0], 2), round(aim, 2)
    agrees = new > old if code == "lower" else new < old
    return new if agrees and MIN_RETENTION <= new <= MAX_RETENTION else None


def _rank(results: Sequence[AlgorithmResult], name: str) -> Optional[PercentileRank]:
    (row,) = (row for row in results if row.algorithm == name)
    percentile_ranks = row.population if row.size >= MIN_RANKED else ()
    return next(
        (percentile_rank for percentile_rank in percentile_ranks if percentile_rank.metric == "rmse_bins_benchmark"),
        None,
    )


def _against(
    evidence: Evidence, name: str, rival: Optional[str], reviews: Optional[Bools] = None
) -> Optional[Comparison]:
    fitted, scoring = evidence.fitted, evidence.scoring
    if rival is None or rival not in fitted or name == rival:
        return None
    if reviews is None:
        return scoring.compare(name, fitted[name].predicted, rival, fitted[rival].predicted)
    difference = (scoring.loss(fitted[name].predicted) - scoring.loss(fitted[rival].predicted))[reviews]
    return with_probability_better(comparison(name, rival, difference, scoring.clusters.take(reviews)), len(difference))


def _lacking(evidence: Evidence, recall: RecallNear) -> Tuple[Optional[int], Optional[int]]:
    """Return about how many scored reviews are needed for a narrow interval, and how many more days; None: enough."""
    reviews, folds, day = len(evidence.tested), evidence.options.folds, evidence.tested.day
    ends = recall.recalled.low_high
    needed = USUAL_REVIEWS if ends is None else ceil(reviews * ((ends[1] - ends[0]) / 2 / MAX_HALF_WIDTH) ** 2)
    span = min(PACE_DAYS, int(day[-1] - day[0]) + 1)
    pace = float((day > day[-1] - span).sum()) / span * folds / (folds + 1)  # the oldest part is only trained on
    more_days = max(MIN_DAYS - evidence.scoring.clusters.days, ceil((needed - reviews) / pace))
    return needed if needed > reviews else None, more_days if more_days > 0 else None


def recall_near(
    predicted: Floats, recalled: Outcomes, clusters: Clusters, desired_retention: Optional[float]
) -> RecallNear:
    """Observed recall among the predictions (n,) within :data:`NEAR` logits of the desired retention; None: among all.

    ``recalled`` (n,) is 0 or 1. A perfect model has the desired retention as recall. The interval is clustered by the
    cards and the days of these reviews. It may reach beyond 0 and 1 if recall is close to either.
    """
    if desired_retention is not None:
        inside = np.abs(logit(predicted) - logit(np.array([desired_retention]))) <= NEAR
        predicted, recalled, clusters = predicted[inside], recalled[inside], clusters.take(inside)
    if not len(predicted):
        return RecallNear(0, None, ConfidenceInterval(None, reason=NO_REVIEWS))
    mean = float(predicted.mean())
    return RecallNear(len(predicted), mean, paired_difference(recalled - predicted, clusters).shift_by(mean))


def most_used_retention(evidence: Evidence) -> Tuple[float, Bools]:
    """Return the desired retention with the most scored reviews, and which reviews have it (n,).

    A deck's own goes before that of its preset. Cards that no longer exist count for the most used preset.
    """
    data, first = evidence.data, evidence.data.folds[0].test_start
    try:
        of_preset, of_deck = (data.label(by)[first:] for by in ("preset", "deck"))
    except DecksUnknown:
        return DEFAULT_RETENTION, np.ones(len(evidence.tested), dtype=bool)
    groups = [(of_preset == preset.preset_id, preset.desired_retention) for preset in data.presets]
    groups.sort(key=lambda group: int(group[0].sum()))
    desired = np.full(len(of_preset), _or_default(groups[-1][1] if groups else None))
    groups += [(of_deck == deck.deck_id, deck.desired_retention) for deck in data.decks if deck.desired_retention]
    for reviews, stored in groups:
        desired[reviews] = _or_default(stored)
    values, counts = np.unique(desired, return_counts=True)
    most_used = float(values[counts.argmax()])
    return most_used, desired == most_used


def _or_default(stored: Optional[float]) -> float:
    return float(stored) if stored is not None and 0 < stored < 1 else DEFAULT_RETENTION
