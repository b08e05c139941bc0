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
from ..revlog import Ints
from .replay import Fittable, Replay


@dataclass(frozen=True)
class Outcomes:
    """How often each place was recalled and forgotten, weighted; one row per fold, shape (F, M)."""

    recalled: Floats
    forgotten: Floats

    @property
    def count(self) -> Floats:
        """The weighted number of reviews at each place, (F, M)."""
        return self.recalled + self.forgotten

    def part(self, places: npt.NDArray[np.bool_]) -> Outcomes:
        """What happened at some of the places."""
        return Outcomes(self.recalled[:, places], self.forgotten[:, places])

    @classmethod
    def at_places(cls, histories: Histories, recalled: Ints, weights: Sequence[Floats]) -> Outcomes:
        """Gather reviews of the trie's table.

        Args:
            histories: the trie.
            recalled: 0 or 1 for each review of the table.
            weights: for each fold those of the reviews from the table's start on; the rest do not count.
        """
        place = histories.place_of_review

        def gather(outcome: Ints) -> Floats:
            rows = (np.bincount(place[: len(w)], w * outcome[: len(w)], histories.places) for w in weights)
            return np.stack(list(rows))

        return cls(gather(recalled), gather(1 - recalled))


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
    """sum of -ln(probability of what happened) + the prior's penalty, for F folds at once.

    Everything is on the scale of the search, see :class:`Scale`.
    """

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
        self._sample = sample or (replay, outcomes)

    def slope(self, x: Floats, which: npt.NDArray[np.int64]) -> Tuple[Floats, Floats]:
        """Loss (n,) and gradient (n, P) at ``x`` (n, P) for the folds ``which`` (n,)."""
        w = self._scale.to_parameters(x)
        recalled, forgotten = self._outcomes.recalled[which], self._outcomes.forgotten[which]
        at = self._replay.linearise(w)
        p = np.clip(at.predicted, CLIP, 1 - CLIP)
        loss = -(recalled * np.log(p) + forgotten * np.log1p(-p)).sum(axis=1)
        gradient = at.gradient(forgotten / (1 - p) - recalled / p, w.shape[1]) * self._scale.stretch(w)
        off = x - self._centre[which]
        return loss + (self._precision * off**2).sum(axis=1), gradient + 2 * self._precision * off

    def information(self, x: Floats, which: npt.NDArray[np.int64]) -> Floats:
        """The Fisher information with the prior's curvature, (n, P, P), at ``x`` (n, P) for the folds ``which``.

        The information is the sum over places of count * J J' / (p (1 - p)).
        """
        w = self._scale.to_parameters(x)
        replay, outcomes = self._sample
        at = replay.linearise(w)
        p = np.clip(at.predicted, CLIP, 1 - CLIP)
        count = outcomes.count[which]
        scale = self._outcomes.count[which].sum(axis=1) / np.maximum(count.sum(axis=1), 1e-12)
        jacobian = at.jacobian(w.shape[1]) * self._scale.stretch(w)[:, :, None]
        weighted = jacobian * (scale[:, None] * count / (p * (1 - p)))[:, None]
        information: Floats = weighted @ jacobian.transpose(0, 2, 1)
        return information + np.diag(2 * self._precision)
