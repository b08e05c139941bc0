"""Whether the winner depends on how it was asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Tuple

from .values import Basis, Comparison, Failure


@dataclass(frozen=True)
class SensitivityRow:
    """The same question, asked otherwise."""

    name: str  #: key of the words in ``ui/strings.py``
    basis: Optional[Basis]  #: None, as all that follows, where ``error`` says why
    comparison: Optional[Comparison]  #: of the verdict's pair
    winner: Optional[str]  #: the lowest log loss of those that were compared
    #: "same" winner as in the report, "other" (another one, not clearly better), or "other_clearly"
    code: Optional[str]
    error: Optional[Failure] = None  #: why it could not be asked so


@dataclass(frozen=True)
class Sensitivity:
    """The variants beside the report's own way to ask."""

    algorithms: Tuple[str, ...]  #: that were compared: the verdict's pair and the best
    reference: SensitivityRow
    variants: Tuple[SensitivityRow, ...]
    complete: bool  #: False: those for which the review log itself is needed are missing
