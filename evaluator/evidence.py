"""What a report rests on, kept so that its sections can be made when they are asked for."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Dict, List, Optional

from .algorithms import CATALOGUE
from .algorithms.algorithm import Algorithm, Source
from .fitting.context import Context
from .fitting.dataset import Dataset
from .fitting.fit import Fitted
from .options import Options
from .reviews import Reviews
from .revlog import Clock, Snapshot
from .scope import WHOLE_DAY_TABLE, ScopeChoice
from .scoring import Scoring
from .statistics.slices import Slices


@dataclass(frozen=True)
class Evidence:
    """What one evaluation rests on. All arrays with a value for each scored review are in review order."""

    options: Options
    choice: ScopeChoice  #: which part of the collection
    clock: Clock
    data: Dataset  #: all reviews, trained on or scored, with folds and tries
    context: Context  #: presets, decks, Anki's optimiser
    scoring: Scoring  #: the losses, cards and days of the scored reviews
    #: By algorithm, in catalogue order; only those that have finished.
    fitted: Dict[str, Fitted] = field(default_factory=dict)
    snapshot: Optional[Snapshot] = None  #: given only while a section is made that evaluates anew
    #: The slices that the graphs of all algorithms share, those of the map last; filled in for the first graph.
    slices: List[Slices] = field(default_factory=list, compare=False)

    @classmethod
    def of(cls, snapshot: Snapshot, options: Options, data: Dataset, context: Context) -> Evidence:
        """What is known before any algorithm has been run."""
        start = data.folds[0].test_start
        tested, earlier = data.reviews.take(slice(start, None)), data.reviews.take(slice(start))
        scoring = Scoring(tested, earlier, beside_others=options.table == WHOLE_DAY_TABLE)
        return cls(options, snapshot.choice, snapshot.clock, data, context, scoring)

    @property
    def tested(self) -> Reviews:
        """The scored reviews."""
        return self.scoring.tested

    def algorithm(self, name: str) -> Algorithm:
        """The algorithm of that name, from the catalogue or from a file of predictions."""
        known = (*CATALOGUE.values(), *self.options.external)
        return replace(next(one for one in known if one.name == name), table=self.options.table)

    @property
    def presets_own(self) -> List[str]:
        """The algorithms that have finished and predict with the parameters that are in the person's presets now."""
        return [name for name in self.fitted if self.algorithm(name).source is Source.PRESETS]
