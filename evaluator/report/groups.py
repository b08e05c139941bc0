"""How the algorithms do in each preset and in each deck."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Tuple

from ..interval import Interval
from .values import Comparison, Failure


@dataclass(frozen=True)
class AlgorithmInGroup:
    """One algorithm's numbers in one group, on the group's scored reviews alone."""

    algorithm: str
    log_loss: float  #: not to be compared between groups: it follows how much is forgotten in each
    #: 1 - log loss / that of always guessing the group's average so far; may be compared. None below 10 reviews of
    #: either outcome.
    skill: Optional[float]
    rmse_bins: float  #: not to be compared between groups either: it follows their sizes
    rmse_bins_floor: float  #: what chance alone would make of it
    #: Above 0 where more was remembered than predicted. The interval holds for all groups at once; there is none below
    #: 100 reviews and with too few cards or days.
    recalled_minus_predicted: Interval
    #: The code takes account of how many groups were looked at (Holm); the interval does not. None for the baseline.
    against_baseline: Optional[Comparison]


@dataclass(frozen=True)
class Group:
    """A preset or a deck with scored reviews."""

    label: Optional[int]  #: Anki's number of it; None: the cards that no longer exist
    name: str  #: as in Anki, or its number; empty for the cards that no longer exist
    reviews: int  #: scored ones
    cards: int  #: among them
    days: int
    recalled: float  #: share of the reviews that were not Again
    algorithms: Tuple[AlgorithmInGroup, ...]  #: that of the verdict, the baseline and the best, as far as they differ


@dataclass(frozen=True)
class Grouping:
    """All presets, or all decks."""

    by: str  #: "preset" or "deck" (a card's home deck, without its subdecks)
    groups: Tuple[Group, ...] = ()  #: the one with most reviews first, the cards that no longer exist last
    baseline: Optional[str] = None
    seed: Optional[int] = None  #: of the intervals that hold for all groups at once
    error: Optional[Failure] = None  #: why there are no groups
