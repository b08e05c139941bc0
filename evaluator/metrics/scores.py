"""Scores of probability forecasts: log loss, Brier score, AUC.

All take ``predicted`` (n,), probabilities of recall, and ``recalled`` (n,), 1 or 0. Losses come per review first; the
score is their mean, so that a paired comparison is free.
"""

from __future__ import annotations

from typing import Iterator, Optional

import numpy as np
import numpy.typing as npt

from ..data.reviews import is_run_start, runs
from ..data.revlog import Ints
from .metric import Metric

Floats = npt.NDArray[np.float64]
Outcomes = npt.NDArray[np.int64]

#: Probabilities are clipped to [CLIP, 1 - CLIP] before the logarithm: the spacing of doubles at 1, as in scikit-learn
#: and the benchmark. A certain and wrong prediction costs 36.04.
CLIP = float(np.finfo(np.float64).eps)

#: Predictions count as equal if they agree to this many digits after the point: the last of their sixteen digits
#: depends on the order of computation, and so on the processor.
AUC_DIGITS = 10

#: Reviews per chunk, so that intermediate arrays stay in the processor's cache.
CHUNK = 8_192


def chunks(reviews: int) -> Iterator[slice]:
    """Yield this many reviews, :data:`CHUNK` at a time."""
    return (slice(start, start + CHUNK) for start in range(0, reviews, CHUNK))


def log_loss_per_review(predicted: Floats, recalled: Outcomes) -> Floats:
    """Return -ln(probability given to what happened), in nats, for each review.

    A perfect model scores its own entropy. Reference: Good (1952), Rational decisions, J. R. Stat. Soc. B 14:107.
    """
    loss = np.empty(len(predicted))
    for chunk in chunks(len(loss)):
        p = np.clip(predicted[chunk], CLIP, 1 - CLIP, out=loss[chunk])
        p -= 1.0 - recalled[chunk]
        np.log(np.abs(p, out=p), out=p)
    return np.negative(loss, out=loss)


def logit(p: Floats) -> Floats:
    """Return ln(p / (1 - p)), with p clipped to [CLIP, 1 - CLIP] as for the log loss: between -36.04 and 36.04."""
    p = np.clip(p, CLIP, 1 - CLIP)
    x: Floats = np.log(p) - np.log1p(-p)
    return x


def brier_per_review(predicted: Floats, recalled: Outcomes) -> Floats:
    """Return (predicted - recalled)^2 for each review.

    A perfect model scores the mean of p (1 - p). Reference: Brier (1950), Mon. Weather Rev. 78:1.
    """
    return (predicted - recalled) ** 2


def in_order(predicted: Floats) -> Ints:
    """Return the indices (n,) that sort predictions from low to high. Ties to ten digits keep their order."""
    bits = len(predicted).bit_length()
    key = np.sort(_in_last_digits(predicted) << bits | np.arange(len(predicted)))  # quicker than argsort
    order: Ints = key & ((1 << bits) - 1)
    return order


def _in_last_digits(predicted: Floats) -> Ints:
    """Return predictions as integers, in units of the last of :data:`AUC_DIGITS` digits."""
    result: Ints = np.rint(predicted * 10.0**AUC_DIGITS).astype(np.int64)
    return result


def auc(predicted: Floats, recalled: Outcomes) -> Optional[float]:
    """Return the probability that a recalled review got a higher prediction than a forgotten one.

    Ties count half. It is None if all outcomes are equal. Predictions and outcomes are in the order of the predictions,
    see :func:`in_order`. It is computed as Mann and Whitney's U, over the forgotten: how many recalled are not higher,
    the equal ones by half. A perfect model's value depends on how much true recall varies and is well below 1.

    Reference: Hanley & McNeil (1982), Radiology 143:29.
    """
    start, reviews = runs(is_run_start(_in_last_digits(predicted)))
    n1 = int(recalled.sum())
    n0 = len(recalled) - n1
    if not n0 or not n1:
        return None
    recalled = np.add.reduceat(recalled, start, dtype=np.int64)
    twice_not_higher = (reviews - recalled) @ (2 * np.cumsum(recalled) - recalled)
    return float((n1 * n0 - twice_not_higher / 2) / (n1 * n0))


METRICS = (
    Metric(
        "auc",
        lambda scored: auc(scored.predicted[scored.order], scored.table.recalled[scored.order]),
        "None also if it is undefined",
    ),
    Metric(
        "brier",
        lambda scored: float(brier_per_review(scored.predicted, scored.table.recalled).mean()),
        "mean squared difference of prediction and outcome",
    ),
)
