"""From an algorithm and the folds to predictions of every tested review, each from what came before its fold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

import numpy as np
import numpy.typing as npt

from ..algorithms.algorithm import Algorithm, Baseline, Encoder, Recurrent, Trace
from ..algorithms.external import External
from ..derivatives import Floats
from ..progress import SILENT, Progress
from .data import Data
from .given import optimised_elsewhere, parameters_by_preset
from .predictor import Predictor
from .replay import Fittable
from .training import train


@dataclass(frozen=True)
class Fitted:
    """Predictions of the tested reviews, fold after fold, and what they were made with."""

    predicted: Floats  #: (tested reviews,)
    parameters: Floats  #: (folds, P); (folds, 0) without parameters
    converged: npt.NDArray[np.bool_]  #: (folds,)
    note: Optional[str] = None  #: key of a sentence in :mod:`evaluator.wording`
    in_sample: bool = False  #: the parameters may have been fitted on the very reviews that are scored


#: For the progress bar: the share of training, of which a little is left for predicting, ...
TRAINING = 0.95
#: ... and that of what all reviews have in common, where each deck or preset is trained for afterwards.
COMMON = 0.4


def fit_and_predict(algorithm: Algorithm, data: Data, progress: Progress = SILENT) -> Fitted:
    """Train where there is something to train, and predict. Tells after each pass how many folds have settled.

    Raises:
        EvaluatorError: the algorithm needs to know what the source does not say.
    """
    folds = len(data.folds)
    if isinstance(algorithm, Baseline):
        predicted = algorithm.predict(data.reviews, data.folds)
        if isinstance(algorithm, External):
            return of_elsewhere(predicted, folds)
        return Fitted(predicted, np.zeros((folds, 0)), np.ones(folds, dtype=bool))
    if not isinstance(algorithm, (Recurrent, Trace, Encoder)):
        raise TypeError(f"no way to fit {type(algorithm).__name__}")

    default = np.array([[p.default for p in algorithm.parameters]])
    if algorithm.source == "presets":
        return _with_presets(algorithm, data)
    if algorithm.source == "anki":
        w, given = optimised_elsewhere(data, progress)
        note = "old_optimiser" if given < w.shape[1] else None
        return Fitted(_predict(algorithm, data, w), w, np.ones(folds, dtype=bool), note)
    if algorithm.training is None:
        predicted = _predict(algorithm, data, default)
        return Fitted(predicted, np.repeat(default, folds, axis=0), np.ones(folds, dtype=bool))
    by = algorithm.training.by
    common = progress.part(0.0, TRAINING if by is None else COMMON)
    w, converged = train(algorithm, data, np.repeat(default, folds, axis=0), common)
    predicted = _predict(algorithm, data, w)
    if by is not None:
        _refine(algorithm, data, by, w, predicted, progress.part(COMMON, 1.0, done=folds, total=folds))
    return Fitted(predicted, w, converged)


def of_elsewhere(predicted: Floats, folds: int) -> Fitted:
    """Predictions that we did not make."""
    return Fitted(predicted, np.zeros((folds, 0)), np.ones(folds, dtype=bool), note="external")


def _refine(algorithm: Fittable, data: Data, by: str, w: Floats, predicted: Floats, progress: Progress) -> None:
    """Replace predictions by those of each deck or preset with parameters of its own, near the common ``w``."""
    first, done = data.folds[0].test_start, 0.0
    for _, mask, part in data.partitions(by):
        share = float(mask.mean())
        predicted[mask[first:]] = predict_with_own(algorithm, part, w, progress.part(done, done + share))
        done += share


def predict_with_own(algorithm: Fittable, part: Data, w: Floats, progress: Progress) -> Floats:
    """Predictions of one deck or preset with parameters of its own, which are believed to be near ``w`` (F, P).

    Where it has no reviews before a fold, they are ``w``.
    """
    own, _ = train(algorithm, part, w, progress.part(0.0, TRAINING))
    return _predict(algorithm, part, own)


def _with_presets(algorithm: Fittable, data: Data) -> Fitted:
    parameters = parameters_by_preset(data)
    first = data.folds[0].test_start
    predicted = np.zeros(len(data.reviews) - first)
    for preset, mask, part in data.partitions("preset"):
        predicted[mask[first:]] = _predict(algorithm, part, parameters[preset][None])
    folds = len(data.folds)
    default = np.array([p.default for p in algorithm.parameters])
    fitted_once = any(not np.allclose(w, default, rtol=1e-4) for w in parameters.values())
    return Fitted(predicted, np.zeros((folds, 0)), np.ones(folds, dtype=bool), in_sample=fitted_once)


def _predict(algorithm: Fittable, data: Data, w: Floats) -> Floats:
    """Of each tested review, with the parameters of its own fold (one row of ``w`` where all folds share them)."""
    predictor = Predictor(algorithm, data)
    first, last = data.folds[0].test_start, data.folds[-1].test_stop
    predicted = np.zeros(last - first)
    tested = [(fold.test_start, fold.test_stop) for fold in data.folds] if len(w) > 1 else [(first, last)]
    for own, (start, stop) in zip(w, tested):
        predicted[start - first : stop - first] = predictor.predict(own, start, stop)
    return predicted
