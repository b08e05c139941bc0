"""The networks to pretrain: where their weights begin, and how long each learns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Sequence

import numpy as np

from evaluator.algorithms import gru, gru39, gru_p, lstm, nn17, transformer, weights
from evaluator.derivatives import Floats
from evaluator.fitting.dataset import Dataset
from tools.pretrain.encoder import Network
from tools.pretrain.recurrent import pretrain

LEARNERS_PER_BATCH = 5  #: the cards of all learners are dealt to batches of about so many learners' size

Report = Callable[[int, float], None]


@dataclass(frozen=True)
class Plan:
    """How to pretrain one network."""

    shapes: weights.Shapes
    learn: Callable[..., Floats]  #: (start, tables, epochs=, rate=, seed=, report=) -> weights
    learners: int
    epochs: int
    rate: float  #: Adam's first

    def run(self, seed: int, tables: Sequence[Dataset], report: Report) -> weights.Weights:
        """Pretrain on these tables."""
        start = weights.flat(starting_weights(self.shapes, seed))
        found = self.learn(start, tables, epochs=self.epochs, rate=self.rate, seed=seed, report=report)
        return weights.unflat(found, self.shapes)


def starting_weights(shapes: weights.Shapes, seed: int) -> weights.Weights:
    """Small random matrices, no biases; NN-17's stabilities and difficulties begin as in the benchmark."""
    random = np.random.default_rng(seed)
    found = {}
    for name, shape in shapes.items():
        if len(shape) > 1:
            found[name] = random.uniform(-1, 1, shape) / np.sqrt(shape[-1])
        else:
            found[name] = np.full(shape, float("norm" in name and name.endswith("weight")))
    if "weight_ih_l0" in found:  # the first column meets intervals of hundreds of days
        found["weight_ih_l0"][:, 0] *= 0.05
    if "sinc_w" in found:
        found["S0"], found["D0"] = np.array([1, 2.5, 4.5, 10]), np.array([1, 0.72, 0.07, 0.05])
        found["sinc_w"] = np.array([1.26, 0.1, 0.67])
        found["rw.0.weight"][0, 1] *= 0.1  # meets stabilities
        found["sinc.0.weight"][0, 1] *= 0.1
    return found


def _recurrent(algorithm: gru39.GRU39 | gru_p.GRUP | nn17.NN17) -> Callable[..., Floats]:
    def learn(
        start: Floats, tables: Sequence[Dataset], *, epochs: int, rate: float, seed: int, report: Report
    ) -> Floats:
        return pretrain(algorithm, start, tables, epochs=epochs, rate=rate, seed=seed, report=report)

    return learn


#: Those that learn body and head together.
_LSTM = Network(lstm.LSTM("", ""), lstm.body, lstm.SHAPES)
_TRANSFORMER = Network(transformer.Transformer("", ""), transformer.body, transformer.SHAPES)
_GRU = Network(gru.GRU("", ""), gru.body, gru.SHAPES)
NETWORKS = (_LSTM, _GRU, _TRANSFORMER)

_GATED = gru39.shapes(gru_p.HIDDEN)

#: By file name, the longest first.
PLANS = {
    "lstm": Plan(lstm.SHAPES, _LSTM.pretrain, learners=400, epochs=8, rate=0.01),
    "gru_p_short": Plan(_GATED, _recurrent(gru_p.GRUPShort("", "")), learners=800, epochs=30, rate=0.01),
    "gru_p": Plan(_GATED, _recurrent(gru_p.GRUP("", "")), learners=800, epochs=30, rate=0.01),
    "gru": Plan(gru.SHAPES, _GRU.pretrain, learners=400, epochs=12, rate=0.02),
    "transformer": Plan(transformer.SHAPES, _TRANSFORMER.pretrain, learners=120, epochs=16, rate=0.02),
    "nn17": Plan(nn17.SHAPES, _recurrent(nn17.NN17("", "")), learners=400, epochs=24, rate=0.02),
    "gru39": Plan(gru39.shapes(gru39.HIDDEN), _recurrent(gru39.GRU39("", "")), learners=400, epochs=24, rate=0.03),
}
