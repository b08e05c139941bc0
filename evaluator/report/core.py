"""The report itself, with the scope, the funnel, a row for each algorithm, the verdict and the sections."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Mapping, Optional, Tuple

from ..interval import MARGIN, ConfidenceInterval
from ..scope import WHOLE_DAY_TABLE
from .accuracy import Accuracy, Headline
from .scheduler import Advice, PresetInUse, SchedulerInUse
from .values import CalibrationBin, Comparison, Disagreement, Failure, PercentileRank, SampleSize

#: Key of the share of other people whose skill is lower, which is shown like a metric.
COMPARED_WITH_OTHERS = "compared_with_others"
#: Version of the JSON form, which is increased when a key changes its meaning or is removed.
REPORT_VERSION = 1


@dataclass(frozen=True)
class Note:
    """Remark on a log that is not Anki's own, such as missing columns."""

    code: str  #: kind of the remark, such as "first_interval"
    count: int  #: number of rows, cards or days concerned


@dataclass(frozen=True)
class Scope:
    """Collection, part and period that the numbers cover."""

    reviews: int  #: number of scored reviews, the same for every algorithm
    cards: int  #: number of their cards
    days: int  #: number of their days
    first_day: str  #: ISO date of the first scored review
    last_day: str  #: ISO date of the last scored review
    recalled: float  #: share of the scored reviews that were not Again
    folds: int  #: number of folds
    since: Optional[str]  #: ISO date before which reviews are history only; None if there is no such date
    day_cutoff: int  #: first day boundary after the last review, in seconds since 1970, UTC
    #: Offset of the user's clock from UTC, positive east of Greenwich; None if the source does not say it.
    utc_offset_minutes: Optional[int]
    rollover_hour: int  #: local hour at which a day begins
    day_cutoff_assumed: bool  #: whether 04:00 UTC was assumed, because the source does not say when a day begins
    #: Kind of the evaluated part: "collection", "deck" (with subdecks), "deck_id", "preset", "search" or "cards", see
    #: :class:`evaluator.scope.ScopeChoice`.
    kind: str = "collection"
    name: str = ""  #: name of the deck or preset, or text of the search; empty for the collection
    same_day: bool = True  #: whether algorithms that use same-day reviews saw them
    outlier_filter: bool = True  #: whether cards with an unusual first interval were left out
    #: Number of learning rows whose button was renumbered, because the collection is on Anki's first scheduler.
    renumbered_buttons: int = 0
    notes: Tuple[Note, ...] = ()  #: remarks on a log that is not Anki's own
    baseline: Optional[str] = None  #: the baseline that was chosen; None if none was chosen
    fsrs: Optional[bool] = None  #: whether FSRS is on; None if the source does not say
    hard: int = 0  #: number of scored reviews that were answered Hard
    table: str = WHOLE_DAY_TABLE  #: which reviews are predicted: "whole-day" or "same-day"


@dataclass(frozen=True)
class FunnelStep:
    """Number of rows of the review log with one outcome. All steps together have all rows of the log."""

    step: str  #: the outcome, such as "cram". Steps are in the order in which they are decided.
    use: str  #: "scored", "training" (fitted on, never scored), "history" (known to the algorithms) or "left_out"
    rows: int  #: number of rows


@dataclass(frozen=True)
class CalibrationLine:
    """Calibration as a line in logits. If there is no line, the slope has a ``reason`` and no estimate."""

    slope: ConfidenceInterval  #: below 1 for overconfident predictions, above 1 for underconfident ones
    #: Below 0 if predictions are too high overall. It is unknown only with one outcome or without reviews.
    in_the_large: ConfidenceInterval


@dataclass(frozen=True)
class AlgorithmResult:
    """Result of one algorithm. If it failed, ``error`` says why, and the numbers are None."""

    algorithm: str
    family: str  #: family of algorithms
    description: str  #: description in English
    trained: bool  #: whether it was trained on these reviews
    parameter_count: int  #: number of trained parameters
    #: Its inputs from a card's past: "intervals" or "intervals_to_the_second"; "ratings", "two_buttons" (whether the
    #: card was remembered) or "neither"; "same_day" (reviews on the day of an earlier one); "outcomes" (of all cards);
    #: or "unknown".
    uses: Tuple[str, ...]
    size: int  #: number of scored reviews, the same for all
    log_loss: Optional[float] = None  #: mean over the scored reviews
    #: All other metrics, by the key of :data:`evaluator.metrics.METRICS`. In the JSON each is in the row itself.
    metrics: Mapping[str, Optional[float]] = field(default_factory=dict)
    calibration: Tuple[CalibrationBin, ...] = ()  #: the benchmark's 20 groups, finer near 1, without empty ones
    calibration_line: Optional[CalibrationLine] = None
    against_baseline: Optional[Comparison] = None  #: None for the baseline itself
    population: Tuple[PercentileRank, ...] = ()  #: percentile ranks; empty without published results
    #: Trained parameters in the algorithm's own order. If each preset is trained by itself, they are those of the most
    #: used preset. Empty if nothing is trained.
    parameters_per_fold: Tuple[Tuple[float, ...], ...] = ()
    converged_per_fold: Tuple[bool, ...] = ()  #: whether the search for these parameters converged
    in_sample: bool = False  #: whether its parameters may have been fitted on the reviews that are scored
    #: Remark on this row. "external": the predictions are from elsewhere, perhaps from a model that had seen these
    #: reviews. For AVG, "certain": it predicted 0 or 100% in some fold, so each miss there costs much. For Anki's
    #: optimizer, "old_optimizer": it is older than FSRS-6, or "too_little": some fold had too few reviews to train on,
    #: so the default parameters were used. For the user's presets, "published": they hold the default parameters;
    #: "fsrs7": they run FSRS-7; "published_fsrs7": they run FSRS-7 with its default parameters;
    #: "partly_published_fsrs7": some of them do; "versions": some run FSRS-7, others FSRS-6.
    note: Optional[str] = None
    #: Number of stored FSRS parameters that are outside the bounds, so that they are clipped as in Anki, by the name of
    #: the user's preset. Presets of the same name are added up.
    clipped: Mapping[str, int] = field(default_factory=dict)
    error: Optional[Failure] = None  #: reason for missing numbers

    def value(self, metric: str) -> Optional[float]:
        """Return the log loss, another metric by its key, or the percentile rank. It is None if it is not known."""
        if metric == COMPARED_WITH_OTHERS:
            return next((item.better_than for item in self.population if item.metric == "skill_average"), None)
        return self.log_loss if metric == "log_loss" else self.metrics.get(metric)


@dataclass(frozen=True)
class Verdict:
    """Verdict on two algorithms, as a code with its facts.

    The code is "unfinished" if one of the two has no result, or "no_pair" if there is nothing to compare. Otherwise it
    is that of the headline algorithm's :class:`Comparison` with the baseline: "better", "worse", "equivalent",
    "cannot_tell", "too_few" or "rare_outcome".
    """

    code: str
    algorithm: Optional[str]  #: the headline algorithm
    baseline: Optional[str]  #: the algorithm that it is compared with
    basis: SampleSize
    comparisons: Tuple[Comparison, ...]  #: the comparison of this pair; empty if there is none
    in_sample: Tuple[str, ...] = ()  #: those of the pair that may have been fitted on the reviews that are scored
    disagreement: Optional[Disagreement] = None  #: disagreement of the headline pair; None if there is no verdict


@dataclass(frozen=True)
class Report:
    """The results of one evaluation."""

    software: str  #: the program and its version
    scope: Scope
    funnel: Tuple[FunnelStep, ...]
    baseline: Optional[str]  #: the algorithm that all others are compared with
    best: Optional[str]  #: the algorithm with the lowest log loss, an in-sample one only if there is no other
    results: Tuple[AlgorithmResult, ...]  #: sorted by log loss, best first, failed ones last
    verdict: Verdict
    headline: Optional[Headline] = None  #: facts of the headline; None until the rows that it needs have finished
    #: None without a headline, and if the source does not say which scheduler is in use.
    scheduler: Optional[SchedulerInUse] = None
    advice: Tuple[Advice, ...] = ()  #: at most two, most important first; often empty
    unfinished: Tuple[str, ...] = ()  #: algorithms that were requested and have not been run
    #: The best algorithm, and those that were not worse on these reviews by more than chance, or by too little to
    #: matter. In-sample ones and one that a verdict calls worse are left out. Empty if guessing would be among them, if
    #: there are fewer than two algorithms, and until all have finished.
    best_set: Tuple[str, ...] = ()
    training_seed: Optional[int] = None  #: seed of the draw of cards for the search of parameters, if there are many
    margin: float = MARGIN  #: differences of log loss of at most this size do not matter
    #: Results by section, see :data:`evaluator.sections.SECTIONS`. In the JSON each is in the report itself. It is
    #: empty or None if it was not requested.
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
        """The algorithm to show first: the one that the headline tests, or otherwise the fair one."""
        return self.accuracy.algorithm if self.accuracy and self.accuracy.source else self.fair_algorithm

    @property
    def fair_algorithm(self) -> Optional[str]:
        """The headline's algorithm, unless that may have been fitted to these reviews.

        If so, it is the verdict's, the best or any other algorithm that was not fitted to them, if there is one.
        """
        rows = [row for row in self.results if row.log_loss is not None]
        names = [row.algorithm for row in rows if not row.in_sample] or [row.algorithm for row in rows]
        candidates = (self.accuracy.algorithm if self.accuracy else None, self.verdict.algorithm, self.best, *names)
        return next((name for name in candidates if name in names), None)

    def result(self, algorithm: str) -> AlgorithmResult:
        """Return the row of an algorithm.

        Raises:
            KeyError: if there is none.
        """
        return {row.algorithm: row for row in self.results}[algorithm]

    def section(self, key: str) -> Any:
        """Return the result of a section. It is empty or None if it was not requested."""
        return self.sections[key]

    def with_section(self, key: str, result: Any) -> Report:
        """Return the report with the result of a section and the same advice."""
        return replace(self, sections={**self.sections, key: result})
