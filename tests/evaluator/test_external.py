"""Predictions from elsewhere: a full row where they cover all reviews, a second comparison where they do not."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from reference_sets import snapshot

from evaluator.algorithms.external import External
from evaluator.errors import BadOption
from evaluator.evaluation import evaluate
from evaluator.options import Options
from evaluator.predictions import to_csv
from evaluator.report import Failure, to_dict, to_json
from evaluator.sections import add_sections
from evaluator.tally import Evaluation

ALGORITHMS = ("AVG", "SM-2", "FSRS-6")


@cache
def _alone() -> Evaluation:
    return evaluate(snapshot("sim-c"), Options(ALGORITHMS))


def _of_fsrs(name: str, *, without: slice = slice(0)) -> External:
    predictions = _alone().predictions
    keep = np.ones(len(predictions.review_id), dtype=bool)
    keep[without] = False
    return External(name, review_id=predictions.review_id[keep], predicted=predictions.predicted["FSRS-6"][keep])


def _with(*external: External) -> Evaluation:
    return evaluate(snapshot("sim-c"), Options(ALGORITHMS, external=external))


def test_fsrs_fed_back_is_fsrs() -> None:
    """The same numbers and intervals to the last bit; the other rows do not change."""
    report = _with(_of_fsrs("Mine")).report
    mine, theirs = report.result("Mine"), report.result("FSRS-6")
    what_it_is = {"algorithm", "family", "description", "trained", "parameter_count", "uses", "note"}
    what_it_is |= {"parameters_per_fold", "against_baseline", "by_others", "population"}
    assert {k: v for k, v in vars(mine).items() if k not in what_it_is} == {
        k: v for k, v in vars(theirs).items() if k not in what_it_is
    }
    assert mine.against_baseline == replace(theirs.against_baseline, algorithm="Mine", chance=None)
    assert mine.family == "External"
    assert mine.note == "external"
    assert replace(report.result("SM-2"), by_others={}) == replace(_alone().report.result("SM-2"), by_others={})
    assert (report.uncovered, report.on_covered) == ((), None)
    assert report.verdict == _alone().report.verdict


def test_uncovered_reviews_are_counted_and_named() -> None:
    """The whole comparison stays, and there is another one on what is covered, with the very same numbers as alone."""
    missing = slice(3, 20)
    evaluation = _with(_of_fsrs("Mine", without=missing))
    report, alone = evaluation.report, _alone()
    n = alone.report.scope.reviews
    row = report.result("Mine")
    assert row.log_loss is None
    first = int(alone.predictions.review_id[3])
    assert row.error == Failure("reviews_uncovered", {"reviews": n, "uncovered": 17, "first": first})
    (uncovered,) = report.uncovered
    assert (uncovered.algorithm, uncovered.reviews) == ("Mine", 17)
    assert list(uncovered.review_ids) == alone.predictions.review_id[missing].tolist()
    assert report.result("FSRS-6") == alone.report.result("FSRS-6")

    part = report.on_covered
    assert part.scope.reviews == n - 17
    assert part.result("Mine").log_loss == part.result("FSRS-6").log_loss
    keep = np.ones(n, dtype=bool)
    keep[missing] = False
    p, y = alone.predictions.predicted["SM-2"][keep], alone.predictions.recalled[keep]
    assert part.result("SM-2").log_loss == pytest.approx(-np.log(np.where(y == 1, p, 1 - p)).mean())
    assert {row.size for row in part.results} == {n - 17}
    assert sum(step.rows for step in part.funnel) == sum(step.rows for step in report.funnel)
    assert part.funnel[-1].rows == 17
    assert part.verdict.basis.reviews == n - 17
    assert to_dict(report)["on_covered"]["scope"]["reviews"] == n - 17
    lines = list(to_csv(evaluation.predictions))
    assert lines[0].endswith(",FSRS-6,Mine\n")
    assert [line.endswith(",\n") for line in lines[1:]] == (~keep).tolist()


def test_two_that_lack_different_reviews() -> None:
    part = _with(_of_fsrs("A", without=slice(10)), _of_fsrs("B", without=slice(5, 30))).report.on_covered
    assert part.scope.reviews == _alone().report.scope.reviews - 30
    assert part.result("A").log_loss == part.result("B").log_loss


def test_none_of_the_reviews() -> None:
    other = External("Other", review_id=np.array([5]), predicted=np.array([0.5]))
    for external in (other, External("Other", review_id=np.zeros(0, dtype=np.int64), predicted=np.zeros(0))):
        report = _with(external).report
        n = report.scope.reviews
        error = report.result("Other").error
        assert (error.facts["reviews"], error.facts["uncovered"]) == (n, n)
        assert report.on_covered is None
        assert report.uncovered[0].reviews == n


def test_as_the_baseline() -> None:
    options = Options(ALGORITHMS, baseline=" mine", external=(_of_fsrs("Mine"),))
    report = evaluate(snapshot("sim-c"), options).report
    assert report.baseline == report.scope.baseline == "Mine"
    assert report.verdict.baseline == "Mine"
    against = report.result("FSRS-6").against_baseline
    assert against.difference.estimate == 0


@pytest.mark.parametrize("name", ["FSRS-6", "fsrs-6", "default", "Mine"])
def test_names_that_are_taken(name: str) -> None:
    with pytest.raises(BadOption):
        Options(ALGORITHMS, external=(External("mine"), External(name))).contestants()


def test_sections_know_it() -> None:
    """All of them can be made, those too that evaluate anew on other reviews, which the file then may lack."""
    evaluation = _with(_of_fsrs("Mine"))
    found = add_sections(evaluation, ["all"], snapshot("sim-c"))
    assert to_json(found.report)
    assert "Mine" in {graphs.algorithm for graphs in found.report.section("graphs")}
