"""The penalised log loss of an algorithm on a trie, with its gradient and its Fisher information."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Sequence, Tuple

import numpy as np
import numpy.typing as npt

from ..algorithms.algorithm import Parameter
from ..derivatives import Floats
from ..histories import Histories
from ..metrics.scores import CLIP
from .replay import Fittable, Replay


@dataclass(frozen=True)
class Outcomes:
    """How often each place was recalled and forgotten, weighted; one row per fold, shape (F, M)."""

    recalled: Floats
    forgotten: Floats

    @classmethod
    def at_places(cls, histories: Histories, recalled: npt.NDArray[np.int64], weights: Floats) -> Outcomes:
        """Gather the reviews of the trie's table: ``recalled`` (n,), ``weights`` (F, n), 0 where a fold does not
        train.
        """

        def gather(of_review: Floats) -> Floats:
            place, places = histories.place_of_review, histories.places
            return np.stack([np.bincount(place, row, minlength=places) for row in of_review])

        return cls(gather(weights * recalled), gather(weights * (1 - recalled)))


class Scale:
    """The search goes over x: the parameters themselves, or the logarithm of those on a log scale."""

    def __init__(self, parameters: Sequence[Parameter]) -> None:
        self._log = np.array([p.log for p in parameters], dtype=bool)
        self._lower = np.array([p.lower for p in parameters])
        self._upper = np.array([p.upper for p in parameters])

    def to_search(self, w: Floats) -> Floats:
        """x of parameters w, shape (F, P)."""
        return np.where(self._log, np.log(np.where(self._log, w, 1.0)), w)

    def to_parameters(self, x: Floats) -> Floats:
        """Parameters w of x, shape (F, P)."""
        w = np.where(self._log, np.exp(np.where(self._log, x, 0.0)), x)
        return np.clip(w, self._lower, self._upper)  # exp(log(bound)) may miss the bound by rounding

    def stretch(self, w: Floats) -> Floats:
        """d w / d x, shape (F, P)."""
        return np.where(self._log, w, 1.0)


@dataclass(frozen=True)
class Prior:
    """How far the parameters are believed to stray: adds ((x - centre) / width)^2, on the scale of the search."""

    centre: Floats  #: (F, P)
    width: Floats  #: (P,)


class PenalisedLogLoss:
    """sum of -ln(probability of what happened) + the prior's penalty, for F folds at once."""

    def __init__(
        self,
        algorithm: Fittable,
        replay: Replay,
        outcomes: Outcomes,
        prior: Prior,
        sample: Optional[Tuple[Replay, Outcomes]] = None,
    ) -> None:
        """``sample``: fewer cards for the Fisher information, scaled up; all places where it is None."""
        self._scale = Scale(algorithm.parameters)
        self._replay = replay
        self._outcomes = outcomes
        self._centre = prior.centre
        self._precision = prior.width**-2.0
        self._sample = sample

    def __call__(self, x: Floats, which: npt.NDArray[np.int64]) -> Tuple[Floats, Floats, Floats]:
        """Loss (n,), gradient (n, P) and information (n, P, P) at ``x`` (n, P) for the folds ``which`` (n,).

        ``x`` and the derivatives are on the scale of the search, see :class:`Scale`.
        """
        w = self._scale.to_parameters(x)
        parameters = w.shape[1]
        recalled, forgotten = self._outcomes.recalled[which], self._outcomes.forgotten[which]
        at = self._replay.linearise(w)
        p = np.clip(at.predicted, CLIP, 1 - CLIP)
        loss = -(recalled * np.log(p) + forgotten * np.log1p(-p)).sum(axis=1)
        by_predicted = forgotten / (1 - p) - recalled / p
        if self._sample is None:
            jacobian = at.jacobian(parameters)
            gradient = np.einsum("fpm,fm->fp", jacobian, by_predicted)
            information = _information(jacobian, recalled + forgotten, p)
        else:
            gradient = at.gradient(by_predicted, parameters)
            information = self._sampled_information(*self._sample, w, which)

        stretch = self._scale.stretch(w)
        gradient *= stretch
        information *= stretch[:, :, None] * stretch[:, None, :]
        off = x - self._centre[which]
        loss += (self._precision * off**2).sum(axis=1)
        gradient += 2 * self._precision * off
        information += np.diag(2 * self._precision)
        return loss, gradient, information

    def _sampled_information(
        self, replay: Replay, outcomes: Outcomes, w: Floats, which: npt.NDArray[np.int64]
    ) -> Floats:
        at = replay.linearise(w)
        p = np.clip(at.predicted, CLIP, 1 - CLIP)
        count = (outcomes.recalled + outcomes.forgotten)[which]
        whole = (self._outcomes.recalled + self._outcomes.forgotten)[which].sum(axis=1)
        scale = whole / np.maximum(count.sum(axis=1), 1e-12)
        information: Floats = _information(at.jacobian(w.shape[1]), count, p) * scale[:, None, None]
        return information


def _information(jacobian: Floats, count: Floats, p: Floats) -> Floats:
    """sum over places of count * J J' / (p (1 - p)), shape (F, P, P)."""
    weighted = jacobian * (count / (p * (1 - p)))[:, None]
    information: Floats = weighted @ jacobian.transpose(0, 2, 1)
    return information
