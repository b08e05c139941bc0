"""The report: a frozen tree of plain values with one JSON form. No NumPy in it.

The dialog, the terminal, the charts and every export read this and nothing else. Two reports of the same input are
equal byte for byte; timings therefore stand apart (:func:`to_json` takes them as an argument).
"""

from __future__ import annotations

from ..interval import ConfidenceInterval
from .accuracy import Accuracy, Headline, RecallNear, Rivalry
from .advice import LITTLE_CHANGE, MANY, MUCH_CHANGE, is_ruled_out, with_advice
from .core import (
    COMPARED_WITH_OTHERS,
    REPORT_VERSION,
    AlgorithmResult,
    CalibrationLine,
    FunnelStep,
    Note,
    Report,
    Scope,
    Verdict,
)
from .json_form import DECIMALS, require_finite, to_dict, to_json
from .sanitize import sanitized
from .scheduler import Advice, PresetInUse, SchedulerInUse
from .values import (
    ADJUSTED,
    AVERAGE,
    OWN,
    PUBLISHED,
    CalibrationBin,
    Comparison,
    Disagreement,
    Failure,
    PeerGroup,
    PercentileRank,
    ProbabilityBetter,
    RarerOutcome,
    SampleSize,
    Side,
)
