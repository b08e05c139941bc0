"""An algorithm on a trie, whichever way it is stated."""

from __future__ import annotations

from typing import Union

from ..algorithms.algorithm import Encoder, Recurrent, Trace
from ..histories import Histories
from .encoders import EncoderReplay
from .recurrence import Recurrence
from .traces import TraceReplay

Fittable = Union[Recurrent, Trace, Encoder]
Replay = Union[Recurrence, TraceReplay, EncoderReplay]


def replay(algorithm: Fittable, histories: Histories) -> Replay:
    """The algorithm's predictions at the places of the trie, and their derivatives."""
    if isinstance(algorithm, Encoder):
        return EncoderReplay(algorithm, histories)
    if isinstance(algorithm, Trace):
        return TraceReplay(algorithm, histories)
    return Recurrence(algorithm, histories)
