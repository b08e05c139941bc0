"""The report: a frozen tree of plain values with one JSON form. No NumPy in it.

The dialog, the terminal, the charts and every export read this and nothing else. Two reports of the same input are
equal byte for byte; timings therefore stand apart (:func:`to_json` takes them as an argument).
"""

from .cheating import Cheat
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
    Verdict,
)
from .groups import AlgorithmInGroup, Group, Grouping
from .json_form import DECIMALS, to_dict, to_json
from .splitting import Split, Splitting
from .values import MARGIN, MIN_GROUPS, Basis, Comparison, Estimate

__all__ = [
    "DECIMALS",
    "MARGIN",
    "MIN_GROUPS",
    "REPORT_VERSION",
    "AlgorithmInGroup",
    "AlgorithmResult",
    "Basis",
    "Calibration",
    "CalibrationBin",
    "CalibrationLine",
    "Cheat",
    "Comparison",
    "Decomposition",
    "Estimate",
    "FunnelStep",
    "Group",
    "Grouping",
    "Report",
    "Scope",
    "Split",
    "Splitting",
    "Verdict",
    "to_dict",
    "to_json",
]
