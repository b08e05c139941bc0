"""What a report rests on, kept so that its sections can be made when they are asked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Dict, List, Optional

from .algorithms import CATALOGUE
from .algorithms.algorithm import Algorithm
from .fitting.context import Context
from .fitting.dataset import Dataset
from .fitting.fit import Fitted
from .options import Options
from .reviews import Reviews
from .revlog import Clock, Snapshot
from .scoring import Scoring
from .statistics.slices import Slices


@dataclass(frozen=True)
class Evidence:
    """Of one evaluation. The scored reviews are in review order; so is everything that has a value for each."""

    options: Options
    clock: Clock
    data: Dataset  #: all reviews, trained on or scored, with folds and tries
    context: Context  #: presets, decks, Anki's optimiser
    tested: Reviews  #: the scored ones
    scoring: Scoring  #: their losses, and their cards and days
    fitted: Dict[str, Fitted]  #: predictions and parameters by algorithm, in catalogue order; finished ones only
    snapshot: Optional[Snapshot] = None  #: only while a section is made that evaluates it anew, and was given it
    #: Of the slicings that all algorithms share, the map's last; made when first asked for.
    slices: List[Slices] = field(default_factory=list, compare=False)

    def algorithm(self, name: str) -> Algorithm:
        """The one of that name, from the catalogue or from elsewhere."""
        return CATALOGUE[name] if name in CATALOGUE else next(one for one in self.options.external if one.name == name)
