"""The predictions of each algorithm for each scored review, in the CSV form that the dialog and the terminal write."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from io import StringIO
from typing import Dict, Iterator

import numpy as np
import numpy.typing as npt

from ..metrics.scores import chunks
from ..report.sanitize import escape_for_spreadsheet

#: Digits after the decimal point, as in the report's JSON.
DECIMALS = 9

_ROWS_AT_ONCE = 10_000


@dataclass(frozen=True)
class Predictions:
    """One row per scored review, in review order, as arrays of length n."""

    review_id: npt.NDArray[np.int64]  #: Anki's id of the review, the time of the answer in milliseconds since 1970
    card_id: npt.NDArray[np.int64]  #: Anki's id of the card
    elapsed_days: npt.NDArray[np.int64]  #: whole days of study since the card was last seen
    fold: npt.NDArray[np.int64]  #: number of the fold that tested it, from 1
    recalled: npt.NDArray[np.int64]  #: 1 if the answer was not Again
    predicted: Dict[str, npt.NDArray[np.float64]]  #: probability of recall by algorithm, NaN if it made none


def to_csv(predictions: Predictions) -> Iterator[str]:
    """Yield the lines of the CSV, each with its newline.

    After a header, there is one row per scored review, in review order. The columns are
    ``review_id,card_id,elapsed_days,fold,recalled`` and one per algorithm, under its name, with the predicted
    probability of recall. A cell is empty if the algorithm made no prediction. Names with a comma or a quotation mark
    are quoted (RFC 4180). A name that a spreadsheet would take for a formula begins with an apostrophe.
    """
    fixed_columns = ("review_id", "card_id", "elapsed_days", "fold", "recalled")
    header = StringIO()
    csv.writer(header, lineterminator="\n").writerow(
        [*fixed_columns, *map(escape_for_spreadsheet, predictions.predicted)]
    )
    yield header.getvalue()
    columns = [getattr(predictions, name) for name in fixed_columns]
    probabilities = list(predictions.predicted.values())
    line_format = ",".join(["%d"] * len(columns) + [f"%.{DECIMALS}f"] * len(probabilities)) + "\n"
    for chunk in chunks(len(predictions.review_id), _ROWS_AT_ONCE):
        # Plain Python numbers are formatted several times faster than NumPy's.
        for row in zip(*(column[chunk].tolist() for column in columns + probabilities)):
            yield (line_format % row).replace("nan", "")
