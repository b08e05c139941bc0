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
from typing import Optional, Tuple

import numpy as np

from ..report import Decomposition
from .isotonic import IsotonicFit, isotonic_fit
from .resampling import SEED, Fits, Ordered, draw_outcomes, fits, logit
from .scores import CLIP, Floats, Outcomes, brier_per_review, log_loss_per_review

RESAMPLES = 500


@dataclass(frozen=True)
class Decompositions:
    """Of both scores, on the same isotonic fit."""

    log_loss: Decomposition
    brier: Decomposition


@dataclass(frozen=True)
class PerfectMiscalibration:
    """What the miscalibration would be if every prediction were the true probability: above 0, as PAV overfits."""

    mean: float
    quantile_95: float
    p_value: float  #: how often it would be at least what was observed: (1 + resamples that are) / (1 + resamples)


@dataclass(frozen=True)
class PerfectMiscalibrations:
    """Of both scores, by the same resamples."""

    log_loss: PerfectMiscalibration
    brier: PerfectMiscalibration
    resamples: int
    seed: int


def decompose(
    predicted: Floats, recalled: Outcomes, fit: Optional[IsotonicFit] = None, log_loss: Optional[Floats] = None
) -> Decompositions:
    """Both scores of ``predicted`` (n,) for ``recalled`` (n,), taken apart.

    ``fit`` and ``log_loss`` (n,), that of each review, are what was worked out of it before.

    For the log loss predictions of 0 and 1 are clipped by :data:`evaluator.metrics.scores.CLIP`; a step of the fit in
    which all was recalled, or nothing, costs 0 (0 ln 0 = 0). With one class UNC = DSC = 0 and MCB = S. A constant
    prediction has DSC = 0. Ties to 10 digits are pooled, so MCB may be below 0 by some 1e-10. Raises ValueError where
    there are no reviews. A perfect model's MCB is above 0: see :func:`perfect_miscalibration`.
    """
    fit = isotonic_fit(predicted, recalled) if fit is None else fit
    n, k = fit.reviews.astype(np.float64), fit.recalled.astype(np.float64)
    total, of_total = n.sum(keepdims=True), k.sum(keepdims=True)
    log_loss = log_loss_per_review(predicted, recalled) if log_loss is None else log_loss
    of_log_loss, of_brier = (
        _terms(float(loss.mean()), float(least(k, n).sum() / n.sum()), float(least(of_total, total)[0] / n.sum()))
        for loss, least in (
            (log_loss, _least_log_loss),
            (brier_per_review(predicted, recalled), _least_brier),
        )
    )
    return Decompositions(of_log_loss, of_brier)


def perfect_miscalibration(
    predicted: Floats, observed: Decompositions, *, resamples: int = RESAMPLES, seed: int = SEED
) -> PerfectMiscalibrations:
    """The miscalibration of ``predicted`` (n,) under outcomes drawn as y ~ Bernoulli(p), beside what was observed.

    The mean, the 95 % quantile and the p-value, with the predictions held fixed. The null hypothesis is that each
    prediction is the probability *given all that happened before*. A model that is right on average but does not see
    that some cards or days are bad is not perfect in this sense, and small p-values come more often than their name
    says. Finite-sample bias of such terms: Ferro & Fricker (2012), Q. J. R. Meteorol. Soc. 138:1954, doi
    10.1002/qj.1924. Raises ValueError where there are no reviews or no resamples.
    """
    if resamples < 1:
        raise ValueError(f"{resamples} resamples; at least 1 is needed")
    ordered = Ordered.of(predicted)
    forgotten, difference = _scores_by_outcome(ordered)
    log_loss, brier = np.concatenate(
        [
            forgotten + drawn @ difference - _least_scores(fits(drawn, ordered.reviews))
            for drawn in draw_outcomes(ordered, resamples=resamples, seed=seed)
        ]
    ).T / len(predicted)
    return PerfectMiscalibrations(
        log_loss=_beside(log_loss, observed.log_loss.miscalibration),
        brier=_beside(brier, observed.brier.miscalibration),
        resamples=resamples,
        seed=seed,
    )


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
    """Likewise the summed Brier score, n f (1 - f)."""
    loss: Floats = recalled * (reviews - recalled) / reviews
    return loss


def _scores_by_outcome(ordered: Ordered) -> Tuple[Floats, Floats]:
    """Summed log loss and Brier score, (2,), were all forgotten; and by how much each recalled review changes them.

    The latter are (m, 2), one row for each group of ties.
    """
    p, n = np.clip(ordered.value, CLIP, 1 - CLIP), ordered.reviews
    all_forgotten = np.array([-(n * np.log1p(-p)).sum(), (n * p**2).sum()])
    return all_forgotten, np.column_stack((-logit(p), 1 - 2 * p))


def _least_scores(fit: Fits) -> Floats:
    """(r, 2): the summed log loss and Brier score of the isotonic fit of each resample."""
    least = [np.bincount(fit.resample, of(fit.total, fit.reviews)) for of in (_least_log_loss, _least_brier)]
    return np.column_stack(least)


def _beside(drawn: Floats, observed: float) -> PerfectMiscalibration:
    return PerfectMiscalibration(
        mean=float(drawn.mean()),
        quantile_95=float(np.quantile(drawn, 0.95)),
        p_value=float((1 + (drawn >= observed).sum()) / (1 + len(drawn))),
    )
