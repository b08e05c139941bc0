"""smECE, the smooth calibration error: how far predictions and recall are apart, smoothed rather than in groups.

For one width of the kernel it is the mean absolute value of the smoothed difference of prediction and outcome. The
width is the error itself: neighbors of a prediction are those that lie nearer than the predictions are off. Numbers
are those of the package ``relplot`` 1.0.3, which the benchmark runs, down to its grids.

A perfect model does not score 0: chance alone leaves about 0.03 of 300 reviews and 0.003 of 40,000.

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
from .metric import Metric
from .scores import Floats, chunks

Complex = npt.NDArray[np.complex128]

#: Steps from 0 to 1, in which the width is measured, and the minimum width.
STEPS, NARROWEST = 1_024, 0.001

#: Initial width of the search, in steps, and how often the error found is the next width to try.
BEGINNING, GUESSES = 32, 3

#: Minimum number of grid points, minimum number of points that are read, and the constant added to the density.
GRID, READ, LITTLE = 2_000, 200, 0.0001


def smooth_calibration_error(predicted: Floats, difference: Floats) -> float:
    """Return the smECE of at least one prediction (n,), 0 to 1.

    It is the error at the smallest width that is larger than the error at that width. The wider, the smaller is the
    error, so that width is between any width and the error there, which is tried next. If a few of these have not found
    it, halving does. The error is 1 at most. With a constant prediction it is about |prediction - share of recalled
    reviews|, so it does not see whether a model knows anything. A perfect model's is above 0, see the module's text.

    Args:
        predicted: probabilities of recall (n,).
        difference: each prediction minus the outcome (n,).
    """
    grids: Dict[int, Complex] = {}
    result, narrow, wide = 1.0, int(NARROWEST * STEPS), STEPS + 1
    step, guesses = BEGINNING, GUESSES
    while wide - narrow > 1:
        points = _points(step)
        if points not in grids:  # most widths share one
            grids[points] = _on_grid(predicted, difference, points)
        error = _error_at(step, grids[points])
        if error <= step / STEPS:
            result, wide = error, step
        else:
            narrow = step
        step = min(max(ceil(error * STEPS), narrow + 1), wide - 1) if guesses else (narrow + wide) // 2
        guesses = max(guesses - 1, 0)
    return result


def _points(step: int) -> int:
    return max(GRID, round(20 * STEPS / step)) // 2 + 1


def _error_at(step: int, sums: Complex) -> float:
    """Return sum |smoothed difference| / sum smoothed density at equidistant points, from sums of :func:`_on_grid`."""
    grid, read_at, kernel = _smoothing(step)
    smoothed = np.fft.irfft(sums * kernel, 2 * (len(grid) - 1))[:, : len(grid)]
    difference, density = (np.interp(read_at, grid, row) for row in smoothed)
    return float(np.abs(difference).sum() / (density + LITTLE).sum())


def _on_grid(predicted: Floats, difference: Floats, points: int) -> Complex:
    """Return the sums of the differences and of 1, each review shared linearly by the two nearest of this many points.

    Of the two rows, reflected at 0 and at 1, the Fourier transforms (2, points). Fast if reviews with similar
    predictions are consecutive.
    """
    sums = np.zeros((2, points))
    for chunk in chunks(len(predicted)):
        right_share = predicted[chunk] * (points - 1)
        left = np.minimum(right_share.astype(np.int64), points - 2)
        right_share -= left
        start, reviews = runs(is_run_start(left))
        left = left[start]
        for row, total, to_right in (
            (sums[0], np.add.reduceat(difference[chunk], start), difference[chunk] * right_share),
            (sums[1], reviews, right_share),
        ):
            right = np.add.reduceat(to_right, start)
            np.add.at(row, left, total - right)
            np.add.at(row, left + 1, right)
    return np.fft.rfft(np.concatenate([sums, sums[:, -2:0:-1]], axis=1))


@lru_cache(maxsize=256)
def _smoothing(step: int) -> Tuple[Floats, Floats, Complex]:
    """Return the grid, if it is read, and the transform of a Gaussian with a standard deviation of this many steps.

    What is reflected at both ends repeats itself, so the convolution is circular. The kernel has as many points as the
    grid, and with an even number of them its middle is half a step next to the point, as in ``relplot``.
    """
    width, points = step / STEPS, _points(step)
    kernel = np.zeros(2 * (points - 1))
    density = np.exp(-(np.linspace(-0.5, 0.5, points) ** 2) / (2 * width**2)) / (np.sqrt(2 * np.pi) * width)
    kernel[np.arange(points) - points // 2] = density
    read_at = np.linspace(0.0, 1.0, max(round(10 / width), READ))
    return np.linspace(0.0, 1.0, points), read_at, np.fft.rfft(kernel)


def _compute(scored: Any) -> float:
    predicted = scored.predicted[scored.order]
    return smooth_calibration_error(predicted, predicted - scored.table.recalled[scored.order])


METRICS = (Metric("smece", _compute, "smooth calibration error, 0 to 1; that of a perfect model is above 0"),)
