"""smECE, the smooth calibration error: how far predictions and recall lie apart, smoothed rather than in groups.

For one width of the kernel it is the mean absolute value of the smoothed difference of prediction and outcome. The
width is the error itself: neighbours of a prediction are those that lie nearer than the predictions are off. Numbers
are those of the package ``relplot`` 1.0.3, which the benchmark runs, down to its grids.

A perfect model does not score 0: chance alone leaves about 0.03 of 300 reviews and 0.003 of 40,000. So the value has an
interval that may reach 0. The smoothed difference is a true one plus noise, and the error of a sum is at most the sum
of the errors: the value is never further from the true one than the error of the noise alone, of which the interval
takes the 95 % quantile. So it holds the truth in about 95 % of cases for a model that is right, and in more for
others, but in fewer where what goes wrong lasts for weeks, as for any mean error.

How much noise there is, is drawn: each residual of the isotonic fit gets the sign of its card (or day), drawn for the
whole card at once, a wild cluster bootstrap (Cameron, Gelbach & Miller 2008, Rev. Econ. Stat. 90:414, doi
10.1162/rest.90.3.414). As in :mod:`evaluator.statistics.paired`, both ways are put together as card^2 + day^2 -
chance^2, never less than any of the three; that by day is first made as many times larger as the mean error may be
further off by days that resemble each other than by independent ones. Where there are more cards (or days) than SIGNS,
some share a sign. There is no theorem for this; simulations are its test.

Reference: Błasiok & Nakkiran (2023), Smooth ECE: principled reliability diagrams via kernel smoothing, arXiv
2309.12236 (ICLR 2024).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import ceil, sqrt
from typing import Dict, Optional, Tuple

import numpy as np
import numpy.typing as npt

from ..interval import CONFIDENCE, Interval
from ..revlog import Ints
from ..statistics.paired import Clusters, cosine_count, spread
from ..statistics.student_t import further_than_normal
from .metric import Metric
from .ordered import Ordered
from .scores import Floats, Outcomes, Ties, chunks, runs

Complex = npt.NDArray[np.complex128]

#: The width is a whole number of steps, so many to 1, and is not narrower than that.
STEPS, NARROWEST = 1_024, 0.001

#: Of the draws of noise.
SEED = 2021

#: The width at which the search for it begins, in steps, and how often the error found is the next one to be tried.
BEGINNING, GUESSES = 32, 3

#: Of the error at one width: so many grid points at least, so many points at which it is read at least, and what is
#: added to the density there.
GRID, READ, LITTLE = 2_000, 200, 0.0001

#: Of the noise: so many draws, groups of neighbouring predictions, and signs; how many widths a reflection reaches.
DRAWS, GROUPS, SIGNS, REACH = 200, 200, 500, 10


def smooth_calibration_error(predicted: Floats, difference: Floats) -> float:
    """smECE of predictions (n,), 0 to 1, at least one; ``difference`` (n,) is each prediction minus the outcome.

    The least of the widths that are larger than the error at that width: the error there. The wider, the smaller is
    the error: so that width lies between any width and the error there, which is the next to be tried. Where a few of
    these have not found it, halving does. The error is 1 at most; with a constant prediction it is about |prediction -
    share of recalled reviews|, so it does not see whether a model knows anything. A perfect model's is above 0, see the
    module's text.
    """
    grids: Dict[int, Complex] = {}
    found, narrow, wide = 1.0, int(NARROWEST * STEPS), STEPS + 1
    step, guesses = BEGINNING, GUESSES
    while wide - narrow > 1:
        points = _points(step)
        if points not in grids:  # most widths share one
            grids[points] = _on_grid(predicted, difference, points)
        error = _error_at(step, grids[points])
        if error <= step / STEPS:
            found, wide = error, step
        else:
            narrow = step
        step = min(max(ceil(error * STEPS), narrow + 1), wide - 1) if guesses else (narrow + wide) // 2
        guesses = max(guesses - 1, 0)
    return found


def smece(predicted: Floats, recalled: Outcomes, ordered: Ordered, fit: Ties, clusters: Clusters) -> Interval:
    """smECE of predictions (n,) and outcomes (n,), with its 95 % interval; ``fit`` is the isotonic fit of the latter.

    ``ordered`` are the reviews in the order of the predictions. None with too few cards, days or reviews of the rarer
    outcome. A perfect model's begins at 0 in 95 % of cases.
    """
    value = smooth_calibration_error(ordered.predicted, ordered.predicted - recalled[ordered.order])
    fitted = np.empty(len(predicted))
    fitted[ordered.order] = np.repeat(fit.recalled / fit.reviews, fit.reviews)
    residual = recalled - fitted
    drift = drift_factor(residual, clusters)
    if clusters.lacking is not None or drift is None:
        return Interval(value, reason=clusters.lacking)
    ordered = ordered.coarser(GROUPS)
    kernel = _reflected(ordered.value, max(value, NARROWEST)).astype(np.float32)
    group, n = ordered.group, len(predicted)

    def quantile(signs: Signs, who: Ints) -> float:
        noise = signs.noise(residual, who, group, len(ordered.start))
        return float(np.quantile(np.abs(noise @ kernel).mean(axis=1), CONFIDENCE)) / n

    signs = _signs(n, clusters.cards, clusters.days)
    chance, card, day = map(quantile, signs, (np.arange(n), clusters.card, clusters.day))
    few_cards = further_than_normal(max(clusters.worth[0] - 1, 1.0))
    reach = float(reach_both_ways(np.array(chance), np.array(few_cards * card), np.array(drift * day)))
    return Interval(value, max(0.0, value - reach), min(1.0, value + reach))


@dataclass(frozen=True)
class Signs:
    """The signs of a wild bootstrap: one for each card, or day, or review; where there are too many some share one."""

    of: Ints  #: (people,), which sign each has
    drawn: npt.NDArray[np.float32]  #: (resamples, signs), 1 or -1

    @classmethod
    def draw(cls, people: int, resamples: int, random: np.random.Generator, most: int) -> Signs:
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


def reach_both_ways(chance: Floats, card: Floats, day: Floats) -> Floats:
    """sqrt(card^2 + day^2 - chance^2), and no less than any of the three."""
    least = np.maximum(np.maximum(card, day), chance)
    reach: Floats = np.sqrt(np.maximum(card**2 + day**2 - chance**2, least**2))
    return reach


@lru_cache(maxsize=1)
def _signs(*people: int) -> Tuple[Signs, ...]:
    """The signs of so many reviews, cards and days: the same for all algorithms."""
    random = np.random.default_rng(SEED)
    return tuple(Signs.draw(count, DRAWS, random, SIGNS) for count in people)


def _points(step: int) -> int:
    """How many points the grid has for a width of so many steps."""
    return max(GRID, round(20 * STEPS / step)) // 2 + 1


def _error_at(step: int, sums: Complex) -> float:
    """sum |smoothed difference| / sum smoothed density, read at equidistant places; ``sums`` as of :func:`_on_grid`."""
    grid, read_at, kernel = _smoothing(step)
    smoothed = np.fft.irfft(sums * kernel, 2 * (len(grid) - 1))[:, : len(grid)]
    apart, density = (np.interp(read_at, grid, row) for row in smoothed)
    return float(np.abs(apart).sum() / (density + LITTLE).sum())


def _on_grid(predicted: Floats, difference: Floats, points: int) -> Complex:
    """The sums of the differences and of 1, each review shared linearly by the two nearest of so many points.

    Of the two rows, reflected at 0 and at 1, the Fourier transforms (2, points). Quick where reviews with similar
    predictions follow each other.
    """
    sums = np.zeros((2, points))
    for here in chunks(len(predicted)):
        right_share = predicted[here] * (points - 1)
        left = np.minimum(right_share.astype(np.int64), points - 2)
        right_share -= left
        start, reviews = runs(left)
        left = left[start]
        for row, all_of_it, to_right in (
            (sums[0], np.add.reduceat(difference[here], start), difference[here] * right_share),
            (sums[1], reviews, right_share),
        ):
            right = np.add.reduceat(to_right, start)
            np.add.at(row, left, all_of_it - right)
            np.add.at(row, left + 1, right)
    return np.fft.rfft(np.concatenate([sums, sums[:, -2:0:-1]], axis=1))


@lru_cache(maxsize=256)
def _smoothing(step: int) -> Tuple[Floats, Floats, Complex]:
    """The grid, where it is read, and the transform of a Gaussian with a standard deviation of so many steps.

    What is reflected at both ends repeats itself, so the convolution is circular. The kernel has as many points as the
    grid, and with an even number of them its middle is half a step beside the point, as in ``relplot``.
    """
    width, points = step / STEPS, _points(step)
    kernel = np.zeros(2 * (points - 1))
    kernel[np.arange(points) - points // 2] = _gaussian(np.linspace(-0.5, 0.5, points), width)
    read_at = np.linspace(0.0, 1.0, max(round(10 / width), READ))
    return np.linspace(0.0, 1.0, points), read_at, np.fft.rfft(kernel)


def _reflected(centres: Floats, width: float) -> Floats:
    """(groups, points): the kernel around each centre (groups,), at equidistant points from 0 to 1."""
    point, centre = np.linspace(0.0, 1.0, max(round(2 / width), READ)), centres[:, None]
    kernel = _gaussian(point - centre, width)
    low, high = centres < REACH * width, centres > 1 - REACH * width
    kernel[low] += _gaussian(point + centre[low], width)
    kernel[high] += _gaussian(2 - point - centre[high], width)
    return kernel


def _gaussian(x: Floats, width: float) -> Floats:
    density: Floats = np.exp(-(x**2) / (2 * width**2)) / (np.sqrt(2 * np.pi) * width)
    return density


METRICS = (
    Metric(
        "smece",
        lambda scored: smooth_calibration_error(
            scored.ordered.predicted, scored.ordered.predicted - scored.table.recalled[scored.ordered.order]
        ),
        "smooth calibration error, 0 to 1; that of a perfect model is above 0, but its interval reaches 0",
        interval=lambda scored: smece(
            scored.predicted, scored.table.recalled, scored.ordered, scored.fit, scored.table.clusters
        ),
    ),
)
