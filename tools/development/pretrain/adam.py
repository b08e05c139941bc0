"""Adam with a learning rate that falls along a half cosine; autograd's has a constant one.

Reference: D. Kingma & J. Ba (2015), Adam: a method for stochastic optimization, ICLR, arXiv 1412.6980.
"""

from __future__ import annotations

from typing import Callable, Sequence

import numpy as np

from evaluator.derivatives import Floats
from tools.development.pretrain.objectives import Objective


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
