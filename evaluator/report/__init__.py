"""The report, a frozen tree of plain values without NumPy that has one JSON form.

The window, the terminal, the charts and every export read this and nothing else. Two reports of the same input are
equal byte for byte. So the report does not hold timings, which :func:`to_json` takes as an argument.
"""

from __future__ import annotations

from .core import AlgorithmResult, CalibrationLine, Note, Report, RowCount, Scope, Verdict
from .finding import (
    BETTER_PAST,
    CLOSE,
    DECK,
    DEFAULT,
    EARLY,
    NOTHING_TESTED,
    OFF,
    OPEN,
    PRESET,
    RIGHT,
    UNSEEN,
    WHOLE,
    WORSE_PAST,
    Advice,
    Finding,
    Hard,
    Optimizing,
    Recall,
    Rivalry,
)
from .json_form import DECIMALS, escape_for_json, require_finite, to_json
from .values import (
    ADJUSTED,
    AVERAGE,
    DEFAULT_RETENTION,
    MAX_RETENTION,
    MIN_RETENTION,
    OWN,
    PUBLISHED,
    CalibrationBin,
    Comparison,
    Failure,
    PeerGroup,
    ProbabilityBetter,
    RarerOutcome,
    SampleSize,
)
