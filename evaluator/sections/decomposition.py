"""What each log loss is made of, and how much of its miscalibration chance alone would make.

The parts themselves are in the results; what chance makes is drawn here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, List, Sequence, Tuple

from ..metrics.decomposition import perfect_miscalibration
from ..metrics.resampling import SEED
from .section import Section

if TYPE_CHECKING:
    from ..evidence import Evidence
    from ..progress import Progress
    from ..report import Report

#: Resamples times reviews: a fifth of a second for each algorithm.
OUTCOMES = 10_000_000
FEWEST, MOST = 20, 200


@dataclass(frozen=True)
class ChanceMiscalibration:
    """The miscalibration of the log loss if each prediction were the true probability, drawn at random.

    What was observed is in :attr:`evaluator.report.AlgorithmResult.log_loss_parts`.
    """

    algorithm: str
    mean: float  #: nats
    quantile_95: float  #: once in 20 it would be more
    resamples: int
    seed: int


def compute(
    _report: Report, evidence: Evidence, _names: Sequence[str], progress: Progress
) -> Tuple[ChanceMiscalibration, ...]:
    """One row for each algorithm that has a result."""
    resamples = min(max(OUTCOMES // len(evidence.tested), FEWEST), MOST)
    found: List[ChanceMiscalibration] = []
    for name, fitted in evidence.fitted.items():
        progress(len(found) / len(evidence.fitted))
        mean, quantile_95 = perfect_miscalibration(fitted.predicted, resamples)
        found.append(ChanceMiscalibration(name, mean, quantile_95, resamples, SEED))
    return tuple(found)


SECTION = Section("decomposition", Tuple[ChanceMiscalibration, ...], compute)
