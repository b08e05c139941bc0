from __future__ import annotations

import json
from math import exp, log, sqrt, tanh
from pathlib import Path
from types import ModuleType
from typing import Callable, Dict, Iterable, List, Sequence, Tuple

import numpy as np
import numpy.typing as npt
import pytest
from catalog_helpers import defaults
from made_logs import company, learner, table

from evaluator.algorithms import CATALOG, gru, gru39, layers, lstm, nn17, transformer, weights
from evaluator.algorithms.algorithm import Algorithm, Encoder
from evaluator.data.histories import FRACTIONAL_DAYS, WHOLE_DAYS, Histories, Inputs
from evaluator.evaluation import prepare
from evaluator.fitting.kernels import make_replay
from evaluator.options import Options

Floats = npt.NDArray[np.float64]
Steps = Sequence[Tuple[float, int]]  #: days since the review before (0 at the first), rating

NEURAL = [algorithm for algorithm in CATALOG.values() if algorithm.family == "Neural"]
ENCODERS = [algorithm for algorithm in NEURAL if isinstance(algorithm, Encoder)]
HISTORY: Steps = [(0, 3), (2, 3), (7, 1), (1, 2), (30, 4)]


def small_histories(inputs: Inputs, seed: int = 1) -> Histories:
    return prepare(learner(seed=seed), Options())[0].histories(inputs)


def one_history(steps: Steps) -> Histories:
    """A trie of one branch, asked after 1 and 36,500 days at its end."""
    elapsed, rating = (np.array(column) for column in zip(*steps, strict=True))
    count = len(steps)
    return Histories(
        parent=np.arange(count) - 1,
        elapsed=elapsed,
        same_day=elapsed == 0,
        rating=rating,
        level_start=np.arange(count + 1),
        query_node=np.array([count - 1, count - 1]),
        query_elapsed=np.array([1, 36_500]),
        query_same_day=np.zeros(2, dtype=bool),
        query_child=np.array([], dtype=np.int64),
        query_of_review=np.array([0, 1]),
        length_of_review=np.array([count, count]),
    )


def branches(histories: Histories) -> List[List[Tuple[float, int]]]:
    """The history of each node, from its first review."""
    result: List[List[Tuple[float, int]]] = []
    for node in range(histories.nodes):
        parent = histories.parent[node]
        before = result[parent] if parent >= 0 else []
        result.append([*before, (float(histories.elapsed[node]), int(histories.rating[node]))])
    return result


def sigmoid(x: float) -> float:
    """1 / (1 + e^-x)."""
    return 1 / (1 + exp(-x)) if x > -700 else 0.0


def softplus(x: float) -> float:
    """ln(1 + e^x)."""
    return log(1 + exp(x))


def dot(row: Iterable[float], x: Iterable[float]) -> float:
    return sum(a * b for a, b in zip(row, x, strict=True))


def plain_gru39(w: Dict[str, Floats], inputs: Sequence[Tuple[float, float]]) -> float:
    """The output of the linear layer after these inputs, number by number."""
    size = w["weight_hh_l0"].shape[1]
    h = [0.0] * size
    for x in inputs:
        own = [dot(row, x) + b for row, b in zip(w["weight_ih_l0"], w["bias_ih_l0"], strict=True)]
        hidden = [dot(row, h) + b for row, b in zip(w["weight_hh_l0"], w["bias_hh_l0"], strict=True)]
        after = []
        for i in range(size):
            r = sigmoid(own[i] + hidden[i])
            z = sigmoid(own[size + i] + hidden[size + i])
            n = tanh(own[2 * size + i] + r * hidden[2 * size + i])
            after.append((1 - z) * n + z * h[i])
        h = after
    return dot(w["fc.weight"][0], h) + float(w["fc.bias"][0])


def predicted(algorithm: Algorithm, histories: Histories) -> Floats:
    """Return the recall at each query with the shipped weights."""
    result: Floats = make_replay(algorithm, histories).predict(np.array(defaults(algorithm)))  # type: ignore[arg-type]
    return result


def test_gru39_matches_plain_implementation() -> None:
    """S = e^output, R = (1 + 19/81 t/S)^-0.5; the inputs are the intervals before the reviews."""
    result = predicted(CATALOG["GRU (39)"], one_history(HISTORY))
    s = exp(plain_gru39(weights.load("gru39"), HISTORY))
    assert result == pytest.approx([(1 + 19 / 81 * t / s) ** -0.5 for t in (1, 36_500)])


@pytest.mark.parametrize("name", ["GRU-P", "GRU-P-short"])
def test_gru_p_matches_plain_implementation(name: str) -> None:
    """p = sigmoid(output); the inputs are the intervals after the reviews."""
    w = weights.load("gru_p" if name == "GRU-P" else "gru_p_short")
    ratings, intervals = [g for _, g in HISTORY], [t for t, _ in HISTORY[1:]]
    expected = [sigmoid(plain_gru39(w, list(zip([*intervals, t], ratings, strict=True)))) for t in (1, 36_500)]
    assert predicted(CATALOG[name], one_history(HISTORY)) == pytest.approx(expected)


class PlainNN17:
    """NN-17 as its formulas say, one card, plain floats."""

    def __init__(self, w: Dict[str, Floats]) -> None:
        self.w = w

    def net(self, name: str, *inputs: float) -> float:
        x = dot(self.w[f"{name}.0.weight"][0], inputs) + float(self.w[f"{name}.0.bias"][0])
        return float(self.w[f"{name}.2.weight"][0, 0]) * x * tanh(softplus(x)) + float(self.w[f"{name}.2.bias"][0])

    def rw(self, d: float, s: float, r: float) -> float:
        return min(max(exp(-softplus(self.net("rw", d, s, r))), 0.0001), 0.9999)

    def recall(self, steps: Steps, t: float) -> float:
        first = steps[0][1]
        s, d, lapses = float(self.w["S0"][first - 1]), float(self.w["D0"][first - 1]), 0
        c0, c1, c2 = self.w["sinc_w"].tolist()
        for elapsed, g in steps[1:]:
            r = self.rw(d, s, min(max(0.9 ** (elapsed / s), 0.0001), 0.9999))
            sr = min(max(elapsed * log(0.9) / log(r), 0.01), 36_500)
            d = sigmoid(self.net("next_d", d, r, g))
            by_formula = 1 + exp(c0) * (5 * (1 - d) + 1) * sr**-c1 * exp(-r * c2)
            by_network = 1 + softplus(self.net("sinc", d, sr, r))
            best = 1 + softplus(self.net("best_sinc", by_formula, by_network))
            s = min(max(sr * best if g > 1 else softplus(self.net("pls", r, lapses)), 0.01), 36_500)
            lapses += g == 1
        return self.rw(d, s, 0.9 ** (t / s))


def test_nn17_matches_plain_implementation() -> None:
    for steps in (HISTORY, [*HISTORY, (12, 1), (3, 3)], [(0, 1), (1, 1)]):
        plain = PlainNN17(weights.load("nn17"))
        result = predicted(CATALOG["NN-17"], one_history(steps))
        assert result == pytest.approx([plain.recall(steps, 1), plain.recall(steps, 36_500)])


def silu(x: Floats) -> Floats:
    return np.array([v / (1 + exp(-v)) for v in x])


def plain_norm(x: Floats, epsilon: float = 1e-5) -> Floats:
    """Less the mean, over the standard deviation."""
    mean = sum(x) / len(x)
    return np.array([(v - mean) / sqrt(sum((u - mean) ** 2 for u in x) / len(x) + epsilon) for v in x])


def plain_lstm(w: Dict[str, Floats], steps: Steps) -> Floats:
    """The features of one history, review after review."""

    def dense(name: str, x: Floats) -> Floats:
        return silu(w[f"{name}.weight"] @ x + w[f"{name}.bias"])

    def norm(name: str, x: Floats) -> Floats:
        return plain_norm(x) * w[f"{name}.weight"] + w.get(f"{name}.bias", np.zeros(20))

    state = {name: (np.zeros(20), np.zeros(20)) for name in ("lstm1", "lstm2")}
    for elapsed, rating in steps:
        x = np.array([(log(1e-5 + elapsed) - -1.5) / 5.5, *(float(rating == g) for g in (1, 2, 3, 4))])
        x = dense("dense", norm("input_norm", dense("input", x)))
        for name in ("lstm1", "lstm2"):
            hidden, cell = state[name]
            own = w[f"{name}.weight_ih"] @ norm(f"{name}_norm", x) + w[f"{name}.bias_ih"]
            i, f, new, o = np.split(own + w[f"{name}.weight_hh"] @ hidden + w[f"{name}.bias_hh"], 4)
            cell = cell / (1 + np.exp(-f)) + np.tanh(new) / (1 + np.exp(-i))
            hidden = np.tanh(cell) / (1 + np.exp(-o))
            state[name] = hidden, cell
            x = x + hidden
        x = x + dense("mixer2", norm("mixer2_norm", dense("mixer1", norm("mixer1_norm", x))))
    return dense("output", norm("output_norm", x))


def plain_gru(w: Dict[str, Floats], steps: Steps) -> Floats:
    """The features of one history, review after review."""
    h = np.zeros(7)
    for elapsed, rating in steps:
        x = np.array([(log(1e-5 + elapsed) - -1.5) / 5.5, *(float(rating == g) for g in (1, 2, 3, 4))])
        x = plain_norm(silu(w["input.weight"] @ x + w["input.bias"])) * w["input_norm.weight"]
        own = np.split(w["gru.weight_ih"] @ x + w["gru.bias_ih"], 3)
        hidden = np.split(w["gru.weight_hh"] @ h + w["gru.bias_hh"], 3)
        reset, update = (1 / (1 + np.exp(-a - b)) for a, b in zip(own[:2], hidden[:2], strict=True))
        h = (1 - update) * np.tanh(own[2] + reset * hidden[2]) + update * h
    x = plain_norm(h) * w["gru_norm.weight"]
    return plain_norm(silu(w["output.weight"] @ x + w["output.bias"])) * w["output_norm.weight"]


NETWORKS_BY_THE_SECOND = [(lstm, plain_lstm), (gru, plain_gru)]


@pytest.mark.parametrize(("network", "plain"), NETWORKS_BY_THE_SECOND, ids=["LSTM", "GRU"])
def test_network_is_a_loop_over_each_history(
    network: ModuleType, plain: Callable[[Dict[str, Floats], Steps], Floats]
) -> None:
    histories = small_histories(FRACTIONAL_DAYS)
    features = network.body(network.WEIGHTS, histories)
    expected = [plain(network.WEIGHTS, steps) for steps in branches(histories)]
    np.testing.assert_allclose(features, expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("curves", [2, 3])
def test_mixture_matches_hand_calculation(curves: int) -> None:
    outputs = [0.1, 0.5, -0.3, 1.0, 3.0, -2.0, -1.0, 0.2, -0.5][: 3 * curves]
    shares, times, exponents = (outputs[i : i + curves] for i in range(0, 3 * curves, curves))
    powers = [(1 + 5 / (1e-7 + exp(s))) ** -exp(d) for s, d in zip(times, exponents, strict=True)]
    result = layers.mixture(tuple(np.array([x]) for x in outputs), np.array([5.0]))
    assert result == pytest.approx((1 - 1e-7) * dot([exp(x) / sum(map(exp, shares)) for x in shares], powers))


def plain_transformer(w: Dict[str, Floats], steps: Steps) -> Floats:
    """The features of one history, token by token and head by head."""

    def norm(name: str, x: Floats) -> Floats:
        return plain_norm(x, 1.0) * w[f"{name}.weight"] + w[f"{name}.bias"]

    def attention(name: str, x: List[Floats], memory: List[Floats]) -> List[Floats]:
        weight, bias = w[f"{name}.in_proj_weight"], w[f"{name}.in_proj_bias"]
        mixed = []
        for token in x:
            heads = []
            for head in (0, 1):
                query = dot(weight[head], token) + bias[head]
                powers = [exp(query * (dot(weight[2 + head], m) + bias[2 + head])) for m in memory]
                values = [dot(weight[4 + head], m) + bias[4 + head] for m in memory]
                heads.append(dot(powers, values) / sum(powers))
            mixed.append(w[f"{name}.out_proj.weight"] @ np.array(heads) + w[f"{name}.out_proj.bias"])
        return mixed

    def feed_forward(layer: str, x: Floats, last: str) -> Floats:
        hidden = np.maximum(w[f"{layer}.linear1.weight"] @ x + w[f"{layer}.linear1.bias"], 0)
        return norm(f"{layer}.{last}", x + w[f"{layer}.linear2.weight"] @ hidden + w[f"{layer}.linear2.bias"])

    e, d = "encoder.layers.0", "decoder.layers.0"
    source = [np.array([t, g], dtype=float) for t, g in steps]
    attended = attention(f"{e}.self_attn", source, source)
    memory = [norm(f"{e}.norm1", x + a) for x, a in zip(source, attended, strict=True)]
    memory = [norm("encoder.norm", feed_forward(e, x, "norm2")) for x in memory]
    x = np.zeros(2)
    x = norm(f"{d}.norm1", x + attention(f"{d}.self_attn", [x], [x])[0])
    x = norm(f"{d}.norm2", x + attention(f"{d}.multihead_attn", [x], memory)[0])
    return norm("decoder.norm", feed_forward(d, x, "norm3"))


def test_transformer_is_a_loop_over_each_history() -> None:
    histories = small_histories(WHOLE_DAYS)
    features = transformer.body(transformer.WEIGHTS, histories)
    expected = [plain_transformer(transformer.WEIGHTS, steps) for steps in branches(histories)]
    np.testing.assert_allclose(features, expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", SHAPES)
def test_weights_files_are_finite_rounded_and_small(name: str) -> None:
    path = weights.FOLDER / f"{name}.json"
    result = weights.flat(weights.load(name, SHAPES[name]))
    assert np.isfinite(result).all()
    assert path.stat().st_size < 12 * len(result) + 2_500
    assert result.tolist() == [float(f"{value:.6g}") for value in result]
    assert json.loads(path.read_text())["made"]["by"] == "python3 tools pretrain"


def test_encoder_without_histories_predicts_nothing() -> None:
    nothing = table(*company()[:2])
    empty = nothing.reviews.take(np.zeros(len(nothing.reviews), dtype=bool))
    for algorithm in ENCODERS:
        histories = Histories.of(nothing.rows, empty, algorithm.inputs)
        assert make_replay(algorithm, histories).predict(np.array(defaults(algorithm))).shape == (0,)


def test_pretraining_reproduces_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tools.development.pretrain import command

    monkeypatch.setattr(command, "LEARNERS_PER_BATCH", 3)
    for seed, folder in ((1, "a"), (1, "b"), (2, "c")):
        (tmp_path / folder).mkdir()
        for name in ("gru39", "lstm"):
            command.make(name, seed, tmp_path / folder, share=0.01)
    for name in ("gru39", "lstm"):
        a, b, c = ((tmp_path / folder / f"{name}.json").read_bytes() for folder in "abc")
        assert a == b != c


def test_pretraining_gradients_match_finite_differences() -> None:
    from tools.development.pretrain.objectives import of_encoder
    from tools.development.pretrain.plans import PLANS, starting_weights
    from tools.development.pretrain.population import batches, population

    (data,) = batches(*population(3, 3), 1, 0)
    plans = [plan for plan in PLANS.values() if plan.body is not None]
    assert len(plans) == 3
    for plan in plans:
        objective = of_encoder(plan.algorithm, plan.body, plan.shapes, data, precision=np.float64)
        random = np.random.default_rng(1)
        x = weights.flat(starting_weights(plan.shapes, 1))
        x = x + random.normal(0, 0.1, len(x))
        along = random.normal(size=len(x))
        _, gradient = objective(x)
        ahead, behind = (objective(x + h * along)[0] for h in (1e-6, -1e-6))
        assert (ahead - behind) / 2e-6 == pytest.approx(gradient @ along, rel=1e-5)
