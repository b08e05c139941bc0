"""What optimizing a preset now would change, with Anki's own optimizer if it can be called."""

from __future__ import annotations

from typing import Dict, Iterator, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from ..algorithms import CATALOG
from ..algorithms.algorithm import Parametric
from ..algorithms.your_parameters import as_run
from ..data.dataset import Dataset
from ..data.folds import Fold
from ..data.reviews import CardRows
from ..data.revlog import DELETED_CARD, Ints, Preset
from ..derivatives import Floats
from ..errors import OddParameters, OptimizerFailed
from ..fitting.anki_optimizer import PresetOptimizer
from ..fitting.predictor import Predictor
from ..fitting.training import TrainingSet, train
from ..progress import SILENT, Progress
from ..report import Optimizing
from ..scoring.evidence import Evidence
from .accuracy import optimized_row, own_row
from .rivalry import compare_rows
from .thresholds import MAX_FOR_ANKI

#: The algorithm that stands for Anki's Optimize, by the version of FSRS, with FSRS-6 for newer ones. Anki gives recent
#: reviews more weight too.
OPTIMIZED: Dict[int, Parametric] = {6: CATALOG["FSRS-6 recency"], 7: CATALOG["FSRS-7 recency"]}  # type: ignore[dict-item]


class OptimizedParameters(NamedTuple):
    """The parameters of an optimized preset."""

    parameters: Floats  #: (P,)
    #: Whether Anki's own optimizer found them, or ours only because Anki's cannot be cancelled and would take long.
    is_by_anki: bool


def effects_of_optimizing(evidence: Evidence, progress: Progress) -> Dict[int, Optimizing]:
    """Return what optimizing each preset in use would change, by its id.

    Each preset is optimized on all its reviews, as Anki does, even if only a part of the collection is evaluated. The
    change is measured on the scored reviews.

    Args:
        evidence: the evidence with the finished algorithms.
        progress: called while each preset is optimized.
    """
    in_use = evidence.in_use
    if not in_use.presets:
        return {}
    all_data = evidence.data if evidence.prepare_all is None else evidence.prepare_all()[0]
    by_preset = dict(optimize_presets(all_data, in_use.presets, progress, optimize=evidence.optimize))
    all_ids = all_data.label_with_deleted()[all_data.folds[0].test_start :]
    scored_ids = np.where(in_use.is_deleted, DELETED_CARD, in_use.predicting_preset_ids)[-len(evidence.tested) :]
    result = {}
    for preset in in_use.presets:
        is_of_preset = scored_ids == preset.preset_id
        optimized = by_preset.get(preset.preset_id)
        own = own_row([preset], evidence.fitted)
        retrained = optimized_row([preset], evidence.fitted)
        result[preset.preset_id] = Optimizing(
            change=_mean_change(evidence, preset, own, optimized, np.flatnonzero(is_of_preset)),
            reviews=int(np.count_nonzero(all_ids == preset.preset_id)),
            is_by_anki=optimized is not None and optimized.is_by_anki,
            obstacle=None if optimized is not None else _obstacle(all_data, preset.preset_id),
            against_own=compare_rows(evidence, retrained, own, is_of_preset & in_use.testable_reviews([preset])),
        )
    return result


def _obstacle(data: Dataset, preset_id: int) -> str:
    """Return why Anki would optimize a preset on no review, see :attr:`evaluator.report.Optimizing.obstacle`."""
    if preset_id not in data.label("preset"):
        return "deleted"
    return "ignored" if preset_id in data.of_active_cards().label("preset") else "suspended"


def _mean_change(
    evidence: Evidence, preset: Preset, own: Optional[str], optimized: Optional[OptimizedParameters], indices: Ints
) -> Optional[float]:
    """Return the mean absolute change of a preset's predictions by optimized parameters.

    It is None if the preset's row has no result, or if there are no such parameters or reviews.

    Args:
        evidence: the evidence with the finished algorithms.
        preset: the preset.
        own: name of the preset's row.
        optimized: the optimized parameters.
        indices: indices of the preset's reviews among the scored ones.
    """
    if own is None or optimized is None or not len(indices):
        return None
    algorithm = OPTIMIZED[preset.fsrs_version]
    predictor = Predictor(algorithm, evidence.data.histories(algorithm.inputs))
    predicted = predictor.predict(optimized.parameters, evidence.data.folds[0].test_start + indices)
    return float(np.abs(predicted - evidence.fitted[own].predicted[indices]).mean())


def optimize_presets(
    data: Dataset, presets: Sequence[Preset], progress: Progress = SILENT, *, optimize: Optional[PresetOptimizer]
) -> Iterator[Tuple[int, OptimizedParameters]]:
    """Yield the id and the parameters of each preset, as Anki's Optimize would find them now.

    FSRS-6 is optimized by Anki's own optimizer if it can be called. Ours stops at slightly different parameters, and
    would advise someone who has just optimized to do it again. A call cannot be cancelled, so our optimizer fits
    presets with more than MAX_FOR_ANKI rows, and those for which the call fails. Suspended cards are left out, as in
    Anki. Buried ones are left out too, because the two are not distinguished. Presets with nothing left are skipped.

    Args:
        data: all reviews of the collection.
        presets: the presets to optimize. Others are skipped.
        progress: called after each preset.
        optimize: Anki's Optimize, if it can be called.

    Raises:
        DecksUnknown: if the source does not say which preset a card belongs to.
    """
    end = len(data.reviews)
    done_share = 0.0
    by_id = {preset.preset_id: preset for preset in presets}
    for preset_id, mask, all_cards in data.with_folds(Fold(end, end)).partitions("preset"):
        if preset_id not in by_id:
            continue
        preset = by_id[preset_id]
        preset_data = all_cards.of_active_cards().without_cards_reviewed_before(preset.ignore_before)
        if len(preset_data.reviews):
            algorithm = OPTIMIZED.get(preset.fsrs_version, OPTIMIZED[6])
            share = float(mask.mean())
            ankis_optimize = None if preset.fsrs_version == 7 else optimize
            is_large = len(preset_data.rows) > MAX_FOR_ANKI
            parameters = None
            if ankis_optimize is not None and not is_large:
                parameters = _optimize_with_anki(preset_data.rows, ankis_optimize, preset.parameters)
            is_by_anki = parameters is not None or (ankis_optimize is not None and is_large)
            if parameters is None:
                part_progress = progress.part(done_share, done_share + share)
                parameters = train(TrainingSet(algorithm, preset_data), algorithm.defaults[None], part_progress)[0][0]
            yield preset_id, OptimizedParameters(parameters, is_by_anki)
            done_share += share
            progress(done_share)


def _optimize_with_anki(rows: CardRows, optimize: PresetOptimizer, parameters: Sequence[float]) -> Optional[Floats]:
    """Return the parameters that Anki's Optimize finds from the present ones, or None if it fails."""
    try:
        return np.array(as_run(optimize(rows, parameters)))
    except (OddParameters, OptimizerFailed):
        return None
