"""Reader of one person's file of the data set FSRS-Anki-20k in its processed form, ``dataset/1/N.csv``.

The file has a row for each review that counts, with the columns of :data:`COLUMNS` and the whole days since the card's
last review, called ``elapsed_days`` or, in older versions, ``delta_t``. It has no dates, so the earliest possible days
are taken. The oldest version has no seconds, so they are not used. The reader follows the data set's description and
programs that read it, and was not tested with a real file. The raw form is read by
:mod:`tools.sources.protobuf_export`.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from evaluator.data.revlog import SECONDS_PER_DAY, Clock, Snapshot
from tools.sources import csv_log
from tools.sources.stated import MAX_DAYS, earliest_days, is_first, snapshot_of

#: Names of the columns that all versions have.
COLUMNS = ("card_id", "review_th", "rating")
#: Possible names of the column with the days since the card's last review.
ELAPSED = ("elapsed_days", "delta_t")


def recognizes(_start: bytes, columns: set[str]) -> bool:
    """Return whether a file with these columns, in lower case, has this format."""
    return {"card_id", "rating"} <= columns


def read(path: Path) -> Snapshot:
    """Read all reviews.

    Raises:
        EvaluatorError: if a column is missing, or a cell is not an integer.
    """
    (elapsed_days,) = csv_log.choose_names(path, [ELAPSED])
    card, position, rating, days = csv_log.read_columns(path, (*COLUMNS, elapsed_days))
    order = np.argsort(position, kind="stable")
    card = card[order]
    rating = rating[order]
    days = days[order]
    is_first_row = is_first(card)
    negative_count = int((days[~is_first_row] < 0).sum())
    days = np.where(is_first_row, 0, np.clip(days, 0, MAX_DAYS))
    day = earliest_days(card, days)
    snapshot = snapshot_of(card, day * SECONDS_PER_DAY * 1000, days, rating, Clock(0, assumed=True))
    notes = (("days_assumed", len(np.unique(day))), ("negative_interval", negative_count))
    return replace(snapshot, notes=tuple((code, count) for code, count in notes if count))
