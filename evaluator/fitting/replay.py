"""An algorithm on a trie, whichever way it is stated."""

from __future__ import annotations

from typing import Optional, Union

import numpy as np
import numpy.typing as npt

from ..algorithms.algorithm import Encoder, Recurrent, Trace
from ..algorithms.fsrs5 import FSRS5
from ..algorithms.gru_p import GRUP
from ..histories import Trie
from .encoders import EncoderReplay
from .fsrs import FSRSReplay, is_plain_fsrs
from .gated import GatedReplay
from .recurrence import Recurrence
from .traces import TraceReplay
from .workspace import Workspace

Fittable = Union[Recurrent, Trace, Encoder]
Replay = Union[Recurrence, TraceReplay, EncoderReplay, GatedReplay, FSRSReplay]


def replay(algorithm: Fittable, trie: Trie) -> Replay:
    """The algorithm's predictions at the places of the trie, and their derivatives."""
    return Replays(algorithm, trie).at(np.ones(trie.places, dtype=bool))


class Replays:
    """An algorithm on parts of one trie. What the body of a network makes of the histories is computed once."""

    def __init__(self, algorithm: Fittable, trie: Trie) -> None:
        self._algorithm = algorithm
        self._trie = trie
        self._features = algorithm.encode(trie)[trie.place_node] if isinstance(algorithm, Encoder) else np.zeros((0, 0))

    def workspace(self) -> Workspace:
        """Room for the largest part."""
        return Workspace(max(self._trie.nodes, self._trie.places))

    def at(self, places: npt.NDArray[np.bool_], room: Optional[Workspace] = None) -> Replay:
        """The algorithm on the part of the trie that is needed for some of its places.

        With ``room`` it works there, until somebody else does.
        """
        algorithm = self._algorithm
        if isinstance(algorithm, Encoder):
            return EncoderReplay(algorithm, self._features[places], self._trie.place_elapsed[places])
        trie = self._trie.part(places)
        if isinstance(algorithm, Trace):
            return TraceReplay(algorithm, trie)
        if isinstance(algorithm, GRUP):
            return GatedReplay(algorithm, trie)
        if isinstance(algorithm, FSRS5) and is_plain_fsrs(algorithm):
            return FSRSReplay(algorithm, trie, room.begin() if room else None)
        return Recurrence(algorithm, trie)
