"""At the desired retention: what was remembered where it was predicted, and what that would mean for intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Dict, List, Optional, Sequence, Tuple

import numpy as np
import numpy.typing as npt

from ..algorithms.your_parameters import YourParameters
from ..errors import DecksUnknown
from ..fitting.dataset import NONE
from ..fitting.preset_parameters import parameters_of, presets_by_label
from ..folds import Fold
from ..statistics.at_desired_retention import AtDesiredRetention, at_desired_retention
from ..statistics.held_out import HeldOut, held_out
from ..statistics.paired import Clusters
from .section import Section

if TYPE_CHECKING:
    from ..evidence import Evidence
    from ..progress import Progress
    from ..report import Report

Bools = npt.NDArray[np.bool_]

#: Anki's own, where a preset does not say.
DEFAULT = 0.9

#: Desired retentions that are shown: those with the most reviews.
MOST_GROUPS = 5


@dataclass(frozen=True)
class RetentionOfAlgorithm:
    """One algorithm at one desired retention."""

    algorithm: str
    in_sample: bool  #: its parameters may have been fitted on these very reviews
    found: AtDesiredRetention
    held_out: Optional[HeldOut]  #: None where it could not be tried in any fold


@dataclass(frozen=True)
class RetentionGroup:
    """The reviews of the presets with one desired retention."""

    desired_retention: float  #: as set in these presets
    assumed: bool  #: the source does not say it; Anki's default was taken
    presets: Tuple[str, ...]  #: their names; none where they are not known
    reviews: int
    algorithms: Tuple[RetentionOfAlgorithm, ...]  #: the verdict's, the best, and the person's own parameters


def compute(report: Report, evidence: Evidence, names: Sequence[str], progress: Progress) -> Tuple[RetentionGroup, ...]:
    """One group for each desired retention, the one with the most reviews first."""
    wanted = dict.fromkeys((report.verdict.algorithm, report.best, *evidence.presets_own))
    shown = [name for name in wanted if name is not None and name in names]
    groups = _groups(evidence) if shown else []
    found = []
    for done, group in enumerate(groups):
        rows: List[RetentionOfAlgorithm] = []
        clusters = evidence.scoring.clusters
        progress(done / len(groups))
        own = clusters.take(group.mask)
        for number, name in enumerate(shown):
            progress((done + number / len(shown)) / len(groups))
            rows.append(_row(name, group, own, evidence))
        reviews = int(group.mask.sum())
        found.append(RetentionGroup(group.desired, group.assumed, group.presets, reviews, tuple(rows)))
    return tuple(found)


@dataclass(frozen=True)
class _Group:
    """The tested reviews of the presets with one desired retention."""

    desired: float
    assumed: bool
    presets: Tuple[str, ...]
    preset: int  #: the one with the most reviews among them
    mask: Bools  #: (n,) of the tested reviews


def _groups(evidence: Evidence) -> List[_Group]:
    first, everything = evidence.data.folds[0].test_start, np.ones(len(evidence.tested), dtype=bool)
    try:
        label = evidence.data.label("preset")[first:]
    except DecksUnknown:
        return [_Group(DEFAULT, True, (), NONE, everything)]
    presets = {preset.preset_id: preset for preset in evidence.context.presets}
    values, counts = np.unique(label, return_counts=True)
    by_size = [int(value) for value in values[np.argsort(-counts, kind="stable")] if int(value) in presets]
    if not by_size:
        return [_Group(DEFAULT, True, (), NONE, everything)]
    label = np.where(np.isin(label, by_size), label, by_size[0])  # of cards that no longer exist: the most used one
    alike: Dict[Tuple[float, bool], List[int]] = {}
    for value in by_size:
        stored = presets[value].desired_retention
        known = stored is not None and 0 < stored < 1
        alike.setdefault((float(stored) if known and stored is not None else DEFAULT, not known), []).append(value)
    groups = [
        _Group(desired, assumed, tuple(presets[value].name for value in members), members[0], np.isin(label, members))
        for (desired, assumed), members in alike.items()
    ]
    return sorted(groups, key=lambda group: -int(group.mask.sum()))[:MOST_GROUPS]


def _row(name: str, group: _Group, clusters: Clusters, evidence: Evidence) -> RetentionOfAlgorithm:
    fitted = evidence.fitted[name]
    predicted, recalled = fitted.predicted[group.mask], evidence.scoring.recalled[group.mask]
    found = at_desired_retention(
        predicted,
        recalled,
        clusters,
        desired_retention=group.desired,
        decay=_decay(name, group, evidence),
    )
    tried = held_out(predicted, recalled, _folds(group.mask, evidence), group.desired)
    return RetentionOfAlgorithm(name, fitted.in_sample, found, tried)


def _folds(mask: Bools, evidence: Evidence) -> Tuple[Fold, ...]:
    """The tested reviews of each fold, as indices into the reviews of the group."""
    before = np.concatenate(([0], np.cumsum(mask)))
    first = evidence.data.folds[0].test_start
    return tuple(
        Fold(int(before[fold.test_start - first]), int(before[fold.test_stop - first])) for fold in evidence.data.folds
    )


def _decay(name: str, group: _Group, evidence: Evidence) -> Optional[float]:
    """The decay of the algorithm's forgetting curve in the last fold; None where it has no such curve."""
    algorithm = evidence.algorithm(name)
    if isinstance(algorithm, YourParameters):
        preset = presets_by_label(evidence.data, evidence.context.presets)[group.preset]
        return algorithm.of_version(preset.fsrs_version).decay(parameters_of(preset))
    return algorithm.decay(evidence.fitted[name].parameters[-1])


SECTION = Section("desired_retention", Tuple[RetentionGroup, ...], compute, whole_day_only=True)
