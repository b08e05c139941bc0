"""Times for reviews with a known day, order and number of seconds since the card's last review, but no time.

The public data set holds no more. Any instants that agree with these give the same evaluation, so the earliest are
taken. It inverts the data set's own arithmetic; no library has it.
"""

from __future__ import annotations

import numpy as np

from evaluator.data.revlog import SECONDS_PER_DAY, Ints

MS_PER_DAY = SECONDS_PER_DAY * 1000

#: Seconds are cut, not rounded: this many milliseconds may be missing.
CUT_MS = 999

#: More sweeps than any log needs (about ten) if days and seconds agree.
MAX_SWEEPS = 200


class Contradiction(ValueError):
    """No instants agree with the known facts."""


def earliest_instants(card: Ints, day: Ints, elapsed_seconds: Ints) -> Ints:
    """Return the earliest instants in milliseconds that agree with the known facts about the rows, in chronological
    order.

    Day d is from d days (exclusive) to d + 1 days (inclusive), as the benchmark counts its days.

    Each row is after the row before it, and as many seconds after its card's last row as it says. All of that sets
    instants lower bounds, given those of others; raising them to these bounds, again and again, ends at the earliest.

    Args:
        card: of each row, shape (n,).
        day: of each row, not falling.
        elapsed_seconds: whole seconds since the card's last row; of a card's first row anything. If they are
            negative, only the order counts.

    Raises:
        Contradiction: there are none.
    """
    order = np.argsort(card, kind="stable")
    is_first = np.diff(card[order], prepend=card[order[:1]] - 1) != 0
    negative = ~is_first & (elapsed_seconds[order] < 0)
    is_first |= negative
    is_first[1:] |= negative[:-1]  # the seconds since such a row are no better known
    start, number = np.flatnonzero(is_first), np.cumsum(is_first) - 1
    since = np.where(is_first, 0, elapsed_seconds[order] * 1000).cumsum()
    least = since - since[start][number]
    most = least + CUT_MS * (np.arange(len(card)) - start[number])
    # One running maximum for all cards: each begins higher than any before it can reach.
    own = number * ((int(day.max(initial=0)) + 2) * MS_PER_DAY + int(most.max(initial=0)))
    count = np.arange(len(card))

    instant = day * MS_PER_DAY + 1
    for _ in range(MAX_SWEEPS):
        before = instant
        raised = np.maximum.accumulate(before - count) + count
        by_card = np.maximum.accumulate(raised[order] - least + own) + least - own
        by_card = np.maximum.accumulate((by_card - most - own)[::-1])[::-1] + most + own
        instant = np.empty_like(before)
        instant[order] = by_card
        if (instant > (day + 1) * MS_PER_DAY).any():
            break
        if (instant == before).all():
            return instant
    raise Contradiction
