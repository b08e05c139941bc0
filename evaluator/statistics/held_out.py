"""Whether the correction at the desired retention holds on reviews that it was not made from.

For each fold but the first: the calibration line is fitted to the tested reviews of the folds before it, and its
correction p' = sigmoid(a + b logit p) applied to the fold. Then recall is compared with the mean prediction, among the
fold's reviews with p near the desired retention, and among those with p' near it: these are the ones that a scheduler
would have asked for, had it known the correction. Chance alone makes a difference too: the variance of the mean of n
outcomes with these probabilities, sum p (1 - p) / n^2.

*The criterion* for taking the label "experimental" off the interval factor. On collections, real and simulated, with
the trained FSRS-6 and desired retentions of 80, 85, 90 and 95 %:

1. all together, the mean squared difference beyond chance is at most half as large corrected as it is uncorrected, and
2. in no collection and at none of these retentions the corrected root mean square is larger than the uncorrected one by
   more than half a percentage point.

The first asks whether the correction does what it is for, the second whether one may follow it without risk. The claim
about intervals would still rest on the forgetting curve's form, which no log can show for intervals that were never
chosen.

*It has not been met.* Simulated learners follow FSRS-6, so the trained one has little to correct: there the correction
adds the noise of its line (mean squares beyond chance 0.9 instead of 0.3 squared percentage points), and at 80 %, which
few predictions are near to, it makes differences larger by up to several points.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import List, Optional, Sequence, Tuple

import numpy as np

from ..folds import Fold
from ..metrics.resampling import logit
from ..metrics.scores import Floats, Outcomes
from .at_desired_retention import NEAR
from .calibration_line import fit_line, no_line

#: A fold with fewer reviews near the desired retention says nothing.
FEWEST = 50


@dataclass(frozen=True)
class HeldOut:
    """The correction of earlier folds, tried on each next one, see :mod:`evaluator.statistics.held_out`."""

    folds: int  #: in which it could be tried
    reviews: int  #: near the desired retention, as predicted
    deviation: float  #: root of the mean squared difference of recall and prediction in them, as predicted
    corrected: float  #: the same of the corrected predictions
    chance: float  #: what predictions that are exactly right would have


def held_out(
    predicted: Floats, recalled: Outcomes, folds: Sequence[Fold], desired_retention: float
) -> Optional[HeldOut]:
    """How well the corrected predictions do, tried on each fold after the first; None where no fold allows it.

    Args:
        predicted: of all tested reviews (n,), in review order, out of sample.
        recalled: 0 or 1 for each (n,).
        folds: what is tested in each, as indices into these; the first begins with 0.
        desired_retention: between 0 and 1.

    The deviations of the folds are weighted by their reviews near it, as predicted.
    """
    x, centre = logit(predicted), float(logit(np.array([desired_retention]))[0])
    tried: List[Tuple[int, float, float, float]] = []
    for fold in folds[1:]:
        earlier, here = slice(fold.test_start), slice(fold.test_start, fold.test_stop)
        if no_line(predicted[earlier], recalled[earlier]) is not None:
            continue
        line = fit_line(predicted[earlier], recalled[earlier])
        raw = _deviation(x[here], recalled[here], centre)
        corrected = _deviation(line.intercept + line.slope * x[here], recalled[here], centre)
        if line.slope > 0 and raw is not None and corrected is not None:
            tried.append((raw[0], raw[1] ** 2, corrected[1] ** 2, raw[2]))
    if not tried:
        return None
    reviews, *squares = (np.array(column) for column in zip(*tried))
    raw_square, corrected_square, variance = (float((reviews * square).sum() / reviews.sum()) for square in squares)
    return HeldOut(
        folds=len(tried),
        reviews=int(reviews.sum()),
        deviation=raw_square**0.5,
        corrected=corrected_square**0.5,
        chance=variance**0.5,
    )


def _deviation(x: Floats, recalled: Outcomes, centre: float) -> Optional[Tuple[int, float, float]]:
    """How many reviews are near the centre, their mean outcome - prediction, and its variance by chance."""
    inside = np.abs(x - centre) <= NEAR
    count = int(inside.sum())
    if count < FEWEST:
        return None
    p = 1 / (1 + np.exp(-x[inside]))
    return count, float((recalled[inside] - p).mean()), float((p * (1 - p)).sum()) / count**2
