"""The report itself, with the scope, the row accounting, a row for each algorithm, the verdict and the sections."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Mapping, Optional, Tuple

from ..interval import MARGIN, MIN_FOR_TABLE, ConfidenceInterval
from ..scope import WHOLE_DAY_TABLE
from .finding import OFF, PRESET, Advice, Finding, Hard, Rivalry
from .values import CalibrationBin, Comparison, Failure, SampleSize

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
class RowCount:
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
    #: Trained, published or entered parameters, in the algorithm's own order. If each preset is trained by itself, they
    #: are those of the most used preset. Empty if there are none.
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
    #: Number of stored or entered FSRS parameters that are outside the bounds, so that they are clipped as in Anki, by
    #: the name of the user's preset or of the row. Presets of the same name are added up.
    clipped: Mapping[str, int] = field(default_factory=dict)
    error: Optional[Failure] = None  #: reason for missing numbers

    def value(self, metric: str) -> Optional[float]:
        """Return the log loss, or another metric by its key. It is None if it is not known."""
        return self.log_loss if metric == "log_loss" else self.metrics.get(metric)


@dataclass(frozen=True)
class Verdict:
    """Comparison of two algorithms, which are FSRS and SM-2 if both were run, with the advice that follows from it.

    It is what the first screen says if there are no findings: FSRS is off or not known to be on, or the table has
    same-day reviews.
    """

    #: The claim of ``rivalry``, or "too_few" or "rare_outcome" if there is no interval. Without a comparison,
    #: "unfinished" if one of the two has no result, or "no_pair" if there is nothing to compare.
    code: str
    algorithm: Optional[str]  #: the first algorithm
    baseline: Optional[str]  #: the algorithm that it is compared with, SM-2 adjusted to the user if possible
    basis: SampleSize
    rivalry: Optional[Rivalry] = None  #: the comparison of this pair; None if there is none
    #: The first algorithm compared with Anki's SM-2 as it is, or with SM-2. None if the pair is not FSRS and adjusted
    #: SM-2, or if SM-2 has no result.
    as_is: Optional[Rivalry] = None
    advice: Optional[Advice] = None  #: what to do, only if FSRS is off
    sign: str = ""  #: "question" if the comparison is open, otherwise "dot"; empty without a comparison


@dataclass(frozen=True)
class Report:
    """The results of one evaluation."""

    software: str  #: the program and its version
    scope: Scope
    funnel: Tuple[RowCount, ...]
    baseline: Optional[str]  #: the algorithm that all others are compared with
    best: Optional[str]  #: the algorithm with the lowest log loss, an in-sample one only if there is no other
    results: Tuple[AlgorithmResult, ...]  #: sorted by log loss, best first, failed ones last
    verdict: Verdict
    #: The findings: the whole, then each of several presets, those first with the most to do, each followed by its
    #: decks. Empty until the rows that they need have finished, and if there is no FSRS to be tested.
    findings: Tuple[Finding, ...] = ()
    #: Index of the finding whose reviews the scope, the results and the graphs are about. 0 is the whole.
    subject: int = 0
    hard: Optional[Hard] = None  #: whether Hard was pressed for forgotten cards; None until all rows have finished
    unfinished: Tuple[str, ...] = ()  #: algorithms that were requested and have not been run
    #: The best algorithm, and those that were not worse on these reviews by more than chance, or by too little to
    #: matter. In-sample ones and one that a verdict calls worse are left out. Empty if guessing would be among them, if
    #: there are fewer than two algorithms, and until all have finished.
    best_set: Tuple[str, ...] = ()
    training_seed: Optional[int] = None  #: seed of the draw of cards for the search of parameters, if there are many
    #: Code of a quick back-test, see :class:`evaluator.workload.result.BackTest`. It shows whether the section
    #: "workload" will probably have loads. None without FSRS-6, with same-day reviews, and until all rows are there.
    workload_test: Optional[str] = None
    margin: float = MARGIN  #: differences of log loss of at most this size do not matter
    #: Results by section, see :data:`evaluator.sections.SECTIONS`. In the JSON each is in the report itself. It is
    #: empty or None if it was not requested.
    sections: Mapping[str, Any] = field(default_factory=dict)
    version: int = field(default=REPORT_VERSION)  #: version of this form, see :data:`REPORT_VERSION`

    @property
    def finding(self) -> Optional[Finding]:
        """The finding whose reviews the results are about, or None if there are no findings."""
        return self.findings[self.subject] if self.findings else None

    @property
    def opening_subject(self) -> int:
        """Index of the finding with which the screen opens: the preset that is off most certainly, or the whole."""
        presets_off = [
            index for index, finding in enumerate(self.findings) if finding.kind == PRESET and finding.state == OFF
        ]
        return max(presets_off, key=lambda index: self.findings[index].recall.n_certainly_off, default=0)

    @property
    def has_table(self) -> bool:
        """Whether there are enough reviews for a table and graphs."""
        return self.scope.reviews >= MIN_FOR_TABLE

    @property
    def headline_algorithm(self) -> Optional[str]:
        """The first of these that has a result: the finding's algorithm, the verdict's algorithm, the best one."""
        finished = {row.algorithm for row in self.results if row.log_loss is not None}
        preferred = (self.finding.algorithm if self.finding is not None else None, self.verdict.algorithm)
        return next((name for name in preferred if name in finished), self.best)

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
        """Return the report with the result of a section."""
        return replace(self, sections={**self.sections, key: result})
