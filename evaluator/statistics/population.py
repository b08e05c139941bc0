"""Compare one user with the public benchmark's results for 9,999 other collections.

The file in this folder holds quantiles of those results in classes of size, the number of scored reviews.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import lru_cache
from math import exp, log
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Tuple

import numpy as np

from ..algorithms import CATALOG
from ..interval import ConfidenceInterval
from ..metrics.scores import Floats
from ..report import Comparison, PeerGroup, PercentileRank, ProbabilityBetter

#: Metrics compared with other people's. In each, more is better. RMSE (bins) is not compared, because it falls with how
#: little is forgotten and how short the log is.
PLACED_BY = ("skill_average", "auc")
#: Percentile ranks stop at this share from either end.
TAIL_SHARE = 0.01
TRAINED, UNTRAINED = "FSRS-5 recency", "FSRS-5 default"


def with_probability_better(comparison: Comparison, reviews: int) -> Comparison:
    """Return the comparison with the probability of being better, if the two have published results."""
    return replace(
        comparison, chance=probability_better(comparison.algorithm, comparison.baseline, comparison.difference, reviews)
    )


def probability_better(
    algorithm: str, baseline: str, difference: ConfidenceInterval, reviews: int
) -> Optional[ProbabilityBetter]:
    """Return the probability that the algorithm is better than the baseline, from the user's and others' reviews.

    Each of the equally likely values x_k of the difference among others with a similar number of reviews has weight
    w_k = exp(-(d - x_k)^2 / (2 s^2)); d is the user's own difference and s its standard error (weight 1 without one).
    The probability is the share of weight below 0, within 1 / (n + 2) and (n + 1) / (n + 2) for n others. If d is too
    far from all x_k, its sign decides.
    """
    two, rows = (proxy_algorithm(algorithm), proxy_algorithm(baseline)), _file()["differences"]
    row = rows.get(two) or rows.get(two[::-1])
    if row is None:
        return None
    people, position = peer_group(reviews)
    better, peer_differences = row["better"][position], _interpolate_classes(row["points"], reviews)
    if two not in rows:
        better, peer_differences = people.collections - better, -peer_differences[::-1]
    share, median_difference = _weigh(peer_differences, difference)
    least = 1 / (people.collections + 2)
    share = min(max(share, least), 1 - least)
    return ProbabilityBetter(share, median_difference, people, better, *two)


def percentile_ranks(algorithm: str, values: Mapping[str, Optional[float]], reviews: int) -> Tuple[PercentileRank, ...]:
    """Return the percentile ranks of an algorithm's metrics among others with about as many reviews."""
    result, rows = [], _file()["metrics"]
    for metric in PLACED_BY:
        value = values.get(metric)
        source = next((name for name in (algorithm, proxy_algorithm(algorithm)) if (name, metric) in rows), None)
        if value is not None and source is not None:
            peers = _interpolate_classes(rows[source, metric], reviews)
            below = float(np.interp(value, peers, quantile_levels(len(peers)), left=TAIL_SHARE, right=1 - TAIL_SHARE))
            result.append(PercentileRank(metric, below, source, peer_group(reviews)[0]))
    return tuple(result)


def quantiles(source: str, metric: str, shares: Tuple[float, ...]) -> List[Tuple[float, Tuple[float, ...]]]:
    """Return the values below which these shares of other people lie, in the middle of each size class."""
    peers = _file()["metrics"][source, metric]
    levels = quantile_levels(peers.shape[1])
    return [
        (exp(middle), tuple(np.interp(shares, levels, row).tolist())) for middle, row in zip(_file()["middles"], peers)
    ]


def quantile_levels(count: int) -> Floats:
    """Return the share of others below each of ``count`` equally likely values."""
    result: Floats = (np.arange(count) + 0.5) / count
    return result


def proxy_algorithm(algorithm: str) -> str:
    """Return the algorithm whose published results are used for this one: FSRS-5 for any FSRS, otherwise itself."""
    data = CATALOG.get(algorithm)
    if data is not None and data.family == "FSRS":
        return TRAINED if data.trained else UNTRAINED
    return algorithm


def peer_group(reviews: int) -> Tuple[PeerGroup, int]:
    """Return the peer group of someone with this many scored reviews, and its index."""
    at_least, counts = _file()["at_least"], _file()["collections"]
    index = int(np.searchsorted(at_least, reviews, side="right")) - 1
    below = at_least[index + 1] if index + 1 < len(at_least) else None
    return PeerGroup(at_least[index], below, counts[index]), index


def _weigh(peer_differences: Floats, difference: ConfidenceInterval) -> Tuple[float, float]:
    """Return the share of weight below 0 and the weighted median, see :func:`probability_better`."""
    d, s = difference.estimate, difference.standard_error
    weights = np.ones(len(peer_differences))
    if d is not None and s is not None:
        weights = np.exp(-((d - peer_differences) ** 2) / (2 * s**2)) if s else np.zeros(len(peer_differences))
        if not weights.any():
            return float(d < 0), d
    sums = np.cumsum(weights)
    below = float(weights[peer_differences < 0].sum() / sums[-1])
    return below, float(peer_differences[np.searchsorted(sums, sums[-1] / 2)])


def _interpolate_classes(classes: Floats, reviews: int) -> Floats:
    """Return the values for this many reviews, in proportion between the middles of two classes, in log size."""
    middles = _file()["middles"]
    position = float(np.interp(log(max(reviews, 1)), middles, np.arange(len(middles))))
    first = min(int(position), len(middles) - 2)
    result: Floats = classes[first] + (position - first) * (classes[first + 1] - classes[first])
    return result


@lru_cache(maxsize=1)
def _file() -> Dict[str, Any]:
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
        "metrics": {(row["algorithm"], row["metric"]): np.array(row["points"]) for row in data["metrics"]},
    }
