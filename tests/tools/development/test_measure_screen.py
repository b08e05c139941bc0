from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from evaluator.interval import ConfidenceInterval
from evaluator.report import Recall
from tools.development.measure import follow, screen
from tools.development.measure.follow import Case
from tools.development.measure.screen import LIMITS, main, table
from tools.simulate.kinds import CLOSED, LEECHES, ONE, OPPOSITE, PLAIN, SM2, TWO, Kind

SMALL, LARGE = Kind("fsrs", PLAIN, 500, ONE), Kind("dash", PLAIN, 3000, ONE)


def cases_of(claim: str, kind: Kind, wrong: int, cases: int) -> list[Case]:
    """Return that many cases of a claim, of which the first ones are wrong."""
    return [Case(claim, float(number < wrong), kind, number, "half") for number in range(cases)]


def row(cases: list[Case], claim: str) -> list[str]:
    """Return the cells of a claim's row of the table, without the texts of the claim."""
    line = table(cases).splitlines()[2 + list(LIMITS).index(claim)]
    return [cell.strip() for cell in line.strip("|").split("|")][2:]


def test_table_compares_wrong_claims_with_their_limits():
    cases = [*cases_of("right", SMALL, 3, 120), *cases_of("right", LARGE, 1, 120), *cases_of("dot", LARGE, 9, 99)]
    assert row(cases, "right") == ["3 of 120, 2.5%", "1 of 120, 0.8%", "4 of 240, 1.7%", "2.5%", "met"]
    assert row(cases_of("right", SMALL, 4, 120), "right") == ["4 of 120, 3.3%", "4 of 120, 3.3%", "2.5%", "missed"]
    assert row(cases, "dot") == ["0", "9 of 99, 9.1%", "9 of 99, 9.1%", "10.0%", "not measured"]
    assert row(cases_of("contradictions", SMALL, 1, 9), "contradictions")[-1] == "missed"
    assert row(cases_of("contradictions", SMALL, 0, 9), "contradictions")[-1] == "met"
    text = table([Case("contradictions", 1.0, SMALL, 7, "half", ("diamond is not the verdict: (0.9, 0.8)",))])
    assert text.endswith("use='one preset'), log 7, half: diamond is not the verdict: (0.9, 0.8)")
    assert row(cases_of("ever off", SMALL, 1, 9), "ever off")[2:] == ["", "told"]
    gains = [Case("optimize, gain: half", gain, SMALL, 1, "half") for gain in (0.0, 0.006) for _ in range(100)]
    assert row(gains, "optimize, gain: half")[1:] == ["+0.0030 of 200", "above 0.002", "met"]
    assert row(gains[:100], "optimize, gain: half")[1:] == ["+0.0000 of 100", "above 0.002", "missed"]


@pytest.mark.parametrize(
    ("state", "interval", "true", "expected"),
    [
        ("right", [0.9], 0.86, {"right": True}),
        ("open", [0.86], 0.86, {}),
        ("off", [0.8], 0.86, {"off": False, "off, wrong sign": False}),
        ("off", [0.95], 0.88, {"off": False, "off, wrong sign": True}),
        ("off", [0.86], 0.895, {"off": True, "off, wrong sign": False, "off, of the accurate": True}),
        ("right", [0.9, 0.89, 0.92], 0.895, {"right": False, "off, of the accurate": False, "bracket": False}),
        ("open", [0.9, 0.88, 0.92], 0.87, {"bracket": True}),
        ("open", [0.9], 0.9, {"off, of the accurate": False}),
    ],
)
def test_claims_are_wrong_by_the_true_probability(state, interval, true, expected):
    """Half of the 400 reviews were remembered, so the only dot of the graph is off: recall seems lower than 90%."""
    finding = SimpleNamespace(
        state=state, algorithm="Your parameters", recall=Recall(400, 0.9, ConfidenceInterval(*interval), near=True)
    )
    evidence = SimpleNamespace(
        fitted={"Your parameters": SimpleNamespace(predicted=np.full(400, 0.9))},
        scoring=SimpleNamespace(recalled=np.arange(400) % 2),
    )
    reviews = np.arange(400)
    claims = dict(follow.accuracy_claims(finding, evidence, np.full(400, true), reviews, reviews >= 0))
    assert claims == {**expected, "dot": true > 0.895}


def test_advice_is_judged_by_later_reviews():
    true = np.full(100, 0.8)
    own = np.repeat([0.9, 0.95], 50)
    assert dict(follow._advice_claims("nothing", true, own, true, 0.9, None)) == {"nothing": True}
    assert dict(follow._advice_claims("nothing", true, true, own, 0.9, None)) == {"nothing": False}
    for before, after, is_wrong in ((own, true, False), (true, own, True)):
        result = dict(follow._advice_claims("optimize", true, before, after, 0.9, None))
        assert result["optimize"] == is_wrong == (result["optimize, gain"] < -0.005)
    for high, is_wrong in ((0.75, True), (0.85, False)):  # at 95%; 80% were remembered at 90%
        result = follow._advice_claims("desired_retention", np.repeat([0.8, high], 50), own, own, 0.9, 0.95)
        assert dict(result) == {"desired_retention": is_wrong}


@pytest.mark.parametrize(
    ("use", "condition"), [(ONE, PLAIN), (ONE, CLOSED), (TWO, PLAIN), (TWO, LEECHES), (OPPOSITE, PLAIN), (SM2, PLAIN)]
)
def test_equal_logs_give_equal_cases(use, condition):
    first, again, other = (follow.follow(Kind("fsrs", condition, 500, use), number, 1) for number in (1, 1, 2))
    assert first == again != other
    assert {case.claim for case in first} <= set(LIMITS)


def test_parameters_that_set_the_intervals_predict_the_desired_retention():
    log = follow._Log(Kind("fsrs", CLOSED, 3000, ONE), 3, 1)
    (snapshot,) = log.snapshots().values()
    evidence = log.evaluate(snapshot, follow.ROWS[:1])[1]
    assert np.median(evidence.fitted["Your parameters"].predicted) == pytest.approx(log.retention, abs=0.01)


def test_reviews_behind_a_finding_are_those_that_it_counts():
    log = follow._Log(Kind("fsrs", PLAIN, 3000, TWO), 1, 1)
    (snapshot,) = log.snapshots().values()
    evaluation, evidence = log.evaluate(snapshot, follow.ROWS)
    whole, *presets = evaluation.report.findings
    for finding in (whole, *presets):
        assert len(follow.tested_reviews(evidence, finding)[0]) == finding.recall.reviews > 0
    assert sum(finding.recall.reviews for finding in presets) == whole.recall.reviews


@pytest.mark.long
def test_first_screen_is_seldom_wrong(capsys, monkeypatch):
    """Allow three times as many wrong claims as the limit, and two more, because the sample is small."""
    monkeypatch.setattr(screen, "SIZES", (500, 3000))
    assert main(["--logs", "3"]) == 0
    rows = [row.split("|") for row in capsys.readouterr().out.splitlines() if row.startswith("| ")]
    for (claim, limit), row in zip(LIMITS.items(), rows[2:], strict=True):
        if limit.limit is not None and not limit.is_gain and " of " in row[5]:
            wrong, _, cases = row[5].replace(",", "").split()[:3]
            assert int(wrong) <= (claim != "contradictions") * (3 * limit.limit * int(cases) + 2), row
