from __future__ import annotations

import datetime as dt

import pytest

from tools.sources.supermemo import is_day_first, read_date


def read_dates(*cells: str) -> list[str | None]:
    """Return the dates of one file as ISO text, or None if a date is unreadable."""
    day_first = is_day_first(cells)
    instants = [read_date(cell, day_first=day_first) for cell in cells]
    return [
        None if instant is None else dt.datetime.fromtimestamp(instant / 1000, dt.UTC).isoformat(" ")[:19]
        for instant in instants
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Jan 31 2023 14:05:06", "2023-01-31 14:05:06"),
        ("1 31 2023 14:05:06", "2023-01-31 14:05:06"),
        ("1月 31 2023 14:05:06", "2023-01-31 14:05:06"),
        ("31/01/2023 14:05", "2023-01-31 14:05:00"),
        ("01/31/2023", "2023-01-31 00:00:00"),
        ("01-31-23", "2023-01-31 00:00:00"),
        ("31.01.1998", "1998-01-31 00:00:00"),
        ("12-31-98", "1998-12-31 00:00:00"),
        ("February 5 2023", "2023-02-05 00:00:00"),
        ("MAR. 5 2023 04:05:06", "2023-03-05 04:05:06"),
        ("dec 5 2023", "2023-12-05 00:00:00"),
        ("Mai 5 2023", None),
        ("Feb 30 2023", None),
        ("Xyz 5 2023", None),
        ("² 3 2023", None),
        ("月 3 2023", None),
        ("13 5 2023", None),
        ("31/01-2023", None),
        ("Jan 31 2023 25:00:00", None),
        ("", None),
        ("yesterday", None),
    ],
)
def test_date_is_read_in_every_form_or_refused(text, expected):
    assert read_dates(text) == [expected]


def test_other_dates_of_the_file_show_which_number_is_the_day():
    assert read_dates("05/06/2023", "17/06/2023") == ["2023-06-05 00:00:00", "2023-06-17 00:00:00"]
    assert read_dates("05/06/2023 1:02", "06/17/2023 1:02") == ["2023-05-06 01:02:00", "2023-06-17 01:02:00"]
    assert read_dates("17/06/2023", "18/06/2023", "06/19/2023")[2] is None, "most dates begin with the day"


def test_ambiguous_dates_with_times_start_with_the_day():
    assert read_dates("05/06/2023 14:05") == ["2023-06-05 14:05:00"]
    assert read_dates("05/06/2023") == ["2023-05-06 00:00:00"]
