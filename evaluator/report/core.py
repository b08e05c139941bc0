"""The report itself: the scope, the funnel, a row for each algorithm, the verdict, and room for its sections."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Mapping, Optional, Tuple

from ..interval import MARGIN, ConfidenceInterval
from ..scope import WHOLE_DAY_TABLE
from .accuracy import Accuracy
from .scheduler import Advice, SchedulerInUse
from .values import Comparison, Disagreement, Failure, PercentileRank, SampleSize

#: The share of others whose RMSE (bins) is worse, where it is shown like a metric.
BESIDE_OTHERS = "beside_others"
#: Of the JSON form. Raised when a key changes its meaning or goes.
REPORT_VERSION = 1


@dataclass(frozen=True)
class Note:
    """Something to be known of a log that is not Anki's own, such as what its rows do not say."""

    code: str  #: what, e.g. "first_interval"
    count: int  #: of how many of its rows, cards or days


@dataclass(frozen=True)
class Scope:
    """What the numbers are about."""

    reviews: int  #: scored reviews; the same for every algorithm
    cards: int  #: cards among them
    days: int  #: days among them
    first_day: str  #: ISO date of the first scored review
    last_day: str  #: of the last one
    recalled: float  #: share of the scored reviews that were not Again
    folds: int  #: how many times was trained and tested
    since: Optional[str]  #: ISO date: earlier reviews are history only
    day_cutoff: int  #: seconds since 1970, UTC: the first day boundary after the last review
    #: Of the person's clock, east of Greenwich; None where the source does not say it.
    utc_offset_minutes: Optional[int]
    rollover_hour: int  #: when a day begins, by that clock
    day_cutoff_assumed: bool  #: the source did not say where a day begins; 04:00 UTC was taken
    #: Whose reviews: "collection", "deck" (with subdecks), "deck_id", "preset", "search" or "cards", see
    #: :class:`evaluator.scope.ScopeChoice`.
    kind: str = "collection"
    name: str = ""  #: of the deck or preset, the text of the search; empty for the collection
    same_day: bool = True  #: algorithms were told of reviews on the day of an earlier one, as far as they use them
    outlier_filter: bool = True  #: cards with an unusual first interval were left out
    #: Rows of the collection from learning whose button was mapped, as it still is on Anki's first scheduler.
    renumbered_buttons: int = 0
    notes: Tuple[Note, ...] = ()  #: what is to be known of a log that is not Anki's own
    baseline: Optional[str] = None  #: the algorithm that was chosen to compare with; None: the usual one
    fsrs: Optional[bool] = None  #: whether FSRS is on; None if the source does not say
    table: str = WHOLE_DAY_TABLE  #: which reviews are asked for: "whole-day" or "same-day"


@dataclass(frozen=True)
class FunnelStep:
    """How many rows of the review log went one way. The rows of all steps together are all rows of the log."""

    step: str  #: which way, e.g. "cram"; the steps stand in the order in which they are taken
    use: str  #: "scored", "training" (fitted on, never scored), "history" (known to the algorithms) or "left_out"
    rows: int  #: how many


@dataclass(frozen=True)
class CalibrationBin:
    """One group of reviews with similar predictions."""

    left: float  #: edges of the group on the scale of predictions
    right: float
    predicted: float  #: mean predicted probability of recall
    recalled: float  #: share that was recalled
    reviews: int


@dataclass(frozen=True)
class CalibrationLine:
    """In logits. Where there is no line, the ``reason`` of the slope says why, and it has no estimate."""

    slope: ConfidenceInterval  #: below 1: too sure of itself; above: too timid
    in_the_large: ConfidenceInterval  #: below 0: too high over all; not known only with one outcome or without reviews


@dataclass(frozen=True)
class AlgorithmResult:
    """How one algorithm did. Where it failed, ``error`` says why and the numbers are None."""

    algorithm: str
    family: str  #: of algorithms that it belongs to
    description: str  #: what it is, in English
    trained: bool  #: on these reviews
    parameter_count: int  #: trained ones
    #: What it knows of a card's past: "intervals" or "intervals_to_the_second", "ratings" or "two_buttons" (whether it
    #: was remembered), or "neither"; "same_day" (reviews on the day of an earlier one); or "outcomes" (of all cards),
    #: or "unknown".
    uses: Tuple[str, ...]
    size: int  #: scored reviews, the same for all
    log_loss: Optional[float] = None  #: mean over the scored reviews
    #: All others, by the key of :data:`evaluator.metrics.METRICS`; in the JSON each stands in the row itself.
    metrics: Mapping[str, Optional[float]] = field(default_factory=dict)
    calibration: Tuple[CalibrationBin, ...] = ()  #: in the benchmark's 20 groups, finer near 1; those with reviews
    calibration_line: Optional[CalibrationLine] = None
    against_baseline: Optional[Comparison] = None  #: None for the baseline itself
    population: Tuple[PercentileRank, ...] = ()  #: beside others; empty where nothing is known of them
    #: In the algorithm's own order; empty where nothing is trained.
    parameters_per_fold: Tuple[Tuple[float, ...], ...] = ()
    converged_per_fold: Tuple[bool, ...] = ()  #: whether the search for them settled
    in_sample: bool = False  #: its parameters may have been fitted on the very reviews that are scored
    #: What else there is to know of this row: "external" (predicted elsewhere, perhaps by a model that had seen these
    #: reviews before). Of Anki's optimizer: "old_optimizer" (it is older than FSRS-6), "too_little" (in some fold there
    #: was too little to learn from, so the default parameters were taken). Of the person's presets: "published" (they
    #: hold the published parameters), "fsrs7" (they run FSRS-7), "published_fsrs7" (with its published parameters),
    #: "partly_published_fsrs7" (some of them), "versions" (some run FSRS-7, others FSRS-6).
    note: Optional[str] = None
    #: Of the person's presets, by name: number of stored FSRS parameters outside the bounds, so clipped as in Anki;
    #: presets of the same name are added up.
    clipped: Mapping[str, int] = field(default_factory=dict)
    error: Optional[Failure] = None  #: why there are no numbers

    def value(self, metric: str) -> Optional[float]:
        """The log loss or another metric, by its key, or the place among others; None where there is none."""
        if metric == BESIDE_OTHERS:
            return next((item.better_than for item in self.population if item.metric == "rmse_bins_benchmark"), None)
        return self.log_loss if metric == "log_loss" else self.metrics.get(metric)


@dataclass(frozen=True)
class Verdict:
    """What the numbers say, as a code with its facts.

    Codes: that of the headline algorithm's :class:`Comparison` with the baseline ("better", "worse", "equivalent",
    "cannot_tell", "too_few", "rare_outcome"), "unfinished" (one of the two has no result), "no_pair" (nothing to
    compare).
    """

    code: str
    algorithm: Optional[str]  #: the headline algorithm
    baseline: Optional[str]  #: what it is compared with
    basis: SampleSize
    comparisons: Tuple[Comparison, ...]  #: that of this pair; empty if there is none
    in_sample: Tuple[str, ...] = ()  #: those of the pair that may have been fitted on the very reviews that are scored
    disagreement: Optional[Disagreement] = None  #: of the headline pair; None where there is no verdict


@dataclass(frozen=True)
class Report:
    """All that one evaluation found out."""

    software: str  #: what made it, with its version
    scope: Scope
    funnel: Tuple[FunnelStep, ...]
    baseline: Optional[str]  #: what all others are compared with
    best: Optional[str]  #: lowest log loss; an in-sample one only if there is no other
    results: Tuple[AlgorithmResult, ...]  #: by log loss, best first; failed ones last
    verdict: Verdict
    accuracy: Optional[Accuracy] = None  #: what the headline says; None until the rows that it needs have finished
    scheduler: Optional[SchedulerInUse] = None  #: None where the source does not say, or some are unfinished
    advice: Tuple[Advice, ...] = ()  #: at most two, the more important first; often none
    unfinished: Tuple[str, ...] = ()  #: asked for, but not (yet) run
    #: The algorithms that cannot be told from the best, lowest log loss first; in-sample ones take no part. None where
    #: fewer than two take part, these reviews do not decide FSRS-6 against Anki's SM-2, or some are unfinished.
    best_set: Optional[Tuple[str, ...]] = None
    training_seed: Optional[int] = None  #: with which cards are drawn, where there are many, to steer the search
    margin: float = MARGIN  #: differences of log loss of at most this size do not matter
    #: Each by its key, see :data:`evaluator.sections.SECTIONS`; in the JSON it stands in the report itself. Empty, or
    #: None, where it was not asked for.
    sections: Mapping[str, Any] = field(default_factory=dict)
    version: int = field(default=REPORT_VERSION)  #: of this form, see :data:`REPORT_VERSION`

    @property
    def headline_algorithm(self) -> Optional[str]:
        """The algorithm to show first: the headline's, unless that may have been fitted to these reviews."""
        rows = [row for row in self.results if row.log_loss is not None]
        names = [row.algorithm for row in rows if not row.in_sample] or [row.algorithm for row in rows]
        requested = (self.accuracy.algorithm if self.accuracy else None, self.verdict.algorithm, self.best, *names)
        return next((name for name in requested if name in names), None)

    def result(self, algorithm: str) -> AlgorithmResult:
        """The row of that algorithm. Raises KeyError where there is none."""
        for row in self.results:
            if row.algorithm == algorithm:
                return row
        raise KeyError(algorithm)

    def section(self, key: str) -> Any:
        """The result of a section; empty, or None, where it was not asked for."""
        return self.sections[key]

    def with_section(self, key: str, found: Any) -> Report:
        """Return the report with the result of a section; its advice stays as it is."""
        return replace(self, sections={**self.sections, key: found})
