"""Build the benchmark's table from the review log, with the rows that histories consist of.

This follows the public SRS Benchmark number for number (its two tables, January 2025 to September 2026), including its
quirks, which are named below.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Tuple

import numpy as np
import numpy.typing as npt

from ..scope import SAME_DAY_TABLE, WHOLE_DAY_TABLE
from .revlog import AGAIN, EASY, GOOD, HARD, MAX_KIND, SECONDS_PER_DAY, Bools, Columns, Ints, Snapshot
from .row_accounting import OUTCOME, set_outcomes

#: Minimum review id. Smaller ones are before the year 1, so they are damaged.
EARLIEST_MS = -62_000_000_000_000
#: Maximum review id. Larger ones are after the year 9999.
LATEST_MS = 253_000_000_000_000

#: Maximum number of rows of one card that are used, twice the benchmark's ``max_seq_len`` of 64.
MAX_ROWS_PER_CARD = 128

#: The type of ratings, days between reviews, counts and row numbers. It takes half the memory of 64 bits. With fewer
#: bits NumPy would compute logarithms in single precision.
COMPACT_INT = np.int32


@dataclass(frozen=True)
class CardRows(Columns):
    """The answers that histories consist of, card by card and in chronological order within a card.

    If some rows are taken, their positions stay as they are, which is right for whole cards.
    """

    log_row: Ints  #: index into the review log; COMPACT_INT
    review_id: Ints
    card_id: Ints
    rating: Ints  #: 1 Again to 4 Easy; COMPACT_INT
    elapsed_days: Ints  #: whole days since the card's previous row, 0 on the first row; COMPACT_INT
    position: Ints  #: index among the rows of its card, from 0; COMPACT_INT
    day: Ints  #: relative to the clock's ``next_day_at``; COMPACT_INT

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


@dataclass(frozen=True)
class TargetReviews(Columns):
    """Reviews in review order, with the columns that are needed to train on them."""

    row: Ints  #: index into :class:`CardRows`; COMPACT_INT
    review_id: Ints
    recalled: Ints  #: 1 unless the answer was Again; COMPACT_INT


@dataclass(frozen=True)
class Reviews(TargetReviews):
    """The reviews that can be predicted and tested, in review order."""

    card_id: Ints
    day: Ints  #: relative to the clock's ``next_day_at``
    elapsed_days: Ints  #: since the card was last seen; at least 1 in the whole-day table; COMPACT_INT
    #: Number of days on which the card has been seen, including this one, so at least 2 in the whole-day table. It is
    #: the benchmark's ``i``; COMPACT_INT.
    review_number: Ints
    #: Number of earlier lapses of the card; COMPACT_INT. In the whole-day table, only lapses on a later day than the
    #: card's row before count.
    lapses: Ints
    elapsed_seconds: Ints  #: since the card was last seen; at least 1 in the same-day table
    #: :attr:`.Revlog.interval` of the card's previous answer, or of a later row that has rescheduled it; COMPACT_INT
    scheduled: Ints


def prepare_reviews(
    snapshot: Snapshot, *, table: str = WHOLE_DAY_TABLE, same_day: bool = True, outlier_filter: bool = True
) -> Tuple[CardRows, Reviews, Ints]:
    """Build the rows of the histories and the table of target reviews, as the benchmark does.

    Args:
        snapshot: a collection. Cards outside its selection are left out, as if the log did not have them.
        table: which of the two tables to build, see :mod:`evaluator.scope`. The other arguments are for the whole-day
            table.
        same_day: True if histories include reviews on the day of an earlier one of the card. The table is the same
            without them, because they are removed afterwards.
        outlier_filter: True if cards with an unusual first interval are left out.

    Returns:
        The rows, the table, and the outcome of each row of the log, see :mod:`.row_accounting`.
    """
    rows, outcome, in_time_order = _card_rows(snapshot)
    is_first = rows.position == 0
    start, size = runs(is_first)
    is_later_day = rows.elapsed_days > 0
    if table == SAME_DAY_TABLE:
        is_target = rows.elapsed_seconds > 0
        review_number = _running_count(is_target & is_later_day, start, size) + 1
        is_lapse = rows.rating == AGAIN
        set_outcomes(outcome, rows.log_row, first_review=is_first, same_second=~is_target)
    else:
        review_number = _running_count(is_later_day, start, size) + 1
        is_lapse = is_later_day & (rows.rating == AGAIN)
        is_second = is_later_day & (review_number == 2)
        is_cut_off = np.zeros(len(rows), dtype=bool)
        if outlier_filter:
            second = np.flatnonzero(is_second)
            first_of_second = second - rows.position[second]
            is_cut_off[first_of_second] = _is_outlier(rows.rating[first_of_second], rows.elapsed_days[second])
            is_cut_off = np.repeat(is_cut_off[start], size)
        step = "same_day" if same_day else "same_day_left_out"
        reasons = {
            "first_review": is_first,
            step: ~is_later_day,
            "outlier": is_cut_off & is_second,
            "after_outlier": is_cut_off,
        }
        set_outcomes(outcome, rows.log_row, **reasons)
    lapses = _running_count(is_lapse, start, size) - is_lapse
    row_of_log = np.empty(len(outcome), dtype=COMPACT_INT)
    row_of_log[rows.log_row] = np.arange(len(rows))
    target_row = row_of_log[in_time_order[outcome[in_time_order] == OUTCOME["scored"]]]
    revlog = snapshot.revlog
    # A row without an answer may set another interval than the previous answer. A reset has none.
    log_row = np.append(rows.log_row, np.flatnonzero((revlog.button == 0) & (revlog.interval > 0)))
    order = np.lexsort((revlog.review_id[log_row], revlog.card_id[log_row]))
    before = order[np.argsort(order)[target_row] - 1]
    reviews = Reviews(
        row=target_row,
        review_id=rows.review_id[target_row],
        card_id=rows.card_id[target_row],
        day=rows.day[target_row],
        elapsed_days=rows.elapsed_days[target_row],
        review_number=review_number[target_row].astype(COMPACT_INT),
        lapses=lapses[target_row].astype(COMPACT_INT),
        recalled=_recalled(rows, target_row),
        elapsed_seconds=rows.elapsed_seconds[target_row],
        scheduled=revlog.interval[log_row[before]].astype(COMPACT_INT),
    )
    if table == WHOLE_DAY_TABLE and not same_day:
        # The days since the previous row stay as they are, because a day is not crossed within a day.
        rows, reviews = restrict_rows(rows, reviews, is_first | is_later_day)
        position = np.arange(len(rows)) - np.repeat(*runs(rows.position == 0))
        rows = replace(rows, position=position.astype(COMPACT_INT))
    return rows, reviews, outcome


def training_reviews_with_times(rows: CardRows, since_day: float) -> TargetReviews:
    """Return the reviews of the same-day table since that day, as counted in :attr:`CardRows.day`."""
    row = np.flatnonzero((rows.elapsed_seconds > 0) & (rows.day >= since_day)).astype(COMPACT_INT)
    row = row[stable_argsort(rows.review_id[row] - EARLIEST_MS)]
    return TargetReviews(row, rows.review_id[row], _recalled(rows, row))


def _recalled(rows: CardRows, row: Ints) -> Ints:
    """Return 1 for each of these indices of rows whose answer was not Again, otherwise 0."""
    return (rows.rating[row] > AGAIN).astype(COMPACT_INT)


def restrict_rows(rows: CardRows, reviews: Reviews, row_mask: Bools) -> Tuple[CardRows, Reviews]:
    """Return the masked rows, and the reviews with the indices of their rows among these.

    Args:
        rows: all rows.
        reviews: reviews whose rows are all in the mask.
        row_mask: which rows to keep (n,).
    """
    row = (np.cumsum(row_mask, dtype=COMPACT_INT) - 1)[reviews.row]
    return rows.take(row_mask), replace(reviews, row=row)


def _card_rows(snapshot: Snapshot) -> Tuple[CardRows, Ints, Ints]:
    """Return the answers that histories consist of, and what is needed to make the table.

    Returns:
        The answers, the outcomes of all rows of the log so far, and the indices of the rows with a valid answer, in
        chronological order.
    """
    revlog = snapshot.revlog
    selection = snapshot.selection
    as_of_ms = snapshot.as_of_ms
    outcome = np.full(len(revlog), OUTCOME["scored"])
    is_valid = set_outcomes(
        outcome,
        slice(None),
        outside_scope=selection is not None and ~np.isin(revlog.card_id, selection.card_id),
        invalid_time=(revlog.review_id < EARLIEST_MS) | (revlog.review_id > LATEST_MS),
        future=as_of_ms is not None and revlog.review_id > as_of_ms + SECONDS_PER_DAY * 1000,
        not_answered=revlog.button == 0,
        unknown_button=(revlog.button < 0) | (revlog.button > 4),
        unknown_kind=(revlog.kind < 0) | (revlog.kind > MAX_KIND),
        cram=(revlog.kind == 3) & (revlog.factor == 0),
    )
    log_row = np.flatnonzero(is_valid)
    review_id = revlog.review_id[log_row]
    # Skip the sort if the log was read from a collection, which is sorted already.
    if not (review_id[1:] > review_id[:-1]).all():
        is_repeated = np.ones(len(log_row), dtype=bool)
        first = np.unique(review_id, return_index=True)[1]
        is_repeated[first] = False
        set_outcomes(outcome, log_row, repeated=is_repeated)
        log_row = log_row[first]
    in_time_order = log_row
    # Sort ids as unsigned integers, because a file may have negative ones.
    log_row = log_row[stable_argsort(revlog.card_id[log_row].view(np.uint64))]

    start, size = runs(is_run_start(revlog.card_id[log_row]))
    last_learned = _last_learned(revlog.kind[log_row] == 0, start, size)
    is_valid = set_outcomes(
        outcome,
        log_row,
        never_learned=np.repeat(last_learned < start, size),
        before_relearned_from_new=np.arange(len(log_row)) < np.repeat(last_learned, size),
    )
    log_row = log_row[is_valid]

    card_id = revlog.card_id[log_row]
    position = np.arange(len(log_row)) - np.repeat(*runs(is_run_start(card_id)))
    is_valid = set_outcomes(outcome, log_row, beyond_128th=position >= MAX_ROWS_PER_CARD)
    log_row = log_row[is_valid]
    card_id = card_id[is_valid]
    position = position[is_valid]

    instant_ms = revlog.review_id[log_row]
    day = snapshot.clock.day_of(instant_ms).astype(COMPACT_INT)
    stated_days = snapshot.elapsed_days
    days_between = np.diff(day, prepend=COMPACT_INT(0))
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

    A card that was never learned gets an index before its own rows. Manual rows have been left out already, so "learn,
    reset, learn" with nothing between counts as learned once. This is a quirk of the benchmark's data set.

    Args:
        is_learning: whether each row is a learning step (n,).
        start: index of each card's first row.
        size: number of each card's rows.
    """
    begins_learning = is_learning.copy()
    begins_learning[1:] &= ~is_learning[:-1]
    begins_learning[start] = is_learning[start]
    learned_row = np.append(-1, np.flatnonzero(begins_learning))
    last_learned_row: Ints = learned_row[np.searchsorted(learned_row, start + size) - 1]
    return last_learned_row


def _is_outlier(first_rating: Ints, elapsed_days: Ints) -> Bools:
    """Return which cards were first reviewed after an interval that is unusual for their first rating.

    This is the benchmark's filter. For each first rating, the distinct intervals are visited from the rarest to the
    most frequent, and the longest first if they are equally frequent. They are removed until 5% of the reviews, or 20
    if that is more, are gone. After that, only intervals that occur fewer than 6 times or are longer than 100 days (365
    after Easy) are removed.

    Args:
        first_rating: of each card (n,).
        elapsed_days: days from its first review to the first one on a later day (n,).
    """
    is_outlier = np.zeros(len(elapsed_days), dtype=bool)
    for rating in (AGAIN, HARD, GOOD, EASY):
        cards = np.flatnonzero(first_rating == rating)
        values, value_index, counts = np.unique(elapsed_days[cards], return_inverse=True, return_counts=True)
        order = np.lexsort((-values, counts))
        is_removed = (counts < 6) | (values > (365 if rating == EASY else 100))
        is_removed[order] |= np.cumsum(counts[order]) < max(0.05 * len(cards), 20)
        is_outlier[cards] = is_removed[value_index]
    return is_outlier


def locate_cards(card_id: Ints, requested: Ints) -> Tuple[Ints, Bools]:
    """Return the index of each requested card in ``card_id``, which is not empty, and whether it is there."""
    order = np.argsort(card_id)
    position = order[np.minimum(np.searchsorted(card_id, requested, sorter=order), len(order) - 1)]
    return position, card_id[position] == requested


def is_run_start(values: Ints) -> Bools:
    """Return whether each value (n,) differs from the one before it. The first one always does."""
    return np.append(True, values[1:] != values[:-1])[: len(values)]


def runs(is_start: Bools) -> Tuple[Ints, Ints]:
    """Return the start and length of each run, given whether each element starts a run (n,)."""
    start = np.flatnonzero(is_start)
    return start, np.diff(start, append=len(is_start))


def _running_count(flag: Bools, start: Ints, size: Ints) -> Ints:
    """Return how often ``flag`` held from the start of the run up to and including each element.

    Args:
        flag: what to count (n,).
        start: index of each run's first element.
        size: length of each run.
    """
    count: Ints = np.cumsum(flag)
    count -= np.repeat(count[start] - flag[start], size)
    return count


def stable_argsort(key: npt.NDArray[Any]) -> Ints:
    """Return the indices that sort integers >= 0. Equal integers keep their order.

    They are sorted by sixteen bits at a time, because NumPy sorts these by counting, which is three times as fast as
    comparing.
    """
    order: Ints = np.argsort(key.astype(np.uint16), kind="stable")
    for shift in range(16, int(key.max(initial=0)).bit_length(), 16):
        digit = (key >> shift).astype(np.uint16)
        order = order[np.argsort(digit[order], kind="stable")]
    return order
