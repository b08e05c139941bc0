"""Data behind a report, kept so that its sections can be computed later."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Callable, Mapping, Optional, Tuple

import numpy as np

from ..algorithms import CATALOG
from ..algorithms.algorithm import Algorithm
from ..data.dataset import Dataset
from ..data.reviews import Reviews
from ..data.revlog import Bools, Snapshot
from ..fitting.anki_optimizer import PresetOptimizer
from ..fitting.fit import Fitted
from ..options import Options
from ..report import Comparison
from ..scope import WHOLE_DAY_TABLE
from .context import ScoringContext
from .presets_in_use import PresetsInUse


@dataclass(frozen=True, eq=False)
class Evidence:
    """Data of one evaluation, for its sections.

    The report builder makes one for each :class:`.report_builder.Evaluation`. All arrays with a value for each
    scored review are in review order.
    """

    options: Options
    collection: Snapshot  #: the evaluated snapshot with an empty review log, because the log is large
    data: Dataset  #: all reviews, trained on or scored, with folds, tries, decks and presets
    scoring: ScoringContext  #: the losses, cards and days of the scored reviews
    fitted: Mapping[str, Fitted] = field(default_factory=dict)  #: the finished algorithms, in catalog order
    optimize: Optional[PresetOptimizer] = None  #: Anki's Optimize, or None if it cannot be called
    #: Function that prepares all reviews of the collection. None if the whole collection is evaluated.
    prepare_all: Optional[Callable[[], Tuple[Dataset, object]]] = None
    snapshot: Optional[Snapshot] = None  #: the evaluated snapshot, set only while sections are computed
    #: Index of the scored reviews of :attr:`data` (n,) that are in ``scoring`` and ``fitted``: a mask, or ... for all.
    taken: Any = ...

    @classmethod
    def of(cls, snapshot: Snapshot, options: Options, data: Dataset) -> Evidence:
        """Return the evidence before any algorithm has run."""
        start = data.folds[0].test_start
        tested_reviews = data.reviews.take(slice(start, None))
        earlier_reviews = data.reviews.take(slice(start))
        scoring = ScoringContext(tested_reviews, earlier_reviews, has_peers=options.table == WHOLE_DAY_TABLE)
        # An empty slice would be a view that keeps the whole log.
        collection = replace(snapshot, revlog=snapshot.revlog.take(np.arange(0)), elapsed_days=None, recorded=())
        return cls(options, collection, data, scoring)

    def take(self, mask: Bools) -> Evidence:
        """Return the evidence on some reviews of the table (N,), trained on or scored. The data stays whole."""
        start = self.data.folds[0].test_start
        is_scored = np.arange(len(mask)) >= start
        reviews = self.data.reviews
        scoring = replace(self.scoring, tested=reviews.take(mask & is_scored), training=reviews.take(mask & ~is_scored))
        taken = mask[start:]
        fitted = {name: replace(item, predicted=item.predicted[taken]) for name, item in self.fitted.items()}
        return replace(self, scoring=scoring, fitted=fitted, taken=taken)

    def compare(self, algorithm: str, baseline: str) -> Comparison:
        """Compare two finished algorithms on all scored reviews."""
        scoring = self.scoring
        loss, baseline_loss = (scoring.loss(self.fitted[name].predicted) for name in (algorithm, baseline))
        return scoring.compare(algorithm, baseline, loss - baseline_loss, scoring.clusters)

    @cached_property
    def in_use(self) -> PresetsInUse:
        """The presets in use in all reviews of :attr:`data`."""
        return PresetsInUse(self.data)

    @property
    def tested(self) -> Reviews:
        """The scored reviews."""
        return self.scoring.tested

    def algorithm(self, name: str) -> Algorithm:
        """Return the algorithm of that name, from the catalog or added to it."""
        algorithms = (*CATALOG.values(), *self.options.added)
        return replace(next(item for item in algorithms if item.name == name), table=self.options.table)
