"""The scored reviews, with what all algorithms need to be scored on them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from ..data.reviews import Reviews
from ..data.revlog import Ints
from ..derivatives import Floats
from ..metrics import bins, scores
from ..metrics.skill import running_average, running_average_by_class
from ..report import Comparison
from ..statistics.paired import Clusters, compare, paired_difference
from ..statistics.published_results import has_published_differences, probability_better
from ..statistics.slicings import interval_class


@dataclass(eq=False)
class ScoringContext:
    """The scored reviews with everything that scoring an algorithm needs."""

    tested: Reviews  #: the scored reviews
    training: Reviews  #: the earlier reviews, which train the first fold
    has_peers: bool  #: whether published results of other collections apply to these reviews

    def __post_init__(self) -> None:
        tested = self.tested
        self.recalled = tested.recalled
        self.clusters: Clusters = Clusters.of(tested.card_id, tested.day, tested.recalled)
        #: The cell of each review in RMSE (bins), with the constants of the wiki page and with those of the benchmark.
        self.wiki_cells, self.benchmark_cells = (
            bins.cells(constants, tested.elapsed_days, tested.review_number, tested.lapses)
            for constants in (bins.WIKI, bins.BENCHMARK)
        )

    @cached_property
    def average_loss(self) -> float:
        """Log loss of always predicting the average of all earlier outcomes."""
        return float(self.loss(running_average(self.recalled, self.training.recalled)).mean())

    @cached_property
    def interval_average_loss(self) -> float:
        """Log loss of always predicting the average of all earlier outcomes at similar intervals."""
        tested_classes = interval_class(self.tested)
        training_classes = interval_class(self.training)
        predicted = running_average_by_class(self.recalled, tested_classes, self.training.recalled, training_classes)
        return float(self.loss(predicted).mean())

    def loss(self, predicted: Floats) -> Floats:
        """Return the log loss of each review."""
        return scores.log_loss_per_review(predicted, self.recalled)

    def compare(self, algorithm: str, baseline: str, difference: Floats, clusters: Clusters) -> Comparison:
        """Compare two algorithms on some reviews, with the probability of being better if it can be estimated.

        Args:
            algorithm: the name of the algorithm.
            baseline: the name of the baseline.
            difference: the loss of the algorithm minus that of the baseline on each of these reviews (n,).
            clusters: their cards and days.
        """
        comparison = compare(algorithm, baseline, difference, clusters)
        if not self.has_peers or not has_published_differences(algorithm, baseline):
            return comparison
        expected_difference = paired_difference(difference, clusters)
        return replace(comparison, chance=probability_better(algorithm, baseline, expected_difference, len(difference)))


@dataclass(frozen=True, eq=False)
class ScoredPredictions:
    """The predictions of one algorithm as its metrics see them. Each part is computed on first use."""

    predicted: Floats  #: probability of recall of each scored review (n,)
    scoring: ScoringContext  #: the scored reviews

    @cached_property
    def loss(self) -> Floats:
        """Log loss of each review (n,)."""
        return self.scoring.loss(self.predicted)

    @cached_property
    def order(self) -> Ints:
        """Indices of the reviews from the lowest to the highest prediction (n,)."""
        return scores.sort_order(self.predicted)

    @property
    def recalled(self) -> Ints:
        """Outcome of each review (n,)."""
        return self.scoring.recalled

    @property
    def log_loss(self) -> float:
        """Mean log loss of all reviews."""
        return float(self.loss.mean())
