"""FSRS with the parameters stored in Anki's presets, or with those that Anki's optimizer finds for each fold."""

from __future__ import annotations

import math
from typing import Sequence, Tuple

from ..errors import OddParameters
from .algorithm import Parameter, Recurrent, Source
from .fsrs4 import FSRS4_5
from .fsrs5 import FSRS5, WIKI_PARAMETERS
from .fsrs6 import FSRS6, PARAMETERS
from .fsrs7 import FSRS7

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


class YourParameters(FSRS6):
    """The version of FSRS and the parameters that the preset of each card has."""

    source = Source.PRESETS
    # Anki runs FSRS-6 on whole days.
    whole_days_only = True

    def of_version(self, version: int) -> Recurrent:
        """Return the algorithm of this version of FSRS, 6 or 7."""
        return FSRS7(self.name, self.description) if version == 7 else self


def as_fsrs6(stored: Sequence[float]) -> Tuple[float, ...]:
    """Convert stored parameters to the 21 of FSRS-6, and clip them to the bounds, as Anki does.

    The 17 parameters of FSRS-4.5 and the 19 of FSRS-5 become parameters that predict nearly the same. An empty sequence
    becomes the defaults. Source: ``check_and_fill_parameters`` of fsrs-rs.

    Raises:
        OddParameters: the number of values is not 0, 17, 19 or 21, or one is not finite after conversion.
    """
    return _clip(_convert(stored), PARAMETERS, len(stored))


def _convert(stored: Sequence[float]) -> Sequence[float]:
    """Convert parameters to FSRS-6 without clipping them. An empty sequence becomes the defaults."""
    w = list(stored)
    if not w:
        return [p.default for p in PARAMETERS]
    if len(w) == 17:
        w[4] += 2 * w[5]
        w[5] = math.log(3 * w[5] + 1) / 3 if w[5] > -1 / 3 else math.nan
        w[6] += 0.5
        w += [0.0, 0.0]
    if len(w) == 19:
        w += [0.0, 0.5]
    return w


def as_fsrs7(stored: Sequence[float]) -> Tuple[float, ...]:
    """Clip the 34 parameters of FSRS-7 to their bounds. An empty sequence becomes the defaults.

    Raises:
        OddParameters: the number of values is not 0 or 34, or one is not finite.
    """
    return _clip(stored or [p.default for p in FSRS7.parameters], FSRS7.parameters, len(stored))


def count_clipped(stored: Sequence[float], version: int) -> int:
    """Count the converted parameters that are out of bounds by more than the rounding of a stored number."""
    w, clipped_w = (stored, as_fsrs7(stored)) if version == 7 else (_convert(stored), as_fsrs6(stored))
    return sum(not math.isclose(*pair, rel_tol=1e-6) for pair in zip(w, clipped_w))


def _clip(w: Sequence[float], parameters: Sequence[Parameter], n_stored: int) -> Tuple[float, ...]:
    if len(w) != len(parameters) or not all(map(math.isfinite, w)):
        raise OddParameters(count=n_stored)
    return tuple(min(max(value, p.lower), p.upper) for value, p in zip(w, parameters))


ALGORITHMS = (
    FSRS6(
        "FSRS-rs",
        "FSRS-6 with parameters from Anki's own optimizer, trained on your earlier reviews",
        source=Source.ANKI,
        # Anki trains it on whole days.
        whole_days_only=True,
    ),
    YourParameters("Your parameters", "FSRS with the parameters now in your presets, possibly fitted to these reviews"),
)
