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
  the diagonal on each side, never less than any of the three. That by day is first made as many times larger as the
  mean error of all reviews may be further off by days that resemble each other than by independent ones: drift moves
  the curve as a whole, and point by point it could be measured much less well. There is no theorem for this;
  simulations are its test.

A band around the *curve* by resampling cards is not given: the bootstrap is inconsistent for isotonic fits (Sen,
Banerjee & Woodroofe 2010, Inconsistency of bootstrap: the Grenander estimator, Ann. Stat. 38:1953, doi
10.1214/09-AOS777). Around the diagonal it starts from a smooth function, which is not open to that objection.

The bands are for one point each, and neighbouring points go together, so a curve may be outside for much of the
reviews by chance. For how much is taken from the drawn curves: what 95 of 100 of them stay below, each held to the band
of its own way of drawing, and of the three ways the largest.

For speed, curve and bands alike are fitted to groups of neighbouring predictions, at most MAX_GROUPS of them, none
wider than 2 / MAX_GROUPS: less than a pixel. Where there are more cards (or days) than MAX_SIGNS, some share a sign,
drawn at random: the products of their errors, which are new in the variance then, are 0 on average, and add about
sqrt(2 / MAX_SIGNS) to its relative error. Both change the bands less than another seed does.

Reference: Dimitriadis, Gneiting & Jordan (2021), Stable reliability diagrams for probabilistic classifiers, PNAS
118:e2016191118, doi 10.1073/pnas.2016191118.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import sqrt
from typing import Optional, Tuple

import numpy as np
import numpy.typing as npt

from ..interval import CONFIDENCE
from ..revlog import Ints
from ..statistics.paired import Clusters, cosine_count, spread
from ..statistics.student_t import further_than_normal
from .isotonic import corners, cumulative
from .resampling import SEED, Ordered, fits
from .scores import Floats, Outcomes, chunks

RESAMPLES = 200

#: At most so many steps are drawn, and the bands have at most so many points.
MAX_STEPS = 200

HISTOGRAM_BINS = 50

MAX_GROUPS = 2_000
MAX_SIGNS = 2_000


@dataclass(frozen=True)
class Steps:
    """The steps of the reliability curve, from left to right, at most MAX_STEPS; to be joined by straight lines."""

    left: Floats  #: (k,), lowest prediction of each step
    right: Floats  #: (k,), highest prediction of each step
    observed: Floats  #: (k,), share of recalled reviews, not decreasing
    reviews: Ints  #: (k,), how many reviews each step holds


@dataclass(frozen=True)
class Band:
    """Where the curve of a model that is right lies at each point, 95 times of 100 there (not everywhere at once)."""

    low: Floats  #: (g,), lower limit at each point
    high: Floats  #: (g,), upper limit at each point


@dataclass(frozen=True)
class Reliability:
    """The reliability curve of one algorithm, its bands, and how often it predicted what."""

    steps: Steps
    predicted: Floats  #: (g,), the points of the bands, increasing: some of the predictions that occur
    observed: Floats  #: (g,), the curve at these points
    reviews: Ints  #: (g,), how many reviews each point is the nearest to
    perfect: Band
    clustered: Optional[Band]  #: None where there are too few cards or days, or none were given
    outside_by_chance: float  #: :attr:`outside` is above that for one model of twenty that is right
    histogram: Ints  #: (50,), reviews by their prediction, in equal steps from 0 to 1; 1 belongs to the last
    resamples: int  #: how many were drawn for each band
    seed: int

    @property
    def band(self) -> Band:
        """The band that knows cards and days; where there is none, that of perfect models."""
        return self.clustered or self.perfect

    @property
    def outside(self) -> float:
        """The share of the reviews for whose prediction the curve is outside the band."""
        return float(_share_outside(self.observed, self.band, self.reviews))


def reliability(
    predicted: Floats,
    recalled: Outcomes,
    clusters: Optional[Clusters] = None,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Reliability:
    """The curve of ``predicted`` (n,), probabilities, and ``recalled`` (n,), 0 or 1.

    The bands are pointwise 95 %: a perfect model leaves them at one point of twenty. With a constant prediction there
    is one step and one point; predictions of 0 and 1 have bands of no width, as they claim to be certain. Raises
    ValueError where there are no reviews or no resamples.
    """
    if resamples < 1:
        raise ValueError(f"{resamples} resamples; at least 1 is needed")
    ordered = Ordered.of(predicted).coarser(MAX_GROUPS)
    group = ordered.group
    total = np.bincount(group, recalled).astype(np.float64)
    start = corners(cumulative(ordered.reviews), cumulative(total))[:-1]
    steps = np.add.reduceat(total, start) / np.add.reduceat(ordered.reviews, start)
    fitted = np.repeat(steps, np.diff(start, append=len(total)))
    points = _points(ordered)
    nearest = np.add.reduceat(ordered.reviews, np.append(0, (points[1:] + points[:-1] + 1) // 2))
    random = np.random.default_rng(seed)
    share = np.clip(ordered.value, 0.0, 1.0)  # a mean may be rounded beyond its terms
    by_chance = random.binomial(ordered.reviews, share, (resamples, len(share))).astype(np.float64)
    chance, outside = _band(ordered, points, nearest, by_chance)
    clustered = None
    wider = None if clusters is None else drift_factor(recalled - predicted, clusters)
    if clusters is not None and wider is not None:
        residual = recalled - fitted[group]
        (by_card, outside_by_card), (by_day, outside_by_day) = (
            _band(ordered, points, nearest, ordered.value * ordered.reviews + noise)
            for noise in (
                Signs.draw(people, resamples, random).noise(residual, who, group, len(ordered.reviews))
                for who, people in ((clusters.card, clusters.cards), (clusters.day, clusters.days))
            )
        )
        clustered = _both_ways(ordered.value[points], chance, by_card, by_day, wider)
        outside = max(outside, outside_by_card, outside_by_day)
    histogram, _ = np.histogram(predicted, HISTOGRAM_BINS, (0.0, 1.0))
    return Reliability(
        steps=_steps(ordered, total, start),
        predicted=ordered.value[points],
        observed=fitted[points],
        reviews=nearest,
        perfect=chance,
        clustered=clustered,
        outside_by_chance=outside,
        histogram=histogram,
        resamples=resamples,
        seed=seed,
    )


def _steps(ordered: Ordered, total: Floats, start: Ints) -> Steps:
    """All steps, or, where there are too many to be told apart on a screen, runs of neighbours put together."""
    first = start[:: -(-len(start) // MAX_STEPS)]
    reviews, recalled = (np.add.reduceat(of, first) for of in (ordered.reviews, total))
    stop = np.append(ordered.start[first[1:]], len(ordered.order))
    return Steps(ordered.predicted[stop - reviews], ordered.predicted[stop - 1], recalled / reviews, reviews)


def _points(ordered: Ordered) -> Ints:
    """The groups that are the points of the bands: half evenly by reviews, half by prediction, with both ends."""
    half = MAX_STEPS // 2
    by_reviews = np.searchsorted(ordered.start, np.linspace(0, len(ordered.order) - 1, half), "right") - 1
    evenly = np.linspace(ordered.value[0], ordered.value[-1], half)
    by_prediction = np.minimum(np.searchsorted(ordered.value, evenly), len(ordered.value) - 1)
    return np.unique(np.concatenate((by_reviews, by_prediction)))


@dataclass(frozen=True)
class Signs:
    """The signs of a wild bootstrap: one for each card, or day, or review; where there are too many some share one."""

    of: Ints  #: (people,), which sign each has
    drawn: npt.NDArray[np.float32]  #: (resamples, signs), 1 or -1

    @classmethod
    def draw(cls, people: int, resamples: int, random: np.random.Generator, most: int = MAX_SIGNS) -> Signs:
        """Draw the signs of so many people; there are at most ``most``."""
        signs = min(people, most)
        sharing = (random.permutation(people) % signs).astype(np.int32)
        return cls(sharing, (2 * random.integers(0, 2, (resamples, signs)) - 1).astype(np.float32))

    def noise(self, residual: Floats, who: Ints, group: Ints, groups: int) -> npt.NDArray[np.float32]:
        """(resamples, groups): the sign of ``who`` (n,) times ``residual`` (n,), summed by ``group`` (n,)."""
        signs = self.drawn.shape[1]
        totals = np.zeros(signs * groups)
        for here in chunks(len(residual)):
            np.add.at(totals, self.of[who[here]] * groups + group[here], residual[here])
        noise: npt.NDArray[np.float32] = self.drawn @ totals.reshape(signs, groups).astype(np.float32)  # seven digits
        return noise


def _band(ordered: Ordered, points: Ints, nearest: Ints, drawn: Floats) -> Tuple[Band, float]:
    """The band that holds 95 % of the fits of drawn outcomes (r, m) at each point; and the 95 % quantile of how much of
    a fit is outside of it.
    """
    found = fits(cumulative(drawn), ordered.reviews)
    # Summed anew, so that what is equal in two resamples is so to the last digit.
    found = replace(found, total=np.add.reduceat(drawn.ravel(), found.start - found.resample))
    curves = found.at(points, len(drawn), len(ordered.reviews))
    band = Band(*np.quantile(curves, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2], axis=0))
    return band, float(np.quantile(_share_outside(curves, band, nearest), CONFIDENCE))


def _share_outside(curves: Floats, band: Band, reviews: Ints) -> Floats:
    """The share of the reviews (g,) at whose points each curve (..., g) is outside the band."""
    outside: Floats = ((curves < band.low) | (curves > band.high)) @ reviews / reviews.sum()
    return outside


def drift_factor(error: Floats, clusters: Clusters) -> Optional[float]:
    """How many times as far as by independent days the mean ``error`` (n,) may be off by days that resemble each other.

    By V_time and its t distribution, see :mod:`evaluator.statistics.paired`; at least 1. None where there are too few
    cards or days. (Few of the rarer outcome do no harm: chance has a part of its own in the band.)
    """
    found = spread(error, clusters.of_any_outcome)
    if found is None:
        return None
    daily = clusters.daily(error) - found.mean * clusters.day_sizes
    independent = clusters.days / (clusters.days - 1) * float(daily @ daily) / len(error) ** 2
    further = further_than_normal(cosine_count(clusters.days))
    return max(1.0, further * sqrt(found.time / independent)) if independent > 0 else 1.0


def _both_ways(diagonal: Floats, chance: Band, by_card: Band, by_day: Band, wider: float) -> Band:
    """Join the bands by chance, by card and by day, as the module's text says. Kept within 0 and 1."""
    low, high = (
        reach_both_ways(of_chance, of_card, wider * of_day)
        for of_chance, of_card, of_day in (
            (np.maximum(diagonal - band.low, 0) for band in (chance, by_card, by_day)),
            (np.maximum(band.high - diagonal, 0) for band in (chance, by_card, by_day)),
        )
    )
    return Band(np.maximum(diagonal - low, 0), np.minimum(diagonal + high, 1))


def reach_both_ways(chance: Floats, card: Floats, day: Floats) -> Floats:
    """sqrt(card^2 + day^2 - chance^2), and no less than any of the three."""
    least = np.maximum(np.maximum(card, day), chance)
    reach: Floats = np.sqrt(np.maximum(card**2 + day**2 - chance**2, least**2))
    return reach
