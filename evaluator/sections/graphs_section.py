"""The calibration graphs of each algorithm as plain values: predicted and observed recall by slice."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import List, Optional, Tuple
from weakref import WeakKeyDictionary

from ..algorithms.fsrs6 import FSRS_6
from ..data.revlog import Ints
from ..derivatives import Floats
from ..findings.subjects import evidence_on, testable_reviews
from ..findings.thresholds import MIN_DOT_OFF, MIN_OF_DOT
from ..fitting.predictor import states_before
from ..progress import Progress
from ..report import PUBLISHED, UNSEEN, Report
from ..scoring.evidence import Evidence
from ..statistics.slices import RecallSlice, calibration_slices, slice_recall
from ..statistics.slicings import SLICINGS, ReviewFeatures, Slicing
from .section import Section

#: The slicings that the graphs of all algorithms share. They are released together with their evidence.
_SHARED: WeakKeyDictionary[Evidence, List[Slicing]] = WeakKeyDictionary()


@dataclass(frozen=True)
class SliceGraph:
    """Predicted and observed recall in all slices of one kind, in the order of their axis."""

    #: "calibration" (by the prediction, in the benchmark's 20 groups), or the name of a slicing: "interval",
    #: "review_number", "last_rating", "month" and so on.
    key: str
    slices: Tuple[RecallSlice, ...]

    @property
    def shown(self) -> Tuple[RecallSlice, ...]:
        """The slices with enough reviews."""
        return tuple(slice_ for slice_ in self.slices if slice_.predicted is not None)


@dataclass(frozen=True)
class AlgorithmGraphs:
    """All graphs of one algorithm."""

    algorithm: str
    slices: Tuple[SliceGraph, ...]  #: the slices by prediction come first
    #: Source of stability and difficulty: "FSRS-6" (as trained before each review's fold) or "FSRS-6 default" (if that
    #: was not run). It is the same for all algorithms, so that a slice holds the same reviews.
    memory_model: str
    #: The graph by prediction on all reviews, if the first graph has only those that test the parameters.
    on_all: Optional[SliceGraph] = None

    def slice_graph(self, key: str) -> SliceGraph:
        """Return the graph with that key.

        Raises:
            KeyError: if there is no such graph.
        """
        return {graph.key: graph for graph in self.slices}[key]


def compute(evidence: Evidence, progress: Progress, report: Report, algorithm: str) -> AlgorithmGraphs:
    """Return the graphs of one algorithm.

    If the finding tests the algorithm only on reviews that its parameters have not seen, its calibration graph shows
    only these reviews. Another one on all reviews is there to be compared with other algorithms.
    """
    finding = report.finding
    shared_slicings = _shared_slicings(evidence, progress.part(0.0, 0.5))
    evidence = evidence_on(evidence, finding)
    predicted = evidence.fitted[algorithm].predicted
    recalled = evidence.scoring.recalled
    graphs = [_calibration_graph(predicted, recalled)]
    on_all = None
    if finding is not None and finding.algorithm == algorithm and finding.source == UNSEEN:
        on_all = graphs[0]
        is_testable = testable_reviews(evidence)
        graphs = [_calibration_graph(predicted[is_testable], recalled[is_testable])]
    for slicing in shared_slicings:
        progress(0.5 + 0.5 * len(graphs) / (len(shared_slicings) + 1))
        label = slicing.label[evidence.taken]
        slices = slice_recall(predicted, recalled, label, slicing.names, min_reviews=MIN_OF_DOT, min_off=MIN_DOT_OFF)
        graphs.append(SliceGraph(slicing.key, slices))
    memory_model = FSRS_6.name if FSRS_6.name in evidence.fitted else PUBLISHED
    return AlgorithmGraphs(algorithm, tuple(graphs), memory_model, on_all)


def _calibration_graph(predicted: Floats, recalled: Ints) -> SliceGraph:
    """Return the graph by prediction, given the predictions and outcomes of its reviews."""
    _, slices = calibration_slices(predicted, recalled, min_reviews=MIN_OF_DOT, min_off=MIN_DOT_OFF)
    return SliceGraph("calibration", slices)


def _shared_slicings(evidence: Evidence, progress: Progress) -> List[Slicing]:
    """Return the slicings that the graphs of all algorithms share, which are computed on the first call.

    Stability and difficulty before each review are those of FSRS-6, or of its published parameters if it was not run.
    """
    if evidence not in _SHARED:
        fitted = evidence.fitted.get(FSRS_6.name)
        model = replace(FSRS_6, table=evidence.options.table)
        w = model.defaults[None] if fitted is None else fitted.parameters
        states = states_before(model, evidence.data, w, progress)
        features = ReviewFeatures(
            evidence.options.table, evidence.tested, evidence.data.rows, evidence.collection.clock, *states
        )
        slicings = (slicing(features) for slicing in SLICINGS)
        _SHARED[evidence] = [slicing for slicing in slicings if slicing is not None]
    return _SHARED[evidence]


SECTION = Section(Tuple[AlgorithmGraphs, ...], compute, of="algorithm")
