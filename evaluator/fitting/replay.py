"""What fitting asks of an algorithm on a trie, whichever way it is stated. P parameters, M places."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, List, Optional, Protocol, Type

import numpy as np

from ..derivatives import Floats
from ..revlog import Ints

Precision = Type["np.floating[Any]"]

#: Elements of a page of memory, and by how many each row begins later within its page than the one before: else equal
#: elements of all rows would compete for the same lines of the processor's cache.
PAGE, STAGGER = 512, 24


class Linearisation(Protocol):
    """Predictions with given parameters, and how they change with each of them."""

    predicted: Floats  #: probability of recall at each place, (M,)

    def gradient(self, by_predicted: Floats) -> Floats:
        """The gradient (P,) of L from d L / d predicted (M,)."""

    def jacobian(self) -> Floats:
        """d predicted / d parameters at each place, (P, M)."""


class Replay(Protocol):
    """An algorithm on a trie. Each kind of algorithm has a subclass, which the algorithm itself names."""

    def predict(self, w: Floats) -> Floats:
        """Probability of recall at each place (M,) for parameters ``w`` (P,)."""
        return self.linearise(w).predicted

    def linearise(self, w: Floats) -> Linearisation:
        """The predictions for parameters ``w`` (P,), with their derivatives."""

    def part(self, places: Ints) -> Optional[Replay]:  # noqa: ARG002 - this one has none
        """The algorithm at some of the places, where it profits from what was computed for all; else None."""
        return None


@dataclass(frozen=True)
class DenseLinearisation(Linearisation):
    """Predictions with the whole matrix of their derivatives, from which the gradient is taken."""

    predicted: Floats  #: (M,)
    by_parameter: Floats  #: (P, M)

    def gradient(self, by_predicted: Floats) -> Floats:
        gradient: Floats = np.einsum("pm,m->p", self.by_parameter, by_predicted)
        return gradient

    def jacobian(self) -> Floats:
        return self.by_parameter


class Parameters(Protocol):
    """The parameters, and what follows from them alone."""

    own: Floats  #: (P,)


class ReplayByHand(Replay):
    """An algorithm with derivatives that were derived by hand. It keeps what it worked out for the last parameters."""

    at: Optional[Any] = None  #: the parameters that were last replayed

    def parameters(self, w: Floats) -> Parameters:
        """The parameters ``w`` (P,), and what follows from them alone."""
        raise NotImplementedError

    def forward(self, p: Any) -> Floats:
        """Probability of recall at each place, (M,)."""
        raise NotImplementedError

    def backward(self, p: Any, by_predicted: Floats) -> Floats:
        """The gradient of L from d L / d predicted (M,): P numbers, and perhaps some of no meaning."""
        raise NotImplementedError

    def jacobian(self, p: Any) -> Floats:
        """d predicted / d parameters at each place: P rows, and perhaps some of no meaning."""
        raise NotImplementedError

    def linearise(self, w: Floats) -> Linearisation:
        at = self.at
        if at is None or not np.array_equal(at.own, w):
            at = self.parameters(w.copy())
        return LinearisationByHand(self, at)


class LinearisationByHand(Linearisation):
    """Predictions of such a replay with given parameters."""

    def __init__(self, replay: ReplayByHand, at: Parameters) -> None:
        self._replay, self._at, self.predicted = replay, at, replay.forward(at)

    def gradient(self, by_predicted: Floats) -> Floats:
        return self._replay.backward(self._at, by_predicted)[: len(self._at.own)]

    def jacobian(self) -> Floats:
        return self._replay.jacobian(self._at)[: len(self._at.own)]


#: With at least so many states single precision is used, which takes half to three quarters of the time. With few, as
#: in a deck of its own, the search could end a little elsewhere for it.
SINGLE_PRECISION_FROM = 20_000


def precision_for(states: int) -> Precision:
    """The precision in which a replay derived by hand works out so many states."""
    return np.float32 if states >= SINGLE_PRECISION_FROM else np.float64


def in_precision(parameters: Any, precision: Precision) -> None:
    """Bring all arrays of an object, but ``own``, to a precision: with others NumPy would work in the higher one."""
    for name, value in vars(parameters).items():
        if isinstance(value, np.ndarray) and name != "own":
            setattr(parameters, name, value.astype(precision, copy=False))


class Workspace:
    """Arrays that are used again, as fresh memory costs as much time as to compute in it.

    Only one replay at a time may work in it, after :meth:`begin`. What nobody writes to takes no memory.
    """

    def __init__(self, capacity: int) -> None:
        """``capacity``: the number of elements that rows usually have at most."""
        self._capacity = capacity
        self._arrays: List[Floats] = []
        self._taken = 0

    def begin(self) -> Workspace:
        """Let all arrays be given out anew."""
        self._taken = 0
        return self

    def rows(self, count: int, size: int, precision: Precision = np.float64) -> Floats:
        """Give out an array (count, size), whose values are left over from its last use."""
        if self._taken == len(self._arrays):
            self._arrays.append(np.empty((0, 0)))
        kept = self._arrays[self._taken]
        if kept.shape[0] != count or kept.shape[1] < size:
            most = max(self._capacity, size)
            kept = self._arrays[self._taken] = np.empty((count, most + (STAGGER - most) % PAGE))
        self._taken += 1
        return kept.view(precision)[:, :size]  # type: ignore[return-value]


#: A function from some of a trie's nodes and places, and a workspace or None, to the algorithm there.
OnParts = Callable[[Ints, Ints, Optional[Workspace]], Replay]
