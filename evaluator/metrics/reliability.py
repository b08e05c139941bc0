"""The reliability curve (CORP): observed recall as an isotonic function of the prediction, with consistency bands.

It needs no choice of bins, and a band around the diagonal says how far from it chance takes the curve of a model that
is right. There are two bands, for two meanings of "right":

* ``perfect``: every prediction is the probability given all that happened before. Outcomes are drawn as
  y ~ Bernoulli(p), p held fixed, and fitted again. Cards and days need no care here: a perfect model knows them.
* ``clustered``: the prediction is right on average, and the errors of one card, or of one day, go together, as far as
  they do in these reviews. Each residual of the fit gets the sign of its card (or day), drawn for the whole card at
  once, and is put on the diagonal: y* = p + sign (y - fit), a wild cluster bootstrap with the null hypothesis imposed
  (Cameron, Gelbach & Miller 2008, Rev. Econ. Stat. 90:414, doi 10.1162/rest.90.3.414). As in
  :mod:`evaluator.statistics.paired`, both ways are put together as card^2 + day^2 - chance^2, for the distance from
  the diagonal on each side, never less than any of the three. There is no theorem for this; simulations are its test.

A band around the *curve* by resampling cards is not given: the bootstrap is inconsistent for isotonic fits (Sen,
Banerjee & Woodroofe 2010, Inconsistency of bootstrap: the Grenander estimator, Ann. Stat. 38:1953, doi
10.1214/09-AOS777). Around the diagonal it starts from a smooth function, which is not open to that objection.

Reference: Dimitriadis, Gneiting & Jordan (2021), Stable reliability diagrams for probabilistic classifiers, PNAS
118:e2016191118, doi 10.1073/pnas.2016191118.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Iterator, Optional

import numpy as np

from ..report import MIN_GROUPS
from ..revlog import Ints
from ..statistics.paired import Clusters
from .isotonic import IsotonicFit, isotonic_fit
from .resampling import SEED, Ordered, chunks, draw_outcomes, fits
from .scores import Floats, Outcomes

CONFIDENCE = 0.95
RESAMPLES = 200

#: At most so many steps are drawn, and the bands have at most so many places.
MAX_STEPS = 200

HISTOGRAM_BINS = 50

#: For the clustered band neighbouring predictions are put together to at most so many, which saves most of the time
#: at 100,000 reviews and changes the band less than another seed does.
MAX_GROUPS = 10_000


@dataclass(frozen=True)
class Steps:
    """The curve: k <= MAX_STEPS steps from left to right, to be joined by straight lines."""

    left: Floats  #: (k,), lowest and highest prediction of each
    right: Floats
    observed: Floats  #: (k,), share of recalled reviews, not decreasing
    reviews: Ints  #: (k,)


@dataclass(frozen=True)
class Band:
    """Where the curve of a model that is right lies at each place, 95 times of 100 there (not everywhere at once)."""

    low: Floats  #: (g,)
    high: Floats


@dataclass(frozen=True)
class Reliability:
    """The reliability curve of one algorithm, its bands, and how often it predicted what."""

    steps: Steps
    predicted: Floats  #: (g,), the places of the bands, increasing: some of the predictions that occur
    perfect: Band
    clustered: Optional[Band]  #: None where there are too few cards or days, or none were given
    histogram_edges: Floats  #: (51,), from 0 to 1
    histogram: Ints  #: (50,), reviews by their prediction; 1 belongs to the last
    resamples: int  #: of each kind
    seed: int


def reliability(
    predicted: Floats,
    recalled: Outcomes,
    clusters: Optional[Clusters] = None,
    *,
    fit: Optional[IsotonicFit] = None,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Reliability:
    """The curve of ``predicted`` (n,), probabilities, and ``recalled`` (n,), 0 or 1; ``fit`` spares fitting again.

    The bands are pointwise 95 %: a perfect model leaves them at one place of twenty. With a constant prediction there
    is one step and one place; predictions of 0 and 1 have bands of no width, as they claim to be certain. Raises
    ValueError where there are no reviews or no resamples.
    """
    if resamples < 1:
        raise ValueError(f"{resamples} resamples; at least 1 is needed")
    fit = isotonic_fit(predicted, recalled) if fit is None else fit
    ordered = Ordered.of(predicted)
    places = _places(ordered)
    diagonal = ordered.value[places]
    chance = _band(ordered, places, draw_outcomes(ordered, resamples=resamples, seed=seed))
    clustered = None
    if clusters is not None and min(clusters.cards, clusters.days) >= MIN_GROUPS:
        residual = recalled - fit.fitted(predicted)
        k = -(-len(ordered.reviews) // MAX_GROUPS)
        coarse = ordered.every(k)
        by_card, by_day = (
            _band(coarse, places // k, _signed(coarse, residual, group, resamples=resamples, seed=seed))
            for group in (clusters.card, clusters.day)
        )
        clustered = _both_ways(diagonal, chance, by_card, by_day)
    histogram, edges = np.histogram(predicted, HISTOGRAM_BINS, (0.0, 1.0))
    return Reliability(_thinned(fit), diagonal, chance, clustered, edges, histogram, resamples, seed)


def _thinned(fit: IsotonicFit) -> Steps:
    """All steps, or, where there are too many to be told apart on a screen, runs of neighbours put together."""
    first = np.arange(0, len(fit.left), -(-len(fit.left) // MAX_STEPS))
    reviews, recalled = (np.add.reduceat(of, first) for of in (fit.reviews, fit.recalled))
    return Steps(fit.left[first], np.maximum.reduceat(fit.right, first), recalled / reviews, reviews)


def _places(ordered: Ordered) -> Ints:
    """Some of the groups of ties: half of them evenly by reviews, half evenly by prediction, both ends included."""
    half = MAX_STEPS // 2
    by_reviews = np.searchsorted(ordered.start, np.linspace(0, len(ordered.order) - 1, half), "right") - 1
    evenly = np.linspace(ordered.value[0], ordered.value[-1], half)
    by_prediction = np.minimum(np.searchsorted(ordered.value, evenly), len(ordered.value) - 1)
    return np.unique(np.concatenate((by_reviews, by_prediction)))


def _signed(ordered: Ordered, residual: Floats, group: Ints, *, resamples: int, seed: int) -> Iterator[Floats]:
    """Outcomes p + sign (y - fit), (r, m) summed over ties, with one sign for all reviews of a group (n,)."""
    random = np.random.default_rng(seed)
    residual, group = residual[ordered.order], group[ordered.order]
    groups = int(group.max()) + 1
    for r in chunks(resamples, len(group)):
        sign = 2.0 * random.integers(0, 2, (r, groups)) - 1
        yield ordered.totals(ordered.predicted + sign[:, group] * residual)


def _band(ordered: Ordered, places: Ints, drawn: Iterator[Floats]) -> Band:
    """Quantiles of the isotonic fits of drawn outcomes at some places."""
    m = len(ordered.reviews)
    curves = np.concatenate([fits(total, ordered.reviews).at(places, len(total), m) for total in drawn])
    low, high = np.quantile(curves, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2], axis=0)
    return Band(low, high)


def _both_ways(diagonal: Floats, chance: Band, by_card: Band, by_day: Band) -> Band:
    """From the bands of one way each: see the module's text. Kept within 0 and 1."""
    low = _reach(*(np.maximum(diagonal - band.low, 0) for band in (chance, by_card, by_day)))
    high = _reach(*(np.maximum(band.high - diagonal, 0) for band in (chance, by_card, by_day)))
    return Band(np.maximum(diagonal - low, 0), np.minimum(diagonal + high, 1))


def _reach(chance: Floats, card: Floats, day: Floats) -> Floats:
    least = np.maximum(np.maximum(card, day), chance)
    reach: Floats = np.sqrt(np.maximum(card**2 + day**2 - chance**2, least**2))
    return reach
