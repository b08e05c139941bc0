"""Training objective of a network: the mean log loss of a batch of reviews, with its gradient by all weights."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from evaluator.algorithms import weights
from evaluator.algorithms.algorithm import Array, Encoder, Recurrent
from evaluator.data.dataset import Dataset
from evaluator.data.histories import Trie
from evaluator.derivatives import Floats
from evaluator.fitting.kernels import make_replay
from evaluator.fitting.objective import OutcomeCounts

Objective = Callable[[Floats], tuple[float, Floats]]
Body = Callable[[dict[str, Array], Trie], Array]  #: (tensors, histories) -> features
Shapes = dict[str, tuple[int, ...]]


def unflat(values: Floats, shapes: Shapes) -> weights.Weights:
    """Return the tensors of these shapes whose numbers, one after the other, are ``values``."""
    ends = np.cumsum([int(np.prod(shape)) for shape in shapes.values()])
    parts = np.split(np.asarray(values, dtype=np.float64), ends[:-1])
    return {key: part.reshape(shape) for (key, shape), part in zip(shapes.items(), parts, strict=True)}


def of_recurrent(algorithm: Recurrent, table: Dataset) -> Objective:
    """Return the objective of a recurrent network, by the project's own derivatives."""
    reviews, histories = table.training(algorithm.inputs)
    replay = make_replay(algorithm, histories)
    outcomes = OutcomeCounts.from_reviews(
        histories.query_of_review, reviews.recalled, np.full(len(reviews), 1 / len(reviews))
    )

    def loss_and_gradient(x: Floats) -> tuple[float, Floats]:
        at = replay.linearize(x)
        loss, by_predicted = outcomes.loss(at.predicted)
        return loss, at.gradient(by_predicted)

    return loss_and_gradient


def of_encoder(
    algorithm: Encoder,
    body: Body,
    shapes: Shapes,
    table: Dataset,
    precision: type[np.floating[Any]] = np.float32,  # half as long as with double precision
) -> Objective:
    """Return the objective of a network with a later frozen body: body and head (``fc``) learn together.

    By autograd, which runs the body's own lines: the project's derivatives know no matrices.
    """
    # Not at the top: the help is printed without autograd.
    import autograd.numpy  # type: ignore[import-untyped]
    from autograd.numpy.numpy_boxes import ArrayBox  # type: ignore[import-untyped]

    # It takes functions such as np.tanh from NumPy by itself, but not np.sum and other functions of whole arrays.
    ArrayBox.__array_function__ = lambda _, function, types, arguments, options: getattr(  # noqa: ARG005 - NumPy's protocol
        autograd.numpy, function.__name__
    )(*arguments, **options)
    reviews, histories = table.training(algorithm.inputs)
    outcomes = OutcomeCounts.from_reviews(
        histories.query_of_review, reviews.recalled, np.full(len(reviews), 1 / len(reviews))
    )

    def predict(w: dict[str, Array]) -> Array:
        features = body(w, histories)[histories.query_node]
        outputs = features @ np.swapaxes(w["fc.weight"], 0, 1) + w["fc.bias"]
        return algorithm.curve(tuple(outputs[:, j] for j in range(outputs.shape[1])), histories.query_elapsed)

    def loss_and_gradient(x: Floats) -> tuple[float, Floats]:
        tensors = {name: tensor.astype(precision) for name, tensor in unflat(x, shapes).items()}
        gradient, predicted = autograd.make_vjp(predict)(tensors)
        loss, by_predicted = outcomes.loss(predicted)
        return loss, weights.flat(gradient(by_predicted))

    return loss_and_gradient
