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
    """Predictions at one point, and how they change with each parameter."""

    predicted: Floats  #: probability of recall at each place, (M,)

    def gradient(self, by_predicted: Floats) -> Floats:
        """The gradient (P,) of L from d L / d predicted (M,)."""

    def jacobian(self) -> Floats:
        """d predicted / d parameters at each place, (P, M)."""


class Replay(Protocol):
    """An algorithm on a trie. The ways that there are descend from it; each algorithm says which is its own."""

    def predict(self, w: Floats) -> Floats:
        """Probability of recall at each place (M,) for parameters ``w`` (P,)."""
        return self.linearise(w).predicted

    def linearise(self, w: Floats) -> Linearisation:
        """What is predicted at ``w`` (P,), with its derivatives."""


@dataclass(frozen=True)
class DenseLinearisation(Linearisation):
    """One whose derivatives are all known, as a matrix."""

    predicted: Floats  #: (M,)
    by_parameter: Floats  #: (P, M)

    def gradient(self, by_predicted: Floats) -> Floats:
        gradient: Floats = np.einsum("pm,m->p", self.by_parameter, by_predicted)
        return gradient

    def jacobian(self) -> Floats:
        return self.by_parameter


class Workspace:
    """Room for arrays, which whoever comes next takes again: fresh memory costs as much as to compute in it.

    Only one at a time may work in it, after :meth:`begin`. What nobody writes to takes no memory.
    """

    def __init__(self, capacity: int) -> None:
        """``capacity``: the most elements that an array will be asked to have."""
        self._capacity = capacity
        self._arrays: List[Floats] = []
        self._taken = 0

    def begin(self) -> Workspace:
        """Take back all that was given."""
        self._taken = 0
        return self

    def empty(self, size: int) -> Floats:
        """An array (size,) with anything in it."""
        if self._taken == len(self._arrays):
            offset = STAGGER * len(self._arrays)
            self._arrays.append(np.empty(self._capacity + offset)[offset:])
        self._taken += 1
        return self._arrays[self._taken - 1][:size]


#: From some places of a trie, as a mask, and room to work in, None for its own: the algorithm there.
OnParts = Callable[[npt.NDArray[np.bool_], Optional[Workspace]], Replay]
