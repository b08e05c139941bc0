"""The report: a frozen tree of plain values with one JSON form.

The dialog, the terminal, the charts and every export read this and nothing else. Two reports of the same input are
equal byte for byte; timings therefore stand apart (:func:`to_json` takes them as an argument).
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Any, Dict, List, Mapping, Optional, Tuple

#: Of the JSON form. Raised when a key changes its meaning or goes.
REPORT_VERSION = 2

#: Digits after the point in the JSON: far below what any review log can bear, and the same on every machine.
DECIMALS = 9
PARAMETER_DECIMALS = 6

#: With fewer cards or fewer days than this, clustered intervals are too short, and none is given.
MIN_GROUPS = 40

#: Differences of at most this size do not matter, in nats of log loss. Saying 0.88 where 0.90 is true costs
#: 0.9 ln(0.90 / 0.88) + 0.1 ln(0.10 / 0.12) = 0.0020, and nobody would notice: at a desired retention of 90 %, being
#: off by two points shifts one more review in fifty from remembered to forgotten. It is also a tenth to a
#: twenty-fifth of what the best algorithm gains on guessing the average (0.02 to 0.05).
MARGIN = 0.002


@dataclass(frozen=True)
class Scope:
    """What the numbers are about."""

    reviews: int  #: scored reviews; the same for every algorithm
    cards: int  #: cards among them
    days: int  #: days among them
    first_day: str  #: ISO date of the first scored review
    last_day: str
    recalled: float  #: share of the scored reviews that were not Again
    folds: int
    since: Optional[str]  #: ISO date: earlier reviews are history only
    day_cutoff: int  #: seconds since 1970, UTC: the first day boundary after the last review
    utc_offset_minutes: Optional[int]
    rollover_hour: int
    day_cutoff_assumed: bool  #: the source did not say where a day begins; 04:00 UTC was taken
    #: Whose reviews: "collection", "deck" (with subdecks), "deck_id", "preset", "search" or "cards", see
    #: :class:`evaluator.scope.ScopeChoice`.
    kind: str = "collection"
    name: str = ""  #: of the deck or preset, the text of the search; empty for the collection
    same_day: bool = True  #: algorithms were told of reviews on the day of an earlier one, as far as they use them
    outlier_filter: bool = True  #: cards with an unusual first interval were left out


@dataclass(frozen=True)
class FunnelStep:
    """How many rows of the review log went one way. The rows of all steps together are all rows of the log."""

    step: str  #: key of the explanation in :mod:`evaluator.wording`, e.g. "cram"
    use: str  #: "scored", "training" (fitted on, never scored), "history" (known to the algorithms) or "left out"
    rows: int


@dataclass(frozen=True)
class CalibrationBin:
    """One group of reviews with similar predictions."""

    left: float  #: edges of the group on the scale of predictions
    right: float
    predicted: float  #: mean predicted probability of recall
    recalled: float  #: share that was recalled
    reviews: int


@dataclass(frozen=True)
class Calibration:
    """Predicted against observed recall, non-empty bins only."""

    log_spaced: Tuple[CalibrationBin, ...]  #: the benchmark's 20, finer near 1
    equal_width: Tuple[CalibrationBin, ...]  #: 20 bins of 5 percentage points


@dataclass(frozen=True)
class Comparison:
    """Paired difference of log loss, ``algorithm`` minus ``baseline``, on the same reviews (negative: better).

    ``low`` and ``high`` are the 95 % interval, clustered by card and by day; None where there are too few of either.
    ``code`` is what the interval allows to say, see :func:`evaluator.statistics.equivalence.outcome`: "equivalent" (all
    of it within :attr:`Report.margin` of 0), else "better" or "worse" (it leaves out 0), else "cannot_tell";
    "no_interval" where there is none.
    """

    algorithm: str
    baseline: str
    difference: float
    standard_error: Optional[float]
    low: Optional[float]
    high: Optional[float]
    code: str
    smallest_detectable: Optional[float]  #: the true difference that such reviews would have shown four times in five

    @property
    def interval(self) -> Optional[Tuple[float, float]]:
        """(low, high), or None."""
        return None if self.low is None or self.high is None else (self.low, self.high)


@dataclass(frozen=True)
class Estimate:
    """A number with its 95 % interval; without one where there are too few cards or days."""

    value: float
    standard_error: Optional[float]
    low: Optional[float]
    high: Optional[float]


@dataclass(frozen=True)
class CalibrationLine:
    """Intercept and slope in logits. Where there is no line, ``reason`` says why and both are None.

    Reasons: "one_outcome" (all recalled, or all forgotten), "constant" (all predictions have the same logit),
    "separated" (some threshold of the prediction separates all recalled from all forgotten: the slope is infinite),
    "no_reviews".
    """

    intercept: Optional[Estimate]
    slope: Optional[Estimate]  #: below 1: too sure of itself; above: too timid
    in_the_large: Optional[Estimate]  #: below 0: too high over all; None only with one outcome or without reviews
    reason: Optional[str]


@dataclass(frozen=True)
class Decomposition:
    """Of one mean score; in nats for the log loss, squared probabilities for the Brier score.

    score = miscalibration - discrimination + uncertainty, see :mod:`evaluator.metrics.decomposition`.
    """

    score: float
    miscalibration: float  #: are its probabilities off?
    discrimination: float  #: does it know which reviews will be forgotten?
    uncertainty: float  #: how uncertain is memory itself; the same for all algorithms


@dataclass(frozen=True)
class AlgorithmResult:
    """How one algorithm did. Where it failed, ``error`` says why and the numbers are None."""

    algorithm: str
    family: str
    description: str
    trained: bool
    parameter_count: int  #: trained ones
    uses: str  #: what it knows of a card's past, in words
    size: int
    log_loss: Optional[float] = None
    log_loss_parts: Optional[Decomposition] = None
    skill_average: Optional[float] = None  #: 1 - log loss / that of the running average of all earlier reviews
    skill_interval_average: Optional[float] = None  #: likewise of the earlier reviews after similar intervals
    rmse_bins: Optional[float] = None  #: with the constants of the metric's own page
    rmse_bins_floor: Optional[float] = None  #: what chance alone would make of it, were all predictions true
    rmse_bins_excess: Optional[float] = None  #: sqrt(value^2 - floor^2), 0 where the floor is higher
    rmse_bins_benchmark: Optional[float] = None  #: with those that the benchmark and Anki run
    rmse_bins_benchmark_floor: Optional[float] = None
    rmse_bins_benchmark_excess: Optional[float] = None
    auc: Optional[float] = None  #: None too where it is undefined
    brier: Optional[float] = None
    rmse_prediction_bins: Optional[float] = None  #: the old RMSE over bins of the prediction, which can be cheated
    mae_prediction_bins: Optional[float] = None  #: likewise the mean absolute error
    mean_predicted: Optional[float] = None
    calibration: Optional[Calibration] = None
    calibration_line: Optional[CalibrationLine] = None
    against_baseline: Optional[Comparison] = None
    parameters_per_fold: Tuple[Tuple[float, ...], ...] = ()
    converged_per_fold: Tuple[bool, ...] = ()
    in_sample: bool = False  #: its parameters may have been fitted on the very reviews that are scored
    note: Optional[str] = None  #: what else there is to know of this row, in words
    error: Optional[str] = None


@dataclass(frozen=True)
class Basis:
    """What a comparison rests on: how many scored reviews, and how many cards and days are among them."""

    reviews: int
    cards: int
    days: int


@dataclass(frozen=True)
class Verdict:
    """What the numbers say, as a code with its facts; ``sentences`` is the same in English.

    Codes: that of the headline algorithm's :class:`Comparison` with the baseline ("better", "worse", "equivalent",
    "cannot_tell", "no_interval"), "unfinished" (one of the two has no result), "no_pair" (nothing to compare).
    """

    code: str
    algorithm: Optional[str]
    baseline: Optional[str]
    basis: Basis
    comparisons: Tuple[Comparison, ...]  #: the headline pair first, then the pairs that the other sentences rest on
    sentences: Tuple[str, ...]


@dataclass(frozen=True)
class Report:
    """All that one evaluation found out."""

    software: str
    scope: Scope
    funnel: Tuple[FunnelStep, ...]
    baseline: Optional[str]
    best: Optional[str]  #: lowest log loss
    results: Tuple[AlgorithmResult, ...]  #: by log loss, best first; failed ones last
    verdict: Verdict
    unfinished: Tuple[str, ...] = ()  #: asked for, but not (yet) run
    #: The algorithms that cannot be told from the best, lowest log loss first; in-sample ones take no part. None where
    #: fewer than two do, there are too few days or cards, or some are unfinished.
    best_set: Optional[Tuple[str, ...]] = None
    margin: float = MARGIN  #: differences of log loss of at most this size do not matter
    version: int = field(default=REPORT_VERSION)

    def result(self, algorithm: str) -> AlgorithmResult:
        """The row of that algorithm. Raises KeyError where there is none."""
        for row in self.results:
            if row.algorithm == algorithm:
                return row
        raise KeyError(algorithm)


def to_dict(report: Report) -> Dict[str, Any]:
    """The report as plain JSON values, floats rounded to :data:`DECIMALS` (parameters: fewer)."""
    tree: Dict[str, Any] = _rounded(asdict(report), DECIMALS)
    for row, result in zip(tree["results"], report.results):
        row["parameters_per_fold"] = _rounded(result.parameters_per_fold, PARAMETER_DECIMALS)
    return {"version": tree.pop("version"), **tree}


def to_json(report: Report, timing: Optional[Mapping[str, float]] = None) -> str:
    """The one JSON form, UTF-8, ending in a newline; ``timing`` (seconds by stage) goes under its own key, last."""
    tree = to_dict(report)
    if timing is not None:
        tree["timing"] = {stage: round(seconds, 3) for stage, seconds in timing.items()}
    return json.dumps(tree, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _rounded(value: Any, decimals: int) -> Any:
    if isinstance(value, float):
        return round(value, decimals) + 0.0  # + 0.0 turns -0.0 into 0.0
    if isinstance(value, dict):
        return {key: _rounded(item, decimals) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        items: List[Any] = [_rounded(item, decimals) for item in value]
        return items
    return value
