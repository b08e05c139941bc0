"""The predictions of each algorithm for each scored review."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class Predictions:
    """One row per scored review, in review order, as arrays of length n."""

    review_id: npt.NDArray[np.int64]  #: Anki's id of the review, the time of the answer in milliseconds since 1970
    card_id: npt.NDArray[np.int64]  #: Anki's id of the card
    elapsed_days: npt.NDArray[np.int64]  #: whole days of study since the card was last seen
    fold: npt.NDArray[np.int64]  #: number of the fold that tested it, from 1
    recalled: npt.NDArray[np.int64]  #: 1 if the answer was not Again
    predicted: Dict[str, npt.NDArray[np.float64]]  #: probability of recall by algorithm, NaN if it made none
