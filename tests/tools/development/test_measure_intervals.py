from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest
from sentence_matching import contains_sentence

from evaluator.interval import ConfidenceInterval
from tools import commands
from tools.development.measure import coverage_tables, intervals, optimizing, words
from tools.development.measure.coverage_tables import (
    COVERAGE,
    EQUALS,
    RARE_OUTCOMES,
    SHORT,
    CoverageTable,
    ForecasterPair,
    People,
    Rare,
    Weeks,
)
from tools.development.measure.intervals import main, of_many
from tools.development.measure.table import PLAIN, RATIO, SHARE, BenchTable
from tools.output.terminal import format_columns, spaced


def test_table_is_printed_in_columns():
    columns = {"who": PLAIN, "how often": SHARE, "wide": RATIO}
    table = BenchTable("Two people.", columns, [("One", 0.125, 1.0), ("Another", None, 0.5)])
    lines = format_columns(spaced(table.parts)).splitlines()
    assert lines[0] == "Two people."
    assert [line.split() for line in lines[2:]] == [
        ["who", "how", "often", "wide"],
        [lines[3].strip()],
        ["One", "12.5%", "1.00"],
        ["Another", "-", "0.50"],
    ]


@dataclass(frozen=True)
class Kind:
    name: str


DRAWN = CoverageTable(
    "Drawn.", [Kind(name) for name in "abc"], {"name": PLAIN}, lambda _, random: (random.random(),), {"drawn": PLAIN}
)


def test_a_row_has_the_same_people_at_any_position():
    messages: list[float] = []
    drawn = {row[0]: row[1] for row in intervals.counted(DRAWN, 10, 3, messages.append).rows}
    assert messages == [0, 1 / 3, 2 / 3]
    assert len({*drawn.values()}) == 3
    other = replace(DRAWN, kinds=[Kind("c"), Kind("a")])
    assert intervals.counted(other, 10, 3).rows == [("c", drawn["c"]), ("a", drawn["a"])]
    assert intervals.counted(other, 10, 4).rows[0][1] != drawn["c"]


def test_missing_values_are_left_out_of_means():
    values = iter([(1.0, 1.0, np.nan), (2.0, 2.0, np.nan), (9.0, np.nan, np.nan)])
    what = CoverageTable("", [], {}, lambda *_: next(values), dict.fromkeys("abc", PLAIN))
    assert of_many(what, None, 3, np.random.default_rng(1)) == (4.0, 1.5, None)


def test_tables_count_intervals_that_contain_the_truth(monkeypatch):
    result = [
        ConfidenceInterval(0.0, -1.0, 1.0),
        ConfidenceInterval(2.0, 1.0, 3.0),
        ConfidenceInterval(-2.0, -3.0, -1.0),
    ]
    result.append(ConfidenceInterval(0.0, reason="too_few"))
    monkeypatch.setattr(coverage_tables, "_truth", lambda **_: 0.0)
    shares = []
    for what, kind in (
        (COVERAGE, People(20, 8, 60)),
        (EQUALS, ForecasterPair(8, 15, 3, 0.5)),
        (RARE_OUTCOMES, Rare(10)),
    ):
        given = iter(result)
        monkeypatch.setattr(coverage_tables, "paired_difference", lambda *_, given=given: next(given))
        shares.append(of_many(what, kind, 4, np.random.default_rng(1)))
    assert shares == [(1 / 3,), (0.5,), (0.25, 0.25, 0.25)]


def test_claims_are_true_as_often_as_stated():
    random = np.random.default_rng(5)
    result = np.array([words.person(words.Kind("Anki-SM-2", 300, 30, None), random) for _ in range(300)])
    answer, right = result[:, 0::2], result[:, 1::2]
    assert answer.sum(axis=1).max() == 1
    assert answer.mean() * answer.shape[1] > 0.9
    for index, (least, _code) in enumerate(words.PROBABILITY_CODES[:3]):
        assert not answer[:, index].any() or np.nanmean(right[:, index]) > least - 0.1
    assert np.isnan(right).sum() == (answer == 0).sum()


def test_some_people_with_weeks_of_study_get_an_interval():
    evaluated, interval, decided = of_many(SHORT, Weeks(30, 49), 8, np.random.default_rng(1))
    assert 0 < evaluated <= 1
    assert 0 < interval <= 1
    assert decided <= interval


def test_requested_tables_are_printed(monkeypatch, capsys):
    monkeypatch.setattr(optimizing, "ROWS", 1000)
    monkeypatch.setattr(
        intervals, "TABLES", {name: replace(value, kinds=value.kinds[:2]) for name, value in TABLES.items()}
    )
    texts = []
    for arguments in ([], [], ["--tables", "rare,coverage"]):
        assert main(["--people", "2", "--seed", "7", *arguments]) == 0
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1]
    assert "2 simulated people in each row, seed 7. Shares near 5 or 95% are known to about 30.2" in texts[0].replace(
        "\n", " "
    )
    assert [texts[0].count(value.caption[:40]) for value in TABLES.values()] == [1] * len(TABLES)
    assert texts[0].count(optimizing.CAPTION[:40]) == 1
    assert texts[2].index(RARE_OUTCOMES.caption[:40]) < texts[2].index(COVERAGE.caption[:40])


TABLES = intervals.TABLES


def test_a_limit_is_that_of_as_many_people_as_differ():
    """Wilson's, by hand: of 20 people who agree with themselves, and of as many cases if they do not."""
    alike = np.repeat(np.arange(20), 4), np.repeat(np.arange(20) % 2 == 0, 4)
    assert optimizing.upper_limit(*alike) == pytest.approx(0.7007, abs=1e-4)
    assert optimizing.upper_limit(np.arange(80), alike[1]) == pytest.approx(0.6070, abs=1e-4)
    assert optimizing.upper_limit(alike[0], np.zeros(80, dtype=bool)) == pytest.approx(0.1611, abs=1e-4)


def test_gain_by_optimizing_shrinks_with_more_reviews(monkeypatch):
    monkeypatch.setattr(optimizing, "ROWS", 2000)
    cases = np.array([optimizing.person(number, 7, 0.0) for number in (1, 2)])
    assert cases.shape == (2, len(optimizing.BEFORE), 2)
    first, last = np.abs(cases[:, 0]), np.abs(cases[:, -1])
    assert (last < first).all()
    monkeypatch.setattr(optimizing, "BEFORE", (optimizing.NOW,))
    assert optimizing.person(1, 7, 0.0) == [(0, 0)]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--people", "0"], "--people cannot be 0. Allowed: an integer of at least 1."),
        (["--seed", "-1"], "--seed cannot be -1. Allowed: an integer of at least 0."),
        (["--tables", "rare,rar"], "--tables cannot be 'rar'."),
    ],
)
def test_errors_come_before_the_work(arguments, expected, capsys, monkeypatch):
    monkeypatch.setattr(intervals, "counted", None)
    assert main(arguments) == 2
    assert contains_sentence(capsys.readouterr().err, expected)


def test_it_is_a_command_of_two_words(monkeypatch):
    given = []
    monkeypatch.setattr(intervals, "main", lambda arguments: given.append(arguments) or 0)
    assert commands.run(["measure", "intervals", "--people", "5"]) == 0
    assert given == [["--people", "5"]]
