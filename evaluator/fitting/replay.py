"""What fitting asks of an algorithm on a trie, whichever way it is stated. P parameters, M places."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, List, Optional, Protocol

import numpy as np
import numpy.typing as npt

from ..derivatives import Floats

#: Elements by which each array begins later within its pages than the one before: else equal elements of all arrays
#: would compete for the same lines of the processor's cache.
STAGGER = 24


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


class Workspace:
    """Arrays that are used again, as fresh memory costs as much time as to compute in it.

    Only one replay at a time may work in it, after :meth:`begin`. What nobody writes to takes no memory.
    """

    def __init__(self, capacity: int) -> None:
        """``capacity``: the number of elements that arrays usually have at most."""
        self._capacity = capacity
        self._arrays: List[Floats] = []
        self._taken = 0

    def begin(self) -> Workspace:
        """Let all arrays be given out anew."""
        self._taken = 0
        return self

    def empty(self, size: int) -> Floats:
        """Give out an array (size,), whose values are left over from its last use."""
        if self._taken == len(self._arrays):
            self._arrays.append(np.empty(0))
        if len(self._arrays[self._taken]) < size:
            offset = STAGGER * self._taken
            self._arrays[self._taken] = np.empty(max(self._capacity, size) + offset)[offset:]
        self._taken += 1
        return self._arrays[self._taken - 1][:size]


#: A function from a mask of a trie's places, and a workspace or None, to the algorithm at these places.
OnParts = Callable[[npt.NDArray[np.bool_], Optional[Workspace]], Replay]
