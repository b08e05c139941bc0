from __future__ import annotations

import datetime as dt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_logs import DAY_MS, NEXT_DAY_AT, card, log_of

from evaluator.data.revlog import Clock, Snapshot

BOUNDARY = NEXT_DAY_AT * 1000


def day(clock: Clock, review_id: int) -> int:
    return int(clock.day_of(np.array([review_id], dtype=np.int64))[0])


def test_days_end_on_their_boundary():
    clock = Clock(NEXT_DAY_AT)
    assert [day(clock, BOUNDARY + ms) for ms in (0, 1, DAY_MS, DAY_MS + 1)] == [0, 1, 1, 2]
    assert [day(clock, BOUNDARY - ms) for ms in (1, DAY_MS - 1, DAY_MS, DAY_MS + 1)] == [0, 0, -1, -1]


@given(st.integers(-(2**33), 2**33), st.integers(0, 2**42), st.integers(-500, 500))
def test_day_number_counts_from_the_clocks_boundary(next_day_at, review_id, days):
    shifted_clock = Clock(next_day_at + days * 86_400)
    assert day(shifted_clock, review_id) == day(Clock(next_day_at), review_id) - days


@given(st.integers(-(2**33), 2**33), st.integers(0, 2**42))
def test_first_boundary_after_closes_the_day(next_day_at, instant_ms):
    boundary = Clock(next_day_at).first_boundary_after(instant_ms)
    assert 0 <= boundary * 1000 - instant_ms < DAY_MS
    assert (boundary - next_day_at) % 86_400 == 0


@pytest.mark.parametrize(
    ("hour_utc", "rollover", "minutes"),
    [
        (4, 4, 0),
        (3, 4, 60),
        (2, 4, 120),
        (22, 4, 360),
        (9, 4, -300),
        (16, 4, 720 - 1440),
        (15, 4, 780 - 1440),
        (0, 0, 0),
    ],
)
def test_offset_is_guessed_from_the_hour_at_which_days_begin(hour_utc, rollover, minutes):
    """A day that begins at 02:00 UTC and at 04:00 local time means two hours east. Beyond 12 hours it means west."""
    assert Clock(hour_utc * 3600, rollover_hour=rollover).offset_minutes == minutes


def test_known_offset_is_used():
    """The hour does not matter, and an offset of 0 is known too."""
    assert Clock(0, utc_offset_minutes=-210).offset_minutes == -210
    assert Clock(0, utc_offset_minutes=0).offset_minutes == 0


@given(
    st.dates(dt.date(1990, 1, 1), dt.date(2090, 1, 1)),
    st.integers(-12 * 60, 14 * 60),
    st.integers(0, 23),
    st.integers(-5000, 5000),
    st.sampled_from((-43_199, -3600, 0, 3600, 43_199)),
)
def test_date_and_day_start_agree(date, offset, rollover, days, late):
    """A date's start belongs to the day before, and the next millisecond to the date.

    Days may begin up to half a day away from the rollover hour. Daylight saving time moves them by an hour.
    """
    clock = Clock(rollover * 3600 - offset * 60 + days * 86_400 + late, offset, rollover)
    start = clock.day_start_ms(date)
    midnight = (date - dt.date(1970, 1, 1)).days * 86_400
    assert start == (midnight + rollover * 3600 - offset * 60 + late) * 1000
    assert clock.date_of(day(clock, start + 1)) == date
    assert clock.date_of(day(clock, start)) == date - dt.timedelta(days=1)


def test_take_selects_rows_of_all_columns():
    log = log_of(card(1, 3, (1, 1), (2, 4)))
    selected_rows = log.take(np.array([2, 0]))
    assert (selected_rows.button.tolist(), selected_rows.card_id.tolist(), len(selected_rows)) == ([4, 3], [1, 1], 2)
    assert log.take(log.button == 1).review_id.tolist() == [int(log.review_id[1])]


def test_until_includes_the_row_at_the_instant():
    log = log_of(card(1, 3, (1, 1), (2, 4)))
    snapshot = Snapshot(log, Clock(NEXT_DAY_AT))
    second = int(log.review_id[1])
    assert [len(snapshot.until(instant).revlog) for instant in (second - 1, second, second + 1)] == [1, 2, 2]
