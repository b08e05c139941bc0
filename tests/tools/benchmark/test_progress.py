from __future__ import annotations

import io

import pytest

from tools.benchmark import command as progress
from tools.benchmark.command import BenchmarkProgress
from tools.output.progress import ProgressLine, duration


class Line(ProgressLine):
    def __init__(self):
        super().__init__(io.StringIO())
        self.shown: list[tuple[float, str, str]] = []

    def show(self, fraction, words):
        super().show(fraction, words)
        self.shown.append((fraction, words, self.time_left()))


@pytest.fixture
def clock(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    return now


def test_progress_shows_share_and_time_left(clock, capsys):
    line = Line()
    result = BenchmarkProgress(line, finished=1000, collections=3000, work=4000, printed_at=clock[0])
    result.show()
    assert line.shown == [(0.0, "collections: 1,000 of 3,000", "")]
    clock[0] += 4
    result.add(2, failed=False)
    assert line.shown[-1] == (2 / 4000, "collections: 1,001 of 3,000", "")
    for _ in range(100):
        clock[0] += 0.5
        result.add(2, failed=False)
    result.add(2, failed=True)
    # After the first collection 202 of 4,000 parts in 50 s: (4000 - 204) * 50 / 202 s = 940 s = 16 min
    assert line.shown[-1] == (204 / 4000, "collections: 1,102 of 3,000, 1 failed", "16 min left")
    assert capsys.readouterr().err == ""


def test_log_files_get_one_line_a_minute(clock, capsys):
    result = BenchmarkProgress(Line(), finished=0, collections=1000, work=1000, printed_at=clock[0])
    for _ in range(250):
        clock[0] += 1
        result.add(1, failed=False)
    told_lines = capsys.readouterr().err.splitlines()
    assert len(told_lines) == 4
    assert told_lines[0] == "collections: 60 of 1,000, 16 min left"


@pytest.mark.parametrize(
    ("seconds", "words"), [(0, "0 s"), (59, "59 s"), (90, "2 min"), (3599, "1 h 0 min"), (12_345_678, "3,429 h 21 min")]
)
def test_durations_have_two_units_at_most(seconds, words):
    assert duration(seconds) == words
