"""A mean score taken apart: score = miscalibration - discrimination + uncertainty.

S is the mean score of the predictions, UNC that of always predicting the observed share of recalled reviews (which only
hindsight knows), and S(PAV) that of the isotonic fit of the outcomes on the predictions. Then

    MCB = S - S(PAV)    are its probabilities off?
    DSC = UNC - S(PAV)  does it know which reviews will be forgotten?
    UNC                 how uncertain is memory itself at this retention?

so that S = MCB - DSC + UNC, with MCB >= 0 and DSC >= 0. UNC depends on the person and the desired retention alone.

References: Dimitriadis, Gneiting & Jordan (2021), Stable reliability diagrams for probabilistic classifiers, PNAS
118:e2016191118, doi 10.1073/pnas.2016191118; Siegert (2017), Simplifying and generalising Murphy's Brier score
decomposition, Q. J. R. Meteorol. Soc. 143:1178, doi 10.1002/qj.2985.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

import numpy as np

from ..report import Decomposition
from .resampling import SEED, Fits, Ordered, draw_outcomes, fits, logit
from .scores import CLIP, Floats, Outcomes, Ties, brier_per_review


@dataclass(frozen=True)
class Decompositions:
    """The log loss and the Brier score taken apart, on the same isotonic fit."""

    log_loss: Decomposition
    brier: Decomposition


def decompose(predicted: Floats, recalled: Outcomes, fit: Ties, log_loss: Floats) -> Decompositions:
    """Take both scores of ``predicted`` (n,) for ``recalled`` (n,) apart.

    ``fit`` is the isotonic fit of these reviews, ``log_loss`` (n,) the log loss of each.

    For the log loss predictions of 0 and 1 are clipped by :data:`evaluator.metrics.scores.CLIP`; a step of the fit in
    which all was recalled, or nothing, costs 0 (0 ln 0 = 0). With one class UNC = DSC = 0 and MCB = S. A constant
    prediction has DSC = 0. Ties to 10 digits are pooled, so MCB may be below 0 by some 1e-10. A perfect model's MCB is
    above 0: see :func:`perfect_miscalibration`.
    """
    n, k = fit.reviews.astype(np.float64), fit.recalled.astype(np.float64)
    total, of_total = n.sum(keepdims=True), k.sum(keepdims=True)
    of_log_loss, of_brier = (
        _terms(float(loss.mean()), float(least(k, n).sum() / n.sum()), float(least(of_total, total)[0] / n.sum()))
        for loss, least in (
            (log_loss, _least_log_loss),
            (brier_per_review(predicted, recalled), _least_brier),
        )
    )
    return Decompositions(of_log_loss, of_brier)


def perfect_miscalibration(predicted: Floats, resamples: int, *, seed: int = SEED) -> Tuple[float, float]:
    """The mean and the 95 % quantile of the miscalibration of the log loss, were every prediction the true probability.

    Above 0, as the isotonic fit follows the noise. Outcomes of ``predicted`` (n,) are drawn as y ~ Bernoulli(p), and
    the predictions held fixed. The null hypothesis is that each prediction is the probability *given all that happened
    before*. A model that is right on average but does not see that some cards or days are bad is not perfect in this
    sense, and exceeds the quantile more often than once in 20. Finite-sample bias of such terms: Ferro & Fricker
    (2012), Q. J. R. Meteorol. Soc. 138:1954, doi 10.1002/qj.1924. Raises ValueError where there are no reviews.
    """
    ordered = Ordered.of(predicted)
    p, n = np.clip(ordered.value, CLIP, 1 - CLIP), ordered.reviews
    all_forgotten = -(n * np.log1p(-p)).sum()
    gained = -np.diff(logit(p), prepend=0.0, append=0.0)  # by each that is recalled of the first 0, 1, ... groups
    found = np.concatenate(
        [
            all_forgotten - drawn @ gained - _least_of_resamples(fits(drawn, ordered.reviews))
            for drawn in draw_outcomes(ordered, resamples=resamples, seed=seed)
        ]
    ) / len(predicted)
    return float(found.mean()), float(np.quantile(found, 0.95))


def _terms(score: float, of_fit: float, uncertainty: float) -> Decomposition:
    return Decomposition(score, score - of_fit, uncertainty - of_fit, uncertainty)


def _least_log_loss(recalled: Floats, reviews: Floats) -> Floats:
    """The summed log loss of groups, each predicted by its own share of recalled reviews: n times its entropy."""
    loss = np.zeros(len(reviews))
    for part in (recalled, reviews - recalled):
        some = part > 0
        loss[some] -= part[some] * np.log(part[some] / reviews[some])
    return loss


def _least_brier(recalled: Floats, reviews: Floats) -> Floats:
    """The summed Brier score of groups, each predicted by its own share f of recalled reviews: n f (1 - f)."""
    loss: Floats = recalled * (reviews - recalled) / reviews
    return loss


def _least_of_resamples(fit: Fits) -> Floats:
    """(r,): the summed log loss of the isotonic fit of each of r resamples."""
    return np.bincount(fit.resample, _least_log_loss(fit.total, fit.reviews)).astype(np.float64, copy=False)
