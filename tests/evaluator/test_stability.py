"""Training beside test, when training pays, and the evidence over time, on a simulated log."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Tuple

import numpy as np
import pytest
from catalogue_helpers import Floats, equipped, optimiser

from evaluator.algorithms import CATALOGUE
from evaluator.evaluation import evaluate
from evaluator.interval import Interval
from evaluator.metrics.scores import log_loss_per_review
from evaluator.options import Options
from evaluator.progress import Progress
from evaluator.sections import add_sections
from evaluator.sections.stability import MOST_POINTS, Stability, compute
from evaluator.statistics.learning_curve import learning_curve
from evaluator.tally import Evaluation

from .reference_sets import evaluation as reference_evaluation
from .reference_sets import snapshot


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    return add_sections(reference_evaluation("sim-a"), ["stability"])


@pytest.fixture(scope="module")
def found(evaluation: Evaluation) -> Stability:
    assert evaluation.report.section("stability") is not None
    return evaluation.report.section("stability")


def all_losses(evaluation: Evaluation, algorithm: str, w: Floats) -> Floats:
    """Of the whole table, the plain way: every place of the trie at once."""
    assert evaluation.evidence is not None
    data, stated = evaluation.evidence.data, CATALOGUE[algorithm]
    histories = data.histories(stated.inputs)
    predicted = stated.on_trie(histories).predict(w)[histories.place_of_review]  # type: ignore[arg-type]
    return log_loss_per_review(predicted, data.reviews.recalled)


class TestTrainAndTest:
    def test_trained_algorithms_in_catalogue_order(self, found: Stability) -> None:
        assert [row.algorithm for row in found.losses] == ["FSRS-5", "FSRS-6", "FSRS-6 recency"]

    @pytest.mark.parametrize("algorithm", ["FSRS-5", "FSRS-6 recency"])
    def test_losses_are_those_of_a_plain_replay(self, evaluation: Evaluation, found: Stability, algorithm: str) -> None:
        """Training: all reviews before the fold at its parameters. Test: the fold's own."""
        assert evaluation.evidence is not None
        row = next(row for row in found.losses if row.algorithm == algorithm)
        fitted, folds = evaluation.evidence.fitted[algorithm], evaluation.evidence.data.folds
        default = all_losses(evaluation, algorithm, np.array([p.default for p in CATALOGUE[algorithm].parameters]))
        for fold, w, loss in zip(folds, fitted.parameters, row.folds, strict=True):
            losses = all_losses(evaluation, algorithm, w)
            train, test = slice(fold.test_start), slice(fold.test_start, fold.test_stop)
            assert (loss.training_reviews, loss.tested_reviews) == (fold.test_start, fold.test_stop - fold.test_start)
            assert (loss.train, loss.test) == pytest.approx((losses[train].mean(), losses[test].mean()), abs=1e-12)
            assert (loss.default_train, loss.default_test) == pytest.approx(
                (default[train].mean(), default[test].mean()), abs=1e-12
            )
            assert loss.gap == loss.test - loss.train

    def test_means_over_the_folds(self, evaluation: Evaluation, found: Stability) -> None:
        """Folds are of equal size, so the test loss is the table's."""
        for row in found.losses:
            assert row.test == pytest.approx(evaluation.report.result(row.algorithm).log_loss, abs=1e-12)
            assert row.train == pytest.approx(sum(fold.train for fold in row.folds) / 5, abs=1e-12)
            assert row.gap == pytest.approx(row.test - (row.train or 0.0), abs=1e-12)
        default = evaluation.report.result("FSRS-6 default").log_loss
        assert found.losses[1].default_test == pytest.approx(default, abs=1e-12)

    def test_training_gains_where_it_learns(self, found: Stability) -> None:
        """The last fold's parameters fit the reviews they were learned from better than the default ones."""
        for row in found.losses:
            assert row.folds[-1].train < row.folds[-1].default_train

    def test_parameters_of_presets_are_not_kept(self) -> None:
        """The row says so; its test loss stands."""
        options = Options(algorithms=("FSRS-6 preset", "SM-2"), folds=2)
        report = add_sections(evaluate(equipped(), options), ["stability"]).report
        assert report.section("stability") is not None
        (row,) = report.section("stability").losses
        assert (row.folds, row.train, row.gap, row.reason) == ((), None, None, "own_parameters")
        assert row.test == pytest.approx(report.result("FSRS-6 preset").log_loss, abs=1e-12)
        assert report.section("stability").learning is not None
        assert report.section("stability").learning.algorithm == "FSRS-6 preset"

    def test_parameters_from_elsewhere_are_replayed_too(self) -> None:
        """Anki's optimiser gives some for each fold."""
        options = Options(algorithms=("FSRS-rs", "SM-2"), folds=2)
        evaluated = evaluate(equipped(), options, optimiser=optimiser())
        report = add_sections(evaluated, ["stability"]).report
        assert report.section("stability") is not None
        assert [len(row.folds) for row in report.section("stability").losses] == [2]


def in_all(of: Interval) -> Tuple[float, ...]:
    """The number and its interval, which is there."""
    assert of.ends is not None
    return (of.known, *of.ends)


class TestLearning:
    def test_it_is_the_verdicts_algorithm_against_its_default(self, evaluation: Evaluation, found: Stability) -> None:
        """As the curve of the two rows' own predictions."""
        evidence = evaluation.evidence
        assert evidence is not None
        trained, default = (
            evidence.scoring.loss(evidence.fitted[name].predicted) for name in ("FSRS-6", "FSRS-6 default")
        )
        sizes = np.repeat(
            [f.test_start for f in evidence.data.folds], [f.test_stop - f.test_start for f in evidence.data.folds]
        )
        expected = learning_curve(trained - default, sizes, evidence.scoring.clusters)
        assert found.learning is not None
        assert found.learning.algorithm == "FSRS-6"
        assert found.learning.curve.pays_from == expected.pays_from
        for point, other in zip(found.learning.curve.points, expected.points, strict=True):
            assert point.training_reviews == other.training_reviews
            assert in_all(point.difference) == pytest.approx(in_all(other.difference), abs=1e-12)

    def test_all_folds_together(self, found: Stability, evaluation: Evaluation) -> None:
        """As the two rows are compared elsewhere."""
        assert found.learning is not None
        overall = found.learning.overall
        expected = next(c for c in evaluation.report.verdict.comparisons if c.baseline == "FSRS-6 default")
        assert (overall.algorithm, overall.code) == ("FSRS-6", expected.code)
        assert in_all(overall.difference) == pytest.approx(in_all(expected.difference), abs=1e-12)

    def test_the_default_row_need_not_be_run(self, found: Stability) -> None:
        """It is predicted here then."""
        evaluated = evaluate(snapshot("sim-a"), Options(algorithms=("SM-2", "FSRS-6")))
        alone = add_sections(evaluated, ["stability"]).report.section("stability")
        assert alone is not None
        assert alone.learning == found.learning

    def test_nothing_trained(self) -> None:
        """There is evidence, but nothing to learn."""
        evaluated = evaluate(snapshot("sim-c"), Options(algorithms=("SM-2", "FSRS-6 default")))
        report = add_sections(evaluated, ["stability"]).report
        assert report.section("stability") is not None
        assert (report.section("stability").losses, report.section("stability").learning) == ((), None)
        assert report.section("stability").evidence is not None


class TestEvidence:
    def test_it_ends_with_the_verdicts_difference(self, evaluation: Evaluation, found: Stability) -> None:
        """After the last day all reviews have been seen."""
        evidence, verdict = found.evidence, evaluation.report.verdict
        assert evidence is not None
        assert (evidence.algorithm, evidence.baseline) == (verdict.algorithm, verdict.baseline)
        last, scope = evidence.points[-1], evaluation.report.scope
        assert (last.date, last.reviews, evidence.days) == (scope.last_day, scope.reviews, scope.days)
        ((paired, low, high), (mean, lowest, highest)) = map(
            in_all, (verdict.comparisons[0].difference, last.difference)
        )
        assert mean == pytest.approx(paired, abs=1e-12)
        assert lowest < low < high < highest, "one pays for looking often"

    def test_thinned_in_the_order_of_time(self, found: Stability) -> None:
        """Few enough to draw, with the first, the last and the deciding day."""
        evidence = found.evidence
        assert evidence is not None
        assert len(evidence.points) <= MOST_POINTS < evidence.days
        assert all(a.date < b.date and a.reviews < b.reviews for a, b in pairwise(evidence.points))
        assert evidence.decided in evidence.points
        assert evidence.points[0].difference.reason == "too_few"

    def test_the_deciding_day_leaves_out_0_and_those_before_do_not(self, found: Stability) -> None:
        evidence = found.evidence
        assert evidence is not None
        assert evidence.decided is not None
        assert evidence.decided.difference.side() == -1
        before = [point for point in evidence.points if point.date < evidence.decided.date]
        assert all(point.difference.side() in (None, 0) for point in before)

    def test_one_algorithm_has_nothing_to_be_compared_with(self) -> None:
        evaluated = evaluate(snapshot("sim-c"), Options(algorithms=("FSRS-6",)))
        report = add_sections(evaluated, ["stability"]).report
        assert report.section("stability") is not None
        assert report.section("stability").evidence is None


def test_progress_never_falls(evaluation: Evaluation) -> None:
    """From 0 to 1, however many algorithms there are."""
    assert evaluation.evidence is not None
    steps: list[float] = []
    progress = Progress(lambda fraction, *_: steps.append(fraction))
    compute(evaluation.report, replace(evaluation.evidence), [], progress)
    assert steps == sorted(steps)
    assert 0 <= steps[0] < steps[-1] < 1
