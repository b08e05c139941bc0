"""FSRS compared with SM-2: the difference of two rows, and the claim that it allows."""

from __future__ import annotations

from typing import Optional, Sequence

import numpy as np

from ..algorithms import CATALOG
from ..data.revlog import Bools
from ..interval import BETTER, EQUIVALENT, RARE, TOO_FEW, WORSE, ConfidenceInterval, classify
from ..report import ADJUSTED, BETTER_PAST, CLOSE, EARLY, WORSE_PAST, Comparison, Report, Rivalry, Verdict
from ..scoring.evidence import Evidence
from ..scoring.report_builder import SM2, choose_pair
from ..statistics.paired import paired_difference
from .thresholds import MANY


def compare_rows(
    evidence: Evidence, name: Optional[str], rival: Optional[str], mask: Optional[Bools] = None
) -> Optional[Rivalry]:
    """Compare two rows on all scored reviews, or on those of a mask.

    Args:
        evidence: the evidence with the finished algorithms.
        name: name of the first row; None if it has no result.
        rival: name of the second row; None if it has no result.
        mask: which scored reviews count (n,); None for all.

    Returns:
        The comparison, or None if one of the rows has no result or there are no reviews.
    """
    fitted = evidence.fitted
    if name is None or rival is None or name == rival or name not in fitted or rival not in fitted:
        return None
    scoring = evidence.scoring
    indices = np.arange(len(evidence.tested)) if mask is None else np.flatnonzero(mask)
    if not len(indices):
        return None
    difference = (scoring.loss(fitted[name].predicted) - scoring.loss(fitted[rival].predicted))[indices]
    clusters = scoring.clusters if mask is None else scoring.clusters.take(indices)
    comparison = scoring.compare(name, rival, difference, clusters)
    would = paired_difference(difference, clusters)
    return Rivalry(comparison, would, strongest_claim(comparison, would, len(indices)), len(indices))


def strongest_claim(comparison: Comparison, would: ConfidenceInterval, n_reviews: int) -> str:
    """Return the claim on further reviews or, if these are open, the weaker claim on the reviews at hand."""
    code = classify(would)
    if code in (BETTER, WORSE, EQUIVALENT):
        return code
    past = {BETTER: BETTER_PAST, WORSE: WORSE_PAST}.get(comparison.code)
    is_early = n_reviews < MANY or comparison.difference.low_high is None
    return past or (EARLY if is_early else CLOSE)


def pair_verdict(report: Report, evidence: Evidence, names: Sequence[str]) -> Verdict:
    """Choose a pair of algorithms, and compare them.

    The pair is chosen by name, before any result is known. Praising whichever algorithm won would be praising luck.

    Args:
        report: the report so far.
        evidence: the evidence with the finished algorithms.
        names: the requested algorithms, in an order that does not depend on their results.
    """
    options = evidence.options
    basis = evidence.scoring.clusters.basis
    algorithm, baseline = choose_pair(names, report.results, options)
    if algorithm is None or baseline is None:
        return Verdict("no_pair", algorithm, baseline, basis)
    rivalry = compare_rows(evidence, algorithm, baseline)
    if rivalry is None:
        return Verdict("unfinished", algorithm, baseline, basis)
    is_fsrs = algorithm in CATALOG and CATALOG[algorithm].family == "FSRS"
    as_is = None
    if is_fsrs and baseline == ADJUSTED:
        as_is = compare_rows(evidence, algorithm, next((name for name in SM2 if name in evidence.fitted), None))
    code = rivalry.comparison.code
    return Verdict(
        code=code if code in (TOO_FEW, RARE) else rivalry.claim,
        algorithm=algorithm,
        baseline=baseline,
        basis=basis,
        rivalry=rivalry,
        as_is=as_is,
        sign="question" if rivalry.claim in (CLOSE, EARLY) else "dot",
    )
