"""The reliability curve as plain values, and where it leaves its band."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import repeat
from typing import TYPE_CHECKING, Any, List, Optional, Tuple

import numpy as np
import numpy.typing as npt

from ..metrics.reliability import Reliability

if TYPE_CHECKING:
    from ..revlog import Ints


@dataclass(frozen=True)
class ReliabilityStep:
    """Predictions from ``left`` to ``right`` for which the curve is level."""

    left: float
    right: float
    observed: float  #: share that was recalled; rises from step to step
    reviews: int


@dataclass(frozen=True)
class ReliabilityBand:
    """The curve at one prediction, and the range in which it lies there 95 times of 100 if the predictions are right.

    A band around the diagonal, and so no interval of the curve, which may lie outside.
    """

    predicted: float  #: the place: a probability of recall
    observed: float  #: the curve
    chance_low: float  #: right given all that happened before: only chance is left
    chance_high: float
    low: Optional[float]  #: right on average, with errors that cards and days have in common; None with too few of them
    high: Optional[float]


@dataclass(frozen=True)
class Stretch:
    """Predictions for which the curve leaves the band on one side."""

    left: float
    right: float
    reviews: int
    predicted: float  #: their mean
    recalled: float  #: share that was recalled


@dataclass(frozen=True)
class ReliabilityCurve:
    """Observed recall as a function of the prediction that never falls (CORP), joined by straight lines, no bins."""

    steps: Tuple[ReliabilityStep, ...]
    band: Tuple[ReliabilityBand, ...]  #: by increasing prediction
    histogram: Tuple[int, ...]  #: reviews by their prediction: groups of equal width from 0 to 1; 1 belongs to the last
    outside: float  #: share of the reviews for whose prediction the curve is outside the band
    outside_by_chance: float  #: such a share has one algorithm of twenty whose predictions are right
    stretch: Optional[Stretch]  #: the stretch outside with the most reviews
    resamples: int
    seed: int

    @property
    def clustered(self) -> bool:
        """Whether the band knows cards and days; otherwise ``outside`` goes by chance alone."""
        return bool(self.band) and self.band[0].low is not None

    @property
    def is_wrong(self) -> bool:
        """Whether the curve leaves a band that knows cards and days for more of the reviews than chance explains."""
        return self.clustered and self.outside > self.outside_by_chance


def curve_of(found: Reliability) -> ReliabilityCurve:
    """A reliability curve as plain values, with where it leaves its band."""
    steps, band = found.steps, found.band
    side = (found.observed > band.high).astype(int) - (found.observed < band.low)
    return ReliabilityCurve(
        steps=tuple(
            map(ReliabilityStep, *(_plain(of) for of in (steps.left, steps.right, steps.observed, steps.reviews)))
        ),
        band=tuple(
            map(
                ReliabilityBand,
                *(_plain(of) for of in (found.predicted, found.observed, found.perfect.low, found.perfect.high)),
                *([repeat(None), repeat(None)] if found.clustered is None else map(_plain, (band.low, band.high))),
            )
        ),
        histogram=tuple(_plain(found.histogram)),
        outside=found.outside,
        outside_by_chance=found.outside_by_chance,
        stretch=_largest_stretch(found, side),
        resamples=found.resamples,
        seed=found.seed,
    )


def _largest_stretch(found: Reliability, side: Ints) -> Optional[Stretch]:
    """The stretch of predictions with the most reviews for which the curve is on one side (-1 or 1) of its band."""
    begins = np.flatnonzero(np.diff(side, prepend=2))
    stretches = [slice(a, b) for a, b in zip(begins, [*begins[1:], len(side)]) if side[a]]
    if not stretches:
        return None
    here = max(stretches, key=lambda one: found.reviews[one].sum())
    reviews = found.reviews[here]
    return Stretch(
        left=float(found.predicted[here][0]),
        right=float(found.predicted[here][-1]),
        reviews=int(reviews.sum()),
        predicted=float(found.predicted[here] @ reviews / reviews.sum()),
        recalled=float(found.observed[here] @ reviews / reviews.sum()),
    )


def _plain(column: npt.NDArray[Any]) -> List[Any]:
    """A column of numbers as a list of Python's own."""
    numbers: List[Any] = column.tolist()
    return numbers
