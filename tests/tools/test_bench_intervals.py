"""`python3 tools bench intervals`: what it counts, and what it says of that."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from told import says

from evaluator.interval import Interval
from tools import commands
from tools.bench.intervals import command, counted, short, words
from tools.bench.intervals.command import TABLES, main
from tools.bench.intervals.counted import Pair, Rare, held, means, side_of_truth, told_apart
from tools.bench.intervals.people import People
from tools.bench.intervals.table import RATIO, SHARE, Column, Run, Table
from tools.terminal import laid_out, spaced

TABLE = Table(
    "Two people.", (Column("name", "who"), Column("share", "how often", SHARE), Column("ratio", "wide", RATIO)),
    [("One", 0.125, 1.0), ("Another", None, 0.5)],
)  # fmt: skip


def test_a_table_as_text_and_as_json():
    lines = laid_out(spaced(TABLE.parts)).splitlines()
    assert lines[0] == "Two people."
    assert [line.split() for line in lines[2:]] == [
        ["who", "how", "often", "wide"],
        [lines[3].strip()],
        ["One", "12.5%", "1.00"],
        ["Another", "-", "0.50"],
    ]
    assert TABLE.json == [
        {"name": "One", "share": 0.125, "ratio": 1.0},
        {"name": "Another", "share": None, "ratio": 0.5},
    ]


def test_a_row_has_the_same_people_wherever_it_stands():
    told: list[float] = []
    run = Run(10, 3, told.append)
    drawn = {row: random.random() for row, random in run.each(["a", "b", "c"])}
    assert told == [0, 1 / 3, 2 / 3]
    assert {row: random.random() for row, random in run.each(["c", "a"])} == {row: drawn[row] for row in "ac"}
    assert len({*drawn.values()}) == 3
    assert next(Run(10, 4).each(["a"]))[1].random() != drawn["a"]


def test_what_is_counted(monkeypatch):
    """Of four people, whose intervals hold 0, lie above it, below it, and are none."""
    intervals = [Interval(0.0, -1.0, 1.0), Interval(2.0, 1.0, 3.0), Interval(-2.0, -3.0, -1.0)]
    intervals.append(Interval(0.0, reason="too_few"))
    monkeypatch.setattr(counted, "_truth", lambda **_: 0.0)
    found = []
    for person, row in ((held, People(20, 8, 60)), (told_apart, Pair(8, 15, 3, 0.5)), (side_of_truth, Rare(10))):
        given = iter(intervals)
        monkeypatch.setattr(counted, "paired_difference", lambda *_, given=given: next(given))
        found.append(means(person, row, 4, np.random.default_rng(1)))
    assert found == [(1 / 3,), (0.5,), (0.25, 0.25, 0.25)]
    monkeypatch.setattr(counted, "paired_difference", lambda *_: intervals[3])
    assert means(held, People(20, 8, 60), 2, np.random.default_rng(1)) == (None,)


def test_what_is_said_of_people_is_true_as_often_as_its_word_says():
    """Of 300 with 300 reviews, most of whom are told something; some needed more reviews than they had."""
    random = np.random.default_rng(5)
    found = np.array([words.person(words.Kind("Anki-SM-2", 300, 30, None), random) for _ in range(300)])
    said, right = found[:, 0:-1:2], found[:, 1:-1:2]
    assert said.sum(axis=1).max() == 1
    assert said.mean() * said.shape[1] > 0.9
    for place, (least, _code) in enumerate(words.WORDS[:3]):
        assert not said[:, place].any() or np.nanmean(right[:, place]) > least - 0.1
    assert np.isnan(right).sum() == (said == 0).sum()
    assert 0.5 < np.nanmedian(found[:, -1]) < 2


def test_people_who_have_studied_for_weeks():
    """Each is in one row, and of some with fewer than 40 days there is an interval."""
    table = short.short_histories(Run(30, 1))
    rows = table.json
    not_evaluated = int(re.search(r"(\d+) of 30 had too few reviews", table.caption)[1])
    assert sum(row["people"] for row in rows) + not_evaluated == 30
    assert sum(row["interval"] * row["people"] for row in rows[1:-1] if row["people"]) > 5
    assert all(row["decided"] <= row["interval"] for row in rows if row["people"])


def test_the_same_seed_gives_the_same_tables(tmp_path: Path, capsys):
    written = tmp_path / "intervals.json"
    assert main(["--people", "2", "--seed", "7", "--json", str(written)]) == 0
    text = capsys.readouterr().out
    assert "2 simulated people in each row, seed 7. Shares near 5 or 95 % are known to about 30.2 points." in " ".join(
        text.split()
    )
    assert text.endswith(f"Written:\n  {written}\n")
    assert max(map(len, text.splitlines()[:-1])) <= 100
    tables = json.loads(written.read_text())["tables"]
    assert list(tables) == list(TABLES)
    assert len(tables["coverage"]) == len(counted.COVERED)
    assert {row["step"] for row in tables["steady"]} == {None}
    assert main(["--people", "2", "--seed", "7", "--tables", "steady,coverage", "--json", "-"]) == 0
    again = json.loads(capsys.readouterr().out)
    assert again["tables"] == {name: tables[name] for name in ("steady", "coverage")}
    assert (again["people"], again["seed"]) == (2, 7)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--people", "0"], "--people cannot be 0. Allowed: a whole number from 1 on."),
        (["--seed", "-1"], "--seed cannot be -1. Allowed: a whole number from 0 on."),
        (["--tables", "steady,stead"], "--tables cannot be 'stead'."),
        (["--json", "no/such/folder/file"], "--json cannot be 'no/such/folder/file'."),
    ],
)
def test_what_is_wrong_is_said_before_the_work(arguments, said, capsys, monkeypatch):
    monkeypatch.setattr(command, "_made", None)
    assert main(arguments) == 2
    assert says(capsys.readouterr().err, said)


def test_it_is_a_command_of_two_words(monkeypatch):
    given = []
    monkeypatch.setattr(command, "main", lambda arguments: given.append(arguments) or 0)
    assert commands.run(["bench", "intervals", "--people", "5"]) == 0
    assert given == [["--people", "5"]]
