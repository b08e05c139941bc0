"""What each log loss is made of, and how much of its miscalibration chance alone would make.

The parts themselves are in the results; what chance makes is drawn here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, List, Tuple

from ..metrics.decomposition import decompose, perfect_miscalibration
from ..report import ChanceMiscalibration

if TYPE_CHECKING:
    from ..evidence import Evidence
    from ..progress import Progress
    from ..report import Report

#: Resamples times reviews: a fifth of a second for each algorithm.
OUTCOMES = 10_000_000
FEWEST, MOST = 20, 200


def decomposition(_: Report, evidence: Evidence, progress: Progress) -> Tuple[ChanceMiscalibration, ...]:
    """One row for each algorithm that has a result."""
    recalled = evidence.scoring.recalled
    resamples = min(max(OUTCOMES // len(recalled), FEWEST), MOST)
    found: List[ChanceMiscalibration] = []
    for name, fitted in evidence.fitted.items():
        progress(len(found) / len(evidence.fitted))
        observed = decompose(fitted.predicted, recalled)
        drawn = perfect_miscalibration(fitted.predicted, observed, resamples=resamples)
        by_chance = drawn.log_loss
        found.append(ChanceMiscalibration(name, by_chance.mean, by_chance.quantile_95, drawn.resamples, drawn.seed))
    return tuple(found)
