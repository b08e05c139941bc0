from __future__ import annotations

from dataclasses import replace
from typing import List, Tuple

import numpy as np
import pytest
from catalog_helpers import (
    FORMULAS,
    ON_TRIE,
    TRAINED,
    TRAINED_FORMULAS,
    Floats,
    Steps,
    bounds,
    central_differences,
    dataset_of,
    defaults,
    fit,
    fittable,
    fitted_to_lively,
    ids,
    on_cards,
    parameters_near_defaults,
    snapshot_with_presets,
)
from made_logs import card, lively

from evaluator.algorithms import CATALOG
from evaluator.algorithms.algorithm import Algorithm, Training
from evaluator.data.revlog import Snapshot
from evaluator.evaluation import prepare
from evaluator.fitting import replay, training
from evaluator.fitting.fit import fit_and_predict
from evaluator.fitting.kernels import make_replay
from evaluator.fitting.objective import Prior, Scale
from evaluator.fitting.training import TrainingSet
from evaluator.options import Options

OF_EACH_KIND = ("FSRS v4", "FSRS-6", "FSRS-7", "GRU-P", "ACT-R", "LSTM", "Anki-SM-2 calibrated")

#: First rating and steps of cards at the limits: long histories of the same answers, and intervals of a century.
HOSTILE: List[Tuple[int, Steps]] = [
    (1, [(1, 1)] * 127),
    (1, [(0, 1)] * 126 + [(1, 1)]),
    (4, [(36_500, 4)] * 127),
    (4, [(1, 4)] * 127),
    (4, [(0, 4)] * 126 + [(36_500, 4)]),
    (2, [(1, 2)] * 127),
    (3, [(1, 3), (1, 1)] * 63),
    (2, [(36_500, 1), (0, 4)] * 63 + [(36_500, 1)]),
    (4, [(1, 4), (36_500, 1)] * 63),
    (3, [(36_500, 3)]),
]


def hostile_cards(seed: int, random_cards: int) -> List[Tuple[int, Steps]]:
    """Return :data:`HOSTILE` and random cards, each with a query after one day and after a hundred years."""
    random = np.random.default_rng(seed)
    drawn = []
    for _ in range(random_cards):
        elapsed = random.choice([0, 0, 1, 2, 30, 365, 36_500], size=int(random.integers(1, 25)))
        ratings = random.choice([1, 2, 3, 4], size=len(elapsed), p=random.dirichlet(np.ones(4)))
        steps = [(int(t), int(rating)) for t, rating in zip(elapsed, ratings, strict=True)]
        drawn.append((int(random.integers(1, 5)), steps))
    return [(first, [*steps, (days, 3)]) for first, steps in HOSTILE + drawn for days in (1, 36_500)]


def defaults_and_corners(algorithm: Algorithm, seed: int, count: int) -> Floats:
    """Return the defaults, the lower bounds, the upper bounds and random corners of the box between them.

    An algorithm without parameters gets one empty set.
    """
    random = np.random.default_rng(seed)
    lower, upper = bounds(algorithm)
    if not len(lower):
        return np.empty((1, 0))
    chosen = [np.where(random.random(len(lower)) < 0.5, lower, upper) for _ in range(count)]
    return np.array([defaults(algorithm), lower, upper, *chosen])


@pytest.fixture
def in_double_precision(monkeypatch):
    """Compute in double precision, which finite differences need."""
    monkeypatch.setattr(replay, "SINGLE_PRECISION_FROM", np.inf)


@pytest.mark.usefixtures("in_double_precision")
@pytest.mark.parametrize("algorithm", TRAINED_FORMULAS, ids=ids)
def test_jacobian_gradient_and_finite_differences_agree(algorithm):
    dataset = dataset_of(snapshot_with_presets(lively(seed=2)))
    replayed = make_replay(algorithm, dataset.histories(algorithm.inputs))
    random = np.random.default_rng(2)
    for w in parameters_near_defaults(algorithm, 2, 2):
        at = replayed.linearize(w)
        np.testing.assert_allclose(at.predicted, replayed.predict(w), rtol=1e-13)

        jacobian = at.jacobian()
        assert jacobian.shape == (len(w), len(at.predicted))
        for p, slope in enumerate(central_differences(replayed.predict, w)):
            size = np.abs(jacobian[p]).max()
            np.testing.assert_allclose(jacobian[p], slope, rtol=1e-5, atol=2e-5 * size + 1e-8, err_msg=f"w{p}")

        by_predicted = random.normal(size=at.predicted.shape)
        np.testing.assert_allclose(at.gradient(by_predicted), jacobian @ by_predicted, rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("algorithm", TRAINED_FORMULAS, ids=ids)
def test_every_parameter_matters(algorithm):
    replayed = make_replay(algorithm, dataset_of(snapshot_with_presets()).training(algorithm.inputs)[1])
    jacobian = replayed.linearize(parameters_near_defaults(algorithm, 1, 4)[0]).jacobian()
    # With two buttons, these parameters have no effect, because no review is Hard or Easy.
    unused = {1, 3, 15, 16} if algorithm.inputs.two_buttons else set()
    assert {p for p, slope in enumerate(jacobian) if not slope.any()} <= unused


@pytest.mark.usefixtures("in_double_precision")
@pytest.mark.parametrize("algorithm", ON_TRIE, ids=ids)
def test_loss_matches_its_gradient_and_information_is_positive_definite(algorithm):
    scale = Scale(algorithm.parameters)
    training_set = TrainingSet(algorithm, dataset_of(snapshot_with_presets()))
    center = scale.to_search(np.array(defaults(algorithm)))
    prior = Prior(center, np.array([p.width for p in algorithm.parameters]), algorithm.penalty)
    random = np.random.default_rng(5)
    for fold, w in enumerate(parameters_near_defaults(algorithm, 2, 5)):
        objective = training_set.objective(fold, prior)
        x = scale.to_search(w)
        gradient = objective.evaluate(x).gradient
        # Reading the information first computes the gradient in another way.
        evaluation = objective.evaluate(x)
        information = evaluation.information
        indices = random.permutation(len(x))[:12]
        slopes = central_differences(lambda x, evaluate=objective.evaluate: evaluate(x).loss, x, indices)
        np.testing.assert_allclose(gradient[indices], slopes, rtol=1e-5, atol=2e-5 * np.abs(gradient).max())
        np.testing.assert_allclose(evaluation.gradient, gradient, rtol=1e-9, atol=1e-9 * np.abs(gradient).max())
        np.testing.assert_allclose(information, information.T, rtol=1e-9, atol=1e-9)
        assert (np.linalg.eigvalsh(information) > 0).all()


@pytest.mark.parametrize("algorithm", FORMULAS, ids=ids)
def test_hostile_histories_give_probabilities(algorithm):
    replayed = on_cards(algorithm, hostile_cards(1, 30))
    for w in defaults_and_corners(algorithm, 1, 5):
        predicted = replayed.predict(w)
        assert np.isfinite(predicted).all()
        assert (predicted >= 0).all()
        assert (predicted <= 1).all()


@pytest.mark.parametrize("algorithm", TRAINED_FORMULAS, ids=ids)
def test_hostile_histories_have_derivatives(algorithm):
    replayed = on_cards(algorithm, hostile_cards(2, 15))
    for w in defaults_and_corners(algorithm, 2, 1):
        at = replayed.linearize(w)
        assert np.isfinite(at.jacobian()).all()
        assert np.isfinite(at.gradient(np.ones_like(at.predicted))).all()


@pytest.mark.parametrize("algorithm", TRAINED, ids=ids)
def test_fit_changes_only_trainable_parameters_within_their_bounds(algorithm):
    result = fitted_to_lively(algorithm.name)
    lower, upper = bounds(algorithm)
    assert result.converged.all()
    assert ((result.parameters >= lower) & (result.parameters <= upper)).all()
    changed = {p for p in range(len(lower)) if (result.parameters[:, p] != defaults(algorithm)[p]).any()}
    trainable = algorithm.training.only if algorithm.training is not None else None
    assert changed
    assert changed <= set(range(len(lower)) if trainable is None else trainable)


@pytest.mark.parametrize("algorithm", [*TRAINED_FORMULAS, fittable("Anki-SM-2 calibrated")], ids=ids)
@pytest.mark.parametrize("rating", [1, 4])
def test_one_sided_answers_give_finite_parameters_and_probabilities(algorithm, rating):
    answers = [a for n in range(40) for a in card(n, 3, (1, rating), (3, rating), (5, rating), start=n)]
    answers += card(50, 3, (1, 5 - rating), (3, rating), start=70)
    result = fit(algorithm, snapshot_with_presets(answers))
    lower, upper = bounds(algorithm)
    assert ((result.parameters >= lower) & (result.parameters <= upper)).all()
    assert np.isfinite(result.predicted).all()
    assert ((result.predicted >= 0) & (result.predicted <= 1)).all()


@pytest.mark.parametrize("name", [*OF_EACH_KIND, "FSRS-rs"])
def test_two_runs_are_equal_bit_for_bit(name):
    first, second = fitted_to_lively(name), fit(CATALOG[name], snapshot_with_presets())
    np.testing.assert_array_equal(first.predicted, second.predicted)
    np.testing.assert_array_equal(first.parameters, second.parameters)


@pytest.mark.parametrize("algorithm", CATALOG.values(), ids=ids)
def test_algorithms_do_not_use_later_reviews(algorithm):
    snapshot = snapshot_with_presets()
    dataset = dataset_of(snapshot)
    row = dataset.reviews.row[dataset.folds[1].test_start]
    is_later = snapshot.revlog.review_id >= dataset.rows.review_id[row]
    button = np.where(is_later, 5 - snapshot.revlog.button, snapshot.revlog.button)
    changed_snapshot = replace(snapshot, revlog=replace(snapshot.revlog, button=button))
    changed_dataset = dataset_of(changed_snapshot)
    assert changed_dataset.folds == dataset.folds
    assert (changed_dataset.reviews.recalled != dataset.reviews.recalled).any()
    original_fit = fitted_to_lively(algorithm.name)
    changed_fit = fit(algorithm, changed_snapshot)
    fold_size = dataset.folds[0].test_stop - dataset.folds[0].test_start
    original = original_fit.predicted
    changed = changed_fit.predicted
    np.testing.assert_allclose(changed_fit.parameters[:1], original_fit.parameters[:1], rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(changed[:fold_size], original[:fold_size], rtol=1e-6, atol=1e-9)
    if "ratings" in algorithm.uses:
        assert not np.array_equal(changed[fold_size:], original[fold_size:])


@pytest.mark.parametrize("name", OF_EACH_KIND)
def test_folds_with_nothing_to_train_on_are_predicted(name):
    """Thirty cards are reviewed daily. Only reviews after 64 earlier ones count, and none of these is trained on."""
    answers = [a for n in range(30) for a in card(n, 3, *[(1, 1 if (n + k) % 9 == 0 else 3) for k in range(100)])]
    snapshot = snapshot_with_presets(answers)
    since = snapshot.clock.date_of(int(snapshot.clock.day_of(snapshot.revlog.review_id).min()) + 70)
    dataset, _ = prepare(snapshot, Options(folds=3, since=since))
    result = fit_and_predict(fittable(name), dataset)
    assert ((result.predicted > 0) & (result.predicted < 1)).all()
    assert result.converged.all()


@pytest.mark.parametrize("name", OF_EACH_KIND)
def test_fit_converges_with_few_old_cards_among_many_new_ones(name, monkeypatch):
    algorithm = fittable(name)
    monkeypatch.setattr(training, "FISHER_CARDS", 3)
    monkeypatch.setattr(training, "FISHER_ENTRIES", 3 * max(1, len(algorithm.parameters)))
    old = [a for n in range(12) for a in card(n, 3, *[(1 + k % 3, 1 if (n + k) % 7 == 0 else 3) for k in range(6)])]
    new = [a for n in range(100, 220) for a in card(n, 3, (1, 3), (2, 1 if n % 5 == 0 else 3), start=40 + n % 3)]
    result = fit(algorithm, snapshot_with_presets(old + new), folds=6)
    assert result.converged.all()
    assert ((result.predicted > 0) & (result.predicted < 1)).all()


@pytest.mark.parametrize("name", ["FSRS v4", "FSRS-6", "FSRS-7", "ACT-R", "LSTM"])
def test_decks_are_fitted_independently(name):
    """Other answers in the deck of even cards change nothing in the deck of odd cards, which the first folds lack."""
    algorithm = replace(fittable(name), training=Training(by="deck", from_shared=False))

    def two_decks(lapse_period: int) -> Snapshot:
        answers = []
        for n in range(60):
            second_rating = 1 if n % 5 == 0 else 3
            third_rating = 1 if n % lapse_period == 0 else 3
            answers += card(n, 3, (1, second_rating), (3, third_rating), start=40 * (n % 2))
        return snapshot_with_presets(answers)

    # Only even cards lapse at their third review.
    log = two_decks(4)
    dataset = dataset_of(log, folds=5)
    result = fit(algorithm, log, folds=5)
    changed_fit = fit(algorithm, two_decks(6), folds=5)
    is_odd = dataset.reviews.card_id[dataset.folds[0].test_start :] % 2 == 1
    assert result.converged.all()
    np.testing.assert_array_equal(result.predicted[is_odd], changed_fit.predicted[is_odd])
    assert (result.predicted[~is_odd] != changed_fit.predicted[~is_odd]).any()
    assert ((result.predicted > 0) & (result.predicted < 1)).all()
