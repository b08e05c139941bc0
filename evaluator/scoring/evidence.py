"""Data behind a report, kept so that its sections can be made later."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Callable, Mapping, Optional, Tuple

from ..algorithms import CATALOG
from ..algorithms.algorithm import Algorithm
from ..data.dataset import Dataset
from ..data.reviews import Reviews
from ..data.revlog import Clock, Snapshot
from ..fitting.anki_optimizer import Optimize
from ..fitting.fit import Fitted
from ..options import Options
from ..scope import WHOLE_DAY_TABLE, ScopeChoice
from .context import ScoringContext


@dataclass(frozen=True, eq=False)
class Evidence:
    """Data of one evaluation, for its sections.

    The report builder makes one for each :class:`.report_builder.Evaluation`. All arrays with a value for each
    scored review are in review order.
    """

    options: Options
    choice: ScopeChoice  #: the evaluated part of the collection
    clock: Clock
    data: Dataset  #: all reviews, trained on or scored, with folds, tries, decks and presets
    scoring: ScoringContext  #: the losses, cards and days of the scored reviews
    fitted: Mapping[str, Fitted] = field(default_factory=dict)  #: the finished algorithms, in catalog order
    fsrs: Optional[bool] = None  #: whether FSRS is switched on, or None if the source does not say
    renumbered_buttons: int = 0  #: number of rows whose button was renumbered from Anki's first scheduler
    notes: Tuple[Tuple[str, int], ...] = ()  #: see :attr:`evaluator.data.revlog.Snapshot.notes`
    optimize: Optional[Optimize] = None  #: Anki's Optimize, or None if it cannot be called
    scheduler: Optional[int] = None  #: version of Anki's scheduler, or None if the source does not say
    #: Function that prepares all reviews of the collection. None if the whole collection is evaluated.
    prepare_all: Optional[Callable[[], Tuple[Dataset, object]]] = None
    snapshot: Optional[Snapshot] = None  #: kept only while a section that evaluates again is computed

    @classmethod
    def of(
        cls,
        snapshot: Snapshot,
        options: Options,
        data: Dataset,
        optimize: Optional[Optimize] = None,
        prepare_all: Optional[Callable[[], Tuple[Dataset, object]]] = None,
    ) -> Evidence:
        """Return the evidence before any algorithm has run."""
        start = data.folds[0].test_start
        tested, earlier = data.reviews.take(slice(start, None)), data.reviews.take(slice(start))
        scoring = ScoringContext(tested, earlier, has_peers=options.table == WHOLE_DAY_TABLE)
        return cls(
            options,
            snapshot.choice,
            snapshot.clock,
            data,
            scoring,
            fsrs=snapshot.fsrs,
            scheduler=snapshot.scheduler,
            renumbered_buttons=snapshot.renumbered_buttons,
            notes=snapshot.notes,
            optimize=optimize,
            prepare_all=prepare_all,
        )

    @property
    def tested(self) -> Reviews:
        """The scored reviews."""
        return self.scoring.tested

    def algorithm(self, name: str) -> Algorithm:
        """Return the algorithm of that name, from the catalog or from a file of predictions."""
        algorithms = (*CATALOG.values(), *self.options.external)
        return replace(next(item for item in algorithms if item.name == name), table=self.options.table)
