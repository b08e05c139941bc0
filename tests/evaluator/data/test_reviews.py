from __future__ import annotations

from typing import Any, List, Tuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_logs import (
    CLOCK,
    FILTERED,
    LEARN,
    MANUAL,
    NEXT_DAY_AT,
    Answer,
    Table,
    card,
    company,
    log_of,
    moment,
    table,
    table_of,
)
from random_logs import hostile_logs, lifelike_logs
from reference_sets import SETS, snapshot
from slow_benchmark import slow_table

from evaluator.data.reviews import EARLIEST_MS, LATEST_MS
from evaluator.data.revlog import Clock, Revlog


def test_a_card_is_predicted_from_its_second_day_on() -> None:
    """Learned, then seen after 1, 4 and 9 days: three rows with the numbers 2, 3, 4 and one lapse before the last."""
    t = table(*company(), *card(1, 3, (1, 4), (4, 1), (9, 2)))
    assert t.of_card(1) == [(1, 2, 0, 1), (4, 3, 0, 0), (9, 4, 1, 1)]


def test_same_day_rows_are_history_and_do_not_count() -> None:
    t = table(*company(first=1), *card(1, 1, (0, 3), (1, 1), (0, 1), (0, 3), (3, 3)))
    assert t.of_card(1) == [(1, 2, 0, 0), (3, 3, 1, 1)]
    assert t.ways()[-6:] == ["first_review", "same_day", "scored", "same_day", "same_day", "scored"]


def test_a_review_on_the_boundary_counts_to_the_earlier_day() -> None:
    boundary = NEXT_DAY_AT * 1000
    log = log_of([*company(), Answer(1, 0, kind=LEARN), Answer(1, 0), Answer(2, 0, kind=LEARN), Answer(2, 0)])
    log.review_id[-4:] = [boundary - 5000, boundary, boundary - 4000, boundary + 1]
    t = table_of(log)
    assert t.of_card(1) == []
    assert t.of_card(2) == [(1, 2, 0, 1)]


def test_elapsed_seconds_are_whole_ones_that_have_passed() -> None:
    log = log_of([*card(1, 3, (0, 3), (0, 3)), *card(2, 3, (0, 3))])
    log.review_id[:] = moment(0) + np.array([900, 2100, 4000, 4100, 7099])
    assert table_of(log).rows.elapsed_seconds.tolist() == [0, 1200 // 1000, 1900 // 1000, 0, 2999 // 1000]


def test_first_of_rows_with_the_same_id_counts() -> None:
    log = log_of([*company(), Answer(1, 0, kind=LEARN), Answer(1, 1, 1), Answer(1, 1, 3), Answer(1, 1, 4)])
    log.review_id[-3:] = moment(1)
    t = table_of(log)
    assert t.of_card(1) == [(1, 2, 0, 0)]
    assert t.ways()[-4:] == ["first_review", "scored", "repeated", "repeated"]


def test_invalid_times_are_left_out() -> None:
    for limit, step in ((EARLIEST_MS, -1), (LATEST_MS, 1)):
        log = log_of([Answer(1, 0, kind=LEARN), Answer(1, 0, kind=LEARN)])
        log.review_id[:] = [limit, limit + step]
        assert table_of(log).ways() == ["first_review", "invalid_time"]
        for offset in (-14 * 60, 14 * 60):
            clock = Clock(NEXT_DAY_AT, offset)
            day = int(clock.day_of(np.array([limit]))[0])
            assert 1 <= clock.date_of(day).year <= 9999


def test_relearned_from_new_counts_from_the_last_time() -> None:
    again = [Answer(1, 10, 3, LEARN), Answer(1, 11, 1), Answer(1, 14, 3)]
    t = table(*company(), *card(1, 3, (1, 1), (2, 3)), *again)
    assert t.of_card(1) == [(1, 2, 0, 0), (3, 3, 1, 1)]
    assert t.ways()[-6:] == [*["before_relearned_from_new"] * 3, "first_review", "scored", "scored"]


def test_learn_reset_learn_without_a_review_between_is_one_group() -> None:
    """The manual row of the reset is gone before learning is looked for: a quirk of the benchmark, kept.

    So day 0 is the card's first review, and the learning rows of days 5 and 6 are reviews.
    """
    rows = [
        Answer(1, 0, 3, LEARN),
        Answer(1, 1, 3, LEARN),
        Answer(1, 4, 0, MANUAL, 0),
        Answer(1, 5, 3, LEARN),
        Answer(1, 6, 3),
    ]
    t = table(*company(), *rows)
    assert t.of_card(1) == [(1, 2, 0, 1), (4, 3, 0, 1), (1, 4, 0, 1)]
    assert t.ways()[-5:] == ["first_review", "scored", "not_answered", "scored", "scored"]


def test_cramming_that_does_not_reschedule_is_left_out() -> None:
    """A filtered-deck row with factor 0 is left out. With any other factor it is a review like any other."""
    rows = [
        Answer(1, 0, 3, LEARN),
        Answer(1, 2, 3, FILTERED, 0),
        Answer(1, 4, 1, FILTERED, 2500),
        Answer(1, 5, 3, FILTERED, -1),
    ]
    t = table(*company(elapsed=4), *rows)
    assert t.of_card(1) == [(4, 2, 0, 0), (1, 3, 1, 1)]
    assert t.ways()[-4:] == ["first_review", "cram", "scored", "scored"]


def test_only_128_rows_of_a_card_are_used() -> None:
    plain = table(*company(), *card(1, 3, *[(1, 3)] * 130))
    assert len(plain.of_card(1)) == 128 - 1
    assert plain.ways()[-4:] == ["scored", *["beyond_128th"] * 3]
    with_same_day = table(*company(), *card(1, 3, (0, 3), (0, 3), *[(1, 3)] * 130))
    assert len(with_same_day.of_card(1)) == 128 - 3


def test_an_empty_log_gives_an_empty_table() -> None:
    t = table()
    assert len(t.reviews) == len(t.rows) == 0
    assert t.ways() == []


class TestOutlierFilter:
    def kept(self, first: int, counts: List[Tuple[int, int]]) -> List[int]:
        """The intervals that stay, of (interval, cards with it)."""
        answers = []
        for n, (elapsed, cards) in enumerate(counts):
            answers += company(first, elapsed, cards=cards, number=1000 * n)
        return sorted(set(table(*answers).reviews.elapsed_days.tolist()))

    @pytest.mark.parametrize("first", [1, 2, 3, 4])
    def test_groups_under_20_vanish(self, first: int) -> None:
        assert self.kept(first, [(1, 19)]) == []
        assert self.kept(first, [(1, 20)]) == [1]

    def test_budget_is_used_up_at_equality(self) -> None:
        """13 are removed first, and 13 + 7 >= 20 keeps the 7 and then the 20. After 12, 12 + 7 < 20 takes them as well.

        Rarest first: 6 and 7 make the 13.
        """
        assert self.kept(3, [(1, 20), (2, 7), (3, 7), (4, 6)]) == [1, 2]
        assert self.kept(3, [(1, 20), (2, 7), (3, 6), (4, 6)]) == [1]

    def test_budget_is_5_percent_of_large_groups(self) -> None:
        assert self.kept(3, [(1, 571), (2, 19), (3, 10)]) == [1]
        assert self.kept(3, [(1, 570), (2, 20), (3, 10)]) == [1, 2]

    def test_fewer_than_6_are_left_out_even_beyond_the_budget(self) -> None:
        """5 + 5 + 5 = 15 and 15 + 5 >= 20: the budget is used up, but 5 is fewer than 6. 6 would stay."""
        assert self.kept(3, [(1, 40), (2, 5), (3, 5), (4, 5), (5, 5)]) == [1]
        assert self.kept(3, [(1, 40), (2, 6), (3, 5), (4, 5), (5, 5)]) == [1, 2]

    def test_visit_goes_on_after_the_budget_is_used_up(self) -> None:
        """The 21 of 101 days use it up (0 + 21 >= 20) and go for their length. The 22 stay, the 23 of 102 days go."""
        assert self.kept(3, [(101, 21), (1, 22), (102, 23)]) == [1]

    @pytest.mark.parametrize(("first", "longest"), [(1, 100), (2, 100), (3, 100), (4, 365)])
    def test_long_intervals_are_left_out_however_frequent(self, first: int, longest: int) -> None:
        """Intervals above 100 days go, after Easy above 365. The limit itself stays."""
        assert self.kept(first, [(1, 50), (longest, 50), (longest + 1, 50)]) == [1, longest]

    def test_ties_are_broken_longest_first(self) -> None:
        assert self.kept(3, [(2, 15), (7, 15)]) == [2]

    def test_all_of_the_card_goes(self) -> None:
        t = table(*company(), *card(1, 3, (50, 3), (0, 3), (2, 3), (3, 1)))
        assert t.of_card(1) == []
        assert t.ways()[-5:] == ["first_review", "outlier", "same_day", "after_outlier", "after_outlier"]

    def test_first_rating_counts_before_a_same_day_row(self) -> None:
        answers = [answer for n in range(20) for answer in card(n, 1, (0, 3), (1, 3))]
        assert len(table(*answers).reviews) == 20
        assert len(table(*answers, *company(first=3, cards=19)).reviews) == 20


def as_tuples(t: Table) -> List[Tuple[int, ...]]:
    """The table as tuples, row by row, without what is only an index."""
    r = t.reviews
    columns = (r.review_id, r.card_id, r.elapsed_days, r.review_number, r.lapses, r.recalled)
    return list(zip(*(column.tolist() for column in columns), strict=True))


def check_against_slow(log: Revlog, clock: Clock) -> None:
    """The table and every row's way are those of the slow re-implementation."""
    t = table_of(log, clock)
    rows, ways = slow_table(log, clock.next_day_at)
    assert as_tuples(t) == [
        (r.review_id, r.card_id, r.elapsed_days, r.review_number, r.lapses, r.recalled) for r in rows
    ]
    assert t.rows.log_row[t.reviews.row].tolist() == [r.log_row for r in rows]
    assert t.ways() == ways


@given(lifelike_logs())
def test_lifelike_logs_give_the_slow_table(log: Revlog) -> None:
    check_against_slow(log, CLOCK)


@given(hostile_logs(), st.integers(-(2**33), 2**33))
def test_hostile_logs_give_the_slow_table(log: Revlog, next_day_at: int) -> None:
    check_against_slow(log, Clock(next_day_at))


@pytest.mark.parametrize("name", SETS)
def test_simulated_logs_give_the_slow_table(name: str) -> None:
    check_against_slow(snapshot(name).revlog, snapshot(name).clock)


@given(lifelike_logs(), st.randoms(use_true_random=False))
def test_order_of_the_log_does_not_matter(log: Revlog, random: Any) -> None:
    order = list(range(len(log)))
    random.shuffle(order)
    shuffled = log.take(np.array(order, dtype=np.int64))
    assert as_tuples(table_of(shuffled)) == as_tuples(table_of(log))
    ways = table_of(log).ways()
    assert table_of(shuffled).ways() == [ways[n] for n in order]


@given(st.one_of(lifelike_logs(), hostile_logs()))
def test_log_stays_unchanged(log: Revlog) -> None:
    before = [column.copy() for column in vars(log).values()]
    table_of(log)
    for column, old in zip(vars(log).values(), before, strict=True):
        np.testing.assert_array_equal(column, old)
