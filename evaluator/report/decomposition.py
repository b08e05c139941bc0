"""How much of an algorithm's miscalibration chance alone would make."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ChanceMiscalibration:
    """Of the log loss, were each prediction the true probability, see :mod:`evaluator.metrics.decomposition`.

    What was observed is in :attr:`evaluator.report.AlgorithmResult.log_loss_parts`.
    """

    algorithm: str
    mean: float  #: nats
    quantile_95: float  #: once in 20 it would be more
    resamples: int
    seed: int
