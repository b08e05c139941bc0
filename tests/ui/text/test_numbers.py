from __future__ import annotations

import re

import pytest

from ui.text.numbers import time_left
from ui.views.metric_views import VIEWS


def seconds(words: str) -> int:
    """Return the seconds in these words. "A few seconds" are 0."""
    number = re.search(r"(\d+)\N{NO-BREAK SPACE}(s|min) left", words)
    if number is None:
        return 0
    return int(number[1]) * (60 if number[2] == "min" else 1)


@pytest.mark.parametrize("total", [3, 8, 30, 100, 400])
def test_steady_work_gives_the_right_time_left(total):
    words = [time_left(tenth / 10, tenth / 10 / total) for tenth in range(total * 10 + 1)]
    # The first 4 seconds are too early.
    assert not any(words[:40])
    estimates = [(tenth / 10, seconds(text)) for tenth, text in enumerate(words) if text]
    assert not estimates or estimates[0][0] <= max(4, 0.07 * total)
    for passed, estimate in estimates:
        assert abs(estimate - (total - passed)) <= max(0.5 * (total - passed), 10)
    assert sorted((estimate for _, estimate in estimates), reverse=True) == [estimate for _, estimate in estimates]
    assert bool(estimates) == (total > 3)


def test_differences_have_a_sign():
    assert [VIEWS["mbe"].format_value(value) for value in (0.0123, -0.0123, 0.00001)] == ["+1.23%", "−1.23%", "0.00%"]


@pytest.mark.parametrize(
    ("passed", "fraction", "words"),
    [
        (4, 0.5, "a few seconds left"),
        (9, 1, "a few seconds left"),
        (10, 0.5, "about 10 s left"),
        (40, 0.5, "about 40 s left"),
        (57, 0.5, "about 1 min left"),
        (200, 0.5, "about 3 min left"),
    ],
)
def test_time_left_matches_hand_calculation(passed, fraction, words):
    assert time_left(passed, fraction).replace("\N{NO-BREAK SPACE}", " ") == words


@pytest.mark.parametrize(("passed", "fraction"), [(3.9, 0.5), (4, 0.05)])
def test_no_time_left_is_estimated_too_early(passed, fraction):
    assert time_left(passed, fraction) == ""
