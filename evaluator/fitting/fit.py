"""Fitting of an algorithm to the reviews before each fold, and prediction of every tested review."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any, Iterable, Iterator, Mapping, Optional, Tuple, cast

import numpy as np

from ..algorithms.algorithm import Algorithm, Baseline, Calibrated, Parametric, Source
from ..algorithms.your_parameters import FORMULAS, is_published, out_of_bounds, parameters_of, preset_ids, version_note
from ..data.dataset import Dataset
from ..data.revlog import Bools, Sm2Settings
from ..derivatives import Floats
from ..errors import DecksUnknown, SecondsUnknown, WholeDayOnly
from ..progress import SILENT, Progress
from ..report import AVERAGE
from .anki_optimizer import Optimizer, optimize
from .predictor import Predictor, predict_tested
from .scheduler_calibration import CalibrationSet
from .training import TrainingSet, train

#: A deck or preset: its id, the mask of its reviews in the table (n,), and a dataset of its own.
Part = Tuple[int, Bools, Dataset]


@dataclass(frozen=True)
class Fitted:
    """Predictions of the tested reviews, fold after fold, with the parameters that made them."""

    predicted: Floats  #: probability of recall of each tested review (n,)
    parameters: Floats  #: parameters of each fold (F, P), or (F, 0) without parameters
    converged: Bools  #: whether the search of each fold converged (F,)
    note: Optional[str] = None  #: code of a note, see :attr:`evaluator.report.AlgorithmResult.note`
    in_sample: bool = False  #: whether the parameters may have been fitted to the scored reviews
    algorithms: Tuple[Algorithm, ...] = ()  #: the algorithms that predicted instead of this one, if any
    clipped: Mapping[str, int] = field(default_factory=dict)  #: see :attr:`evaluator.report.AlgorithmResult.clipped`

    @classmethod
    def without_training(cls, predicted: Floats, parameters: Floats, note: Optional[str] = None) -> Fitted:
        """Return predictions with parameters that were not searched here."""
        return cls(predicted, parameters, np.ones(len(parameters), dtype=bool), note)

    @classmethod
    def without_parameters(cls, predicted: Floats, n_folds: int, note: Optional[str] = None) -> Fitted:
        """Return predictions that have no parameters, or not one set of them for each fold."""
        return cls.without_training(predicted, np.zeros((n_folds, 0)), note)


#: Share of the progress for the training of shared parameters, if decks or presets get their own afterwards.
SHARED_FIT_PROGRESS = 0.4


def fit_and_predict(
    algorithm: Algorithm, data: Dataset, optimizer: Optional[Optimizer] = None, progress: Progress = SILENT
) -> Fitted:
    """Train the algorithm if it is trainable, and predict the tested reviews.

    Args:
        algorithm: the algorithm.
        data: the reviews and the folds.
        optimizer: Anki's own optimizer, for the algorithms that use it.
        progress: called after each pass with the number of finished folds.

    Raises:
        WholeDayOnly: if the algorithm cannot be run on the same-day table.
        SecondsUnknown: if the algorithm needs exact times, which the source lacks.
        EvaluatorError: if the source lacks other information that the algorithm needs.
    """
    if not algorithm.is_runnable:
        raise WholeDayOnly
    if algorithm.inputs.fractional and not data.has_exact_times:
        raise SecondsUnknown
    source = algorithm.source
    if source is Source.PRESETS:
        return _predict_with_presets(data)
    if source is Source.ANKI:
        return _fit_with_anki_optimizer(algorithm, data, optimizer, progress)
    if source is Source.NOWHERE:
        return _predict_baseline(cast(Baseline, algorithm), data)
    if source is Source.CALIBRATED:
        return _fit_calibrated(cast(Calibrated, algorithm), data, progress)
    fit = _fit_with_sm2_options if source is Source.OPTIONS else _fit_with_own_training
    return fit(cast(Parametric, algorithm), data, progress)


def _predict_baseline(algorithm: Baseline, data: Dataset) -> Fitted:
    """Predict with an algorithm that has no parameters."""
    predicted = algorithm.predict(data.reviews, data.folds)
    note = algorithm.note
    # AVG predicts 0 or 1 until both outcomes have occurred.
    if algorithm.name == AVERAGE and (predicted.min() == 0 or predicted.max() == 1):
        note = "certain"
    return Fitted.without_parameters(predicted, len(data.folds), note)


def _default_by_fold(algorithm: Parametric, data: Dataset) -> Floats:
    """Return the default parameters for each fold (F, P)."""
    return np.repeat(algorithm.defaults[None], len(data.folds), axis=0)


def _fit_with_own_training(algorithm: Parametric, data: Dataset, progress: Progress) -> Fitted:
    """Train the algorithm, or predict with its default parameters if it is not trainable."""
    training = algorithm.training
    default = _default_by_fold(algorithm, data)
    if training is None:
        fitted = Fitted.without_training(predict_tested(algorithm, data, default[:1]), default)
        clipped = {algorithm.name: len(algorithm.clipped)} if algorithm.clipped else {}
        return replace(fitted, in_sample=algorithm.in_sample, clipped=clipped)
    if training.by is not None and not training.from_shared:
        return _train_parts(algorithm, data, _parts_in_use(data, training.by), default, progress)
    shared_progress = progress if training.by is None else progress.part(0.0, SHARED_FIT_PROGRESS)
    w, converged, predicted = train(TrainingSet(algorithm, data), default, shared_progress)
    if training.by is not None:
        remaining_progress = progress.part(SHARED_FIT_PROGRESS, 1.0, done=len(w), total=len(w))
        predicted = _train_parts(algorithm, data, data.partitions(training.by), w, remaining_progress).predicted
    return Fitted(predicted, w, converged)


def _fit_with_sm2_options(algorithm: Parametric, data: Dataset, progress: Progress) -> Fitted:
    """Predict with the SM-2 options of each preset, or train the algorithm if it is trainable."""
    if algorithm.training is not None:
        return _fit_with_own_training(algorithm, data, progress)
    predicted, note = _predict_with_sm2_options(algorithm, data, data.folds[0].test_start)
    return Fitted.without_training(predicted, _default_by_fold(algorithm, data), note)


def _predict_with_sm2_options(algorithm: Parametric, data: Dataset, start: int) -> Tuple[Floats, Optional[str]]:
    """Predict the reviews from index ``start`` with the SM-2 options of each preset.

    Returns:
        The predictions, and the code of a note if some options are not the defaults.
    """
    predictor = Predictor(algorithm, data.histories(algorithm.inputs))
    predicted = predictor.predict(algorithm.defaults, slice(start, None))
    note = None
    for preset in data.presets:
        if preset.sm2 is None or preset.sm2 == Sm2Settings():
            continue
        reviews = start + np.flatnonzero(data.label("preset")[start:] == preset.preset_id)
        if len(reviews):
            predicted[reviews - start] = predictor.predict(np.array(algorithm.with_options(preset.sm2)), reviews)
            note = "sm2_options"
    return predicted, note


def _fit_calibrated(algorithm: Calibrated, data: Dataset, progress: Progress) -> Fitted:
    """Compute the intervals with the SM-2 options of each preset, and train the forgetting curve on them."""
    share, note = _predict_with_sm2_options(algorithm.scheduler, data, start=0)
    w, converged, predicted = train(CalibrationSet(algorithm, data, share), _default_by_fold(algorithm, data), progress)
    return Fitted(predicted, w, converged, note)


def _fit_with_anki_optimizer(
    algorithm: Any, data: Dataset, optimizer: Optional[Optimizer], progress: Progress
) -> Fitted:
    """Predict each fold with the parameters that Anki's optimizer finds on the reviews before it."""
    w, min_parameters = optimize(data, optimizer, progress)
    note = None
    if min_parameters == 0:
        note = "too_little"
    elif min_parameters < w.shape[1]:
        note = "old_optimizer"
    return Fitted.without_training(predict_tested(algorithm, data, w), w, note)


def _predict_with_presets(data: Dataset) -> Fitted:
    """Predict each review with the parameters of its card's preset."""
    ids = preset_ids(data)
    presets = [preset for preset in data.presets if preset.preset_id in ids]
    test_start = data.folds[0].test_start
    predicted = np.zeros(len(ids) - test_start)
    # Presets may have the same name, so their counts are added.
    clipped: Counter[str] = Counter()
    for preset in presets:
        w = np.array(parameters_of(preset))
        formulas = FORMULAS[preset.fsrs_version]
        indices = np.flatnonzero(ids[test_start:] == preset.preset_id)
        predictor = Predictor(formulas, data.histories(formulas.inputs))
        predicted[indices] = predictor.predict(w, test_start + indices)
        clipped[preset.name] += len(out_of_bounds(preset))
    return replace(
        Fitted.without_parameters(predicted, len(data.folds), version_note(presets)),
        in_sample=not all(map(is_published, presets)),
        algorithms=tuple(FORMULAS[version] for version in sorted({preset.fsrs_version for preset in presets})),
        clipped=dict(+clipped),
    )


def _train_parts(
    algorithm: Parametric, data: Dataset, parts: Iterable[Part], center: Floats, progress: Progress
) -> Fitted:
    """Train the algorithm on each deck or preset separately.

    Args:
        algorithm: the algorithm.
        data: all reviews.
        parts: the decks or presets, which together have all reviews.
        center: center of the prior for each fold (F, P).
        progress: called after each pass.

    Returns:
        All predictions, and the parameters of the part with the most reviews.
    """
    test_start = data.folds[0].test_start
    done_share = 0.0
    largest_share = 0.0
    w = center
    converged = np.ones(len(center), dtype=bool)
    predicted = np.zeros(len(data.reviews) - test_start)
    for _, mask, part in parts:
        share = float(mask.mean())
        part_progress = progress.part(done_share, done_share + share)
        part_w, has_converged, predicted[mask[test_start:]] = train(TrainingSet(algorithm, part), center, part_progress)
        if share > largest_share:
            w = part_w
            largest_share = share
        converged &= has_converged
        done_share += share
    return Fitted(predicted, w, converged)


def _parts_in_use(data: Dataset, by: str) -> Iterator[Part]:
    """Yield each deck or preset, or one part with all reviews if the source does not know decks and presets.

    Deleted cards belong to the most used part.
    """
    try:
        for label, mask, part in data.partitions(by, deleted_apart=False):
            yield label, mask, data if len(part.rows) == len(data.rows) else part
    except DecksUnknown:
        yield 0, np.ones(len(data.reviews), dtype=bool), data
