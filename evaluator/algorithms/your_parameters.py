"""FSRS with the parameters stored in Anki's presets, or with those that Anki's optimizer finds for each fold.

This file has all functions about the parameters of a preset: which preset a review has, with which parameters it runs
FSRS, and whether these are published.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from typing import Dict, List, Optional, Sequence, Tuple

import numpy as np

from ..data.dataset import Dataset
from ..data.revlog import DELETED_CARD, Ints, Preset
from ..errors import NewerParameters, NoParameters, OddParameters
from .algorithm import Recurrent, Source
from .fsrs4 import FSRS4_5
from .fsrs5 import FSRS5, WIKI_PARAMETERS
from .fsrs6 import FSRS6
from .fsrs7 import FSRS7

#: The formulas of each version of FSRS that a preset may run.
FORMULAS: Dict[int, Recurrent] = {6: FSRS6("FSRS-6", ""), 7: FSRS7("FSRS-7", "")}

#: Published defaults that no algorithm here has: of FSRS v4, early FSRS-4.5, and FSRS-6 before June 2025.
# fmt: off
_OLDER_DEFAULTS = (
    (0.4, 0.6, 2.4, 5.8, 4.93, 0.94, 0.86, 0.01, 1.49, 0.14, 0.94, 2.18, 0.05, 0.34, 1.26, 0.29, 2.61),
    (0.5614, 1.2546, 3.5878, 7.9731, 5.1043, 1.1303, 0.823, 0.0465, 1.629, 0.135, 1.0045, 2.132, 0.0839, 0.3204, 1.3547,
     0.219, 2.7849),
    (0.2172, 1.1771, 3.2602, 16.1507, 7.0114, 0.57, 2.0966, 0.0069, 1.5261, 0.112, 1.0178, 1.849, 0.1133, 0.3127,
     2.2934, 0.2191, 3.0004, 0.7536, 0.3332, 0.1437, 0.2),
)
# fmt: on
#: All defaults that were ever published for the version of FSRS that a preset runs, as stored. Today's are empty.
PUBLISHED_DEFAULTS = {
    6: (
        (),
        *_OLDER_DEFAULTS,
        *(tuple(p.default for p in w) for w in (FSRS4_5.parameters, FSRS5.parameters, WIKI_PARAMETERS)),
    ),
    7: ((),),
}


def as_run(stored: Sequence[float], version: int = 6) -> Tuple[float, ...]:
    """Convert stored parameters to the 21 of FSRS-6 or the 34 of FSRS-7, and clip them to the bounds, as Anki does.

    The 17 parameters of FSRS-4.5 and the 19 of FSRS-5 become those of FSRS-6 that predict nearly the same. An empty
    sequence becomes the defaults. Source: ``check_and_fill_parameters`` of fsrs-rs.

    Raises:
        OddParameters: if the number of values is none of these, or if one is not finite after conversion.
    """
    w = convert(stored, version)
    parameters = FORMULAS[version].parameters
    if len(w) != len(parameters) or not all(map(math.isfinite, w)):
        raise OddParameters(count=len(stored))
    return tuple(min(max(value, p.lower), p.upper) for value, p in zip(w, parameters))


def convert(stored: Sequence[float], version: int) -> Sequence[float]:
    """Convert stored parameters as :func:`as_run` does, but without checking or clipping them."""
    w = list(stored) or [p.default for p in FORMULAS[version].parameters]
    if version == 6 and len(w) == 17:
        w[4] += 2 * w[5]
        w[5] = math.log(3 * w[5] + 1) / 3 if w[5] > -1 / 3 else math.nan
        w[6] += 0.5
        w += [0.0, 0.0]
    if version == 6 and len(w) == 19:
        w += [0.0, 0.5]
    return w


def preset_ids(data: Dataset) -> Ints:
    """Return the id of the preset whose parameters predict each review (n,).

    Cards that no longer exist, and those of a deleted preset, have the most used preset.

    Raises:
        NoParameters: if the source has no presets.
        DecksUnknown: if the source does not say which preset a card belongs to.
    """
    label = data.label("preset")
    known_ids = [preset.preset_id for preset in data.presets]
    if not known_ids:
        raise NoParameters
    values, counts = np.unique(label[label != DELETED_CARD], return_counts=True)
    most_used = values[np.argmax(counts)] if len(values) else DELETED_CARD
    return np.where(np.isin(label, known_ids), label, most_used if most_used in known_ids else known_ids[0])


def preset_names(presets: Sequence[Preset]) -> Dict[int, str]:
    """Return the names of the presets by id. Presets of the same name get their ids added."""
    count = Counter(preset.name for preset in presets)
    return {
        preset.preset_id: preset.name if count[preset.name] == 1 else f"{preset.name} ({preset.preset_id})"
        for preset in presets
    }


def has_parameters(preset: Preset) -> bool:
    """Return whether the preset has parameters of its own, or runs FSRS-7 or a newer version.

    A preset for which this is False may never have been optimized.
    """
    return bool(preset.parameters) or preset.fsrs_version != 6


def parameters_of(preset: Preset) -> Tuple[float, ...]:
    """Return the parameters with which the preset runs FSRS, 34 for FSRS-7 and 21 for FSRS-6.

    Raises:
        OddParameters: if the parameters cannot be used. A subclass gives the reason, unless their number is wrong.
    """
    if preset.fsrs_version not in FORMULAS:
        raise NewerParameters(version=preset.fsrs_version, preset=preset.name)
    try:
        return as_run(preset.parameters, preset.fsrs_version)
    except OddParameters as error:
        error.facts["preset"] = preset.name
        raise


def out_of_bounds(preset: Preset) -> List[Tuple[int, float, float]]:
    """Return the converted parameters that are out of bounds by more than the rounding of a stored number.

    Returns:
        The index, the value and the nearest bound of each.

    Raises:
        OddParameters: as :func:`parameters_of`.
    """
    clipped = parameters_of(preset)
    converted = convert(preset.parameters, preset.fsrs_version)
    return [
        (index, value, bound)
        for index, (value, bound) in enumerate(zip(converted, clipped))
        if not math.isclose(value, bound, rel_tol=1e-6)
    ]


def is_published(preset: Preset) -> bool:
    """Return whether the preset has published parameters, of today or earlier, fitted to none of its reviews."""
    return any(_runs(preset, published) for published in PUBLISHED_DEFAULTS.get(preset.fsrs_version, ()))


def is_default(preset: Preset) -> bool:
    """Return whether the preset has today's published parameters of its version."""
    return _runs(preset, ())


def _runs(preset: Preset, stored: Tuple[float, ...]) -> bool:
    """Return whether the preset runs the same parameters as if these were stored, up to Anki's rounding."""
    try:
        parameters = parameters_of(replace(preset, parameters=stored))
        return bool(np.allclose(parameters_of(preset), parameters, rtol=0, atol=1e-4))
    except OddParameters:
        return False


def version_note(presets: Sequence[Preset]) -> Optional[str]:
    """Return the code of the note on the presets' versions of FSRS and on today's defaults, if there is one."""
    versions = {preset.fsrs_version for preset in presets}
    all_default = all(map(is_default, presets))
    if versions == {6}:
        return "published" if all_default else None
    if versions == {7} and all_default:
        return "published_fsrs7"
    if any(preset.fsrs_version == 7 and not preset.parameters for preset in presets):
        return "partly_published_fsrs7"
    return "fsrs7" if versions == {7} else "versions"


ALGORITHMS = (
    FSRS6(
        "FSRS-rs",
        "FSRS-6 with parameters from Anki's own optimizer, trained on your earlier reviews",
        source=Source.ANKI,
        # Anki trains it on whole days.
        whole_days_only=True,
    ),
    FSRS6(
        "Your parameters",
        "FSRS with the parameters now in your presets, possibly fitted to these reviews",
        source=Source.PRESETS,
        # Anki runs FSRS-6 on whole days.
        whole_days_only=True,
    ),
)
