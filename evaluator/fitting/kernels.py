"""Choice of the kernel that runs an algorithm on a trie.

It is the hand-derived kernel of the algorithm's class, if there is one, or else the general kernel for its kind. The
formulas in the file of the algorithm are the reference, and a hand-derived kernel computes the same numbers faster. It
is registered by exact class, because a subclass may change a formula.
``tests/evaluator/fitting/test_kernels.py`` compares every registered kernel with the general one.
"""

from __future__ import annotations

from typing import Any, Callable, Dict

from ..algorithms.algorithm import Encoder, Parametric, Recurrent, Trace
from ..algorithms.fsrs5 import FSRS5
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

#: The hand-derived kernel of each class that has one.
HAND_DERIVED: Dict[type, Kernel] = {
    **dict.fromkeys((FSRS5, FSRS6, FSRS6Binary, FSRSrs, YourParameters), FSRSReplay),
    **dict.fromkeys((FSRS7, FSRS7Scheduled), FSRS7Replay),
}
#: The general kernel for each kind of algorithm. A :class:`Calibrated` algorithm has none, as it needs no trie.
GENERAL: Dict[type, Kernel] = {
    Recurrent: Recurrence,
    Trace: TraceReplay,
    Encoder: lambda algorithm, trie: EncoderReplay(algorithm.curve, algorithm.encode(trie), trie.query_elapsed),
}


def make_replay(algorithm: Parametric, trie: Trie) -> Replay:
    """Create the replay of an algorithm on a trie, by a hand-derived kernel if its class has one."""
    kernel = HAND_DERIVED.get(type(algorithm), make_general_replay)
    return kernel(algorithm, trie)


def make_general_replay(algorithm: Parametric, trie: Trie) -> Replay:
    """Create the replay of an algorithm on a trie by the general kernel for its kind."""
    kernel = next(kernel for kind, kernel in GENERAL.items() if isinstance(algorithm, kind))
    return kernel(algorithm, trie)


def replay_parts(algorithm: Parametric, trie: Trie) -> Callable[[Ints, Ints], Replay]:
    """Return a function that creates the replay on a part of the trie, given by nodes and positions of queries.

    The features of an encoder are computed only once for all parts.
    """
    if isinstance(algorithm, Encoder) and type(algorithm) not in HAND_DERIVED:
        curve = algorithm.curve
        features = algorithm.encode(trie)
        return lambda _, positions: EncoderReplay(curve, features[positions], trie.query_elapsed[positions])
    return lambda nodes, positions: make_replay(algorithm, trie.subtrie(nodes, positions))
