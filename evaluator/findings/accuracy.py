"""The test of one subject: what FSRS said, what was remembered, and what that decides.

Rows and reviews are chosen by the presets and by numbers of reviews, never by results.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Collection, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from ..algorithms.your_parameters import is_default
from ..data.revlog import Bools, Ints, Preset
from ..derivatives import Floats
from ..interval import ConfidenceInterval
from ..metrics.scores import logit
from ..report import OFF, OPEN, OWN, PUBLISHED, RIGHT, Recall
from ..scoring.evidence import Evidence
from ..statistics.paired import realized_difference
from ..statistics.slices import calibration_slices
from .thresholds import (
    MAX_RIGHT,
    MIN_CERTAIN,
    MIN_DOT_OFF,
    MIN_ELSEWHERE,
    MIN_OF_DOT,
    MIN_OFF,
    MIN_SLIGHT,
    MOSTLY_NEAR,
    NEAR,
    NEAR_BRACKET,
)

#: The rows that may stand for "after Optimize", in order of preference, by the presets' version of FSRS.
_TRAINED = {
    6: ("FSRS-6 optimized", "FSRS-6", "FSRS-6 recency", "FSRS-5"),
    7: ("FSRS-7 optimized", "FSRS-7 recency", "FSRS-7"),
}
#: Quantile of the normal distribution for a 95% interval.
_Z = 1.96


def own_row(presets: Sequence[Preset], usable: Collection[str]) -> Optional[str]:
    """Return the row of the parameters in the presets.

    Returns:
        The name, or None if the row has no result, if the presets run different versions of FSRS, or if no preset is
        known.
    """
    versions = {preset.fsrs_version for preset in presets}
    if len(versions) != 1:
        return None
    names = [OWN]
    if all(map(is_default, presets)):
        names.append("FSRS-7 default" if versions == {7} else PUBLISHED)
    return next((name for name in names if name in usable), None)


def optimized_row(presets: Sequence[Preset], usable: Collection[str]) -> Optional[str]:
    """Return the row that shows the accuracy after Optimize, or None if it has no result."""
    versions = {preset.fsrs_version for preset in presets}
    names = (*(_TRAINED[7] if versions == {7} else ()), *_TRAINED[6])
    return next((name for name in names if name in usable), None)


def is_near(predicted: Floats, desired_retention: float) -> Bools:
    """Return which predictions (n,) are within :data:`NEAR` logits of the desired retention."""
    return np.asarray(np.abs(logit(predicted) - logit(np.array([desired_retention]))) <= NEAR)


def near_reviews(predicted: Floats, retentions: Floats) -> Optional[Bools]:
    """Return which of some reviews (n,) are predicted near their desired retention, or None if all are to be tested.

    Only the near ones are tested if all reviews have the same desired retention D, and if at least half of the
    predictions, or as many as a bracket of 3 points needs, (1.96 / 0.03)^2 D (1 - D), are near it.
    """
    values = np.unique(retentions)
    if len(values) != 1:
        return None
    desired_retention = float(values[0])
    near = is_near(predicted, desired_retention)
    enough = (_Z / NEAR_BRACKET) ** 2 * desired_retention * (1 - desired_retention)
    return near if near.sum() >= min(enough, MOSTLY_NEAR * len(near)) else None


class TestedReviews(NamedTuple):
    """The reviews that test the parameters of a subject."""

    indices: Ints  #: their indices among the scored reviews
    desired_retention: Optional[float]  #: the desired retention near which they are predicted; None if all are tested

    @classmethod
    def of(cls, evidence: Evidence, row: Optional[str], is_testable: Bools, retentions: Floats) -> TestedReviews:
        """Choose among the testable reviews (n,), by the predictions of a row and the desired retentions (n,).

        Without a row, none is chosen.
        """
        if row is None:
            return cls(np.arange(0), None)
        indices = np.flatnonzero(is_testable)
        near = near_reviews(evidence.fitted[row].predicted[indices], retentions[indices])
        if near is None:
            return cls(indices, None)
        return cls(indices[near], float(retentions[indices[0]]))

    def recall(self, evidence: Evidence, row: Optional[str], n_intervals: int = 1) -> Optional[Recall]:
        """Return what a row said of these reviews, and what was remembered. It is None without a row or reviews.

        Args:
            evidence: the evidence with the row.
            row: name of the row.
            n_intervals: number of such intervals that must all be right in at least 95% of cases (Bonferroni).
        """
        if row is None or not len(self.indices):
            return None
        predicted = evidence.fitted[row].predicted[self.indices]
        said = float(predicted.mean()) if self.desired_retention is None else self.desired_retention
        gap = _gap(evidence, predicted, self.indices, n_intervals)
        return Recall(len(self.indices), said, gap.shift_by(said), near=self.desired_retention is not None)


def classify_recall(recall: Recall, *, may_be_inflated: bool = False) -> Tuple[str, str]:
    """Return the state and the code of a subject, see :class:`evaluator.report.Finding`.

    Args:
        recall: what FSRS said and what was remembered.
        may_be_inflated: whether deleted cards may have raised the share remembered, so that neither "right" nor
            "cautious" is certain.
    """
    ends = recall.remembered.low_high
    if recall.said is None or ends is None:
        return OPEN, "too_early"
    low, high = (end - recall.said for end in ends)
    gap = recall.gap
    side = "optimistic" if gap < 0 else "cautious"
    is_certain = recall.certain_gap > 0
    if abs(gap) >= MIN_OFF and recall.certain_gap >= MIN_CERTAIN:
        state = OFF
        code = side
    elif low >= -MAX_RIGHT and high <= MAX_RIGHT:
        state = RIGHT
        code = f"slightly_{side}" if is_certain and abs(gap) >= MIN_SLIGHT else "right"
    elif is_certain:
        state = OPEN
        code = f"probably_{side}" if abs(gap) >= MIN_OFF else f"a_bit_{side}"
    else:
        state = OPEN
        code = "too_early"
    is_doubtful = may_be_inflated and (state == RIGHT or code.endswith("cautious"))
    return (OPEN, "much_deleted") if is_doubtful else (state, code)


def furthest_off(
    evidence: Evidence, row: Optional[str], is_testable: Bools, desired_retention: Optional[float]
) -> Optional[Recall]:
    """Return the recall in the dot of the calibration graph that is furthest off, or None if no dot is far off.

    Its interval is that of the gap on just these reviews, and holds for all dots at once.

    Args:
        evidence: the evidence with the row.
        row: name of the row, or None if there is none.
        is_testable: which scored reviews the graph shows (n,).
        desired_retention: the one near which predictions were tested. Dots with such predictions are left out. None if
            all predictions were tested.
    """
    if row is None:
        return None
    indices = np.flatnonzero(is_testable)
    predicted = evidence.fitted[row].predicted[indices]
    group, slices = calibration_slices(
        predicted, evidence.scoring.recalled[indices], min_reviews=MIN_OF_DOT, min_off=MIN_DOT_OFF
    )
    tested_groups = set() if desired_retention is None else set(group[is_near(predicted, desired_retention)].tolist())
    distances = {
        number: abs(item.difference)
        for number, item in enumerate(slices)
        if item.is_off and number not in tested_groups
    }
    if max(distances.values(), default=0.0) < MIN_ELSEWHERE:
        return None
    is_member = group == max(distances, key=distances.__getitem__)
    n_shown = sum(item.predicted is not None for item in slices)
    gap = _gap(evidence, predicted[is_member], indices[is_member], n_shown)
    said = float(predicted[is_member].mean())
    recall = Recall(int(is_member.sum()), said, gap.shift_by(said))
    return recall if recall.certain_gap >= MIN_CERTAIN else None


def _gap(evidence: Evidence, predicted: Floats, indices: Ints, n_intervals: int) -> ConfidenceInterval:
    """Return the share remembered minus the mean prediction of the scored reviews with these indices.

    The variance is at least that of a perfect model by chance alone, sum of p (1 - p) / n^2. With hardly any lapse, the
    observed deviations do not show how much later ones may vary. With this minimum, an interval needs cards and days,
    but no lapses.

    Args:
        evidence: the evidence.
        predicted: the predictions of these reviews.
        indices: the indices of these reviews.
        n_intervals: see :meth:`TestedReviews.recall`.
    """
    error = evidence.scoring.recalled[indices] - predicted
    clusters = replace(evidence.scoring.clusters.take(indices), recalled=None)
    chance_variance = float((predicted * (1 - predicted)).sum()) / len(predicted) ** 2
    return realized_difference(error, clusters, n_intervals=n_intervals, min_variance=chance_variance)
