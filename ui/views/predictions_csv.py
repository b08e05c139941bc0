"""The predictions of each algorithm as CSV, which the window and the command line write."""

from __future__ import annotations

import csv
from io import StringIO
from typing import TYPE_CHECKING, Iterator

from ..science import report as reports
from ..text.sanitize import escape_for_spreadsheet

if TYPE_CHECKING:
    from evaluator.scoring.report_builder import Predictions

_ROWS_AT_ONCE = 10_000


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
    line_format = ",".join(["%d"] * len(columns) + [f"%.{reports.DECIMALS}f"] * len(probabilities)) + "\n"
    for start in range(0, len(predictions.review_id), _ROWS_AT_ONCE):
        chunk = slice(start, start + _ROWS_AT_ONCE)
        # Plain Python numbers are formatted several times faster than NumPy's.
        for row in zip(*(column[chunk].tolist() for column in columns + probabilities)):
            yield (line_format % row).replace("nan", "")
