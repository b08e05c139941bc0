"""The interfaces of algorithms, which are small frozen objects that know nothing about folds or fitting."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from enum import Enum
from typing import Any, ClassVar, Literal, Optional, Sequence, Tuple

import numpy as np

from ..data.folds import Fold
from ..data.histories import Inputs, Trie
from ..data.reviews import Reviews
from ..data.revlog import Sm2Settings
from ..derivatives import Floats
from ..scope import SAME_DAY_TABLE, WHOLE_DAY_TABLE

#: A NumPy array, or an :class:`evaluator.derivatives.Variable` while derivatives are computed.
Array = Any
#: Lower bound of a stability in the same-day table, in days.
SAME_DAY_MIN_STABILITY = 0.0001
#: State of a card, an array for each of its numbers.
State = Tuple[Array, ...]


@dataclass(frozen=True)
class Parameter:
    """Default, bounds and prior width of one trained number.

    Bounds are finite, and the default is within them. The prior adds ((value - default) / width)^2 to the summed log
    loss, and an infinite width means no prior. With ``log``, which suits a time, the logarithm is fitted. Then the
    bounds are positive, and the width is that of the logarithm.
    """

    default: float
    lower: float
    upper: float
    width: float = float("inf")
    log: bool = False


@dataclass(frozen=True)
class Recency:
    """Training weights that grow from the oldest review to the newest.

    They are oldest + (1 - oldest) x^power, where x rises from 0 to 1.
    """

    oldest: float  #: weight of the oldest review
    power: float  #: exponent of the growth
    reaches_1: bool = True  #: whether x of the newest of n reviews is 1 instead of 1 - 1/n

    def weights(self, n_reviews: int) -> Floats:
        """Return the weights of this many reviews, the oldest first."""
        x = np.linspace(0.0, 1.0, n_reviews, endpoint=self.reaches_1)
        weights: Floats = self.oldest + (1 - self.oldest) * x**self.power
        return weights


#: Recency weights of FSRS's optimizers up to FSRS-6.
RECENCY = Recency(oldest=0.25, power=3)


@dataclass(frozen=True)
class Training:
    """How an algorithm learns from the reviews before a fold."""

    recency: Recency = Recency(oldest=1.0, power=1)  #: weights of the reviews; by default all weigh the same
    only: Optional[Tuple[int, ...]] = None  #: indices of the trained parameters, or None for all
    by: Optional[Literal["deck", "preset"]] = None  #: set if each deck or preset gets its own parameters
    from_shared: bool = True  #: whether these stay near parameters that all share, unlike in Anki


class Source(Enum):
    """Source of an algorithm's parameters."""

    NOWHERE = "nowhere"  #: it has none, and predicts from outcomes alone
    OURS = "ours"  #: published, or trained here if it has a :class:`Training`
    PRESETS = "presets"  #: stored in the preset of each card
    ANKI = "anki"  #: Anki's optimizer, called for each fold
    OPTIONS = "options"  #: the SM-2 options of each preset, or trained here if it has a :class:`Training`
    CALIBRATED = "calibrated"  #: trained here on the intervals of another algorithm


@dataclass(frozen=True)
class Algorithm:
    """Base class of all algorithms, with what tables say about it and what it needs.

    What a subclass assigns to the name of a field is the default of that field for its instances.
    """

    name: str
    description: str
    table: str = WHOLE_DAY_TABLE  #: the table on which it is run
    inputs: Inputs = field(default=Inputs())
    parameters: Tuple[Parameter, ...] = field(default=(), repr=False)
    source: Source = Source.OURS
    whole_days_only: bool = False  #: whether the same-day table leaves it out
    in_sample: bool = False  #: whether its parameters may have been fitted to the scored reviews
    #: Entered parameters that were out of bounds: the index, the value and the nearest bound of each.
    clipped: Sequence[Tuple[int, float, float]] = ()

    family: ClassVar[str] = ""
    #: The parts of a card's history on which its predictions depend.
    uses: ClassVar[Tuple[str, ...]] = ("intervals", "ratings")
    min_stability: ClassVar[float] = 0.01  #: lower bound of the stability, if the state has one
    note: ClassVar[Optional[str]] = None  #: code of a note that its row in the table always has

    def __post_init__(self) -> None:
        # A frozen dataclass refuses assignment to attributes.
        values = vars(self)
        for item in fields(self):
            if values[item.name] is item.default:
                values[item.name] = getattr(type(self), item.name)
        if self.table == SAME_DAY_TABLE:
            values.update(
                inputs=replace(self.inputs, same_day=True, fractional=True),
                min_stability=SAME_DAY_MIN_STABILITY,
                parameters=self.same_day_parameters(),
            )

    def same_day_parameters(self) -> Tuple[Parameter, ...]:
        """Return the parameters for the same-day table. Subclasses override this to change defaults or bounds."""
        return self.parameters

    @property
    def is_runnable(self) -> bool:
        """Whether it can be run on its table."""
        return self.table == WHOLE_DAY_TABLE or not self.whole_days_only

    @property
    def trained(self) -> bool:
        """Whether anything is fitted to the user's reviews."""
        return self.trained_count > 0

    @property
    def trained_count(self) -> int:
        """Number of fitted parameters."""
        return 0

    def input_codes(self, *, same_day: bool = True) -> Tuple[str, ...]:
        """Return codes for the parts of a card's past that it uses, see :attr:`evaluator.report.AlgorithmResult.uses`.

        Args:
            same_day: whether it is shown same-day reviews.
        """
        if not self.uses:
            return ("neither",)
        code_of = {
            "intervals": "intervals_to_the_second" if self.inputs.fractional else "intervals",
            "ratings": "two_buttons" if self.inputs.two_buttons else "ratings",
        }
        codes = [code_of[use] for use in self.uses]
        if self.inputs.same_day and same_day:
            codes.append("same_day")
        return tuple(codes)


class Baseline(Algorithm):
    """An algorithm that predicts from outcomes alone, without the history of a card."""

    family: ClassVar[str] = "Baseline"
    uses: ClassVar[Tuple[str, ...]] = ("outcomes",)
    source = Source.NOWHERE

    def input_codes(self, *, same_day: bool = True) -> Tuple[str, ...]:
        return self.uses

    def predict(self, reviews: Reviews, folds: Sequence[Fold]) -> Floats:
        """Return the probability of recall of each tested review (m,), fold after fold.

        A prediction may depend on earlier reviews only.
        """
        raise NotImplementedError


@dataclass(frozen=True)
class Parametric(Algorithm):
    """An algorithm with parameters, which are published or trained."""

    training: Optional[Training] = None

    #: Code of the texts that describe its parameters, or None if there are none.
    meanings: ClassVar[Optional[str]] = None

    def with_options(self, settings: Sm2Settings) -> Tuple[float, ...]:
        """Return a preset's SM-2 options as parameters (P,). Only algorithms with :attr:`Source.OPTIONS` have them."""
        raise NotImplementedError

    @property
    def defaults(self) -> Floats:
        """Default parameters (P,)."""
        return np.array([p.default for p in self.parameters])

    @property
    def trained_count(self) -> int:
        if self.training is not None and self.training.only is not None:
            return len(self.training.only)
        return len(self.parameters) if self.training is not None or self.source is Source.ANKI else 0

    def penalty(self, w: Floats) -> Tuple[float, Floats]:
        """Return an additional training loss at parameters w (P,) and its gradient (P,)."""
        return 0.0, np.zeros(len(w))

    def effective_parameters(self, w: Floats) -> Floats:
        """Return the parameters (..., P) with which ``w`` (..., P) predicts. FSRS-7 puts some of them in order."""
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


class Exponential(Recurrent):
    """A recurrent algorithm with R(t) = 0.9^(t / S). S is the first number of its state, a time in days."""

    def recall(self, w: Sequence[Array], state: State, elapsed: Array) -> Array:
        return 0.9 ** (elapsed / state[0])


class Trace(Parametric):
    """An algorithm that sums the traces of all earlier reviews of a card. Its formulas are element-wise."""

    uses_total: ClassVar[bool] = False  #: whether a trace depends on the total at its own review

    def trace(self, w: Sequence[Array], age: Array, rating: Array, total_then: Array) -> Array:
        """Return the trace of a review ``age`` days ago that was answered with ``rating``.

        ``total_then`` is the total just before that review. It is always 0 unless the algorithm ``uses_total``.
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

    def encode(self, trie: Trie) -> Floats:
        """Return the features at each query (M, K)."""
        raise NotImplementedError

    def curve(self, outputs: Tuple[Array, ...], elapsed: Array) -> Array:
        """Return the probability of recall from the J outputs, ``elapsed`` days after the last review.

        The formula is element-wise.
        """
        raise NotImplementedError


class Calibrated(Parametric):
    """A forgetting curve that is trained on the intervals of an unchanged scheduler. ``recall`` is element-wise."""

    source = Source.CALIBRATED

    @property
    def scheduler(self) -> Recurrent:
        """The scheduler for the same table. Its ``recall`` returns t / interval instead of a probability."""
        raise NotImplementedError

    def recall(self, w: Sequence[Array], share: Array) -> Array:
        """Return the probability of recall. ``share`` is t / interval, a positive number."""
        raise NotImplementedError


def sigmoid(x: Array) -> Array:
    """Return 1 / (1 + e^-x) without overflow."""
    return 0.5 + 0.5 * np.tanh(0.5 * x)


def by_rating(rating: Array, again: Array, hard: Array, good: Array, easy: Array) -> Array:
    """Return the value that belongs to each rating (1 to 4)."""
    return np.where(rating == 1, again, np.where(rating == 2, hard, np.where(rating == 3, good, easy)))
