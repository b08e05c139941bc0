"""Training objectives of the networks, which return the mean log loss of a batch of reviews and its gradient."""

from __future__ import annotations

from typing import Callable

import numpy as np

from evaluator.algorithms import weights
from evaluator.algorithms.algorithm import Array, Recurrent
from evaluator.algorithms.layers import Network
from evaluator.data.dataset import Dataset
from evaluator.data.histories import Histories
from evaluator.derivatives import Floats
from evaluator.fitting.kernels import make_replay
from evaluator.fitting.objective import OutcomeCounts

#: Function from all weights to the loss, and to its derivative with respect to each weight.
Objective = Callable[[Floats], tuple[float, Floats]]
#: Shape of each tensor by its name.
Shapes = dict[str, tuple[int, ...]]
#: Type of the numbers in the training of encoders. Single precision takes half as long as double precision.
PRECISION = np.float32


def unflatten(values: Floats, shapes: Shapes) -> weights.Weights:
    """Return the tensors of these shapes whose flattened numbers are ``values``, in the order of the shapes."""
    ends = np.cumsum([int(np.prod(shape)) for shape in shapes.values()])
    parts = np.split(np.asarray(values, dtype=np.float64), ends[:-1])
    return {key: part.reshape(shape) for (key, shape), part in zip(shapes.items(), parts, strict=True)}


def _training_data(algorithm: Recurrent | Network, table: Dataset) -> tuple[Histories, OutcomeCounts]:
    """Return the histories of a table, and the outcomes of its reviews, all with the same weight."""
    reviews, histories = table.training(algorithm.inputs)
    weight = np.full(len(reviews), 1 / len(reviews))
    return histories, OutcomeCounts.from_reviews(histories.query_of_review, reviews.recalled, weight)


def recurrent_objective(algorithm: Recurrent, table: Dataset) -> Objective:
    """Return the objective of a recurrent network, whose gradient uses the derivatives of :mod:`evaluator.fitting`."""
    histories, outcomes = _training_data(algorithm, table)
    replay = make_replay(algorithm, histories)

    def loss_and_gradient(x: Floats) -> tuple[float, Floats]:
        linearization = replay.linearize(x)
        loss, by_predicted = outcomes.loss(linearization.predicted)
        return loss, linearization.gradient(by_predicted)

    return loss_and_gradient


def encoder_objective(algorithm: Network, shapes: Shapes, table: Dataset) -> Objective:
    """Return the objective of a network with a body and a head (``fc``), which are trained together.

    The body is frozen later. The gradient comes from autograd, which runs the body itself, because the derivatives of
    :mod:`evaluator.fitting` do not support matrices.
    """
    # Imported here because the command's help is printed without autograd.
    import autograd.numpy  # type: ignore[import-untyped]
    from autograd.numpy.numpy_boxes import ArrayBox  # type: ignore[import-untyped]

    # autograd replaces functions such as np.tanh by itself, but not np.sum and other functions of whole arrays.
    ArrayBox.__array_function__ = lambda _, function, types, arguments, options: getattr(  # noqa: ARG005 - NumPy's protocol
        autograd.numpy, function.__name__
    )(*arguments, **options)
    histories, outcomes = _training_data(algorithm, table)

    def predict(w: dict[str, Array]) -> Array:
        features = algorithm.body(w, histories)[histories.query_node]
        outputs = features @ np.swapaxes(w["fc.weight"], 0, 1) + w["fc.bias"]
        return algorithm.curve(tuple(outputs[:, j] for j in range(outputs.shape[1])), histories.query_elapsed)

    def loss_and_gradient(x: Floats) -> tuple[float, Floats]:
        tensors = {name: tensor.astype(PRECISION) for name, tensor in unflatten(x, shapes).items()}
        gradient, predicted = autograd.make_vjp(predict)(tensors)
        loss, by_predicted = outcomes.loss(predicted)
        return loss, weights.flatten(gradient(by_predicted))

    return loss_and_gradient
