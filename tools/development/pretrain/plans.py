"""The networks to pretrain: their initial weights, and how long each learns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Sequence

import numpy as np

from evaluator.algorithms import gru, gru39, lstm, nn17, transformer, weights
from evaluator.algorithms.algorithm import Encoder, Recurrent
from evaluator.data.dataset import Dataset
from evaluator.derivatives import Floats
from tools.development.pretrain.objectives import Body, Objective, Shapes, of_encoder, of_recurrent, unflat


def adam(
    batches: Sequence[Objective],
    x: Floats,
    bounds: tuple[Floats, Floats],
    *,
    epochs: int,
    rate: float,
    seed: int,
    report: Callable[[int, float], None],
) -> Floats:
    """Minimize the mean of the batches' losses, from ``x`` and within bounds.

    In each epoch every batch comes once, in an order drawn from the seed; ``rate`` is the first learning rate, and
    ``report`` is called with the mean loss of each epoch.
    """
    random = np.random.default_rng(seed)
    mean, square = np.zeros_like(x), np.zeros_like(x)
    steps, step = epochs * len(batches), 0
    for epoch in range(epochs):
        losses = []
        for number in random.permutation(len(batches)):
            loss, gradient = batches[number](x)
            gradient = gradient / max(1.0, float(np.linalg.norm(gradient)))
            mean = 0.9 * mean + 0.1 * gradient
            square = 0.999 * square + 0.001 * gradient**2
            step += 1
            slow = 0.5 * rate * (1 + np.cos(np.pi * step / steps))
            x = x - slow * mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
            x = np.clip(x, *bounds)
            losses.append(loss)
        report(epoch, float(np.mean(losses)))
    return x


LEARNERS = 250
LEARNERS_PER_BATCH = 5  #: the cards of all learners are dealt to batches of about this many learners' size


@dataclass(frozen=True)
class Plan:
    """How to pretrain one network."""

    algorithm: Recurrent | Encoder
    shapes: Shapes
    epochs: int
    rate: float  #: Adam's first
    body: Body | None = None  #: the body of an encoder

    def objective(self, table: Dataset) -> Objective:
        """Return the training objective on a table."""
        if isinstance(self.algorithm, Recurrent):
            return of_recurrent(self.algorithm, table)
        assert self.body is not None  # noqa: S101 - every encoder has one
        return of_encoder(self.algorithm, self.body, self.shapes, table)

    def run(self, seed: int, tables: Sequence[Dataset], report: Callable[[int, float], None]) -> weights.Weights:
        """Pretrain on these tables."""
        start = weights.flat(starting_weights(self.shapes, seed))
        lower, upper = np.full_like(start, -weights.BOUND), np.full_like(start, weights.BOUND)
        if self.body is None:  # its parameters are all of its weights
            lower, upper = np.array([[p.lower, p.upper] for p in self.algorithm.parameters]).T
        batches = [self.objective(table) for table in tables]
        result = adam(batches, start, (lower, upper), epochs=self.epochs, rate=self.rate, seed=seed, report=report)
        return unflat(result, self.shapes)


def starting_weights(shapes: Shapes, seed: int) -> weights.Weights:
    """Return small random matrices without biases. NN-17's stabilities and difficulties begin as in the benchmark."""
    random = np.random.default_rng(seed)
    result = {}
    for name, shape in shapes.items():
        if len(shape) > 1:
            result[name] = random.uniform(-1, 1, shape) / np.sqrt(shape[-1])
        else:
            result[name] = np.full(shape, float("norm" in name and name.endswith("weight")))
    if "weight_ih_l0" in result:  # the first column meets intervals of hundreds of days
        result["weight_ih_l0"][:, 0] *= 0.05
    if "sinc_w" in result:
        result["S0"], result["D0"] = np.array([1, 2.5, 4.5, 10]), np.array([1, 0.72, 0.07, 0.05])
        result["sinc_w"] = np.array([1.26, 0.1, 0.67])
        result["rw.0.weight"][0, 1] *= 0.1  # meets stabilities
        result["sinc.0.weight"][0, 1] *= 0.1
    return result


def _shapes(name: str) -> Shapes:
    """Return the sizes of a network's tensors as its present file has them."""
    return {key: tensor.shape for key, tensor in weights.load(name).items()}


#: By file name, the longest first.
PLANS = {
    "lstm": Plan(lstm.LSTM("", ""), _shapes("lstm"), epochs=12, rate=0.01, body=lstm.body),
    "gru_p_short": Plan(gru39.GRUPShort("", ""), _shapes("gru_p_short"), epochs=40, rate=0.01),
    "gru_p": Plan(gru39.GRUP("", ""), _shapes("gru_p"), epochs=40, rate=0.01),
    "gru": Plan(gru.GRU("", ""), _shapes("gru"), epochs=30, rate=0.02, body=gru.body),
    "transformer": Plan(
        transformer.Transformer("", ""), _shapes("transformer"), epochs=8, rate=0.02, body=transformer.body
    ),
    "nn17": Plan(nn17.NN17("", ""), _shapes("nn17"), epochs=40, rate=0.02),
    "gru39": Plan(gru39.GRU39("", ""), _shapes("gru39"), epochs=40, rate=0.03),
}
