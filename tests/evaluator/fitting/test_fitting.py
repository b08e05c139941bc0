from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, Callable, Tuple

import numpy as np
import pytest
from catalog_helpers import PRESETS, Floats, defaults, ids, parameters_near_defaults, snapshot_with_presets
from hypothesis import given, settings
from hypothesis import strategies as st
from made_logs import card, learner, similar_cards, table
from reference_sets import data

from evaluator import derivatives
from evaluator.algorithms import CATALOG, fsrs7
from evaluator.algorithms.algorithm import RECENCY, Parameter, Recurrent
from evaluator.data.dataset import Dataset
from evaluator.data.folds import split
from evaluator.data.histories import WITH_SAME_DAY, Histories, Inputs
from evaluator.data.revlog import Sm2Settings
from evaluator.evaluation import evaluate, prepare
from evaluator.fitting import fisher_scoring, objective, training
from evaluator.fitting.fisher_scoring import MAX_PASSES, STALL_SHARE, Minimum, minimize
from evaluator.fitting.fit import fit_and_predict
from evaluator.fitting.objective import OutcomeCounts, PenalizedLogLoss, Prior, Scale
from evaluator.fitting.predictor import Predictor, predict_tested
from evaluator.fitting.recurrence import Recurrence
from evaluator.fitting.training import TrainingSet
from evaluator.options import Options
from evaluator.progress import SILENT, Progress

#: Algorithms for tests that need only some. Tests of every algorithm are in test_every_algorithm.py.
TRAINED = [CATALOG[name] for name in ("FSRS-5", "FSRS-6", "FSRS-6 recency")]


def learner_dataset() -> Dataset:
    return prepare(learner(), Options())[0]


def objective_of(algorithm: Recurrent, dataset: Dataset, fold: int) -> PenalizedLogLoss:
    """Return the objective that is minimized for this fold, with the prior centered on the defaults."""
    widths = np.array([p.width for p in algorithm.parameters])
    prior = Prior(Scale(algorithm.parameters).to_search(np.array(defaults(algorithm))), widths, algorithm.penalty)
    return TrainingSet(algorithm, dataset).objective(fold, prior)


def test_loss_matches_hand_calculation():
    """The only parameter is the predicted probability p of two queries.

    Three reviews are recalled and one is forgotten. The prior has width 0.5 around 0.7. The loss is
    -3 ln p - ln(1 - p) + ((p - 0.7) / 0.5)^2, and the information is 4 / (p (1 - p)) + 2 / 0.5^2.
    """
    t = table(*similar_cards(), *card(1, 3, (1, 3), (1, 3)))
    histories = Histories.of(t.rows, t.reviews, Inputs())
    assert histories.query_node.tolist() == [0, 1]
    outcomes = OutcomeCounts(np.array([2.0, 1.0]), np.array([1.0, 0.0]))
    prior = Prior(np.array([0.7]), np.array([0.5]), Constant().penalty)
    objective = PenalizedLogLoss(Scale(Constant().parameters), Recurrence(Constant(), histories), outcomes, prior)
    at = np.array([0.6])
    gradient_first, information_first = objective.evaluate(at), objective.evaluate(at)
    assert information_first.information == pytest.approx(np.array([[4 / (0.6 * 0.4) + 2 / 0.5**2]]))
    for loss in (gradient_first, information_first):
        assert loss.loss == pytest.approx(-3 * np.log(0.6) - np.log(0.4) + (0.1 / 0.5) ** 2)
        assert loss.gradient == pytest.approx(np.array([-3 / 0.6 + 1 / 0.4 + 2 * (0.6 - 0.7) / 0.5**2]))
    assert gradient_first.information == pytest.approx(information_first.information)


class Constant(Recurrent):
    """Algorithm whose only parameter is its prediction."""

    parameters = (Parameter(0.7, 0.01, 0.99, 0.5),)

    def __init__(self) -> None:
        super().__init__("constant", "")

    def first(self, w, rating):
        return (w[0] + 0.0 * rating,)

    def step(self, w, state, elapsed, rating):
        return (state[0] + 0.0 * rating,)

    def recall(self, w, state, elapsed):
        return state[0] + 0.0 * elapsed


@pytest.mark.parametrize("algorithm", TRAINED, ids=ids)
def test_histories_of_one_review_can_be_trained_on(algorithm):
    t = table(*(a for n in range(30) for a in card(n, 3, (1, 1 if n % 5 == 0 else 3), start=n)))
    dataset = Dataset(t.rows, t.reviews, split(len(t.reviews), 5))
    assert len(list(dataset.histories(WITH_SAME_DAY).levels())) == 1
    result = fit_and_predict(algorithm, dataset)
    assert ((result.predicted > 0) & (result.predicted < 1)).all()


def test_scale_converts_to_logarithms_and_back():
    """Parameters on a log scale are searched by their logarithm, with d w / d x = w."""
    scale = Scale((Parameter(2, 1, 9, log=True), Parameter(-3, -9, 9)))
    w = np.array([np.e, -1.0])
    assert scale.to_search(w) == pytest.approx(np.array([1, -1]))
    assert scale.to_parameters(scale.to_search(w)) == pytest.approx(w)
    assert scale.stretch(w) == pytest.approx(np.array([np.e, 1]))


def test_outcomes_are_gathered_at_their_queries():
    """Forty reviews of one history, half after one day and half after two, are counted with and without weights."""
    t = table(*similar_cards(), *similar_cards(elapsed=2, cards=20, number=500))
    histories = Histories.of(t.rows, t.reviews, Inputs())
    recalled = np.arange(40) % 4 > 0
    for weights in (np.ones(40), np.arange(40) / 10):
        outcomes = OutcomeCounts.from_reviews(histories.query_of_review, recalled.astype(np.int64), weights)
        for index in range(histories.n_queries):
            mask = histories.query_of_review == index
            assert outcomes.recalled[index] == pytest.approx((weights * recalled)[mask].sum())
            assert outcomes.forgotten[index] == pytest.approx((weights * ~recalled)[mask].sum())


def test_chunks_make_no_difference(monkeypatch):
    """Derivatives are the same 7 elements at a time and all at once."""
    algorithm = CATALOG["FSRS-6"]
    recur = Recurrence(algorithm, learner_dataset().histories(algorithm.inputs))
    sets = parameters_near_defaults(algorithm, 3, 6)
    all_at_once = [recur.linearize(w) for w in sets]
    monkeypatch.setattr(derivatives, "CHUNK", 7)
    for w, expected in zip(sets, all_at_once, strict=True):
        parts = recur.linearize(w)
        np.testing.assert_allclose(parts.predicted, expected.predicted, rtol=1e-14)
        np.testing.assert_allclose(parts.jacobian(), expected.jacobian(), rtol=1e-12, atol=1e-15)


def test_pieces_of_the_information_make_no_difference(monkeypatch):
    algorithm = CATALOG["FSRS-6"]
    loss = objective_of(algorithm, learner_dataset(), 2)
    x = Scale(algorithm.parameters).to_search(np.array(defaults(algorithm)))
    monkeypatch.setattr(objective, "MIN_BATCH", 1)
    monkeypatch.setattr(objective, "MAX_SINGLE_THREAD_PRODUCTS", 7 * len(x) ** 2)
    pieces = loss.evaluate(x).information
    monkeypatch.setattr(objective, "MIN_BATCH", 8)
    np.testing.assert_allclose(pieces, loss.evaluate(x).information, rtol=1e-9, atol=1e-9 * np.abs(pieces).max())


#: Script that prints digests of predictions.
_DIGEST = """
import hashlib
from test_fitting import CATALOG, data, fit_and_predict
for name in ("FSRS-6 recency", "DASH"):
    print(hashlib.sha256(fit_and_predict(CATALOG[name], data("sim-a")).predicted.tobytes()).hexdigest())
"""


def test_predictions_do_not_depend_on_the_number_of_processors():
    digests = []
    for threads in ("1", "2"):
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": threads, "PYTHONPATH": os.pathsep.join(sys.path)}
        command = [sys.executable, "-c", _DIGEST]
        done = subprocess.run(command, cwd=Path(__file__).parent, env=environment, capture_output=True, check=True)
        digests.append(done.stdout)
    assert digests[0] == digests[1]
    assert len(digests[0].split()) == 2


@pytest.mark.parametrize("algorithm", TRAINED, ids=ids)
def test_sampling_cards_barely_changes_predictions(algorithm, monkeypatch):
    """Only the path of the search depends on the sample.

    Predictions end within 0.02 of each other, and their log loss within 0.0002.
    """
    dataset = data("sim-a")
    unsampled = fit_and_predict(algorithm, dataset)
    monkeypatch.setattr(training, "FISHER_CARDS", 150)
    sampled = fit_and_predict(algorithm, dataset)
    assert sampled.converged.all()
    assert not np.array_equal(sampled.parameters, unsampled.parameters)
    np.testing.assert_allclose(sampled.predicted, unsampled.predicted, rtol=0, atol=0.02)
    recalled = dataset.reviews.recalled[dataset.folds[0].test_start :] == 1
    losses = [-np.log(np.where(recalled, f.predicted, 1 - f.predicted)).mean() for f in (unsampled, sampled)]
    assert losses[0] == pytest.approx(losses[1], abs=2e-4)


@pytest.mark.parametrize("name", ["FSRS v4", "FSRS-6", "FSRS-7", "DASH"])
@pytest.mark.parametrize("simultaneous", [False, True])
def test_predictions_are_those_of_the_parameters(name, simultaneous):
    """Also if the first tested review of each fold is at the same time as the last one that is trained on."""
    dataset = data("sim-c")
    algorithm = CATALOG[name]
    if simultaneous:
        first = [fold.test_start for fold in dataset.folds]
        review_id = dataset.reviews.review_id.copy()
        review_id[first] = review_id[np.array(first) - 1]
        dataset = Dataset(dataset.rows, replace(dataset.reviews, review_id=review_id), dataset.folds)
    fitted = fit_and_predict(algorithm, dataset)
    expected = predict_tested(algorithm, dataset, fitted.parameters)
    np.testing.assert_allclose(fitted.predicted, expected, rtol=1e-12)


def test_recency_weights_match_their_formula():
    """The weights are 0.25 + 0.75 x^3 from the oldest review (x = 0) to the newest (x = 1).

    In FSRS-7, they are 0.0667 + 0.9333 x^11.25 with x = i / n for n reviews, numbered from i = 0.
    """
    assert RECENCY.weights(5) == pytest.approx([0.25 + 0.75 * (k / 4) ** 3 for k in range(5)])
    assert RECENCY.weights(1) == pytest.approx([0.25])
    assert fsrs7.RECENCY.weights(4) == pytest.approx([0.0667 + 0.9333 * (i / 4) ** 11.25 for i in range(4)])


def test_each_fold_trains_on_all_that_came_before_it():
    dataset = data("sim-c")
    for name in ("FSRS-6", "FSRS-6 recency"):
        algorithm = CATALOG[name]
        outcomes = [objective_of(algorithm, dataset, fold).outcomes for fold in range(5)]
        total = [counts.count.sum() for counts in outcomes]
        n = [fold.test_start for fold in dataset.folds]
        assert total == pytest.approx(n if name == "FSRS-6" else [RECENCY.weights(k).sum() for k in n])


def test_long_histories_are_predicted_but_not_trained_on():
    """If a card has 101 rows, only reviews with histories of up to 64 rows are trained on."""
    t = table(*similar_cards(), *card(1, 3, *[(1, 3)] * 100))
    dataset = Dataset(t.rows, t.reviews, split(len(t.reviews), 5))
    algorithm = CATALOG["FSRS-6"]
    last = dataset.folds[-1]
    outcomes = objective_of(algorithm, dataset, 4).outcomes
    # The other 20 cards have a review each, and each fold tests 20 reviews.
    assert last.test_start == 120 - 20
    assert outcomes.recalled.sum() == 20 + 64


class Problem:
    """A loss with a formula for its value, gradient and stated curvature."""

    def __init__(self, formula: Callable[[Floats], Tuple[float, Floats, Floats]]) -> None:
        self.formula = formula
        self.tried = []  #: points at which the loss was computed
        self.informed = 0  #: how often the curvature was requested

    def evaluate(self, x: Floats) -> ProblemAt:
        self.tried.append(x)
        return ProblemAt(self, *self.formula(x))


class ProblemAt:
    """The loss at a point."""

    def __init__(self, problem: Problem, loss: float, gradient: Floats, information: Floats) -> None:
        self._problem = problem
        self.loss = loss
        self.gradient = gradient
        self._information = information

    @property
    def information(self) -> Floats:
        self._problem.informed += 1
        return self._information


def search(problem: Problem, start: Any, lower: Any, upper: Any) -> Minimum:
    """Run the optimizer to its end, and check that it never tries a point outside the bounds."""
    low, high = np.asarray(lower, dtype=float), np.asarray(upper, dtype=float)
    widths = np.full(len(low), np.inf)
    minimum = minimize(problem, start, low, high, widths=widths, stall_share=STALL_SHARE, progress=SILENT)
    for x in problem.tried:
        assert ((x >= low) & (x <= high)).all()
    assert len(problem.tried) <= MAX_PASSES
    return minimum


def quadratic(a: Floats, center: Floats) -> Callable[[Floats], Tuple[float, Floats, Floats]]:
    """Return the formula of (x - c)' A (x - c) / 2."""
    return lambda x: (float((x - center) @ a @ (x - center) / 2), a @ (x - center), a)


class TestMinimize:
    @settings(max_examples=15)
    @given(st.integers(0, 2**32 - 1), st.integers(1, 6))
    def test_random_quadratics_in_a_box_are_minimized(self, seed, size):
        random = np.random.default_rng(seed)
        root = random.normal(size=(size, size))
        a = root @ root.T + 0.1 * np.eye(size)
        loss = quadratic(a, random.normal(0, 2, size))
        minimum = search(Problem(loss), random.uniform(-1, 1, size), -np.ones(size), np.ones(size))
        x = np.zeros(size)
        for _ in range(1000):
            x = np.clip(x - loss(x)[1] / np.linalg.norm(a, 2), -1, 1)
        assert loss(minimum.x)[0] <= loss(x)[0] + 1e-3
        assert minimum.converged

    @pytest.mark.parametrize("kink", [0.3, -2.0, 5.0])
    def test_search_ends_at_a_kink(self, kink):
        """|x - kink| + (x - kink)^2 / 2 has a kink that the information does not show."""

        def loss(x):
            off = x[0] - kink
            return abs(off) + off**2 / 2, np.array([np.sign(off) + off]), np.eye(1)

        minimum = search(Problem(loss), [9], [-10], [10])
        assert minimum.converged
        assert loss(minimum.x)[0] < fisher_scoring.STALL

    @pytest.mark.parametrize("bad", [float("nan"), float("inf")])
    @pytest.mark.parametrize("edge", [1.05, 1.5, 1.9])
    def test_search_leaves_regions_without_a_finite_loss(self, bad, edge):
        tried = []

        def loss(x):
            tried.append(x[0])
            if x[0] > edge:
                return bad, np.array([bad]), np.array([[bad]])
            return float((x[0] - 1) ** 2), 2 * (x - 1), np.eye(1)

        minimum = search(Problem(loss), [0], [-10], [10])
        assert max(tried) > edge
        assert minimum.converged
        assert loss(minimum.x)[0] < fisher_scoring.STALL

    def test_search_stops_after_its_maximum_of_passes(self, monkeypatch):
        monkeypatch.setattr(fisher_scoring, "MAX_PASSES", 3)
        slow = quadratic(np.eye(1), np.array([1e6]))
        endless = Problem(lambda x: (*slow(x)[:2], 50 * np.eye(1)))
        assert not search(endless, [0], [-1e7], [1e7]).converged
        assert len(endless.tried) == 3
        assert search(Problem(quadratic(np.eye(1), np.array([0.5]))), [0], [-1e7], [1e7]).converged

    def test_search_at_the_minimum_stops_evaluating(self):
        problem = Problem(quadratic(np.eye(1), np.zeros(1)))
        search(problem, [0], [-9], [9])
        assert (len(problem.tried), problem.informed) == (1, 1)

    def test_progress_is_reported_after_each_pass_but_the_last(self):
        problem = Problem(quadratic(np.eye(1), np.array([3.0])))
        fractions = []
        progress = Progress(lambda fraction, *_: fractions.append(fraction))
        bounds = np.array([-9.0]), np.array([9.0])
        minimize(problem, np.zeros(1), *bounds, widths=np.full(1, np.inf), stall_share=STALL_SHARE, progress=progress)
        assert len(problem.tried) == len(fractions) + 1 > 1


def test_settled_folds_are_counted():
    finished = []
    fit_and_predict(CATALOG["FSRS-6"], learner_dataset(), progress=Progress(lambda *step: finished.append(step[3])))
    assert finished == sorted(finished)
    assert finished[0] == 0
    assert set(finished) == set(range(6))


def test_anki_sm2_uses_the_options_of_each_cards_preset():
    algorithm = CATALOG["Anki-SM-2"]
    snapshot = snapshot_with_presets()
    sm2 = Sm2Settings(graduating_interval=3, starting_ease=2.8, hard_factor=1.1, easy_bonus=1.5, interval_modifier=1.2)
    presets = (replace(PRESETS[1], sm2=Sm2Settings()), replace(PRESETS[0], sm2=sm2))
    fitted = {}
    for name, presets_used in (("default", PRESETS), ("changed", presets)):
        evaluation = evaluate(replace(snapshot, presets=presets_used), Options(algorithms=("Anki-SM-2",), folds=2))
        fitted[name] = evaluation.evidence.fitted["Anki-SM-2"]
        data = evaluation.evidence.data
    first = data.folds[0].test_start
    is_first_preset = data.label("preset")[first:] == PRESETS[0].preset_id
    expected = Predictor(algorithm, data.histories(algorithm.inputs)).predict(
        np.array([3, 4, 2.8, 1.5, 1.1, 0, 1.2]), slice(first, None)
    )
    np.testing.assert_array_equal(
        fitted["changed"].predicted, np.where(is_first_preset, expected, fitted["default"].predicted)
    )
    assert 0 < is_first_preset.mean() < 1
    assert np.abs(expected - fitted["default"].predicted)[is_first_preset].max() > 0.05
    assert (fitted["default"].note, fitted["changed"].note) == (None, "sm2_options")
