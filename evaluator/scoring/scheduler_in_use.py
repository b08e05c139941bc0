"""Describe the scheduler in use, with the accuracy of each preset and the effect of optimizing it."""

from __future__ import annotations

from dataclasses import replace
from typing import Dict, Iterator, List, Optional, Sequence, Tuple

import numpy as np

from ..algorithms import CATALOG
from ..algorithms.algorithm import Parametric
from ..algorithms.your_parameters import as_fsrs6
from ..data.dataset import Dataset
from ..data.folds import Fold
from ..data.revlog import DELETED_CARD
from ..derivatives import Floats
from ..errors import OddParameters, OptimizerFailed
from ..fitting.anki_optimizer import Optimize
from ..fitting.predictor import Predictor
from ..fitting.training import train
from ..progress import SILENT, Progress
from ..report import PUBLISHED, PresetInUse, SchedulerInUse
from ..scope import WHOLE_DAY_TABLE
from .accuracy import (
    MIN_OF_PRESET,
    PresetGroup,
    optimized_row,
    own_row,
    preset_accuracies,
    rivalries,
    rivalry,
    suggested_retention,
    unseen_reviews,
)
from .evidence import Evidence
from .review_groups import presets_in_use

#: The algorithm that stands for Anki's Optimize, by the version of FSRS. Anki gives recent reviews more weight too.
OPTIMIZED: Dict[int, Parametric] = {6: CATALOG["FSRS-6 recency"], 7: CATALOG["FSRS-7 recency"]}  # type: ignore[dict-item]
#: Maximum number of a preset's rows to call Anki's optimizer, which cannot be cancelled. This many take a second.
MAX_FOR_ANKI = 100_000


def scheduler_in_use(evidence: Evidence, progress: Optional[Progress] = None) -> Optional[SchedulerInUse]:
    """Describe the scheduler in use by Anki's settings and the finished algorithms.

    Presets are described only if the algorithms saw what Anki's FSRS sees: reviews counted in whole days, same-day ones
    included.

    Args:
        evidence: the evidence with the finished algorithms.
        progress: called while each preset is optimized to see how much that would change. None to skip that.

    Returns:
        The scheduler, or None if the source does not say which it is.
    """
    collection, clock = evidence.collection, evidence.collection.clock
    if collection.fsrs is None:
        return None
    scheduler = SchedulerInUse(collection.fsrs, collection.scheduler)
    if not evidence.options.same_day or evidence.options.table != WHOLE_DAY_TABLE:
        return scheduler
    if not collection.fsrs:
        against_default = rivalry(evidence, optimized_row((), evidence.fitted), PUBLISHED)
        return replace(scheduler, optimized_against_default=against_default)
    groups = presets_in_use(evidence)
    groups = [(group, preset) for group, preset in groups if len(group.review) >= MIN_OF_PRESET] or groups
    own_name, unseen_preset = own_row(groups, evidence.fitted), np.full(len(evidence.tested), -1)
    for index, preset_group in enumerate(groups if own_name is not None else ()):
        unseen = unseen_reviews(evidence, [preset_group])
        if unseen is not None:
            unseen_preset[unseen] = index
    against_own = rivalries(evidence, optimized_row(groups, evidence.fitted), own_name, unseen_preset)
    presets = [
        PresetInUse(
            preset_id=group.label,
            name=group.name,
            reviews=len(group.review),
            changed=None if preset.changed is None else clock.date_at(preset.changed * 1000).isoformat(),
            accuracy=accuracy,
            optimized_against_own=against_own.get(index),
            suggested_retention=suggested_retention(evidence, (group, preset), accuracy),
        )
        for index, ((group, preset), accuracy) in enumerate(zip(groups, preset_accuracies(evidence, groups)))
    ]
    if progress is not None and presets:
        presets = _add_effect_of_optimizing(evidence, groups, presets, progress)
    return replace(scheduler, presets=tuple(presets))


def _add_effect_of_optimizing(
    evidence: Evidence, groups: Sequence[PresetGroup], presets: Sequence[PresetInUse], progress: Progress
) -> List[PresetInUse]:
    """Add how much optimizing now would change the predictions of each preset's parameters.

    Each preset is optimized on all its reviews, as Anki does, even if only a part of the collection is evaluated. The
    change is measured on the scored reviews.
    """
    all_data = evidence.data if evidence.prepare_all is None else evidence.prepare_all()[0]
    versions = {group.label: preset.fsrs_version for group, preset in groups}
    parameters = dict(optimize_presets(all_data, versions, progress, evidence.optimize))
    preset_of_review = all_data.label_with_deleted()[all_data.folds[0].test_start :]
    return [
        replace(
            item,
            change=_mean_change(evidence, preset, parameters.get(item.preset_id)),
            all_reviews=int(np.count_nonzero(preset_of_review == item.preset_id)),
            nothing_to_optimize=None if item.preset_id in parameters else _why_nothing(all_data, item.preset_id),
        )
        for preset, item in zip(groups, presets)
    ]


def _why_nothing(data: Dataset, preset_id: int) -> str:
    """Return why Anki would optimize a preset on no review, see :attr:`PresetInUse.nothing_to_optimize`."""
    for reason, part in (("deleted", data), ("suspended", data.of_active_cards())):
        if preset_id not in part.label("preset"):
            return reason
    return "ignored"


def _mean_change(evidence: Evidence, preset_group: PresetGroup, parameters: Optional[Floats]) -> Optional[float]:
    """Return the mean absolute change of a preset's predictions by these parameters.

    It is None if the preset's row has no result or there are no parameters.
    """
    (group, preset), own_name = preset_group, own_row([preset_group], evidence.fitted)
    if own_name is None or parameters is None:
        return None
    algorithm = OPTIMIZED[preset.fsrs_version]
    predictor = Predictor(algorithm, evidence.data.histories(algorithm.inputs))
    predicted = predictor.predict(parameters, evidence.data.folds[0].test_start + group.review)
    return float(np.abs(predicted - evidence.fitted[own_name].predicted[group.review]).mean())


def optimize_presets(
    data: Dataset, versions: Dict[int, int], progress: Progress = SILENT, optimize: Optional[Optimize] = None
) -> Iterator[Tuple[int, Floats]]:
    """Yield the id and the parameters (P,) of each preset, as Anki's Optimize would find them now.

    FSRS-6 is optimized by Anki's own optimizer if it can be called. Ours stops at slightly different parameters, and
    would advise someone who has just optimized to do it again. A call cannot be cancelled, so our optimizer fits
    presets with more than MAX_FOR_ANKI rows, and those for which the call fails. Suspended cards are left out, as in
    Anki. Buried ones are left out too, because the two are not distinguished. Presets of which nothing is left are
    skipped.

    Args:
        data: all reviews of the collection.
        versions: the version of FSRS that each preset runs, by its id. Other presets are skipped.
        progress: called after each preset.
        optimize: Anki's Optimize, if it can be called.

    Raises:
        DecksUnknown: if the source does not say which preset a card belongs to.
    """
    end, done_share = len(data.reviews), 0.0
    ignore_before = {preset.preset_id: preset.ignore_before for preset in data.presets}
    for preset_id, mask, all_cards in data.with_folds(Fold(end, end)).partitions("preset"):
        preset_data = all_cards.of_active_cards().without_cards_reviewed_before(ignore_before.get(preset_id, 0))
        if preset_id != DELETED_CARD and preset_id in versions and len(preset_data.reviews):
            algorithm, share = OPTIMIZED[versions[preset_id]], float(mask.mean())
            parameters = _optimize_with_anki(preset_data, optimize, preset_id) if versions[preset_id] == 6 else None
            if parameters is None:
                default = algorithm.defaults[None]
                parameters = train(algorithm, preset_data, default, progress.part(done_share, done_share + share))[0][0]
            yield preset_id, parameters
            done_share += share
            progress(done_share)


def _optimize_with_anki(preset_data: Dataset, optimize: Optional[Optimize], preset_id: int) -> Optional[Floats]:
    """Return the parameters that Anki's Optimize finds, or None if it cannot be called, fails or would take long."""
    if optimize is None or len(preset_data.rows) > MAX_FOR_ANKI:
        return None
    parameters = next((preset.parameters for preset in preset_data.presets if preset.preset_id == preset_id), ())
    try:
        return np.array(as_fsrs6(optimize(preset_data.rows, parameters)))
    except (OddParameters, OptimizerFailed):
        return None
