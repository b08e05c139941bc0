"""The penalized log loss of an algorithm on a trie, with its gradient and its Fisher information."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Callable, Optional, Sequence, Tuple

import numpy as np

from ..algorithms.algorithm import Parameter
from ..data.revlog import Ints
from ..derivatives import Floats
from ..metrics.scores import CLIP, chunks
from .replay import Linearization, Replay

#: Number of products up to which BLAS does not divide a matrix multiplication among threads. Its threads keep waiting
#: for more work afterwards, and so slow down other programs.
MAX_SINGLE_THREAD_PRODUCTS = 250_000
#: If the limit allows fewer queries than this at a time, all are multiplied at once, because threads then pay off.
MIN_BATCH = 128

#: Number of queries whose losses are computed together, so that they stay in the processor's cache.
CHUNK = 16_384


@dataclass(frozen=True)
class OutcomeCounts:
    """Weighted numbers of recalled and of forgotten reviews at each of M queries."""

    recalled: Floats  #: (M,)
    forgotten: Floats  #: (M,)

    @property
    def count(self) -> Floats:
        """Weighted number of reviews at each query (M,)."""
        return self.recalled + self.forgotten

    @classmethod
    def from_reviews(cls, query: Ints, recalled: Ints, weights: Floats) -> OutcomeCounts:
        """Count reviews (n,) by query.

        Args:
            query: index of the query of each review. The largest one determines M.
            recalled: 1 if the review was recalled, otherwise 0.
            weights: weight of each review.
        """
        n_queries = int(query.max(initial=-1)) + 1
        totals = np.bincount(query + n_queries * recalled, weights, 2 * n_queries).astype(np.float64, copy=False)
        return cls(totals[n_queries:], totals[:n_queries])

    def loss(self, predicted: Floats) -> Tuple[float, Floats]:
        """Return the summed log loss of predictions (M,), and its derivatives by the predictions (M,)."""
        loss = 0.0
        by_predicted = np.empty(len(predicted))
        for span in chunks(len(predicted), CHUNK):
            recalled = self.recalled[span]
            forgotten = self.forgotten[span]
            p = np.clip(predicted[span], CLIP, 1 - CLIP)
            loss -= float((recalled * np.log(p) + forgotten * np.log1p(-p)).sum())
            by_predicted[span] = forgotten / (1 - p) - recalled / p
        return loss, by_predicted


class Scale:
    """Conversion between the parameters w and the variables x of the search, some of which are logarithms."""

    def __init__(self, parameters: Sequence[Parameter]) -> None:
        self._log = np.array([p.log for p in parameters], dtype=bool)
        self._bounds = np.array([p.lower for p in parameters]), np.array([p.upper for p in parameters])
        #: The bounds of the variables of the search.
        self.lower, self.upper = map(self.to_search, self._bounds)

    def to_search(self, w: Floats) -> Floats:
        """Return the variables x (P,) of the search at parameters w (P,)."""
        return np.where(self._log, np.log(np.where(self._log, w, 1.0)), w)

    def to_parameters(self, x: Floats) -> Floats:
        """Return the parameters w (P,) at variables x (P,) of the search."""
        w = np.where(self._log, np.exp(np.where(self._log, x, 0.0)), x)
        # The exponential of the logarithm of a bound may miss the bound by rounding.
        return np.clip(w, *self._bounds)

    def stretch(self, w: Floats) -> Floats:
        """Return the derivatives d w / d x (P,) at parameters w (P,)."""
        return np.where(self._log, w, 1.0)


@dataclass(frozen=True)
class Prior:
    """Prior of the parameters, which adds ((x - center) / width)^2 to the loss on the scale of the search."""

    center: Floats  #: (P,)
    width: Floats  #: (P,)
    #: Function that returns a further term of the loss and its gradient (P,) at parameters (P,).
    penalty: Callable[[Floats], Tuple[float, Floats]]

    @property
    def precision(self) -> Floats:
        """Factor 1 / width^2 of each squared distance (P,)."""
        return self.width**-2.0


@dataclass(frozen=True)
class PenalizedLogLoss:
    """Log loss summed over all reviews, plus the terms of the prior, on the scale of the search.

    See :class:`Scale` for the scale.
    """

    scale: Scale
    replay: Replay
    outcomes: OutcomeCounts
    prior: Prior
    #: Outcomes of a sample of cards, from which the Fisher information is estimated. If None, it uses all cards.
    sample: Optional[Tuple[Replay, OutcomeCounts]] = None

    def evaluate(self, x: Floats) -> LossEvaluation:
        """Return the loss at ``x`` (P,)."""
        return LossEvaluation(self, x)


class LossEvaluation:
    """The loss at one point, and its derivatives, which are computed on first use.

    Reading the information first may save computing the gradient.
    """

    def __init__(self, objective: PenalizedLogLoss, x: Floats) -> None:
        self._objective = objective
        prior = objective.prior
        self._w = objective.scale.to_parameters(x)
        self._distance = x - prior.center
        #: It is released once the gradient is known, because it takes much memory.
        self._linearization: Optional[Linearization] = objective.replay.linearize(self._w)
        self.loss, self._by_predicted = objective.outcomes.loss(self._linearization.predicted)
        self._penalty = prior.penalty(self._w)
        self.loss += self._penalty[0] + float((prior.precision * self._distance**2).sum())
        self._gradient = np.zeros(0)

    @property
    def gradient(self) -> Floats:
        """The gradient (P,)."""
        if self._linearization is not None:
            self._set_gradient(self._linearization.gradient(self._by_predicted))
        return self._gradient

    def _set_gradient(self, by_parameter: Floats) -> None:
        """Set the gradient of the whole loss by the variables from that of the log loss by the parameters (P,)."""
        prior = self._objective.prior
        stretch = self._objective.scale.stretch(self._w)
        self._gradient = (by_parameter + self._penalty[1]) * stretch + 2 * prior.precision * self._distance
        self._linearization = None
        self._by_predicted = np.zeros(0)

    @cached_property
    def information(self) -> Floats:
        """The Fisher information plus the curvature of the prior (P, P).

        The information is the sum of count * J J' / (p (1 - p)) over the queries. If it uses all queries, the gradient
        is computed from the same J.
        """
        objective = self._objective
        w = self._w
        replay, outcomes = objective.sample or (objective.replay, objective.outcomes)
        linearization = self._linearization if objective.sample is None else None
        with_gradient = linearization is not None
        if linearization is None:
            linearization = replay.linearize(w)
        p = np.clip(linearization.predicted, CLIP, 1 - CLIP)
        count = outcomes.count
        weights = objective.outcomes.count.sum() / max(count.sum(), 1e-12) * count / (p * (1 - p))
        jacobian = linearization.jacobian()
        information = np.zeros((len(w), len(w)))
        gradient = np.zeros(len(w))
        batch = MAX_SINGLE_THREAD_PRODUCTS // len(w) ** 2
        if batch < MIN_BATCH:
            batch = max(len(weights), 1)
        for span in chunks(len(weights), batch):
            jacobian_part = jacobian[:, span]
            information += (jacobian_part * weights[span]) @ jacobian_part.T
            if with_gradient:
                gradient += jacobian_part @ self._by_predicted[span]
        if with_gradient:
            self._set_gradient(gradient)
        loss, slope = self._penalty
        # The curvature of the penalty is that of the square of a linear function with its value and slope.
        if loss > 0:
            information += np.outer(slope, slope) / (2 * loss)
        stretch = objective.scale.stretch(w)
        return information * np.outer(stretch, stretch) + np.diag(2 * objective.prior.precision)
