"""Whether each preset or deck should have parameters of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Tuple

from .values import Comparison, Failure


@dataclass(frozen=True)
class Split:
    """Own against shared parameters in one group, or in all of them, on the same reviews.

    Codes: "split" (own ones predict better), "either" (better, but by less than :attr:`Report.margin`),
    "keep_together" (worse, or the interval rules out that they are better by more than the margin), "cannot_tell", and
    "too_few": own parameters were not tried, or there is no interval.
    """

    label: Optional[int]  #: Anki's number of the preset or deck; None: all of them
    name: str  #: as in Anki, or its number; empty for all
    reviews: int  #: scored ones
    cards: int
    days: int
    shared_log_loss: float  #: with the parameters that all share
    #: Own minus shared; None where own parameters were not tried. Its code takes account of how many groups there are.
    comparison: Optional[Comparison]
    code: str
    own_now: Optional[bool]  #: whether it has parameters of its own in Anki now; None for decks, and for all


@dataclass(frozen=True)
class Splitting:
    """All presets, or all decks. Cards that no longer exist take no part."""

    by: str  #: "preset" or "deck" (a card's home deck, without its subdecks)
    algorithm: str  #: whose parameters
    in_use: int = 0  #: how many have scored reviews
    groups: Tuple[Split, ...] = ()  #: the one with most reviews first; empty where fewer than two are in use
    #: Where every group that can be tried has its own parameters, and the others keep the shared ones.
    total: Optional[Split] = None
    error: Optional[Failure] = None  #: why nothing could be tried
