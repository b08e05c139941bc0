"""The FSRS parameters that are stored in the user's presets."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Dict, Sequence, Tuple

import numpy as np

from ..algorithms.your_parameters import PUBLISHED_DEFAULTS, as_fsrs6, as_fsrs7
from ..data.dataset import Dataset
from ..data.revlog import DELETED_CARD, Preset
from ..errors import NewerParameters, NoParameters, OddParameters


def presets_by_label(data: Dataset) -> Dict[int, Preset]:
    """Return the presets in use by the label of their cards.

    Deleted cards and cards of a deleted preset get the most used preset.

    Raises:
        NoParameters: the source has no presets.
        DecksUnknown: the source does not say which preset a card belongs to.
    """
    label = data.label("preset")
    by_id = {preset.preset_id: preset for preset in data.presets}
    if not by_id:
        raise NoParameters
    values, counts = np.unique(label, return_counts=True)
    used_ids = values[values != DELETED_CARD]
    most_used_id = int(used_ids[np.argmax(counts[values != DELETED_CARD])]) if len(used_ids) else next(iter(by_id))
    most_used_preset = by_id.get(most_used_id, next(iter(by_id.values())))
    return {int(value): by_id.get(int(value), most_used_preset) for value in values}


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
    return bool(preset.parameters) or preset.fsrs_version == 7 or preset.newer_fsrs is not None


def parameters_of(preset: Preset) -> Tuple[float, ...]:
    """Return the parameters with which the preset runs FSRS, 34 for FSRS-7 and 21 for FSRS-6.

    Raises:
        OddParameters: the parameters cannot be used. A subclass gives the reason, unless their number is wrong.
    """
    if preset.newer_fsrs is not None:
        raise NewerParameters(version=preset.newer_fsrs, preset=preset.name)
    try:
        return (as_fsrs7 if preset.fsrs_version == 7 else as_fsrs6)(preset.parameters)
    except OddParameters as error:
        error.facts["preset"] = preset.name
        raise


def is_published(preset: Preset) -> bool:
    """Return whether the preset has published parameters, of today or earlier, fitted to none of its reviews."""
    return any(_runs(preset, published) for published in PUBLISHED_DEFAULTS[preset.fsrs_version])


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
