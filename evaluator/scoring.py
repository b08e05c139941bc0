"""Everything that one algorithm's predictions are scored by, on the reviews that all algorithms share."""

from __future__ import annotations

from typing import Any, Dict

import numpy as np
import numpy.typing as npt

from .metrics import bins, calibration, scores
from .metrics.decomposition import decompose
from .metrics.isotonic import fit_of
from .metrics.noise_floor import noise_floor
from .metrics.skill import running_average, running_average_by_class, skill
from .report import Comparison
from .reviews import Reviews
from .revlog import Ints
from .slicings import interval_class
from .statistics.calibration_line import calibration_line
from .statistics.paired import Clusters, comparison

Floats = npt.NDArray[np.float64]


class Scoring:
    """What does not depend on the algorithm is worked out once: cells, clusters, and the forecasters to beat."""

    def __init__(self, tested: Reviews, before: Reviews) -> None:
        """``tested`` are scored; ``before`` came earlier, and is what the first fold is trained on."""
        self.recalled = tested.recalled
        self.clusters = Clusters.of(tested.card_id, tested.day)
        self._cells = [
            bins.cells(constants, tested.elapsed_days, tested.review_number, tested.lapses)
            for constants in (bins.PAGE, bins.BENCHMARK)
        ]
        average = running_average(tested.recalled, before.recalled)
        by_class = running_average_by_class(
            tested.recalled, interval_class(tested), before.recalled, interval_class(before)
        )
        self._average, self._interval_average = (float(self.loss(p).mean()) for p in (average, by_class))

    @property
    def page_cells(self) -> Ints:
        """The cell of each review, with the constants of the metric's own page."""
        return self._cells[0]

    def loss(self, predicted: Floats) -> Floats:
        """The log loss of each review."""
        return scores.log_loss_per_review(predicted, self.recalled)

    def score(self, predicted: Floats) -> Dict[str, Any]:
        """The numbers of :class:`evaluator.report.AlgorithmResult`, by field."""
        recalled = self.recalled
        groups = calibration.calibration(predicted, recalled)
        ties = scores.Ties.of(predicted, recalled)
        parts = decompose(predicted, recalled, fit_of(ties))
        log_loss = parts.log_loss.score
        page, benchmark = (noise_floor(predicted, recalled, cells) for cells in self._cells)
        return {
            "log_loss": log_loss,
            "log_loss_parts": parts.log_loss,
            "skill_average": skill(log_loss, self._average),
            "skill_interval_average": skill(log_loss, self._interval_average),
            "rmse_bins": page.value,
            "rmse_bins_floor": page.floor,
            "rmse_bins_excess": page.excess,
            "rmse_bins_benchmark": benchmark.value,
            "rmse_bins_benchmark_floor": benchmark.floor,
            "rmse_bins_benchmark_excess": benchmark.excess,
            "auc": scores.auc(ties),
            "brier": parts.brier.score,
            "rmse_prediction_bins": calibration.rmse_prediction_bins(groups.equal_width),
            "mae_prediction_bins": calibration.mae_prediction_bins(groups.equal_width),
            "mean_predicted": float(predicted.mean()),
            "calibration": groups,
            "calibration_line": calibration_line(predicted, recalled, self.clusters),
        }

    def compare(self, algorithm: str, predicted: Floats, baseline: str, predicted_by_baseline: Floats) -> Comparison:
        """The paired difference of two algorithms and what it means in practice."""
        difference = self.loss(predicted) - self.loss(predicted_by_baseline)
        return comparison(algorithm, baseline, difference, self.clusters)
