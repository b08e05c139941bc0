"""Fitted parameters of each trained algorithm, and the version and the parameters of FSRS in each preset."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Tuple

from ..algorithms.algorithm import Parametric
from ..algorithms.your_parameters import has_parameters, is_published, out_of_bounds, parameters_of, preset_names
from ..data.revlog import Preset
from ..errors import NewerParameters, OddParameters
from ..progress import Progress
from ..scoring.evidence import Evidence
from .section import Section

#: Maximum number of parameters of a listed algorithm. Only networks have more, and theirs have no meaning to readers.
MAX_PARAMETERS = 40


@dataclass(frozen=True)
class FittedParameter:
    """One parameter of an algorithm."""

    index: int  #: index in ``parameters_per_fold``, from 0
    default: float  #: published value
    trained: float  #: value in the last fold, which had the most reviews to train on
    on_bound: bool  #: whether it is at its lower or upper bound


@dataclass(frozen=True)
class AlgorithmParameters:
    """The fitted parameters of one trained algorithm."""

    algorithm: str
    training_reviews: int  #: number of training reviews of the last fold
    #: Code of what the parameters mean: "FSRS", as in FSRS-5 and FSRS-6, or None if their meaning is not described.
    meanings: Optional[str]
    parameters: Tuple[FittedParameter, ...]


@dataclass(frozen=True)
class PresetParameters:
    """Version and parameters of FSRS in one preset with scored reviews.

    Codes: "own" (the preset has its own parameters), "converted" (they are those of a version before FSRS-6, and
    FSRS-6 runs them converted), "published" (the published ones are stored), "none" (no usable ones are stored, so the
    published ones run), "odd" (the stored ones cannot be used), "newer" (they are those of a newer FSRS than SRS
    Evaluator can run).
    """

    preset: str  #: its name
    version: Optional[int]  #: version of FSRS that Anki runs: 6, 7 or a newer one, or None if that is not known
    count: int  #: number of its stored parameters
    code: str
    #: Length of each list of parameters that is stored but not run, because FSRS-7 cannot use it or the preset runs an
    #: older version.
    unused: Tuple[int, ...]
    clipped: int  #: number of its stored parameters outside the bounds, so clipped as in Anki


@dataclass(frozen=True)
class Parameters:
    """Fitted parameters, and the parameters in the presets."""

    #: Trained algorithms with at most 40 parameters, which all reviews share.
    algorithms: Tuple[AlgorithmParameters, ...]
    #: Presets with scored reviews, the largest first. Empty if no preset has parameters or presets are not known.
    presets: Tuple[PresetParameters, ...]


def compute(evidence: Evidence, progress: Progress) -> Parameters:
    """List the parameters of each readable trained algorithm and of each preset in use."""
    progress(0.0)
    parametric = (item for item in map(evidence.algorithm, evidence.fitted) if isinstance(item, Parametric))
    presets = evidence.data.presets
    in_use = evidence.in_use.presets if any(map(has_parameters, presets)) else ()
    names = preset_names(presets)
    return Parameters(
        tuple(_algorithm_parameters(item, evidence) for item in parametric if _is_listed(item)),
        tuple(_preset_parameters(names[preset.preset_id], preset) for preset in in_use),
    )


def _is_listed(algorithm: Parametric) -> bool:
    """Return whether an algorithm has trained parameters with a meaning, which all reviews share."""
    is_shared = algorithm.training is None or algorithm.training.by is None
    return algorithm.trained and is_shared and len(algorithm.parameters) <= MAX_PARAMETERS


def _preset_parameters(name: str, preset: Preset) -> PresetParameters:
    """Return the version and the parameters of FSRS in a preset, which is shown under this name."""
    count = len(preset.parameters)
    clipped = 0
    try:
        code = "own" if count == len(parameters_of(preset)) else "converted"
        if not count:
            code = "none"
        elif is_published(preset):
            code = "published"
        clipped = len(out_of_bounds(preset))
    except NewerParameters:
        code = "newer"
    except OddParameters:
        code = "odd"
    return PresetParameters(name, preset.fsrs_version or None, count, code, preset.unused, clipped)


def _algorithm_parameters(algorithm: Parametric, evidence: Evidence) -> AlgorithmParameters:
    """Return the parameters of an algorithm that were fitted in the last fold."""
    last_fold = evidence.data.folds[-1]
    trained = evidence.fitted[algorithm.name].parameters[-1].tolist()
    parameters = tuple(
        FittedParameter(
            index=index,
            default=float(parameter.default),
            trained=value,
            on_bound=value in (float(parameter.lower), float(parameter.upper)),
        )
        for index, (parameter, value) in enumerate(zip(algorithm.parameters, trained))
    )
    return AlgorithmParameters(
        algorithm=algorithm.name,
        training_reviews=last_fold.test_start,
        meanings=algorithm.meanings,
        parameters=parameters,
    )


SECTION = Section(Parameters, compute)
