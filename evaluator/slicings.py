"""The slices of the scored reviews that the graphs of all algorithms share, worked out once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Callable, Dict, Optional, Sequence, Tuple

import numpy as np

from .algorithms import CATALOGUE
from .algorithms.algorithm import Recurrent
from .fitting.states import states_before
from .metrics import slicing
from .metrics.slicing import Slicing
from .statistics.slices import Groupings, Slices

if TYPE_CHECKING:
    from .evidence import Evidence
    from .metrics.scores import Floats
    from .progress import Progress

#: Whose stability and difficulty the reviews are sliced by: the first where it was run, else the second.
TRAINED, PUBLISHED = "FSRS-6", "FSRS-6 default"


@dataclass(frozen=True)
class NamedSlices:
    """Slices with what they are called."""

    key: str
    names: Tuple[str, ...]  #: of label 0, 1, ...; not every one need occur
    slices: Slices


@dataclass(frozen=True)
class Slicings:
    """All that do not depend on what an algorithm predicts."""

    groupings: Groupings
    shared: Tuple[NamedSlices, ...]
    stabilities: Tuple[str, ...]  #: names of the columns of the slicing by both,
    difficulties: Tuple[str, ...]  #: and of its rows
    memory: NamedSlices  #: by difficulty and stability at once, row by row
    memory_model: str  #: whose stability and difficulty


class SharedSlicings:
    """Where they are kept, with the evidence that they are made of."""

    def __init__(self) -> None:
        self._made: Optional[Slicings] = None

    def of(self, evidence: Evidence, progress: Progress) -> Slicings:
        """Make them, or return what was made before."""
        if self._made is None:
            self._made = _make(evidence, progress)
        return self._made


def named(found: Slicing, groupings: Groupings) -> NamedSlices:
    """The slicing, prepared for being summed."""
    return NamedSlices(found.key, found.names, Slices.of(found.label, groupings))


def _make(evidence: Evidence, progress: Progress) -> Slicings:
    tested = evidence.tested
    groupings = Groupings(evidence.scoring.clusters)
    progress(0.1)
    plain: Sequence[Callable[[], Slicing]] = (
        lambda: slicing.by_interval(tested),
        lambda: slicing.by_review_number(tested),
        lambda: slicing.by_lapses(tested),
        lambda: slicing.by_last_rating(evidence.data.rows, tested),
        lambda: slicing.by_month(evidence.clock, tested),
        lambda: slicing.by_maturity(tested),
    )
    made: Dict[str, NamedSlices] = {}
    for done, slice_up in enumerate(plain, start=1):
        one = named(slice_up(), groupings)
        made[one.key] = one
        progress(0.1 + 0.4 * done / len(plain))
    by_stability, by_difficulty = _reference_slicings(evidence, progress.part(0.5, 0.8))
    both = slicing.crossed(by_difficulty, by_stability)
    names = tuple(f"{d} / {s}" for d in by_difficulty.names for s in by_stability.names)
    for found in (by_stability, by_difficulty, Slicing("memory", both, names)):
        made[found.key] = named(found, groupings)
        progress(0.9)
    memory = made.pop("memory")
    model = TRAINED if TRAINED in evidence.fitted else PUBLISHED
    return Slicings(groupings, tuple(made.values()), by_stability.names, by_difficulty.names, memory, model)


def _reference_slicings(evidence: Evidence, progress: Progress) -> Tuple[Slicing, Slicing]:
    """By stability and by difficulty before each review."""
    algorithm = CATALOGUE[PUBLISHED]
    if not isinstance(algorithm, Recurrent):
        raise TypeError(f"{PUBLISHED} must have a state")
    fitted = evidence.fitted.get(TRAINED)
    w: Floats = np.array([[p.default for p in algorithm.parameters]]) if fitted is None else fitted.parameters
    stability, difficulty = states_before(algorithm, evidence.data, w, progress)
    return slicing.by_stability(stability), slicing.by_difficulty(difficulty)
