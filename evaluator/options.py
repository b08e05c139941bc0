"""Options of an evaluation."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace
from itertools import chain
from typing import List, Optional, Sequence, Tuple

import numpy as np

from .algorithms import ALGORITHM_GROUPS, CATALOG, resolve, resolve_baseline
from .algorithms.algorithm import Algorithm
from .algorithms.external import ExternalPredictions
from .data.folds import check_number_of_folds
from .data.revlog import Preset, Snapshot
from .errors import BadOption
from .fitting.preset_parameters import has_parameters, holds_fsrs6_defaults
from .report import OWN, PUBLISHED
from .scope import SAME_DAY_TABLE, TABLES, WHOLE_DAY_TABLE


@dataclass(frozen=True)
class Options:
    """The choices of one evaluation. The defaults are the benchmark's."""

    algorithms: Tuple[str, ...] = ("default",)  #: names or groups of the catalog
    baseline: Optional[str] = None  #: the algorithm to compare with, run in any case; None: Anki's SM-2 if run
    folds: int = 5
    since: Optional[dt.date] = None  #: reviews before that day are history only: neither trained on nor scored
    #: False: hide reviews on the day of an earlier one of the card from every algorithm. The same reviews are scored.
    same_day: bool = True
    outlier_filter: bool = True  #: leave out cards whose first interval is rare for their first answer
    table: str = WHOLE_DAY_TABLE  #: which reviews are predicted, see :mod:`evaluator.scope`
    external: Tuple[ExternalPredictions, ...] = ()  #: external predictions, scored like an algorithm
    #: Calculate only these metrics, by key, without intervals, comparisons and other facts, in a fifth of the time;
    #: None: everything.
    metrics: Optional[Tuple[str, ...]] = None

    def for_snapshot(self, snapshot: Snapshot) -> Options:
        """Return these options for a snapshot: "default" adapted to its presets, and its recorded predictions as rows.

        The last of those is the usual baseline. Such a log is not Anki's, so the benchmark's filter is off.
        """
        default = _default(snapshot) if self.table == WHOLE_DAY_TABLE else ("default",)
        requested = (default if name.strip().lower() == "default" else (name,) for name in self.algorithms)
        options = replace(self, algorithms=tuple(chain.from_iterable(requested)))
        if not snapshot.recorded:
            return options
        recorded = tuple(item for item in snapshot.recorded if item not in self.external)
        baseline = snapshot.recorded[-1].name if self.baseline is None else self.baseline
        return replace(options, external=(*recorded, *self.external), baseline=baseline, outlier_filter=False)

    def algorithms_to_run(self) -> List[Algorithm]:
        """Return the requested algorithms in catalog order, then the predictions from other programs.

        Raises:
            BadOption: there are none, or two of one name, or the table does not go with another option, or the number
                of folds is impossible.
            UnknownName: a name is neither in the catalog nor a group.
        """
        check_number_of_folds(self.folds)
        taken = {name.lower() for name in (*CATALOG, *ALGORITHM_GROUPS)}
        for item in self.external:
            if item.name.lower() in taken:
                raise BadOption(option="--external", value=item.name, allowed="external")
            taken.add(item.name.lower())
        if self.table not in TABLES:
            raise BadOption(option="--table", value=self.table, allowed="table")
        if self.table == SAME_DAY_TABLE and not self.same_day:
            raise BadOption(option="--table", value=self.table, allowed="table_without_same_day")
        is_external = self.baseline_name() in {item.name for item in self.external}
        algorithms = resolve(self.algorithms, None if is_external else self.baseline, self.table)
        return [*algorithms, *(replace(item, table=self.table) for item in self.external)]

    def baseline_name(self) -> Optional[str]:
        """Return the baseline's name in the table, however it was typed. Raises as :meth:`algorithms_to_run`."""
        if self.baseline is None:
            return None
        typed = self.baseline.strip().lower()
        external = (item.name for item in self.external if item.name.lower() == typed)
        return next(external, None) or resolve_baseline(self.baseline).name


def _default(snapshot: Snapshot) -> Tuple[str, ...]:
    """Return the group "default" for the snapshot's presets.

    The user's own row is in it if FSRS is on or some parameters are stored. If the presets in use hold the default
    parameters, that row takes the place of "FSRS-6 default". FSRS-7 is in it if a preset runs it.
    """
    presets = snapshot.presets or ()
    repeated = OWN
    if presets and (snapshot.fsrs or any(map(has_parameters, presets))):
        repeated = PUBLISHED if all(map(holds_fsrs6_defaults, _in_use(snapshot))) else ""
    fsrs7 = ("FSRS-7 optimized", "FSRS-7") if any(preset.fsrs_version == 7 for preset in presets) else ()
    return (*(name for name in ALGORITHM_GROUPS["default"] if name != repeated), *fsrs7)


def _in_use(snapshot: Snapshot) -> Sequence[Preset]:
    """Return the presets of the chosen cards, or all if it is not known which card has which."""
    cards, presets = snapshot.cards, snapshot.presets or ()
    if cards is None or cards.preset_id is None:
        return presets
    chosen = cards.preset_id
    if snapshot.selection is not None:
        chosen = chosen[np.isin(cards.card_id, snapshot.selection.card_id)]
    used = set(chosen.tolist())
    return [preset for preset in presets if preset.preset_id in used] or presets
