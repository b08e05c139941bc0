"""The classes of a metric and of a metric of pairs, apart from the lists of all of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Optional

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class Metric:
    """One number that says how well an algorithm predicted."""

    key: str  #: its name in :attr:`evaluator.report.AlgorithmResult.metrics` and in the JSON
    #: Of an :class:`evaluator.scoring.Scored`, which is made of the metrics' files; None where it is undefined.
    compute: Callable[[Any], Optional[float]]
    meaning: str  #: what the documentation of the JSON says of it


@dataclass(frozen=True)
class PairMetric:
    """One number that says how well an algorithm predicted, as another one judges it."""

    key: str  #: its name in :attr:`evaluator.report.AlgorithmResult.by_others` and in the JSON
    #: Of probabilities (k, n) of k algorithms and outcomes (n,), 1 or 0: (k, k), the algorithm of the row by that of
    #: the column; the diagonal is not looked at.
    compute: Callable[[npt.NDArray[np.float64], npt.NDArray[np.int64]], npt.NDArray[np.float64]]
    meaning: str  #: what the documentation of the JSON says of it
