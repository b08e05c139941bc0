"""Anki's own FSRS optimizer, called through its backend. It needs no window and no collection, and locks nothing.

The backend's ``fsrs_benchmark`` trains on just the items it is given; ``compute_fsrs_params_from_items`` would first
drop outliers, which the evaluation has done already.
"""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any, Callable, List, Optional, Sequence, Tuple

import numpy as np
import numpy.typing as npt

from .anki_versions import backend_optimize, backend_optimizer

if TYPE_CHECKING or __package__ == "ui.anki":
    from evaluator.data.reviews import CardRows
    from evaluator.data.revlog import SECONDS_PER_DAY, Ints
    from evaluator.errors import OptimizerFailed
    from evaluator.fitting.anki_optimizer import Items, Optimize

else:
    from ...evaluator.data.reviews import CardRows
    from ...evaluator.data.revlog import SECONDS_PER_DAY, Ints
    from ...evaluator.errors import OptimizerFailed
    from ...evaluator.fitting.anki_optimizer import Items, Optimize

Bytes = npt.NDArray[np.uint8]

#: With fewer items, or none from a card's second day, there is too little data, and the defaults are used.
#: With no items at all, or none from a second day, the optimizer would panic.
MIN_ITEMS = 8

#: Reviews encoded at a time: a few megabytes.
ITEMS_AT_ONCE = 8192

#: Maximum number of bytes before an item's reviews.
MAX_IN_MEMORY = 6


def anki_optimizer() -> Optional[Callable[[Items], Sequence[float]]]:
    """Return the optimizer of the Anki that is installed; None if there is none."""
    compute = backend_optimizer()
    if compute is None:
        return None

    def optimize(items: Items) -> Sequence[float]:
        days = np.append(0, np.cumsum(items.elapsed_days > 0))
        later_days = days[items.stop] - days[items.start]
        return _call(lambda: compute(encode(items))) if len(later_days) >= MIN_ITEMS and (later_days == 1).any() else ()

    return optimize


def _call(compute: Callable[[], Sequence[float]]) -> Sequence[float]:
    try:
        return compute()
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # noqa: BLE001 - a panic of the backend is no Exception: Anki would quit on it
        raise OptimizerFailed(detail=str(error)) from None


def anki_optimize() -> Optional[Optimize]:
    """Return what Optimize does in the Anki that is installed; None if there is none, or if it cannot be called."""
    compute = backend_optimize()
    if compute is None:
        return None
    return lambda rows, current: _call(lambda: compute(lambda day_ends: _rows_of_revlog(rows, day_ends), current))


def _rows_of_revlog(rows: CardRows, day_ends: int) -> List[List[Any]]:
    """Return a review log with these answers: the same order, cards and days between them, with the last day today.

    Only the rows are known from which a card's history starts, so its first is one of learning (0), and all others are
    reviews (1).
    """
    order = np.argsort(np.argsort(rows.review_id, kind="stable"))  # milliseconds after noon
    day = rows.day - rows.day.max(initial=0).astype(np.int64)
    review_id = (day_ends - SECONDS_PER_DAY // 2 + day * SECONDS_PER_DAY) * 1000 + order
    columns = (review_id, rows.card_id, rows.rating, rows.position > 0)
    return np.column_stack(columns).tolist()  # type: ignore[no-any-return]


def encode(items: Items) -> bytes:
    """Encode the items as a protobuf ``FsrsBenchmarkRequest``, by hand: message objects would take far too long.

    An item is ``0A varint(len)`` and its reviews. These are consecutive in the columns, so they are one stretch of all
    reviews' bytes. A million reviews make about 100 MB, so the message is written piece by piece.
    """
    reviews, start_of_review = _reviews(items.rating, items.elapsed_days)
    message = BytesIO()
    length = start_of_review[items.stop] - start_of_review[items.start]
    message.seek(int(length.sum()) + MAX_IN_MEMORY * len(length))  # all the room at once: to get more would copy it
    message.write(b"0")
    message.seek(0)
    for first in range(0, len(items.start), ITEMS_AT_ONCE):
        piece = slice(first, first + ITEMS_AT_ONCE)
        start = start_of_review[items.start[piece]]
        message.write(_encode_piece(reviews, start, length[piece]).data)
    message.truncate()
    return message.getvalue()


def _reviews(rating: Ints, elapsed_days: Ints) -> Tuple[Bytes, Ints]:
    """Return all reviews' bytes, each ``0A len 08 rating [10 varint(days)]``, and the offset of each."""
    days, is_there = _varints(elapsed_days)
    is_there[:, 0] = elapsed_days > 0  # protobuf leaves a zero out
    parts = np.empty((len(rating), 5 + days.shape[1]), dtype=np.uint8)
    keep = np.ones(parts.shape, dtype=bool)
    parts[:, 0], parts[:, 2], parts[:, 3], parts[:, 4], parts[:, 5:] = 0x0A, 0x08, rating, 0x10, days
    keep[:, 4], keep[:, 5:] = is_there[:, 0], is_there
    length = keep.sum(axis=1)
    parts[:, 1] = length - 2
    return parts[keep], np.concatenate(([0], np.cumsum(length)))


def _encode_piece(reviews: Bytes, start: Ints, length: Ints) -> Bytes:
    """Encode the items whose reviews have these starts and lengths among the bytes of all reviews."""
    varint, is_there = _varints(length)
    heads = np.column_stack([np.full(len(length), 0x0A, dtype=np.uint8), varint])
    keep = np.column_stack([np.ones(len(length), dtype=bool), is_there])
    size_of_head = keep.sum(axis=1)
    size = size_of_head + length
    end = np.cumsum(size)
    # Where each byte is copied from: in an item one after the other. What that says of the head is overwritten.
    source = np.repeat(start + length - end, size)
    source += np.arange(len(source))
    out = reviews.take(source, mode="clip")
    position = (end - size)[:, None] + np.arange(heads.shape[1])
    out[position[keep]] = heads[keep]
    return out


def _varints(values: Ints) -> Tuple[Bytes, npt.NDArray[np.bool_]]:
    """Encode each value (at least 0) as a varint: a row of 7-bit bytes, lowest first, and which of them are used."""
    groups = max(1, -(-int(values.max(initial=0)).bit_length() // 7))
    rest = values[:, None] >> (7 * np.arange(groups, dtype=values.dtype))
    more = rest >= 128
    is_there = np.column_stack([np.ones(len(values), dtype=bool), more[:, :-1]])
    return (rest & 127).astype(np.uint8) | more * np.uint8(128), is_there
