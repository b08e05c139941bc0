"""Your parameters: FSRS with the parameters that are in the presets now."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Sequence, Tuple

from ..errors import OddParameters
from .algorithm import Source
from .fsrs6 import FSRS6, PARAMETERS


@dataclass(frozen=True)
class YourParameters(FSRS6):
    """FSRS-6, each card with the parameters of its preset."""

    name: str = "Your parameters"
    description: str = "FSRS with the parameters now in your presets, which may have seen these reviews"
    source: ClassVar[Source] = Source.PRESETS
    whole_days_only: ClassVar[bool] = True  # as Anki is


def as_fsrs6(stored: Sequence[float]) -> Tuple[float, ...]:
    """Parameters of FSRS-4.5 (17) or FSRS-5 (19) as 21 of FSRS-6 that predict nearly the same; none as the defaults.

    As Anki does it (fsrs-rs, ``check_and_fill_parameters``), its clipping to the bounds included.

    Raises:
        OddParameters: there are neither 0, 17, 19 nor 21 values, or they are out of all bounds.
    """
    w = list(stored)
    if not w:
        return tuple(p.default for p in PARAMETERS)
    if len(w) == 17 and w[5] > -1 / 3:
        w[4] += 2 * w[5]
        w[5] = math.log(3 * w[5] + 1) / 3
        w[6] += 0.5
        w += [0.0, 0.0]
    if len(w) == 19:
        w += [0.0, 0.5]
    if len(w) != len(PARAMETERS) or not all(map(math.isfinite, w)):
        raise OddParameters(count=len(stored))
    return tuple(min(max(value, p.lower), p.upper) for value, p in zip(w, PARAMETERS))


ALGORITHMS = (YourParameters(),)
