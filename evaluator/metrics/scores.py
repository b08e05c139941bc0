"""Scores of probability forecasts: log loss, Brier score, AUC.

All take ``predicted`` (n,), probabilities of recall, and ``recalled`` (n,), 1 or 0. The log loss is computed for each
review, because paired comparisons need it.
"""

from __future__ import annotations

from typing import Iterator, Optional

import numpy as np

from ..data.reviews import is_run_start, runs
from ..data.revlog import Ints
from ..derivatives import Floats
from .metric import Metric

#: Probabilities are clipped to [CLIP, 1 - CLIP] before the logarithm. As in scikit-learn and the benchmark, CLIP is the
#: spacing of doubles at 1. A certain and wrong prediction costs 36.04.
CLIP = float(np.finfo(np.float64).eps)

#: Predictions count as equal if they agree to this many digits after the point. The last of their sixteen digits depend
#: on the order of computation, and so on the processor.
AUC_DIGITS = 10

#: Reviews per chunk, so that intermediate arrays stay in the processor's cache.
CHUNK = 8_192


def chunks(stop: int, size: int = CHUNK, start: int = 0) -> Iterator[slice]:
    """Yield slices of this size from ``start`` to ``stop``, the length of an array. The last one may go beyond it."""
    return (slice(begin, begin + size) for begin in range(start, stop, size))


def log_loss_per_review(predicted: Floats, recalled: Ints) -> Floats:
    """Return the log loss of each review (n,), in nats: -ln of the probability given to what happened.

    A perfect model scores its own entropy. Reference: Good (1952), Rational decisions, J. R. Stat. Soc. B 14:107.
    """
    loss = np.empty(len(predicted))
    for chunk in chunks(len(loss)):
        p = np.clip(predicted[chunk], CLIP, 1 - CLIP, out=loss[chunk])
        p -= 1.0 - recalled[chunk]
        np.log(np.abs(p, out=p), out=p)
    return np.negative(loss, out=loss)


def logit(p: Floats) -> Floats:
    """Return ln(p / (1 - p)). As for the log loss, p is clipped to [CLIP, 1 - CLIP], so it is from -36.04 to 36.04."""
    p = np.clip(p, CLIP, 1 - CLIP)
    x: Floats = np.log(p) - np.log1p(-p)
    return x


def brier_score(predicted: Floats, recalled: Ints) -> float:
    """Return the mean of (predicted - recalled)^2.

    A perfect model scores the mean of p (1 - p). Reference: Brier (1950), Mon. Weather Rev. 78:1.
    """
    return float(((predicted - recalled) ** 2).mean())


def sort_order(predicted: Floats) -> Ints:
    """Return the indices (n,) that sort predictions from low to high. Ties to ten digits keep their order."""
    bits = len(predicted).bit_length()
    # Sorting integers that end in the index is faster than argsort.
    key = np.sort(_round_to_integers(predicted) << bits | np.arange(len(predicted)))
    order: Ints = key & ((1 << bits) - 1)
    return order


def _round_to_integers(predicted: Floats) -> Ints:
    """Return predictions in units of the last of :data:`AUC_DIGITS` digits."""
    return np.asarray(np.rint(predicted * 10.0**AUC_DIGITS), dtype=np.int64)


def auc(predicted: Floats, recalled: Ints) -> Optional[float]:
    """Return the probability that a recalled review got a higher prediction than a forgotten one.

    Ties count half. A perfect model's value depends on how much true recall varies and is well below 1. It is computed
    from Mann and Whitney's U.

    Args:
        predicted: probabilities of recall (n,), sorted by :func:`sort_order`.
        recalled: their outcomes (n,), 1 or 0.

    Returns:
        The AUC, or None if all outcomes are equal.

    Reference: Hanley & McNeil (1982), Radiology 143:29.
    """
    start, tied_reviews = runs(is_run_start(_round_to_integers(predicted)))
    n1 = int(recalled.sum())
    n0 = len(recalled) - n1
    if not n0 or not n1:
        return None
    tied_recalled = np.add.reduceat(recalled, start, dtype=np.int64)
    # For each forgotten review, recalled ones with a lower prediction count twice, and those with an equal one once.
    twice_not_higher = (tied_reviews - tied_recalled) @ (2 * np.cumsum(tied_recalled) - tied_recalled)
    return float((n1 * n0 - twice_not_higher / 2) / (n1 * n0))


METRICS = (
    Metric(
        "auc",
        lambda scored: auc(scored.predicted[scored.order], scored.recalled[scored.order]),
        "probability that a recalled review was predicted higher than a forgotten one; null if all outcomes are equal",
    ),
    Metric(
        "brier",
        lambda scored: brier_score(scored.predicted, scored.recalled),
        "mean squared difference of prediction and outcome",
    ),
)
