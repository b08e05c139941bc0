from __future__ import annotations

import re
from contextlib import nullcontext
from dataclasses import replace
from types import SimpleNamespace
from unittest.mock import Mock

import numpy as np
import pytest
from sentence_matching import contains_sentence

from evaluator.interval import ConfidenceInterval
from evaluator.report import Accuracy, RecallNear
from tools import commands
from tools.development.measure import follow, screen
from tools.development.measure.follow import Case
from tools.development.measure.screen import LIMITS, main, table
from tools.simulate.kinds import ONE, PLAIN, SM2, TWO, Kind

FSRS = Kind("fsrs", PLAIN, 500, ONE)
DASH = Kind("dash", PLAIN, 500, ONE)


def counted(claim: str, kind: Kind, wrong: int, of: int) -> list[Case]:
    return [Case(claim, float(number < wrong), kind, number, "half") for number in range(of)]


def test_the_table_has_a_row_for_each_claim_and_a_column_for_each_memory():
    rows = table([*counted("right", FSRS, 3, 120), *counted("right", DASH, 12, 120), *counted("off", FSRS, 9, 99)])
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows.splitlines()]
    assert len(cells) == 2 + len(LIMITS)
    assert cells[0][2:] == ["FSRS-6", "two traces", "DASH-like", "all", "limit", ""]
    assert cells[2][2:] == ["3 of 120, 2.5%", "0", "12 of 120, 10.0%", "15 of 240, 6.2%", "5.0%", "missed"]
    assert cells[3][2:] == ["9 of 99, 9.1%", "0", "0", "9 of 99, 9.1%", "5.0%", "not measured"]
    assert table(counted("right", FSRS, 5, 100)).splitlines()[2].endswith("| met |")


def test_a_gain_must_be_above_its_limit():
    gains = [Case("optimize, gain", gain, FSRS, 1, "") for gain in (0.0, 0.006) for _ in range(100)]
    assert "| +0.0030 of 200 | above 0.002 | met |" in table(gains)
    assert "| +0.0000 of 100 | above 0.002 | missed |" in table(gains[:100])


def accuracy(state: str, remembered: float, source: str = "default", **facts: object) -> Accuracy:
    return Accuracy(
        state, source, "FSRS-6 default", 0.9, 400, recall=RecallNear(400, 0.9, ConfidenceInterval(remembered)), **facts
    )


@pytest.mark.parametrize(
    ("said", "true", "expected"),
    [
        (accuracy("right", 0.9), 0.85, {"right": True, "off, wrong sign": False}),
        (accuracy("open", 0.85), 0.85, {"right": False, "off, wrong sign": False}),
        (accuracy("off", 0.8), 0.85, {"right": False, "off, wrong sign": False}),
        (accuracy("off", 0.95), 0.88, {"off, wrong sign": True}),
        (accuracy("off", 0.86), 0.895, {"off": True}),
        (accuracy("right", 0.9), 0.895, {"off": False, "elsewhere": False}),
        (accuracy("right", 0.9, elsewhere=RecallNear(9, 0.7, ConfidenceInterval(0.4))), 0.9,
         {"off": False, "elsewhere": True}),
        *((replace(accuracy("open", 0.9), recall=RecallNear(400, 0.9, ConfidenceInterval(0.9, 0.88, 0.92))), true,
           {"off, wrong sign": False, "interval": true < 0.88}) for true in (0.89, 0.87)),
    ],
)  # fmt: skip
def test_claims_are_wrong_by_the_true_probability(said, true, expected):
    assert claims_on(said, true) == expected


def claims_on(said: Accuracy, true: float) -> dict[str, float]:
    """The claims on a preset whose reviews are all predicted at 90%, with this true probability."""
    predicted, reviews = np.full(400, 0.9), np.arange(1, 401) * 1000
    evidence = SimpleNamespace(
        fitted={"FSRS-6 default": SimpleNamespace(predicted=predicted)},
        tested=SimpleNamespace(review_id=reviews),
        data=SimpleNamespace(label=lambda _: np.ones(500, dtype=int)),
    )
    preset = SimpleNamespace(preset_id=1, parameters=(), changed=None)
    log = SimpleNamespace(recall=lambda ids: np.full(len(ids), true), desired=0.9)
    return dict(follow._accuracy(said, evidence, preset, log))


def test_advice_is_judged_by_what_came_later():
    true, own = np.full(100, 0.8), np.repeat([0.9, 0.95], 50)
    assert dict(follow._advice(["nothing"], true, own, true, 0.9, None)) == {"nothing": True}
    assert dict(follow._advice(["nothing"], true, true, own, 0.9, None)) == {"nothing": False}
    for before, after, is_wrong in ((own, true, False), (true, own, True)):
        result = dict(follow._advice(["optimize"], true, before, after, 0.9, None))
        assert result["optimize"] == is_wrong == (result["optimize, gain"] < -0.005)
    for high, is_wrong in ((0.75, True), (0.85, False)):  # at 95%; 80% were remembered at 90%
        result = follow._advice(["desired_retention"], np.repeat([0.8, high], 50), own, own, 0.9, 0.95)
        assert dict(result) == {"desired_retention": is_wrong}
    assert not dict(follow._advice(["desired_retention"], true, own, own, 0.9, 0.7))  # no review is near


@pytest.mark.parametrize("use", [ONE, TWO, SM2])
def test_equal_logs_give_equal_cases(use):
    first, again, other = (follow.follow(Kind("fsrs", PLAIN, 500, use), number, 1) for number in (1, 1, 2))
    assert first == again != other
    assert {case.claim for case in first} <= set(LIMITS)
    assert {case.parameters for case in first} == {
        ONE: {"default", "half", "recent", "half, saved", "other's, saved"},
        TWO: {"fresh and stale"},
        SM2: {"", "steady", "drifting"},
    }[use]


def test_stopping_prints_what_is_done(monkeypatch, capsys):
    def completed(futures):
        yield next(iter(futures))
        raise KeyboardInterrupt

    pool = SimpleNamespace(submit=lambda *log: Mock(result=lambda: counted("off", log[1], 0, 150)))
    monkeypatch.setattr(screen, "processes", lambda _: nullcontext(pool))
    monkeypatch.setattr(screen, "as_completed", completed)
    assert main(["--logs", "3", "--sizes", "500"]) == 0
    out, err = capsys.readouterr()
    assert "1 review logs" in out
    assert "| 0 of 150, 0.0% | 5.0% | met |" in out
    assert "Stopped" in err


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--logs", "0"], "--logs cannot be 0. Allowed: an integer of at least 1."),
        (["--sizes", "500,700"], "--sizes cannot be 700. Allowed: 500, 3000, 20000."),
    ],
)
def test_errors_come_before_the_work(arguments, expected, capsys, monkeypatch):
    monkeypatch.setattr(screen, "processes", None)
    assert commands.run(["measure", "screen", *arguments]) == 2
    assert contains_sentence(capsys.readouterr().err, expected)


@pytest.mark.long
def test_the_first_screen_is_seldom_wrong(capsys):
    """Some minutes, so with wide limits: three times as many as allowed may be wrong, and two more."""
    assert main(["--logs", "4", "--sizes", "500,3000"]) == 0
    rows = [row.split("|") for row in capsys.readouterr().out.splitlines() if row.startswith("| ")]
    for limit, row in zip(LIMITS.values(), rows[2:], strict=True):
        if not limit.is_gain and " of " in row[6]:
            wrong, cases = (int(number.replace(",", "")) for number in re.findall(r"[\d,]*\d", row[6])[:2])
            assert wrong <= 3 * limit.limit * cases + 2, row
