from __future__ import annotations

from typing import List, Tuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_logs import LEARN, MANUAL, NEXT_DAY_AT, Answer, Table, card, log_of, moment, similar_cards, table, table_of
from random_logs import lifelike_logs
from slow_benchmark import slow_table

from evaluator.data.reviews import EARLIEST_MS, LATEST_MS
from evaluator.data.revlog import Clock


def test_card_is_predicted_from_its_second_day_on():
    """A card reviewed after 1, 4 and 9 days has the review numbers 2, 3 and 4, and one lapse before the last."""
    t = table(*similar_cards(), *card(1, 3, (1, 4), (4, 1), (9, 2)))
    assert t.of_card(1) == [(1, 2, 0, 1), (4, 3, 0, 0), (9, 4, 1, 1)]


def test_review_on_the_boundary_counts_to_the_earlier_day():
    boundary = NEXT_DAY_AT * 1000
    log = log_of([*similar_cards(), Answer(1, 0, kind=LEARN), Answer(1, 0), Answer(2, 0, kind=LEARN), Answer(2, 0)])
    log.review_id[-4:] = [boundary - 5000, boundary, boundary - 4000, boundary + 1]
    t = table_of(log)
    assert t.of_card(1) == []
    assert t.of_card(2) == [(1, 2, 0, 1)]


def test_elapsed_seconds_are_rounded_down():
    log = log_of([*card(1, 3, (0, 3), (0, 3)), *card(2, 3, (0, 3))])
    log.review_id[:] = moment(0) + np.array([900, 2100, 4000, 4100, 7099])
    assert table_of(log).rows.elapsed_seconds.tolist() == [0, 1200 // 1000, 1900 // 1000, 0, 2999 // 1000]


@pytest.mark.parametrize(("kind", "interval", "scheduled"), [(MANUAL, 40, 40), (5, 2, 2), (MANUAL, 0, 8)])
def test_scheduled_interval_is_that_of_the_previous_answer_or_of_a_later_rescheduling(kind, interval, scheduled):
    """A reset does not count, but answers on the same day do, even if histories leave them out."""
    log = log_of([*similar_cards(), *card(1, 3, (1, 1), (0, 3), (3, 3)), Answer(1, 5, 0, kind), Answer(1, 6)])
    log.interval[-6:] = [1, -600, 3, 8, interval, 9]
    reversed_log = log.take(np.arange(len(log))[::-1])
    for same_day in (True, False):
        reviews = table_of(reversed_log, same_day=same_day).reviews
        assert reviews.scheduled[reviews.card_id == 1].tolist() == [1, 3, scheduled]


def test_first_of_rows_with_the_same_id_counts():
    log = log_of([*similar_cards(), Answer(1, 0, kind=LEARN), Answer(1, 1, 1), Answer(1, 1, 3), Answer(1, 1, 4)])
    log.review_id[-3:] = moment(1)
    t = table_of(log)
    assert t.of_card(1) == [(1, 2, 0, 0)]
    assert t.outcomes()[-4:] == ["first_review", "scored", "repeated", "repeated"]


@pytest.mark.parametrize(("limit", "beyond"), [(EARLIEST_MS, EARLIEST_MS - 1), (LATEST_MS, LATEST_MS + 1)])
def test_invalid_times_are_left_out(limit, beyond):
    log = log_of([Answer(1, 0, kind=LEARN), Answer(1, 0, kind=LEARN)])
    log.review_id[:] = [limit, beyond]
    assert table_of(log).outcomes() == ["first_review", "invalid_time"]


@pytest.mark.parametrize("limit", [EARLIEST_MS, LATEST_MS])
@pytest.mark.parametrize("offset_minutes", [-14 * 60, 14 * 60])
def test_valid_times_have_a_date_everywhere_on_earth(limit, offset_minutes):
    clock = Clock(NEXT_DAY_AT, offset_minutes)
    day = int(clock.day_of(np.array([limit]))[0])
    assert 1 <= clock.date_of(day).year <= 9999


def test_rows_of_a_card_beyond_the_128th_are_left_out():
    plain = table(*similar_cards(), *card(1, 3, *[(1, 3)] * 130))
    assert len(plain.of_card(1)) == 128 - 1
    assert plain.outcomes()[-4:] == ["scored", *["beyond_128th"] * 3]
    with_same_day = table(*similar_cards(), *card(1, 3, (0, 3), (0, 3), *[(1, 3)] * 130))
    assert len(with_same_day.of_card(1)) == 128 - 3


class TestOutlierFilter:
    def remaining_intervals(self, first: int, counts: List[Tuple[int, int]]) -> List[int]:
        """Return the intervals that the filter keeps, given (interval, number of cards with it)."""
        answers = []
        for n, (elapsed, cards) in enumerate(counts):
            answers += similar_cards(first, elapsed, cards=cards, number=1000 * n)
        return sorted(set(table(*answers).reviews.elapsed_days.tolist()))

    @pytest.mark.parametrize("first", [1, 2, 3, 4])
    def test_small_groups_are_left_out(self, first):
        assert self.remaining_intervals(first, [(1, 19)]) == []
        assert self.remaining_intervals(first, [(1, 20)]) == [1]

    def test_budget_is_used_up_at_equality(self):
        """The rarest intervals are removed first.

        In the first case 6 + 7 = 13 cards go. Another 7 would make 20, which is the budget, so they stay. In the second
        case 12 cards go, and another 7 still fit.
        """
        assert self.remaining_intervals(3, [(1, 20), (2, 7), (3, 7), (4, 6)]) == [1, 2]
        assert self.remaining_intervals(3, [(1, 20), (2, 7), (3, 6), (4, 6)]) == [1]

    def test_budget_is_a_share_of_large_groups(self):
        assert self.remaining_intervals(3, [(1, 571), (2, 19), (3, 10)]) == [1]
        assert self.remaining_intervals(3, [(1, 570), (2, 20), (3, 10)]) == [1, 2]

    def test_rare_intervals_are_left_out_even_beyond_the_budget(self):
        """After 15 cards, another 5 use up the budget, but groups of fewer than 6 go anyway. A group of 6 stays."""
        assert self.remaining_intervals(3, [(1, 40), (2, 5), (3, 5), (4, 5), (5, 5)]) == [1]
        assert self.remaining_intervals(3, [(1, 40), (2, 6), (3, 5), (4, 5), (5, 5)]) == [1, 2]

    def test_filter_continues_after_the_budget_is_used_up(self):
        """The 21 cards at 101 days use up the budget and go for their length. Those at 102 days go too."""
        assert self.remaining_intervals(3, [(101, 21), (1, 22), (102, 23)]) == [1]

    @pytest.mark.parametrize(("first", "longest"), [(1, 100), (2, 100), (3, 100), (4, 365)])
    def test_long_intervals_are_left_out_however_frequent(self, first, longest):
        """The limit is 100 days, or 365 days after Easy. An interval at the limit stays."""
        assert self.remaining_intervals(first, [(1, 50), (longest, 50), (longest + 1, 50)]) == [1, longest]

    def test_ties_are_broken_longest_first(self):
        assert self.remaining_intervals(3, [(2, 15), (7, 15)]) == [2]


def as_tuples(t: Table) -> List[Tuple[int, ...]]:
    """Return the rows of the table, without the columns that are only indices."""
    r = t.reviews
    columns = (r.review_id, r.card_id, r.elapsed_days, r.review_number, r.lapses, r.recalled)
    return list(zip(*(column.tolist() for column in columns), strict=True))


def check_against_slow(t: Table, clock: Clock) -> None:
    """Check that the table and each row's outcome equal those of the slow re-implementation."""
    rows, outcomes = slow_table(t.log, clock.next_day_at)
    assert as_tuples(t) == [
        (r.review_id, r.card_id, r.elapsed_days, r.review_number, r.lapses, r.recalled) for r in rows
    ]
    assert t.rows.log_row[t.reviews.row].tolist() == [r.log_row for r in rows]
    assert t.outcomes() == outcomes


@given(lifelike_logs(), st.randoms(use_true_random=False))
def test_order_of_the_log_does_not_matter(log, random):
    order = list(range(len(log)))
    random.shuffle(order)
    shuffled = log.take(np.array(order, dtype=np.int64))
    assert as_tuples(table_of(shuffled)) == as_tuples(table_of(log))
    outcomes = table_of(log).outcomes()
    assert table_of(shuffled).outcomes() == [outcomes[n] for n in order]
