"""An algorithm on a trie, whichever way it is stated."""

from __future__ import annotations

from typing import Union

from ..algorithms.algorithm import Encoder, Recurrent, Trace
from ..algorithms.gru_p import GRUP
from ..histories import Histories
from .encoders import EncoderReplay
from .gated import GatedReplay
from .recurrence import Recurrence
from .traces import TraceReplay

Fittable = Union[Recurrent, Trace, Encoder]
Replay = Union[Recurrence, TraceReplay, EncoderReplay, GatedReplay]


def replay(algorithm: Fittable, histories: Histories) -> Replay:
    """The algorithm's predictions at the places of the trie, and their derivatives."""
    if isinstance(algorithm, Encoder):
        return EncoderReplay(algorithm, histories)
    if isinstance(algorithm, Trace):
        return TraceReplay(algorithm, histories)
    if isinstance(algorithm, GRUP):
        return GatedReplay(algorithm, histories)
    return Recurrence(algorithm, histories)
