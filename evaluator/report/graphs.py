"""The calibration graphs of one algorithm, as plain values: what it predicted against what was remembered.

The sign is the same everywhere: ``difference`` is recalled - predicted, above 0 where memory was better than predicted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Tuple

from ..interval import Interval


@dataclass(frozen=True)
class RecallSlice:
    """Reviews that have something in common.

    All but the name and the count is not known where there are too few reviews; without an interval and a band are
    those with too few cards or days.
    """

    name: str  #: e.g. "3-4" (days), "Good", "2024-05"
    reviews: int
    predicted: Optional[float]  #: mean predicted probability of recall
    recalled: Optional[float]  #: share that was recalled
    difference: Interval  #: recalled - predicted; its interval is of this slice alone
    band: Interval  #: the same with an interval that holds for all slices of the graph at once

    @property
    def is_wrong(self) -> bool:
        """Whether the band proves that predictions are too high or too low here."""
        return bool(self.band.side())


@dataclass(frozen=True)
class SliceGraph:
    """Predicted and observed recall in all slices of one kind, in their own order."""

    #: "calibration" (by the prediction, in the benchmark's 20 groups), "interval", "review_number", "lapses",
    #: "last_rating", "stability", "difficulty", "month", "maturity", "memory" (stability and difficulty at once).
    key: str
    slices: Tuple[RecallSlice, ...]

    @property
    def banded(self) -> Tuple[RecallSlice, ...]:
        """The slices that have a band."""
        return tuple(one for one in self.slices if one.band.ends is not None)

    @property
    def wrong(self) -> Tuple[RecallSlice, ...]:
        """Those that the band proves wrong, the largest difference first."""
        wrong = (one for one in self.slices if one.is_wrong)
        return tuple(sorted(wrong, key=lambda one: -abs(one.difference.estimate or 0.0)))


@dataclass(frozen=True)
class MemoryMap:
    """Cells of stability and difficulty at once, row by row (difficulty), from left to right (stability)."""

    stabilities: Tuple[str, ...]  #: names of the columns
    difficulties: Tuple[str, ...]  #: names of the rows
    cells: SliceGraph

    def cell(self, row: int, column: int) -> RecallSlice:
        """One of them."""
        return self.cells.slices[row * len(self.stabilities) + column]


@dataclass(frozen=True)
class ReliabilityStep:
    """Predictions from ``left`` to ``right`` for which the curve is level."""

    left: float
    right: float
    observed: float  #: share that was recalled; rises from step to step
    reviews: int


@dataclass(frozen=True)
class ReliabilityBand:
    """One place: the curve, and where it lies there 95 times of 100 if the predictions are right.

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


@dataclass(frozen=True)
class AlgorithmGraphs:
    """All graphs of one algorithm."""

    algorithm: str
    reliability: ReliabilityCurve
    slices: Tuple[SliceGraph, ...]  #: by the prediction first
    memory: MemoryMap
    #: Whose stability and difficulty: "FSRS-6" (as trained before each review's fold) or "FSRS-6 default" (where that
    #: was not run). The same for all algorithms, so that a slice holds the same reviews.
    memory_model: str
    minimum: int  #: slices with fewer reviews are blank
    least_groups: int  #: slices with fewer cards or fewer days have no interval and no band
    draws: int  #: that the bands over all slices rest on
    seed: int

    def slice_graph(self, key: str) -> SliceGraph:
        """The graph of that kind. Raises KeyError where there is none."""
        for graph in (*self.slices, self.memory.cells):
            if graph.key == key:
                return graph
        raise KeyError(key)
