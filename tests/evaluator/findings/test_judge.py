from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any, List, Optional

import numpy as np
import pytest
from made_logs import learner

import evaluator.findings
from evaluator.data.revlog import Deck
from evaluator.evaluation import evaluate, show_subject
from evaluator.findings import drop_worse_from_best_set, judge
from evaluator.options import Options
from evaluator.progress import SILENT
from evaluator.report import ADJUSTED, DECK, OWN, Advice
from evaluator.scoring.report_builder import Evaluation

from .made_people import SCORED, TRAINING, A, B, evaluation_of, evidence_of, outcomes, person, shuffled_labels
from .test_advice import rivalry

ROWS = ("AVG", "FSRS-6", OWN, ADJUSTED, "SM-2")
#: Deck of each card. The tens of its id are that of its preset.
DECK_ID = shuffled_labels({10: 450, 11: 250, 20: 300, 21: 250})


def judged_evaluations(fsrs: Optional[bool] = True, fsrs6: Any = 0.9) -> List[Evaluation]:
    """Return the evaluation after each row. Preset A is right, and B is too optimistic.

    Args:
        fsrs: whether FSRS is on, or None if that is unknown.
        fsrs6: the predictions of FSRS-6.
    """
    evidence = evidence_of(
        A,
        B,
        preset_id=DECK_ID // 10,
        deck_id=DECK_ID,
        decks=[Deck(number, f"D{number}") for number in (10, 11, 20, 21)],
        recalled=outcomes(DECK_ID // 10, {1: 0.9, 2: 0.8}),
        predicted={"AVG": 0.85, "SM-2": 0.8, "FSRS-6": fsrs6},
        fsrs=fsrs,
    )
    result = []
    report = None
    for n_finished in range(1, len(ROWS) + 1):
        fitted = {name: evidence.fitted[name] for name in ROWS[:n_finished]}
        step = evaluation_of(replace(evidence, fitted=fitted), unfinished=ROWS[n_finished:])
        report = judge(step.report, step.evidence, ROWS, report, SILENT)  # type: ignore[arg-type]
        result.append(replace(step, report=report))
    return result


def test_findings_appear_with_their_rows_and_stay():
    reports = [item.report for item in judged_evaluations()]
    assert [len(report.findings) for report in reports] == [0, 0, 0, 7, 7]
    assert [report.verdict.code for report in reports] == ["unfinished"] * 3 + [reports[-1].verdict.code] * 2
    assert [report.hard is None for report in reports] == [True] * 4 + [False]
    assert {finding.advice for finding in reports[3].findings} == {None}
    facts = [
        {(item.name, item.preset_id): replace(item, advice=None, optimizing=None, sign="") for item in report.findings}
        for report in reports[3:]
    ]
    assert facts[0] == facts[1]
    last = reports[-1]
    assert [item.name for item in last.findings] == ["", "B", "D20", "D21", "A", "D10", "D11"]
    assert (last.opening_subject, last.findings[1].code, last.findings[1].sign) == (1, "optimistic", "warning")
    for finding in last.findings:
        assert finding.advice is not None
        assert (finding.against_sm2 is None) == (finding.kind == DECK)
    assert last.verdict.advice is None


@pytest.mark.parametrize("fsrs", [False, None])
def test_only_the_verdict_has_advice_without_fsrs(fsrs, monkeypatch):
    right = outcomes(DECK_ID // 10, {1: 0.9, 2: 0.8})[TRAINING:]
    reports = [item.report for item in judged_evaluations(fsrs, np.where(right == 1, 0.95, 0.7))]
    assert [report.findings for report in reports] == [()] * 5
    code = None if fsrs is None else "turn_on_and_optimize"
    assert [item.verdict.advice and item.verdict.advice.code for item in reports] == [None] * 4 + [code]
    monkeypatch.setattr(evaluator.findings, "_is_suspected", lambda _hard: True)
    last = judged_evaluations(fsrs)[-1].report.verdict.advice
    assert last == (None if fsrs is None else Advice("hard"))


@pytest.mark.parametrize("has_findings", [True, False])
@pytest.mark.parametrize(
    ("claim", "worse"), [("better_past", ADJUSTED), ("worse_past", OWN), ("equivalent", None), ("early", None)]
)
def test_row_that_is_called_worse_has_no_star(claim, worse, has_findings):
    report = judged_evaluations()[-1].report
    compared = rivalry(claim)
    compared = replace(compared, comparison=replace(compared.comparison, algorithm=OWN, baseline=ADJUSTED))
    findings = (replace(report.findings[0], against_sm2=compared),) if has_findings else ()
    verdict = replace(report.verdict, rivalry=None if has_findings else compared)
    report = replace(report, findings=findings, verdict=verdict, best_set=(OWN, ADJUSTED, "FSRS-6"))
    assert set(report.best_set) - set(drop_worse_from_best_set(report).best_set) == ({worse} if worse else set())


def test_verdict_takes_stars_only_from_the_table_of_the_whole():
    report = judged_evaluations()[-1].report
    compared = rivalry("better")
    compared = replace(compared, comparison=replace(compared.comparison, algorithm="FSRS-6", baseline=ADJUSTED))
    findings = (replace(report.findings[0], against_sm2=None),) * 2
    verdict = replace(report.verdict, rivalry=compared)
    report = replace(report, findings=findings, verdict=verdict, best_set=("FSRS-6", ADJUSTED))
    assert drop_worse_from_best_set(report).best_set == ("FSRS-6",)
    assert drop_worse_from_best_set(replace(report, subject=1)).best_set == ("FSRS-6", ADJUSTED)


def test_subject_has_the_rows_of_its_reviews():
    whole = judged_evaluations(fsrs6=np.random.default_rng(4).uniform(0.5, 0.99, SCORED))[-1]
    failed = replace(whole.report.results[0], algorithm="FSRS-7", log_loss=None, error="no")  # type: ignore[arg-type]
    whole = replace(whole, report=replace(whole.report, results=(*whole.report.results, failed)))
    members = [
        DECK_ID > 0,
        DECK_ID // 10 == 2,
        DECK_ID == 20,
        DECK_ID == 21,
        DECK_ID // 10 == 1,
        DECK_ID == 10,
        DECK_ID == 11,
    ]
    for index, member in enumerate(members):
        shown = show_subject(whole, index)
        is_member = member[TRAINING:]
        report = shown.report
        assert (report.subject, report.scope.reviews) == (index, is_member.sum())
        assert {row.algorithm for row in report.results} == {*ROWS, "FSRS-7"}
        for row in report.results:
            assert row.size == is_member.sum()
            if row.error is None:
                loss = whole.evidence.scoring.loss(whole.predictions.predicted[row.algorithm])[is_member]
                assert row.log_loss == pytest.approx(loss.mean())
        for name in ("findings", "verdict", "hard", "sections"):
            assert getattr(report, name) == getattr(whole.report, name)
        assert show_subject(shown, 0).report == whole.report
    star, *others = report.best_set
    compared = rivalry("better")
    compared = replace(compared, comparison=replace(compared.comparison, baseline=star))
    findings = (*report.findings[:-1], replace(report.findings[-1], against_sm2=compared))
    with_worse = replace(whole, report=replace(whole.report, findings=findings))
    assert show_subject(with_worse, len(members) - 1).report.best_set == tuple(others)
    with pytest.raises(IndexError):
        show_subject(whole, len(members))


def test_evaluation_is_judged_after_each_row():
    updates = []
    evaluate(person(A), Options(("SM-2", "FSRS-6 default"), folds=2), on_update=updates.append)
    assert [len(item.report.findings) for item in updates] == [0, 1]
    assert updates[-1].report.findings[0].algorithm == "FSRS-6 default"


def test_evaluation_without_log_loss_has_no_verdict():
    report = evaluate(learner(), Options(("SM-2",), metrics=("auc",))).report
    assert (report.findings, report.verdict.code) == ((), "no_pair")


def test_thresholds_are_in_one_file():
    folder = Path(str(evaluator.findings.__file__)).parent
    for path in (path for path in folder.glob("*.py") if path.name not in ("thresholds.py", "hard.py")):
        assert re.findall(r"[<>]=? *(?!0\b|1\b)[\d.]+\b", path.read_text(encoding="utf-8")) == [], path
