"""Every algorithm against one that it is measured by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

from .values import Comparison


@dataclass(frozen=True)
class Comparisons:
    """All others that have a result, in the order of the results, each minus the same reference on the same reviews."""

    reference: str  #: the algorithm that they are compared with
    in_sample: bool  #: the reference's parameters may have been fitted on these very reviews
    comparisons: Tuple[Comparison, ...]
