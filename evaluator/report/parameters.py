"""The fitted parameters: how sure they are, and which sit on a bound."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Tuple

from ..interval import Interval


@dataclass(frozen=True)
class FittedParameter:
    """One parameter of an algorithm."""

    index: int  #: from 0 on, as in ``parameters_per_fold``
    default: float  #: as published
    lower: float  #: its bounds
    upper: float
    lowest: float  #: over the folds
    highest: float
    #: Of the last fold, which had the most reviews to learn from. The interval is made on the scale of the search and
    #: kept within the bounds, the standard error is on the parameter's own scale.
    last: Interval
    #: 1 - variance / the prior's variance: 0 where only the prior speaks, 1 where only the reviews do; None without an
    #: interval
    share_from_reviews: Optional[float]
    differs: Optional[bool]  #: the default lies outside the 95 % interval; None where there is none. Descriptive


@dataclass(frozen=True)
class AlgorithmParameters:
    """Those of one trained algorithm."""

    algorithm: str
    training_reviews: int  #: of the last fold
    sampled_cards: Optional[int]  #: the Fisher information is from so many cards, scaled up; None: from all
    seed: int  #: with which they were drawn
    parameters: Tuple[FittedParameter, ...]
