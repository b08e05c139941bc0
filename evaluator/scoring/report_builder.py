"""Build the report from the predictions of each algorithm."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

import numpy as np

from .. import __version__
from ..algorithms.algorithm import Algorithm
from ..data.revlog import HARD, Ints
from ..derivatives import Floats
from ..fitting.fit import Fitted
from ..fitting.training import SEED as TRAINING_SEED
from ..interval import WORSE
from ..metrics import METRICS
from ..metrics.calibration_bins import calibration
from ..options import Options
from ..report import (
    ADJUSTED,
    AVERAGE,
    AlgorithmResult,
    Comparison,
    Failure,
    Note,
    Report,
    RowCount,
    Scope,
    Verdict,
    require_finite,
)
from ..scope import SAME_DAY_TABLE
from ..statistics.calibration_line import calibration_line
from .context import ScoredPredictions
from .evidence import Evidence

#: A verdict is about the first algorithm here that was run with the chosen baseline, or with the first of
#: :data:`BASELINES` that was run.
HEADLINES = ("FSRS-6 optimized", "FSRS-6", "FSRS-6 recency", "FSRS-5", "FSRS-6 default", "FSRS-5 default")
#: Algorithms that are made for the same-day table. There they come before :data:`HEADLINES`.
MADE_FOR_SAME_DAY = ("FSRS-7", "FSRS-7 recency", "FSRS-7 default")
#: Tolerance for probabilities outside 0 to 1.
ROUNDING = 1e-9

#: The rows of Anki's SM-2 as it is, its own variant first.
SM2 = ("Anki-SM-2", "SM-2")
#: All others are compared with the first one here that was run, unless the user has chosen another one.
BASELINES = (ADJUSTED, *SM2, AVERAGE)


@dataclass(frozen=True)
class Predictions:
    """One row per scored review, in review order, as arrays of length n."""

    review_id: Ints  #: Anki's id of the review, the time of the answer in milliseconds since 1970
    card_id: Ints  #: Anki's id of the card
    elapsed_days: Ints  #: whole days of study since the card was last seen
    fold: Ints  #: number of the fold that tested it, from 1
    recalled: Ints  #: 1 if the answer was not Again
    predicted: Dict[str, Floats]  #: probability of recall by algorithm, NaN if it made none


@dataclass(frozen=True)
class Evaluation:
    """The state of an evaluation, as passed to the callers of :func:`evaluator.evaluation.evaluate`."""

    report: Report
    predictions: Predictions
    evidence: Evidence  #: the data that sections are computed from
    timing: Dict[str, float] = field(default_factory=dict)  #: seconds by stage and by algorithm


class ReportBuilder:
    """Score algorithms on the same reviews, one after the other, and report the results so far."""

    def __init__(
        self,
        evidence: Evidence,
        row_counts: Tuple[RowCount, ...],
        algorithms: Sequence[str],
        sections: Mapping[str, Any],
    ) -> None:
        """Start without results.

        Args:
            evidence: the evidence before any algorithm has run.
            row_counts: for the report.
            algorithms: names of the algorithms to add, in the order of the catalog.
            sections: the report's initial sections.
        """
        self._sections = dict(sections)
        self._start = evidence
        self._row_counts = row_counts
        self._names = list(algorithms)
        self._options = evidence.options
        self._scoring = evidence.scoring
        self._scope = _scope(evidence)
        self._fitted: Dict[str, Fitted] = {}
        self._results: List[AlgorithmResult] = []
        self._comparisons: Dict[Tuple[str, str], Comparison] = {}
        self.timing: Dict[str, float] = {}

    def add(self, algorithm: Algorithm, fitted: Fitted) -> None:
        """Score the predictions of one algorithm and add its row to the report.

        Raises:
            FloatingPointError: if a prediction is not a probability, or a number of the row is not finite.
        """
        predicted = fitted.predicted
        bad_values = predicted[~((predicted >= -ROUNDING) & (predicted <= 1 + ROUNDING))]
        if len(bad_values):
            raise FloatingPointError(f"{algorithm.name} predicted {bad_values[0]:.12g}, which is not a probability")
        scored = ScoredPredictions(predicted, self._scoring)
        row = self._row(
            algorithm,
            *fitted.algorithms,
            log_loss=scored.log_loss,
            parameters_per_fold=tuple(tuple(map(float, w)) for w in fitted.parameters),
            converged_per_fold=tuple(map(bool, fitted.converged)),
            in_sample=fitted.in_sample,
            note=fitted.note,
            clipped=fitted.clipped,
            **self._row_metrics(scored),
        )
        require_finite(row, algorithm.name)
        self._fitted[algorithm.name] = fitted
        self._results.append(row)

    def _row_metrics(self, scored: ScoredPredictions) -> Dict[str, Any]:
        """Compute the metrics and calibration of a row, or only the requested metrics."""
        requested = self._options.metrics
        metrics = {key: METRICS[key].compute(scored) for key in (METRICS if requested is None else requested)}
        if requested is not None:
            return {"metrics": metrics}
        scoring = self._scoring
        return {
            "metrics": metrics,
            "calibration": calibration(scored.predicted, scoring.recalled),
            "calibration_line": calibration_line(scored.predicted, scoring.recalled, scoring.clusters),
        }

    def fail(self, algorithm: Algorithm, reason: Failure) -> None:
        """Add the row of an algorithm that could not be run."""
        self._results.append(self._row(algorithm, metrics=dict.fromkeys(METRICS), error=reason))

    def _row(self, algorithm: Algorithm, *replacements: Algorithm, **result: Any) -> AlgorithmResult:
        """Build the row of an algorithm.

        Args:
            algorithm: the algorithm that the row names.
            replacements: the algorithms that were run in its place, if any.
            result: further fields of the row.
        """
        inputs = (item.input_codes(same_day=self._scope.same_day) for item in replacements or (algorithm,))
        return AlgorithmResult(
            algorithm=algorithm.name,
            family=algorithm.family,
            description=algorithm.description,
            trained=algorithm.trained,
            parameter_count=algorithm.trained_count,
            uses=tuple(dict.fromkeys(chain.from_iterable(inputs))),
            size=self._scope.reviews,
            **result,
        )

    @property
    def _evidence(self) -> Evidence:
        """The evidence with the algorithms added so far, in the order of the catalog."""
        fitted = {name: self._fitted[name] for name in self._names if name in self._fitted}
        return replace(self._start, fitted=fitted)

    def evaluation(self) -> Evaluation:
        """Return the report and the predictions of the algorithms added so far, as frozen values.

        Raises:
            FloatingPointError: if a number of the report is not finite.
        """
        results = sorted(self._results, key=lambda row: (row.log_loss is None, row.log_loss))
        candidates = [row for row in results if not row.in_sample]
        report = Report(
            software=f"SRS Evaluator {__version__}",
            scope=self._scope,
            funnel=self._row_counts,
            baseline=None,
            best=next((row.algorithm for row in (*candidates, *results) if row.log_loss is not None), None),
            results=tuple(results),
            verdict=Verdict("no_pair", None, None, self._scoring.clusters.basis),
            unfinished=tuple(name for name in self._names if name not in {row.algorithm for row in results}),
            training_seed=TRAINING_SEED,
            sections=self._sections,
        )
        if self._options.metrics is None:
            report = self._with_comparisons(report)
        require_finite(report, "report")
        return Evaluation(report, self._predictions(), self._evidence, dict(self.timing))

    def _with_comparisons(self, report: Report) -> Report:
        """Add the comparisons of all rows with the baseline and, if all have finished, the best rows."""
        finished_names = list(self._evidence.fitted)
        _algorithm, baseline = choose_pair(self._names, report.results, self._options)
        # The verdict's baseline may not have been run yet.
        if baseline not in finished_names:
            baseline = choose_baseline(finished_names, self._options.baseline) if len(self._names) > 1 else None
        compared_names = [name for name in finished_names if name != baseline]
        against_baseline = {name: self._compare(name, baseline) for name in compared_names if baseline is not None}
        return replace(
            report,
            baseline=baseline,
            results=tuple(replace(row, against_baseline=against_baseline.get(row.algorithm)) for row in report.results),
            best_set=() if report.unfinished else self._find_best_set(report.results),
        )

    def _compare(self, algorithm: str, baseline: str) -> Comparison:
        """Return the paired difference of two algorithms.

        It is cached, because every partial report needs all pairs.
        """
        pair = algorithm, baseline
        if pair not in self._comparisons:
            self._comparisons[pair] = self._evidence.compare(*pair)
        return self._comparisons[pair]

    def _find_best_set(self, results: Sequence[AlgorithmResult]) -> Tuple[str, ...]:
        """Return the algorithms of :attr:`Report.best_set`, given all rows sorted by log loss."""
        names = [row.algorithm for row in results if not row.in_sample and row.log_loss is not None]
        if len(names) < 2:
            return ()
        best, *others = names
        best_set = (best, *(name for name in others if self._compare(name, best).code != WORSE))
        return () if AVERAGE in best_set else best_set

    def _predictions(self) -> Predictions:
        """Return the predictions of the algorithms added so far."""
        tested = self._scoring.tested
        folds = self._start.data.folds
        return Predictions(
            review_id=tested.review_id,
            card_id=tested.card_id,
            elapsed_days=tested.elapsed_days,
            fold=np.repeat(np.arange(1, len(folds) + 1), [fold.test_stop - fold.test_start for fold in folds]),
            recalled=tested.recalled,
            predicted={name: fitted.predicted for name, fitted in self._evidence.fitted.items()},
        )


def _scope(evidence: Evidence) -> Scope:
    """Return what the numbers of a report on this evidence cover."""
    tested = evidence.tested
    options = evidence.options
    collection = evidence.collection
    clock = collection.clock
    basis = evidence.scoring.clusters.basis
    return Scope(
        reviews=basis.reviews,
        cards=basis.cards,
        days=basis.days,
        first_day=clock.date_of(int(tested.day[0])).isoformat(),
        last_day=clock.date_of(int(tested.day[-1])).isoformat(),
        recalled=float(tested.recalled.mean()),
        hard=int(np.count_nonzero(evidence.data.rows.rating[tested.row] == HARD)),
        folds=options.folds,
        since=None if options.since is None else options.since.isoformat(),
        day_cutoff=clock.first_boundary_after(int(evidence.data.rows.review_id.max())),
        utc_offset_minutes=clock.utc_offset_minutes,
        rollover_hour=clock.rollover_hour,
        day_cutoff_assumed=clock.assumed,
        kind=collection.choice.kind,
        name=collection.choice.name,
        same_day=options.same_day,
        outlier_filter=options.outlier_filter,
        renumbered_buttons=collection.renumbered_buttons,
        notes=tuple(Note(code, count) for code, count in collection.notes),
        baseline=options.baseline,
        fsrs=collection.fsrs,
        table=options.table,
    )


def choose_pair(
    names: Sequence[str], results: Sequence[AlgorithmResult], options: Options
) -> Tuple[Optional[str], Optional[str]]:
    """Return the algorithm that a verdict is about, and its baseline. They are chosen by name.

    Args:
        names: the requested algorithms, in an order that does not depend on their results.
        results: the results so far. The next ones replace those that failed.
        options: the chosen baseline, the table, and the pasted parameters, of which in-sample ones are never chosen.
    """
    pasted_in_sample = {item.name for item in options.pasted if item.in_sample}
    names = [name for name in names if name not in pasted_in_sample]
    failed = {row.algorithm for row in results if row.error is not None}
    remaining = [name for name in names if name not in failed]
    names = remaining if len(remaining) > 1 else names
    without_chosen = [name for name in names if name != options.baseline]
    candidates = [name for name in without_chosen if name not in BASELINES]
    headlines = (*MADE_FOR_SAME_DAY, *HEADLINES) if options.table == SAME_DAY_TABLE else HEADLINES
    algorithm = first_available(headlines, candidates) or first_available(BASELINES, without_chosen) or options.baseline
    return algorithm, choose_baseline([name for name in names if name != algorithm], options.baseline)


def choose_baseline(names: Sequence[str], chosen_baseline: Optional[str]) -> Optional[str]:
    """Return the algorithm that all others are compared with. The chosen one is preferred, if it is among the names."""
    return first_available((chosen_baseline, *BASELINES), names)


def first_available(preferred: Sequence[Optional[str]], available: Sequence[str]) -> Optional[str]:
    """Return the first preferred name that is available, or else the first available one."""
    return next((name for name in preferred if name in available), available[0] if available else None)
