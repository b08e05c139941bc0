"""The calibration graphs: of all algorithms as a section of the report, or of one for a window that asks for one."""

from __future__ import annotations

from itertools import repeat
from typing import TYPE_CHECKING, Any, List, Optional, Tuple

import numpy as np
import numpy.typing as npt

from .. import slicings
from ..algorithms import CATALOGUE
from ..algorithms.algorithm import Recurrent
from ..fitting.predictor import states_before
from ..metrics.calibration import LOG_SPACED_EDGES, log_spaced_bin
from ..metrics.reliability import Reliability, reliability
from ..report import (
    AlgorithmGraphs,
    MemoryMap,
    ReliabilityBand,
    ReliabilityCurve,
    ReliabilityStep,
    SliceGraph,
    Stretch,
)
from ..statistics.slices import (
    DRAWS,
    MIN_GROUPS_OF_SLICE,
    MINIMUM,
    SEED,
    Groupings,
    Slices,
    Slicing,
    recall_in_slices,
)

if TYPE_CHECKING:
    from ..evidence import Evidence
    from ..metrics.scores import Floats
    from ..progress import Progress
    from ..report import Report
    from ..revlog import Ints

#: Whose stability and difficulty the reviews are sliced by; where it was not run, as it was published.
MODEL = "FSRS-6"

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
    *shared, memory = _shared(evidence, progress.part(0.0, 0.5))
    by_prediction = Slices.of(Slicing("calibration", log_spaced_bin(predicted), GROUPS), memory.groupings)
    drawn: List[SliceGraph] = []
    for one in (by_prediction, *shared, memory):
        progress(0.5 + 0.35 * len(drawn) / (len(shared) + 2))
        drawn.append(recall_in_slices(predicted, scoring.recalled, one))
    *slices, cells = drawn
    progress(0.85)
    curve = _curve(reliability(predicted, scoring.recalled, scoring.clusters))
    names = {one.key: one.names for one in shared}
    return AlgorithmGraphs(
        algorithm=algorithm,
        reliability=curve,
        slices=tuple(slices),
        memory=MemoryMap(names["stability"], names["difficulty"], cells),
        memory_model=MODEL if MODEL in evidence.fitted else CATALOGUE[MODEL].untrained or MODEL,
        minimum=MINIMUM,
        least_groups=MIN_GROUPS_OF_SLICE,
        draws=DRAWS,
        seed=SEED,
    )


def _shared(evidence: Evidence, progress: Progress) -> List[Slices]:
    """The slices that the graphs of all algorithms share, the map's last; made for the first that asks."""
    if not evidence.slices:
        evidence.slices[:] = _make(evidence, progress)
    return evidence.slices


def _make(evidence: Evidence, progress: Progress) -> List[Slices]:
    groupings = Groupings(evidence.scoring.clusters)
    progress(0.1)
    stability, difficulty = _states(evidence, progress.part(0.1, 0.4))
    of = slicings.Sliceable(evidence.tested, evidence.data.rows, evidence.clock, stability, difficulty)
    made: List[Slices] = []
    wanted = (*slicings.SLICINGS, slicings.by_memory)
    for slicing in wanted:
        made.append(Slices.of(slicing(of), groupings))
        progress(0.4 + 0.6 * len(made) / len(wanted))
    return made


def _states(evidence: Evidence, progress: Progress) -> Tuple[Floats, Floats]:
    """Stability and difficulty before each review."""
    algorithm = CATALOGUE[MODEL]
    if not isinstance(algorithm, Recurrent):
        raise TypeError(f"{MODEL} must have a state")
    fitted = evidence.fitted.get(MODEL)
    w: Floats = np.array([[p.default for p in algorithm.parameters]]) if fitted is None else fitted.parameters
    stability, difficulty = states_before(algorithm, evidence.data, w, progress)
    return stability, difficulty


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
