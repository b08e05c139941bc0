"""The penalised log loss of an algorithm on a trie, with its gradient and its Fisher information."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Optional, Sequence, Tuple

import numpy as np
import numpy.typing as npt

from ..algorithms.algorithm import Parameter, Parametric
from ..derivatives import Floats
from ..metrics.scores import CLIP
from ..revlog import Ints
from .replay import Replay

#: Products in a matrix multiplication that BLAS does not divide among threads: they would then wait for more, for a
#: while, on a processor that has other work.
BY_ONE_THREAD = 250_000
#: With so many parameters that fewer places than this would be multiplied at a time, the threads are worth it.
FEWEST_AT_ONCE = 128

#: Places whose losses are taken in one sweep: what stays in a processor's cache.
CHUNK = 16_384


@dataclass(frozen=True)
class Outcomes:
    """How often each place was recalled and forgotten, weighted; shape (M,)."""

    recalled: Floats
    forgotten: Floats

    @property
    def count(self) -> Floats:
        """The weighted number of reviews at each place, (M,)."""
        return self.recalled + self.forgotten

    def part(self, places: npt.NDArray[np.bool_]) -> Outcomes:
        """The outcomes at the places where the mask holds."""
        return Outcomes(self.recalled[places], self.forgotten[places])

    @classmethod
    def at_places(cls, place: Ints, recalled: Ints, weights: Floats) -> Outcomes:
        """Gather reviews (n,): at which place each is, whether it was recalled (1 or 0), and its weight."""
        size = 2 * (int(place.max(initial=-1)) + 1)
        gathered = np.bincount(2 * place + recalled, weights, size).astype(np.float64, copy=False).reshape(-1, 2)
        return cls(gathered[:, 1], gathered[:, 0])

    def loss(self, predicted: Floats) -> Tuple[float, Floats]:
        """The log loss of predictions (M,), and its derivatives by them (M,)."""
        loss, by_predicted = 0.0, np.empty(len(predicted))
        for start in range(0, len(predicted), CHUNK):
            here = slice(start, start + CHUNK)
            recalled, forgotten = self.recalled[here], self.forgotten[here]
            p = np.clip(predicted[here], CLIP, 1 - CLIP)
            loss -= float((recalled * np.log(p) + forgotten * np.log1p(-p)).sum())
            by_predicted[here] = forgotten / (1 - p) - recalled / p
        return loss, by_predicted


class Scale:
    """Turns parameters w into the variables x of the search, which for some are logarithms, and back."""

    def __init__(self, parameters: Sequence[Parameter]) -> None:
        self._log = np.array([p.log for p in parameters], dtype=bool)
        self._lower = np.array([p.lower for p in parameters])
        self._upper = np.array([p.upper for p in parameters])

    def to_search(self, w: Floats) -> Floats:
        """The variables x (P,) of the search at parameters w (P,)."""
        return np.where(self._log, np.log(np.where(self._log, w, 1.0)), w)

    def to_parameters(self, x: Floats) -> Floats:
        """The parameters w (P,) at variables x (P,) of the search."""
        w = np.where(self._log, np.exp(np.where(self._log, x, 0.0)), x)
        return np.clip(w, self._lower, self._upper)  # exp(log(bound)) may miss the bound by rounding

    def stretch(self, w: Floats) -> Floats:
        """d w / d x, shape (P,)."""
        return np.where(self._log, w, 1.0)


#: A function from parameters (P,) to its value and gradient (P,) there; None is 0 everywhere.
Penalty = Callable[[Floats], Optional[Tuple[float, Floats]]]


@dataclass(frozen=True)
class Prior:
    """How far the parameters are believed to stray: adds ((x - centre) / width)^2, on the scale of the search."""

    centre: Floats  #: (P,)
    width: Floats  #: (P,)
    penalty: Penalty = lambda _: None  #: what is added besides


class PenalisedLogLoss:
    """sum of -ln(probability of what happened) + the prior's penalty.

    Everything is on the scale of the search, see :class:`Scale`.
    """

    def __init__(
        self,
        algorithm: Parametric,
        replay: Replay,
        outcomes: Outcomes,
        prior: Prior,
        sample: Optional[Tuple[Replay, Outcomes]] = None,
    ) -> None:
        """``sample`` has fewer cards, from which the Fisher information is scaled up; None: all are used."""
        self._scale = Scale(algorithm.parameters)
        self._replay = replay
        self._outcomes = outcomes
        self._centre = prior.centre
        self._precision = prior.width**-2.0
        self._penalty = prior.penalty
        self._sample = sample or (replay, outcomes)

    def slope(self, x: Floats) -> Tuple[float, Floats]:
        """Loss and gradient (P,) at ``x`` (P,)."""
        w = self._scale.to_parameters(x)
        at = self._replay.linearise(w)
        loss, by_predicted = self._outcomes.loss(at.predicted)
        gradient = at.gradient(by_predicted)
        penalty = self._penalty(w)
        if penalty is not None:
            loss, gradient = loss + penalty[0], gradient + penalty[1]
        gradient *= self._scale.stretch(w)
        off = x - self._centre
        return loss + float((self._precision * off**2).sum()), gradient + 2 * self._precision * off

    def information(self, x: Floats) -> Floats:
        """The Fisher information with the prior's curvature, (P, P), at ``x`` (P,).

        The information is the sum over places of count * J J' / (p (1 - p)).
        """
        w = self._scale.to_parameters(x)
        replay, outcomes = self._sample
        at = replay.linearise(w)
        p = np.clip(at.predicted, CLIP, 1 - CLIP)
        count = outcomes.count
        scale = self._outcomes.count.sum() / max(count.sum(), 1e-12)
        jacobian, stretch, information = at.jacobian(), self._scale.stretch(w), np.zeros((len(w), len(w)))
        weights = scale * count / (p * (1 - p))
        at_once = BY_ONE_THREAD // len(x) ** 2
        if at_once < FEWEST_AT_ONCE:
            at_once = max(len(weights), 1)
        for start in range(0, len(weights), at_once):
            part = jacobian[:, start : start + at_once]
            information += (part * weights[start : start + at_once]) @ part.T
        penalty = self._penalty(w)
        if penalty is not None and penalty[0] > 0:  # its curvature as if it were the square of something linear
            information += np.outer(penalty[1], penalty[1]) / (2 * penalty[0])
        return information * np.outer(stretch, stretch) + np.diag(2 * self._precision)
