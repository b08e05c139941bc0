"""Choose the kernel that runs an algorithm on a trie: the hand-derived one of its class, or the general one of its
kind.

The formulas in the algorithm's own file are the reference; a hand-derived kernel computes the same numbers faster. It
is registered by exact class, because a subclass may change a formula: unless it is registered too, it gets the general
kernel. ``tests/evaluator/fitting/test_kernels.py`` compares every registered kernel with the general one.
"""

from __future__ import annotations

from typing import Any, Callable, Dict

from ..algorithms.algorithm import Encoder, Parametric, Recurrent, Trace
from ..algorithms.fsrs5 import FSRS5, FSRS5Wiki
from ..algorithms.fsrs6 import FSRS6, FSRS6Binary
from ..algorithms.fsrs7 import FSRS7
from ..algorithms.fsrs7_scheduled import FSRS7Scheduled
from ..algorithms.your_parameters import FSRSrs, YourParameters
from ..data.histories import Trie
from ..data.revlog import Ints
from .encoders import EncoderReplay
from .fsrs import FSRSReplay
from .fsrs7 import FSRS7Replay
from .recurrence import Recurrence
from .replay import Replay
from .traces import TraceReplay

#: Function that creates the replay of an algorithm on a trie.
Kernel = Callable[[Any, Trie], Replay]

HAND_DERIVED: Dict[type, Kernel] = {
    **dict.fromkeys((FSRS5, FSRS5Wiki, FSRS6, FSRS6Binary, FSRSrs, YourParameters), FSRSReplay),
    **dict.fromkeys((FSRS7, FSRS7Scheduled), FSRS7Replay),
}
#: :class:`Calibrated` algorithms are not here, because they do not run on a trie.
GENERAL: Dict[type, Kernel] = {
    Recurrent: Recurrence,
    Trace: TraceReplay,
    Encoder: lambda algorithm, trie: EncoderReplay(algorithm.curve, algorithm.encode(trie), trie.query_elapsed),
}


def make_replay(algorithm: Parametric, trie: Trie) -> Replay:
    """Create the replay of an algorithm on a trie by its hand-derived kernel, or else by the general one."""
    kernel = HAND_DERIVED.get(type(algorithm), make_general_replay)
    return kernel(algorithm, trie)


def make_general_replay(algorithm: Parametric, trie: Trie) -> Replay:
    """Create the replay of an algorithm on a trie by the kernel for all algorithms of its kind."""
    kernel = next(kernel for kind, kernel in GENERAL.items() if isinstance(algorithm, kind))
    return kernel(algorithm, trie)


def replay_parts(algorithm: Parametric, trie: Trie) -> Callable[[Ints, Ints], Replay]:
    """Return a function that replays the algorithm on some of the trie's nodes and queries.

    The features of an encoder are computed once for all parts.
    """
    if isinstance(algorithm, Encoder) and type(algorithm) not in HAND_DERIVED:
        curve, features = algorithm.curve, algorithm.encode(trie)
        return lambda _, positions: EncoderReplay(curve, features[positions], trie.query_elapsed[positions])
    return lambda nodes, positions: make_replay(algorithm, trie.subtrie(nodes, positions))
