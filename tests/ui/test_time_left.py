"""The time left: said late enough, near enough, and without jumping."""

from __future__ import annotations

import itertools
import re
from typing import Callable, List

import pytest

from ui.time_left import TimeLeft


def said(fraction_at: Callable[[float], float], total: float) -> List[str]:
    """What is said every tenth of a second."""
    left = TimeLeft(100.0)
    return [left.words(100.0 + tenth / 10, fraction_at(tenth / 10)) for tenth in range(int(total * 10) + 1)]


def seconds(words: str) -> int:
    """As a number; a few are 0."""
    number = re.search(r"(\d+)\N{NO-BREAK SPACE}(s|min) left", words)
    return int(number[1]) * (60 if number[2] == "min" else 1) if number else 0


@pytest.mark.parametrize("total", [8, 30, 100, 400])
def test_steady_work_is_told_rightly(total: int) -> None:
    """Nothing at first, then what is left, ever less."""
    words = said(lambda at: at / total, total)
    assert words[0] == words[39] == ""
    told = [(tenth / 10, seconds(text)) for tenth, text in enumerate(words) if text]
    assert told[0][0] <= max(4, 0.07 * total)
    for at, left in told:
        assert abs(left - (total - at)) <= max(0.5 * (total - at), 10)
    assert sorted((left for _, left in told), reverse=True) == [left for _, left in told]
    assert words[-1] == "a few seconds left"


def test_short_work_says_nothing() -> None:
    """It is over before it could be known."""
    assert not any(said(lambda at: at / 3, 3))


def test_uneven_work_does_not_make_it_jump() -> None:
    """Half of the work is done in a tenth of the time, in leaps: words change seldom and by little."""

    def leaps(at: float) -> float:
        smooth = 5 * at / 60 if at < 6 else 0.5 + 0.5 * (at - 6) / 54
        return int(smooth * 20) / 20

    words = said(leaps, 60)
    told = [text for text in words if text]
    changes = [(a, b) for a, b in itertools.pairwise(told) if a != b]
    assert len(changes) <= 14
    assert all(abs(seconds(a) - seconds(b)) <= 20 for a, b in changes)


def test_a_stand_still_is_not_an_end() -> None:
    """While nothing gets done, more is left, and nothing fails."""
    words = said(lambda at: min(at / 40, 0.5), 80)
    assert seconds(words[-1]) >= 40
