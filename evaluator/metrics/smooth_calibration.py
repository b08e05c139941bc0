"""smECE, the smooth calibration error, which measures calibration without groups.

For one width of the kernel, the error is the mean absolute value of the smoothed difference between prediction and
outcome. The width is chosen to equal the error, so that a prediction is averaged with those that are nearer than the
predictions are off. The numbers equal those of the package ``relplot`` 1.0.3, which the benchmark runs. Its grids are
used too.

A perfect model does not score 0: by chance alone, the error is about 0.03 for 300 reviews and 0.003 for 40,000.

Reference: Błasiok & Nakkiran (2023), Smooth ECE: principled reliability diagrams via kernel smoothing, arXiv
2309.12236 (ICLR 2024).
"""

from __future__ import annotations

from functools import lru_cache
from math import ceil
from typing import Any, Dict, Tuple

import numpy as np
import numpy.typing as npt

from ..data.reviews import is_run_start, runs
from ..derivatives import Floats
from .metric import Metric
from .scores import chunks

Complex = npt.NDArray[np.complex128]

#: Number of steps from 0 to 1, in which widths are measured.
STEPS = 1_024
#: Minimum width of the kernel.
MIN_WIDTH = 0.001
#: Initial width of the search, in steps.
INITIAL_STEP = 32
#: Number of times that the error at one width is the next width to try. After that the search halves.
MAX_GUESSES = 3
#: Minimum number of points of the grid together with its reflection.
MIN_GRID = 2_000
#: Minimum number of points at which smoothed values are read from the grid.
MIN_POINTS = 200
#: Constant added to the density, so that it is never 0.
MIN_DENSITY = 0.0001


def smooth_calibration_error(predicted: Floats, difference: Floats) -> float:
    """Return the smECE, from 0 to 1.

    It is the error at the smallest width that is larger than the error at that width. Because a larger width has a
    smaller error, that width is between any width and the error there, so the error is the next width to try. If it is
    not found after a few tries, the interval is halved instead. With a constant prediction, the smECE is about
    |prediction - share of recalled reviews|, so it does not show whether a model knows anything.

    Args:
        predicted: probabilities of recall (n,), at least one. Sorted ones are faster.
        difference: each prediction minus the outcome (n,).
    """
    grids: Dict[int, Complex] = {}
    smallest_error = 1.0
    low = int(MIN_WIDTH * STEPS)
    high = STEPS + 1
    step = INITIAL_STEP
    guesses = MAX_GUESSES
    while high - low > 1:
        points = _grid_size(step)
        # Most widths share one grid.
        if points not in grids:
            grids[points] = _transform_to_grid(predicted, difference, points)
        error = _error_at(step, grids[points])
        if error <= step / STEPS:
            smallest_error = error
            high = step
        else:
            low = step
        step = min(max(ceil(error * STEPS), low + 1), high - 1) if guesses else (low + high) // 2
        guesses = max(guesses - 1, 0)
    return smallest_error


def _grid_size(step: int) -> int:
    """Return the number of points of the grid for a width of this many steps."""
    return max(MIN_GRID, round(20 * STEPS / step)) // 2 + 1


def _error_at(step: int, sums: Complex) -> float:
    """Return the error at a width of this many steps.

    It is sum |smoothed difference| / sum smoothed density over equidistant points.

    Args:
        step: the width.
        sums: from :func:`_transform_to_grid`, for the grid of this width.
    """
    grid, points, kernel = _grid_and_kernel(step)
    smoothed = np.fft.irfft(sums * kernel, 2 * (len(grid) - 1))[:, : len(grid)]
    difference, density = (np.interp(points, grid, row) for row in smoothed)
    return float(np.abs(difference).sum() / (density + MIN_DENSITY).sum())


def _transform_to_grid(predicted: Floats, difference: Floats, points: int) -> Complex:
    """Return the Fourier transforms (2, points) of the sums of differences and of the number of reviews on a grid.

    Each review is shared linearly by the two nearest of this many points. The sums are reflected at 0 and at 1. This is
    fast if reviews with similar predictions are consecutive.
    """
    sums = np.zeros((2, points))
    for chunk in chunks(len(predicted)):
        position = predicted[chunk] * (points - 1)
        left = np.minimum(position.astype(np.int64), points - 2)
        right_share = position - left
        start, n_reviews = runs(is_run_start(left))
        left = left[start]
        for row, total, to_right in (
            (sums[0], np.add.reduceat(difference[chunk], start), difference[chunk] * right_share),
            (sums[1], n_reviews, right_share),
        ):
            right = np.add.reduceat(to_right, start)
            np.add.at(row, left, total - right)
            np.add.at(row, left + 1, right)
    return np.fft.rfft(np.concatenate([sums, sums[:, -2:0:-1]], axis=1))


@lru_cache(maxsize=256)
def _grid_and_kernel(step: int) -> Tuple[Floats, Floats, Complex]:
    """Return the grid, the points at which to read it, and the transformed kernel for a width of this many steps.

    The kernel is a Gaussian whose standard deviation is the width. The convolution is circular, because sums that are
    reflected at both ends repeat themselves. The kernel has as many points as the grid. If that number is even, its
    center is half a step off, as in ``relplot``.
    """
    width = step / STEPS
    points = _grid_size(step)
    kernel = np.zeros(2 * (points - 1))
    density = np.exp(-(np.linspace(-0.5, 0.5, points) ** 2) / (2 * width**2)) / (np.sqrt(2 * np.pi) * width)
    kernel[np.arange(points) - points // 2] = density
    read_points = np.linspace(0.0, 1.0, max(round(10 / width), MIN_POINTS))
    return np.linspace(0.0, 1.0, points), read_points, np.fft.rfft(kernel)


def _smece(scored: Any) -> float:
    """Return the smECE of an algorithm."""
    predicted = scored.predicted[scored.order]
    return smooth_calibration_error(predicted, predicted - scored.recalled[scored.order])


METRICS = (Metric("smece", _smece, "smooth calibration error, 0 to 1; that of a perfect model is above 0"),)
