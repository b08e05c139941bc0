"""Scores of probability forecasts: log loss, Brier score, AUC.

All take ``predicted`` (n,), probabilities of recall, and ``recalled`` (n,), 1 or 0. Losses come per review first; the
score is their mean, so that a paired comparison is free.
"""

from __future__ import annotations

from typing import Optional

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Outcomes = npt.NDArray[np.int64]

#: Probabilities are clipped to [CLIP, 1 - CLIP] before the logarithm: the spacing of doubles at 1, as in scikit-learn
#: and the benchmark. A certain and wrong prediction costs 36.04.
CLIP = float(np.finfo(np.float64).eps)

#: See :func:`auc`.
AUC_DIGITS = 10


def log_loss_per_review(predicted: Floats, recalled: Outcomes) -> Floats:
    """-ln(probability given to what happened), in nats, for each review.

    A perfect model scores its own entropy. Reference: Good (1952), Rational decisions, J. R. Stat. Soc. B 14:107.
    """
    p = np.clip(predicted, CLIP, 1 - CLIP)
    loss: Floats = -np.log(np.where(recalled == 1, p, 1 - p))
    return loss


def brier_per_review(predicted: Floats, recalled: Outcomes) -> Floats:
    """(predicted - recalled)^2 for each review.

    A perfect model scores the mean of p (1 - p). Reference: Brier (1950), Mon. Weather Rev. 78:1.
    """
    return (predicted - recalled) ** 2


def auc(predicted: Floats, recalled: Outcomes) -> Optional[float]:
    """The probability that a recalled review got a higher prediction than a forgotten one; ties count half.

    Predictions count as tied where they agree to :data:`AUC_DIGITS` digits: what is computed in another order, on
    another processor, may differ in the last of its sixteen. Computed as Mann and Whitney's U, over the forgotten: how
    many recalled are higher, and half of those that are equal. None where all outcomes are alike. A perfect model's
    value depends on how much true recall varies and is well below 1.

    Reference: Hanley & McNeil (1982), Radiology 143:29.
    """
    rounded = np.round(predicted, AUC_DIGITS)
    high, low = (np.sort(rounded[recalled == outcome]) for outcome in (1, 0))
    n1, n0 = len(high), len(low)
    if not n0 or not n1:
        return None
    not_higher = (np.searchsorted(high, low, "left") + np.searchsorted(high, low, "right")).sum() / 2
    return float((n1 * n0 - not_higher) / (n1 * n0))
