"""Choice of the kernel that runs an algorithm on a trie.

It is the hand-derived kernel of the algorithm's formulas, if there is one, or else the general kernel for its kind. The
formulas in the file of the algorithm are the reference, and a hand-derived kernel computes the same numbers faster.
``tests/evaluator/fitting/test_kernels.py`` compares every registered kernel with the general one.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, Type

from ..algorithms.algorithm import Encoder, Parametric, Recurrent, Trace
from ..algorithms.fsrs5 import FSRS5
from ..algorithms.fsrs6 import FSRS6
from ..algorithms.fsrs7 import FSRS7
from ..data.histories import Trie
from ..data.revlog import Ints
from .encoders import EncoderReplay
from .fsrs7_kernel import FSRS7Replay
from .fsrs_kernel import FSRSReplay
from .recurrence import Recurrence
from .replay import Replay
from .traces import TraceReplay

#: Function that creates the replay of an algorithm on a trie.
Kernel = Callable[[Any, Trie], Replay]

#: The hand-derived kernel of the formulas of each class that has one.
HAND_DERIVED: Dict[Type[Parametric], Kernel] = {FSRS5: FSRSReplay, FSRS6: FSRSReplay, FSRS7: FSRS7Replay}
#: The general kernel for each kind of algorithm. A :class:`Calibrated` algorithm has none, as it needs no trie.
GENERAL: Dict[type, Kernel] = {
    Recurrent: Recurrence,
    Trace: TraceReplay,
    Encoder: lambda algorithm, trie: EncoderReplay(algorithm.curve, algorithm.encode(trie), trie.query_elapsed),
}


def make_replay(algorithm: Parametric, trie: Trie) -> Replay:
    """Create the replay of an algorithm on a trie, by the hand-derived kernel of its formulas if there is one."""
    kernels = (kernel for registered, kernel in HAND_DERIVED.items() if _has_formulas_of(registered, algorithm))
    return next(kernels, make_general_replay)(algorithm, trie)


def _has_formulas_of(registered: Type[Parametric], algorithm: Parametric) -> bool:
    """Return whether the formulas of a registered class, and the methods that they may call, are the algorithm's too.

    They are what the class has beyond any algorithm with parameters.
    """
    formulas = set(dir(registered)) - set(dir(Parametric))
    same = all(getattr(type(algorithm), name, None) is getattr(registered, name) for name in formulas)
    return same and len(algorithm.parameters) == len(registered.parameters)


def make_general_replay(algorithm: Parametric, trie: Trie) -> Replay:
    """Create the replay of an algorithm on a trie by the general kernel for its kind."""
    kernel = next(kernel for kind, kernel in GENERAL.items() if isinstance(algorithm, kind))
    return kernel(algorithm, trie)


def replay_parts(algorithm: Parametric, trie: Trie) -> Callable[[Ints, Ints], Replay]:
    """Return a function that creates the replay on a part of a trie, from the indices of its nodes and queries.

    The features of an encoder are computed only once for all parts.
    """
    if isinstance(algorithm, Encoder):
        curve = algorithm.curve
        features = algorithm.encode(trie)
        return lambda _, queries: EncoderReplay(curve, features[queries], trie.query_elapsed[queries])
    return lambda nodes, queries: make_replay(algorithm, trie.subtrie(nodes, queries))
