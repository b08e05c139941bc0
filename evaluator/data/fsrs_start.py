"""The day on which FSRS was turned on, found in the review log."""

from __future__ import annotations

import datetime as dt
from typing import Optional

import numpy as np

from .revlog import Snapshot

#: Minimum share of FSRS's rows among the rows since it was turned on.
MIN_SHARE_OF_FSRS = 0.9


def fsrs_start(snapshot: Snapshot) -> Optional[dt.date]:
    """Return the day on which FSRS was turned on, or None if the review log does not show it.

    With FSRS, Anki stores a card's difficulty from 100 to 1,100 in the column that holds an ease of at least 1,300 with
    SM-2. Devices without FSRS may have added rows of SM-2 later, so this is the day that divides the rows best.
    """
    log = snapshot.revlog
    latest = snapshot.as_of_ms or log.review_id.max(initial=0)
    is_rated = (log.button > 0) & (log.factor >= 100) & (log.review_id > 0) & (log.review_id <= latest)
    order = np.flatnonzero(is_rated)[np.argsort(log.review_id[is_rated], kind="stable")]
    is_fsrs = log.factor[order] <= 1100
    # FSRS was turned on where the lead of SM-2's rows over those of FSRS is largest.
    sm2_rows = int(np.argmin(np.cumsum(np.where(is_fsrs, 1, -1)))) + 1 if len(order) else 0
    is_fsrs_later = is_fsrs[sm2_rows:]
    if is_fsrs[:sm2_rows].all() or is_fsrs_later.sum() < MIN_SHARE_OF_FSRS * max(len(is_fsrs_later), 1):
        return None
    return snapshot.clock.date_at(int(log.review_id[order[sm2_rows]]))
