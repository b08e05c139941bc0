"""FSRS compared with SM-2: the difference of two rows, and the claim that it allows."""

from __future__ import annotations

from typing import Callable, Collection, Optional, Sequence

import numpy as np

from ..data.revlog import Bools
from ..interval import BETTER, CANNOT_TELL, EQUIVALENT, WORSE, ConfidenceInterval, classify
from ..report import ADJUSTED, AVERAGE, BETTER_PAST, CLOSE, EARLY, WORSE_PAST, Advice, Comparison, Rivalry, Verdict
from ..scope import SAME_DAY_TABLE, WHOLE_DAY_TABLE
from ..scoring.evidence import Evidence
from ..statistics.paired import expected_difference
from .thresholds import MANY

#: A comparison with SM-2 is about the first of these that was run with the chosen baseline, or with the first of
#: :data:`BASELINES` that was run.
HEADLINES = ("FSRS-6 optimized", "FSRS-6", "FSRS-6 recency", "FSRS-5", "FSRS-6 default", "FSRS-5 default")
#: Algorithms that are made for the same-day table. There they come before :data:`HEADLINES`.
MADE_FOR_SAME_DAY = ("FSRS-7", "FSRS-7 recency", "FSRS-7 default")


def compare_rows(
    evidence: Evidence, name: Optional[str], rival: Optional[str], reviews: Optional[Bools] = None
) -> Optional[Rivalry]:
    """Compare two rows on all scored reviews, or on the masked ones (n,).

    Returns:
        The comparison, or None if one of the rows has no result or there are no reviews.
    """
    fitted = evidence.fitted
    if name is None or rival is None or name == rival or name not in fitted or rival not in fitted:
        return None
    scoring = evidence.scoring
    indices = np.arange(len(evidence.tested)) if reviews is None else np.flatnonzero(reviews)
    if not len(indices):
        return None
    difference = (scoring.loss(fitted[name].predicted) - scoring.loss(fitted[rival].predicted))[indices]
    clusters = scoring.clusters if reviews is None else scoring.clusters.take(indices)
    comparison = scoring.comparison(name, rival, difference, clusters)
    would = expected_difference(difference, clusters)
    return Rivalry(comparison, would, strongest_claim(comparison, would, len(indices)), len(indices))


def strongest_claim(comparison: Comparison, would: ConfidenceInterval, n_reviews: int) -> str:
    """Return the claim on further reviews or, if these are open, the weaker claim on the reviews at hand."""
    code = classify(would)
    if code in (BETTER, WORSE, EQUIVALENT):
        return code
    past = {BETTER: BETTER_PAST, WORSE: WORSE_PAST}.get(comparison.code)
    return past or (CLOSE if n_reviews >= MANY else EARLY)
