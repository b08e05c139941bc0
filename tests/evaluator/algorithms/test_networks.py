from __future__ import annotations

import json
from math import exp, tanh
from pathlib import Path
from typing import Dict, Iterable, List, Sequence, Tuple

import numpy as np
import numpy.typing as npt
import pytest
from catalog_helpers import defaults, ids
from made_logs import company, learner, table

from evaluator.algorithms import CATALOG, layers, weights
from evaluator.algorithms.algorithm import Algorithm, Encoder
from evaluator.data.histories import Histories
from evaluator.evaluation import prepare
from evaluator.fitting.kernels import make_replay
from evaluator.options import Options

Floats = npt.NDArray[np.float64]
Steps = Sequence[Tuple[float, int]]  #: days since the review before (0 at the first), rating

ENCODERS = [a for a in CATALOG.values() if a.family == "Neural" and isinstance(a, Encoder)]
HISTORY: Steps = [(0, 3), (2, 3), (7, 1), (1, 2), (30, 4)]


def one_history(steps: Steps, *elapsed_at_query: float) -> Histories:
    """A trie of one branch, with queries at its end."""
    elapsed, rating = (np.array(column) for column in zip(*steps, strict=True))
    count, queries = len(steps), len(elapsed_at_query)
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


def sigmoid(x: float) -> float:
    return (1 + tanh(x / 2)) / 2


def dot(row: Iterable[float], x: Iterable[float]) -> float:
    return sum(a * b for a, b in zip(row, x, strict=True))


def plain_gru39(w: Dict[str, Floats], inputs: Sequence[Tuple[float, float]]) -> float:
    """The output of the linear layer after these inputs, number by number."""
    size = w["weight_hh_l0"].shape[1]
    h = [0.0] * size
    for x in inputs:
        from_input = [dot(row, x) + b for row, b in zip(w["weight_ih_l0"], w["bias_ih_l0"], strict=True)]
        from_hidden = [dot(row, h) + b for row, b in zip(w["weight_hh_l0"], w["bias_hh_l0"], strict=True)]
        after = []
        for i in range(size):
            r = sigmoid(from_input[i] + from_hidden[i])
            z = sigmoid(from_input[size + i] + from_hidden[size + i])
            n = tanh(from_input[2 * size + i] + r * from_hidden[2 * size + i])
            after.append((1 - z) * n + z * h[i])
        h = after
    return dot(w["fc.weight"][0], h) + float(w["fc.bias"][0])


def predict(algorithm: Algorithm, histories: Histories) -> Floats:
    """Return the recall at each query with the shipped weights."""
    result: Floats = make_replay(algorithm, histories).predict(np.array(defaults(algorithm)))  # type: ignore[arg-type]
    return result


def test_gru39_matches_plain_implementation() -> None:
    """S = e^output, R = (1 + 19/81 t/S)^-0.5. The inputs are the intervals before the reviews."""
    s = exp(plain_gru39(weights.load("gru39"), HISTORY))
    expected = [(1 + 19 / 81 * t / s) ** -0.5 for t in (1, 36_500)]
    assert predict(CATALOG["GRU (39)"], one_history(HISTORY, 1, 36_500)) == pytest.approx(expected)


@pytest.mark.parametrize(("name", "file"), [("GRU-P", "gru_p"), ("GRU-P-short", "gru_p_short")])
def test_gru_p_matches_plain_implementation(name: str, file: str) -> None:
    """p = sigmoid(output). The inputs are the intervals after the reviews."""
    ratings, intervals = [g for _, g in HISTORY], [t for t, _ in HISTORY[1:]]
    inputs = [list(zip([*intervals, t], ratings, strict=True)) for t in (1, 36_500)]
    expected = [sigmoid(plain_gru39(weights.load(file), pairs)) for pairs in inputs]
    assert predict(CATALOG[name], one_history(HISTORY, 1, 36_500)) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("name", "recall"),
    [
        ("NN-17", [0.908308689, 0.774091202]),
        ("Transformer", [0.997678739, 0.0764621011]),
        ("LSTM", [0.925461357, 0.507324974]),
        ("GRU", [0.934967307, 0.611805636]),
    ],
)
def test_formulas_belong_to_the_shipped_weights(name: str, recall: List[float]) -> None:
    """Frozen when they were equal to plain implementations. Weights that are pretrained again change these numbers."""
    assert predict(CATALOG[name], one_history(HISTORY, 1, 36_500)) == pytest.approx(recall, rel=1e-8)


@pytest.mark.parametrize("algorithm", ENCODERS, ids=ids)
def test_each_history_is_encoded_as_if_there_were_no_other(algorithm: Encoder) -> None:
    trie = prepare(learner(seed=1), Options())[0].histories(algorithm.inputs)
    histories: List[List[Tuple[float, int]]] = []
    for parent, elapsed, rating in zip(trie.parent, trie.elapsed, trie.rating, strict=True):
        histories.append([*(histories[parent] if parent >= 0 else []), (float(elapsed), int(rating))])
    expected = [algorithm.encode(one_history(histories[node], 1))[0] for node in trie.query_node]
    np.testing.assert_allclose(algorithm.encode(trie), expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("curves", [2, 3])
def test_mixture_matches_hand_calculation(curves: int) -> None:
    outputs = [0.1, 0.5, -0.3, 1.0, 3.0, -2.0, -1.0, 0.2, -0.5][: 3 * curves]
    shares, times, exponents = (outputs[i : i + curves] for i in range(0, 3 * curves, curves))
    powers = [(1 + 5 / (1e-7 + exp(s))) ** -exp(d) for s, d in zip(times, exponents, strict=True)]
    result = layers.mixture(tuple(np.array([x]) for x in outputs), np.array([5.0]))
    assert result == pytest.approx((1 - 1e-7) * dot([exp(x) / sum(map(exp, shares)) for x in shares], powers))


@pytest.mark.parametrize("path", sorted(weights.FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_weights_files_are_finite_rounded_and_small(path: Path) -> None:
    values = weights.flat(weights.load(path.stem))
    assert np.isfinite(values).all()
    assert path.stat().st_size < 12 * len(values) + 2_500
    assert values.tolist() == [float(f"{value:.6g}") for value in values]
    assert json.loads(path.read_text())["made"]["by"] == "python3 tools pretrain"


def test_encoder_without_histories_predicts_nothing() -> None:
    nothing = table(*company()[:2])
    empty = nothing.reviews.take(np.zeros(len(nothing.reviews), dtype=bool))
    for algorithm in ENCODERS:
        assert predict(algorithm, Histories.of(nothing.rows, empty, algorithm.inputs)).shape == (0,)


def test_pretraining_gradients_match_finite_differences() -> None:
    from tools.development.pretrain.objectives import encoder_objective
    from tools.development.pretrain.plans import PLANS, starting_weights
    from tools.development.pretrain.population import batches, population

    (data,) = batches(*population(3, 3), 1, 0)
    plans = [plan for plan in PLANS.values() if plan.body is not None]
    assert len(plans) == 3
    for plan in plans:
        objective = encoder_objective(plan.algorithm, plan.body, plan.shapes, data, precision=np.float64)
        random = np.random.default_rng(1)
        x = weights.flat(starting_weights(plan.shapes, 1))
        x = x + random.normal(0, 0.1, len(x))
        along = random.normal(size=len(x))
        _, gradient = objective(x)
        ahead, behind = (objective(x + h * along)[0] for h in (1e-6, -1e-6))
        assert (ahead - behind) / 2e-6 == pytest.approx(gradient @ along, rel=1e-5)
