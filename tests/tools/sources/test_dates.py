from __future__ import annotations

import datetime as dt

import pytest

from tools.sources.dates import read_dates


def iso(instant: int | None) -> str | None:
    return None if instant is None else dt.datetime.fromtimestamp(instant / 1000, dt.UTC).isoformat(" ")[:19]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Jan 31 2023 14:05:06", "2023-01-31 14:05:06"),
        ("1 31 2023 14:05:06", "2023-01-31 14:05:06"),
        ("1月 31 2023 14:05:06", "2023-01-31 14:05:06"),
        ("十二月 31 2023 14:05:06", "2023-12-31 14:05:06"),
        ("31/01/2023 14:05", "2023-01-31 14:05:00"),
        ("01/31/2023", "2023-01-31 00:00:00"),
        ("01-31-23", "2023-01-31 00:00:00"),
        ("31.01.1998", "1998-01-31 00:00:00"),
        ("12-31-98", "1998-12-31 00:00:00"),
        ("MÄR. 5 2023 04:05:06", "2023-03-05 04:05:06"),
        ("mrz 5 2023", "2023-03-05 00:00:00"),
        ("Mai 5 2023", "2023-05-05 00:00:00"),
        ("Okt 5 2023", "2023-10-05 00:00:00"),
        ("Dez. 5 2023", "2023-12-05 00:00:00"),
        ("fev 5 2023", "2023-02-05 00:00:00"),
        ("Abr. 5 2023", "2023-04-05 00:00:00"),
        ("ago 5 2023", "2023-08-05 00:00:00"),
        ("SET 5 2023", "2023-09-05 00:00:00"),
        ("out. 5 2023", "2023-10-05 00:00:00"),
        ("February 5 2023", "2023-02-05 00:00:00"),
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
def test_a_date_is_read(text, expected):
    assert iso(read_dates([text])[0]) == expected


MONTHS = {
    "English": "jan feb mar apr may jun jul aug sep oct nov dec",
    "German": "jan feb mär apr mai jun jul aug sep okt nov dez",
    "Portuguese": "jan fev mar abr mai jun jul ago set out nov dez",
}


@pytest.mark.parametrize("language", MONTHS)
def test_all_months_of_a_language_are_read(language):
    for number, name in enumerate(MONTHS[language].split(), start=1):
        for written in (name, name.upper(), f"{name.capitalize()}."):
            assert iso(read_dates([f"{written} 9 2023"])[0]) == f"2023-{number:02d}-09 00:00:00", written


def test_the_other_dates_of_a_file_tell_which_number_is_the_day():
    assert [iso(item)[:10] for item in read_dates(["05/06/2023", "17/06/2023"])] == ["2023-06-05", "2023-06-17"]
    assert [iso(item)[:10] for item in read_dates(["05/06/2023 1:02", "06/17/2023 1:02"])] == [
        "2023-05-06",
        "2023-06-17",
    ]
    # A date that does not fit the order of most is not read.
    assert [iso(item) for item in read_dates(["17/06/2023", "18/06/2023", "06/19/2023"])][2] is None


def test_ambiguous_dates_with_times_start_with_the_day():
    assert iso(read_dates(["05/06/2023 14:05"])[0]) == "2023-06-05 14:05:00"
    assert iso(read_dates(["05/06/2023"])[0]) == "2023-05-06 00:00:00"
    assert iso(read_dates(["05/06/2023"], day_first=True)[0]) == "2023-06-05 00:00:00"
