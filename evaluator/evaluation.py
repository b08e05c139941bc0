"""Evaluation from end to end, from the snapshot of a collection to the report."""

from __future__ import annotations

import logging
import time
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Callable, Optional, Sequence, Tuple

import numpy as np

from . import errors
from .algorithms.algorithm import Source
from .algorithms.fsrs6 import FSRS_6
from .data.dataset import Dataset
from .data.folds import split
from .data.reviews import CardRows, prepare_reviews
from .data.revlog import Snapshot
from .data.row_accounting import count_outcomes, non_target_counts, set_outcomes
from .errors import EvaluatorError, NothingToCompare
from .findings import drop_worse_from_best_set, judge
from .findings.subjects import evidence_on
from .fitting.anki_optimizer import Optimizer, PresetOptimizer
from .fitting.fit import fit_and_predict
from .interval import MIN_DAYS, ConfidenceInterval
from .options import Options
from .progress import SILENT, Cancelled, Progress
from .report import Failure, Report, RowCount, require_finite
from .scope import SAME_DAY_TABLE, WHOLE_DAY_TABLE
from .scoring.evidence import Evidence
from .scoring.report_builder import Evaluation, ReportBuilder
from .sections import EMPTY_SECTIONS, add_sections
from .statistics.published_results import probability_better
from .workload.back_test import run_back_test
from .workload.inputs import WorkloadInputs

_LOG = logging.getLogger(__name__)

#: The section that is about the shown subject, unlike the others.
GRAPHS = "graphs"
#: Share of the preparation in the whole work, for the progress bar.
PREPARING_SHARE = 0.05


def evaluate(
    snapshot: Snapshot,
    options: Options,
    *,
    optimizer: Optional[Optimizer] = None,
    optimize: Optional[PresetOptimizer] = None,
    progress: Progress = SILENT,
    on_update: Optional[Callable[[Evaluation], object]] = None,
) -> Evaluation:
    """Evaluate every requested algorithm on the reviews of a snapshot.

    Args:
        snapshot: a collection. Passing the only reference saves a tenth of the memory.
        options: what to evaluate, and how.
        optimizer: Anki's own optimizer, for the row "FSRS-rs". Without it, that row says that it is missing.
        optimize: Anki's Optimize, for the advice on optimizing. Without it, our own optimizer is used.
        progress: called with the stage ("preparing" or "algorithm"), the algorithm and the number of finished folds.
        on_update: called with the evaluation so far after each algorithm.

    Returns:
        The evaluation after the last algorithm.

    Raises:
        EvaluatorError: if the snapshot cannot be evaluated, see :mod:`evaluator.errors`.
    """
    options = options.for_snapshot(snapshot)
    algorithms = options.algorithms_to_run()
    options = replace(options, baseline=options.baseline_name())
    start_time = time.perf_counter()
    progress(0.0, "preparing")
    try:
        data, row_counts = prepare(snapshot, options)
    except (errors.EmptyRevlog, NothingToCompare) as error:
        _add_facts(error, snapshot, options)
        raise
    progress(PREPARING_SHARE / 2, "preparing")
    prepare_all = None
    if snapshot.fsrs and (snapshot.selection is not None or options.since is not None):
        prepare_all = partial(prepare, replace(snapshot, selection=None), replace(options, since=None))
    evidence = replace(Evidence.of(snapshot, options, data), optimize=optimize, prepare_all=prepare_all)
    names = [algorithm.name for algorithm in algorithms]
    builder = ReportBuilder(evidence, row_counts, names, EMPTY_SECTIONS)
    earlier_report: Optional[Report] = None
    workload_inputs = WorkloadInputs.of(replace(evidence, snapshot=snapshot))
    del snapshot
    builder.timing["preparing"] = time.perf_counter() - start_time

    # Anki's optimizer is run last, because it can be cancelled between folds only.
    algorithms.sort(key=lambda algorithm: algorithm.source is Source.ANKI)
    bounds = np.linspace(PREPARING_SHARE, 1.0, len(algorithms) + 1).tolist()
    for algorithm, start, stop in zip(algorithms, bounds, bounds[1:]):
        part_progress = progress.part(start, stop, stage="algorithm", algorithm=algorithm.name, total=options.folds)
        start_time = time.perf_counter()
        part_progress(0.0)
        try:
            builder.add(algorithm, fit_and_predict(algorithm, data, optimizer, part_progress))
        except (Cancelled, MemoryError):
            raise
        except Exception as error:  # noqa: BLE001 - a mistake in one algorithm must not cost the other rows
            if not isinstance(error, (EvaluatorError, FloatingPointError)):
                _LOG.debug(algorithm.name, exc_info=True)
            builder.fail(algorithm, Failure.of(error))
        builder.timing[algorithm.name] = time.perf_counter() - start_time
        # A report takes a while, so none is built without a recipient.
        if on_update is not None or algorithm is algorithms[-1]:
            evaluation = builder.evaluation()
            if options.metrics is None:
                judging_progress = part_progress.part(1.0, 1.0, done=options.folds)
                evaluation = _with_findings(evaluation, names, earlier_report, judging_progress, workload_inputs)
            earlier_report = evaluation.report
        if on_update is not None:
            on_update(evaluation)
        part_progress(1.0, done=options.folds)
    return evaluation


def _add_facts(error: EvaluatorError, snapshot: Snapshot, options: Options) -> None:
    """Add the further facts of :class:`evaluator.errors.NothingToCompare` to an error."""
    if isinstance(error, NothingToCompare) and snapshot.selection is not None:
        error.facts["choice"] = snapshot.choice
    if options.table == WHOLE_DAY_TABLE and not isinstance(error, errors.NothingSince):
        n_scored = error.facts["reviews"] if isinstance(error, errors.OneOutcome) else 0
        error.facts["others"] = probability_better("FSRS-6", "Anki-SM-2", ConfidenceInterval(None), n_scored)


def _with_findings(
    evaluation: Evaluation,
    names: Sequence[str],
    earlier: Optional[Report],
    progress: Progress,
    workload_inputs: WorkloadInputs,
) -> Evaluation:
    """Add the findings and, once all algorithms have finished, the code of a quick back-test."""
    evidence = evaluation.evidence
    report = judge(evaluation.report, evidence, names, earlier, progress)
    if not report.unfinished and report.scope.table == WHOLE_DAY_TABLE:
        # Without fitted parameters there is no forecast. A mistake in the simulation must not cost the other results.
        with suppress(Exception):
            w = np.array(report.result(FSRS_6.name).parameters_per_fold[-1])
            report = replace(report, workload_test=run_back_test(workload_inputs, SILENT, w).code)
    require_finite(report, "report")
    # Free the snapshot that preparing all reviews holds, which may be large.
    evidence = evidence if report.unfinished else replace(evidence, prepare_all=None)
    return replace(evaluation, report=report, evidence=evidence)


def show_subject(evaluation: Evaluation, subject: int) -> Evaluation:
    """Return the evaluation with the rows of one finding's reviews, and without graphs, which are to be computed again.

    Args:
        evaluation: a complete evaluation whose evidence is always that of the whole.
        subject: index of the finding.

    Raises:
        IndexError: if there is no such finding.
    """
    report = evaluation.report
    evidence = evaluation.evidence
    if subject == report.subject:
        return evaluation
    subject_evidence = evidence_on(evidence, report.findings[subject])
    builder = ReportBuilder(replace(subject_evidence, fitted={}), report.funnel, list(evidence.fitted), EMPTY_SECTIONS)
    for name, fitted in subject_evidence.fitted.items():
        builder.add(evidence.algorithm(name), fitted)
    subject_report = builder.evaluation().report
    scope = subject_report.scope
    failed = tuple(replace(row, size=scope.reviews) for row in report.results if row.error is not None)
    shown = replace(
        report.with_section(GRAPHS, EMPTY_SECTIONS[GRAPHS]),
        scope=scope,
        baseline=subject_report.baseline,
        best=subject_report.best,
        results=(*subject_report.results, *failed),
        subject=subject,
        best_set=() if report.unfinished else subject_report.best_set,
    )
    return replace(evaluation, report=drop_worse_from_best_set(shown))


def show_whole(evaluation: Evaluation) -> Evaluation:
    """Return the evaluation with the rows of the whole, and with the sections that it has."""
    whole = show_subject(evaluation, 0)
    has_graphs = whole is not evaluation and bool(evaluation.report.section(GRAPHS))
    return add_sections(whole, [GRAPHS]) if has_graphs else whole


def prepare(snapshot: Snapshot, options: Options) -> Tuple[Dataset, Tuple[RowCount, ...]]:
    """Return the data that algorithms are run on, and the number of rows of the log with each outcome.

    Raises:
        SecondsUnknown: if the same-day table is requested and the log has no exact times.
        EmptyRevlog: if the log has no rows.
        PartEmpty: if the search for the cards to evaluate finds none.
        NothingToCompare: if the log has too few reviews, or only one outcome.
    """
    if options.table == SAME_DAY_TABLE and snapshot.elapsed_days is not None:
        raise errors.SecondsUnknown
    if not len(snapshot.revlog) and not snapshot.unread:
        raise errors.EmptyRevlog
    rows, reviews, outcome = prepare_reviews(
        snapshot, table=options.table, same_day=options.same_day, outlier_filter=options.outlier_filter
    )
    row_counts = count_outcomes(outcome, snapshot.unread)
    if snapshot.selection is not None and non_target_counts(row_counts) == [("outside_scope", len(outcome))]:
        choice = snapshot.selection.choice
        n_cards = len(snapshot.selection.card_id)
        if choice.kind == "search" and not n_cards:
            raise errors.PartEmpty(search=choice.name)
        raise errors.NothingInScope(cards=n_cards)
    if options.table == WHOLE_DAY_TABLE and len(rows) and not rows.elapsed_days.any():
        raise _no_later_day_error(rows, row_counts)
    since_day = -np.inf
    if options.since is not None:
        since_day = snapshot.clock.day_of_date(options.since)
        is_early = reviews.day < since_day
        if len(is_early) and is_early.all():
            last = snapshot.clock.date_of(int(reviews.day[-1]))
            raise errors.NothingSince(since=options.since.isoformat(), last=last.isoformat())
        set_outcomes(outcome, rows.log_row[reviews.row], before_since=is_early)
        reviews = reviews.take(~is_early)
    if not len(reviews):
        raise errors.AllFiltered(rows=sum(count.rows for count in row_counts), funnel=non_target_counts(row_counts))
    folds = split(len(reviews), options.folds)
    tested = reviews.recalled[folds[0].test_start :]
    if tested.min() == tested.max():
        raise errors.OneOutcome(reviews=len(tested), outcome=int(tested[0]))
    set_outcomes(outcome, rows.log_row[reviews.row], training_only=np.arange(len(reviews)) < folds[0].test_start)
    presets = snapshot.presets or ()
    decks = snapshot.decks or ()
    has_exact_times = snapshot.elapsed_days is None
    data = Dataset(rows, reviews, folds, snapshot.cards, since_day, presets, decks, has_exact_times)
    return data, count_outcomes(outcome, snapshot.unread)


def _no_later_day_error(rows: CardRows, row_counts: Tuple[RowCount, ...]) -> errors.NoLaterDay:
    """Return the error of a log in which no card was seen again on a later day, with its facts."""
    counts = dict(non_target_counts(row_counts))
    counts.pop("outside_scope", None)
    return errors.NoLaterDay(
        reviews=sum(counts.pop(step, 0) for step in ("first_review", "same_day", "same_day_left_out")),
        cards=int((rows.position == 0).sum()),
        days=len(np.unique(rows.day)),
        needed=MIN_DAYS,
        same_day=int(np.count_nonzero(rows.elapsed_seconds)),
        funnel=list(counts.items()),
    )
