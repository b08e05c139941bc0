"""Pretrains the networks whose body is frozen afterwards: here body and head learn together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Sequence

import numpy as np

from evaluator.algorithms import weights
from evaluator.algorithms.algorithm import Array, Encoder
from evaluator.derivatives import Floats
from evaluator.fitting.dataset import Dataset
from evaluator.metrics.scores import CLIP
from tools.pretrain.adam import adam
from tools.pretrain.reverse import gradients, tensors


@dataclass(frozen=True)
class Network:
    """An encoder, with the tensors of its body and its head (``fc``)."""

    algorithm: Encoder
    body: Callable[..., Array]  #: (tensors, histories) -> features
    shapes: weights.Shapes
    precision: type[np.floating[Any]] = np.float32  #: half as long as with double precision

    def loss_and_gradient(self, flat: Floats, table: Dataset) -> tuple[float, Floats]:
        """Mean log loss of the training reviews of a table, and its gradient by all weights."""
        histories = table.histories(self.algorithm.inputs)
        recalled = table.reviews.recalled
        w = tensors({name: value.astype(self.precision) for name, value in weights.unflat(flat, self.shapes).items()})
        features = self.body(w, histories)[histories.place_node]
        head: Any = w["fc.weight"]
        outputs = features @ np.swapaxes(head, 0, 1) + w["fc.bias"]
        elapsed = histories.place_elapsed
        at_places = self.algorithm.curve(tuple(outputs[:, j] for j in range(outputs.shape[1])), elapsed)

        p = np.clip(at_places.value, CLIP, 1 - CLIP)
        asked = np.bincount(histories.place_of_review, minlength=histories.places)
        passed = np.bincount(histories.place_of_review, recalled, minlength=histories.places)
        loss = -(passed * np.log(p) + (asked - passed) * np.log1p(-p)).sum() / len(recalled)
        by_predicted = ((asked - passed) / (1 - p) - passed / p) / len(recalled)
        return float(loss), weights.flat(gradients(at_places, by_predicted, w))

    def tables(self, tables: Sequence[Dataset]) -> list[Dataset]:
        """The tables with the training reviews of this network; same-day ones are among them if it sees seconds."""
        return [Dataset(table.rows, table.training(self.algorithm.inputs)[0], ()) for table in tables]

    def pretrain(
        self,
        start: Floats,
        tables: Sequence[Dataset],
        *,
        epochs: int,
        rate: float,
        seed: int,
        report: Callable[[int, float], None],
    ) -> Floats:
        """Train from ``start`` for some epochs; return all weights."""
        own = self.tables(tables)
        return adam(self.loss_and_gradient, start, own, epochs=epochs, rate=rate, seed=seed, report=report)
