"""Arrays that are used again."""

from __future__ import annotations

from typing import List

import numpy as np

from ..derivatives import Floats

#: Elements by which each array begins later within its pages than the one before: else equal elements of all arrays
#: would compete for the same lines of the processor's cache.
STAGGER = 24


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
