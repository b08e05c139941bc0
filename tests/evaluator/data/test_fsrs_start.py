from __future__ import annotations

import datetime as dt
from typing import Sequence

import numpy as np
import pytest

from evaluator.data.fsrs_start import fsrs_start
from evaluator.data.revlog import Clock, Revlog, Snapshot

DAY = 86_400_000
#: 1 January 2024 at noon in milliseconds, the time of the first row.
FIRST = 1_704_110_400_000


def snapshot_of(factors: Sequence[int], *, button: int = 3) -> Snapshot:
    """Return a snapshot with one row a day, with these factors."""
    count = len(factors)
    zeros = np.zeros(count, dtype=np.int64)
    revlog = Revlog(
        review_id=FIRST + DAY * np.arange(count),
        card_id=zeros,
        button=zeros + button,
        interval=zeros,
        last_interval=zeros,
        factor=np.array(factors, dtype=np.int64),
        duration_ms=zeros,
        kind=zeros + 1,
    )
    return Snapshot(revlog, Clock(4 * 3600, 0), as_of_ms=FIRST + 1000 * DAY)


@pytest.mark.parametrize(
    ("factors", "rows_before"),
    [
        ([2500, 1300, 0, 100, 1100], 3),
        # One review was done on a device without FSRS.
        ([2500] * 10 + [500] * 20 + [2500] + [500] * 20, 10),
        # FSRS was turned off for a while.
        ([500] * 10 + [2500] * 20 + [500] * 30, 30),
        ([500] * 10, None),
        ([2500] * 10, None),
        ([500] * 10 + [2500] * 20 + [500], 30),
        ([2500, 500, 500, 2500, 2500, 500, 2500], None),
        ([0, 0], None),
        ([], None),
    ],
)
def test_start_is_the_first_day_with_fsrs(factors, rows_before):
    day = fsrs_start(snapshot_of(factors))
    assert day == (None if rows_before is None else dt.date(2024, 1, 1) + dt.timedelta(days=rows_before))


def test_rows_without_an_answer_do_not_count():
    assert fsrs_start(snapshot_of([2500, 500, 500], button=0)) is None
