"""The FSRS parameters that are stored in the person's presets."""

from __future__ import annotations

from typing import Dict, Sequence

import numpy as np

from ..algorithms.your_parameters import as_fsrs6
from ..derivatives import Floats
from ..errors import NoParameters
from ..revlog import Preset
from .dataset import NONE, Dataset


def parameters_by_preset(data: Dataset, presets: Sequence[Preset]) -> Dict[int, Floats]:
    """The 21 parameters of each preset in use; cards that no longer exist get those of the most used preset.

    Raises:
        NoParameters: no preset has any.
        DecksUnknown: the source does not say which preset a card belongs to.
    """
    label = data.label("preset")
    stored = {preset.preset_id: preset.parameters for preset in presets}
    if not any(stored.values()):
        raise NoParameters(presets=len(stored))
    values, counts = np.unique(label, return_counts=True)
    used = values[values != NONE]
    most_used = int(used[np.argmax(counts[values != NONE])]) if len(used) else next(iter(stored))
    return {int(value): np.array(as_fsrs6(stored.get(int(value), stored.get(most_used, ())))) for value in values}


def are_published(parameters: Sequence[float]) -> bool:
    """Whether FSRS parameters, as stored, are the published ones of FSRS-6: no review had a part in them.

    Raises OddParameters as :func:`as_fsrs6` does.
    """
    return bool(np.allclose(as_fsrs6(parameters), as_fsrs6(()), rtol=1e-4))
