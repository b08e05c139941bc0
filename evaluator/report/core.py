"""The report itself: the scope, the funnel, a row for each algorithm, the verdict, and room for its sections."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Mapping, Optional, Tuple

from ..interval import MARGIN, ConfidenceInterval
from ..scope import WHOLE_DAY_TABLE
from .accuracy import Accuracy, Headline
from .scheduler import Advice, PresetInUse, SchedulerInUse
from .values import CalibrationBin, Comparison, Disagreement, Failure, PercentileRank, SampleSize

#: The share of others whose skill is lower, if it is shown like a metric.
COMPARED_WITH_OTHERS = "compared_with_others"
#: Version of the JSON form. Raised when a key changes its meaning or is removed.
REPORT_VERSION = 1


@dataclass(frozen=True)
class Note:
    """Remark on a log that is not Anki's own, such as missing columns."""

    code: str  #: what, e.g. "first_interval"
    count: int  #: number of rows, cards or days concerned


@dataclass(frozen=True)
class Scope:
    """Collection, part and period that the numbers cover."""

    reviews: int  #: scored reviews; the same for every algorithm
    cards: int  #: cards among them
    days: int  #: days among them
    first_day: str  #: ISO date of the first scored review
    last_day: str  #: day of the last review
    recalled: float  #: share of the scored reviews that were not Again
    folds: int  #: number of folds
    since: Optional[str]  #: ISO date; earlier reviews are history only
    day_cutoff: int  #: seconds since 1970, UTC: the first day boundary after the last review
    #: Offset of the user's clock from UTC, positive east of Greenwich; None if the source does not say it.
    utc_offset_minutes: Optional[int]
    rollover_hour: int  #: local time at which a day begins
    day_cutoff_assumed: bool  #: the source did not say when a day begins; 04:00 UTC was assumed
    #: Whose reviews: "collection", "deck" (with subdecks), "deck_id", "preset", "search" or "cards", see
    #: :class:`evaluator.scope.ScopeChoice`.
    kind: str = "collection"
    name: str = ""  #: name of the deck or preset, or the text of the search; empty for the collection
    same_day: bool = True  #: True if algorithms that use same-day reviews saw them
    outlier_filter: bool = True  #: cards with an unusual first interval were left out
    #: Number of learning rows whose button was renumbered, because the collection is on Anki's first scheduler.
    renumbered_buttons: int = 0
    notes: Tuple[Note, ...] = ()  #: remarks on a log that is not Anki's own
    baseline: Optional[str] = None  #: the algorithm that was chosen to compare with; None: the usual one
    fsrs: Optional[bool] = None  #: whether FSRS is on; None if the source does not say
    hard: int = 0  #: number of scored reviews that were answered Hard
    table: str = WHOLE_DAY_TABLE  #: which reviews are predicted: "whole-day" or "same-day"


@dataclass(frozen=True)
class FunnelStep:
    """Number of rows of the review log with one outcome. The rows of all steps together are all rows of the log."""

    step: str  #: e.g. "cram"; steps are in the order in which they are decided
    use: str  #: "scored", "training" (fitted on, never scored), "history" (known to the algorithms) or "left_out"
    rows: int  #: number of rows


@dataclass(frozen=True)
class CalibrationLine:
    """A line in logits. If there is no line, the ``reason`` of the slope says why, and it has no estimate."""

    slope: ConfidenceInterval  #: below 1: overconfident; above: underconfident
    in_the_large: ConfidenceInterval  #: below 0: too high overall; unknown only with one outcome or without reviews


@dataclass(frozen=True)
class AlgorithmResult:
    """How one algorithm did. If it failed, ``error`` says why and the numbers are None."""

    algorithm: str
    family: str  #: family of algorithms
    description: str  #: what it is, in English
    trained: bool  #: True if trained on these reviews
    parameter_count: int  #: number of trained parameters
    #: Its inputs from a card's past: "intervals" or "intervals_to_the_second", "ratings" or "two_buttons" (whether it
    #: was remembered), or "neither"; "same_day" (reviews on the day of an earlier one); or "outcomes" (of all cards),
    #: or "unknown".
    uses: Tuple[str, ...]
    size: int  #: scored reviews, the same for all
    log_loss: Optional[float] = None  #: mean over the scored reviews
    #: All others, by the key of :data:`evaluator.metrics.METRICS`; in the JSON each is in the row itself.
    metrics: Mapping[str, Optional[float]] = field(default_factory=dict)
    calibration: Tuple[CalibrationBin, ...] = ()  #: the benchmark's 20 groups, finer near 1; groups with reviews only
    calibration_line: Optional[CalibrationLine] = None
    against_baseline: Optional[Comparison] = None  #: None for the baseline itself
    population: Tuple[PercentileRank, ...] = ()  #: percentile ranks; empty without published results
    #: In the algorithm's own order; of presets that are trained by themselves, those of the most used one. Empty if
    #: nothing is trained.
    parameters_per_fold: Tuple[Tuple[float, ...], ...] = ()
    converged_per_fold: Tuple[bool, ...] = ()  #: whether the search for them settled
    in_sample: bool = False  #: its parameters may have been fitted on the very reviews that are scored
    #: Remark on this row: "external" (predicted elsewhere, perhaps by a model that had seen these reviews before). Of
    #: AVG: "certain" (it predicted 0 or 100% in some fold, so each miss there costs much). Of Anki's optimizer:
    #: "old_optimizer" (it is older than FSRS-6), "too_little" (in some fold there was too little to learn from, so the
    #: default parameters were used). Of the user's presets: "published" (they hold the published parameters), "fsrs7"
    #: (they run FSRS-7), "published_fsrs7" (with its published parameters), "partly_published_fsrs7" (some of them),
    #: "versions" (some run FSRS-7, others FSRS-6).
    note: Optional[str] = None
    #: Number of stored FSRS parameters outside the bounds, so clipped as in Anki, by name of the user's presets;
    #: presets of the same name are added up.
    clipped: Mapping[str, int] = field(default_factory=dict)
    error: Optional[Failure] = None  #: why there are no numbers

    def value(self, metric: str) -> Optional[float]:
        """Return the log loss or another metric by its key, or the percentile rank, or None if there is none."""
        if metric == COMPARED_WITH_OTHERS:
            return next((item.better_than for item in self.population if item.metric == "skill_average"), None)
        return self.log_loss if metric == "log_loss" else self.metrics.get(metric)


@dataclass(frozen=True)
class Verdict:
    """Verdict on two algorithms, as a code with its facts.

    Codes: that of the headline algorithm's :class:`Comparison` with the baseline ("better", "worse", "equivalent",
    "cannot_tell", "too_few", "rare_outcome"), "unfinished" (one of the two has no result), "no_pair" (nothing to
    compare).
    """

    code: str
    algorithm: Optional[str]  #: the headline algorithm
    baseline: Optional[str]  #: what it is compared with
    basis: SampleSize
    comparisons: Tuple[Comparison, ...]  #: the comparison of this pair; empty if there is none
    in_sample: Tuple[str, ...] = ()  #: those of the pair that may have been fitted on the very reviews that are scored
    disagreement: Optional[Disagreement] = None  #: disagreement of the headline pair; None if there is no verdict


@dataclass(frozen=True)
class Report:
    """The results of one evaluation."""

    software: str  #: the program and its version
    scope: Scope
    funnel: Tuple[FunnelStep, ...]
    baseline: Optional[str]  #: what all others are compared with
    best: Optional[str]  #: lowest log loss; an in-sample one only if there is no other
    results: Tuple[AlgorithmResult, ...]  #: sorted by log loss, best first; failed ones last
    verdict: Verdict
    headline: Optional[Headline] = None  #: what the headline says; None until the rows that it needs have finished
    #: None until the headline is there, and if the source does not say which scheduler is in use.
    scheduler: Optional[SchedulerInUse] = None
    advice: Tuple[Advice, ...] = ()  #: at most two, most important first; often none
    unfinished: Tuple[str, ...] = ()  #: asked for, but not (yet) run
    #: The best algorithm, and those after it up to the first that is clearly worse, without in-sample ones. None if
    #: fewer than two are included, some are unfinished, or these reviews do not decide FSRS-6 against Anki's SM-2 (the
    #: headline's pair, if one of the two has no result).
    best_set: Optional[Tuple[str, ...]] = None
    training_seed: Optional[int] = None  #: seed of the draw of cards that steers the search, if there are many
    margin: float = MARGIN  #: differences of log loss of at most this size do not matter
    #: Each by its key, see :data:`evaluator.sections.SECTIONS`; in the JSON it is in the report itself. Empty, or
    #: None, if it was not asked for.
    sections: Mapping[str, Any] = field(default_factory=dict)
    version: int = field(default=REPORT_VERSION)  #: version of this form, see :data:`REPORT_VERSION`

    @property
    def accuracy(self) -> Optional[Accuracy]:
        """The accuracy that the headline states, or None if it is about something else."""
        return self.headline.accuracy if self.headline else None

    @property
    def presets(self) -> Tuple[PresetInUse, ...]:
        """The presets in use, or none if FSRS is off or not known to be on."""
        return self.scheduler.presets if self.scheduler else ()

    @property
    def headline_algorithm(self) -> Optional[str]:
        """The algorithm to show first: the one that the headline tests, otherwise one not fitted to these reviews."""
        is_tested = self.accuracy is not None and self.accuracy.source is not None
        return self.accuracy.algorithm if self.accuracy and is_tested else self.fair_algorithm

    @property
    def fair_algorithm(self) -> Optional[str]:
        """The headline's algorithm, unless that may have been fitted to these reviews."""
        rows = [row for row in self.results if row.log_loss is not None]
        names = [row.algorithm for row in rows if not row.in_sample] or [row.algorithm for row in rows]
        requested = (self.accuracy.algorithm if self.accuracy else None, self.verdict.algorithm, self.best, *names)
        return next((name for name in requested if name in names), None)

    def result(self, algorithm: str) -> AlgorithmResult:
        """Return the row of that algorithm. Raises KeyError if there is none."""
        return {row.algorithm: row for row in self.results}[algorithm]

    def section(self, key: str) -> Any:
        """Return the result of a section, which is empty or None if it was not requested."""
        return self.sections[key]

    def with_section(self, key: str, result: Any) -> Report:
        """Return the report with the result of a section and the same advice."""
        return replace(self, sections={**self.sections, key: result})
