"""The calibration graphs: of all algorithms as a section of the report, or of one for a window that asks for one."""

from __future__ import annotations

from itertools import repeat
from typing import TYPE_CHECKING, Any, List, Optional, Tuple

import numpy as np
import numpy.typing as npt

from ..metrics.calibration import LOG_SPACED_EDGES, log_spaced_bin
from ..metrics.reliability import Reliability, reliability
from ..metrics.slicing import Slicing
from ..report import (
    AlgorithmGraphs,
    MemoryMap,
    RecallSlice,
    ReliabilityBand,
    ReliabilityCurve,
    ReliabilityStep,
    SliceGraph,
    Stretch,
)
from ..slicings import NamedSlices, named
from ..statistics.slices import DRAWS, MIN_GROUPS_OF_SLICE, MINIMUM, SEED, recall_in_slices

if TYPE_CHECKING:
    from ..evidence import Evidence
    from ..metrics.scores import Floats, Outcomes
    from ..progress import Progress
    from ..report import Report
    from ..revlog import Ints

#: The names of the benchmark's 20 groups: their limits in percent.
GROUPS = tuple(f"{100 * a:.1f}-{100 * b:.1f}" for a, b in zip(LOG_SPACED_EDGES, LOG_SPACED_EDGES[1:]))


def graphs(report: Report, evidence: Evidence, progress: Progress) -> Tuple[AlgorithmGraphs, ...]:
    """Of every algorithm that has a result, in the order of the report."""
    names = [result.algorithm for result in report.results if result.algorithm in evidence.fitted]
    found: List[AlgorithmGraphs] = []
    for number, name in enumerate(names):
        found.append(graphs_of(report, evidence, name, progress.part(number / len(names), (number + 1) / len(names))))
    return tuple(found)


def graphs_of(_report: Report, evidence: Evidence, algorithm: str, progress: Progress) -> AlgorithmGraphs:
    """Of one algorithm; what all share is made by the first.

    Raises:
        KeyError: it has no result.
    """
    predicted, scoring = evidence.fitted[algorithm].predicted, evidence.scoring
    shared = evidence.slicings.of(evidence, progress.part(0.0, 0.5))
    by_prediction = named(Slicing("calibration", log_spaced_bin(predicted), GROUPS), shared.groupings)
    drawn: List[SliceGraph] = []
    for one in (by_prediction, *shared.shared, shared.memory):
        progress(0.5 + 0.03 * len(drawn))
        drawn.append(_slice_graph(one, predicted, scoring.recalled))
    *slices, memory = drawn
    progress(0.85)
    curve = _curve(reliability(predicted, scoring.recalled, scoring.clusters))
    return AlgorithmGraphs(
        algorithm=algorithm,
        reliability=curve,
        slices=tuple(slices),
        memory=MemoryMap(shared.stabilities, shared.difficulties, memory),
        memory_model=shared.memory_model,
        minimum=MINIMUM,
        least_groups=MIN_GROUPS_OF_SLICE,
        draws=DRAWS,
        seed=SEED,
    )


def _slice_graph(one: NamedSlices, predicted: Floats, recalled: Outcomes) -> SliceGraph:
    """Every name has its slice, be it empty."""
    found = {row.label: row for row in recall_in_slices(predicted, recalled, one.slices).slices}
    return SliceGraph(
        one.key,
        tuple(
            RecallSlice(
                name=name,
                reviews=found[label].reviews,
                predicted=found[label].predicted,
                recalled=found[label].recalled,
                difference=found[label].difference,
                low=found[label].low,
                high=found[label].high,
                band_low=found[label].simultaneous_low,
                band_high=found[label].simultaneous_high,
            )
            if label in found
            else RecallSlice(name, 0)
            for label, name in enumerate(one.names)
        ),
    )


def _curve(found: Reliability) -> ReliabilityCurve:
    """As plain values, with where it leaves its band."""
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
    """Of neighbouring places where the curve is on one side (-1 or 1) of the band, those with the most reviews."""
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
    """Python's own numbers."""
    numbers: List[Any] = column.tolist()
    return numbers
