"""The report: a frozen tree of plain values with one JSON form. No NumPy in it.

The dialog, the terminal, the charts and every export read this and nothing else. Two reports of the same input are
equal byte for byte; timings therefore stand apart (:func:`to_json` takes them as an argument).
"""

from __future__ import annotations

from ..interval import Interval
from .cheating import Cheat
from .comparisons import Comparisons
from .core import (
    REPORT_VERSION,
    AlgorithmResult,
    Calibration,
    CalibrationBin,
    CalibrationLine,
    Decomposition,
    FunnelStep,
    Report,
    Scope,
    Uncovered,
    Verdict,
)
from .decomposition import ChanceMiscalibration
from .desired_retention import (
    AtDesiredRetention,
    HeldOut,
    IntervalFactor,
    Near,
    RetentionGroup,
    RetentionOfAlgorithm,
)
from .graphs import (
    AlgorithmGraphs,
    MemoryMap,
    RecallSlice,
    ReliabilityBand,
    ReliabilityCurve,
    ReliabilityStep,
    SliceGraph,
    Stretch,
)
from .groups import AlgorithmInGroup, Group, Grouping
from .json_form import DECIMALS, to_dict, to_json
from .parameters import AlgorithmParameters, FittedParameter
from .sensitivity import Sensitivity, SensitivityRow
from .shown import shown
from .splitting import Split, Splitting
from .stability import (
    EvidenceOverTime,
    EvidencePoint,
    FoldLoss,
    Learning,
    LearningCurve,
    LearningPoint,
    Stability,
    TrainAndTest,
)
from .values import Basis, Comparison, Failure

__all__ = [
    "DECIMALS",
    "REPORT_VERSION",
    "AlgorithmGraphs",
    "AlgorithmInGroup",
    "AlgorithmParameters",
    "AlgorithmResult",
    "AtDesiredRetention",
    "Basis",
    "Calibration",
    "CalibrationBin",
    "CalibrationLine",
    "ChanceMiscalibration",
    "Cheat",
    "Comparison",
    "Comparisons",
    "Decomposition",
    "EvidenceOverTime",
    "EvidencePoint",
    "Failure",
    "FittedParameter",
    "FoldLoss",
    "FunnelStep",
    "Group",
    "Grouping",
    "HeldOut",
    "Interval",
    "IntervalFactor",
    "Learning",
    "LearningCurve",
    "LearningPoint",
    "MemoryMap",
    "Near",
    "RecallSlice",
    "ReliabilityBand",
    "ReliabilityCurve",
    "ReliabilityStep",
    "Report",
    "RetentionGroup",
    "RetentionOfAlgorithm",
    "Scope",
    "Sensitivity",
    "SensitivityRow",
    "SliceGraph",
    "Split",
    "Splitting",
    "Stability",
    "Stretch",
    "TrainAndTest",
    "Uncovered",
    "Verdict",
    "shown",
    "to_dict",
    "to_json",
]
