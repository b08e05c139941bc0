"""The learning curve and the evidence over time: every text readable, dates where they belong."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Optional, Tuple

import fake
import pytest
from chart_texts import assert_legible, drawn, graph, texts
from matplotlib.colors import to_hex
from test_charts import SIZES

from evaluator.report import Comparison, Interval, Report
from evaluator.sections.stability import EvidenceOverTime, EvidencePoint, Learning, Stability
from evaluator.statistics.learning_curve import LearningCurve, LearningPoint
from ui.charts import draw, save_chart
from ui.charts.evidence import date_ticks
from ui.charts.style import LIGHT, NIGHT
from ui.views.graphs import occasions

KEYS = ("learning", "evidence")


def point(reviews: int, difference: float, reach: Optional[float] = 0.004) -> LearningPoint:
    ends = () if reach is None else (difference - reach, difference + reach)
    return LearningPoint(reviews, 2_400, 400, 90, Interval(difference, *ends))


LEARNING = Learning(
    "FSRS-6",
    LearningCurve((point(2_400, 0.001), point(4_800, -0.003), point(7_200, -0.006), point(9_600, -0.007, None)), None),
    Comparison("FSRS-6", "default", Interval(-0.004, -0.006, -0.002), "better", 0.003),
)


def evidence(days: int = 500, *, decided: bool = True, banded: bool = True) -> EvidenceOverTime:
    """A difference that comes to be known better from day to day."""
    points = tuple(
        EvidencePoint(
            date=(dt.date(2022, 11, 15) + dt.timedelta(days=day)).isoformat(),
            reviews=20 * (day + 1),
            difference=Interval(
                -0.03 + 0.2 / (day + 1),
                *((-0.03 - 2 / (day + 1), -0.03 + 2 / (day + 1)) if banded and day >= 40 else ()),
            ),
        )
        for day in range(days)
    )
    first = next((p for p in points if p.difference.side() == -1), None)
    return EvidenceOverTime("FSRS-6", "SM-2", 0.95, days, points, first if decided else None)


def with_stability(learning: Optional[Learning] = LEARNING, over_time: Optional[EvidenceOverTime] = None) -> Report:
    return fake.report().with_section("stability", Stability((), learning, over_time or evidence()))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("days", [2, 45, 120, 500, 4_000])
def test_no_text_is_cut_off_or_overlaps(key: str, size: Tuple[float, float], days: int) -> None:
    figure = drawn(with_stability(over_time=evidence(days)), key, (), size)
    assert_legible(figure)


@pytest.mark.parametrize("key", KEYS)
def test_zero_is_in_the_picture(key: str) -> None:
    low, high = drawn(with_stability(), key, ()).axes[0].get_ylim()
    assert low < 0 < high


@pytest.mark.parametrize("key", KEYS)
def test_colours_follow_the_style(key: str) -> None:
    night = drawn(with_stability(), key, (), (5, 4), NIGHT)
    assert to_hex(night.get_facecolor()) == NIGHT.canvas
    assert {to_hex(text.get_color()) for text in texts(night)} <= {NIGHT.text, NIGHT.subtle}


def test_what_stands_in_the_legend_is_drawn() -> None:
    plain = drawn(with_stability(over_time=evidence(30, decided=False, banded=False)), "evidence", ())
    assert [line.get_label() for line in plain.artists] == ["mean until then", "no difference; below, FSRS-6 is better"]
    assert {line.get_label() for line in plain.artists} <= {text.get_text() for text in texts(plain)}
    assert not plain.axes[0].collections
    both = drawn(with_stability(), "evidence", ())
    assert len(both.artists) == 4
    assert len(both.axes[0].collections) == 1


def test_drawing_again_replaces() -> None:
    figure = drawn(with_stability(), "learning", (), (5, 4))
    chart = graph(with_stability(), "evidence").chart
    assert chart is not None
    draw(figure, chart, LIGHT)
    assert len(figure.axes) == 1
    assert [line.get_label() for line in figure.artists] == [
        line.get_label() for line in drawn(with_stability(), "evidence", (), (5, 4)).artists
    ]


def test_they_are_about_the_whole_report() -> None:
    """Drawn once, and only where the section was made and has something to show."""
    assert [block.key for block in occasions(with_stability()) if not block.names] == ["learning", "evidence"]
    alone = fake.report().with_section("stability", Stability((), None, None))
    for report in (fake.report(), alone):
        assert all(block.names for block in occasions(report))


@pytest.mark.parametrize("key", KEYS)
def test_the_same_bytes_each_time(key: str, tmp_path: Path) -> None:
    first, second = (save_chart(graph(with_stability(), key), tmp_path / f"{n}.png") for n in "ab")
    assert first.read_bytes() == second.read_bytes()


@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [
        ("2023-01-15", "2023-04-20", ["2023-02", "2023-03", "2023-04"]),
        ("2022-11-15", "2024-03-30", ["2023-01", "2023-07", "2024-01"]),
        ("2023-01-02", "2023-01-06", ["01-02", "01-03", "01-04", "01-05"]),
        ("1990-01-02", "2024-01-06", ["2000-01", "2010-01", "2020-01"]),
    ],
)
def test_dates_are_round_and_few(first: str, last: str, expected: list[str]) -> None:
    days = [dt.date.fromisoformat(day).toordinal() for day in (first, last)]
    assert [name for _, name in date_ticks(*days, 4)] == expected
