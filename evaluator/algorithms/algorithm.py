"""The interface of an algorithm, a small frozen object that knows nothing about folds or fitting."""

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
#: Lower bound of a stability in the same-day table, in days.
SAME_DAY_MIN_STABILITY = 0.0001
State = Tuple[Array, ...]


@dataclass(frozen=True)
class Parameter:
    """One trained number: its default, its bounds, and the width of its prior.

    Bounds are finite, and above 0 on a log scale. The default lies within them. The prior adds ((value - default) /
    width)^2 to the summed log loss. An infinite width means no prior. With ``log``, the logarithm is fitted, as is
    usual for a time, and the width is one of the logarithm.
    """

    default: float
    lower: float
    upper: float
    width: float = float("inf")
    log: bool = False


@dataclass(frozen=True)
class Recency:
    """Weights of newer reviews: least + (1 - least) x^power, with x from 0 (the oldest) to 1 (the newest)."""

    least: float
    power: float
    reaches_1: bool = True  #: whether the newest of n reviews has x = 1, not 1 - 1/n

    def weights(self, reviews: int) -> npt.NDArray[np.float64]:
        """Return the weights of this many reviews, the oldest first."""
        x = np.linspace(0.0, 1.0, reviews, endpoint=self.reaches_1)
        weights: npt.NDArray[np.float64] = self.least + (1 - self.least) * x**self.power
        return weights


#: Recency weights of FSRS's optimizers up to FSRS-6.
RECENCY = Recency(least=0.25, power=3)


@dataclass(frozen=True)
class Training:
    """How an algorithm learns from the reviews before a fold."""

    recency: Optional[Recency] = None  #: weights of newer reviews, or None if all weigh the same
    only: Optional[Tuple[int, ...]] = None  #: indices of the trained parameters, or None for all
    by: Optional[Literal["deck", "preset"]] = None  #: "preset" or "deck" if each has parameters of its own
    from_shared: bool = True  #: whether they are kept near parameters that all share; False is as in Anki


class Source(Enum):
    """Where the parameters of an algorithm come from."""

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
    table: str = WHOLE_DAY_TABLE  #: the table that is evaluated

    family: ClassVar[str] = ""
    uses: ClassVar[Tuple[str, ...]] = (
        "intervals",
        "ratings",
    )  #: the part of a card's history on which its predictions depend
    inputs: ClassVar[Inputs] = WHOLE_DAYS
    parameters: ClassVar[Tuple[Parameter, ...]] = ()
    min_stability: ClassVar[float] = 0.01  #: lower bound of the stability, if the state has one
    source: ClassVar[Source] = Source.OURS
    whole_days_only: ClassVar[bool] = False  #: whether it cannot be run on the same-day table
    note: ClassVar[Optional[str]] = None  #: code of a note that its row always has

    def __post_init__(self) -> None:
        if self.table == SAME_DAY_TABLE:
            self._set("inputs", replace(self.inputs, same_day=True, fractional=True))
            self._set("min_stability", SAME_DAY_MIN_STABILITY)
            self._set("parameters", self.same_day_parameters())

    def _set(self, attribute: str, value: object) -> None:
        object.__setattr__(self, attribute, value)

    def same_day_parameters(self) -> Tuple[Parameter, ...]:
        """Return its parameters in the same-day table. Override this to change defaults or bounds."""
        return self.parameters

    @property
    def is_run(self) -> bool:
        """Whether it can be run on its table."""
        return self.table == WHOLE_DAY_TABLE or not self.whole_days_only

    @property
    def trained(self) -> bool:
        """Whether anything is fitted to the user's reviews."""
        return False

    @property
    def trained_count(self) -> int:
        """Number of fitted parameters."""
        return 0

    @property
    def uses_anki_optimizer(self) -> bool:
        """Whether its parameters come from Anki's own optimizer."""
        return self.source is Source.ANKI

    def known_inputs(self, *, same_day: bool = True) -> Tuple[str, ...]:
        """List the parts of a card's past that it uses, see :attr:`evaluator.report.AlgorithmResult.uses`.

        Args:
            same_day: whether same-day reviews are available at all.
        """
        codes = {
            "intervals": "intervals_to_the_second" if self.inputs.fractional else "intervals",
            "ratings": "two_buttons" if self.inputs.two_buttons else "ratings",
        }
        if not self.uses:
            return ("neither",)
        return (*(codes[use] for use in self.uses), *(["same_day"] if self.inputs.same_day and same_day else []))


class Baseline(Algorithm):
    """An algorithm that looks at outcomes only, not at the history of a card."""

    family: ClassVar[str] = "Baseline"
    uses: ClassVar[Tuple[str, ...]] = ("outcomes",)
    source: ClassVar[Source] = Source.NOWHERE

    def known_inputs(self, *, same_day: bool = True) -> Tuple[str, ...]:
        return self.uses

    def predict(self, reviews: Reviews, folds: Sequence[Fold]) -> npt.NDArray[np.float64]:
        """Return the probability of recall of each tested review (m,), fold after fold, from the reviews before it."""
        raise NotImplementedError


@dataclass(frozen=True)
class Parametric(Algorithm):
    """An algorithm with parameters, which are published or trained."""

    training: Optional[Training] = None

    #: code of the description of its parameters, or None if they have no meaning to readers
    meanings: ClassVar[Optional[str]] = None

    def with_options(self, settings: Sm2Settings) -> Tuple[float, ...]:
        """Return a preset's SM-2 options as parameters. Only for algorithms with that source."""
        raise NotImplementedError

    @property
    def defaults(self) -> npt.NDArray[np.float64]:
        """Default parameters (P,)."""
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
        """Return what training adds to the loss at parameters w (P,) besides the prior, and its gradient (P,)."""
        return None

    def effective(self, w: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return the parameters (..., P) that predictions use: ``w``, put in order if the algorithm needs an order."""
        return w


class Recurrent(Parametric):
    """An algorithm that keeps a state for each card and updates it at each review.

    ``w`` holds the parameters by index, each a number. The other arguments are arrays of one shape. The three formulas
    use element-wise NumPy functions that :mod:`evaluator.derivatives` knows, without loops and item assignment.
    """

    def first(self, w: Sequence[Array], rating: Array) -> State:
        """Return the state after a card's first review."""
        raise NotImplementedError

    def step(self, w: Sequence[Array], state: State, elapsed: Array, rating: Array) -> State:
        """Return the state after a review ``elapsed`` days later (0 on the same day), answered with ``rating``."""
        raise NotImplementedError

    def recall(self, w: Sequence[Array], state: State, elapsed: Array) -> Array:
        """Return the probability of recall ``elapsed`` days after the review that led to ``state``."""
        raise NotImplementedError


class Trace(Parametric):
    """An algorithm that sums what each earlier review of the card still contributes. Its formulas are element-wise."""

    remembers: ClassVar[bool] = False  #: whether a trace depends on the total at the time of its review

    def trace(self, w: Sequence[Array], age: Array, rating: Array, total_then: Array) -> Array:
        """Return the contribution of a review ``age`` days ago that was answered with ``rating``.

        ``total_then`` is the total at that review, 0 at a card's first. Only algorithms with ``remembers`` get it.
        """
        raise NotImplementedError

    def recall(self, w: Sequence[Array], total: Array, elapsed: Array) -> Array:
        """Return the probability of recall from the total, ``elapsed`` days after the last review."""
        raise NotImplementedError


class Encoder(Parametric):
    """A trainable head on K fixed features of a history and the elapsed time.

    The features are counts, or come from the pretrained body of a network. Only the head is trained on the user's
    reviews: J outputs, each a weighted sum of the features plus a bias, which a curve turns into a probability.
    ``parameters`` are the weights (J x K, row by row), then the biases.
    """

    def encode(self, trie: Trie) -> npt.NDArray[np.float64]:
        """Return the features at each query (M, K)."""
        raise NotImplementedError

    def curve(self, outputs: Tuple[Array, ...], elapsed: Array) -> Array:
        """Return the probability of recall from the J outputs, ``elapsed`` days after the last review.

        It is element-wise.
        """
        raise NotImplementedError


class Calibrated(Parametric):
    """A forgetting curve that is trained on the intervals of an unchanged scheduler. ``recall`` is element-wise."""

    source: ClassVar[Source] = Source.CALIBRATED

    @property
    def scheduler(self) -> Recurrent:
        """The scheduler on the same table. Its ``recall`` returns t / interval instead of a probability."""
        raise NotImplementedError

    def recall(self, w: Sequence[Array], share: Array) -> Array:
        """Return the probability of recall after this share of the interval, t / interval above 0."""
        raise NotImplementedError


def sigmoid(x: Array) -> Array:
    """Return 1 / (1 + e^-x) without overflow."""
    return 0.5 + 0.5 * np.tanh(0.5 * x)


def by_rating(rating: Array, again: Array, hard: Array, good: Array, easy: Array) -> Array:
    """Return the value that belongs to each rating (1 to 4)."""
    return np.where(rating == 1, again, np.where(rating == 2, hard, np.where(rating == 3, good, easy)))
