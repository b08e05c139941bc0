"""Compare one user with the public benchmark's results for 9,999 other collections.

The file in this folder holds quantiles of those results in classes of size, the number of scored reviews.
"""

from __future__ import annotations

import json
from functools import lru_cache
from math import log
from pathlib import Path
from typing import Any, Dict, Optional, Tuple

import numpy as np

from ..algorithms import CATALOG
from ..derivatives import Floats
from ..interval import ConfidenceInterval
from ..report import PeerGroup, ProbabilityBetter

#: Percentile ranks are at least this share, and at most 1 minus this share.
TAIL_SHARE = 0.01
#: The algorithm whose published results are used for every trained FSRS.
TRAINED = "FSRS-5 recency"
#: The algorithm whose published results are used for every FSRS that is not trained.
UNTRAINED = "FSRS-5 default"


def has_published_differences(algorithm: str, baseline: str) -> bool:
    """Return whether the published results have differences of this pair, or of its proxies."""
    pair = (proxy_algorithm(algorithm), proxy_algorithm(baseline))
    rows = _published_results()["differences"]
    return pair in rows or pair[::-1] in rows


def probability_better(
    algorithm: str, baseline: str, difference: ConfidenceInterval, n_reviews: int
) -> Optional[ProbabilityBetter]:
    """Return the probability that the algorithm predicts this user better than the baseline.

    The differences x_k among others with about as many reviews are equally likely at first. The user's own difference
    d, with a standard error s that allows for slow drift, gives each the weight

        w_k = exp(-(d - x_k)^2 / (2 s^2)), or 1 if d has no standard error.

    The probability is the share of the weight below 0. It is kept within 1 / (n + 2) and (n + 1) / (n + 2) for n
    others. If d is too far from all x_k, its sign decides. Without published results the probability is None.

    Args:
        algorithm: the name of the algorithm.
        baseline: the name of the baseline.
        difference: the loss of the algorithm minus that of the baseline on the user's reviews, see
            :func:`evaluator.statistics.paired.paired_difference`.
        n_reviews: the number of these reviews.
    """
    pair = (proxy_algorithm(algorithm), proxy_algorithm(baseline))
    rows = _published_results()["differences"]
    row = rows.get(pair) or rows.get(pair[::-1])
    if row is None:
        return None
    peers, index = peer_group(n_reviews)
    better_for = row["better"][index]
    peer_differences = _interpolate_classes(row["points"], n_reviews)
    if pair not in rows:
        better_for = peers.collections - better_for
        peer_differences = -peer_differences[::-1]
    min_share = 1 / (peers.collections + 2)
    share = min(max(_share_below(peer_differences, difference), min_share), 1 - min_share)
    return ProbabilityBetter(share, peers, better_for, *pair)


def percentile_rank(metric: str, value: float, n_reviews: int) -> float:
    """Return the share of people with about as many reviews for whom the metric of :data:`TRAINED` is lower.

    Args:
        metric: the key of a metric with published results. RMSE (bins) has none, because it also falls if less is
            forgotten or the log is shorter.
        value: the user's number.
        n_reviews: the number of scored reviews.
    """
    peer_values = _interpolate_classes(_published_results()["metrics"][metric], n_reviews)
    levels = (np.arange(len(peer_values)) + 0.5) / len(peer_values)
    return float(np.interp(value, peer_values, levels, left=TAIL_SHARE, right=1 - TAIL_SHARE))


def proxy_algorithm(algorithm: str) -> str:
    """Return the algorithm whose published results are used for this one: FSRS-5 for any FSRS, otherwise itself."""
    catalog_algorithm = CATALOG.get(algorithm)
    if catalog_algorithm is not None and catalog_algorithm.family == "FSRS":
        return TRAINED if catalog_algorithm.trained else UNTRAINED
    return algorithm


def peer_group(n_reviews: int) -> Tuple[PeerGroup, int]:
    """Return the peer group of a user with this number of scored reviews, and the index of its size class."""
    at_least = _published_results()["at_least"]
    counts = _published_results()["collections"]
    index = int(np.searchsorted(at_least, n_reviews, side="right")) - 1
    upper_limit = at_least[index + 1] if index + 1 < len(at_least) else None
    return PeerGroup(at_least[index], upper_limit, counts[index]), index


def _share_below(peer_differences: Floats, difference: ConfidenceInterval) -> float:
    """Return the share of weight below 0, see :func:`probability_better`."""
    d = difference.estimate
    s = difference.standard_error
    weights = np.ones(len(peer_differences))
    if d is not None and s is not None:
        weights = np.exp(-((d - peer_differences) ** 2) / (2 * s**2)) if s else np.zeros(len(peer_differences))
        if not weights.any():
            return float(d < 0)
    return float(weights[peer_differences < 0].sum() / weights.sum())


def _interpolate_classes(classes: Floats, n_reviews: int) -> Floats:
    """Return the values for this number of reviews, interpolated between the classes by the logarithm of their size."""
    middles = _published_results()["middles"]
    position = float(np.interp(log(max(n_reviews, 1)), middles, np.arange(len(middles))))
    lower_class = min(int(position), len(middles) - 2)
    result: Floats = classes[lower_class] + (position - lower_class) * (classes[lower_class + 1] - classes[lower_class])
    return result


@lru_cache(maxsize=1)
def _published_results() -> Dict[str, Any]:
    """Return the published results, with the logarithmic middles of the size classes."""
    data = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
    inner = data["at_least"][1:]
    # The first and the last class are open, so each gets the width of its neighbor.
    edges = np.log([inner[0] ** 2 / inner[1], *inner, inner[-1] ** 2 / inner[-2]])
    return {
        **data,
        "middles": (edges[:-1] + edges[1:]) / 2,
        "differences": {
            (row["algorithm"], row["baseline"]): {**row, "points": np.array(row["points"])}
            for row in data["differences"]
        },
        "metrics": {row["metric"]: np.array(row["points"]) for row in data["metrics"]},
    }
