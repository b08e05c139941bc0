"""Plans for pretraining each network, with its initial weights and the length of its training."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Sequence

import numpy as np

from evaluator.algorithms import gru, gru39, lstm, lstm489, nn17, transformer, weights
from evaluator.algorithms.algorithm import Recurrent
from evaluator.algorithms.layers import Network
from evaluator.data.dataset import Dataset
from evaluator.data.histories import WITH_SAME_DAY
from evaluator.derivatives import Floats
from tools.development.pretrain import objectives
from tools.development.pretrain.objectives import Objective, Shapes


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
    """Minimize the mean loss of the batches with Adam.

    Args:
        batches: the objective of each batch. Each epoch uses every batch once, in random order.
        x: the initial weights.
        bounds: the lower and the upper bounds of the weights.
        epochs: the number of epochs.
        rate: the initial learning rate.
        seed: the seed of the order of the batches.
        report: called with the number of each epoch and its mean loss.

    Returns:
        The final weights.
    """
    random = np.random.default_rng(seed)
    mean = np.zeros_like(x)
    square = np.zeros_like(x)
    steps = epochs * len(batches)
    step = 0
    for epoch in range(epochs):
        losses = []
        for number in random.permutation(len(batches)):
            loss, gradient = batches[number](x)
            gradient = gradient / max(1.0, float(np.linalg.norm(gradient)))
            mean = 0.9 * mean + 0.1 * gradient
            square = 0.999 * square + 0.001 * gradient**2
            step += 1
            current_rate = 0.5 * rate * (1 + np.cos(np.pi * step / steps))
            x = x - current_rate * mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
            x = np.clip(x, *bounds)
            losses.append(loss)
        report(epoch, float(np.mean(losses)))
    return x


#: Number of learners.
LEARNERS = 250
#: Number of learners whose cards would fill a batch. A batch has cards of all learners.
LEARNERS_PER_BATCH = 5


@dataclass(frozen=True)
class Plan:
    """Plan for pretraining a network."""

    algorithm: Recurrent | Network
    shapes: Shapes
    epochs: int
    #: Initial learning rate.
    rate: float

    def objective(self, table: Dataset) -> Objective:
        """Return the training objective on a table."""
        if isinstance(self.algorithm, Recurrent):
            return objectives.recurrent_objective(self.algorithm, table)
        return objectives.encoder_objective(self.algorithm, self.shapes, table)

    def run(self, seed: int, tables: Sequence[Dataset], report: Callable[[int, float], None]) -> weights.Weights:
        """Pretrain on these tables, and return the weights."""
        start = weights.flatten(starting_weights(self.shapes, seed))
        lower, upper = np.full_like(start, -weights.BOUND), np.full_like(start, weights.BOUND)
        # The parameters of a recurrent network are all of its weights.
        if isinstance(self.algorithm, Recurrent):
            lower, upper = np.array([[p.lower, p.upper] for p in self.algorithm.parameters]).T
        batches = [self.objective(table) for table in tables]
        values = adam(batches, start, (lower, upper), epochs=self.epochs, rate=self.rate, seed=seed, report=report)
        return objectives.unflatten(values, self.shapes)


def starting_weights(shapes: Shapes, seed: int) -> weights.Weights:
    """Return small random matrices and biases of 0. Weights of NN-17 with a meaning begin as in the benchmark."""
    random = np.random.default_rng(seed)
    tensors = {}
    for name, shape in shapes.items():
        if len(shape) > 1:
            tensors[name] = random.uniform(-1, 1, shape) / np.sqrt(shape[-1])
        else:
            tensors[name] = np.full(shape, float("norm" in name and name.endswith("weight")))
    for name in {"weight_ih_l0", "lstm.weight_ih"} & set(tensors):
        # The first input is an interval, which may be hundreds of days.
        tensors[name][:, 0] *= 0.05
    if "sinc_w" in tensors:
        tensors["S0"] = np.array([1, 2.5, 4.5, 10])
        tensors["D0"] = np.array([1, 0.72, 0.07, 0.05])
        tensors["sinc_w"] = np.array([1.26, 0.1, 0.67])
        # The second input is a stability, which may be large too.
        tensors["rw.0.weight"][0, 1] *= 0.1
        tensors["sinc.0.weight"][0, 1] *= 0.1
    return tensors


def _shapes(name: str) -> Shapes:
    """Return the shapes of a network's tensors in its current file."""
    return {key: tensor.shape for key, tensor in weights.load(name).items()}


#: Each network by the name of its file, its epochs, and its initial learning rate. Those that take longest come first.
_TRAINING = (
    ("lstm", lstm.LSTM("", ""), 12, 0.01),
    ("gru_p_short", gru39.GRUP("", "", inputs=WITH_SAME_DAY), 40, 0.01),
    ("gru_p", gru39.GRUP("", ""), 40, 0.01),
    ("gru", gru.GRU("", ""), 30, 0.02),
    ("lstm489", lstm489.LSTM489("", ""), 20, 0.02),
    ("transformer", transformer.Transformer("", ""), 8, 0.02),
    ("nn17", nn17.NN17("", ""), 40, 0.02),
    ("gru39", gru39.GRU39("", ""), 40, 0.03),
)
PLANS = {name: Plan(network, _shapes(name), epochs, rate) for name, network, epochs, rate in _TRAINING}
