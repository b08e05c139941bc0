"""Build the benchmark's table from the review log: the rows that count, with the history before each of them.

This follows the public SRS Benchmark number for number (its two tables, January 2025 to September 2026), including its
quirks, which comments name.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Tuple, Union

import numpy as np
import numpy.typing as npt

from ..scope import SAME_DAY_TABLE, WHOLE_DAY_TABLE
from .revlog import SECONDS_PER_DAY, Bools, Ints, Snapshot
from .row_accounting import OUTCOME, set_outcomes

#: Review ids outside the years 1 to 9999 are damage, not time.
EARLIEST_MS, LATEST_MS = -62_000_000_000_000, 253_000_000_000_000

#: Rows of one card beyond this many are not used (twice the benchmark's ``max_seq_len`` of 64).
MAX_ROWS_PER_CARD = 128

#: The type of ratings, days between reviews, counts and row numbers: it takes half the memory of 64 bits. With fewer
#: bits NumPy would take logarithms in single precision.
COMPACT_INT = np.int32


@dataclass(frozen=True)
class CardRows:
    """The answers that histories are made of, card by card and in chronological order within a card.

    All columns are arrays of length n. ``position`` is 0 for a card's first row.
    """

    log_row: Ints  #: index into the review log; COMPACT_INT
    review_id: Ints
    card_id: Ints
    rating: Ints  #: 1 Again to 4 Easy; COMPACT_INT
    elapsed_days: Ints  #: whole days since the card's previous row; 0 on the first row; COMPACT_INT
    position: Ints  #: index among the rows of its card; COMPACT_INT
    day: Ints  #: relative to the clock's ``next_day_at``; COMPACT_INT

    def __len__(self) -> int:
        return len(self.log_row)

    @property
    def card(self) -> Ints:
        """The number of each row's card, from 0."""
        card: Ints = np.cumsum(self.position == 0, dtype=COMPACT_INT) - 1
        return card

    @property
    def elapsed_seconds(self) -> Ints:
        """Whole seconds since the card's previous row, and 0 on the first row."""
        seconds = np.diff(self.review_id, prepend=0)
        seconds //= 1000
        seconds[self.position == 0] = 0
        return seconds

    def take(self, keep: Bools) -> CardRows:
        """Return the rows where ``keep`` holds. Positions stay as they are, which is right for whole cards."""
        return CardRows(**{name: column[keep] for name, column in self.__dict__.items()})


@dataclass(frozen=True)
class TargetReviews:
    """Reviews in review order, with just what is needed to train on them, as arrays of length n."""

    row: Ints  #: index into :class:`CardRows`; COMPACT_INT
    review_id: Ints
    recalled: Ints  #: 1 unless the answer was Again; COMPACT_INT

    def __len__(self) -> int:
        return len(self.row)


@dataclass(frozen=True)
class Reviews(TargetReviews):
    """The reviews that can be predicted and tested, in review order, as arrays of length n."""

    card_id: Ints
    day: Ints  #: relative to the clock's ``next_day_at``
    elapsed_days: Ints  #: since the card was last seen; at least 1 in the whole-day table; COMPACT_INT
    #: 1 + the days after its first on which the card has been seen, this review included (the benchmark's ``i``): 2 for
    #: the first review on a later day, then 3, 4, ...; COMPACT_INT
    review_number: Ints
    #: Earlier lapses of the card: all in the same-day table, otherwise those on a later day than the row before
    lapses: Ints
    elapsed_seconds: Ints  #: since the card was last seen; at least 1 in the same-day table

    def take(self, keep: Union[Bools, slice]) -> Reviews:
        """Return the reviews where ``keep`` holds. A slice gives views, no copies."""
        return Reviews(**{name: column[keep] for name, column in self.__dict__.items()})


def prepare_reviews(
    snapshot: Snapshot, *, table: str = WHOLE_DAY_TABLE, same_day: bool = True, outlier_filter: bool = True
) -> Tuple[CardRows, Reviews, Ints]:
    """Build the rows that histories are made of, and the table of target reviews, as the benchmark does.

    Args:
        snapshot: of a collection. Cards outside its selection are left out, as if the log did not have them.
        table: which of the two tables, see :mod:`evaluator.scope`. The other arguments are for the whole-day one.
        same_day: whether histories hold reviews on the day of an earlier one of the card. The table is the same
            without them, because they are removed afterwards.
        outlier_filter: whether cards with an unusual first interval are left out.

    Returns:
        The rows, the table, and the outcome of each row of the log, see :mod:`.row_accounting`.
    """
    rows, outcome, in_time_order = _card_rows(snapshot)
    first = rows.position == 0
    start, size = runs(first)
    later_day = rows.elapsed_days > 0
    if table == SAME_DAY_TABLE:
        is_target = rows.elapsed_seconds > 0
        review_number = _running_count(is_target & later_day, start, size) + 1
        again = rows.rating == 1
        set_outcomes(outcome, rows.log_row, first_review=first, same_second=~is_target)
    else:
        review_number = _running_count(later_day, start, size) + 1
        again = later_day & (rows.rating == 1)
        is_second = later_day & (review_number == 2)
        is_cut = np.zeros(len(rows), dtype=bool)
        if outlier_filter:
            second = np.flatnonzero(is_second)
            first_of_second = second - rows.position[second]
            is_cut[first_of_second] = _is_outlier(rows.rating[first_of_second], rows.elapsed_days[second])
            is_cut = np.repeat(is_cut[start], size)
        step = "same_day" if same_day else "same_day_left_out"
        reasons = {"first_review": first, step: ~later_day, "outlier": is_cut & is_second, "after_outlier": is_cut}
        set_outcomes(outcome, rows.log_row, **reasons)
    lapses = _running_count(again, start, size) - again
    row_of_log = np.empty(len(outcome), dtype=COMPACT_INT)
    row_of_log[rows.log_row] = np.arange(len(rows))
    target = row_of_log[in_time_order[outcome[in_time_order] == OUTCOME["scored"]]]
    reviews = Reviews(
        row=target,
        review_id=rows.review_id[target],
        card_id=rows.card_id[target],
        day=rows.day[target],
        elapsed_days=rows.elapsed_days[target],
        review_number=review_number[target].astype(COMPACT_INT),
        lapses=lapses[target].astype(COMPACT_INT),
        recalled=_recalled(rows, target),
        elapsed_seconds=rows.elapsed_seconds[target],
    )
    if table == WHOLE_DAY_TABLE and not same_day:
        rows, reviews = _without(first | later_day, rows, reviews)
    return rows, reviews, outcome


def training_reviews_with_times(rows: CardRows, trained_on: Bools) -> TargetReviews:
    """Return the reviews of the same-day table whose rows may be trained on."""
    row = np.flatnonzero((rows.elapsed_seconds > 0) & trained_on).astype(COMPACT_INT)
    row = row[stable_argsort(rows.review_id[row] - EARLIEST_MS)]
    return TargetReviews(row, rows.review_id[row], _recalled(rows, row))


def _recalled(rows: CardRows, target: Ints) -> Ints:
    return (rows.rating[target] > 1).astype(COMPACT_INT)


def _without(kept: Bools, rows: CardRows, reviews: Reviews) -> Tuple[CardRows, Reviews]:
    """Return both tables without the rows for which ``kept`` is False, none of which is a target review.

    The days since the card's previous row stay as they are, because none pass within a day. The positions are counted
    again.
    """
    kept_rows = rows.take(kept)
    position = np.arange(len(kept_rows)) - np.repeat(*runs(kept_rows.position == 0))
    row = (np.cumsum(kept) - 1)[reviews.row].astype(COMPACT_INT)
    return replace(kept_rows, position=position.astype(COMPACT_INT)), replace(reviews, row=row)


def _card_rows(snapshot: Snapshot) -> Tuple[CardRows, Ints, Ints]:
    """Return the answers that count, and what is needed to make the table of them.

    Returns:
        The answers, the outcomes of all rows of the log so far, and the indices of the rows that may count, in
        chronological order.
    """
    revlog, scope, as_of_ms = snapshot.revlog, snapshot.selection, snapshot.as_of_ms
    outcome = np.full(len(revlog), OUTCOME["scored"])
    counts = set_outcomes(
        outcome,
        slice(None),
        outside_scope=scope is not None and ~np.isin(revlog.card_id, scope.card_id),
        invalid_time=(revlog.review_id < EARLIEST_MS) | (revlog.review_id > LATEST_MS),
        future=as_of_ms is not None and revlog.review_id > as_of_ms + SECONDS_PER_DAY * 1000,
        not_answered=revlog.button == 0,
        unknown_button=(revlog.button < 0) | (revlog.button > 4),
        cram=(revlog.kind == 3) & (revlog.factor == 0),
    )
    log_row = np.flatnonzero(counts)
    review_id = revlog.review_id[log_row]
    if not (review_id[1:] > review_id[:-1]).all():  # a log that was read from a collection is sorted already
        repeated = np.ones(len(log_row), dtype=bool)
        first = np.unique(review_id, return_index=True)[1]
        repeated[first] = False
        set_outcomes(outcome, log_row, repeated=repeated)
        log_row = log_row[first]
    in_time_order = log_row
    log_row = log_row[stable_argsort(revlog.card_id[log_row].view(np.uint64))]  # a file may have negative ids

    start, size = runs(is_run_start(revlog.card_id[log_row]))
    last_learned = _last_learned(revlog.kind[log_row] == 0, start, size)
    counts = set_outcomes(
        outcome,
        log_row,
        never_learned=np.repeat(last_learned < start, size),
        before_relearned_from_new=np.arange(len(log_row)) < np.repeat(last_learned, size),
    )

    log_row = log_row[counts]

    card_id = revlog.card_id[log_row]
    position = np.arange(len(log_row)) - np.repeat(*runs(is_run_start(card_id)))
    counts = set_outcomes(outcome, log_row, beyond_128th=position >= MAX_ROWS_PER_CARD)
    log_row, card_id, position = log_row[counts], card_id[counts], position[counts]

    instant_ms = revlog.review_id[log_row]
    day = snapshot.clock.day_of(instant_ms).astype(COMPACT_INT)
    stated_days, days_between = snapshot.elapsed_days, np.diff(day, prepend=COMPACT_INT(0))
    elapsed_days = days_between if stated_days is None else stated_days[log_row].astype(COMPACT_INT)
    elapsed_days[position == 0] = 0
    rows = CardRows(
        log_row=log_row.astype(COMPACT_INT),
        review_id=instant_ms,
        card_id=card_id,
        rating=revlog.button[log_row].astype(COMPACT_INT),
        elapsed_days=elapsed_days,
        position=position.astype(COMPACT_INT),
        day=day,
    )
    return rows, outcome, in_time_order


def _last_learned(is_learning: Bools, start: Ints, size: Ints) -> Ints:
    """Return the index of the row at which each card was learned as a new card for the last time.

    A card that never was gets an index before its own rows. Manual rows are gone before this looks, so "learn, reset,
    learn" with nothing between counts as learned once: a quirk of the benchmark's data set.
    """
    learn_start = is_learning.copy()
    learn_start[1:] &= ~is_learning[:-1]
    learn_start[start] = is_learning[start]
    learned = np.concatenate(([-1], np.flatnonzero(learn_start)))
    last: Ints = learned[np.searchsorted(learned, start + size) - 1]
    return last


def _is_outlier(first_rating: Ints, elapsed_days: Ints) -> Bools:
    """Return which cards were first reviewed after an interval that is unusual for their first rating.

    This is the benchmark's filter. Per first rating the distinct intervals are visited from the rarest to the most
    frequent (ties: longest first), and removed until 5% of the reviews (at least 20) are gone. After that only those
    that occur fewer than 6 times, or are longer than 100 days (365 after Easy), are removed.
    """
    outlier = np.zeros(len(elapsed_days), dtype=bool)
    for rating in (1, 2, 3, 4):
        group = np.flatnonzero(first_rating == rating)
        values, which, counts = np.unique(elapsed_days[group], return_inverse=True, return_counts=True)
        budget = max(0.05 * len(group), 20)
        longest = 365 if rating == 4 else 100
        removed = 0
        remove = np.zeros(len(values), dtype=bool)
        for value in np.lexsort((-values, counts)):
            within_budget = removed + counts[value] < budget
            if within_budget or counts[value] < 6 or values[value] > longest:
                remove[value] = True
                removed += counts[value]
        outlier[group] = remove[which]
    return outlier


def is_run_start(values: Ints) -> Bools:
    """Return whether each value differs from the one before it, as the first does."""
    is_start = np.ones(len(values), dtype=bool)
    is_start[1:] = values[1:] != values[:-1]
    return is_start


def runs(is_start: Bools) -> Tuple[Ints, Ints]:
    """Return the start and length of each run, given where runs start (n,)."""
    start = np.flatnonzero(is_start)
    return start, np.diff(start, append=len(is_start))


def _running_count(flag: Bools, start: Ints, size: Ints) -> Ints:
    """Return how often ``flag`` held from the start of the run up to and including each element."""
    count: Ints = np.cumsum(flag)
    count -= np.repeat(count[start] - flag[start], size)
    return count


def stable_argsort(key: npt.NDArray[Any]) -> Ints:
    """Return the indices that sort integers >= 0. Equal ones keep their order.

    It sorts by sixteen bits at a time, which NumPy does by counting: three times as fast as by comparing.
    """
    order: Ints = np.argsort(key.astype(np.uint16), kind="stable")
    for shift in range(16, int(key.max(initial=0)).bit_length(), 16):
        digit = (key >> shift).astype(np.uint16)
        order = order[np.argsort(digit[order], kind="stable")]
    return order
