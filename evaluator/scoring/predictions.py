"""The predictions of each algorithm for each scored review, in the CSV form that the dialog and the terminal write."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, Iterator

import numpy as np
import numpy.typing as npt

from ..report.sanitize import escape_for_spreadsheet

#: Digits after the point: as many as the report has.
DECIMALS = 9

_ROWS_AT_ONCE = 10_000


@dataclass(frozen=True)
class Predictions:
    """One row per scored review, in review order, as arrays of length n."""

    review_id: npt.NDArray[np.int64]  #: Anki's number of the review: when it was answered, in milliseconds since 1970
    card_id: npt.NDArray[np.int64]  #: Anki's number of the card
    elapsed_days: npt.NDArray[np.int64]  #: whole days of study since the card was last seen
    fold: npt.NDArray[np.int64]  #: 1, 2, ...
    recalled: npt.NDArray[np.int64]  #: 1 if the answer was not Again
    predicted: Dict[str, npt.NDArray[np.float64]]  #: probability of recall by algorithm; NaN if there is none


def to_csv(predictions: Predictions) -> Iterator[str]:
    """Yield the lines of the CSV, each with its newline: a header, then one row per scored review in review order.

    Columns: ``review_id,card_id,elapsed_days,fold,recalled`` and one per algorithm, under its name, with the predicted
    probability of recall, empty if there is none. Names with a comma or a quotation mark are quoted as RFC 4180 has
    it; one that a spreadsheet would take for a formula begins with an apostrophe.
    """
    facts = ("review_id", "card_id", "elapsed_days", "fold", "recalled")
    yield ",".join([*facts, *map(_quote, map(escape_for_spreadsheet, predictions.predicted))]) + "\n"
    columns = [getattr(predictions, name) for name in facts]
    probabilities = list(predictions.predicted.values())
    form = ",".join(["%d"] * len(columns) + [f"%.{DECIMALS}f"] * len(probabilities)) + "\n"
    has_gaps = any(np.isnan(values).any() for values in probabilities)
    for start in range(0, len(predictions.review_id), _ROWS_AT_ONCE):
        chunk = slice(start, start + _ROWS_AT_ONCE)
        # Plain Python numbers are formatted several times faster than NumPy's.
        for row in zip(*(column[chunk].tolist() for column in columns + probabilities)):
            line = form % row
            yield line.replace("nan", "") if has_gaps else line


def _quote(name: str) -> str:
    if any(character in name for character in ',"'):
        return '"' + name.replace('"', '""') + '"'
    return name
