"""Options of an evaluation."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace
from itertools import chain
from typing import Collection, List, Optional, Sequence, Tuple

import numpy as np

from .algorithms import ALGORITHM_GROUPS, CATALOG, resolve, resolve_baseline
from .algorithms.algorithm import Algorithm
from .algorithms.external import ExternalPredictions
from .algorithms.your_parameters import has_parameters, version_note
from .data.revlog import Preset, Snapshot
from .errors import BadOption, NameTaken
from .report import OWN, PUBLISHED
from .scope import SAME_DAY_TABLE, TABLES, WHOLE_DAY_TABLE


@dataclass(frozen=True)
class Options:
    """The choices of one evaluation. The defaults are the benchmark's."""

    algorithms: Tuple[str, ...] = ("default",)  #: names or groups of the catalog
    #: The algorithm that all others are compared with, which is always run. None means adjusted SM-2 if it is run.
    baseline: Optional[str] = None
    folds: int = 5  #: number of folds, from 2 to 100
    since: Optional[dt.date] = None  #: earlier reviews are history only, neither trained on nor scored
    #: False hides reviews on the day of an earlier one of the card from every algorithm. The same reviews are scored.
    same_day: bool = True
    outlier_filter: bool = True  #: whether cards whose first interval is rare for their first answer are left out
    table: str = WHOLE_DAY_TABLE  #: which reviews are predicted, see :mod:`evaluator.scope`
    external: Tuple[ExternalPredictions, ...] = ()  #: predictions of other programs, scored like an algorithm
    pasted: Tuple[Algorithm, ...] = ()  #: FSRS with parameters that the user has pasted
    taken_names: Collection[str] = ()  #: further names that an added row cannot have, such as labels of others
    #: Keys of the only metrics to compute. Intervals, comparisons and other facts are then left out, which takes a
    #: fifth of the time. If None, everything is computed.
    metrics: Optional[Tuple[str, ...]] = None

    def for_snapshot(self, snapshot: Snapshot) -> Options:
        """Return these options adapted to a snapshot.

        The group "default" depends on its presets, and each of its recorded predictions becomes a row. The last of
        these is the default baseline. A log with recorded predictions is not Anki's, so the benchmark's filter is
        turned off.
        """
        default = _default_algorithms(snapshot) if self.table == WHOLE_DAY_TABLE else ("default",)
        name_groups = (default if name.strip().lower() == "default" else (name,) for name in self.algorithms)
        options = replace(self, algorithms=tuple(chain.from_iterable(name_groups)))
        if not snapshot.recorded:
            return options
        recorded = tuple(item for item in snapshot.recorded if item not in self.external)
        baseline = snapshot.recorded[-1].name if self.baseline is None else self.baseline
        return replace(options, external=(*recorded, *self.external), baseline=baseline, outlier_filter=False)

    def algorithms_to_run(self) -> List[Algorithm]:
        """Return the requested algorithms in catalog order, then the added ones.

        Raises:
            BadOption: if no algorithm is left, if the number of folds is not allowed, or if the table cannot be
                combined with another option.
            NameTaken: if an added one has no name, that of another one, or a taken name.
            UnknownName: if a name is neither in the catalog nor a group.
        """
        if not 2 <= self.folds <= 100:
            raise BadOption(option="folds", value=self.folds, allowed="folds")
        used_names = {"", *(name.lower() for name in (*CATALOG, *ALGORITHM_GROUPS, *self.taken_names))}
        for item in self.added:
            if item.name.lower() in used_names:
                raise NameTaken(name=item.name)
            used_names.add(item.name.lower())
        if self.table not in TABLES:
            raise BadOption(option="--table", value=self.table, allowed="table")
        if self.table == SAME_DAY_TABLE and not self.same_day:
            raise BadOption(option="--table", value=self.table, allowed="table_without_same_day")
        is_external = self.baseline_name() in {item.name for item in self.external}
        algorithms = resolve(self.algorithms, None if is_external else self.baseline, self.table)
        return [*algorithms, *(replace(item, table=self.table) for item in self.added)]

    @property
    def added(self) -> Tuple[Algorithm, ...]:
        """The algorithms that are not in the catalog."""
        return (*self.pasted, *self.external)

    def baseline_name(self) -> Optional[str]:
        """Return the baseline's name as the results spell it. Raises as :meth:`algorithms_to_run`."""
        if self.baseline is None:
            return None
        lowered_name = self.baseline.strip().lower()
        external = (item.name for item in self.external if item.name.lower() == lowered_name)
        return next(external, None) or resolve_baseline(self.baseline).name


def _default_algorithms(snapshot: Snapshot) -> Tuple[str, ...]:
    """Return the algorithms of the group "default" for the snapshot's presets.

    The user's own row is included if FSRS is on or some parameters are stored. If the presets in use hold today's
    default parameters, that row replaces "FSRS-6 default". FSRS-7 is included if a preset runs it.
    """
    presets = snapshot.presets or ()
    redundant_name = OWN
    if presets and (snapshot.fsrs or any(map(has_parameters, presets))):
        redundant_name = PUBLISHED if version_note(_presets_in_use(snapshot)) == "published" else ""
    fsrs7 = ("FSRS-7 optimized", "FSRS-7") if any(preset.fsrs_version == 7 for preset in presets) else ()
    return (*(name for name in ALGORITHM_GROUPS["default"] if name != redundant_name), *fsrs7)


def _presets_in_use(snapshot: Snapshot) -> Sequence[Preset]:
    """Return the presets of the chosen cards, or all presets if it is not known which card has which."""
    cards = snapshot.cards
    presets = snapshot.presets or ()
    if cards is None or cards.preset_id is None:
        return presets
    preset_id = cards.preset_id
    if snapshot.selection is not None:
        preset_id = preset_id[np.isin(cards.card_id, snapshot.selection.card_id)]
    used_ids = set(preset_id.tolist())
    return [preset for preset in presets if preset.preset_id in used_ids] or presets
