"""Pretrains the recurrent networks, with the gradients of the project's own engine."""

from __future__ import annotations

from typing import Callable, Sequence

import numpy as np

from evaluator.algorithms.algorithm import Recurrent
from evaluator.derivatives import Floats
from evaluator.fitting.dataset import Dataset
from evaluator.fitting.objective import Outcomes
from evaluator.metrics.scores import CLIP
from tools.pretrain.adam import adam


def pretrain(
    algorithm: Recurrent,
    start: Floats,
    tables: Sequence[Dataset],
    *,
    epochs: int,
    rate: float,
    seed: int,
    report: Callable[[int, float], None],
) -> Floats:
    """Train from ``start`` for some epochs; return the weights."""
    lower, upper = np.array([[p.lower, p.upper] for p in algorithm.parameters]).T
    batches = [_Batch(algorithm, table) for table in tables]

    def gradient_on(x: Floats, batch: _Batch) -> tuple[float, Floats]:
        return batch.loss_and_gradient(np.clip(x, lower, upper))

    return np.clip(adam(gradient_on, start, batches, epochs=epochs, rate=rate, seed=seed, report=report), lower, upper)


class _Batch:
    def __init__(self, algorithm: Recurrent, table: Dataset) -> None:
        reviews, histories = table.training(algorithm.inputs)
        self._replay = algorithm.on_trie(histories)
        self._outcomes = Outcomes.at_places(histories, reviews.recalled, np.ones(len(reviews)))
        self._reviews = len(reviews)

    def loss_and_gradient(self, w: Floats) -> tuple[float, Floats]:
        """Mean log loss of the batch, and its gradient."""
        at = self._replay.linearise(w)
        p = np.clip(at.predicted, CLIP, 1 - CLIP)
        recalled, forgotten = self._outcomes.recalled, self._outcomes.forgotten
        loss = -(recalled * np.log(p) + forgotten * np.log1p(-p)).sum() / self._reviews
        by_predicted = (forgotten / (1 - p) - recalled / p) / self._reviews
        return float(loss), at.gradient(by_predicted)
