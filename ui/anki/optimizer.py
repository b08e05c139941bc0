"""Anki's own FSRS optimizer, called through its backend. It needs no window and no collection, and locks nothing.

The backend has two functions for it. ``fsrs_benchmark`` trains on exactly the given items. Optimize also drops
outliers, which the evaluation has done already. In each fold, ``fsrs_benchmark`` comes within 0.00001 of the log loss
of the benchmark's FSRS-rs, and Optimize within 0.004. So the algorithm FSRS-rs is trained by ``fsrs_benchmark``.
"""

from __future__ import annotations

from functools import cache, partial
from io import BytesIO
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Callable, List, Optional, Sequence

import numpy as np

from ..science import OptimizerFailed
from .anki_versions import backend_optimize, backend_trainer

if TYPE_CHECKING or __package__ == "ui.anki":
    from evaluator.data.reviews import CardRows
    from evaluator.data.revlog import SECONDS_PER_DAY
    from evaluator.fitting.anki_optimizer import Items, PresetOptimizer
else:
    from ...evaluator.data.reviews import CardRows
    from ...evaluator.data.revlog import SECONDS_PER_DAY
    from ...evaluator.fitting.anki_optimizer import Items, PresetOptimizer

#: With fewer items, the published parameters are used.
MIN_ITEMS = 8


def benchmark_trainer() -> Optional[Callable[[Items], Sequence[float]]]:
    """Return the function that trains FSRS on items in the installed Anki, or None if it has none.

    The function returns no parameters, which stands for the published ones, if there is too little to train on.
    """
    compute = backend_trainer()
    if compute is None:
        return None

    def train(items: Items) -> Sequence[float]:
        days = np.append(0, np.cumsum(items.elapsed_days > 0))
        later_days = days[items.stop] - days[items.start]
        # The backend would panic without an item from a card's second day.
        if len(later_days) < MIN_ITEMS or not (later_days == 1).any():
            return ()
        return _call_backend(lambda: compute(encode(items)))

    return train


def _call_backend(compute: Callable[[], Sequence[float]]) -> Sequence[float]:
    """Call a function of the backend. Raises OptimizerFailed for whatever it raises."""
    try:
        return compute()
    except (KeyboardInterrupt, SystemExit):
        raise
    # A panic of the backend is not an Exception, and Anki would quit on it.
    except BaseException as error:  # noqa: BLE001
        raise OptimizerFailed(detail=str(error)) from None


def optimize_button() -> Optional[PresetOptimizer]:
    """Return the function that Optimize runs in the installed Anki, or None if it cannot be called."""
    compute = backend_optimize()
    if compute is None:
        return None

    def optimize(rows: CardRows, current: Sequence[float]) -> Sequence[float]:
        return _call_backend(lambda: compute(partial(_rows_of_revlog, rows), current))

    return optimize


def _rows_of_revlog(rows: CardRows, day_ends: int) -> List[List[Any]]:
    """Return a review log with the same cards, order and days between answers, whose last day is today.

    The rows begin at the start of each card's history. So the first row of a card is of the kind learning (0), and all
    others are of the kind review (1).

    Args:
        rows: the answers of all cards.
        day_ends: the second at which today ends.

    Returns:
        A list of id, card, button and kind for each row. The ids of a day count the milliseconds from noon.
    """
    order = np.argsort(np.argsort(rows.review_id, kind="stable"))
    day = rows.day - rows.day.max(initial=0).astype(np.int64)
    review_id = (day_ends - SECONDS_PER_DAY // 2 + day * SECONDS_PER_DAY) * 1000 + order
    columns = (review_id, rows.card_id, rows.rating, rows.position > 0)
    return np.column_stack(columns).tolist()  # type: ignore[no-any-return]


def encode(items: Items) -> bytes:
    """Encode the items as a protobuf ``FsrsBenchmarkRequest``.

    This does without protobuf's classes, because a message object for each review of each item would take gigabytes.
    The reviews of an item are consecutive, so their bytes are a slice of all reviews' bytes.
    """
    reviews = list(map(_encode_review, items.rating.tolist(), items.elapsed_days.tolist()))
    offset = list(accumulate(map(len, reviews), initial=0))
    all_reviews = b"".join(reviews)
    message = BytesIO()
    for start, stop in zip(items.start.tolist(), items.stop.tolist()):
        message.write(_field(1, all_reviews[offset[start] : offset[stop]]))
    return message.getvalue()


@cache
def _encode_review(rating: int, elapsed_days: int) -> bytes:
    """Encode a review, which is field 1 of an item. Protobuf leaves out a number that is 0."""
    days = b"\x10" + _varint(elapsed_days) if elapsed_days else b""
    return _field(1, b"\x08" + _varint(rating) + days)


def _field(number: int, content: bytes) -> bytes:
    """Encode a field that is itself a message."""
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _varint(value: int) -> bytes:
    """Encode a number of at least 0 as protobuf does, in groups of 7 bits from the lowest."""
    groups = []
    while value > 127:
        groups.append(value & 127 | 128)
        value >>= 7
    return bytes([*groups, value])
