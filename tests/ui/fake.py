"""Made-up evaluations that show every state of the window without computing anything.

They are a small real evaluation with other names and numbers in its rows.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Callable, Optional, Sequence, Tuple

import numpy as np

from evaluator.algorithms import ALGORITHM_GROUPS, CATALOG
from evaluator.data.revlog import Clock, Revlog, Snapshot
from evaluator.evaluation import evaluate
from evaluator.interval import ConfidenceInterval
from evaluator.options import Options
from evaluator.progress import Progress
from evaluator.report import (
    OWN,
    AlgorithmResult,
    CalibrationBin,
    CalibrationLine,
    Comparison,
    Failure,
    Report,
    Rivalry,
    RowCount,
    SampleSize,
    Verdict,
)
from evaluator.scoring.report_builder import Evaluation
from evaluator.sections import EMPTY_SECTIONS

#: Name, log loss, RMSE (bins), AUC, and how much predictions near 0 are too high.
ALGORITHMS = (
    ("AVG", 0.4050, 0.080, None, 0.0),
    ("SM-2", 0.4400, 0.100, 0.650, -0.35),
    ("FSRS-5 default", 0.3850, 0.050, 0.690, 0.08),
    ("FSRS-5", 0.3770, 0.041, 0.702, 0.05),
    ("FSRS-6 default", 0.3800, 0.044, 0.694, 0.06),
    ("FSRS-6", 0.3750, 0.036, 0.706, 0.03),
    ("FSRS-6 recency", 0.3745, 0.033, 0.7074, 0.02),
)
NAMES = tuple(row[0] for row in ALGORITHMS)
#: All algorithms, including one in sample.
MANY = ALGORITHM_GROUPS["all"]
BASELINE = "SM-2"
REVIEWS = 16_000
#: Reason for a failed algorithm.
DETAIL = "The fit did not settle within 100 steps."
#: Difference from the lowest log loss below which an algorithm is among the best.
MAX_TIE = 0.001


@functools.cache
def small_evaluation() -> Evaluation:
    """Evaluate the first reviews of a simulated log, without the tools, which need a newer Python than some Ankis."""
    log = Path(__file__).parents[1] / "data" / "sim-a" / "revlog.csv.gz"
    columns = np.loadtxt(log, dtype=np.int64, delimiter=",", skiprows=1, max_rows=2000, unpack=True)
    return evaluate(Snapshot(Revlog(*columns), Clock(1_600_056_000)), Options(("AVG", "SM-2", "FSRS-6"), folds=2))


def calibration(tilt: float, *, single: bool = False) -> Tuple[CalibrationBin, ...]:
    """Return calibration groups in which recall is too low by ``tilt`` at 0 and right at 1, or a ``single`` group."""
    edges = [math.log(k + 1) / math.log(21) for k in range(21)]
    # Most predictions are near 0.93. Those of a bad algorithm are spread widely.
    weights = [math.exp(-((left - 0.93) ** 2) / (0.5 if tilt < -0.1 else 0.02)) for left in edges[:-1]]
    if single:
        weights = [float(k == 15) for k in range(20)]
    groups = []
    for left, right, weight in zip(edges[:-1], edges[1:], weights):
        count = round(REVIEWS * weight / sum(weights))
        predicted = (left + right) / 2
        recalled = min(max(predicted - tilt * (1 - predicted) + 0.01 * math.sin(40 * predicted), 0.0), 1.0)
        if count:
            groups.append(CalibrationBin(left, right, predicted, recalled, count))
    return tuple(groups)


def result(name: str, *, error: Optional[Failure] = None) -> AlgorithmResult:
    """Return a row with made-up numbers, or with the error."""
    log_loss, rmse, auc, tilt = {row[0]: row[1:] for row in ALGORITHMS}.get(name) or _made_up(name)
    algorithm = CATALOG[name]
    small = small_evaluation().report.result("FSRS-6")
    row = AlgorithmResult(
        name,
        algorithm.family,
        algorithm.description,
        trained=algorithm.trained,
        parameter_count=algorithm.trained_count,
        uses=algorithm.input_codes(),
        size=REVIEWS,
        in_sample=name == OWN,
    )
    if error is not None:
        return replace(row, error=error)
    slope = ConfidenceInterval(1 - tilt, 0.96 - tilt, 1.04 - tilt, 0.02)
    # 0.44 is the log loss of the baseline.
    difference = ConfidenceInterval(log_loss - 0.4400, -0.069, -0.061, 0.002)
    return replace(
        row,
        log_loss=log_loss,
        metrics={
            **small.metrics,
            # The divisors are the log losses of the averages.
            "skill_average": 1 - log_loss / 0.4051,
            "skill_interval_average": 1 - log_loss / 0.3921,
            "rmse_bins": rmse,
            "rmse_bins_benchmark": rmse * 0.9,
            "rmse_bins_benchmark_floor": 0.02,
            "rmse_bins_benchmark_excess": math.sqrt(max(0.0, (0.9 * rmse) ** 2 - 0.02**2)),
            "mae_prediction_bins": 0.4 * rmse,
            "rmse_prediction_bins": 0.5 * rmse,
            "auc": auc,
        },
        calibration=calibration(tilt, single=name == "AVG"),
        calibration_line=CalibrationLine(slope, ConfidenceInterval(-tilt, -tilt - 0.04, -tilt + 0.04, 0.02)),
        against_baseline=None if name == BASELINE else Comparison(name, BASELINE, difference, "better"),
    )


def _made_up(name: str) -> Tuple[float, float, float, float]:
    """Return log loss, RMSE, AUC and tilt for an algorithm that is not in ``ALGORITHMS``."""
    share = MANY.index(name) * 11 % len(MANY) / len(MANY)
    return 0.3695 + 0.1 * share, 0.033 + 0.08 * share, 0.72 - 0.07 * share, 0.04 - 0.4 * share


def report(names: Sequence[str] = NAMES, *, requested: Sequence[str] = NAMES, failed: Sequence[str] = ()) -> Report:
    """Return the report after ``names`` of the ``requested`` algorithms have finished. ``failed`` ones have no result.

    If SM-2 and FSRS-6 have finished, FSRS-6 is better.
    """
    rows = [result(name, error=Failure("arithmetic", {"detail": DETAIL}) if name in failed else None) for name in names]
    rows.sort(key=lambda row: (row.log_loss is None, row.log_loss or 0.0))
    successful = [row.algorithm for row in rows if row.log_loss is not None]
    baseline = BASELINE if BASELINE in successful else None
    difference = ConfidenceInterval(-0.0650, -0.069, -0.061, 0.002)
    verdict = Verdict("unfinished", "FSRS-6", BASELINE, SampleSize(REVIEWS, 2801, 612))
    if baseline and "FSRS-6" in successful:
        comparison = Comparison("FSRS-6", BASELINE, difference, "better")
        rivalry = Rivalry(comparison, difference, "better", REVIEWS)
        verdict = replace(verdict, code="better", rivalry=rivalry)
    small = small_evaluation().report
    return replace(
        small,
        scope=replace(small.scope, reviews=REVIEWS, fsrs=None),
        funnel=(*small.funnel[:-1], RowCount("scored", "scored", REVIEWS)),
        baseline=baseline,
        best=next((name for name in successful if name != OWN), successful[0] if successful else None),
        results=tuple(rows),
        verdict=verdict,
        hard=None,
        unfinished=tuple(name for name in requested if name not in names),
        best_set=_best_set(rows) if set(requested) <= set(names) else (),
        sections=EMPTY_SECTIONS,
    )


def _best_set(rows: Sequence[AlgorithmResult]) -> Tuple[str, ...]:
    losses = [(row.algorithm, row.log_loss) for row in rows if row.log_loss is not None and not row.in_sample]
    return tuple(name for name, loss in losses if loss < losses[0][1] + MAX_TIE) if len(losses) > 1 else ()


def evaluation(
    names: Sequence[str] = NAMES, *, requested: Sequence[str] = NAMES, failed: Sequence[str] = ()
) -> Evaluation:
    """Return an evaluation with the made-up report. Every algorithm has the predictions of the small evaluation."""
    small = small_evaluation()
    predicted = {name: small.predictions.predicted["FSRS-6"] for name in names if name not in failed}
    made_up = report(names, requested=requested, failed=failed)
    return replace(small, report=made_up, predictions=replace(small.predictions, predicted=predicted))


@dataclass
class FakeEvaluate:
    """Replacement for ``evaluator.evaluation.evaluate`` that returns made-up results at once."""

    names: Sequence[str] = NAMES  #: algorithms to "run"
    failed: Sequence[str] = ()  #: the algorithms among them whose row is an error
    raises: Optional[BaseException] = None  #: error to raise
    raises_after: int = 0  #: number of algorithms to finish before the error is raised

    def __call__(
        self, *_: object, progress: Progress, on_update: Callable[[Evaluation], object], **_options: object
    ) -> Evaluation:
        folds = 5
        names = []
        progress(0.02, "preparing")
        for name in self.names:
            if self.raises is not None and len(names) >= self.raises_after:
                raise self.raises
            for fold in range(folds):
                done = len(names) + fold / folds
                progress(0.05 + 0.95 * done / len(self.names), "algorithm", name, fold, folds)
            names.append(name)
            on_update(evaluation(names, requested=self.names, failed=[item for item in self.failed if item in names]))
            progress(0.05 + 0.95 * len(names) / len(self.names), "algorithm", name, folds, folds)
        return evaluation(names, requested=self.names, failed=self.failed)
