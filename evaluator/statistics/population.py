"""What the public benchmark's results of 9,999 other collections say about one person.

The file beside this one holds quantiles of those results in classes of size, the number of scored reviews.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import lru_cache
from math import exp, log
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Tuple

import numpy as np
import numpy.typing as npt

from ..algorithms import CATALOGUE
from ..interval import Interval
from ..report import Chance, Collections, Comparison, Placement

Floats = npt.NDArray[np.float64]

#: From which chance on each word is said, of the one or, as it says, of the other.
WORDS = ((0.99, "almost_certainly"), (0.95, "very_probably"), (0.80, "probably"), (0.5, "cannot_tell"))
#: What a person is placed by; more is better where True.
PLACED_BY = {"rmse_bins_benchmark": False, "auc": True, "skill_average": True}
#: Nobody is said to be beyond all others.
LAST = 0.01
TRAINED, UNTRAINED = "FSRS-5 recency", "FSRS-5 default"


def with_chance(comparison: Comparison, reviews: int) -> Comparison:
    """The comparison with the chance of being better, where others' results have a row for the two."""
    return replace(comparison, chance=chance(comparison.algorithm, comparison.baseline, comparison.difference, reviews))


def chance(algorithm: str, baseline: str, difference: Interval, reviews: int) -> Optional[Chance]:
    """How likely the algorithm is better than the baseline for somebody, by their own reviews and by others'.

    Of the equally likely values x_k of the difference among others with about as many reviews, each counts
    w_k = exp(-(d - x_k)^2 / (2 s^2)), d being the person's own difference and s its standard error; 1 where that has
    none. The chance is the share of weight below 0, within 1 / (n + 2) and (n + 1) / (n + 2), n being how many the
    others are. Where d is too far from all, its sign decides.
    """
    two = stand_in(algorithm), stand_in(baseline)
    found = points(algorithm, baseline, reviews)
    if found is None:
        return None
    people, place = collections(reviews)
    rows = _file()["differences"]
    better = rows[two]["better"][place] if two in rows else people.collections - rows[two[::-1]]["better"][place]
    share, expected = _weighed(found, difference)
    least = 1 / (people.collections + 2)
    share = min(max(share, least), 1 - least)
    return Chance(share, word(share), expected, people, better, *two)


def points(algorithm: str, baseline: str, reviews: int) -> Optional[Floats]:
    """Equally likely values of the difference among others with about as many reviews, in order; None without a row."""
    two, rows = (stand_in(algorithm), stand_in(baseline)), _file()["differences"]
    if two in rows:
        return _at(rows[two]["points"], reviews)
    return -_at(rows[two[::-1]]["points"], reviews)[::-1] if two[::-1] in rows else None


def word(share: float) -> str:
    """The code of what may be said where the chance is so large, or so small."""
    return next(code for least, code in WORDS if max(share, 1 - share) >= least)


def placements(algorithm: str, values: Mapping[str, Optional[float]], reviews: int) -> Tuple[Placement, ...]:
    """Where each of these metrics of an algorithm stands among others with about as many reviews."""
    found: List[Placement] = []
    for metric, more_is_better in PLACED_BY.items():
        value = values.get(metric)
        rows = _file()["metrics"]
        source = next((name for name in (algorithm, stand_in(algorithm)) if (name, metric) in rows), None)
        if value is not None and source is not None:
            points = _at(rows[source, metric], reviews)
            below = float(np.interp(value, points, levels(len(points)), left=LAST, right=1 - LAST))
            share = min(max(below if more_is_better else 1 - below, LAST), 1 - LAST)
            found.append(Placement(metric, share, source, collections(reviews)[0]))
    return tuple(found)


def quantiles(source: str, metric: str, shares: Tuple[float, ...]) -> List[Tuple[float, Tuple[float, ...]]]:
    """In the middle of each class of size the values below which these shares of others lie."""
    points = _file()["metrics"][source, metric]
    known = levels(points.shape[1])
    return [
        (exp(middle), tuple(np.interp(shares, known, row).tolist())) for middle, row in zip(_file()["middles"], points)
    ]


def levels(points: int) -> Floats:
    """The share of others that lies below each of so many equally likely values."""
    found: Floats = (np.arange(points) + 0.5) / points
    return found


def stand_in(algorithm: str) -> str:
    """Whose results stand for an algorithm's: FSRS-5's for any FSRS's; else only its own can."""
    known = CATALOGUE.get(algorithm)
    if known is not None and known.family == "FSRS":
        return TRAINED if known.trained else UNTRAINED
    return algorithm


def collections(reviews: int) -> Tuple[Collections, int]:
    """The class of size that so many scored reviews belong to, and its place among the classes."""
    at_least, counts = _file()["at_least"], _file()["collections"]
    place = int(np.searchsorted(at_least, reviews, side="right")) - 1
    below = at_least[place + 1] if place + 1 < len(at_least) else None
    return Collections(at_least[place], below, counts[place]), place


def _weighed(points: Floats, difference: Interval) -> Tuple[float, float]:
    """The share of weight below 0, and the weighted median, of points in order."""
    d, s = difference.estimate, difference.standard_error
    weights = np.ones(len(points))
    if d is not None and s is not None:
        weights = np.exp(-((d - points) ** 2) / (2 * s**2)) if s else np.zeros(len(points))
        if not weights.any():
            return float(d < 0), d
    sums = np.cumsum(weights)
    return float(weights[points < 0].sum() / sums[-1]), float(points[np.searchsorted(sums, sums[-1] / 2)])


def _at(classes: Floats, reviews: int) -> Floats:
    """The values for so many reviews: between the middles of two classes in proportion, in log size."""
    middles = _file()["middles"]
    place = float(np.interp(log(max(reviews, 1)), middles, np.arange(len(middles))))
    first = min(int(place), len(middles) - 2)
    found: Floats = classes[first] + (place - first) * (classes[first + 1] - classes[first])
    return found


@lru_cache(maxsize=1)
def _file() -> Dict[str, Any]:
    """What the file holds, rows by whose they are, read when it is first needed."""
    known = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
    inner = known["at_least"][1:]
    # The first and the last class end nowhere: as far from their other end as their neighbours reach.
    edges = np.log([inner[0] ** 2 / inner[1], *inner, inner[-1] ** 2 / inner[-2]])
    return {
        **known,
        "middles": (edges[:-1] + edges[1:]) / 2,
        "differences": {
            (row["algorithm"], row["baseline"]): {**row, "points": np.array(row["points"])}
            for row in known["differences"]
        },
        "metrics": {(row["algorithm"], row["metric"]): np.array(row["points"]) for row in known["metrics"]},
    }
