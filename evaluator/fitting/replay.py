"""An algorithm on a trie, whichever way it is stated."""

from __future__ import annotations

from typing import Union

from ..algorithms.algorithm import Recurrent, Trace
from ..histories import Histories
from .recurrence import Recurrence
from .traces import TraceReplay

Fittable = Union[Recurrent, Trace]
Replay = Union[Recurrence, TraceReplay]


def replay(algorithm: Fittable, histories: Histories) -> Replay:
    """The algorithm's predictions at the places of the trie, and their derivatives."""
    if isinstance(algorithm, Trace):
        return TraceReplay(algorithm, histories)
    return Recurrence(algorithm, histories)
