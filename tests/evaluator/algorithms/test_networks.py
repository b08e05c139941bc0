from __future__ import annotations

import json
from math import exp
from typing import Sequence, Tuple

import numpy as np
import pytest
from catalog_helpers import Floats, defaults, ids
from made_logs import learner, similar_cards, table

from evaluator.algorithms import CATALOG, layers, weights
from evaluator.algorithms.algorithm import Algorithm, Encoder
from evaluator.algorithms.layers import Network
from evaluator.data.histories import Histories
from evaluator.evaluation import prepare
from evaluator.fitting.kernels import make_replay
from evaluator.options import Options

#: (days since the previous review, rating) of each review. The days of the first review are 0.
History = Sequence[Tuple[float, int]]

ENCODERS = [a for a in CATALOG.values() if a.family == "Neural" and isinstance(a, Encoder)]
HISTORY: History = [(0, 3), (2, 3), (7, 1), (1, 2), (30, 4)]


def one_history(history: History, *elapsed_at_query: float) -> Histories:
    """Return a trie of one branch, with queries at its end."""
    elapsed, rating = (np.array(column) for column in zip(*history, strict=True))
    count = len(history)
    queries = len(elapsed_at_query)
    return Histories(
        parent=np.arange(count) - 1,
        elapsed=elapsed,
        same_day=elapsed == 0,
        rating=rating,
        level_start=np.arange(count + 1),
        query_node=np.full(queries, count - 1),
        query_elapsed=np.array(elapsed_at_query),
        query_same_day=np.zeros(queries, dtype=bool),
        query_child=np.array([], dtype=np.int64),
        query_of_review=np.arange(queries),
        length_of_review=np.full(queries, count),
    )


def predict(algorithm: Algorithm, histories: Histories) -> Floats:
    """Return the recall at each query with the shipped weights."""
    return make_replay(algorithm, histories).predict(np.array(defaults(algorithm)))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "recall"),
    [
        ("NN-17", [0.908308689, 0.774091202]),
        ("Transformer", [0.997678739, 0.0764621011]),
        ("LSTM (489)", [0.997299551, 1.36540642e-43]),
        ("LSTM", [0.925461357, 0.507324974]),
        ("GRU", [0.934967307, 0.611805636]),
        ("GRU (39)", [0.994986349, 0.0520038641]),
        ("GRU-P", [0.939870845, 0.747051866]),
        ("GRU-P-short", [0.935634057, 0.8296072]),
    ],
)
def test_shipped_weights_give_the_frozen_predictions(name, recall):
    """The numbers were frozen when they equaled plain implementations. Pretraining the weights again changes them."""
    assert predict(CATALOG[name], one_history(HISTORY, 1, 36_500)) == pytest.approx(recall, rel=1e-8)


@pytest.mark.parametrize("algorithm", ENCODERS, ids=ids)
def test_each_history_is_encoded_independently(algorithm):
    trie = prepare(learner(seed=1), Options())[0].histories(algorithm.inputs)
    histories = []
    for parent, elapsed, rating in zip(trie.parent, trie.elapsed, trie.rating, strict=True):
        histories.append([*(histories[parent] if parent >= 0 else []), (float(elapsed), int(rating))])
    expected = [algorithm.encode(one_history(histories[node], 1))[0] for node in trie.query_node]
    np.testing.assert_allclose(algorithm.encode(trie), expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("curves", [2, 3])
def test_mixture_matches_hand_calculation(curves):
    outputs = [0.1, 0.5, -0.3, 1.0, 3.0, -2.0, -1.0, 0.2, -0.5][: 3 * curves]
    shares, times, exponents = (outputs[i : i + curves] for i in range(0, 3 * curves, curves))
    powers = [(1 + 5 / (1e-7 + exp(s))) ** -exp(d) for s, d in zip(times, exponents, strict=True)]
    result = layers.mixture(tuple(np.array([x]) for x in outputs), np.array([5.0]))
    mean = sum(exp(x) * power for x, power in zip(shares, powers, strict=True)) / sum(map(exp, shares))
    assert result == pytest.approx((1 - 1e-7) * mean)


@pytest.mark.parametrize("path", sorted(weights.FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_weights_files_are_finite_rounded_and_small(path):
    values = weights.flatten(weights.load(path.stem))
    assert np.isfinite(values).all()
    # Up to 12 bytes per number, and 2,500 for the names of layers and how the weights were made.
    assert path.stat().st_size < 12 * len(values) + 2_500
    assert values.tolist() == [float(f"{value:.6g}") for value in values]
    assert json.loads(path.read_text())["made"]["by"] == "python3 tools pretrain"


def test_encoders_predict_nothing_without_histories():
    t = table(*similar_cards()[:2])
    no_reviews = t.reviews.take(np.zeros(len(t.reviews), dtype=bool))
    for algorithm in ENCODERS:
        assert predict(algorithm, Histories.of(t.rows, no_reviews, algorithm.inputs)).shape == (0,)


def test_pretraining_gradients_match_finite_differences(monkeypatch):
    from tools.development.pretrain import objectives
    from tools.development.pretrain.plans import PLANS, starting_weights
    from tools.development.pretrain.simulated_people import batches, population

    monkeypatch.setattr(objectives, "PRECISION", np.float64)
    (data,) = batches(*population(3, 3), 1, 0)
    plans = [plan for plan in PLANS.values() if isinstance(plan.algorithm, Network)]
    assert len(plans) == 4
    for plan in plans:
        objective = objectives.encoder_objective(plan.algorithm, plan.shapes, data)
        random = np.random.default_rng(1)
        x = weights.flatten(starting_weights(plan.shapes, 1))
        x = x + random.normal(0, 0.1, len(x))
        direction = random.normal(size=len(x))
        _, gradient = objective(x)
        loss_ahead, loss_behind = (objective(x + h * direction)[0] for h in (1e-6, -1e-6))
        assert (loss_ahead - loss_behind) / 2e-6 == pytest.approx(gradient @ direction, rel=1e-5)
