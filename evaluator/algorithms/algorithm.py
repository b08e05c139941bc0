"""The interface of an algorithm: a small frozen object that predicts recall and knows nothing of folds or fitting."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, ClassVar, Literal, Optional, Sequence, Tuple

import numpy as np
import numpy.typing as npt

from ..data.folds import Fold
from ..data.histories import WHOLE_DAYS, Inputs, Trie
from ..data.reviews import Reviews
from ..data.revlog import Sm2Settings
from ..scope import SAME_DAY_TABLE, WHOLE_DAY_TABLE

#: A NumPy array, or :class:`evaluator.derivatives.Variable` while derivatives are taken.
Array = Any
#: Lower bound, in the same-day table, of the stability of every algorithm that has one.
SAME_DAY_MIN_STABILITY = 0.0001
State = Tuple[Array, ...]


@dataclass(frozen=True)
class Parameter:
    """One trained number: its start, its bounds and the width of its prior.

    Bounds are finite, and above 0 on a log scale. The default lies within them.

    The prior adds ((value - default) / width)^2 to the summed log loss. An infinite width means no prior. A parameter
    on a ``log`` scale (a time, say) is fitted by its logarithm, and its width is one of the logarithm.
    """

    default: float
    lower: float
    upper: float
    width: float = float("inf")
    log: bool = False


@dataclass(frozen=True)
class Recency:
    """How much more newer reviews weigh: least + (1 - least) x^power, x from 0 (the oldest) to 1 (the newest)."""

    least: float
    power: float
    reaches_1: bool = True  #: False: of n reviews the newest has x = 1 - 1/n

    def weights(self, reviews: int) -> npt.NDArray[np.float64]:
        """Return the weight of each of this many reviews, the oldest first."""
        x = np.linspace(0.0, 1.0, reviews, endpoint=self.reaches_1)
        weights: npt.NDArray[np.float64] = self.least + (1 - self.least) * x**self.power
        return weights


#: Recency weights of FSRS's optimizers up to FSRS-6.
RECENCY = Recency(least=0.25, power=3)


@dataclass(frozen=True)
class Training:
    """How an algorithm learns from the reviews before a fold."""

    recency: Optional[Recency] = None  #: how much more newer reviews weigh, or None if all weigh the same
    only: Optional[Tuple[int, ...]] = None  #: indices of the trained parameters, if not all are
    by: Optional[Literal["deck", "preset"]] = None  #: each of these gets its own parameters
    from_shared: bool = True  #: whether they are kept near parameters that all share; False is as in Anki


class Source(Enum):
    """Origin of an algorithm's parameters."""

    NOWHERE = "nowhere"  #: none: it predicts from outcomes alone
    OURS = "ours"  #: published, or trained here if it says how
    PRESETS = "presets"  #: the user's own, each card's from its preset
    ANKI = "anki"  #: Anki's optimizer, called for each fold
    OPTIONS = "options"  #: published, or trained here; the presets' SM-2 options if they have any
    CALIBRATED = "calibrated"  #: trained here on another algorithm's intervals


@dataclass(frozen=True)
class Algorithm:
    """Base class of all algorithms: how tables describe it, and what it needs."""

    name: str
    description: str
    table: str = WHOLE_DAY_TABLE  #: the table being evaluated; settings that depend on it follow

    family: ClassVar[str] = ""
    uses: ClassVar[Tuple[str, ...]] = (
        "intervals",
        "ratings",
    )  #: the part of a card's history on which its predictions depend
    inputs: ClassVar[Inputs] = WHOLE_DAYS
    parameters: ClassVar[Tuple[Parameter, ...]] = ()
    min_stability: ClassVar[float] = 0.01  #: lower bound of the stability, if the state has one
    source: ClassVar[Source] = Source.OURS
    whole_days_only: ClassVar[bool] = False  #: it is not run on the same-day table
    note: ClassVar[Optional[str]] = None  #: code of a remark that its row always has

    def __post_init__(self) -> None:
        if self.table == SAME_DAY_TABLE:
            self._set("inputs", replace(self.inputs, same_day=True, fractional=True))
            self._set("min_stability", SAME_DAY_MIN_STABILITY)
            self._set("parameters", self.same_day_parameters())

    def _set(self, attribute: str, value: object) -> None:
        object.__setattr__(self, attribute, value)

    def same_day_parameters(self) -> Tuple[Parameter, ...]:
        """Return its parameters in the same-day table. Override this to change starting values or bounds."""
        return self.parameters

    @property
    def is_run(self) -> bool:
        """Return whether it is run on its table."""
        return self.table == WHOLE_DAY_TABLE or not self.whole_days_only

    @property
    def trained(self) -> bool:
        """Return whether anything is fitted on the user's own reviews."""
        return False

    @property
    def trained_count(self) -> int:
        """Return how many parameters are fitted."""
        return 0

    @property
    def uses_anki_optimizer(self) -> bool:
        """Return whether its parameters come from Anki's own optimizer."""
        return self.source is Source.ANKI

    def known_inputs(self, *, same_day: bool = True) -> Tuple[str, ...]:
        """Return codes of the parts of a card's past that it uses, see :attr:`evaluator.report.AlgorithmResult.uses`.

        Args:
            same_day: Whether same-day reviews are available at all.
        """
        codes = {
            "intervals": "intervals_to_the_second" if self.inputs.fractional else "intervals",
            "ratings": "two_buttons" if self.inputs.two_buttons else "ratings",
        }
        if not self.uses:
            return ("neither",)
        return (*(codes[use] for use in self.uses), *(["same_day"] if self.inputs.same_day and same_day else []))


class Baseline(Algorithm):
    """An algorithm that looks at outcomes only, not at a card's history."""

    family: ClassVar[str] = "Baseline"
    uses: ClassVar[Tuple[str, ...]] = ("outcomes",)
    source: ClassVar[Source] = Source.NOWHERE

    def known_inputs(self, *, same_day: bool = True) -> Tuple[str, ...]:
        return self.uses

    def predict(self, reviews: Reviews, folds: Sequence[Fold]) -> npt.NDArray[np.float64]:
        """Return the probability of recall for each tested row, fold after fold, from what came before it."""
        raise NotImplementedError


@dataclass(frozen=True)
class Parametric(Algorithm):
    """An algorithm with parameters: published ones, or trained ones if it says how to train."""

    training: Optional[Training] = None

    meanings: ClassVar[Optional[str]] = None  #: code of what its parameters mean, if that is known in words

    def with_options(self, settings: Sm2Settings) -> Tuple[float, ...]:
        """Return a preset's SM-2 options as parameters, if they are the source."""
        raise NotImplementedError

    @property
    def defaults(self) -> npt.NDArray[np.float64]:
        """Return the default parameters, (P,)."""
        return np.array([p.default for p in self.parameters])

    @property
    def trained(self) -> bool:
        return self.training is not None or self.uses_anki_optimizer

    @property
    def trained_count(self) -> int:
        if self.training is not None and self.training.only is not None:
            return len(self.training.only)
        return len(self.parameters) if self.trained else 0

    def penalty(self, w: npt.NDArray[np.float64]) -> Optional[Tuple[float, npt.NDArray[np.float64]]]:
        """Return the loss and gradient (P,) that training adds at parameters w (P,), besides the prior."""
        return None

    def effective(self, w: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return the parameters (..., P) it predicts by: ``w``, brought into order if they have one to keep."""
        return w


class Recurrent(Parametric):
    """An algorithm that keeps a state per card and updates it at each review.

    ``w`` holds the parameters by index, each a number; the other arguments are arrays of one shape. The three formulas
    are element-wise NumPy (what :mod:`evaluator.derivatives` knows), with no loop and no item assignment.
    """

    def first(self, w: Sequence[Array], rating: Array) -> State:
        """Return the state after a card's first review."""
        raise NotImplementedError

    def step(self, w: Sequence[Array], state: State, elapsed: Array, rating: Array) -> State:
        """Return the state after a review ``elapsed`` days later (0: the same day), answered with ``rating``."""
        raise NotImplementedError

    def recall(self, w: Sequence[Array], state: State, elapsed: Array) -> Array:
        """Return the probability of recall ``elapsed`` days after the review that led to ``state``."""
        raise NotImplementedError


class Trace(Parametric):
    """An algorithm that sums what each earlier review of the card still contributes.

    The formulas are element-wise as those of :class:`Recurrent`.
    """

    remembers: ClassVar[bool] = False  #: whether a trace depends on the total at the time when it was laid

    def trace(self, w: Sequence[Array], age: Array, rating: Array, total_then: Array) -> Array:
        """Return what a review ``age`` days ago that was answered with ``rating`` contributes to the total.

        ``total_then`` is the total at that review, 0 at a card's first. It is given to those that remember.
        """
        raise NotImplementedError

    def recall(self, w: Sequence[Array], total: Array, elapsed: Array) -> Array:
        """Return the probability of recall from the total, ``elapsed`` days after the last review."""
        raise NotImplementedError


class Encoder(Parametric):
    """A trainable head on K fixed features of a history and the elapsed time.

    The features are those of a network's body as it was pretrained, or counts. Only the head is trained on the user's
    reviews: J outputs, each a weighted sum of the features plus a bias, which a curve turns into a probability.
    ``parameters`` are the weights (J x K, row by row), then the biases.
    """

    def encode(self, trie: Trie) -> npt.NDArray[np.float64]:
        """Return the features at each query, shape (M, K)."""
        raise NotImplementedError

    def curve(self, outputs: Tuple[Array, ...], elapsed: Array) -> Array:
        """Return the probability of recall from the J outputs, ``elapsed`` days after the last review.

        It is element-wise as the formulas of :class:`Recurrent`.
        """
        raise NotImplementedError


class Calibrated(Parametric):
    """A forgetting curve that is trained on the intervals of a scheduler, which stay as they are.

    ``recall`` is element-wise as the formulas of :class:`Recurrent`.
    """

    source: ClassVar[Source] = Source.CALIBRATED

    @property
    def scheduler(self) -> Recurrent:
        """The scheduler on the same table. Its ``recall`` gives t / interval instead of a probability."""
        raise NotImplementedError

    def recall(self, w: Sequence[Array], share: Array) -> Array:
        """Return the probability of recall when that share of the interval (t / interval, above 0) has elapsed."""
        raise NotImplementedError


def sigmoid(x: Array) -> Array:
    """1 / (1 + e^-x), without overflow."""
    return 0.5 + 0.5 * np.tanh(0.5 * x)


def by_rating(rating: Array, again: Array, hard: Array, good: Array, easy: Array) -> Array:
    """Return the value that belongs to each rating (1 to 4)."""
    return np.where(rating == 1, again, np.where(rating == 2, hard, np.where(rating == 3, good, easy)))
